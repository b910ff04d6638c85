#include "gpu/core/limits/value_spread.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "gpu/core/luma.h"

namespace tonescope {
namespace {

constexpr int kLanes = 32, kBanks = 32, kValues = 256;
constexpr int kSectorWords = 8, kPieceSectors = 8, kRegionPieces = 4;  // of 256 bytes, a KiB
constexpr int64_t kGroups = 1 << 14;                                   // that are looked at, about

uint8_t value_at(const ImageView& image, const uint8_t* row, int x) {
    const PixelFormat format = image.spec.format;
    const uint8_t* p = row + int64_t{x} * bytes_per_pixel(format);
    const int value = is_gray(format) ? sample_at(p, format, 0)
                                      : luma(sample_at(p, format, 0), sample_at(p, format, 1), sample_at(p, format, 2));
    return uint8_t(value * kValues / (image.spec.max_sample + 1));
}

/// What groups do at words that lie `stride` apart.
struct Words {
    explicit Words(int word_stride)
        : stride(word_stride), pieces(size_t(kValues * word_stride / kSectorWords / kPieceSectors)) {}

    /// `counts`: lanes of each value.
    void add(const std::array<int, kValues>& counts) {
        std::array<int, kBanks> words{};
        std::vector<int> sectors(size_t(kValues * stride / kSectorWords));
        for (int value = 0; value < kValues; ++value) {
            const int count = counts[size_t(value)], word = value * stride;
            if (count == 0) continue;
            ++words[size_t(word % kBanks)];
            int& sector = sectors[size_t(word / kSectorWords)];
            sector = std::max(sector, count);
        }
        turns += *std::ranges::max_element(words);
        for (size_t sector = 0; sector < sectors.size(); ++sector) pieces[sector / kPieceSectors] += sectors[sector];
    }
    /// A KiB lies in two slices of the L2 cache and a piece of it in one: additions to one piece count twice, where
    /// they are more than half of all.
    double additions() const {
        int64_t most = 0;
        for (auto region = pieces.begin(); region != pieces.end(); region += kRegionPieces)
            most = std::max({most, std::accumulate(region, region + kRegionPieces, int64_t{0}),
                             2 * *std::max_element(region, region + kRegionPieces)});
        return double(most);
    }

    int stride;
    int64_t turns = 0;
    std::vector<int64_t> pieces;  // additions that follow one another, in each
};

}  // namespace

ValueSpread spread_of(const ImageView& image) {
    ValueSpread spread;
    const int64_t groups_a_row = image.spec.width / kLanes;
    if (groups_a_row == 0) return spread;
    const int step = int(std::max<int64_t>(1, groups_a_row * image.spec.height / kGroups));
    Words all(1), fourth(4);
    std::array<int64_t, kValues> histogram{};
    int64_t groups = 0, different = 0;
    for (int y = 0; y < image.spec.height; y += step) {
        const uint8_t* row = image.row(y);
        for (int64_t k = 0; k < groups_a_row; ++k, ++groups) {
            std::array<int, kValues> counts{};
            for (int lane = 0; lane < kLanes; ++lane) ++counts[value_at(image, row, int(k) * kLanes + lane)];
            for (int value = 0; value < kValues; ++value) {
                histogram[size_t(value)] += counts[size_t(value)];
                different += counts[size_t(value)] > 0 ? 1 : 0;
            }
            all.add(counts);
            fourth.add(counts);
        }
    }
    const auto mean = [&](auto sum) { return double(sum) / double(groups); };
    return {.turns = mean(all.turns),
            .turns_of_fourth = mean(fourth.turns),
            .different = mean(different),
            .additions = mean(all.additions()),
            .additions_of_fourth = mean(fourth.additions()),
            .most_frequent = mean(*std::ranges::max_element(histogram)) / kLanes};
}

}  // namespace tonescope
