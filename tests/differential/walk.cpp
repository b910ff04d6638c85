#include "tests/differential/walk.h"

#include <functional>
#include <map>

#include "gpu/ops/no_data_param.h"

namespace tonescope::test {
namespace {

struct Size {
    int width, height;
};

constexpr double kUsualVisits = 6e7, kManyVisits = 6e8;

void run_case(const OperatorInfo& op, const ParamBlock& wanted, const HostImage& image, const std::string& what,
              const Check& check, double visits = kUsualVisits) {
    const ParamBlock params = affordable(op, wanted, image.spec().pixels(), visits);
    Case c{&op, params, &image, {}};
    c.name = std::string(op.id) + " " + what + " " + std::to_string(image.width()) + "x" +
             std::to_string(image.height()) + ", " + describe(op.params, params) + ", seed " +
             std::to_string(base_seed());
    const Answer answer = reference_answer(c);
    check(c, answer);
}

std::string label(Content content, Channels channels, int max_sample = 255) {
    return to_string(content) + " " + to_string(channels) + " to " + std::to_string(max_sample);
}

/// A large image, which takes longer to make than to filter, is made once for all operators. `name` tells it from
/// others.
const HostImage& kept_image(const std::string& name, const std::function<HostImage()>& make) {
    static std::map<std::string, HostImage> images;
    const auto found = images.find(name);
    return found != images.end() ? found->second : images.emplace(name, make()).first->second;
}

}  // namespace

std::vector<std::string> operator_ids() {
    std::vector<std::string> ids;
    for (const OperatorInfo* op : operators()) ids.emplace_back(op->id);
    return ids;
}

void walk_sizes(const OperatorInfo& op, const Check& check) {
    constexpr Size kSizes[] = {{1, 1},   {1, 2},   {2, 1},   {1, 67},  {67, 1},  {1, 1031},  {1031, 1}, {3, 5},
                               {31, 33}, {63, 65}, {64, 64}, {65, 63}, {129, 7}, {127, 128}, {257, 191}};
    uint32_t seed = base_seed();
    for (const Size size : kSizes) {
        for (Content content : kContents) {
            for (Channels channels : kChannels) {
                ++seed;
                const HostImage image = make_image(content, channels, size.width, size.height, seed, int(seed % 4) * 5);
                run_case(op, defaults_of(op), image, label(content, channels), check);
                if (testing::Test::HasFatalFailure()) return;
            }
        }
        for (int max_sample : kDeepMax) {
            ++seed;
            const Content content = kContents[seed % 5];
            const Channels channels = kChannels[seed % 3];
            const HostImage image =
                make_image(content, channels, size.width, size.height, seed, int(seed % 4) * 5, max_sample);
            run_case(op, defaults_of(op), image, label(content, channels, max_sample), check);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

void walk_limits(const OperatorInfo& op, const Check& check) {
    constexpr Size kSizes[] = {{193, 127}, {128, 129}, {24, 8}};
    uint32_t seed = base_seed() + 1000;
    for (const ParamBlock& params : limits_of(op.params)) {
        for (const Size size : kSizes) {
            for (Channels channels : kChannels) {
                ++seed;
                const Content content = kContents[seed % 2];
                const HostImage image = make_image(content, channels, size.width, size.height, seed, 3);
                run_case(op, params, image, label(content, channels), check, kManyVisits);
                if (testing::Test::HasFatalFailure()) return;
            }
            ++seed;
            const Channels channels = kChannels[seed % 3];
            const int max_sample = kDeepMax[seed / 3 % 4];
            const Content content = kContents[seed % 2];
            const HostImage image = make_image(content, channels, size.width, size.height, seed, 3, max_sample);
            run_case(op, params, image, label(content, channels, max_sample), check, kUsualVisits);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

void walk_random(const OperatorInfo& op, const Check& check, int count) {
    Random random(base_seed() + 2000);
    for (int i = 0; i < count; ++i) {
        ParamBlock params = draw_params(op.params, random);
        // A third of the images are deep, and smaller: they may have 65,536 bins a tile.
        const int max_sample = i % 3 == 2 ? kDeepMax[random_between(random, 0, 3)] : 255;
        const int smaller = max_sample > 255 ? 3 : 1;
        Size size{random_between(random, 1, 400 / smaller), random_between(random, 1, 300 / smaller)};
        // Every other image has sides at, just below or just above a multiple of the tile, where there are tiles.
        if (const ParamInfo* tile = find_param(op.params, "tile_size"); tile != nullptr && i % 2 == 0) {
            const int side = std::min(params.get(*tile), 200 / smaller);
            size = {side * random_between(random, 1, 2) + random_between(random, -1, 1),
                    side * random_between(random, 1, 2) + random_between(random, -1, 1)};
        }
        const Content content = kContents[random_between(random, 0, 4)];
        const Channels channels = kChannels[random_between(random, 0, 2)];
        const int padding_px = random_between(random, 0, 1) * random_between(random, 1, 70);
        HostImage image =
            make_image(content, channels, size.width, size.height, uint32_t(random()), padding_px, max_sample);
        // Every other time that a value is left out, the image has a surround of it.
        const ParamInfo *no_data = find_param(op.params, kNoDataId), *value = find_param(op.params, kNoDataValueId);
        if (no_data != nullptr && params.get(*no_data) != no_data_off && i % 4 < 2) {
            params.set(*value, std::min(params.get(*value), max_sample));
            const int32_t kind = params.get(*no_data);
            add_surround(image, kind == no_data_zero ? 0 : kind == no_data_greatest ? max_sample : params.get(*value));
        }
        run_case(op, params, image, label(content, channels, max_sample), check);
        if (testing::Test::HasFatalFailure()) return;
    }
}

void walk_surrounds(const OperatorInfo& op, const Check& check) {
    const ParamInfo *no_data = find_param(op.params, kNoDataId), *value = find_param(op.params, kNoDataValueId);
    if (no_data == nullptr) return;
    Random random(base_seed() + 4000);
    for (int i = 0; i < 60; ++i) {
        const int max_sample = i % 2 == 0 ? 255 : kDeepMax[random_between(random, 0, 3)];
        ParamBlock params = draw_params(op.params, random);
        for (const char* choice : {"tile_size", "grid_columns", "grid_rows"})
            if (const ParamInfo* info = find_param(op.params, choice); info != nullptr && i % 3 > 0)
                params.set(*info, std::min(params.get(*info), 12));
        if (const ParamInfo* tables = find_param(op.params, "tables"); tables != nullptr && i % 5 < 2)
            params.set(*tables, tables->max);
        params.set(*no_data, int32_t(1 + i % 3));
        params.set(*value, random_between(random, 0, max_sample));
        const int surround = i % 3 == 0 ? 0 : i % 3 == 1 ? max_sample : params.get(*value);
        const Content content = kContents[random_between(random, 0, 4)];
        const Channels channels = kChannels[random_between(random, 0, 2)];
        HostImage image = make_image(content, channels, random_between(random, 1, 150), random_between(random, 1, 110),
                                     uint32_t(random()), 2, max_sample);
        add_surround(image, surround);
        run_case(op, params, image,
                 "surround of " + std::to_string(surround) + ", " + label(content, channels, max_sample), check);
        if (testing::Test::HasFatalFailure()) return;
    }
}

void walk_large(const OperatorInfo& op, const Check& check) {
    const auto large = [&](Content content, Channels channels, uint32_t seed,
                           int max_sample = 255) -> const HostImage& {
        const bool is_photo = content == Content::photo;
        return kept_image(label(content, channels, max_sample), [&] {
            return make_image(content, channels, is_photo ? 1999 : 3001, is_photo ? 1201 : 2903, base_seed() + seed,
                              is_photo, max_sample);
        });
    };
    for (Channels channels : kChannels)
        run_case(op, defaults_of(op), large(Content::photo, channels, 3000), label(Content::photo, channels), check);
    // One tile over everything and no clipping: the whole image goes through one table.
    ParamBlock whole = defaults_of(op);
    const auto set = [&](std::string_view id, int32_t value) {
        if (const ParamInfo* info = find_param(op.params, id)) whole.set(*info, value);
    };
    set("tiles", 1);
    set("grid_columns", 1);
    set("grid_rows", 1);
    set("clip_limit", 0);
    for (Channels channels : {Channels::gray, Channels::rgb}) {
        run_case(op, whole, large(Content::skewed, channels, 3001), label(Content::skewed, channels), check);
        set("clip_limit", 300);
    }
    // Many pixels and many values: sums pass 2^32, and products of four factors 2^53.
    for (int max_sample : {4095, 65535}) {
        const HostImage& image = large(Content::photo, Channels::gray, 3002, max_sample);
        run_case(op, defaults_of(op), image, label(Content::photo, Channels::gray, max_sample), check);
        run_case(op, whole, image, label(Content::photo, Channels::gray, max_sample), check);
    }
    const HostImage& image = large(Content::skewed, Channels::gray, 3003, 65535);
    run_case(op, whole, image, label(Content::skewed, Channels::gray, 65535), check);
    set("bins", 8);
    run_case(op, whole, image, label(Content::skewed, Channels::gray, 65535), check);
    // A surround around more pixels than one block counts of a tile.
    const ParamInfo* no_data = find_param(op.params, kNoDataId);
    if (no_data == nullptr) return;
    ParamBlock surrounded = defaults_of(op);
    surrounded.set(*no_data, no_data_zero);
    const HostImage& ellipse = kept_image("ellipse", [] {
        HostImage made = make_image(Content::photo, Channels::gray, 4001, 3001, base_seed() + 3004, 0);
        add_surround(made, 0);
        return made;
    });
    run_case(op, surrounded, ellipse, label(Content::photo, Channels::gray), check);
    set("no_data", no_data_zero);
    run_case(op, whole, ellipse, label(Content::photo, Channels::gray), check);
}

}  // namespace tonescope::test
