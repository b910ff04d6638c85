#include "assets/generator/night_houses.h"

#include <algorithm>
#include <cmath>

namespace tonescope::assets {
namespace {

Color window_light(const House& house, int column, int floor_number) {
    const double lit = hash(column + 31 * floor_number, int(house.seed), 71);
    if (lit < 0.90) return {};
    const double warmth = hash(column, floor_number, house.seed);
    return Color{1.0, 0.55 + 0.16 * warmth, 0.18 + 0.20 * warmth} * (0.30 + 0.50 * warmth);
}

}  // namespace

House house_at(int side, int number) {
    const auto seed = uint32_t(side * 1000 + number + 5000);
    const double pick = hash(number, side, 61);
    static constexpr Color walls[] = {{0.42, 0.20, 0.14}, {0.30, 0.17, 0.13}, {0.50, 0.43, 0.34},
                                      {0.24, 0.27, 0.29}, {0.46, 0.30, 0.19}, {0.36, 0.36, 0.33}};
    return {8.4 + 2.8 * hash(number, side, 62), 2.2 + 1.6 * hash(number, side, 63), int(hash(number, side, 64) * 3),
            walls[int(pick * 6)], seed};
}

double outline(const House& house, double u) {
    const double a = std::fabs(u);
    if (house.kind == 0) return house.gable * (1 - std::floor(a * 5 + 0.35) / 5);
    if (house.kind == 1) return a < 0.12 ? house.gable : house.gable * (1 - a) * 1.02;
    return a < 0.30 ? house.gable * (0.9 + 0.1 * cosine(a * 5)) : house.gable * 0.86 * smoothstep(1.0, 0.25, a);
}

bool facade(const House& house, double y, double v, double z, Surface& surface) {
    const double eaves = house.height - kQuayTop;
    if (y > eaves + outline(house, v)) return false;
    const double across = v * kHouseWidth / 2;
    // Bricks: courses of 0.09 m, with joints; each its own shade.
    const double course = y / 0.11, row = std::floor(course), brick = z / 0.30 + 0.5 * fraction(row / 2);
    const double joint = std::min(smoothstep(0.0, 0.16, fraction(course)), smoothstep(0.0, 0.08, fraction(brick)));
    const double shade =
        0.78 + 0.34 * hash(int64_t(row), int64_t(std::floor(brick)), house.seed) + 0.10 * fractal_noise(z, y, 3, 72);
    Color albedo = house.wall * (shade * mix(0.62, 1.0, joint));
    const Color stone{0.56, 0.53, 0.47};

    const double floor_height = 2.55, above = y - 0.25;
    const int floor_number = int(std::floor(above / floor_height));
    const double in_floor = above - floor_number * floor_height;
    const int columns = 3;
    const double cell = (v + 1) / 2 * columns;
    const int column = int(std::floor(cell));
    const double u = (cell - column - 0.5) * kHouseWidth / columns;  // metres from the window's middle
    Color glow{};
    const bool upper = floor_number >= 1;
    if (upper && y < eaves - 0.35) {
        const double top = floor_number == 1 ? 1.95 : 1.75, half = 0.55;
        const bool in_frame = std::fabs(u) < half + 0.10 && in_floor > 0.45 && in_floor < top + 0.14;
        if (in_frame) albedo = stone * 0.95;
        if (std::fabs(u) < half && in_floor > 0.55 && in_floor < top) {
            const bool bar = std::fabs(u) < 0.045 || std::fabs(in_floor - 1.35) < 0.045;
            albedo = bar ? Color{0.6, 0.6, 0.58} : Color{0.035, 0.04, 0.05};
            if (!bar) glow = window_light(house, column, floor_number) * (0.55 + 0.45 * smoothstep(0.5, 1.8, in_floor));
        } else if (std::fabs(u) < half + 0.45 && std::fabs(u) > half + 0.10 && in_floor > 0.5 && in_floor < top &&
                   (house.seed & 1)) {
            albedo = Color{0.10, 0.26, 0.17} * (0.7 + 0.3 * smoothstep(0.2, 0.5, fraction(in_floor * 9)));  // shutters
        }
    } else if (floor_number == 0) {
        const int door = int(house.seed % 3);
        const double half = column == door ? 0.55 : 0.72, bottom = column == door ? -0.3 : 0.55;
        if (std::fabs(u) < half + 0.13 && in_floor > bottom - 0.1 && in_floor < 2.15) albedo = stone;
        if (std::fabs(u) < half && in_floor > bottom && in_floor < 2.0) {
            if (column == door) {
                const bool panel = std::fabs(u) > 0.12 && std::fabs(u) < 0.42 && fraction(in_floor / 0.62) > 0.18;
                albedo =
                    mix(Color{0.05, 0.16, 0.12}, Color{0.34, 0.06, 0.05}, double(house.seed & 1)) * (panel ? 0.8 : 1.3);
                if (in_floor > 1.62) glow = kLampColor * (house.seed % 5 == 0 ? 0.30 : 0.0);
            } else {
                const bool bar = std::fabs(fraction(u / 0.48 + 0.5) - 0.5) < 0.05 || std::fabs(in_floor - 1.5) < 0.04;
                albedo = bar ? Color{0.6, 0.6, 0.58} : Color{0.04, 0.045, 0.055};
                if (!bar) glow = window_light(house, column, 0) * 1.4;
            }
        }
    }
    // Bands of stone at the eaves and along the gable's edge; an attic window with a hoist beam.
    if (std::fabs(y - eaves) < 0.14 || y > eaves + outline(house, v) - 0.20) albedo = stone;
    if (std::fabs(y - 0.1) < 0.14) albedo = stone * 0.7;
    if (std::fabs(across) < 0.42 && y > eaves + 0.35 && y < eaves + 1.25) {
        albedo = std::fabs(across) > 0.34 ? stone : Color{0.04, 0.045, 0.05};
        if (std::fabs(across) <= 0.34 && house.seed % 7 == 2) glow = kLampColor * 0.25;
    }
    surface = {albedo, glow};
    return true;
}

}  // namespace tonescope::assets
