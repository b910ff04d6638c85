#include <algorithm>

#include "app/benchmark/table_cells.h"
#include "app/cli/sweep/sweep_results.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

/// In full, for another program; empty where it is not defined.
std::string exact_text(const std::optional<double>& value) {
    if (!value) return {};
    char text[64];
    std::snprintf(text, sizeof text, "%.9g", *value);
    return text;
}

/// input, values, ms and figures of every row; `figure` writes a value of one.
std::vector<Cells> rows_of(const SweepResults& results, auto figure) {
    std::vector<Cells> rows;
    for (const SweptImage& image : results.images) {
        if (image.results.empty()) continue;
        const auto add = [&](std::string ms, const FigureValues& values, bool is_after) {
            Cells& row = rows.back();
            row.push_back(std::move(ms));
            for (size_t k = 0; k < values.figures.size(); ++k)
                row.push_back(figure(*values.figures[k], is_after ? values.after[k] : values.before[k]));
        };
        rows.push_back({image.reference.empty() ? image.input : image.input + " (" + image.reference + ")"});
        rows.back().resize(1 + results.sweeps.size());
        add({}, image.results[0].figures, false);
        for (const SweepResult& result : image.results) {
            rows.push_back({image.input});
            rows.back().insert(rows.back().end(), result.values.begin(), result.values.end());
            add(number_text(result.ms), result.figures, true);
        }
    }
    return rows;
}

Cells names_of(const SweepResults& results, auto figure) {
    Cells names = {"input"};
    for (const Sweep& sweep : results.sweeps) names.push_back(sweep.param);
    names.emplace_back("ms");
    for (const SweptImage& image : results.images) {
        if (image.results.empty()) continue;
        for (const FigureInfo* info : image.results[0].figures.figures) names.push_back(figure(*info));
        break;
    }
    return names;
}

/// What the table is of, so that it can be understood, and made again, by itself.
std::string settings_text(const SweepResults& results) {
    for (const SweptImage& image : results.images) {
        if (image.results.empty()) continue;
        const RunSpec& run = image.run;
        std::string text = std::string(run.op->name) + ", variant " + std::string(run.variant->id) + ", by Tonescope " +
                           TONESCOPE_VERSION + ":";
        for (const ParamInfo& info : run.op->params) {
            const bool is_swept = std::ranges::count(results.sweeps, info.id, &Sweep::param) > 0;
            if (is_swept || !is_active(run.op->params, info, run.params)) continue;
            text += " " + std::string(info.id) + "=" + format_value(info, run.params.get(info));
        }
        text += part_options(results.part);
        return text + ". The first row of each image is the image itself.\n\n";
    }
    return {};
}

}  // namespace

std::string values_text(const std::vector<Sweep>& sweeps, const std::vector<std::string>& values) {
    std::string text;
    for (size_t k = 0; k < sweeps.size(); ++k) text += (k > 0 ? ", " : "") + sweeps[k].param + " " + values[k];
    return text;
}

std::string sweep_csv(const SweepResults& results) {
    std::string text = csv_line(names_of(results, [](const FigureInfo& info) { return std::string(info.id); }));
    for (const Cells& row :
         rows_of(results, [](const FigureInfo&, const std::optional<double>& value) { return exact_text(value); }))
        text += csv_line(row);
    return text;
}

std::string sweep_markdown(const SweepResults& results) {
    const Cells names = names_of(results, [](const FigureInfo& info) {
        return std::string(info.label) + (info.unit.empty() ? "" : ", " + std::string(info.unit));
    });
    std::string text = settings_text(results) + markdown_line(names) + "|---|" + [&] {
        std::string rules;
        for (size_t k = 1; k < names.size(); ++k) rules += "---:|";
        return rules;
    }() + "\n";
    for (const Cells& row : rows_of(results, [](const FigureInfo&info, const std::optional<double>&value) {
             return value ? figure_text(info, value, false) : std::string();
         }))
        text += markdown_line(row);
    for (const SweptImage& image : results.images)
        if (!image.error.empty()) text += "\nNot done: " + printable(image.error) + "\n";
    return text;
}

Json sweep_json(const SweepResults& results) {
    Json json = {{"program", "tonescope"}, {"version", TONESCOPE_VERSION}};
    json["sweeps"] = json_list(results.sweeps, [](const Sweep& sweep) {
        return Json{{"parameter", sweep.param}, {"values", sweep.values}};
    });
    json["images"] = json_list(results.images, [&](const SweptImage& image) {
        if (!image.error.empty()) return Json{{"input", image.input}, {"error", image.error}};
        Json entry = {{"input", image.input},
                      {"reference", image.reference.empty() ? Json() : Json(image.reference)},
                      {"width", image.spec.width},
                      {"height", image.spec.height},
                      {"operator", image.run.op->id},
                      {"variant", image.run.variant->id},
                      {"parameters", params_json(image.run.op->params, image.run.params)},
                      {"before", figures_json(image.results[0].figures)["before"]}};
        entry.update(part_json(image.run.part));
        for (const Sweep& sweep : results.sweeps) entry["parameters"].erase(sweep.param);
        entry["results"] = json_list(image.results, [&](const SweepResult& result) {
            Json values = Json::object();
            for (size_t k = 0; k < results.sweeps.size(); ++k) values[results.sweeps[k].param] = result.values[k];
            return Json{{"values", std::move(values)},
                        {"output", result.output.empty() ? Json() : Json(result.output)},
                        {"ms", result.ms},
                        {"after", figures_json(result.figures)["after"]}};
        });
        return entry;
    });
    return json;
}

}  // namespace tonescope
