// What the scenes are drawn with. Everything is the same on every machine: doubles with + - * / and sqrt only (IEEE
// rounds those alike), no functions of libm that a platform may round differently, no random device. Built with
// -ffp-contract=off.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tonescope::assets {

inline constexpr double kPi = 3.14159265358979323846;

/// Display values, 0 black to 1 white, as linear light or gamma-coded: each scene says which.
struct Color {
    double r = 0, g = 0, b = 0;
};
constexpr Color operator+(Color a, Color b) {
    return {a.r + b.r, a.g + b.g, a.b + b.b};
}
constexpr Color operator*(Color a, Color b) {
    return {a.r * b.r, a.g * b.g, a.b * b.b};
}
constexpr Color operator*(Color a, double f) {
    return {a.r * f, a.g * f, a.b * f};
}

/// One a core.
int generator_threads();
double clamp01(double v);
double mix(double a, double b, double t);
Color mix(Color a, Color b, double t);
/// 0 below edge0, 1 above edge1, smooth between.
double smoothstep(double edge0, double edge1, double x);
double fraction(double v);

double sine(double radians);
double cosine(double radians);
/// e^x, 0 for x < -700.
double exponential(double x);
/// Natural logarithm, x > 0.
double logarithm(double x);

/// The same number for the same arguments, evenly spread over 0 to 1.
double hash(int64_t x, int64_t y, uint32_t seed);
/// Gradient noise, about -1 to 1, features one unit wide.
double noise(double x, double y, uint32_t seed);
/// `octaves` of noise, each twice as fine and half as strong; about -1 to 1.
double fractal_noise(double x, double y, int octaves, uint32_t seed);

/// Where a segment is nearest to a point: how far away, and which share of the way from a to b.
struct Nearest {
    double distance, along;
};
Nearest nearest_on(double ax, double ay, double bx, double by, double x, double y);

class Canvas {
  public:
    Canvas(int width, int height) : width_(width), height_(height), pixels_(size_t(width) * size_t(height)) {}
    int width() const { return width_; }
    int height() const { return height_; }
    Color& at(int x, int y) { return pixels_[size_t(y) * size_t(width_) + size_t(x)]; }
    const Color& at(int x, int y) const { return pixels_[size_t(y) * size_t(width_) + size_t(x)]; }
    /// Sets every pixel to what `shade` gives for its center; rows run in parallel.
    void fill(const std::function<Color(double x, double y)>& shade);
    /// Each 2x2 block averaged. Both sides are even.
    Canvas halved() const;

  private:
    int width_, height_;
    std::vector<Color> pixels_;
};

/// Samples of 0 to `max_sample`, one (gray: the green channel), three or four a pixel.
struct Picture {
    int width = 0, height = 0, channels = 0;
    int max_sample = 255;
    std::vector<uint16_t> samples;
    bool operator==(const Picture&) const = default;
};

/// Rounds with a dither of +-`dither` levels, so that gradients do not step.
Picture to_picture(const Canvas& canvas, int channels, double dither, uint32_t seed, int max_sample = 255);

// The pictures.
Picture draw_fog();              // hills and conifers fading in mist
Picture draw_night();            // a canal at night, under-exposed
Picture draw_radiograph();       // a hand, low contrast
Picture draw_page();             // a page of text, unevenly lit
Picture draw_planet();           // a cratered surface, low contrast
Picture draw_balloons();         // balloons over a field of tulips, noisy
Picture draw_deep_radiograph();  // the hand as a detector gives it, in 12 bits
Picture draw_cells();            // cells that fluoresce, in 16 bits of which most pixels use few

}  // namespace tonescope::assets
