// `color` = `lab` of HE and CLAHE: CIE L* of sRGB under D65 is changed, a* and b* are kept. Every variant gives the
// same samples: deep ones by integers, those of 8 bits by floats whose every rounding is defined. gpu/ops/he/README.md
// has the definition. Usable in host and device code.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/luma.h"

namespace tonescope {

/// Fixed-point numbers of deep images: 1 is 2^kLinear of linear light, 2^kRoot of its roots, 2^kToXyz and 2^kToRgb of a
/// matrix.
struct DeepLabScale {
    static constexpr int kLinear = 24, kRoot = 20, kToXyz = 16, kToRgb = 16, kStep = 16;
    static constexpr int64_t kXyz[3][3] = {{28439, 24655, 12442}, {13938, 46868, 4730}, {1164, 7174, 57198}};
    static constexpr int64_t kRgb[3][3] = {{201848, -100738, -35574}, {-60375, 122946, 2965}, {3466, -13371, 75441}};
};
/// Their roots and encoded samples stand in tables of 2^14 steps of linear light, between which they are interpolated.
inline constexpr int kLabNodes = 1 << 14;  // entries behind these repeat the last one

/// How a * b + c is rounded once, as IEEE 754 defines it: by an instruction, or by way of double precision where a
/// processor may have none. The latter may round twice, but changes no sample: all colors were compared with all new
/// lightnesses.
enum class Fused { kInstruction, kDouble };
template <Fused kFused>
TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP float fused(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#else
    return kFused == Fused::kInstruction ? std::fma(a, b, c) : float(double(a) * double(b) + double(c));
#endif
}

/// X, Y and Z over those of white of linear sRGB under D65 (IEC 61966-2-1): rows sum to 1.
inline constexpr double kXyzOfRgb[3][3] = {{0.4124564 / 0.9504700, 0.3575761 / 0.9504700, 0.1804375 / 0.9504700},
                                           {0.2126729 / 1.0000001, 0.7151522 / 1.0000001, 0.0721750 / 1.0000001},
                                           {0.0193339 / 1.0888300, 0.1191920 / 1.0888300, 0.9503041 / 1.0888300}};
/// Of the inverse matrix.
constexpr double rgb_of_xyz(int row, int column) {
    const auto& m = kXyzOfRgb;
    const auto minor = [&](int i, int j) {  // without row i and column j, with its sign
        const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
        return m[a][c] * m[b][d] - m[a][d] * m[b][c];
    };
    return minor(column, row) / (m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2));
}

/// Colors by way of tables that somebody else owns: the results are the definition's.
template <class Sample>
struct Lab;

/// Of images of 8 bits, in single precision, whose operations IEEE 754 defines bit by bit, in loops that vector
/// instructions serve. The upper half of a float chooses from a table: there are 128 between a power of two and the
/// next one. For that, light is lifted: near black it would have too many.
template <>
struct Lab<uint8_t> {
    static constexpr int32_t max_sample = 255;
    static constexpr float kLift = 0.125F, kSampleLift = 7.0F / 128;
    static constexpr uint32_t kFirstRoot = 0x3e00,
                              kRoots = 0x3f90 - kFirstRoot + 1;  // upper halves from black to white
    static constexpr uint32_t kFirstStep = 0x3d60, kSteps = 0x3f87 - kFirstStep + 1;

    /// A root of CIE 15 is f, the cube root or the straight line below; here (f - 4 / 29) / 2, which is 0 for black.
    /// A line has its value where the lifted light is 0 in its lower half, and its slope in the upper one.
    using Line = uint64_t;
    struct Xyz {
        float x, y, z;
    };

    const float* light;     // 256: of a sample, lifted by kLift
    const Line* roots;      // kRoots
    const uint32_t* steps;  // kSteps: with the bits of light, lifted by kSampleLift, its sample from bit 16 on

    /// L* / 100 in steps of 1 / 255.
    template <Fused kFused = Fused::kDouble>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP int lightness(int red, int green, int blue) const {
        const float lifted = xyz<kFused>(light[red], light[green], light[blue]).y;
        return int(std::bit_cast<uint32_t>(lightness_of<kFused>(root<kFused>(lifted))) & 255);
    }
    /// The color with another lightness.
    template <Fused kFused = Fused::kDouble>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP void relight(int (&rgb)[3], int new_lightness) const {
        const Xyz lifted = xyz<kFused>(light[rgb[0]], light[rgb[1]], light[rgb[2]]);
        const Xyz before = {root<kFused>(lifted.x), root<kFused>(lifted.y), root<kFused>(lifted.z)};
        const float steps_up = kWhole + float(new_lightness) - lightness_of<kFused>(before.y);
        float after[3];
        relit<kFused>(before, shift<kFused>(steps_up), after);
        for (int c = 0; c < 3; ++c) {
            const auto bits = std::bit_cast<uint32_t>(after[c]);
            rgb[c] = int((bits + steps[(bits >> 16) - kFirstStep]) >> 16);
        }
    }

    /// X, Y and Z over those of white, of lifted light and lifted like it. Grays have three equal ones.
    template <Fused kFused>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static Xyz xyz(float r, float g, float b) {
        const float red = r - g, blue = b - g;
        return {row<kFused, 0>(red, g, blue), row<kFused, 1>(red, g, blue), row<kFused, 2>(red, g, blue)};
    }
    template <Fused kFused>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static float on_line(float at_0, float slope, float lifted) {
        return fused<kFused>(lifted, slope, at_0);
    }
    /// kWhole and L* / 100 in steps of 1 / 255, which are the float's lowest bits.
    template <Fused kFused>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static float lightness_of(float root_y) {
        return fused<kFused>(root_y, float(2 * 1.16 * 255), kWhole);
    }
    static constexpr float kWhole = 1 << 23;  // floats from here on are whole numbers

    /// What is added to roots for so many steps of lightness. It also makes the root at which the cube begins 0.
    template <Fused kFused>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static float shift(float steps_up) {
        return fused<kFused>(steps_up, float(1 / (2 * 1.16 * 255)), float(-1. / 29));
    }
    /// The light of the roots with a shift, from black to white and lifted by kSampleLift.
    template <Fused kFused>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static void relit(const Xyz& roots, float shift, float (&lifted)[3]) {
        // What t is the root of, t^3 or from 6 / 29 down its tangent, is 8 (u + 9 / 29) (max(u, 0)^2 + 27 / 841) and a
        // constant, where u = (t - 6 / 29) / 2.
        const float far_shift = shift + float(9. / 29);
        const auto factor = [&](float root) {
            const float above = saturated(root + shift);  // u < 1 for all colors
            return fused<kFused>(above, above, float(27. / 841));
        };
        const float y = (roots.y + far_shift) * factor(roots.y);
        const float x = fused<kFused>(roots.x + far_shift, factor(roots.x), -y),
                    z = fused<kFused>(roots.z + far_shift, factor(roots.z), -y);  // less y
        const float gray = fused<kFused>(8, y, float(-1728. / 24389));
        lifted[0] = channel<kFused, 0>(x, gray, z);
        lifted[1] = channel<kFused, 1>(x, gray, z);
        lifted[2] = channel<kFused, 2>(x, gray, z);
    }

  private:
    /// Of a matrix whose rows sum to 1, times a color of which red and blue are given less green.
    template <Fused kFused, int kRow>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static float row(float red, float green, float blue) {
        constexpr auto kRed = float(kXyzOfRgb[kRow][0]), kBlue = float(kXyzOfRgb[kRow][2]);
        return fused<kFused>(kRed, red, fused<kFused>(kBlue, blue, green));
    }
    /// A channel's light, of 1/8 of X and Z less Y, and of Y.
    template <Fused kFused, int kChannel>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static float channel(float x, float y, float z) {
        constexpr auto kX = float(8 * rgb_of_xyz(kChannel, 0)), kZ = float(8 * rgb_of_xyz(kChannel, 2));
        return saturated(fused<kFused>(kX, x, fused<kFused>(kZ, z, y))) + kSampleLift;
    }
    template <Fused kFused>
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP float root(float lifted) const {
        const Line line = roots[(std::bit_cast<uint32_t>(lifted) >> 16) - kFirstRoot];
        return on_line<kFused>(std::bit_cast<float>(uint32_t(line)), std::bit_cast<float>(uint32_t(line >> 32)),
                               lifted);
    }
    /// Between 0 and 1.
    TONESCOPE_HOST_DEVICE TONESCOPE_HOT_LOOP static float saturated(float n) {
#if defined(__CUDA_ARCH__)
        return __saturatef(n);
#else
        // As integers, which compilers make vector instructions of.
        return std::bit_cast<float>(std::min(std::max(std::bit_cast<int32_t>(n), 0), 0x3f800000));
#endif
    }
};

/// Of deep images: tables are interpolated, and products have 64 bits.
template <>
struct Lab<uint16_t> {
    using Scale = DeepLabScale;
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
struct LabTables;

template <>
struct LabTables<uint8_t> {
    std::vector<float> light, thresholds;  // 256, and the least light of each sample but 0, lifted by kSampleLift
    std::vector<Lab<uint8_t>::Line> roots;
    std::vector<uint32_t> steps;
    int32_t max_sample;

    explicit LabTables(int32_t max_sample);  // 255
    Lab<uint8_t> colors() const { return {light.data(), roots.data(), steps.data()}; }
};
template <>
struct LabTables<uint16_t> {
    std::vector<uint32_t> linear, roots, encoded;
    int32_t max_sample;
    int64_t step;

    explicit LabTables(int32_t max_sample);
    Lab<uint16_t> colors() const { return {linear.data(), roots.data(), encoded.data(), max_sample, step}; }
};

/// May be called by several threads.
template <class Sample>
const LabTables<Sample>& lab_tables(int32_t max_sample);

}  // namespace tonescope
