// The icon: an aperture of six blades, dark on one half and bright on the other, and a tone curve across it.
#include <algorithm>
#include <cmath>

#include "assets/generator/draw.h"

namespace tonescope::assets {
namespace {

constexpr int kSize = 256, kOver = 4;  // drawn at four times the size

/// Distance from a rounded square around the origin, negative inside.
double rounded_square(double x, double y, double half, double corner) {
    const double qx = std::fabs(x) - half + corner, qy = std::fabs(y) - half + corner;
    const double ox = std::max(0.0, qx), oy = std::max(0.0, qy);
    return std::sqrt(ox * ox + oy * oy) + std::min(0.0, std::max(qx, qy)) - corner;
}

/// The S-shaped curve, y upward, over x from -1 to 1.
double tone_curve(double x) {
    const double t = (x + 1) / 2;
    return 2 * t * t * t * (t * (t * 6 - 15) + 10) - 1;
}

Color shade(double x, double y, double& alpha) {  // pixels around the center, y downward
    alpha = rounded_square(x, y, 122, 52) < 0 ? 1 : 0;
    Color c = mix(Color{0.145, 0.165, 0.205}, Color{0.075, 0.085, 0.110}, clamp01((y + 122) / 244));
    const double r = std::sqrt(x * x + y * y);
    if (r < 92) {
        // Six edges around a hexagonal hole. A point beyond several neighboring ones belongs to the last of them: a
        // pinwheel.
        constexpr double hole = 40;
        double beyond[6];
        for (int i = 0; i < 6; ++i) beyond[i] = x * cosine(kPi / 3 * i + 0.35) + y * sine(kPi / 3 * i + 0.35) - hole;
        c = Color{0.99, 0.93, 0.76};
        for (int i = 0; i < 6; ++i) {
            const double next = beyond[(i + 1) % 6];
            if (beyond[i] <= 0 || next > 0) continue;
            static constexpr double tones[6] = {0.95, 0.75, 0.40, 0.10, 0.25, 0.60};
            c = mix(Color{0.13, 0.22, 0.33}, Color{0.60, 0.77, 0.87}, tones[i]);
            if (std::min(beyond[i], -next) < 1.6) c = c * 0.55;
        }
        if (r > 88) c = c * 0.6;
    } else if (r < 98) {
        c = Color{0.80, 0.85, 0.89};
    }
    // The curve with a dark outline.
    const double scale = 96;
    double nearest = 1e9, last_x = -1.0, last_y = tone_curve(-1.0);
    for (int i = 1; i <= 48; ++i) {
        const double cx = -1 + 2.0 * i / 48, cy = tone_curve(cx);
        nearest = std::min(
            nearest, nearest_on(last_x * scale, -last_y * scale * 0.80, cx * scale, -cy * scale * 0.80, x, y).distance);
        last_x = cx;
        last_y = cy;
    }
    if (nearest < 13) c = Color{0.085, 0.095, 0.120};
    if (nearest < 8.5) c = mix(Color{0.99, 0.64, 0.16}, Color{0.97, 0.45, 0.14}, clamp01((y + 90) / 180));
    return c;
}

}  // namespace

Picture draw_icon() {
    Picture icon{kSize, kSize, 4, {}};
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x) {
            Color sum{};
            double covered = 0;
            for (int i = 0; i < kOver * kOver; ++i) {
                double alpha;
                const Color c = shade(x + (i % kOver + 0.5) / kOver - kSize / 2.0,
                                      y + (i / kOver + 0.5) / kOver - kSize / 2.0, alpha);
                sum = sum + c * alpha;
                covered += alpha;
            }
            const double values[3] = {sum.r, sum.g, sum.b};
            for (const double v : values)
                icon.samples.push_back(uint8_t(covered > 0 ? clamp01(v / covered) * 255 + 0.5 : 0));
            icon.samples.push_back(uint8_t(covered / (kOver * kOver) * 255 + 0.5));
        }
    return icon;
}

}  // namespace tonescope::assets
