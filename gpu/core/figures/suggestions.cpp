#include "gpu/core/figures/suggestions.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tonescope {
namespace {

constexpr int kPoints = 13;
constexpr double kFlatShare = 0.03;
constexpr int kMaxPart_px = 1 << 20;

std::vector<SuggestedParam>& registered_params() {
    static auto* const instance = new std::vector<SuggestedParam>;  // never freed: entries are pointed to everywhere
    return *instance;
}

/// On the curve's axis, which is that of the slider.
double position(const ParamInfo& info, double value) {
    return info.logarithmic ? std::log(value) : value;
}
double at_position(const ParamInfo& info, double position) {
    return info.logarithmic ? std::exp(position) : position;
}

/// Points at which the figure is defined.
struct Point {
    double position, figure;
};
std::vector<Point> points_of(const ParamInfo& info, const SuggestionCurve& curve) {
    std::vector<Point> points;
    for (size_t k = 0; k < curve.values.size(); ++k)
        if (curve.figures[k]) points.push_back({position(info, curve.values[k]), *curve.figures[k]});
    return points;
}

std::string share_text(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g %%", share * 100);
    return text;
}

}  // namespace

SuggestionRegistration::SuggestionRegistration(const SuggestedParam& param) {
    registered_params().push_back(param);
}

const SuggestedParam* find_suggested(std::string_view op, std::string_view param) {
    const auto found = std::ranges::find_if(
        registered_params(), [&](const SuggestedParam& one) { return one.op == op && one.param == param; });
    return found == registered_params().end() ? nullptr : &*found;
}

bool SuggestionCurve::is_flat() const {
    std::vector<double> known;
    for (const std::optional<double>& value : figures)
        if (value) known.push_back(*value);
    if (known.size() < 3) return true;
    const auto [least, greatest] = std::ranges::minmax(known);
    return greatest - least < kFlatShare * std::max(std::abs(least), std::abs(greatest)) || least == greatest;
}

std::vector<int32_t> suggestion_values(const SuggestedParam& suggested, const ParamInfo& info) {
    const double mild = position(info, suggested.mild);
    const double strong = position(info, suggested.strong);
    std::vector<int32_t> values;
    for (int k = 0; k < kPoints; ++k)
        values.push_back(
            clamp_value(info, std::llround(at_position(info, mild + (strong - mild) * k / (kPoints - 1)))));
    values.erase(std::ranges::unique(values).begin(), values.end());
    return values;
}

std::optional<SuggestionMark> find_mark(const SuggestionRule& rule, const ParamInfo& info,
                                        const SuggestionCurve& curve) {
    const std::vector<Point> points = points_of(info, curve);
    if (points.size() < 2) return std::nullopt;
    double level = rule.level;
    if (rule.kind == SuggestionRule::Kind::levels_off)
        level = std::ranges::max(points, {}, &Point::figure).figure / (1 + rule.level);
    const auto passed = std::ranges::find_if(points, [&](const Point& point) { return point.figure > level; });
    if (passed == points.begin() || passed == points.end()) return std::nullopt;
    const Point& before = *(passed - 1);
    const double share = (level - before.figure) / (passed->figure - before.figure);
    const double at = at_position(info, before.position + share * (passed->position - before.position));
    // Three digits: more would look more exact than a curve of a dozen points is.
    const double unit = std::max(std::pow(10.0, std::floor(std::log10(std::max(at, 1.0))) - 2), 1.0);
    SuggestionMark mark{.value = clamp_value(info, std::llround(std::round(at / unit) * unit)),
                        .is_flat = curve.is_flat()};
    const std::string where = (curve.values.back() > curve.values.front() ? " above " : " below ") +
                              format_value(info, mark.value) + (info.unit.empty() ? "" : " " + std::string(info.unit));
    mark.reason = std::string(curve.figure->label) +
                  (rule.kind == SuggestionRule::Kind::passes ? " passes " + figure_text(*curve.figure, rule.level, true)
                                                             : " gains less than " + share_text(rule.level)) +
                  where;
    return mark;
}

Rect suggestion_part(const ImageSpec& image, const Rect& region) {
    Rect part = region.width > 0 && region.height > 0 ? region : Rect{0, 0, image.width, image.height};
    if (int64_t{part.width} * part.height <= kMaxPart_px) return part;
    // A square of that many pixels, or where a side is shorter, as much of the other one as there is room for.
    const auto side = int(std::sqrt(kMaxPart_px));
    int width = std::min(part.width, side);
    const int height = std::min(part.height, kMaxPart_px / width);
    width = std::min(part.width, kMaxPart_px / height);
    return {part.x + (part.width - width) / 2, part.y + (part.height - height) / 2, width, height};
}

}  // namespace tonescope
