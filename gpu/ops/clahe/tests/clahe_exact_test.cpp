// CLAHE with the table of the window around each pixel: by hand, from the definition alone, and every CPU variant and
// the preview against the reference.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "tests/cpu_time.h"
#include "tests/deep_images.h"
#include "tests/image_tools.h"
#include "tests/previews.h"

namespace tonescope::clahe {
namespace {

const OperatorInfo& exact_op() {
    return *find_operator("clahe");
}

/// Exact tables, no clipping.
Params windows_of(int side) {
    auto params = default_values(exact_op().params).as<Params>();
    params.tables = tables_exact;
    params.tile_size = side;
    params.clip_limit = 0;
    return params;
}

HostImage run_exactly(const char* variant, const HostImage& input, const Params& params, int threads = 2) {
    HostImage output(exact_op().output_spec(input.spec(), ParamBlock(params)));
    find_variant("clahe", variant)
        ->run_cpu(
            {.input = input.view(), .params = ParamBlock(params), .output = output.mutable_view(), .threads = threads});
    return output;
}

HostImage gray_row(const std::vector<int>& values) {
    return test::deep_image({int(values.size()), 1, PixelFormat::gray8, false}, values);
}

class ClaheExact : public testing::TestWithParam<const char*> {
  protected:
    static std::vector<int> run(const HostImage& input, const Params& params) {
        return test::samples_of_image(run_exactly(GetParam(), input, params).view());
    }
};
INSTANTIATE_TEST_SUITE_P(Cpu, ClaheExact, testing::Values("cpu", "parallel"),
                         [](const auto& param) { return std::string(param.param); });

/// Of three pixels, mirrored without end, eight in a row are the first and the last one twice and the middle one four
/// times: with A = 64, cdf(10) = 16: (510 * 16 + 64) / 128 = 64.25, cdf(20) = 48: 191.75, cdf(200) = 64: 255.5.
TEST_P(ClaheExact, TheImageIsMirroredWithoutEnd) {
    EXPECT_EQ(run(gray_row({10, 20, 200}), windows_of(8)), (std::vector<int>{64, 191, 255}));
    EXPECT_EQ(run(gray_row({7}), windows_of(1024)), (std::vector<int>{255}));
}

/// An even window has one pixel more before its own: the bright pixel at 4 lies in the windows from 4 - 4 to 4 + 3 of
/// pixel 4, and so in those of the pixels 1 to 8, and by the mirror in that of pixel 0. There cdf(0) = 56 of 64:
/// (510 * 56 + 64) / 128 = 223.6.
TEST_P(ClaheExact, EvenWindowsReachFurtherBack) {
    std::vector<int> values(16, 0), expected(16, 255);
    values[4] = 100;
    for (const size_t x : {0, 1, 2, 3, 5, 6, 7, 8}) expected[x] = 223;
    EXPECT_EQ(run(gray_row(values), windows_of(8)), expected);
}

/// An odd one reaches as far on both sides: with 9 pixels, from x - 4 to x + 4. cdf(0) = 72 of 81: (510 * 72 + 81) /
/// 162 = 227.1.
TEST_P(ClaheExact, OddWindowsLieAroundTheirPixel) {
    std::vector<int> values(20, 0), expected(20, 255);
    values[9] = 100;
    for (const size_t x : {5, 6, 7, 8, 10, 11, 12, 13}) expected[x] = 227;
    EXPECT_EQ(run(gray_row(values), windows_of(9)), expected);
}

/// Four values of R = 1024 in 256 bins (ClaheDeep works the entries out): each window of one row has each pixel as
/// often as the other ones.
TEST_P(ClaheExact, DeepImagesInterpolateWithinBins) {
    Params params = windows_of(12);
    params.range = range_full;
    // Mirrored, 12 pixels in a row are two periods of 0, 3, 4, 1023, 4, 3: of the bins 0, 1 and 255, 6, 4 and 2.
    // A = 144: counts 72, 48 and 24; an entry is floor((2046 S + 147456) / 294912).
    //   0: S = 72 * 256, 128.4     3: S = 72 * 1024, 512     4: S = 72 * 1024 + 48 * 256, 597.25     1023: 1023.5
    EXPECT_EQ(run(test::deep_image({4, 1, PixelFormat::gray16, false, 1023}, {0, 3, 4, 1023}), params),
              (std::vector<int>{128, 512, 597, 1023}));
}

/// Where a pixel stands in the middle of a whole tile with even sides, blending takes that tile's table alone.
TEST_P(ClaheExact, IsTheBlendInTheMiddleOfATile) {
    const HostImage input = noise(96, 96, PixelFormat::rgba8, 5);
    Params params = windows_of(32);
    params.clip_limit = 200;
    const HostImage exact = run_exactly(GetParam(), input, params);
    params.tables = tables_blended;
    const HostImage blended = run_exactly("cpu", input, params);
    for (const int y : {16, 48, 80})
        for (const int x : {16, 48, 80})
            EXPECT_EQ(std::memcmp(exact.view().pixel(x, y), blended.view().pixel(x, y), 4), 0) << x << ", " << y;
    EXPECT_GT(count_different_pixels(exact.view(), blended.view()), 5000);
}

/// From the definition: each pixel's window is counted by itself.
int defined(const HostImage& gray, const Params& params, int x, int y) {
    const Geometry g = make_geometry(gray.spec(), params);
    std::vector<int64_t> h(256);
    for (int j = 0; j < g.tile_height; ++j)
        for (int i = 0; i < g.tile_width; ++i)
            ++h[*gray.view().pixel(mirror_around(x - g.tile_width / 2 + i, gray.width()),
                                   mirror_around(y - g.tile_height / 2 + j, gray.height()))];
    int64_t excess = 0, sum = 0;
    for (int64_t& count : h) {
        excess += std::max<int64_t>(0, count - g.clip);
        count = std::min(count, g.clip);
    }
    const int64_t rest = excess % 256;
    for (int v = 0; v <= *gray.view().pixel(x, y); ++v)
        sum += h[size_t(v)] + excess / 256 + ((v + 1) * rest / 256 - v * rest / 256);
    return int((510 * sum + g.tile_pixels()) / (2 * g.tile_pixels()));
}

TEST_P(ClaheExact, IsWhatTheDefinitionSays) {
    const HostImage input = noise(37, 29, PixelFormat::gray8, 3);
    for (const int side : {8, 9, 40, 75}) {
        Params params = windows_of(side);
        params.clip_limit = 150;
        params.excess = excess_evenly;
        const HostImage output = run_exactly(GetParam(), input, params);
        for (int y = 0; y < input.height(); ++y)
            for (int x = 0; x < input.width(); ++x)
                ASSERT_EQ(*output.view().pixel(x, y), defined(input, params, x, y)) << side << ": " << x << ", " << y;
    }
}

std::string described(const HostImage& input, const ParamBlock& params) {
    std::string text = std::to_string(input.width()) + "x" + std::to_string(input.height());
    for (const ParamInfo& info : exact_op().params)
        text += " " + std::string(info.id) + "=" + format_value(info, params.get(info));
    return text;
}

/// Small windows over images of any size, others over images that they reach beyond.
Params random_windows(Random& random, int round) {
    ParamBlock block(windows_of(0));
    for (const ParamInfo& info : exact_op().params) block.set(info, clamp_value(info, random(info.min, info.max)));
    auto params = block.as<Params>();
    params.tables = tables_exact;
    params.tiles = round % 4 == 3 ? tiles_grid : tiles_size;
    params.tile_size = random(kMinTile, round % 2 == 0 ? 40 : 700);
    params.clip_limit = random(0, 3) * random(0, 500);
    params.clip_count = random(0, 3) * random(0, 60);
    params.bins = round % 3 == 0 ? random(0, 8) : 0;
    return params;
}

/// As random_image(), of up to 16 bits.
HostImage random_deep_image(Random& random, int longest_px) {
    const int max_sample = 255 << random(1, 8);
    const bool gray = random(0, 1) == 0;
    HostImage image({random(1, longest_px), random(1, longest_px), gray ? PixelFormat::gray16 : PixelFormat::rgba16,
                     false, uint16_t(max_sample)});
    const int least = random(0, max_sample / 2), most = random(least, max_sample), kind = random(0, 2);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < (gray ? 1 : 4); ++c)
                set_sample(image.mutable_view().pixel(x, y), image.spec().format, c,
                           kind == 0   ? random(least, most)
                           : kind == 1 ? least
                                       : std::min(most, least + 9 * x + y));
    return image;
}

TEST(ClaheExactParallel, GivesTheReferencesBytes) {
    Random random(new_seed());
    for (int round = 0; round < 160; ++round) {
        const Params params = random_windows(random, round);
        const bool deep = round % 3 == 0;
        const int longest_px = params.bins > 2 ? 20 : round % 2 == 0 && params.tiles == tiles_size ? 180 : 50;
        const HostImage input = deep ? random_deep_image(random, longest_px) : random_image(random, longest_px);
        const HostImage expected = run_exactly("cpu", input, params);
        HostImage output(expected.spec(), expected.spec().row_bytes() + size_t(8 * random(0, 5)));
        std::memset(output.data(), 0xA5, output.size_bytes());
        StageTimes stages;
        RunProgress progress;
        find_variant("clahe", "parallel")
            ->run_cpu({.input = input.view(),
                       .params = ParamBlock(params),
                       .output = output.mutable_view(),
                       .threads = random(1, 5),
                       .stages = &stages,
                       .progress = &progress});
        ASSERT_EQ(count_different_pixels(expected.view(), output.view()), 0) << described(input, ParamBlock(params));
        EXPECT_EQ(stages.back().stage, "windows");
        EXPECT_EQ(progress.fraction(), 1);
        for (int y = 0; y < output.height(); ++y)
            for (size_t i = output.spec().row_bytes(); i < output.pitch_bytes(); ++i)
                ASSERT_EQ(output.data()[size_t(y) * output.pitch_bytes() + i], 0xA5) << "padding";
    }
}

/// Counters of 8 bits hold 255 rows, those of 16 bits 65,535 pixels; strips and bands are several.
TEST(ClaheExactParallel, CountersAreAsWideAsWindowsNeed) {
    const HostImage one_value(test::deep_image({700, 1, PixelFormat::gray8, false}, std::vector<int>(700, 9)));
    HostImage tall({1, 40, PixelFormat::gray8, false});
    std::memset(tall.data(), 9, tall.size_bytes());
    for (const int side : {255, 256, 257}) {
        Params params = windows_of(side);
        params.clip_limit = 120;
        for (const HostImage* input : {&one_value, const_cast<const HostImage*>(&tall)})
            EXPECT_EQ(count_different_pixels(run_exactly("cpu", *input, params).view(),
                                             run_exactly("parallel", *input, params).view()),
                      0)
                << side;
    }
    // A window of more than 65,535 rows.
    HostImage column({1, 65535, PixelFormat::gray8, false});
    for (int y = 0; y < column.height(); ++y) *column.mutable_view().pixel(0, y) = uint8_t(y % 7 == 0 ? y : 200);
    Params params = windows_of(64);
    params.tiles = tiles_grid;
    params.grid_columns = 2;  // does not divide, so that the height grows too
    params.grid_rows = 1;
    params.clip_limit = 150;
    params.excess = excess_evenly;
    ASSERT_EQ(make_geometry(column.spec(), params).tile_height, 65536);
    const HostImage output = run_exactly("parallel", column, params);
    for (const int y : {0, 1, 40000, 65534}) EXPECT_EQ(*output.view().pixel(0, y), defined(column, params, 0, y)) << y;
}

TEST(ClaheExactParallel, EndsSoonWhenStopped) {
    const HostImage input = noise(3000, 2000, PixelFormat::gray8, 1);
    for (const char* id : {"cpu", "parallel"}) {
        for (const int side : {64, 1024}) {
            std::stop_source source;
            std::jthread stopper([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(30));
                source.request_stop();
            });
            HostImage output(input.spec());
            const double begin = cpu_seconds();
            find_variant("clahe", id)
                ->run_cpu({.input = input.view(),
                           .params = ParamBlock(windows_of(side)),
                           .output = output.mutable_view(),
                           .threads = 2,
                           .stop = source.get_token()});
            EXPECT_LT(cpu_seconds() - begin, 0.5) << id << " " << side;
        }
    }
}

HostImage exact_preview(const HostImage& input, const Params& params, const Rect& region, int step) {
    return run_preview(exact_op(), input, ParamBlock(params), region, step);
}

TEST(ClaheExactPreview, IsExactAtFullResolution) {
    Random random(new_seed());
    for (int round = 0; round < 40; ++round) {
        const Params params = random_windows(random, round);
        const HostImage input = random_image(random, 60);
        const HostImage expected = run_exactly("cpu", input, params);
        const Rect region = random_region(random, input);
        const HostImage preview = exact_preview(input, params, region, 1);
        for (int j = 0; j < preview.height(); ++j)
            for (int i = 0; i < preview.width(); ++i)
                ASSERT_EQ(std::memcmp(preview.view().pixel(i, j), expected.view().pixel(region.x + i, region.y + j),
                                      size_t(bytes_per_pixel(preview.spec().format))),
                          0)
                    << described(input, ParamBlock(params)) << " at " << i << ", " << j;
    }
}

TEST(ClaheExactPreview, OfALargeImageIsCloserThanTheBlend) {
    HostImage input({2001, 1503, PixelFormat::gray8, false});
    Random random(7);
    for (int y = 0; y < input.height(); ++y)
        for (int x = 0; x < input.width(); ++x)
            *input.mutable_view().pixel(x, y) =
                uint8_t(60 + x * 40 / 2001 + y * 30 / 1503 + (x / 90 + y / 70) % 3 * 20 + random(0, 9));
    Params params = windows_of(100);
    params.clip_limit = 300;
    const HostImage expected = run_exactly("parallel", input, params);
    const auto difference = [&](const Params& shown) {
        const HostImage preview = exact_preview(input, shown, {0, 0, 2001, 1503}, 4);
        int64_t sum = 0;
        for (int j = 0; j < preview.height(); ++j)
            for (int i = 0; i < preview.width(); ++i)
                sum += std::abs(*preview.view().pixel(i, j) - *expected.view().pixel(4 * i, 4 * j));
        return double(sum) / double(preview.spec().pixels());
    };
    Params blended = params;
    blended.tables = tables_blended;
    const double exact_levels = difference(params), blended_levels = difference(blended);
    std::cout << "exact " << exact_levels << ", blended " << blended_levels << " levels in the mean\n";
    EXPECT_LT(exact_levels, 3);
    EXPECT_LT(exact_levels, blended_levels);
}

TEST(ClaheExactPreview, HugeWindowsArePreviewedByTiles) {
    const HostImage input = noise(5000, 3000, PixelFormat::gray8, 1);
    Params params = windows_of(64);
    params.tiles = tiles_grid;
    params.grid_columns = params.grid_rows = 1;
    Params blended = params;
    blended.tables = tables_blended;
    const Rect region{100, 100, 400, 300};
    EXPECT_TRUE(
        same_pixels(exact_preview(input, params, region, 1).view(), exact_preview(input, blended, region, 1).view()));
}

TEST(ClaheExactExplain, ThePixelsWindowAndItsTable) {
    // The window of (9, 5) goes from 5 to 12 across and from 1 to 8 down: 3 of 8 columns are 100 (x < 8).
    HostImage image({16, 16, PixelFormat::gray8, false});
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) *image.mutable_view().pixel(x, y) = x < 8 ? 100 : 200;
    const auto explain = [&](Pixel pixel, std::optional<Pixel> kept = {}) {
        return exact_op().explain(
            {.input = image.view(), .params = ParamBlock(windows_of(8)), .pixel = pixel, .kept = kept});
    };
    const Explanation e = explain({9, 5});
    ASSERT_EQ(e.areas.size(), 1U);
    EXPECT_EQ(e.areas[0].rect, (Rect{5, 1, 8, 8}));
    EXPECT_EQ(e.areas[0].label, "8 \u00d7 8 px");
    EXPECT_EQ(e.cells.width, 0);
    EXPECT_EQ(e.plot_of, "window around 9, 5");
    EXPECT_EQ(e.plots[0].counts[100], 24U);
    EXPECT_EQ(e.plots[0].counts[200], 40U);
    EXPECT_EQ(e.values[0].after, 255);
    EXPECT_EQ(explain({5, 5}).values[0].after, 223);  // 56 of 64 pixels, from 1 to 8 across
    EXPECT_EQ(explain({0, 0}, Pixel{9, 5}).pixel, (Pixel{9, 5}));
    EXPECT_EQ(explain({0, 0}).areas[0].rect, (Rect{-4, -4, 8, 8}));
    EXPECT_EQ(explain({0, 0}).plots[0].counts[100], 64U);
    EXPECT_EQ(e.note, "");
    EXPECT_EQ(explain({0, 0}).note, "75.0 % of the window lies beyond the border, where the image is mirrored.");
}

TEST(ClaheExactExplain, GivesTheReferencesPixels) {
    Random random(new_seed());
    for (int round = 0; round < 30; ++round) {
        const Params params = random_windows(random, round);
        const HostImage input = round % 3 == 0 ? random_deep_image(random, 20) : random_image(random, 40);
        const HostImage expected = run_exactly("cpu", input, params);
        std::any cache;
        for (int k = 0; k < 6; ++k) {
            const Pixel at{random(0, input.width() - 1), random(0, input.height() - 1)};
            const Explanation e =
                exact_op().explain({.input = input.view(), .params = ParamBlock(params), .pixel = at, .cache = &cache});
            for (int c = 0; c < (is_gray(expected.spec().format) ? 1 : 4); ++c)
                ASSERT_EQ(e.result[size_t(c)], expected.view().sample(at.x, at.y, c))
                    << described(input, ParamBlock(params)) << " at " << at.x << ", " << at.y;
        }
    }
}

TEST(ClaheExactConversions, SpeakOfTheWindow) {
    const auto lines = exact_op().conversions(*find_param(exact_op().params, "tile_size"), ParamBlock(windows_of(31)),
                                              {640, 480, PixelFormat::gray8, false});
    EXPECT_EQ(lines, (std::vector<std::string>{"A window of 31 \u00d7 31 px around each pixel, 961 pixels"}));
}

TEST(ClaheExactConvert, TheBorderIsMirroredEitherWay) {
    Params params = windows_of(64);
    params.tiles = tiles_grid;
    params.grid_columns = params.grid_rows = 16;
    const Conversion result = with_value(exact_op(), ParamBlock(params), *find_param(exact_op().params, "tiles"),
                                         tiles_size, {1023, 1023, PixelFormat::gray8, false});
    EXPECT_EQ(result.params.as<Params>().tile_size, 64);
    EXPECT_EQ(result.note, "");
}

TEST(ClaheExactVariants, ThoseOfTheReportAndTheStepsSayThatTheyHaveNone) {
    const ImageSpec image{64, 64, PixelFormat::gray8, false};
    for (const VariantInfo* variant : variants_of("clahe")) {
        const bool takes = variant->any_depth;
        EXPECT_EQ(refusal(exact_op(), *variant, ParamBlock(windows_of(64)), image), takes ? "" : "has no tables=exact")
            << variant->id;
    }
    EXPECT_EQ(preferred_variant(exact_op(), BackendKind::cuda, ParamBlock(windows_of(64)), image),
              preferred_variant("clahe", BackendKind::cuda));
}

}  // namespace
}  // namespace tonescope::clahe
