// CIE L*a*b* for the plain references of HE and CLAHE: the definition, step by step, from the tables of
// gpu/core/color/lab.h.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gpu/core/color/lab.h"
#include "gpu/core/image.h"

namespace tonescope {

template <class Sample>
class ReferenceLab;

/// Of images of 8 bits, in floats. std::fma rounds once.
template <>
class ReferenceLab<uint8_t> {
    using Three = std::array<int64_t, 3>;
    using Floats = std::array<float, 3>;

  public:
    explicit ReferenceLab(int32_t max_sample) : tables_(lab_tables<uint8_t>(max_sample)) {}

    int lightness(const Three& rgb) const { return lightness_of(roots(rgb)[1]); }
    std::array<int, 3> relit(const Three& rgb, int64_t new_lightness) const {
        const Floats before = roots(rgb);
        const auto steps = float(new_lightness - lightness_of(before[1]));
        const float shift = std::fma(steps, float(1 / 591.6), float(-1. / 29));
        Floats far{}, square{};
        for (size_t k = 0; k < 3; ++k) {
            const float above = std::clamp(before[k] + shift, 0.0F, 1.0F);
            far[k] = before[k] + (shift + float(9. / 29));
            square[k] = std::fma(above, above, float(27. / 841));
        }
        const float y = far[1] * square[1];
        const float x_less_y = std::fma(far[0], square[0], -y), z_less_y = std::fma(far[2], square[2], -y);
        const float gray = std::fma(8.0F, y, float(-1728. / 24389));
        std::array<int, 3> result{};
        for (size_t c = 0; c < 3; ++c) {
            const auto of_x = float(8 * rgb_of_xyz(int(c), 0)), of_z = float(8 * rgb_of_xyz(int(c), 2));
            const float light = std::fma(of_x, x_less_y, std::fma(of_z, z_less_y, gray));
            result[c] = encoded(std::clamp(light, 0.0F, 1.0F) + Lab<uint8_t>::kSampleLift);
        }
        return result;
    }

  private:
    /// Of X, Y and Z over those of white.
    Floats roots(const Three& rgb) const {
        const auto light = [&](size_t c) { return tables_.light[size_t(rgb[c])]; };
        const float red = light(0) - light(1), blue = light(2) - light(1);
        Floats roots{};
        for (size_t k = 0; k < 3; ++k) {
            const auto of_red = float(kXyzOfRgb[k][0]), of_blue = float(kXyzOfRgb[k][2]);
            const float lifted = std::fma(of_red, red, std::fma(of_blue, blue, light(1)));
            const uint64_t line = tables_.roots[(std::bit_cast<uint32_t>(lifted) >> 16) - Lab<uint8_t>::kFirstRoot];
            const auto slope = std::bit_cast<float>(uint32_t(line >> 32)), at_0 = std::bit_cast<float>(uint32_t(line));
            roots[k] = std::fma(lifted, slope, at_0);
        }
        return roots;
    }
    /// The nearest whole number, and the even one of two.
    static int lightness_of(float root) { return int(std::fma(root, 591.6F, 8388608.0F) - 8388608.0F); }
    /// The number of samples that begin at this light or below it.
    int encoded(float lifted) const {
        const std::vector<float>& begins = tables_.thresholds;
        return int(std::upper_bound(begins.begin(), begins.end(), lifted) - begins.begin());
    }

    const LabTables<uint8_t>& tables_;
};

/// Of deep images, in integers.
template <>
class ReferenceLab<uint16_t> {
    using Scale = DeepLabScale;
    using Three = std::array<int64_t, 3>;
    static constexpr int64_t kOne = int64_t{1} << Scale::kRoot;

  public:
    explicit ReferenceLab(int32_t max_sample) : tables_(lab_tables<uint16_t>(max_sample)) {}

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
    /// Between the two entries around this light.
    template <class Table>
    static int64_t at(const Table& table, int64_t light) {
        const int64_t step = (int64_t{1} << Scale::kLinear) / kLabNodes;
        const int64_t before = table[size_t(light / step)], after = table[size_t(light / step + 1)];
        return before + floor_quotient((after - before) * (light % step) + step / 2, step);
    }
    int64_t lightness_of(int64_t root) const {
        return floor_quotient(tables_.max_sample * (29 * root - 4 * kOne) + 25 * kOne / 2, 25 * kOne);
    }
    static int64_t cubed(int64_t root) {
        if (29 * root <= 6 * kOne) {
            const int bits = 24;
            const int64_t light_of_root = int64_t{1} << (Scale::kLinear - Scale::kRoot);
            const int64_t slope = (2 * 108 * light_of_root * (int64_t{1} << bits) + 24389) / (2 * 24389);
            return rounded((29 * root - 4 * kOne) * slope, bits);
        }
        return rounded(root * root / kOne * root, 2 * Scale::kRoot - Scale::kLinear);
    }
    int64_t encoded(int64_t light) const { return rounded(at(tables_.encoded, light) * tables_.max_sample, 24); }

    const LabTables<uint16_t>& tables_;
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
