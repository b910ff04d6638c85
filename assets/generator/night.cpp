// A canal at night between gabled houses: few lamps, and almost everything else in the lowest levels. Rays are followed
// through a simple model of the place; lengths are meters, x to the right, y upward from the water, z away from the
// camera.
#include <algorithm>
#include <cmath>

#include "assets/generator/draw.h"

namespace tonescope::assets {
namespace {

constexpr int kWidth = 1280, kHeight = 800;
constexpr double kHouses = 9.6, kQuay = 5.8, kBridgeZ = 66;
constexpr double kFar = 1e9;

constexpr double kQuayTop = 1.3, kHouseWidth = 6.2;
constexpr Color kLampColor{1.0, 0.66, 0.30};

struct Vec {
    double x = 0, y = 0, z = 0;
};
Vec operator+(Vec a, Vec b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec operator-(Vec a, Vec b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec operator*(Vec a, double f) {
    return {a.x * f, a.y * f, a.z * f};
}
double dot(Vec a, Vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

struct Hit {
    double t = kFar;
    Vec at{}, normal{};
    Color albedo{}, glow{};  // what it reflects, and light of its own
    bool water = false;
};

struct House {
    double height;  // of the eaves, over the water
    double gable;   // height of the gable
    int kind;       // 0 stepped, 1 pointed, 2 bell
    Color wall;
    uint32_t seed;
};

Color window_light(const House& house, int column, int floor_number) {
    const double lit = hash(column + 31 * floor_number, int(house.seed), 71);
    if (lit < 0.90) return {};
    const double warmth = hash(column, floor_number, house.seed);
    return Color{1.0, 0.55 + 0.16 * warmth, 0.18 + 0.20 * warmth} * (0.30 + 0.50 * warmth);
}

/// The same for the same place; side 0 (left) or 1 (right).
House house_at(int side, int number) {
    const auto seed = uint32_t(side * 1000 + number + 5000);
    const double pick = hash(number, side, 61);
    static constexpr Color walls[] = {{0.42, 0.20, 0.14}, {0.30, 0.17, 0.13}, {0.50, 0.43, 0.34},
                                      {0.24, 0.27, 0.29}, {0.46, 0.30, 0.19}, {0.36, 0.36, 0.33}};
    return {8.4 + 2.8 * hash(number, side, 62), 2.2 + 1.6 * hash(number, side, 63), int(hash(number, side, 64) * 3),
            walls[int(pick * 6)], seed};
}

/// Height of the gable's outline at u, -1 to 1 across the house.
double outline(const House& house, double u) {
    const double a = std::fabs(u);
    if (house.kind == 0) return house.gable * (1 - std::floor(a * 5 + 0.35) / 5);
    if (house.kind == 1) return a < 0.12 ? house.gable : house.gable * (1 - a) * 1.02;
    return a < 0.30 ? house.gable * (0.9 + 0.1 * cosine(a * 5)) : house.gable * 0.86 * smoothstep(1.0, 0.25, a);
}

/// A wall of bricks or a pavement: 0 in the joints to 1, and a number of each brick's own.
struct Masonry {
    double joint, tone;
};
/// `along` and `up`: in bricks; joints take so much of a brick.
Masonry masonry(double along, double up, double joint_along, double joint_up, uint32_t seed) {
    const double row = std::floor(up), brick = along + 0.5 * fraction(row / 2);
    return {std::min(smoothstep(0.0, joint_up, fraction(up)), smoothstep(0.0, joint_along, fraction(brick))),
            hash(int64_t(row), int64_t(std::floor(brick)), seed)};
}

/// A facade at height y over the quay and v, -1 to 1 across, gives `hit` its colors; false above the outline.
bool facade(const House& house, double y, double v, double z, Hit& hit) {
    const double eaves = house.height - kQuayTop;
    if (y > eaves + outline(house, v)) return false;
    const double across = v * kHouseWidth / 2;
    const Masonry bricks = masonry(z / 0.30, y / 0.11, 0.08, 0.16, house.seed);
    const double shade = 0.78 + 0.34 * bricks.tone + 0.10 * fractal_noise(z, y, 3, 72);
    Color& albedo = hit.albedo = house.wall * (shade * mix(0.62, 1.0, bricks.joint));
    const Color stone{0.56, 0.53, 0.47};

    const double floor_height = 2.55, above = y - 0.25;
    const int floor_number = int(std::floor(above / floor_height));
    const double in_floor = above - floor_number * floor_height;
    const int columns = 3;
    const double cell = (v + 1) / 2 * columns;
    const int column = int(std::floor(cell));
    const double u = (cell - column - 0.5) * kHouseWidth / columns;  // meters from the window's middle
    Color& glow = hit.glow;
    if (floor_number >= 1 && y < eaves - 0.35) {
        const double top = floor_number == 1 ? 1.95 : 1.75, half = 0.55;
        if (std::fabs(u) < half + 0.10 && in_floor > 0.45 && in_floor < top + 0.14) albedo = stone * 0.95;
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
    return true;
}

struct Lamp {
    Vec at;
    double power;
};
constexpr Lamp kLamps[] = {
    {{-6.6, 4.9, 15.5}, 6.5}, {{6.6, 4.9, 25}, 7.5}, {{-6.6, 4.9, 43}, 7.5}, {{6.6, 4.9, 58}, 8.0}};
constexpr Vec kMoon{0.075, 0.385, 0.92}, kToCamera{0, 0, -1};

void hit_houses(Vec o, Vec d, Hit& hit) {
    if (d.x == 0) return;
    const int side = d.x > 0 ? 1 : 0;
    const double t = ((side ? kHouses : -kHouses) - o.x) / d.x;
    if (t <= 0 || t >= hit.t) return;
    const Vec at = o + d * t;
    if (at.y < kQuayTop || at.z < -20 || at.z > 130) return;
    const double along = (at.z + 3.1 * side) / kHouseWidth;
    const double number = std::floor(along);
    Hit wall{t, at, {side ? -1.0 : 1.0, 0, 0}};
    if (facade(house_at(side, int(number)), at.y - kQuayTop, (along - number) * 2 - 1, at.z, wall)) hit = wall;
}

void hit_quay(Vec o, Vec d, Hit& hit) {
    if (d.y < 0) {
        const double t = (kQuayTop - o.y) / d.y;
        const Vec at = o + d * t;
        if (t > 0 && t < hit.t && std::fabs(at.x) > kQuay && std::fabs(at.x) < kHouses && at.z < 130) {
            const Masonry stones = masonry(at.x / 0.22, at.z / 0.16, 0.2, 0.25, 73);
            const bool is_edge = std::fabs(at.x) < kQuay + 0.4;
            const double shade = is_edge ? 1.5 : mix(0.5, 1, stones.joint) * (0.75 + 0.5 * stones.tone);
            hit = {t, at, {0, 1, 0}, Color{0.27, 0.26, 0.25} * shade};
        }
        const double tw = -o.y / d.y;
        const Vec water = o + d * tw;
        if (tw > 0.001 && tw < hit.t && std::fabs(water.x) <= kQuay && water.z < 160)
            hit = {tw, water, {0, 1, 0}, {}, {}, true};
    }
    if (d.x != 0) {
        const double wall = d.x > 0 ? kQuay : -kQuay, t = (wall - o.x) / d.x;
        const Vec at = o + d * t;
        if (t > 0 && t < hit.t && at.y >= 0 && at.y <= kQuayTop && at.z < 130) {
            const Masonry blocks = masonry(at.z / 0.8, at.y / 0.32, 0.05, 0.10, 74);
            const Color mossy = mix(Color{0.30, 0.28, 0.25}, Color{0.12, 0.17, 0.09}, smoothstep(0.7, 0.1, at.y));
            hit = {
                t, at, {d.x > 0 ? -1.0 : 1.0, 0, 0}, mossy * (mix(0.5, 1, blocks.joint) * (0.8 + 0.4 * blocks.tone))};
        }
    }
}

/// Flat things that face the camera: the bridge, lamp posts, trees and a boat.
void hit_flats(Vec o, Vec d, Hit& hit) {
    const auto cross = [&](double z, double& t, Vec& at) {
        t = (z - o.z) / d.z;
        at = o + d * t;
        return t > 0.001 && t < hit.t;
    };
    double t;
    Vec at;
    if (cross(kBridgeZ, t, at) && std::fabs(at.x) < kHouses) {
        const double deck = 3.5 - 0.018 * at.x * at.x, arch = at.x * at.x / (4.6 * 4.6) + at.y * at.y / (2.75 * 2.75);
        const bool rail = at.y < deck + 0.85 && (at.y > deck + 0.76 || std::fabs(fraction(at.x / 0.5) - 0.5) > 0.42);
        if ((at.y < deck && arch > 1 && at.y > (std::fabs(at.x) > kQuay ? kQuayTop : 0)) || (at.y >= deck && rail)) {
            const double joint =
                smoothstep(0.0, 0.2, fraction(at.y / 0.3)) *
                smoothstep(0.0, 0.1, fraction(at.x / 0.6 + 0.5 * fraction(std::floor(at.y / 0.3) / 2)));
            const double bow = arch < 1.35 ? 1.4 : 1.0;
            const Color stone =
                at.y >= deck ? Color{0.10, 0.11, 0.11} : Color{0.36, 0.32, 0.27} * (mix(0.6, 1, joint) * bow);
            hit = {t, at, kToCamera, stone};
        }
    }
    for (const Lamp& lamp : kLamps) {
        if (!cross(lamp.at.z, t, at)) continue;
        const double u = at.x - lamp.at.x, v = at.y - lamp.at.y;
        if (std::fabs(u) > 0.5 || at.y < kQuayTop || v > 0.8) continue;
        const bool post = std::fabs(u) < (at.y < kQuayTop + 0.8 ? 0.11 : 0.055) && v < -0.25;
        const bool cage = std::fabs(u) < 0.15 + 0.16 * (v + 0.25) && v >= -0.25 && v < 0.38;
        const bool roof = v >= 0.38 && v < 0.62 && std::fabs(u) < (0.62 - v) * 1.4;
        if (cage) hit = {t, at, kToCamera, {}, kLampColor * 22};
        if (post || roof) hit = {t, at, kToCamera, Color{0.05, 0.06, 0.06}};
    }
    for (int i = 0; i < 7; ++i) {  // bare trees on the quays
        const int side = i & 1 ? 1 : -1;
        const double z = 20 + 8.5 * i + 2 * hash(i, 0, 81);
        if (!cross(z, t, at)) continue;
        const double u = at.x - side * 7.4, v = at.y - kQuayTop;
        if (v < 0 || v > 6.8 || std::fabs(u) > 3.2) continue;
        const double sway = 0.15 * noise(v * 0.8, i, 82);
        const bool trunk = std::fabs(u + sway) < 0.17 * smoothstep(7.5, 0, v);
        const double crown = 1 - (u * u / 7.3 + (v - 4.5) * (v - 4.5) / 5.2);
        const double web = std::fabs(fractal_noise(u * 1.5 + 9 * i, v * 1.1, 4, 83)) / (0.02 + 0.07 * clamp01(crown));
        if (trunk || (crown > 0 && v > 1.8 && web < 0.55)) hit = {t, at, kToCamera, Color{0.16, 0.13, 0.10}};
    }
    if (cross(19.5, t, at)) {  // a moored boat
        const double u = at.x - 3.9, v = at.y;
        const double hull = std::fabs(u) - 1.15 - 0.35 * clamp01(v / 0.7);
        const bool cabin = std::fabs(u) < 0.8 && v < 1.45;
        if (v > 0 && ((hull < 0 && v < 0.75) || cabin)) {
            const Color paint = v < 0.62   ? Color{0.12, 0.22, 0.38}
                                : v < 0.75 ? Color{0.6, 0.58, 0.5}
                                           : Color{0.40, 0.22, 0.12};
            const bool window = cabin && v > 0.95 && v < 1.25 && std::fabs(u) < 0.6;
            hit = {t, at, kToCamera, paint * (window ? 0.15 : 1.0)};
        }
    }
}

Color sky(Vec d) {
    const double length = std::sqrt(dot(d, d)), up = d.y / length;
    Color c = mix(Color{0.030, 0.030, 0.036}, Color{0.008, 0.012, 0.024}, smoothstep(0.0, 0.55, up));
    const double cloud =
        smoothstep(-0.05, 0.5, fractal_noise(d.x / (d.y + 0.25) * 1.3, d.z / (d.y + 0.25) * 0.55, 5, 91));
    c = mix(c, Color{0.040, 0.042, 0.048}, cloud * 0.8);
    const Vec n = d * (1 / length);
    const Vec off = n - kMoon * (1 / std::sqrt(dot(kMoon, kMoon)));
    const double r = std::sqrt(dot(off, off));
    c = c + Color{0.10, 0.11, 0.13} * (0.6 * exponential(-r * 9) * (0.6 + 0.7 * cloud));
    if (r < 0.022) c = Color{0.9, 0.9, 0.84} * (0.75 + 0.25 * fractal_noise(off.x * 60, off.y * 60, 3, 92));
    const double sx = n.x * 130, sy = n.y * 130, star = hash(int64_t(std::floor(sx)), int64_t(std::floor(sy)), 93);
    const double ox = fraction(sx) - 0.5, oy = fraction(sy) - 0.5;
    if (star > 0.96 && r > 0.05) {
        const double size = 0.004 + 0.25 * (star - 0.96);
        c = c + Color{0.30, 0.33, 0.38} *
                    (exponential(-(ox * ox + oy * oy) / size) * (1 - cloud) * smoothstep(0.05, 0.3, up));
    }
    return c;
}

Color shade(const Hit& hit) {
    const double moonlight = std::max(0.0, dot(hit.normal, kMoon)) * 0.5 + 0.5;
    Color light = Color{0.019, 0.023, 0.032} * moonlight;
    for (const Lamp& lamp : kLamps) {
        const Vec way = lamp.at - hit.at;
        const double r2 = dot(way, way) + 0.4;
        const double facing = dot(hit.normal, way) / std::sqrt(r2);
        light = light + kLampColor * (lamp.power * (0.25 + 0.75 * std::max(0.0, facing)) / (4 * r2));
    }
    return hit.albedo * light + hit.glow;
}

Hit follow(Vec o, Vec d) {
    Hit hit;
    hit_flats(o, d, hit);
    hit_houses(o, d, hit);
    hit_quay(o, d, hit);
    return hit;
}

Color haze(Color c, double meters) {
    return mix(Color{0.020, 0.021, 0.026}, c, exponential(-meters / 120));
}

Color trace(Vec o, Vec d) {
    const Hit hit = follow(o, d);
    if (hit.t >= kFar) return sky(d);
    if (!hit.water) return haze(shade(hit), hit.t);
    // Ripples tilt the mirror, and smear it downward: several reflections are averaged.
    const double calm = 0.018 + 0.010 * noise(hit.at.x / 5, hit.at.z / 9, 94);
    const double wave_x = fractal_noise(hit.at.x * 1.2, hit.at.z * 0.9, 3, 95);
    const double wave_z = fractal_noise(hit.at.x * 1.1, hit.at.z * 2.4, 3, 96);
    constexpr int rays = 4;
    Color sum{};
    for (int i = 0; i < rays; ++i) {
        const double tilt = 3.4 * calm * wave_z + 0.055 * ((i - 0.5 * (rays - 1)) / rays);
        const Vec away{d.x + 0.8 * calm * wave_x, std::max(0.002, -d.y + tilt), d.z};
        const Hit mirrored = follow(hit.at, away);
        const Color seen = mirrored.t >= kFar || mirrored.water ? sky(away) : haze(shade(mirrored), hit.t + mirrored.t);
        sum = sum + seen * (1 / (1 + 0.10 * seen.r));
    }
    const double grazing = 0.42 + 0.5 * exponential(7 * d.y);
    return sum * (grazing / rays) + Color{0.0015, 0.0025, 0.003};
}

}  // namespace

Picture draw_night() {
    Canvas canvas(2 * kWidth, 2 * kHeight);
    constexpr double focal_px = 1.02 * 2 * kHeight, horizon_px = 0.60 * 2 * kHeight, center_px = 0.47 * 2 * kWidth;
    const Vec camera{-0.7, 3.3, 0};
    canvas.fill([&](double x, double y) {
        const Vec d{(x - center_px) / focal_px, (horizon_px - y) / focal_px, 1};
        Color c = trace(camera, d);
        for (const Lamp& lamp : kLamps) {  // the lens's halo
            const double lx = center_px + (lamp.at.x - camera.x) / lamp.at.z * focal_px;
            const double ly = horizon_px - (lamp.at.y - camera.y) / lamp.at.z * focal_px;
            const double r2 =
                ((x - lx) * (x - lx) + (y - ly) * (y - ly)) * lamp.at.z * lamp.at.z / (focal_px * focal_px);
            c = c + kLampColor * (0.09 / (0.12 + r2 * 2.2) + 0.006 / (0.3 + r2 * 0.05));
        }
        // Under-exposed; the film's curve lifts nothing.
        const auto film = [](double v) { return std::sqrt(1 - exponential(-v * 0.95)); };
        return Color{film(c.r), film(c.g), film(c.b)};
    });
    Canvas half = canvas.halved();
    half.fill([&](double x, double y) {
        const Color c = half.at(int(x), int(y));
        return c * c * 0.55 + c * 0.45;
    });
    return to_picture(half, 3, 0.5, 97);
}

}  // namespace tonescope::assets
