// Variants that are wrong by design give the wrong image that their error makes, worked out here in plain loops; the
// one whose error is a race gives an image that some wrong histogram explains.
#include <algorithm>
#include <array>
#include <utility>

#include "tests/differential/gpu_check.h"

namespace tonescope::test {
namespace {

class WrongByDesign : public OnGpu<testing::Test> {
  protected:
    HostImage run(std::string_view op, std::string_view variant, const HostImage& image) {
        const OperatorInfo& info = *find_operator(op);
        return backend_->run(image.view(), default_run(info, find_variant(op, variant))).image;
    }
    /// Calls check(image, label) for gray images of several sizes and contents.
    template <class Check>
    void for_each_image(Check&& check) {
        constexpr std::array<std::pair<int, int>, 8> kSizes = {
            {{64, 40}, {65, 40}, {257, 191}, {33, 17}, {100, 3}, {1, 1}, {1, 67}, {640, 480}}};
        for (const auto& [width, height] : kSizes)
            for (Content content : {Content::photo, Content::noise, Content::two_level, Content::constant})
                check(make_image(content, Channels::gray, width, height, base_seed() + uint32_t(width), width % 3),
                      to_string(content) + " " + std::to_string(width) + "x" + std::to_string(height));
    }
};

using Bins = std::array<uint64_t, 256>;

/// The map of histogram equalization from whatever is taken for the cumulative sums, and for the least of them.
uint8_t equalized(uint64_t cdf, uint64_t least, uint64_t pixels, int value) {
    const uint64_t rest = pixels - least;
    if (rest == 0) return uint8_t(value);
    return cdf == 0 ? 0 : uint8_t((510 * (cdf - least) + rest) / (2 * rest));
}

/// A row counts as long as the grid of blocks 32 wide.
HostImage with_wrong_index(const HostImage& image) {
    const size_t width = size_t(image.width()), height = size_t(image.height()), row = (width + 31) / 32 * 32;
    std::vector<uint8_t> dense, result(width * height);
    for (int y = 0; y < image.height(); ++y)
        dense.insert(dense.end(), image.view().row(y), image.view().row(y) + width);
    std::vector<size_t> visited;
    for (size_t y = 0; y < height; ++y)
        for (size_t x = 0; x < width; ++x)
            if (x + y * row < dense.size()) visited.push_back(x + y * row);
    Bins counts{};
    for (size_t i : visited) ++counts[dense[i]];
    const uint64_t least = *std::ranges::find_if(counts, [](uint64_t count) { return count > 0; });
    Bins cdf = counts;
    for (size_t v = 1; v < 256; ++v) cdf[v] += cdf[v - 1];
    for (size_t i : visited) result[i] = equalized(cdf[dense[i]], least, visited.size(), dense[i]);
    HostImage expected(image.spec());
    for (int y = 0; y < image.height(); ++y)
        std::copy_n(result.begin() + ptrdiff_t(size_t(y) * width), width, expected.mutable_view().row(y));
    return expected;
}

/// Every bin's sum lacks the bin itself.
HostImage with_exclusive_sums(const HostImage& image) {
    Bins counts{}, sums{};
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) ++counts[*image.view().pixel(x, y)];
    for (size_t v = 1; v < 256; ++v) sums[v] = sums[v - 1] + counts[v - 1];
    const auto least = std::ranges::find_if(sums, [](uint64_t sum) { return sum > 0; });
    HostImage expected(image.spec());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const int value = *image.view().pixel(x, y);
            // An image of 255 alone has no sum above zero.
            *expected.mutable_view().pixel(x, y) =
                least == sums.end() ? 0
                                    : equalized(sums[size_t(value)], *least, uint64_t(image.spec().pixels()), value);
        }
    return expected;
}

/// Bins stand a word further apart every 32, and are added up where they do not stand.
HostImage with_unpadded_sweeps(const HostImage& image) {
    const auto place = [](size_t bin) { return bin + bin / 32; };
    Bins counts{};
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) ++counts[*image.view().pixel(x, y)];
    std::array<uint64_t, 256 + 256 / 32> words{};
    for (size_t bin = 0; bin < 256; ++bin) words[place(bin)] = counts[bin];
    for (uint64_t i = 0, sum = 0; i < 256; ++i) sum += std::exchange(words[i], sum);
    Bins cdf{};
    for (size_t bin = 0; bin < 256; ++bin) cdf[bin] = words[place(bin)] + counts[bin];
    uint64_t least = UINT64_MAX;
    for (uint64_t sum : cdf) least = sum == 0 ? least : std::min(least, sum);
    HostImage expected(image.spec());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const int value = *image.view().pixel(x, y);
            *expected.mutable_view().pixel(x, y) =
                equalized(cdf[size_t(value)], least, uint64_t(image.spec().pixels()), value);
        }
    return expected;
}

TEST_F(WrongByDesign, AnIndexFromTheGridsWidthIsRightForMultiplesOfTheBlockAlone) {
    for_each_image([&](const HostImage& image, const std::string& label) {
        SCOPED_TRACE(label);
        const HostImage got = run("he", "wrong-index", image);
        expect_same(got, with_wrong_index(image));
        if (image.width() % 32 == 0) expect_same(got, run("he", "simple", image));
    });
}

TEST_F(WrongByDesign, ExclusiveSumsMakeEveryValueTooDark) {
    for_each_image([&](const HostImage& image, const std::string& label) {
        SCOPED_TRACE(label);
        expect_same(run("he", "scan-exclusive", image), with_exclusive_sums(image));
    });
}

TEST_F(WrongByDesign, SweepsBesideThePaddingEndBeforeTheLastBins) {
    for_each_image([&](const HostImage& image, const std::string& label) {
        SCOPED_TRACE(label);
        expect_same(run("he", "scan-unpadded-sweeps", image), with_unpadded_sweeps(image));
    });
}

/// Whatever pixels a histogram lacks: equal values become equal ones, and darker ones never brighter.
TEST_F(WrongByDesign, AMissingBarrierLeavesATableThatRises) {
    for_each_image([&](const HostImage& image, const std::string& label) {
        SCOPED_TRACE(label);
        const HostImage got = run("he", "missing-barrier", image);
        std::array<int, 256> least, greatest;
        least.fill(256);
        greatest.fill(-1);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const uint8_t from = *image.view().pixel(x, y);
                const int to = *got.view().pixel(x, y);
                least[from] = std::min(least[from], to);
                greatest[from] = std::max(greatest[from], to);
            }
        int last = 0;
        for (int v = 0; v < 256; ++v) {
            if (greatest[v] < 0) continue;
            ASSERT_EQ(least[v], greatest[v]) << "value " << v;
            ASSERT_GE(least[v], last) << "value " << v;
            last = least[v];
        }
    });
}

/// Each shows its error on an image of all values whose width is no multiple of a block's.
TEST_F(WrongByDesign, EveryOneDiffersFromTheReference) {
    const HostImage image = make_image(Content::noise, Channels::rgb, 301, 203, base_seed());
    for (const auto& [op, variant] : all_cuda_variants()) {
        if (!variant->wrong_by_design || op->makes_bins) continue;
        const RunSpec spec = default_run(*op, &reference_of(op->id));
        const HostImage right = make_cpu_backend()->run(image.view(), spec).image;
        EXPECT_GT(count_different_pixels(run(op->id, variant->id, image).view(), right.view()), 0) << variant->id;
    }
}

}  // namespace
}  // namespace tonescope::test
