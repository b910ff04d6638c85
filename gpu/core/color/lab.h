// `color` = `lab` of HE and CLAHE: CIE L* of sRGB under D65 is changed, a* and b* are kept. All in integers, so that
// every variant gives the same samples; gpu/ops/he/README.md has the definition. Usable in host and device code.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/luma.h"

namespace tonescope {

/// Fixed-point numbers of images of 8 bits: 1 is 2^kLinear of linear light, 2^kRoot of its roots and 2^kToXyz and
/// 2^kToRgb of a matrix. Everything fits 32 bits.
template <class Sample>
struct LabScale {
    using Wide = int32_t;
    static constexpr int kLinear = 16, kRoot = 14, kToXyz = 14, kToRgb = 10, kStep = 10;
    static constexpr Wide kXyz[3][3] = {{7110, 6164, 3110}, {3484, 11717, 1183}, {291, 1793, 14300}};
    static constexpr Wide kRgb[3][3] = {{3154, -1574, -556}, {-943, 1921, 46}, {54, -209, 1179}};
};
/// Of deep images.
template <>
struct LabScale<uint16_t> {
    using Wide = int64_t;
    static constexpr int kLinear = 24, kRoot = 20, kToXyz = 16, kToRgb = 16, kStep = 16;
    static constexpr Wide kXyz[3][3] = {{28439, 24655, 12442}, {13938, 46868, 4730}, {1164, 7174, 57198}};
    static constexpr Wide kRgb[3][3] = {{201848, -100738, -35574}, {-60375, 122946, 2965}, {3466, -13371, 75441}};
};

/// Roots and encoded samples stand in tables of 2^14 steps of linear light: of images of 8 bits the nearest entry is
/// taken, of deep ones two are interpolated.
inline constexpr int kLabNodes = 1 << 14;  // entries behind these repeat the last one

/// Colors by way of tables that somebody else owns: the results are the definition's.
template <class Sample>
struct Lab;

/// Of images of 8 bits, in loops that vector instructions serve. Two roundings one after the other are one, and a root
/// and its cube stand in one word. The rest of a cube, from 4 node on, has kRest more than its own value: changes of X,
/// Y and Z are too small by as much, and since the rows of the matrix sum to 2^kToRgb, so is the light.
template <>
struct Lab<uint8_t> {
    using Scale = LabScale<uint8_t>;
    static constexpr int32_t kOne = 1 << Scale::kRoot, kRest = 32, max_sample = 255;
    /// Of the roots for a step of L*, 25 / (29 255), with kStep bits more.
    static constexpr int32_t kStep = ((25 << (Scale::kRoot + Scale::kStep)) + 29 * 255 / 2) / (29 * 255);

    const uint32_t* linear;       // 256: linear light
    const uint32_t* roots;        // kLabNodes + 4: the root << 16, and cube(root) - 4 node + kRest
    const uint32_t* encoded;      // kLabNodes + 4: samples
    const uint32_t* lightnesses;  // kLabNodes + 4: L* / 100 where this is Y, in samples

    /// L* / 100 in steps of 1 / 255.
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP int lightness(int red, int green, int blue) const {
        return int(lightnesses[node<1>(light(red), light(green), light(blue))]);
    }
    /// The color with another lightness.
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP void relight(int (&rgb)[3], int new_lightness) const {
        const int32_t r = light(rgb[0]), g = light(rgb[1]), b = light(rgb[2]);
        const int32_t node_x = node<0>(r, g, b), node_y = node<1>(r, g, b), node_z = node<2>(r, g, b);
        const int32_t steps = new_lightness - int32_t(lightnesses[node_y]);
        const int32_t shift = (steps * kStep + (1 << (Scale::kStep - 1))) >> Scale::kStep;
        const auto change = [&](int32_t of_node) {
            const auto word = int32_t(roots[of_node]);
            return cube((word >> 16) + shift) - (4 * of_node + (word & 0xffff));
        };
        const int32_t x = change(node_x), y = change(node_y), z = change(node_z);
        rgb[0] = encode(encoded_node<0>(r, x, y, z));
        rgb[1] = encode(encoded_node<1>(g, x, y, z));
        rgb[2] = encode(encoded_node<2>(b, x, y, z));
    }

    /// X, Y or Z over that of white, 1 as 2^30, with what rounds its upper half: the node of the roots.
    template <int kRow>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static int32_t weighted(int32_t r, int32_t g, int32_t b) {
        constexpr int32_t kR = Scale::kXyz[kRow][0], kG = Scale::kXyz[kRow][1], kB = Scale::kXyz[kRow][2];
        return kR * r + kG * g + kB * b + (1 << 13) + (1 << 15);
    }
    /// What f is the root of: f^3, or 108 / 841 (f - 4 / 29) up to 6 / 29.
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static int32_t cube(int32_t f) {
        constexpr int32_t kSlope = ((108 << (16 + Scale::kLinear - Scale::kRoot)) + 24389 / 2) / 24389;
        const int32_t straight = (f * (29 * kSlope) - 4 * kOne * kSlope + (1 << 15)) >> 16;
        const int32_t cubic = ((f * f >> 14) * f + (1 << 11)) >> 12;
        return f <= 6 * kOne / 29 ? straight : cubic;
    }
    /// The node of a channel's sample, below 0 and above kLabNodes too: of its light before, and of changes of X, Y
    /// and Z that are too small by kRest.
    template <int kRow>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static int32_t encoded_node(int32_t before, int32_t x, int32_t y,
                                                                         int32_t z) {
        constexpr int32_t kX = Scale::kRgb[kRow][0], kY = Scale::kRgb[kRow][1], kZ = Scale::kRgb[kRow][2];
        static_assert(kX + kY + kZ == 1 << Scale::kToRgb);
        constexpr int32_t kRounding = (1 << 9) + (1 << 11) + (kRest << Scale::kToRgb);
        return ((before << Scale::kToRgb) + kX * x + kY * y + kZ * z + kRounding) >> 12;
    }

  private:
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP int32_t light(int sample) const { return int32_t(linear[sample]); }
    template <int kRow>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static int32_t node(int32_t r, int32_t g, int32_t b) {
        return weighted<kRow>(r, g, b) >> 16;
    }
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP int encode(int32_t node) const {
        const int32_t positive = node & ~(node >> 31), over = kLabNodes - positive;  // without branches
        return int(encoded[positive + (over & over >> 31)]);
    }
};

/// Of deep images: tables are interpolated, and products have 64 bits.
template <>
struct Lab<uint16_t> {
    using Scale = LabScale<uint16_t>;
    static constexpr int kNode = Scale::kLinear - 14;  // bits below a step of the tables
    static constexpr int32_t kOne = 1 << Scale::kRoot;

    const uint32_t* linear;   // max_sample + 1: linear light
    const uint32_t* roots;    // kLabNodes + 4: f of CIE 15, the cube root or the straight line below
    const uint32_t* encoded;  // kLabNodes + 4: 1 as 2^24
    int32_t max_sample;
    int64_t step;  // of the roots for a step of L*, 25 / (29 max_sample), with kStep bits more

    /// L* / 100 in steps of 1 / max_sample.
    TONESCOPE_HOST_DEVICE int lightness(int red, int green, int blue) const {
        return lightness_of(root(xyz<1>(int32_t(linear[red]), int32_t(linear[green]), int32_t(linear[blue]))));
    }
    /// The color with another lightness.
    TONESCOPE_HOST_DEVICE void relight(int (&rgb)[3], int new_lightness) const {
        const auto r = int32_t(linear[rgb[0]]), g = int32_t(linear[rgb[1]]), b = int32_t(linear[rgb[2]]);
        const int32_t fx = root(xyz<0>(r, g, b)), fy = root(xyz<1>(r, g, b)), fz = root(xyz<2>(r, g, b));
        const int32_t shift = rounded<Scale::kStep>((new_lightness - lightness_of(fy)) * step);
        const int32_t x = cube(fx + shift) - cube(fx), y = cube(fy + shift) - cube(fy), z = cube(fz + shift) - cube(fz);
        rgb[0] = encode(r + from_xyz<0>(x, y, z));
        rgb[1] = encode(g + from_xyz<1>(x, y, z));
        rgb[2] = encode(b + from_xyz<2>(x, y, z));
    }

  private:
    /// Of 64 bits: one instruction of a GPU.
    TONESCOPE_HOST_DEVICE static constexpr int64_t product(int32_t a, int32_t b) { return int64_t{a} * b; }
    /// floor(n / 2^kBits + 1/2).
    template <int kBits>
    TONESCOPE_HOST_DEVICE static constexpr int32_t rounded(int64_t n) {
        return int32_t((n + (int64_t{1} << (kBits - 1))) >> kBits);
    }
    template <int kRow>
    TONESCOPE_HOST_DEVICE static constexpr int32_t xyz(int32_t r, int32_t g, int32_t b) {
        constexpr auto kR = int32_t(Scale::kXyz[kRow][0]), kG = int32_t(Scale::kXyz[kRow][1]),
                       kB = int32_t(Scale::kXyz[kRow][2]);
        return rounded<Scale::kToXyz>(product(kR, r) + product(kG, g) + product(kB, b));
    }
    template <int kRow>
    TONESCOPE_HOST_DEVICE static constexpr int32_t from_xyz(int32_t x, int32_t y, int32_t z) {
        constexpr auto kX = int32_t(Scale::kRgb[kRow][0]), kY = int32_t(Scale::kRgb[kRow][1]),
                       kZ = int32_t(Scale::kRgb[kRow][2]);
        return rounded<Scale::kToRgb>(product(kX, x) + product(kY, y) + product(kZ, z));
    }
    /// Of linear light.
    TONESCOPE_HOST_DEVICE static int32_t look_up(const uint32_t* table, int32_t light) {
        const int32_t node = light >> kNode, rest = light & ((1 << kNode) - 1);
        const auto below = int32_t(table[node]), above = int32_t(table[node + 1]);
        return below + rounded<kNode>(product(above - below, rest));
    }
    TONESCOPE_HOST_DEVICE int32_t root(int32_t light) const { return look_up(roots, light); }
    /// L* = 116 f - 16.
    TONESCOPE_HOST_DEVICE int lightness_of(int32_t f) const {
        const int64_t scaled = product(max_sample, 29 * f - 4 * kOne) + 25 * (kOne / 2);
        return int32_t(scaled >> Scale::kRoot) / 25;
    }
    /// What f is the root of: f^3, or 108 / 841 (f - 4 / 29) up to 6 / 29.
    TONESCOPE_HOST_DEVICE static constexpr int32_t cube(int32_t f) {
        if (29 * f <= 6 * kOne) {
            constexpr int64_t kSlope = ((int64_t{108} << (24 + Scale::kLinear - Scale::kRoot)) + 24389 / 2) / 24389;
            return rounded<24>(product(29 * f - 4 * kOne, int32_t(kSlope)));
        }
        return rounded<2 * Scale::kRoot - Scale::kLinear>(product(int32_t(product(f, f) >> Scale::kRoot), f));
    }
    TONESCOPE_HOST_DEVICE int encode(int32_t light) const {
        constexpr int32_t kWhite = 1 << Scale::kLinear;
        const int32_t inside = light < 0 ? 0 : light > kWhite ? kWhite : light;
        return rounded<24>(product(look_up(encoded, inside), max_sample));
    }
};

/// The tables themselves, which the reference reads too. They are made once a `max_sample`, and stay.
template <class Sample>
struct LabTables {
    std::vector<uint32_t> linear, roots, encoded;
    std::vector<uint32_t> roots_and_cubes, lightnesses;  // of images of 8 bits alone, and not for the reference
    int32_t max_sample;
    typename LabScale<Sample>::Wide step;

    explicit LabTables(int32_t max_sample);
    Lab<Sample> colors() const;
};
/// May be called by several threads.
template <class Sample>
const LabTables<Sample>& lab_tables(int32_t max_sample);

}  // namespace tonescope
