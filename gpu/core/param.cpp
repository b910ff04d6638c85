#include "gpu/core/param.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

std::string allowed(const ParamInfo& info) {
    if (info.kind == ParamKind::choice) return "one of " + spell_out({info.values.begin(), info.values.end()}, "");
    const std::string range = format_value(info, info.min) + " to " + format_value(info, info.max);
    const bool has_steps = info.kind == ParamKind::decimal || info.step != 1;
    return has_steps ? range + " in steps of " + format_value(info, info.step) : range;
}

[[noreturn]] void refuse(const ParamInfo& info, std::string_view text) {
    throw UsageError(std::string(info.id) + "=" + std::string(text) + ": expected " + allowed(info));
}

/// A number without an exponent in units of 1 / scale; empty where the text is none or falls between two of them.
std::optional<int64_t> parse_scaled(std::string_view text, int32_t scale) {
    if (text.starts_with("+-")) return {};
    if (text.starts_with('+')) text.remove_prefix(1);
    if (text.find_first_not_of("-.0123456789") != std::string_view::npos) return {};
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || std::abs(value) > 1e10) return {};
    const double scaled = value * scale, whole = std::round(scaled);
    if (std::abs(scaled - whole) > 1e-12 * std::max(1.0, std::abs(scaled))) return {};  // more than rounding explains
    return int64_t(whole);
}

/// `count` values `step` apart with `around` among them, shifted into the range.
std::vector<int32_t> neighbors(const ParamInfo& info, int32_t around, int count) {
    const int64_t steps = (int64_t{info.max} - info.min) / info.step + 1;
    const int64_t at = (int64_t{around} - info.min) / info.step;
    const int64_t number = std::min<int64_t>(count, steps);
    const int64_t first = std::clamp<int64_t>(at - (number - 1) / 2, 0, steps - number);
    std::vector<int32_t> values;
    for (int64_t k = 0; k < number; ++k) values.push_back(int32_t(info.min + (first + k) * info.step));
    return values;
}

/// Values that double every `steps` of them, `around` among them. Empty where they are not all different.
std::vector<int32_t> geometric_values(const ParamInfo& info, int32_t around, int count, int steps) {
    const int32_t least = std::max(info.min, info.step);
    const auto value_at = [&](int k) { return around * std::exp2(double(k) / steps); };
    int before = (count - 1) / 2;  // how many stand before `around`
    while (before > 0 && value_at(-before) < least) --before;
    while (before < count - 1 && value_at(count - 1 - before) > info.max) ++before;
    std::vector<int32_t> values;
    for (int k = 0; k < count; ++k) {
        const int32_t value = clamp_value(info, std::llround(value_at(k - before)));
        if (!values.empty() && value <= values.back()) return {};
        values.push_back(value);
    }
    return values;
}

}  // namespace

std::string_view to_string(ParamKind kind) {
    constexpr std::string_view names[] = {"int", "decimal", "choice"};
    return names[size_t(kind)];
}

ParamBlock default_values(std::span<const ParamInfo> table) {
    ParamBlock block;
    for (const ParamInfo& info : table) block.set(info, info.default_value);
    return block;
}

const ParamInfo* find_param(std::span<const ParamInfo> table, std::string_view id) {
    const auto found = std::ranges::find(table, id, &ParamInfo::id);
    return found == table.end() ? nullptr : &*found;
}

bool is_active(std::span<const ParamInfo> table, const ParamInfo& info, const ParamBlock& block) {
    if (info.active_if.empty()) return true;
    const ParamInfo* condition = find_param(table, info.active_if);
    return condition == nullptr || block.get(*condition) == info.active_value;
}

std::string format_value(const ParamInfo& info, int32_t value) {
    if (info.kind == ParamKind::choice) return std::string(info.values[size_t(value)]);
    if (info.kind == ParamKind::integer) return std::to_string(value);
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", int(std::lround(std::log10(info.scale))), double(value) / info.scale);
    return text;
}

int32_t parse_value(const ParamInfo& info, std::string_view text) {
    if (info.kind == ParamKind::choice) {
        const auto found = std::ranges::find(info.values, text);
        if (found == info.values.end()) refuse(info, text);
        return int32_t(found - info.values.begin());
    }
    const std::optional<int64_t> value = parse_scaled(text, info.scale);
    if (!value || *value < info.min || *value > info.max || (*value - info.min) % info.step != 0) refuse(info, text);
    return int32_t(*value);
}

int32_t clamp_value(const ParamInfo& info, int64_t value) {
    const int64_t steps = (std::clamp<int64_t>(value, info.min, info.max) - info.min + info.step / 2) / info.step;
    return int32_t(std::min<int64_t>(info.min + steps * info.step, info.max));
}

std::vector<int32_t> grid_values(const ParamInfo& info, int32_t around, int count) {
    around = clamp_value(info, around);
    if (info.kind == ParamKind::choice) return neighbors(info, around, count);
    if (around <= 0 && info.default_value > 0 && count > 1) {  // nothing is twice 0
        std::vector<int32_t> values = grid_values(info, info.default_value, count - 1);
        if (values.front() > around) {
            values.insert(values.begin(), around);
            return values;
        }
    }
    const bool are_many = count > 4;
    for (int steps = are_many ? 2 : 1; steps <= (are_many ? 8 : 1); steps *= 2) {  // within a doubling
        std::vector<int32_t> values = geometric_values(info, around, count, steps);
        if (!values.empty()) return values;
    }
    return neighbors(info, around, count);
}

}  // namespace tonescope
