// Hot-air balloons over fields of tulips: strong edges and flat colors under the fine noise of a small sensor.
#include <algorithm>
#include <cmath>

#include "assets/generator/draw.h"

namespace tonescope::assets {
namespace {

constexpr int kWidth = 1350, kHeight = 900;
constexpr double kHorizon = 690;  // picture coordinates are a picture of 1500x1000

struct Balloon {
    double x, y, radius;  // of the round part
    int pattern;          // 0 gores, 1 zigzag band, 2 checks, 3 spiral, 4 rings
    int gores;
    Color colors[3];
    double turn;
};

constexpr Color kRed{0.84, 0.12, 0.13}, kOrange{0.96, 0.52, 0.10}, kYellow{0.98, 0.82, 0.18}, kWhite{0.95, 0.94, 0.90},
    kBlue{0.10, 0.30, 0.66}, kSky{0.22, 0.62, 0.80}, kGreen{0.13, 0.52, 0.30}, kViolet{0.45, 0.18, 0.52},
    kPink{0.93, 0.38, 0.55}, kNavy{0.08, 0.12, 0.30};

constexpr Balloon kBalloons[] = {
    {1385, 470, 22, 0, 10, {kPink, kWhite, kViolet}, 0.5}, {905, 500, 27, 4, 10, {kBlue, kYellow, kWhite}, 0.3},
    {655, 455, 34, 0, 10, {kOrange, kYellow, kRed}, 0.2},  {1090, 395, 48, 2, 14, {kGreen, kWhite, kYellow}, 0.1},
    {130, 430, 58, 1, 12, {kViolet, kPink, kWhite}, 0.6},  {1300, 215, 104, 3, 16, {kNavy, kOrange, kWhite}, 0.4},
    {770, 190, 92, 4, 14, {kSky, kWhite, kRed}, 0.0},      {395, 285, 172, 1, 16, {kRed, kYellow, kBlue}, 0.25}};

/// 0 to m - 1, of negative numbers too.
int modulo(int number, int m) {
    return (number % m + m) % m;
}

double arc_sine(double x) {
    const double a = std::fabs(x);
    const double r =
        kPi / 2 - std::sqrt(std::max(0.0, 1 - a)) * (1.5707288 + a * (-0.2121144 + a * (0.0742610 - 0.0187293 * a)));
    return x < 0 ? -r : r;
}

/// Half width of the envelope at height v: -1 crown, 1.42 mouth; negative outside.
double envelope(double v) {
    if (v < -1 || v > 1.42) return -1;
    if (v < 0.25) return std::sqrt(std::max(0.0, 1 - v * v));
    const double t = (v - 0.25) / 1.17;
    return 0.9682 - 0.2582 * 1.17 * t - 0.46 * t * t + 0.02 * t * t * t;
}

Color cloth(const Balloon& balloon, double longitude, double v) {
    const double gore = (longitude / kPi + 1 + balloon.turn) * balloon.gores / 2;
    const int number = int(std::floor(gore));
    const double in = fraction(gore), t = (v + 1) / 2.42;
    const Color* c = balloon.colors;
    Color color = c[0];
    if (balloon.pattern == 0) color = c[modulo(number, 3)];
    if (balloon.pattern == 1) {
        const double tooth = 0.05 * std::fabs(fraction(gore) * 2 - 1);
        const auto band = int(std::floor((t + tooth * 1.6) * 8.5));
        color = band == 2 || band == 5 ? c[1] : band == 3 || band == 4 ? c[2] : c[0];
        if (band == 3 && std::fabs(in - 0.5) < 0.2) color = kWhite;
        if (band == 0 || band == 7) color = number & 1 ? c[1] : c[0];
    }
    if (balloon.pattern == 2)
        color = (number + int(std::floor(t * 9))) & 1 ? c[0] : (t > 0.36 && t < 0.66 ? c[2] : c[1]);
    if (balloon.pattern == 3) {
        constexpr int stripes[] = {1, 0, 2, 0};
        color = c[stripes[modulo(int(std::floor(gore + t * 7)), 4)]];
    }
    if (balloon.pattern == 4) color = c[int(std::floor(t * 10)) % 3];
    // Each gore bulges between its seams.
    return color * (0.90 + 0.13 * smoothstep(0.0, 0.3, in) * smoothstep(1.0, 0.7, in)) * (in < 0.025 ? 0.8 : 1.0);
}

/// Paints over `under` where the balloon is.
Color paint(const Balloon& balloon, double x, double y, Color under) {
    const double u = (x - balloon.x) / balloon.radius, v = (y - balloon.y) / balloon.radius;
    if (std::fabs(u) > 1.05 || v < -1.05 || v > 2.5) return under;
    const double half = envelope(v);
    if (half > 0 && std::fabs(u) < half) {
        const double s = u / half, nz = std::sqrt(std::max(0.0, 1 - s * s));
        const double lit = clamp01(0.35 - 0.52 * s * half - 0.30 * std::min(v, 0.9) + 0.42 * nz);
        Color c = cloth(balloon, arc_sine(s), v) * (0.42 + 0.72 * lit);
        c = c + Color{0.16, 0.15, 0.12} * smoothstep(0.93, 1.0, lit);
        if (v > 1.36) c = c * 0.35;
        const double air = clamp01((110 - balloon.radius) / 190);  // small ones are far away
        return mix(c, Color{0.72, 0.80, 0.88}, 0.55 * air);
    }
    const double rope = std::fabs(std::fabs(u) - mix(0.24, 0.15, (v - 1.4) / 0.5));
    if (v > 1.4 && v < 1.95 && rope < 0.016) return Color{0.22, 0.17, 0.13};
    if (v > 1.92 && v < 2.22 && std::fabs(u) < 0.17 - 0.06 * (v - 1.92)) {
        const bool weave = (int(std::floor(v * 28)) + int(std::floor(u * 28))) & 1;
        return v < 1.97 ? Color{0.25, 0.14, 0.08}
                        : Color{0.52, 0.34, 0.17} * (weave ? 1.05 : 0.85) * (u < 0 ? 1.05 : 0.8);
    }
    if (v > 1.5 && v < 1.62 && std::fabs(u) < 0.05) return Color{1.0, 0.85, 0.4};  // the burner
    return under;
}

Color sky(double x, double y) {
    const double t = y / kHorizon;
    Color c = mix(Color{0.16, 0.43, 0.78}, Color{0.70, 0.84, 0.92}, smoothstep(0.0, 1.0, t));
    const double depth = 1 / (1.15 - t);
    const double puff = fractal_noise(x / 330 + 4, y / 130 * depth * 0.6 + 2, 6, 301);
    const double lit = fractal_noise((x - 16) / 330 + 4, (y - 14) / 130 * depth * 0.6 + 2, 6, 301);
    const double cover = smoothstep(0.06, 0.26, puff);
    const Color cloud =
        mix(Color{0.99, 0.97, 0.93}, Color{0.68, 0.74, 0.83}, smoothstep(-0.10, 0.12, lit - puff + 0.25 * puff));
    return mix(c, cloud, 0.92 * cover);
}

Color far_shore(double x, double y, Color under) {
    const double hills = kHorizon - 34 - 34 * fractal_noise(x / 320, 0.3, 4, 310);
    if (y > hills) under = mix(Color{0.36, 0.50, 0.60}, Color{0.46, 0.60, 0.62}, (y - hills) / 60);
    const double trees =
        kHorizon - 12 - 16 * std::fabs(fractal_noise(x / 42, 0.7, 5, 311)) - 8 * fractal_noise(x / 210, 0.1, 3, 312);
    if (y > trees) under = Color{0.14, 0.30, 0.20} * (0.8 + 0.5 * clamp01(0.4 + noise(x / 7, y / 6, 313)));
    return under;
}

/// A windmill on the dyke: tower, cap and four sails.
Color windmill(double x, double y, Color under) {
    constexpr double cx = 1196, foot = kHorizon + 4, height = 128;
    const double v = (foot - y) / height;
    if (v > 0 && v < 1 && std::fabs(x - cx) < mix(34, 21, v)) {
        const double s = (x - cx) / mix(34, 21, v);
        under = (v < 0.30 ? Color{0.62, 0.28, 0.19} : Color{0.30, 0.24, 0.20}) * (1.05 - 0.35 * s);
        if (std::fabs(x - cx) < 6 && ((v > 0.04 && v < 0.18) || (v > 0.42 && v < 0.52) || (v > 0.68 && v < 0.76)))
            under = kWhite * 0.95;
        if (v > 0.295 && v < 0.325) under = kWhite * 0.8;
    }
    if (v >= 1 && v < 1.20 && std::fabs(x - cx) < 24 * std::sqrt(std::max(0.0, 1 - (v - 1) * (v - 1) * 25)))
        under = Color{0.36, 0.16, 0.10};
    const double hx = x - (cx - 3), hy = y - (foot - height * 1.07);
    for (int i = 0; i < 4; ++i) {
        const double angle = 0.42 + kPi / 2 * i, along = hx * cosine(angle) + hy * sine(angle),
                     across = hy * cosine(angle) - hx * sine(angle);
        if (along < 0 || along > 106) continue;
        if (std::fabs(across) < 2.1) under = Color{0.28, 0.18, 0.12};
        if (along > 20 && across > 2 && across < 17) {
            const bool lath = fraction(along / 8) < 0.25 || fraction(across / 5) < 0.25;
            under = lath ? Color{0.36, 0.25, 0.16} : Color{0.95, 0.92, 0.84};
        }
    }
    return under;
}

/// Rows of tulips that run to the horizon; one color a bed.
Color field(double x, double y) {
    const double depth = 1 / (y - kHorizon + 2.5);  // distance
    const double ground_x = (x - 640) * depth * 4.6, ground_z = 2600 * depth;
    const double bed = ground_x;
    static constexpr Color beds[] = {kRed, kYellow, {0.92, 0.30, 0.48}, {0.97, 0.55, 0.12}, kWhite, {0.50, 0.16, 0.50}};
    const int number = int(std::floor(bed));
    const double in = fraction(bed);
    const double fade = clamp01(depth * 26);
    const bool path = in > 0.84;
    const Color soil = path ? Color{0.36, 0.27, 0.19} : Color{0.16, 0.36, 0.14};
    const Color own = beds[modulo(number, 6)];
    Color c = soil * (0.85 + 0.3 * clamp01(0.5 + noise(ground_x * 14, ground_z * 5, 320)));
    if (!path) {
        // Two layers of flower heads: cells of the ground, each with a bloom at a spot of its own.
        double best = 1e9;
        int64_t which = 0;
        const double px = in * 17, pz = ground_z * 5.2;
        for (int dz = -1; dz <= 1; ++dz)
            for (int dx = -1; dx <= 1; ++dx) {
                const auto ix = int64_t(std::floor(px)) + dx, iz = int64_t(std::floor(pz)) + dz;
                const double ox = px - (double(ix) + 0.2 + 0.6 * hash(ix + number * 64, iz, 321));
                const double oz = (pz - (double(iz) + 0.2 + 0.6 * hash(ix + number * 64, iz, 322))) * 0.8;
                const double d = ox * ox + oz * oz;
                if (d < best) {
                    best = d;
                    which = ix * 4099 + iz * 31 + number;
                }
            }
        const double shade = 0.74 + 0.42 * hash(which, 7, 323);
        const double bloom = smoothstep(0.30, 0.20, best);
        const Color petal = own * (shade * (1.08 - 1.1 * best));
        c = mix(c, petal, bloom);
        if (best > 0.20) c = mix(c, Color{0.10, 0.26, 0.09}, 0.4);
        c = mix(c, own * 0.78, smoothstep(0.25, 0.75, fade));  // too small to tell apart
    }
    // Beds narrower than a few pixels melt into one color.
    c = mix(c, Color{0.70, 0.42, 0.30}, smoothstep(0.12, 0.40, depth * 4.6));
    return mix(c, Color{0.66, 0.74, 0.72}, 0.50 * smoothstep(0.35, 2.6, depth * 20));
}

}  // namespace

Picture draw_balloons() {
    Canvas canvas(2 * kWidth, 2 * kHeight);
    canvas.fill([](double sx, double sy) {
        const double x = sx / 1.8, y = sy / 1.8;
        Color c = y < kHorizon ? windmill(x, y, far_shore(x, y, sky(x, y))) : windmill(x, y, field(x, y));
        for (const Balloon& balloon : kBalloons) c = paint(balloon, x, y, c);
        return c;
    });
    Canvas half = canvas.halved();
    half.fill([&](double px, double py) {
        const int x = int(px), y = int(py);
        const auto grain = [&](uint32_t seed) {
            return hash(x, y, seed) + hash(x, y, seed + 1) + hash(x, y, seed + 2) - 1.5;
        };
        const double all = 0.055 * grain(330);
        return half.at(x, y) + Color{all + 0.030 * grain(340), all + 0.024 * grain(350), all + 0.036 * grain(360)};
    });
    return to_picture(half, 3, 0, 370);
}

}  // namespace tonescope::assets
