// Hills and conifers at dawn, each ridge paler than the one before it. Drawn from far to near at twice the size.
#include <algorithm>
#include <cmath>
#include <vector>

#include "assets/generator/draw.h"
#include "gpu/core/parallel.h"

namespace tonescope::assets {
namespace {

constexpr int kWidth = 1280, kHeight = 854;
constexpr int kW = 2 * kWidth, kH = 2 * kHeight;

struct Ridge {
    double base;     // height of its middle, 0 top to 1 bottom
    double swing;    // how far it goes up and down
    double scale;    // length of its hills, in image widths
    double fog;      // share of fog in its color
    double tree_px;  // height of its trees
    double mist_px;  // depth at which the mist closes
    uint32_t seed;
};
constexpr Ridge kRidges[] = {{0.36, 0.26, 0.42, 0.90, 0, 330, 201},   {0.43, 0.20, 0.36, 0.82, 9, 300, 202},
                             {0.50, 0.17, 0.40, 0.72, 17, 300, 203},  {0.58, 0.16, 0.45, 0.60, 34, 300, 204},
                             {0.67, 0.15, 0.50, 0.46, 66, 330, 205},  {0.79, 0.15, 0.60, 0.30, 132, 420, 206},
                             {0.955, 0.14, 0.70, 0.14, 300, 700, 207}};

/// Light of the mist: warm near the sun at the upper left, cooler away from it.
Color fog_color(double x, double y) {
    const double dx = (x - 0.30 * kW) / kW, dy = (y - 0.20 * kH) / kW;
    const double glow = exponential(-(dx * dx * 5 + dy * dy * 9));
    const Color cool = mix(Color{0.655, 0.695, 0.725}, Color{0.60, 0.635, 0.655}, y / kH);
    return mix(cool, Color{0.835, 0.790, 0.725}, glow);
}

class Painter {
  public:
    Canvas canvas{kW, kH};

    void sky() {
        canvas.fill([](double x, double y) {
            const double dx = x - 0.30 * kW, dy = y - 0.205 * kH, r = std::sqrt(dx * dx + dy * dy);
            Color c = fog_color(x, y);
            const double cloud = fractal_noise(x / 900, y / 210, 5, 211);
            c = c * (1 + 0.030 * cloud);
            c = c + Color{0.075, 0.068, 0.050} * smoothstep(70, 60, r) +
                Color{0.05, 0.04, 0.025} * exponential(-r / 150);
            return c;
        });
    }

    void ridge(const Ridge& r) {
        std::vector<double> top(kW);
        for (int x = 0; x < kW; ++x) top[size_t(x)] = height(r, x);
        std::vector<Tree> trees = plant(r);
        // Nearer ridges hide what lies below their crests.
        std::vector<int> hidden(kW, kH);
        for (const Ridge& nearer : kRidges)
            if (nearer.seed > r.seed)
                for (int x = 0; x < kW; ++x)
                    hidden[size_t(x)] = std::min(hidden[size_t(x)], std::max(0, int(height(nearer, x))));
        // The ground first, trees from the crest downward, then the mist that lies below the crest.
        for (int x = 0; x < kW; ++x)
            for (int y = std::max(0, int(top[size_t(x)])); y < hidden[size_t(x)]; ++y)
                canvas.at(x, y) = tint(r, x, y, 0.05 * fractal_noise(x / 70.0, y / 24.0, 4, r.seed + 40));
        for (const Tree& tree : trees) paint(r, tree);
        if (r.seed == 204) steeple(r, 1635, top[1635]);
        parallel_for(generator_threads(), kW, 16, [&](int64_t column) {
            const int x = int(column);
            for (int y = std::max(0, int(top[size_t(x)])); y < hidden[size_t(x)]; ++y) {
                const double depth = (y - top[size_t(x)]) / r.mist_px;
                const double wisp = fractal_noise(x / 520.0 + r.seed, y / 110.0, 4, r.seed + 50);
                const double mist = smoothstep(0.10, 1.05, depth + 0.55 * wisp * smoothstep(0, 0.5, depth));
                canvas.at(x, y) = mix(canvas.at(x, y), fog_color(x, y), 0.93 * mist);
            }
        });
    }

    void birds() {
        for (int i = 0; i < 9; ++i) {
            const double cx = 1500 + 46 * i + 20 * hash(i, 0, 220),
                         cy = 300 + 26 * std::fabs(i - 3.0) + 16 * hash(i, 1, 220);
            const double span = 15 + 5 * hash(i, 2, 220), lift = 4 + 7 * hash(i, 3, 220);
            for (int y = int(cy) - 20; y < int(cy) + 12; ++y)
                for (int x = int(cx) - 24; x < int(cx) + 24; ++x) {
                    const double u = std::fabs(x - cx) / span;
                    const double wing = cy - lift * (2.2 * u - 1.6 * u * u);
                    if (u < 1 && std::fabs(y - wing) < 1.9 * (1 - u * u))
                        canvas.at(x, y) = mix(canvas.at(x, y), {0.42, 0.42, 0.42}, 0.62);
                }
        }
    }

  private:
    struct Tree {
        double x, y, height_px, lean;
        uint32_t seed;
    };

    static double height(const Ridge& r, double x) {
        const double u = x / kW / r.scale;
        double n = fractal_noise(u + r.seed * 0.37, 0.5, r.tree_px == 0 ? 6 : 4, r.seed);
        if (r.tree_px == 0) n = 0.34 - 1.1 * std::fabs(n) + 0.1 * n;  // bare peaks far off
        return kH * (r.base - r.swing * n);
    }

    static Color tint(const Ridge& r, double x, double y, double lighter) {
        const Color dark = mix(Color{0.200, 0.245, 0.250}, Color{0.165, 0.200, 0.195}, y / kH);
        const double warm = exponential(-((x / kW - 0.30) * (x / kW - 0.30)) * 9) * 0.05;
        const Color own{dark.r + lighter + warm, dark.g + lighter + warm * 0.8, dark.b + 0.8 * lighter + warm * 0.45};
        return mix(own, fog_color(x, y), r.fog);
    }

    static std::vector<Tree> plant(const Ridge& r) {
        std::vector<Tree> trees;
        if (r.tree_px == 0) return trees;
        const double step = std::max(3.0, r.tree_px * 0.17);
        const int columns = int(kW / step) + 2;
        const int rows = r.tree_px > 200 ? 5 : 12;
        for (int row = 0; row < rows; ++row)
            for (int i = 0; i < columns; ++i) {
                const uint32_t seed = r.seed * 7919 + uint32_t(row * 6007 + i);
                const double x = (i + hash(i, row, seed)) * step;
                const double thicket = fractal_noise(x / (r.tree_px * 9), row * 0.35 + r.seed, 3, r.seed + 60);
                if (hash(i, row, seed + 1) > 0.46 + 0.9 * thicket) continue;
                const double size = (0.55 + 0.55 * hash(i, row, seed + 2)) * (0.85 + 0.5 * thicket);
                trees.push_back({x, height(r, x) + r.tree_px * (0.14 + 0.36 * row + 0.2 * hash(i, row, seed + 3)),
                                 r.tree_px * size, 0.03 * (hash(i, row, seed + 4) - 0.5), seed});
            }
        return trees;
    }

    void paint(const Ridge& r, const Tree& tree) {
        const double top = tree.y - tree.height_px, width = tree.height_px * (0.17 + 0.06 * hash(1, 1, tree.seed));
        const double shade = 0.055 * (hash(2, 2, tree.seed) - 0.5);
        const double whorls = 9 + 5 * hash(3, 3, tree.seed);
        for (int y = std::max(0, int(top)); y < std::min(double(kH), tree.y); ++y) {
            const double t = (y + 0.5 - top) / tree.height_px;  // 0 tip to 1 foot
            const double axis = tree.x + tree.lean * (y - tree.y);
            // Branches in whorls, longer below, each side a little different.
            const auto reach = [&](int side) {
                const double k = t * whorls + 0.5 * hash(side, 5, tree.seed);
                const double whorl = std::floor(k), in = k - whorl;
                const double longest = width * (0.10 + 0.95 * t) * (0.72 + 0.5 * hash(int64_t(whorl), side, tree.seed));
                return t > 0.94 ? width * 0.09 : longest * (0.30 + 0.70 * in) + 0.6;
            };
            const double left = reach(0), right = reach(1);
            for (int x = std::max(0, int(axis - left)); x <= std::min(kW - 1, int(axis + right)); ++x) {
                const double side = (x - axis) / (x < axis ? left : right);  // lit from the left
                const double needle = tree.height_px > 25 ? 0.05 * noise(x / 5.0, y / 4.0, tree.seed) : 0;
                canvas.at(x, y) = tint(r, x, y, shade + needle - 0.030 * side - 0.05);
            }
        }
    }

    /// A chapel on the hill.
    void steeple(const Ridge& r, int x, double ground) {
        const auto block = [&](double x0, double x1, double y0, double y1, double lighter) {
            for (int y = int(y0); y < int(y1); ++y)
                for (int px = int(x0); px < int(x1); ++px)
                    canvas.at(px, y) = tint(r, px, y, lighter + (px < x0 + 8 ? 0.06 : 0));
        };
        const double foot = ground + 26;
        block(x, x + 92, foot - 46, foot, 0.10);
        for (int i = 0; i < 34; ++i) block(x - 5 + i * 0.75, x + 97 - i * 0.75, foot - 46 - i, foot - 45 - i, -0.06);
        block(x - 12, x + 22, foot - 96, foot, 0.14);
        for (int i = 0; i < 78; ++i) block(x - 16 + i * 0.27, x + 26 - i * 0.27, foot - 96 - i, foot - 95 - i, -0.07);
        block(x - 1, x + 11, foot - 86, foot - 66, -0.08);
        for (int i = 0; i < 3; ++i) block(x + 34 + i * 20, x + 42 + i * 20, foot - 34, foot - 14, -0.08);
    }
};

}  // namespace

Picture draw_fog() {
    Painter painter;
    painter.sky();
    for (const Ridge& r : kRidges) {
        painter.ridge(r);
        if (r.seed == 203) painter.birds();
    }
    return to_picture(painter.canvas.halved(), 3, 0.4, 230);
}

}  // namespace tonescope::assets
