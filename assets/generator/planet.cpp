// A cratered plain under a low sun: a height field of craters, shaded, with a haze that leaves little contrast.
#include <algorithm>
#include <cmath>
#include <vector>

#include "assets/generator/draw.h"

namespace tonescope::assets {
namespace {

constexpr int kWidth = 1400, kHeight = 1000;

struct Crater {
    double x, y, radius_px, freshness;
    uint32_t seed;
};

/// Few large, many small; old ones first, so that young ones cut into them.
std::vector<Crater> make_craters() {
    std::vector<Crater> craters = {
        {470, 610, 265, 0.55, 9001}, {1085, 300, 175, 0.75, 9002}, {1010, 800, 120, 0.45, 9003}};
    for (int i = 0; i < 2600; ++i) {
        const double u = hash(i, 1, 50);
        const double radius_px = std::min(85.0, 2.6 / std::sqrt(u * 0.999 + 0.001));
        craters.push_back({hash(i, 2, 50) * (kWidth + 200) - 100, hash(i, 3, 50) * (kHeight + 200) - 100, radius_px,
                           0.2 + 0.8 * hash(i, 4, 50), uint32_t(i)});
    }
    craters.push_back({742, 318, 46, 1.6, 9004});  // the young one with the rays
    return craters;
}

/// Height over the plain in units of the radius, r = distance / radius.
double profile(double r, bool has_peak) {
    const double bowl = r < 1 ? (r * r - 1) * 0.26 : 0;
    const double floor_height = has_peak ? -0.14 : -0.22;
    const double rim = 0.075 * exponential(-(r - 1) * (r - 1) * (r < 1 ? 40 : 9));
    double height = std::max(bowl, floor_height) + rim;
    if (has_peak) height += 0.10 * exponential(-r * r * 38);
    return height;
}

void stamp(std::vector<double>& height, const Crater& crater) {
    const double reach = crater.radius_px * 2;
    const int x0 = std::max(0, int(crater.x - reach)), x1 = std::min(kWidth - 1, int(crater.x + reach));
    const int y0 = std::max(0, int(crater.y - reach)), y1 = std::min(kHeight - 1, int(crater.y + reach));
    const bool has_peak = crater.radius_px > 60;
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) {
            const double dx = (x - crater.x) / crater.radius_px, dy = (y - crater.y) / crater.radius_px;
            const double r = std::sqrt(dx * dx + dy * dy);
            if (r > 2) continue;
            const double wobble = 1 + 0.10 * fractal_noise(dx * 1.6 + 7, dy * 1.6, 3, crater.seed);
            const double terraces =
                has_peak && r < 1 ? 0.012 * sine(r * 26 + 3 * noise(dx * 3, dy * 3, crater.seed)) * r * (1 - r) * 3 : 0;
            double& h = height[size_t(y) * kWidth + size_t(x)];
            const double inside = smoothstep(1.0, 0.6, r * wobble) * 0.55 * std::min(1.0, crater.freshness);
            h -= inside * h * (has_peak ? 0.9 : 0.4);
            h += crater.radius_px * crater.freshness * (profile(r * wobble, has_peak) + terraces) *
                 smoothstep(2, 1.4, r);
        }
}

}  // namespace

Picture draw_planet() {
    std::vector<double> height(size_t(kWidth) * kHeight);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            height[size_t(y) * kWidth + size_t(x)] =
                26 * fractal_noise(x / 420.0, y / 420.0, 4, 11) + 3.2 * fractal_noise(x / 34.0, y / 34.0, 5, 12);
    for (const Crater& crater : make_craters()) stamp(height, crater);

    const auto height_at = [&](int x, int y) {
        return height[size_t(std::clamp(y, 0, kHeight - 1)) * kWidth + size_t(std::clamp(x, 0, kWidth - 1))];
    };
    Canvas canvas(kWidth, kHeight);
    canvas.fill([&](double px, double py) {
        const int x = int(px), y = int(py);
        const double slope_x = (height_at(x + 1, y) - height_at(x - 1, y)) / 2;
        const double slope_y = (height_at(x, y + 1) - height_at(x, y - 1)) / 2;
        const double length = std::sqrt(1 + slope_x * slope_x + slope_y * slope_y);
        double light =
            std::max(0.0, (-0.80 * -slope_x + -0.35 * -slope_y + 0.48) / length);  // the sun stands low, upper left
        light = light / (light + 0.55) * 1.55;

        const double mare = smoothstep(-0.10, 0.22, fractal_noise(px / 620 + 3, py / 620, 4, 21));
        double albedo = 0.86 + 0.16 * mare + 0.05 * fractal_noise(px / 60, py / 60, 4, 22);
        // Rays: bright streaks that narrow outward from the young crater.
        const double dx = px - 742, dy = py - 318, r = std::sqrt(dx * dx + dy * dy) + 1;
        const double direction = noise(dx / r * 5.5, dy / r * 5.5, 23) + 0.4 * noise(dx / r * 15, dy / r * 15, 24);
        albedo += 0.34 * smoothstep(0.15, 0.55, direction) * exponential(-r / 230) * smoothstep(40, 70, r);

        const double haze = 0.02 * (px / kWidth) + 0.025 * (1 - py / kHeight);
        return Color{0, 0.265 + haze + 0.300 * light * albedo, 0};
    });
    return to_picture(canvas, 1, 0.5, 31);
}

}  // namespace tonescope::assets
