#include "ui/views/modes/grid_axes.h"

#include <algorithm>

#include "gpu/core/error.h"

namespace tonescope::ui {
namespace {

constexpr std::string_view kOfVariant = "variant:";

void follow_axis(GridAxis& axis, const RunModel& run, int count) {
    std::vector<int32_t> fresh = grid_values(*axis.param.info, value_of(run, axis.param), count);
    if (axis.values.size() < fresh.size()) axis.values = std::move(fresh);
    axis.values.resize(std::min(axis.values.size(), static_cast<size_t>(count)));
}

}  // namespace

std::string place_name(const ParamPlace& param) {
    return param.name() + (param.of_variant ? " (variant)" : "");
}

std::string axis_text(const GridAxis& axis) {
    std::string text = (axis.param.of_variant ? std::string(kOfVariant) : "") + std::string(axis.param.info->id) + "=";
    for (size_t k = 0; k < axis.values.size(); ++k)
        text += (k == 0 ? "" : ",") + format_value(*axis.param.info, axis.values[k]);
    return text;
}

GridAxis axis_from(std::string_view text, const RunModel& run) {
    GridAxis axis;
    axis.param.of_variant = text.starts_with(kOfVariant);
    if (axis.param.of_variant) text.remove_prefix(kOfVariant.size());
    const size_t name = std::min(text.find('='), text.size());
    const std::vector<ParamPlace> params = active_params(run);
    const auto found = std::ranges::find_if(params, [&](const ParamPlace& param) {
        return param.of_variant == axis.param.of_variant && param.info->id == text.substr(0, name);
    });
    if (found == params.end()) return {};
    axis.param = *found;
    text.remove_prefix(std::min(name + 1, text.size()));
    while (!text.empty() && axis.values.size() < size_t{kMaxPanes}) {
        const size_t end = std::min(text.find(','), text.size());
        try {
            axis.values.push_back(parse_value(*axis.param.info, std::string(text.substr(0, end))));
        } catch (const UsageError&) {
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return axis;
}

std::string GridAxes::text_of(size_t cell) const {
    Caption caption;
    for (const auto& [param, value] : values_of(cell)) caption.parts.push_back({param.text(value)});
    return caption.text();
}

bool GridAxes::is_in_use(const RunModel& run, size_t cell) const {
    return std::ranges::all_of(values_of(cell), [&](const ParamValue& v) { return value_of(run, v.param) == v.value; });
}

void GridAxes::vary_columns(const ParamPlace& param) {
    if (param == view_.rows.param)
        std::swap(view_.rows, view_.columns);
    else
        view_.columns = {param, {}};
}

void GridAxes::vary_rows(const std::optional<ParamPlace>& param) {
    if (param == view_.columns.param)
        std::swap(view_.rows, view_.columns);
    else
        view_.rows = {param.value_or(ParamPlace{}), {}};
}

void GridAxes::renew_values() {
    view_.columns.values.clear();
    view_.rows.values.clear();
}

ParamPlace GridAxes::default_param(const RunModel& run) const {
    std::vector<ParamPlace> params = active_params(run);
    if (params.size() > 1) std::erase(params, view_.rows.param);
    if (std::ranges::find(params, last_changed_) != params.end()) return last_changed_;
    const auto main = std::ranges::find_if(params, [](const ParamPlace& p) { return p.info->main; });
    if (main != params.end()) return *main;
    const auto numeric =
        std::ranges::find_if(params, [](const ParamPlace& p) { return p.info->kind != ParamKind::choice; });
    return numeric != params.end() ? *numeric : params.front();
}

void GridAxes::follow(const RunModel& run, int columns, int rows) {
    const std::vector<ParamPlace> params = active_params(run);
    const auto matters = [&](const GridAxis& axis) { return std::ranges::find(params, axis.param) != params.end(); };
    if (has_rows() && !matters(view_.rows)) view_.rows = {};
    if (!matters(view_.columns)) view_.columns = {default_param(run), {}};
    if (view_.rows.param == view_.columns.param) view_.rows = {};
    follow_axis(view_.columns, run, columns);
    if (has_rows()) follow_axis(view_.rows, run, rows);
}

}  // namespace tonescope::ui
