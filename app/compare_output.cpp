// A comparison as CSV, Markdown and JSON.
#include "app/compare.h"

namespace tonescope {
namespace {

using Cells = std::vector<std::string>;

std::string memory_text(const ComparisonRow& row) {
    return row.memory ? std::string(kMemoryModeIds[size_t(*row.memory)]) : "";
}

std::string stages_text(const ComparisonRow& row) {
    std::string text;
    for (const StageTime& stage : row.stages)
        text += (text.empty() ? "" : "; ") + std::string(stage.stage) + "=" + number_text(stage.ms);
    return text;
}

std::string optional_text(const std::optional<double>& value) {
    return value ? number_text(*value) : "";
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

std::string csv_line(const Cells& cells) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : ",") + csv_cell(cells[i]);
    return line + "\n";
}

std::string markdown_line(const Cells& cells) {
    std::string line = "|";
    for (const std::string& cell : cells) {
        std::string escaped;
        for (const char c : cell) escaped += c == '|' ? "\\|" : std::string(1, c);
        line += " " + escaped + " |";
    }
    return line + "\n";
}

Json optional_json(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

Json timing_json(const Comparison& comparison, const Spread& time, const SpeedUps& speed_up) {
    return {{"median_ms", time.median_ms},
            {"p10_ms", time.p10_ms},
            {"p90_ms", time.p90_ms},
            {"mpixel_s", comparison.mpixel_s(time.median_ms)},
            {"speed_up_reference", optional_json(speed_up.reference)},
            {"speed_up_previous", optional_json(speed_up.previous)},
            {"speed_up_first_gpu", optional_json(speed_up.first_gpu)}};
}

}  // namespace

std::string ComparisonRow::result_text(bool bins) const {
    if (differences == 0) return "identical";
    const std::string what = bins ? "bin" : "pixel";
    return std::to_string(differences) + " " + what + (differences == 1 ? " differs" : "s differ") +
           (rung->wrong_by_design ? " by design" : "");
}

std::string comparison_csv(const Comparison& comparison) {
    std::string text = csv_line({"variant",
                                 "name",
                                 "source",
                                 "backend",
                                 "memory",
                                 "result",
                                 "differences",
                                 "runs",
                                 "total_ms",
                                 "total_p10_ms",
                                 "total_p90_ms",
                                 "total_mpixel_s",
                                 "total_speed_up_reference",
                                 "total_speed_up_previous",
                                 "total_speed_up_first_gpu",
                                 "compute_ms",
                                 "compute_p10_ms",
                                 "compute_p90_ms",
                                 "compute_mpixel_s",
                                 "compute_speed_up_reference",
                                 "compute_speed_up_previous",
                                 "compute_speed_up_first_gpu",
                                 "stages_ms"});
    for (const ComparisonRow& row : comparison.rows) {
        const RungInfo& rung = *row.rung;
        Cells cells = {std::string(rung.id), std::string(rung.name), std::string(rung.source),
                       std::string(to_string(rung.backend)), memory_text(row)};
        if (row.ran()) {
            cells.push_back(row.differences == 0 ? "identical" : "different");
            cells.push_back(std::to_string(row.differences));
            cells.push_back(std::to_string(row.runs));
            const auto add_timing = [&](const Spread& time, const SpeedUps& speed_up) {
                for (const double value :
                     {time.median_ms, time.p10_ms, time.p90_ms, comparison.mpixel_s(time.median_ms)})
                    cells.push_back(number_text(value));
                for (const auto& value : {speed_up.reference, speed_up.previous, speed_up.first_gpu})
                    cells.push_back(optional_text(value));
            };
            add_timing(row.total, row.total_speed_up);
            add_timing(row.compute, row.compute_speed_up);
            cells.push_back(stages_text(row));
        } else {
            cells.push_back("not run: " + row.not_run);
            cells.resize(23);
        }
        text += csv_line(cells);
    }
    return text;
}

std::string comparison_markdown(const Comparison& comparison) {
    std::string text = "# " + std::string(comparison.op->name) + ": every variant compared\n\n";
    text += comparison.input + ", " + std::to_string(comparison.size.width) + " x " +
            std::to_string(comparison.size.height) + " pixels, " + std::to_string(comparison.size.channels()) +
            (comparison.size.channels() == 1 ? " channel" : " channels") + "\n";
    if (!comparison.notice.empty()) text += comparison.notice + "\n";
    text += "\nParameters: ";
    for (const ParamInfo& info : comparison.op->params)
        text += (text.ends_with(": ") ? "" : ", ") + std::string(info.id) + "=" +
                format_value(info, comparison.params.get(info));
    if (comparison.op->params.empty()) text += "none";
    text += "\n\n" + comparison.cpu_name + (comparison.cuda_name.empty() ? "" : "; " + comparison.cuda_name) + "\n\n";
    text +=
        markdown_line({"Variant", "Source", "Backend", "Result", "Total ms (10 to 90 %)", "MPixel/s", "x reference",
                       "x before", "x first GPU", "Kernels ms", "x reference", "x before", "x first GPU", "Stages ms"});
    text += "|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n";
    for (const ComparisonRow& row : comparison.rows) {
        const RungInfo& rung = *row.rung;
        const std::string memory = memory_text(row);
        Cells cells = {std::string(rung.id) + ": " + std::string(rung.name), std::string(rung.source),
                       std::string(to_string(rung.backend)) + (memory.empty() ? "" : ", " + memory)};
        if (row.ran()) {
            cells.push_back(row.result_text(comparison.op->makes_bins));
            cells.push_back(number_text(row.total.median_ms) + " (" + number_text(row.total.p10_ms) + " to " +
                            number_text(row.total.p90_ms) + ")");
            cells.push_back(number_text(comparison.mpixel_s(row.total.median_ms)));
            const auto add_speed_ups = [&](const SpeedUps& speed_up) {
                for (const auto& value : {speed_up.reference, speed_up.previous, speed_up.first_gpu})
                    cells.push_back(optional_text(value));
            };
            add_speed_ups(row.total_speed_up);
            cells.push_back(number_text(row.compute.median_ms));
            add_speed_ups(row.compute_speed_up);
            cells.push_back(stages_text(row));
        } else {
            cells.push_back("not run: " + row.not_run);
            cells.resize(14);
        }
        text += markdown_line(cells);
    }
    return text + "\nMedians after a warm-up. Total: all stages with copies. Kernels: without copies between host and device.\n";
}

Json comparison_json(const Comparison& comparison) {
    Json variants = Json::array();
    for (const ComparisonRow& row : comparison.rows) {
        const RungInfo& rung = *row.rung;
        const std::string memory = memory_text(row);
        Json entry = {{"variant", rung.id},
                      {"name", rung.name},
                      {"source", rung.source},
                      {"backend", to_string(rung.backend)},
                      {"memory", memory.empty() ? Json() : Json(memory)},
                      {"ran", row.ran()},
                      {"reason", row.ran() ? Json() : Json(row.not_run)}};
        if (row.ran()) {
            entry["identical"] = row.differences == 0;
            entry["differences"] = row.differences;
            entry["wrong_by_design"] = rung.wrong_by_design;
            entry["runs"] = row.runs;
            entry["total"] = timing_json(comparison, row.total, row.total_speed_up);
            entry["compute"] = timing_json(comparison, row.compute, row.compute_speed_up);
            entry["stages"] = stages_json(row.stages);
        }
        variants.push_back(entry);
    }
    return {{"program", "tonescope"},
            {"version", TONESCOPE_VERSION},
            {"operator", comparison.op->id},
            {"input", comparison.input},
            {"width", comparison.size.width},
            {"height", comparison.size.height},
            {"channels", comparison.size.channels()},
            {"notice", comparison.notice.empty() ? Json() : Json(comparison.notice)},
            {"parameters", params_json(comparison.op->params, comparison.params)},
            {"cpu", comparison.cpu_name},
            {"gpu", comparison.cuda_name.empty() ? Json() : Json(comparison.cuda_name)},
            {"variants", variants}};
}

}  // namespace tonescope
