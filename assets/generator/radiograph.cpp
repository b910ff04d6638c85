// A radiograph of a hand: lengths of bone and tissue along the beam, absorbed exponentially, as on a film with little
// contrast.
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "assets/generator/draw.h"
#include "assets/generator/font.h"

namespace tonescope::assets {
namespace {

constexpr int kWidth = 1080, kHeight = 1350;
constexpr size_t kMaxLimbs = 32;

/// A long bone: a hollow shaft that widens towards both ends. Pixels.
struct Bone {
    double ax, ay, bx, by;              // base and head
    double base_px, shaft_px, head_px;  // half widths
};

struct Pebble {  // a bone of the wrist
    double x, y, rx, ry, turn;
};

struct Limb {  // soft tissue
    double ax, ay, bx, by, ra_px, rb_px;
};

struct Finger {
    double x, y;    // knuckle
    double dx, dy;  // direction of the first phalanx
    double bend;    // turn at each joint, radians
    double length_px[3];
    double thick;
};

constexpr Finger kFingers[] = {{382, 700, -0.20, -1, 0.045, {158, 98, 66}, 0.98},
                               {487, 662, -0.06, -1, 0.020, {178, 116, 72}, 1.04},
                               {592, 684, 0.09, -1, -0.020, {166, 110, 70}, 0.98},
                               {686, 748, 0.27, -1, -0.055, {130, 74, 58}, 0.84}};
constexpr double kBases[4][2] = {{452, 992}, {508, 984}, {562, 990}, {612, 1008}};

struct Hand {
    std::vector<Bone> bones;
    std::vector<Pebble> wrist;
    std::vector<Limb> flesh;
};

Hand make_hand() {
    Hand hand;
    for (int f = 0; f < 4; ++f) {
        const Finger& finger = kFingers[f];
        const double k = finger.thick;
        hand.bones.push_back({kBases[f][0], kBases[f][1], finger.x, finger.y + 6, 29 * k, 17 * k, 29 * k});
        hand.flesh.push_back({kBases[f][0], kBases[f][1] + 60, finger.x, finger.y, 88, 60 * k});
        const double length = std::sqrt(finger.dx * finger.dx + finger.dy * finger.dy);
        double dx = finger.dx / length, dy = finger.dy / length, x = finger.x, y = finger.y;
        static constexpr double widths[3][3] = {{28, 15.5, 22}, {22.5, 12.5, 17.5}, {18, 8.5, 13}};
        for (int i = 0; i < 3; ++i) {
            x += dx * 13;
            y += dy * 13;
            const double ex = x + dx * finger.length_px[i], ey = y + dy * finger.length_px[i];
            hand.bones.push_back({x, y, ex, ey, widths[i][0] * k, widths[i][1] * k, widths[i][2] * k});
            const double over = i == 2 ? 14 : 6;
            hand.flesh.push_back({x, y, ex + dx * over, ey + dy * over, (50 - 6 * i) * k, (45 - 6.5 * i) * k});
            x = ex;
            y = ey;
            const double c = cosine(finger.bend), s = sine(finger.bend);
            const double turned = c * dx - s * dy;
            dy = s * dx + c * dy;
            dx = turned;
        }
    }
    // Thumb, radius and ulna.
    hand.bones.insert(hand.bones.end(), {{408, 1020, 286, 880, 32, 19, 28},
                                         {276, 866, 208, 738, 27, 16, 22},
                                         {202, 724, 164, 640, 21, 9, 13},
                                         {486, 1176, 462, 1500, 66, 40, 50},
                                         {598, 1190, 618, 1500, 38, 25, 36}});
    hand.flesh.insert(hand.flesh.end(), {{430, 1060, 290, 890, 96, 62},
                                         {290, 890, 206, 736, 58, 47},
                                         {206, 736, 156, 622, 46, 38},
                                         {520, 900, 560, 1060, 150, 140},
                                         {500, 1050, 520, 1160, 130, 112},
                                         {528, 1120, 534, 1500, 128, 172}});
    hand.wrist = {{458, 1094, 34, 50, 0.6}, {526, 1118, 38, 36, 0.2}, {588, 1106, 34, 32, -0.3},
                  {614, 1092, 20, 22, 0},   {420, 1050, 38, 32, 0.7}, {468, 1030, 28, 27, 0.1},
                  {520, 1044, 33, 50, 0.0}, {580, 1046, 38, 44, 0.4}};
    return hand;
}

double chord(double radius, double offset) {
    const double d = radius * radius - offset * offset;
    return d > 0 ? 2 * std::sqrt(d) : 0;
}

/// Mineral along the beam: the dense shell and the sponge inside, in pixels of solid bone.
double absorb(const Bone& bone, double x, double y, uint32_t seed) {
    const auto [d, t] = nearest_on(bone.ax, bone.ay, bone.bx, bone.by, x, y);
    if (d > std::max({bone.base_px, bone.shaft_px, bone.head_px})) return 0;
    const double base = (1 - t) * (1 - t), head = t * t;
    const double flare_base = base * base * (0.6 + 0.4 * base), flare_head = head * head * (0.6 + 0.4 * head);
    double radius =
        bone.shaft_px + (bone.base_px - bone.shaft_px) * flare_base + (bone.head_px - bone.shaft_px) * flare_head;
    const double length =
        std::sqrt((bone.bx - bone.ax) * (bone.bx - bone.ax) + (bone.by - bone.ay) * (bone.by - bone.ay));
    const double ux = (bone.bx - bone.ax) / length, uy = (bone.by - bone.ay) / length;
    const double along = (x - bone.ax) * ux + (y - bone.ay) * uy, across = (y - bone.ay) * ux - (x - bone.ax) * uy;
    // The segment's round caps would make balls of the ends: flatten them.
    const double beyond = std::max({0.0, -along, along - length});
    const double offset = std::sqrt(across * across + beyond * beyond * 3);
    radius *= 1 + 0.03 * noise(along / 40, 0.5, seed);
    const double end = std::max(flare_base, flare_head);
    const double shell = mix(0.46, 0.13, end) * radius;
    const double sponge = chord(radius - shell, offset);
    const double web = noise(along / 9, across / 3.2, seed + 1) + 0.8 * noise(along / 4, across / 2.2, seed + 2);
    // Small bones are denser for their size.
    const double density = 0.55 + 16 / bone.base_px;
    return density * ((chord(radius, offset) - sponge) * 0.92 + sponge * (0.24 + 0.22 * end) * (1 + 0.42 * web));
}

double absorb(const Pebble& pebble, double x, double y, uint32_t seed) {
    const double c = cosine(pebble.turn), s = sine(pebble.turn);
    const double u = (c * (x - pebble.x) + s * (y - pebble.y)) / pebble.rx,
                 v = (c * (y - pebble.y) - s * (x - pebble.x)) / pebble.ry;
    const double r = std::sqrt(u * u + v * v) * (1 + 0.10 * noise(u * 1.3 + 5, v * 1.3, seed));
    if (r >= 1) return 0;
    const double size = std::min(pebble.rx, pebble.ry), sponge = chord(0.86, r) * size;
    const double web = noise(x / 5, y / 5, seed + 1) + 0.7 * noise(x / 2.6, y / 2.6, seed + 2);
    return (chord(1, r) * size - sponge) * 0.75 + sponge * 0.36 * (1 + 0.30 * web);
}

/// Signed distance to the union of the limbs, blended softly; negative inside. `width_px` becomes the half width there.
double flesh_distance(const std::vector<Limb>& flesh, double x, double y, double& width_px) {
    if (flesh.size() > kMaxLimbs) throw std::length_error("more limbs than kMaxLimbs");
    std::array<double, kMaxLimbs> distances, radii;
    double near = 1e9;
    for (size_t i = 0; i < flesh.size(); ++i) {
        const Limb& limb = flesh[i];
        const auto [d, t] = nearest_on(limb.ax, limb.ay, limb.bx, limb.by, x, y);
        radii[i] = mix(limb.ra_px, limb.rb_px, t);
        distances[i] = d - radii[i];
        near = std::min(near, distances[i]);
    }
    double weight = 0, width = 0, blended = 0;
    for (size_t i = 0; i < flesh.size(); ++i) {
        if (distances[i] - near > 100) continue;
        const double w = exponential(-(distances[i] - near) / 11);
        weight += w;
        width += w * radii[i];
        blended += exponential(-(distances[i] - near) / 7);
    }
    width_px = width / weight;
    return near - 7 * logarithm(blended);
}

Canvas expose() {
    const Hand hand = make_hand();
    TextMask marker(kWidth, kHeight);
    marker.write("L", 870, 240, {.size_px = 92, .weight = 1.6, .contrast = 0.8});
    marker.write("PA  0.8 mAs  50 kV", 805, 1290, {.size_px = 21, .weight = 1.2, .contrast = 0.8});

    Canvas canvas(kWidth, kHeight);
    canvas.fill([&](double x, double y) {
        double width_px;
        const double distance = flesh_distance(hand.flesh, x, y, width_px);
        double tissue = 0;
        if (distance < 0) {
            const double edge = std::max(0.0, 1 + distance / (0.95 * width_px));
            tissue = std::sqrt(std::max(0.0, 1 - edge * edge)) * (0.5 + width_px / 170);
            // Muscle strands and skin folds.
            tissue *= 1 + 0.05 * fractal_noise(x / 26, y / 90, 4, 70) + 0.02 * noise(x / 3, y / 12, 77);
        }
        double mineral = 0;
        for (size_t i = 0; i < hand.bones.size(); ++i) mineral += absorb(hand.bones[i], x, y, uint32_t(100 + 10 * i));
        for (size_t i = 0; i < hand.wrist.size(); ++i) mineral += absorb(hand.wrist[i], x, y, uint32_t(500 + 10 * i));

        // A ring on the third finger: a hollow band seen almost from the side.
        const double ring_x = 605, ring_y = 566, u = x - ring_x, v = (y - ring_y) + 0.10 * u;
        const double bow = v - 7 * std::sqrt(std::max(0.0, 1 - u * u / (46.0 * 46))) + 3;
        double metal = 0;
        if (std::fabs(u) < 46 && std::fabs(bow) < 9) metal = 0.7 + 0.9 * u * u / (46.0 * 46);

        const double absorbed = 1 - exponential(-(0.42 * tissue + 0.0125 * mineral + 2.2 * metal));
        const double dx = (x - 540) / 900, dy = (y - 700) / 1100;
        const double beam = 0.035 * (dx * dx + dy * dy) + 0.022 * (y / kHeight);
        double film = 0.205 + beam + 0.345 * absorbed;
        film += 0.30 * marker.at(int(x), int(y)) * (1 - absorbed);
        film += 0.006 * noise(x / 1.7, y / 1.7, 90) + 0.004 * fractal_noise(x / 160, y / 160, 3, 91);
        return Color{0, film, 0};
    });
    return canvas;
}

}  // namespace

Picture draw_radiograph() {
    return to_picture(expose(), 1, 0.8, 92);
}

Picture draw_deep_radiograph() {
    return to_picture(expose().halved(), 1, 5, 93, 4095);
}

}  // namespace tonescope::assets
