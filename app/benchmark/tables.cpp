// The variant benchmark as CSV and Markdown.
#include "app/benchmark/table_cells.h"

#include <utility>

#include "app/benchmark/variant_benchmark.h"
#include "app/system/text_file.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

std::string memory_mode_text(const BenchmarkRow& row) {
    return row.memory ? std::string(kMemoryModeIds[size_t(*row.memory)]) : "";
}

/// "upload=0.41; apply=0.03": what `text_of` makes of each stage.
std::string stages_text(const BenchmarkRow& row, const char* between, const auto& text_of) {
    std::string text;
    for (const BenchmarkStage& stage : row.stages)
        text += (text.empty() ? "" : "; ") + std::string(stage.stage) + between + text_of(stage);
    return text;
}

std::string verdict(const BenchmarkRow& row) {
    if (row.differences == 0) return "identical";
    return row.variant->wrong_by_design ? "different by design" : "different";
}

std::string optional_text(const std::optional<double>& value) {
    return value ? number_text(*value) : "";
}

std::optional<double> value_of(const std::optional<Ratio>& ratio) {
    return ratio ? std::optional(ratio->value) : std::nullopt;
}

/// Names of the CSV's columns for one kind of time.
void add_time_names(Cells& names, const std::string& kind) {
    for (const char* name : {"ms", "low_ms", "high_ms", "p10_ms", "p90_ms", "mpixel_s", "speed_up_basis",
                             "speed_up_basis_low", "speed_up_basis_high", "speed_up_first_gpu", "speed_up_reference"})
        names.push_back(kind + "_" + name);
}

void add_time_cells(Cells& cells, const VariantBenchmark& benchmark, const BenchmarkTime& times) {
    const auto add = [&](const std::optional<double>& value) { cells.push_back(optional_text(value)); };
    const auto add_interval = [&](const std::optional<Interval>& interval) {
        add(interval ? std::optional(interval->low) : std::nullopt);
        add(interval ? std::optional(interval->high) : std::nullopt);
    };
    const auto& [time, interval, speed_up] = times;
    add(time.median_ms);
    add_interval(interval);
    add(time.p10_ms);
    add(time.p90_ms);
    add(benchmark.mpixel_s(time.median_ms));
    add(value_of(speed_up.basis));
    add_interval(speed_up.basis ? speed_up.basis->interval : std::nullopt);
    add(value_of(speed_up.first_gpu));
    add(value_of(speed_up.reference));
}

}  // namespace

std::string interval_text(const std::optional<Interval>& interval) {
    return interval ? " (" + number_text(interval->low) + " to " + number_text(interval->high) + ")" : "";
}

std::string time_text(const BenchmarkTime& times) {
    return number_text(times.time.median_ms) + interval_text(times.interval);
}

std::string with_interval(const std::optional<Ratio>& ratio) {
    if (!ratio) return {};
    return number_text(ratio->value) + interval_text(ratio->interval) +
           (ratio->is_no_difference() ? ", no difference measured" : "");
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

Cells benchmark_csv_names() {
    Cells names = {"variant", "name", "source", "backend", "memory", "basis", "result", "differences", "runs"};
    for (const char* kind : {"total", "compute", "kernels"}) add_time_names(names, kind);
    for (const char* name :
         {"host_ms", "copies_ms", "low_clock_percent", "amdahl_bound", "amdahl_limit", "sequential_share", "limit",
          "stages_ms", "stages_p10_ms", "stages_p90_ms", "stages_speed_up_basis"})
        names.emplace_back(name);
    return names;
}

Cells benchmark_csv_cells(const VariantBenchmark& benchmark, const BenchmarkRow& row) {
    const VariantInfo& variant = *row.variant;
    Cells cells = {std::string(variant.id),     row.name(),
                   std::string(variant.source), std::string(to_string(variant.backend)),
                   memory_mode_text(row),       row.basis};
    if (row.ran()) {
        cells.push_back(verdict(row));
        cells.push_back(std::to_string(row.differences));
        cells.push_back(std::to_string(row.runs));
        for (const BenchmarkTime* times : {&row.total, &row.compute, &row.kernels})
            add_time_cells(cells, benchmark, *times);
        cells.push_back(number_text(row.host_ms));
        cells.push_back(number_text(row.copies_ms));
        cells.push_back(row.low_clock_percent > 0 ? number_text(row.low_clock_percent) : "");
        for (const auto& value : {row.amdahl, amdahl_limit(benchmark), benchmark.sequential})
            cells.push_back(optional_text(value));
        cells.emplace_back(row.limit.id());
        for (double TimeSummary::*figure : {&TimeSummary::median_ms, &TimeSummary::p10_ms, &TimeSummary::p90_ms})
            cells.push_back(
                stages_text(row, "=", [&](const BenchmarkStage& stage) { return number_text(stage.time.*figure); }));
        cells.push_back(
            stages_text(row, "=", [](const BenchmarkStage& stage) { return optional_text(value_of(stage.basis)); }));
    } else {
        cells.push_back("not run: " + row.reason);
    }
    cells.resize(benchmark_csv_names().size());
    return cells;
}

std::string benchmark_csv(const VariantBenchmark& benchmark) {
    std::string text = csv_line(benchmark_csv_names());
    for (const BenchmarkRow& row : benchmark.rows) text += csv_line(benchmark_csv_cells(benchmark, row));
    return text;
}

/// A table of what each kernel takes; empty where none ran.
std::string kernels_markdown(const VariantBenchmark& benchmark) {
    std::string lines;
    for (const BenchmarkRow& row : benchmark.rows) {
        if (!row.ran()) continue;
        for (const KernelResources& kernel : row.kernel_resources)
            lines +=
                markdown_line({std::string(row.variant->id), std::string(kernel.stage), kernel.kernel,
                               std::to_string(kernel.launches), std::to_string(kernel.grid_blocks),
                               std::to_string(kernel.block_threads), std::to_string(kernel.registers),
                               std::to_string(kernel.shared_bytes), std::to_string(kernel.blocks_per_multiprocessor),
                               number_text(kernel.occupancy_percent) + kernel.occupancy.limit_text()});
    }
    if (lines.empty()) return {};
    return "\n## Kernels\n\n" +
           markdown_line({"Variant", "Stage", "Kernel", "Launches", "Blocks", "Threads a block", "Registers a thread",
                          "Shared bytes a block", "Blocks a multiprocessor", "Occupancy %"}) +
           "|---|---|---|---:|---:|---:|---:|---:|---:|---:|\n" + lines;
}

/// A sentence for each variant; empty where nothing is known.
std::string limits_markdown(const VariantBenchmark& benchmark) {
    std::string lines;
    for (const BenchmarkRow& row : benchmark.rows)
        if (row.ran() && row.limit.is_known())
            lines += "- **" + row.name() + ".** " + row.limit.text(number_text) + ".\n";
    if (lines.empty()) return {};
    return "\n## Limits\n\n" + roofs_text(benchmark) + ".\n\n" + lines;
}

/// A table of what reports say beside what was measured; empty where they say nothing.
std::string claims_markdown(const VariantBenchmark& benchmark) {
    std::string lines;
    for (const BenchmarkRow& row : benchmark.rows)
        for (const ClaimFinding& finding : row.claims)
            lines += markdown_line({std::string(finding.report->id), std::string(row.variant->id),
                                    std::string(finding.claim->against), std::string(finding.claim->says),
                                    finding.claim->times > 0 ? number_text(finding.claim->times) : "",
                                    number_text(finding.here.value) + interval_text(finding.here.interval),
                                    std::string(to_string(finding.verdict()))});
    if (lines.empty()) return {};
    return "\n## What the reports say\n\n" +
           markdown_line({"Report", "Variant", "Against", "It says", "Times as fast there", "Here", "Verdict"}) +
           "|---|---|---|---|---:|---:|---|\n" + lines;
}

std::string benchmark_markdown(const VariantBenchmark& benchmark) {
    std::string text = "# " + std::string(benchmark.op->name) + ": " + subject_title(benchmark) + "\n\n";
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
    const std::string against = "against " + basis_title(benchmark);
    const Cells names = {benchmark.by_memory_mode ? "Memory" : "Variant",
                         "Report",
                         "Backend",
                         "Same as the reference",
                         "Kernels ms",
                         "Host ms",
                         "Copies ms",
                         "Total ms",
                         "MPixel/s",
                         "Kernels " + against,
                         "Total " + against,
                         "Stage " + against,
                         "Total \u00d7 reference",
                         "Without copies ms",
                         "\u00d7 reference",
                         "Amdahl's bound",
                         "Stages ms"};
    text += markdown_line(names) + "|---|---|---|---|";
    for (size_t i = 4; i + 1 < names.size(); ++i) text += "---:|";
    text += "---|\n";
    for (const BenchmarkRow& row : benchmark.rows) {
        const VariantInfo& variant = *row.variant;
        const std::string memory = memory_mode_text(row);
        Cells cells = {std::string(variant.id) + ": " + row.name(), std::string(variant.source),
                       std::string(to_string(variant.backend)) + (memory.empty() ? "" : ", " + memory)};
        if (row.ran()) {
            const BenchmarkStage* changed = row.changed_stage();
            cells.push_back(row.result_text(benchmark.op->makes_bins));
            cells.push_back(time_text(row.kernels));
            cells.push_back(number_text(row.host_ms));
            cells.push_back(number_text(row.copies_ms));
            cells.push_back(time_text(row.total));
            cells.push_back(number_text(benchmark.mpixel_s(row.total.time.median_ms)));
            cells.push_back(with_interval(row.kernels.speed_up.basis));
            cells.push_back(with_interval(row.total.speed_up.basis));
            cells.push_back(changed == nullptr ? ""
                                               : std::string(changed->stage) + " " + with_interval(changed->basis));
            cells.push_back(optional_text(value_of(row.total.speed_up.reference)));
            cells.push_back(time_text(row.compute));
            cells.push_back(optional_text(value_of(row.compute.speed_up.reference)));
            cells.push_back(row.bound_text(row.compute, number_text));
            cells.push_back(
                stages_text(row, " ", [](const BenchmarkStage& stage) { return number_text(stage.time.median_ms); }));
        } else {
            cells.push_back("not run: " + row.reason);
        }
        cells.resize(names.size());
        text += markdown_line(cells);
    }
    text +=
        "\nMedians of interleaved runs after a warm-up, with their 95 % intervals. Kernels: while the device computes, "
        "by "
        "runs that are traced. Host: between kernels, it makes a table, waits or starts kernels. Copies: pixels travel "
        "between CPU and GPU memory, and no kernel runs. The three add up to the total. \"Against\": times as fast "
        "as " +
        basis_title(benchmark) +
        "; where the interval holds 1, no difference was measured. \"Stage\": the stage that differs most. \"\u00d7 "
        "reference\": times as fast as plain loops on the CPU.\n";
    for (const std::string& sentence : {clock_text(benchmark), amdahl_text(benchmark)})
        if (!sentence.empty()) text += "\n" + sentence + ".\n";
    return text + claims_markdown(benchmark) + limits_markdown(benchmark) + kernels_markdown(benchmark);
}

void write_benchmark(const std::string& path, const VariantBenchmark& benchmark, std::stop_token stop) {
    const std::string extension = extension_of(path);
    if (extension == "png") {
        save_image(path, benchmark_chart(benchmark).view(), std::move(stop));
    } else {
        write_text_file(path,
                        extension == "csv"    ? benchmark_csv(benchmark)
                        : extension == "json" ? to_text(benchmark_json(benchmark))
                        : extension == "svg"  ? benchmark_svg(benchmark)
                                              : benchmark_markdown(benchmark),
                        std::move(stop));
    }
}

}  // namespace tonescope
