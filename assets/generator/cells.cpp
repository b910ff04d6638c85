// Cells under a fluorescence microscope: dim bodies with bright nuclei and brighter spots on a dark ground. Linear
// light.
#include <algorithm>
#include <cmath>

#include "assets/generator/draw.h"

namespace tonescope::assets {
namespace {

constexpr int kWidth = 720, kHeight = 560;
constexpr int kCells = 34, kSpots = 9;
/// Of the greatest sample: the camera's offset, and what the parts of a cell shine with.
constexpr double kOffset = 0.0065, kBody = 0.022, kNucleus = 0.13, kSpot = 0.5;

struct Spot {
    double x, y, radius_px, light;
};

struct Cell {
    double x, y, radius_px, stretch, cos_turn, sin_turn, light;
    Spot spots[kSpots];
};

std::vector<Cell> make_cells() {
    std::vector<Cell> cells;
    for (int k = 0; k < kCells; ++k) {
        const auto random = [&](int which) { return hash(k, which, 300); };
        Cell cell{random(0) * kWidth,      random(1) * kHeight,   mix(20, 38, random(2)),  mix(0.6, 1, random(3)),
                  cosine(kPi * random(4)), sine(kPi * random(4)), mix(0.25, 1, random(5)), {}};
        for (int j = 0; j < kSpots; ++j) {
            const double turn = 2 * kPi * hash(k, 10 + j, 301), far = std::sqrt(hash(k, 30 + j, 301));
            cell.spots[j] = {cell.x + cosine(turn) * far * cell.radius_px, cell.y + sine(turn) * far * cell.radius_px,
                             mix(1.1, 2.2, hash(k, 50 + j, 301)), hash(k, 70 + j, 301) * hash(k, 90 + j, 301)};
        }
        cells.push_back(cell);
    }
    return cells;
}

double light_of(const Cell& cell, double x, double y) {
    const double dx = x - cell.x, dy = y - cell.y;
    const double reach = 3 * cell.radius_px;
    if (std::fabs(dx) > reach || std::fabs(dy) > reach) return 0;
    const double u = (dx * cell.cos_turn + dy * cell.sin_turn) / cell.radius_px;
    const double v = (dy * cell.cos_turn - dx * cell.sin_turn) / (cell.radius_px * cell.stretch);
    const double away = std::sqrt(u * u + v * v) + 0.12 * noise(x / 9, y / 9, 310);
    const double grain = 1 + 0.35 * fractal_noise(x / 7, y / 7, 3, 311);
    double light =
        kBody * grain * (1 - smoothstep(0.9, 1.9, away)) + kNucleus * grain * (1 - smoothstep(0.42, 0.62, away));
    for (const Spot& spot : cell.spots) {
        const double ex = (x - spot.x) / spot.radius_px, ey = (y - spot.y) / spot.radius_px;
        if (ex * ex + ey * ey < 20) light += kSpot * spot.light * exponential(-(ex * ex + ey * ey) / 2);
    }
    return light * cell.light;
}

}  // namespace

Picture draw_cells() {
    const std::vector<Cell> cells = make_cells();
    Canvas canvas(kWidth, kHeight);
    canvas.fill([&](double x, double y) {
        double light = 0.0035 * (1 + 0.4 * fractal_noise(x / 120, y / 120, 2, 320));
        for (const Cell& cell : cells) light += light_of(cell, x, y);
        // Photons come one by one: the noise grows with the root of the light.
        const auto px = int64_t(x), py = int64_t(y);
        const double even = hash(px, py, 330) + hash(px, py, 331) + hash(px, py, 332) - 1.5;
        return Color{0, kOffset + light + even * (0.0005 + 0.006 * std::sqrt(light)), 0};
    });
    return to_picture(canvas, 1, 0, 333, 65535);
}

}  // namespace tonescope::assets
