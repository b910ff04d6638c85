// The variant benchmark as CSV, Markdown and JSON.
#include <array>
#include <utility>

#include "app/benchmark/variant_benchmark.h"
#include "app/system/text_file.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

using Cells = std::vector<std::string>;

std::string memory_mode_text(const BenchmarkRow& row) {
    return row.memory ? std::string(kMemoryModeIds[size_t(*row.memory)]) : "";
}

/// "upload=0.41; apply=0.03": what `text_of` makes of each stage's time.
std::string stages_text(const BenchmarkRow& row, const char* between, const auto& text_of) {
    std::string text;
    for (const BenchmarkStage& stage : row.stages)
        text += (text.empty() ? "" : "; ") + std::string(stage.stage) + between + text_of(stage.time);
    return text;
}

std::string verdict(const BenchmarkRow& row) {
    if (row.differences == 0) return "identical";
    return row.variant->wrong_by_design ? "different by design" : "different";
}

std::string percentiles_text(const TimeSummary& time) {
    return number_text(time.median_ms) + " (" + number_text(time.p10_ms) + " to " + number_text(time.p90_ms) + ")";
}

std::string optional_text(const std::optional<double>& value) {
    return value ? number_text(*value) : "";
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

/// The bound on any number of lanes; empty where there is none.
std::optional<double> limit_of(const VariantBenchmark& benchmark) {
    if (!benchmark.sequential || *benchmark.sequential <= 0) return {};
    return amdahl_bound(*benchmark.sequential);
}

std::array<std::optional<double>, 4> values_of(const SpeedUps& speed_up) {
    return {speed_up.reference, speed_up.previous, speed_up.best_previous, speed_up.first_gpu};
}

Json timing_json(const VariantBenchmark& benchmark, const BenchmarkTime& timing) {
    const auto& [time, speed_up] = timing;
    return {{"median_ms", time.median_ms},
            {"p10_ms", time.p10_ms},
            {"p90_ms", time.p90_ms},
            {"mpixel_s", benchmark.mpixel_s(time.median_ms)},
            {"speed_up_reference", optional_json(speed_up.reference)},
            {"speed_up_previous", optional_json(speed_up.previous)},
            {"speed_up_best_previous", optional_json(speed_up.best_previous)},
            {"speed_up_first_gpu", optional_json(speed_up.first_gpu)}};
}

Json row_json(const VariantBenchmark& benchmark, const BenchmarkRow& row) {
    const VariantInfo& variant = *row.variant;
    const std::string memory = memory_mode_text(row);
    Json entry = {{"variant", variant.id},
                  {"name", variant.name},
                  {"source", variant.source},
                  {"backend", to_string(variant.backend)},
                  {"memory", memory.empty() ? Json() : Json(memory)},
                  {"ran", row.ran()},
                  {"reason", row.ran() ? Json() : Json(row.reason)}};
    if (!row.ran()) return entry;
    entry["identical"] = row.differences == 0;
    entry["differences"] = row.differences;
    entry["wrong_by_design"] = variant.wrong_by_design;
    entry["runs"] = row.runs;
    entry["total"] = timing_json(benchmark, row.total);
    entry["compute"] = timing_json(benchmark, row.compute);
    entry["amdahl_bound"] = optional_json(row.amdahl);
    entry["passes_amdahl_bound"] = row.amdahl ? Json(row.passes_bound(row.compute)) : Json();
    entry["stages"] = json_list(row.stages, [](const BenchmarkStage& stage) {
        return Json{{"stage", stage.stage},
                    {"ms", stage.time.median_ms},
                    {"p10_ms", stage.time.p10_ms},
                    {"p90_ms", stage.time.p90_ms},
                    {"bytes", stage.bytes}};
    });
    entry["kernels"] = kernels_json(row.kernels);
    return entry;
}

/// Names of the CSV's columns for one kind of time.
void add_timing_names(Cells& names, const std::string& kind) {
    for (const char* name : {"ms", "p10_ms", "p90_ms", "mpixel_s", "speed_up_reference", "speed_up_previous",
                             "speed_up_best_previous", "speed_up_first_gpu"})
        names.push_back(kind + "_" + name);
}

}  // namespace

std::string benchmark_csv(const VariantBenchmark& benchmark) {
    Cells names = {"variant", "name", "source", "backend", "memory", "result", "differences", "runs"};
    add_timing_names(names, "total");
    add_timing_names(names, "compute");
    for (const char* name :
         {"amdahl_bound", "amdahl_limit", "sequential_share", "stages_ms", "stages_p10_ms", "stages_p90_ms"})
        names.emplace_back(name);
    std::string text = csv_line(names);
    for (const BenchmarkRow& row : benchmark.rows) {
        const VariantInfo& variant = *row.variant;
        Cells cells = {std::string(variant.id), std::string(variant.name), std::string(variant.source),
                       std::string(to_string(variant.backend)), memory_mode_text(row)};
        if (row.ran()) {
            cells.push_back(verdict(row));
            cells.push_back(std::to_string(row.differences));
            cells.push_back(std::to_string(row.runs));
            for (const auto& [time, speed_up] : {row.total, row.compute}) {
                for (const double value :
                     {time.median_ms, time.p10_ms, time.p90_ms, benchmark.mpixel_s(time.median_ms)})
                    cells.push_back(number_text(value));
                for (const auto& value : values_of(speed_up)) cells.push_back(optional_text(value));
            }
            for (const auto& value : {row.amdahl, limit_of(benchmark), benchmark.sequential})
                cells.push_back(optional_text(value));
            for (double TimeSummary::*figure : {&TimeSummary::median_ms, &TimeSummary::p10_ms, &TimeSummary::p90_ms})
                cells.push_back(
                    stages_text(row, "=", [&](const TimeSummary& time) { return number_text(time.*figure); }));
        } else {
            cells.push_back("not run: " + row.reason);
        }
        cells.resize(names.size());
        text += csv_line(cells);
    }
    return text;
}

/// A table of what each kernel takes; empty where none ran.
std::string kernels_markdown(const VariantBenchmark& benchmark) {
    std::string lines;
    for (const BenchmarkRow& row : benchmark.rows) {
        if (!row.ran()) continue;
        for (const KernelResources& kernel : row.kernels)
            lines +=
                markdown_line({std::string(row.variant->id), std::string(kernel.stage), kernel.kernel,
                               std::to_string(kernel.launches), std::to_string(kernel.grid_blocks),
                               std::to_string(kernel.block_threads), std::to_string(kernel.registers),
                               std::to_string(kernel.shared_bytes), std::to_string(kernel.blocks_per_multiprocessor),
                               number_text(kernel.occupancy_percent)});
    }
    if (lines.empty()) return {};
    return "\n## Kernels\n\n" +
           markdown_line({"Variant", "Stage", "Kernel", "Launches", "Blocks", "Threads a block", "Registers a thread",
                          "Shared bytes a block", "Blocks a multiprocessor", "Occupancy %"}) +
           "|---|---|---|---:|---:|---:|---:|---:|---:|---:|\n" + lines;
}

std::string benchmark_markdown(const VariantBenchmark& benchmark) {
    std::string text = "# " + std::string(benchmark.op->name) + ": every variant compared\n\n";
    text += benchmark.input + ", " + size_text(benchmark.size.width, benchmark.size.height) + " pixels, " +
            std::to_string(benchmark.size.channels()) + (benchmark.size.channels() == 1 ? " channel" : " channels") +
            "\n";
    if (!benchmark.notice.empty()) text += benchmark.notice + "\n";
    text += "\nParameters: ";
    for (const ParamInfo& info : benchmark.op->params)
        text += (text.ends_with(": ") ? "" : ", ") + std::string(info.id) + "=" +
                format_value(info, benchmark.params.get(info));
    if (benchmark.op->params.empty()) text += "none";
    text += "\n\n" + benchmark.cpu_name + (benchmark.cuda_name.empty() ? "" : "; " + benchmark.cuda_name) + "\n\n";
    const Cells names = {"Variant",
                         "Report",
                         "Backend",
                         "Same as the reference",
                         "Total ms (10 to 90 %)",
                         "MPixel/s",
                         "\u00d7 reference",
                         "\u00d7 previous",
                         "\u00d7 fastest before",
                         "\u00d7 first GPU",
                         "Without copies ms (10 to 90 %)",
                         "\u00d7 reference",
                         "\u00d7 previous",
                         "\u00d7 fastest before",
                         "\u00d7 first GPU",
                         "Amdahl's bound",
                         "Stages ms (10 to 90 %)"};
    text += markdown_line(names) + "|---|---|---|---|";
    for (size_t i = 4; i + 1 < names.size(); ++i) text += "---:|";
    text += "---|\n";
    for (const BenchmarkRow& row : benchmark.rows) {
        const VariantInfo& variant = *row.variant;
        const std::string memory = memory_mode_text(row);
        Cells cells = {std::string(variant.id) + ": " + std::string(variant.name), std::string(variant.source),
                       std::string(to_string(variant.backend)) + (memory.empty() ? "" : ", " + memory)};
        if (row.ran()) {
            cells.push_back(row.result_text(benchmark.op->makes_bins));
            cells.push_back(percentiles_text(row.total.time));
            cells.push_back(number_text(benchmark.mpixel_s(row.total.time.median_ms)));
            for (const auto& value : values_of(row.total.speed_up)) cells.push_back(optional_text(value));
            cells.push_back(percentiles_text(row.compute.time));
            for (const auto& value : values_of(row.compute.speed_up)) cells.push_back(optional_text(value));
            cells.push_back(optional_text(row.amdahl) + (row.passes_bound(row.compute) ? " (passed)" : ""));
            cells.push_back(stages_text(row, " ", percentiles_text));
        } else {
            cells.push_back("not run: " + row.reason);
        }
        cells.resize(names.size());
        text += markdown_line(cells);
    }
    text +=
        "\nMedians after a warm-up. Total: all stages, with the copies between CPU and GPU memory. \"\u00d7 "
        "reference\": times as fast as the reference, plain loops on the CPU; \"\u00d7 previous\" and \"\u00d7 fastest "
        "before\": as the variant before it, and as the fastest one before it whose result is correct, on the same "
        "processor (CPU or GPU).\n";
    if (const std::string amdahl = amdahl_text(benchmark); !amdahl.empty()) text += "\n" + amdahl + ".\n";
    return text + kernels_markdown(benchmark);
}

Json benchmark_json(const VariantBenchmark& benchmark) {
    const Json amdahl = {
        {"sequential_stage", benchmark.op->sequential_stage.empty() ? Json() : Json(benchmark.op->sequential_stage)},
        {"sequential_share", optional_json(benchmark.sequential)},
        {"cpu_lanes", benchmark.cpu_lanes},
        {"gpu_lanes", benchmark.cuda_lanes > 0 ? Json(benchmark.cuda_lanes) : Json()},
        {"limit", optional_json(limit_of(benchmark))}};
    return {{"program", "tonescope"},
            {"version", TONESCOPE_VERSION},
            {"operator", benchmark.op->id},
            {"input", benchmark.input},
            {"width", benchmark.size.width},
            {"height", benchmark.size.height},
            {"channels", benchmark.size.channels()},
            {"notice", benchmark.notice.empty() ? Json() : Json(benchmark.notice)},
            {"parameters", params_json(benchmark.op->params, benchmark.params)},
            {"cpu", benchmark.cpu_name},
            {"gpu", benchmark.cuda_name.empty() ? Json() : Json(benchmark.cuda_name)},
            {"amdahl", amdahl},
            {"variants", json_list(benchmark.rows, [&](const BenchmarkRow& row) { return row_json(benchmark, row); })}};
}

bool can_write_benchmark(const std::string& path) {
    const std::string extension = extension_of(path);
    return extension == "csv" || extension == "json" || extension == "md" || extension == "png";
}

void write_benchmark(const std::string& path, const VariantBenchmark& benchmark, std::stop_token stop) {
    const std::string extension = extension_of(path);
    if (extension == "png") {
        save_image(path, benchmark_chart(benchmark).view(), std::move(stop));
    } else {
        write_text_file(path,
                        extension == "csv"    ? benchmark_csv(benchmark)
                        : extension == "json" ? to_text(benchmark_json(benchmark))
                                              : benchmark_markdown(benchmark),
                        std::move(stop));
    }
}

}  // namespace tonescope
