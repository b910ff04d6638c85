#include "assets/generator/draw.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "gpu/core/parallel.h"

namespace tonescope::assets {

int generator_threads() {
    return int(std::thread::hardware_concurrency());
}

double clamp01(double v) {
    return std::min(1.0, std::max(0.0, v));
}
double mix(double a, double b, double t) {
    return a + (b - a) * t;
}
Color mix(Color a, Color b, double t) {
    return {mix(a.r, b.r, t), mix(a.g, b.g, t), mix(a.b, b.b, t)};
}

double smoothstep(double edge0, double edge1, double x) {
    const double t = clamp01((x - edge0) / (edge1 - edge0));
    return t * t * (3 - 2 * t);
}

double fraction(double v) {
    return v - std::floor(v);
}

double sine(double radians) {
    double x = radians - 2 * kPi * std::floor(radians / (2 * kPi) + 0.5);  // -pi to pi
    if (x > kPi / 2) x = kPi - x;
    if (x < -kPi / 2) x = -kPi - x;
    const double s = x * x;
    return x * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110 * (1 - s / 156))))));
}

double cosine(double radians) {
    return sine(radians + kPi / 2);
}

double exponential(double x) {
    if (x < -700) return 0;
    const double whole = std::floor(x * 1.4426950408889634 + 0.5);
    const double r = x - whole * 0.6931471805599453;  // -0.35 to 0.35
    double sum = 1;
    for (int k = 12; k > 0; --k) sum = 1 + r / k * sum;
    return std::ldexp(sum, int(whole));
}

double logarithm(double x) {
    int power = 0;
    const double m = std::frexp(x, &power);  // 0.5 to 1
    const double z = (m - 0.75) / (m + 0.75), s = z * z;
    double sum = 0;
    for (int k = 15; k > 0; k -= 2) sum = sum * s + 1.0 / k;
    return 2 * z * sum - 0.2876820724517809 + power * 0.6931471805599453;
}

static uint32_t mix_bits(int64_t x, int64_t y, uint32_t seed) {
    uint64_t h =
        uint64_t(x) * 0x9E3779B97F4A7C15u ^ uint64_t(y) * 0xC2B2AE3D27D4EB4Fu ^ uint64_t(seed) * 0x165667B19E3779F9u;
    h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 32)) * 0x94D049BB133111EBu;
    return uint32_t(h >> 32);
}

double hash(int64_t x, int64_t y, uint32_t seed) {
    return mix_bits(x, y, seed) / 4294967296.0;
}

double noise(double x, double y, uint32_t seed) {
    const double fx = std::floor(x), fy = std::floor(y);
    const auto ix = int64_t(fx), iy = int64_t(fy);
    const double u = x - fx, v = y - fy;
    const auto corner = [&](int dx, int dy) {
        static constexpr double k = 0.70710678118654752;
        static constexpr double gradients[8][2] = {{1, 0},  {k, k},   {0, 1},  {-k, k},
                                                   {-1, 0}, {-k, -k}, {0, -1}, {k, -k}};
        const auto& g = gradients[mix_bits(ix + dx, iy + dy, seed) & 7];
        return g[0] * (u - dx) + g[1] * (v - dy);
    };
    const double su = u * u * u * (u * (u * 6 - 15) + 10), sv = v * v * v * (v * (v * 6 - 15) + 10);
    return 1.5 * mix(mix(corner(0, 0), corner(1, 0), su), mix(corner(0, 1), corner(1, 1), su), sv);
}

double fractal_noise(double x, double y, int octaves, uint32_t seed) {
    double sum = 0, strength = 0.5;
    for (int k = 0; k < octaves; ++k) {
        sum += strength * noise(x, y, seed + uint32_t(k) * 101);
        // A turn between octaves hides the grid.
        const double turned = 1.6 * x - 1.2 * y;
        y = 1.2 * x + 1.6 * y;
        x = turned;
        strength /= 2;
    }
    return sum;
}

Nearest nearest_on(double ax, double ay, double bx, double by, double x, double y) {
    const double dx = bx - ax, dy = by - ay;
    const double length2 = dx * dx + dy * dy;
    const double along = length2 > 0 ? clamp01(((x - ax) * dx + (y - ay) * dy) / length2) : 0;
    const double ex = x - ax - along * dx, ey = y - ay - along * dy;
    return {std::sqrt(ex * ex + ey * ey), along};
}

void Canvas::fill(const std::function<Color(double, double)>& shade) {
    parallel_for(generator_threads(), height_, 8, [&](int64_t y) {
        for (int x = 0; x < width_; ++x) at(x, int(y)) = shade(x + 0.5, double(y) + 0.5);
    });
}

Canvas Canvas::halved() const {
    Canvas half(width_ / 2, height_ / 2);
    for (int y = 0; y < half.height_; ++y)
        for (int x = 0; x < half.width_; ++x)
            half.at(x, y) =
                (at(2 * x, 2 * y) + at(2 * x + 1, 2 * y) + at(2 * x, 2 * y + 1) + at(2 * x + 1, 2 * y + 1)) * 0.25;
    return half;
}

Picture to_picture(const Canvas& canvas, int channels, double dither, uint32_t seed, int max_sample) {
    Picture picture{canvas.width(), canvas.height(), channels, max_sample, {}};
    picture.samples.reserve(size_t(picture.width) * size_t(picture.height) * size_t(channels));
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            const Color& c = canvas.at(x, y);
            const double values[3] = {channels == 1 ? c.g : c.r, c.g, c.b};
            const double offset = 0.5 + dither * (hash(x, y, seed) + hash(x, y, seed + 1) - 1);
            for (int k = 0; k < channels; ++k)
                picture.samples.push_back(
                    uint16_t(std::clamp(std::floor(values[k] * max_sample + offset), 0.0, double(max_sample))));
        }
    return picture;
}

}  // namespace tonescope::assets
