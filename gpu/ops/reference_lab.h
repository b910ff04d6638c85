// CIE L*a*b* for the plain references of HE and CLAHE: the definition, step by step, from the tables of
// gpu/core/color/lab.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "gpu/core/color/lab.h"
#include "gpu/core/image.h"

namespace tonescope {

template <class Sample>
class ReferenceLab {
    using Scale = LabScale<Sample>;
    using Three = std::array<int64_t, 3>;
    static constexpr bool kDeep = sizeof(Sample) == 2;
    static constexpr int64_t kOne = int64_t{1} << Scale::kRoot;

  public:
    explicit ReferenceLab(int32_t max_sample) : tables_(lab_tables<Sample>(max_sample)) {}

    int lightness(const Three& rgb) const { return int(lightness_of(roots(rgb)[1])); }
    std::array<int, 3> relit(const Three& rgb, int64_t new_lightness) const {
        const Three before = roots(rgb);
        // In roots: 100 / 116 of L* / 100.
        const int64_t shift = rounded((new_lightness - lightness_of(before[1])) * tables_.step, Scale::kStep);
        std::array<int, 3> result{};
        for (size_t c = 0; c < 3; ++c) {
            int64_t change = 0;
            for (size_t k = 0; k < 3; ++k) change += Scale::kRgb[c][k] * (cubed(before[k] + shift) - cubed(before[k]));
            const int64_t light = tables_.linear[size_t(rgb[c])] + rounded(change, Scale::kToRgb);
            result[c] = int(encoded(std::clamp<int64_t>(light, 0, int64_t{1} << Scale::kLinear)));
        }
        return result;
    }

  private:
    static int64_t floor_quotient(int64_t n, int64_t divisor) { return n / divisor - (n % divisor < 0 ? 1 : 0); }
    static int64_t rounded(int64_t n, int bits) {
        const int64_t divisor = int64_t{1} << bits;
        return floor_quotient(n + divisor / 2, divisor);
    }
    /// Roots of X, Y and Z over those of white.
    Three roots(const Three& rgb) const {
        Three roots{};
        for (size_t k = 0; k < 3; ++k) {
            int64_t sum = 0;
            for (size_t c = 0; c < 3; ++c) sum += Scale::kXyz[k][c] * tables_.linear[size_t(rgb[c])];
            roots[k] = at(tables_.roots, rounded(sum, Scale::kToXyz));
        }
        return roots;
    }
    /// The table's entry for this light: the nearest one, or between two.
    template <class Table>
    static int64_t at(const Table& table, int64_t light) {
        const int64_t step = (int64_t{1} << Scale::kLinear) / kLabNodes;
        if (!kDeep) return table[size_t((light + step / 2) / step)];
        const int64_t before = table[size_t(light / step)], after = table[size_t(light / step + 1)];
        return before + floor_quotient((after - before) * (light % step) + step / 2, step);
    }
    int64_t lightness_of(int64_t root) const {
        return floor_quotient(tables_.max_sample * (29 * root - 4 * kOne) + 25 * kOne / 2, 25 * kOne);
    }
    static int64_t cubed(int64_t root) {
        if (29 * root <= 6 * kOne) {
            const int bits = kDeep ? 24 : 16;
            const int64_t light_of_root = int64_t{1} << (Scale::kLinear - Scale::kRoot);
            const int64_t slope = (2 * 108 * light_of_root * (int64_t{1} << bits) + 24389) / (2 * 24389);
            return rounded((29 * root - 4 * kOne) * slope, bits);
        }
        return rounded(root * root / kOne * root, 2 * Scale::kRoot - Scale::kLinear);
    }
    int64_t encoded(int64_t light) const {
        const int64_t sample = at(tables_.encoded, light);
        return kDeep ? rounded(sample * tables_.max_sample, 24) : sample;
    }

    const LabTables<Sample>& tables_;
};

// Neither is inlined, so that the loops of the references stay short for the other colors.
[[gnu::noinline]] inline int reference_lightness(int red, int green, int blue, const ImageSpec& image) {
    if (is_deep(image.format)) return ReferenceLab<uint16_t>(image.max_sample).lightness({red, green, blue});
    return ReferenceLab<uint8_t>(image.max_sample).lightness({red, green, blue});
}
[[gnu::noinline]] inline std::array<int, 3> reference_relit(const uint8_t* pixel, int lightness,
                                                            const ImageSpec& image) {
    const auto sample = [&](int c) { return int64_t{sample_at(pixel, image.format, c)}; };
    if (is_deep(image.format))
        return ReferenceLab<uint16_t>(image.max_sample).relit({sample(0), sample(1), sample(2)}, lightness);
    return ReferenceLab<uint8_t>(image.max_sample).relit({sample(0), sample(1), sample(2)}, lightness);
}

}  // namespace tonescope
