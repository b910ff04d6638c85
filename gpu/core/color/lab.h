// `color` = `lab` of HE and CLAHE: CIE L* of sRGB under D65 is changed, a* and b* are kept. All in integers, so that
// every variant gives the same samples; gpu/ops/he/README.md has the definition. Usable in host and device code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/core/luma.h"

namespace tonescope {

/// Fixed-point numbers of images of 8 bits: 1 is 2^kLinear of linear light, 2^kRoot of its roots and 2^kToXyz and
/// 2^kToRgb of a matrix. Everything fits 32 bits.
template <class Sample>
struct LabScale {
    using Wide = int32_t;
    using Root = uint16_t;
    using Encoded = uint8_t;
    static constexpr int kLinear = 16, kRoot = 14, kToXyz = 14, kToRgb = 10, kStep = 10;
    static constexpr Wide kXyz[3][3] = {{7110, 6164, 3110}, {3484, 11717, 1183}, {291, 1793, 14300}};
    static constexpr Wide kRgb[3][3] = {{3154, -1574, -556}, {-943, 1921, 46}, {54, -209, 1179}};
};
/// Of deep images.
template <>
struct LabScale<uint16_t> {
    using Wide = int64_t;
    using Root = uint32_t;
    using Encoded = uint32_t;
    static constexpr int kLinear = 24, kRoot = 20, kToXyz = 16, kToRgb = 16, kStep = 16;
    static constexpr Wide kXyz[3][3] = {{28439, 24655, 12442}, {13938, 46868, 4730}, {1164, 7174, 57198}};
    static constexpr Wide kRgb[3][3] = {{201848, -100738, -35574}, {-60375, 122946, 2965}, {3466, -13371, 75441}};
};

/// Roots and encoded samples stand in tables of 2^14 steps of linear light: of images of 8 bits the nearest entry is
/// taken, of deep ones two are interpolated.
inline constexpr int kLabNodes = 1 << 14;  // entries behind these repeat the last one

/// Colors by way of tables that somebody else owns.
template <class Sample>
struct Lab {
    using Scale = LabScale<Sample>;
    using Wide = typename Scale::Wide;
    static constexpr bool kDeep = sizeof(Sample) == 2;
    static constexpr int kNode = Scale::kLinear - 14;  // bits below a step
    static constexpr Wide kOne = Wide{1} << Scale::kRoot;

    const uint32_t* linear;                  // max_sample + 1: linear light
    const typename Scale::Root* roots;       // kLabNodes + 4: f of CIE 15, the cube root or the straight line below
    const typename Scale::Encoded* encoded;  // kLabNodes + 4: samples of 8 bits, or 1 as 2^24
    int32_t max_sample;
    Wide step;  // of the roots for a step of L*, 25 / (29 max_sample), with kStep bits more

    /// L* / 100 in steps of 1 / max_sample.
    TONESCOPE_HOST_DEVICE int lightness(int red, int green, int blue) const {
        return lightness_of(root(xyz<1>(linear[red], linear[green], linear[blue])));
    }
    /// The color with another lightness.
    TONESCOPE_HOST_DEVICE void relight(int (&rgb)[3], int new_lightness) const {
        const Wide r = linear[rgb[0]], g = linear[rgb[1]], b = linear[rgb[2]];
        const Wide fx = root(xyz<0>(r, g, b)), fy = root(xyz<1>(r, g, b)), fz = root(xyz<2>(r, g, b));
        const Wide shift = rounded<Scale::kStep>((new_lightness - lightness_of(fy)) * step);
        const Wide x = cube(fx + shift) - cube(fx), y = cube(fy + shift) - cube(fy), z = cube(fz + shift) - cube(fz);
        rgb[0] = encode(r + from_xyz<0>(x, y, z));
        rgb[1] = encode(g + from_xyz<1>(x, y, z));
        rgb[2] = encode(b + from_xyz<2>(x, y, z));
    }

  private:
    /// floor(n / 2^kBits + 1/2).
    template <int kBits>
    TONESCOPE_HOST_DEVICE static constexpr Wide rounded(Wide n) {
        return (n + (Wide{1} << (kBits - 1))) >> kBits;
    }
    template <int kRow>
    TONESCOPE_HOST_DEVICE static constexpr Wide xyz(Wide r, Wide g, Wide b) {
        constexpr Wide kR = Scale::kXyz[kRow][0], kG = Scale::kXyz[kRow][1], kB = Scale::kXyz[kRow][2];
        return rounded<Scale::kToXyz>(kR * r + kG * g + kB * b);
    }
    template <int kRow>
    TONESCOPE_HOST_DEVICE static constexpr Wide from_xyz(Wide x, Wide y, Wide z) {
        constexpr Wide kX = Scale::kRgb[kRow][0], kY = Scale::kRgb[kRow][1], kZ = Scale::kRgb[kRow][2];
        return rounded<Scale::kToRgb>(kX * x + kY * y + kZ * z);
    }
    /// Of linear light.
    template <class Entry>
    TONESCOPE_HOST_DEVICE static Wide look_up(const Entry* table, Wide light) {
        if constexpr (kDeep) {
            const Wide below = table[light >> kNode], rest = light & ((Wide{1} << kNode) - 1);
            return below + rounded<kNode>((table[(light >> kNode) + 1] - below) * rest);
        } else {
            return table[rounded<kNode>(light)];
        }
    }
    TONESCOPE_HOST_DEVICE Wide root(Wide light) const { return look_up(roots, light); }
    /// L* = 116 f - 16.
    TONESCOPE_HOST_DEVICE int lightness_of(Wide f) const {
        const Wide scaled = max_sample * (29 * f - 4 * kOne) + 25 * (kOne / 2);
        return int((scaled >> Scale::kRoot) / 25);
    }
    /// What f is the root of: f^3, or 108 / 841 (f - 4 / 29) up to 6 / 29.
    TONESCOPE_HOST_DEVICE static constexpr Wide cube(Wide f) {
        if (29 * f <= 6 * kOne) {
            constexpr int kBits = kDeep ? 24 : 16;
            constexpr Wide kSlope = ((Wide{108} << (kBits + Scale::kLinear - Scale::kRoot)) + 24389 / 2) / 24389;
            return rounded<kBits>((29 * f - 4 * kOne) * kSlope);
        }
        return rounded<2 * Scale::kRoot - Scale::kLinear>((f * f >> Scale::kRoot) * f);
    }
    TONESCOPE_HOST_DEVICE int encode(Wide light) const {
        constexpr Wide kWhite = Wide{1} << Scale::kLinear;
        const Wide inside = light < 0 ? 0 : light > kWhite ? kWhite : light;
        const Wide sample = look_up(encoded, inside);
        if constexpr (kDeep) return int(rounded<24>(sample * max_sample));
        return int(sample);
    }
};

/// The tables themselves, which the reference reads too. They are made once a `max_sample`, and stay.
template <class Sample>
struct LabTables {
    std::vector<uint32_t> linear;
    std::vector<typename LabScale<Sample>::Root> roots;
    std::vector<typename LabScale<Sample>::Encoded> encoded;
    int32_t max_sample;
    typename LabScale<Sample>::Wide step;

    explicit LabTables(int32_t max_sample);
    Lab<Sample> colors() const { return {linear.data(), roots.data(), encoded.data(), max_sample, step}; }
};
/// May be called by several threads.
template <class Sample>
const LabTables<Sample>& lab_tables(int32_t max_sample);

}  // namespace tonescope
