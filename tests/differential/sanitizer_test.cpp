// Few small cases that reach every path of every CUDA variant: tests/sanitizer runs them under compute-sanitizer, which
// slows kernels down a hundred times and more.
#include <optional>

#include "gpu/core/error.h"
#include "tests/differential/gpu_check.h"

namespace tonescope::test {
namespace {

struct Picture {
    int width, height;
    Channels channels;
    int max_sample = 255;
    std::optional<int> surround = {};
};
constexpr Picture kTiny = {1, 1, Channels::rgba}, kSmall = {33, 17, Channels::rgb}, kGray = {257, 131, Channels::gray},
                  kColor = {257, 131, Channels::rgba};

class Sanitizer : public OnGpu<testing::TestWithParam<OperatorVariant>> {
  protected:
    const OperatorInfo& op() const { return *GetParam().op; }
    const VariantInfo& variant() const { return *GetParam().variant; }

    void check(const Picture& picture, const ParamBlock& params, const ParamBlock& variant_params) {
        HostImage image =
            make_image(Content::photo, picture.channels, picture.width, picture.height, 5, 0, picture.max_sample);
        if (picture.surround) add_surround(image, *picture.surround);
        const Case c{&op(), params, &image,
                     to_string(picture.channels) + " " + std::to_string(picture.width) + "x" +
                         std::to_string(picture.height) + ", " + describe(op().params, params)};
        check_gpu_variant(*backend_, variant(), variant_params, variant().memory.value_or(MemoryMode::pinned), c,
                          reference_answer(c));
    }
    void check(const Picture& picture, const ParamBlock& params) {
        check(picture, params, default_values(variant().params));
    }

    /// The defaults with some parameters set, those that the operator has.
    ParamBlock with(std::initializer_list<std::pair<std::string_view, int32_t>> values) const {
        ParamBlock params = defaults_of(op());
        for (const auto& [id, value] : values)
            if (const ParamInfo* info = find_param(op().params, id)) params.set(*info, value);
        return params;
    }
};

TEST_P(Sanitizer, SizesAndFormats) {
    for (const Picture& picture : {kTiny, Picture{1, 1, Channels::gray}, kSmall, kGray, kColor})
        check(picture, defaults_of(op()));
}

/// Every value of every choice.
TEST_P(Sanitizer, Choices) {
    for (const ParamInfo& info : op().params) {
        if (info.kind != ParamKind::choice) continue;
        for (int32_t value = info.min; value <= info.max; ++value) {
            if (value == info.default_value) continue;
            ParamBlock params = defaults_of(op());
            params.set(info, value);
            check(kColor, params);
        }
    }
}

/// Results are mixed with the image on paths of their own.
TEST_P(Sanitizer, ColorsAndAmounts) {
    const ParamInfo* color = find_param(op().params, "color");
    if (color == nullptr) return;
    const Picture deep_color{67, 45, Channels::rgba, 65535};
    check(kGray, with({{"amount", 35}}));
    for (int32_t value = color->min; value <= color->max; ++value) {
        check(kColor, with({{"color", value}, {"amount", 35}}));
        if (!variant().any_depth) continue;
        check(deep_color, with({{"color", value}}));
        check(deep_color, with({{"color", value}, {"amount", 35}}));
    }
}

TEST_P(Sanitizer, TilesAndRadii) {
    if (find_param(op().params, "tile_size") != nullptr) {
        check(kGray, with({{"tile_size", 8}}));
        check(kSmall, with({{"tile_size", 8}, {"clip_limit", 0}}));
        check(kGray, with({{"tiles", 1}, {"grid_columns", 8}, {"grid_rows", 8}}));
        check(kGray, with({{"tiles", 1}, {"grid_columns", 1}, {"grid_rows", 1}}));
    }
    if (find_param(op().params, "tables") != nullptr) {
        check(kSmall, with({{"tables", 1}, {"tile_size", 8}}));
        check(kSmall, with({{"tables", 1}, {"tile_size", 200}}));  // counters of 16 bits for its rows
        check(kSmall, with({{"tables", 1}, {"tile_size", 300}}));  // counters of 32 bits for its pixels
    }
    if (find_param(op().params, "radius") != nullptr) {
        check(kGray, with({{"radius", 1}}));
        check(kColor, with({{"radius", 20}}));
        check(kSmall, with({{"radius", 40}}));
        check(kColor, with({{"radius", 40}}));
    }
}

/// Bins that fit words of 32 bits and of 16, and tables of every form.
TEST_P(Sanitizer, DeepImages) {
    if (!variant().any_depth) GTEST_SKIP() << "takes images of 8 bits only";
    const Picture deep_gray{257, 131, Channels::gray, 65535}, deep_color{67, 45, Channels::rgba, 65535};
    check({1, 1, Channels::gray, 4095}, defaults_of(op()));
    for (const int max_sample : {4095, 16383})
        check({257, 131, Channels::gray, max_sample},
              with({{"tiles", 1}, {"grid_columns", 2}, {"grid_rows", 2}, {"bins", 8}}));
    for (const Channels channels : {Channels::gray, Channels::rgba})
        check({257, 131, channels, 1023}, with({{"tiles", 1}, {"grid_columns", 1}, {"grid_rows", 1}}));
    for (const Picture& picture : {deep_gray, deep_color}) {
        check(picture, defaults_of(op()));
        check(picture, with({{"range", 1}, {"bins", 8}}));
        check(picture, with({{"tiles", 1}, {"grid_columns", 1}, {"grid_rows", 1}}));
        check(picture, with({{"tiles", 1}, {"grid_columns", 1}, {"grid_rows", 1}, {"bins", 8}, {"range", 1}}));
        check(picture, with({{"tiles", 1}, {"grid_columns", 1}, {"grid_rows", 1}, {"bins", 8}, {"clip_limit", 0}}));
        check(picture, with({{"tiles", 1}, {"grid_columns", 1}, {"grid_rows", 1}, {"bins", 5}}));
        for (const int32_t bins : {0, 1, 8}) check(picture, with({{"tables", 1}, {"tile_size", 16}, {"bins", bins}}));
    }
}

/// Tiles that count nothing, beside others and alone.
TEST_P(Sanitizer, NoData) {
    if (!refusal(op(), variant(), with({{"no_data", 1}}), {8, 8, PixelFormat::gray8, false}).empty())
        GTEST_SKIP() << "leaves no value out";
    for (const Channels channels : {Channels::gray, Channels::rgba}) {
        check({131, 97, channels, 255, 0}, with({{"no_data", 1}, {"tile_size", 16}}));
        check({67, 45, channels, 4095, 4095}, with({{"no_data", 2}, {"tile_size", 8}, {"bins", 8}}));
        check({67, 45, channels, 65535, 77}, with({{"no_data", 3}, {"no_data_value", 77}, {"tile_size", 8}}));
        if (find_param(op().params, "tables") == nullptr) continue;
        check({131, 45, channels, 255, 0}, with({{"no_data", 1}, {"tables", 1}, {"tile_size", 16}}));
        check({67, 45, channels, 255, 0}, with({{"no_data", 1}, {"tables", 1}, {"tile_size", 300}}));
        check({67, 45, channels, 4095, 4095}, with({{"no_data", 2}, {"tables", 1}, {"tile_size", 8}, {"bins", 8}}));
    }
    for (const char* color : {"lab", "channels"})
        if (const ParamInfo* info = find_param(op().params, "color"))
            check({64, 45, Channels::rgba, 255, 0}, with({{"no_data", 1}, {"color", parse_value(*info, color)}}));
}

TEST_P(Sanitizer, ParametersOfTheVariant) {
    for (const ParamBlock& params : limits_of(variant().params)) check(kSmall, defaults_of(op()), params);
}

INSTANTIATE_TEST_SUITE_P(All, Sanitizer, testing::ValuesIn(all_cuda_variants()), variant_name);

/// What the runner asks before it starts compute-sanitizer.
TEST(SanitizerDevice, IsThere) {
    try {
        make_cuda_backend();
    } catch (const DeviceError& error) {
        GTEST_SKIP() << error.what();
    }
}

}  // namespace
}  // namespace tonescope::test
