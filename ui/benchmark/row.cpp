// What a row of the table has in common with a bar of a chart: what is said of it, and what a click does.
#include "ui/benchmark/rows.h"

namespace tonescope::ui {
namespace {

using State = BenchmarkRow::State;

std::string time_line(std::string_view name, double ms, const std::optional<Interval>& interval = {}) {
    return std::string(name) + "   " + figure_text(ms) + " ms" +
           (interval ? " (" + figure_text(interval->low) + " to " + figure_text(interval->high) + ")" : "") + "\n";
}

std::string stage_line(const BenchmarkStage& own) {
    std::string text = std::string(own.stage) + "   " + figure_text(own.time.median_ms) + " ms";
    if (own.basis) text += ", " + ratio_text(*own.basis, figure_text);
    return text + "\n";
}

/// What was measured.
std::string figures_text(const BenchmarkRow& row, bool bins) {
    std::string text =
        "\n" + std::to_string(row.runs) + (row.runs == 1 ? " run" : " runs") +
        (row.memory ? ", " + std::string(kMemoryModeIds[static_cast<size_t>(*row.memory)]) + " memory" : "") +
        ", medians with 95 % intervals:\n";
    text += time_line("kernels", row.kernels.time.median_ms, row.kernels.interval);
    if (row.variant->backend == BackendKind::cuda)
        text += time_line("host", row.host_ms) + time_line("copies", row.copies_ms);
    text += time_line("total", row.total.time.median_ms, row.total.interval);
    if (!row.basis.empty()) {
        text += "\nTimes as fast as " + row.basis + ":\n";
        for (const auto& [name, times] : {std::pair{"kernels", &row.kernels}, {"total", &row.total}})
            if (const std::optional<Ratio>& ratio = times->speed_up.basis)
                text += std::string(name) + "   " + ratio_text(*ratio, figure_text) +
                        (ratio->interval ? " (" + interval_text(ratio->interval) + ")" : "") + "\n";
    }
    if (const std::string limit = row.limit.text(figure_text); !limit.empty()) text += "\nLimit: " + limit + "\n";
    if (!row.claims.empty()) text += "\n";
    for (const ClaimFinding& finding : row.claims) text += finding.text(figure_text) + "\n";
    text += "\nStages:\n";
    for (const BenchmarkStage& own : row.stages) text += stage_line(own);
    if (!row.kernel_resources.empty()) text += "\n";
    for (const KernelResources& kernel : row.kernel_resources)
        text += std::string(kernel.stage) + "   " + std::to_string(kernel.registers) + " registers, " +
                with_separators(kernel.shared_bytes) + " bytes shared, " +
                format("%.0f %% occupancy", kernel.occupancy_percent) + kernel.occupancy.limit_text() + "\n";
    if (row.low_clock_percent > 0) text += format("\nThe clock stayed at %.0f %% of its best\n", row.low_clock_percent);
    return text + "\nCompared with the reference: " + row.result_text(bins) + "\n";
}

/// "report B, version 0" of "B 0"; "report B, version CPU 2; report C, version CPU" of "B CPU 2; C CPU".
std::string report_text(std::string_view source) {
    std::string text;
    while (!source.empty()) {
        const size_t end = std::min(source.find("; "), source.size());
        const std::string_view one = source.substr(0, end);
        text += (text.empty() ? "report " : "; report ") + std::string(one.substr(0, 1)) + ", version " +
                std::string(one.substr(std::min<size_t>(2, one.size())));
        source.remove_prefix(std::min(end + 2, source.size()));
    }
    return text;
}

/// Idea, cost and flaw, then what was measured.
std::string explanation(const BenchmarkRow& row, bool bins) {
    const VariantInfo& variant = *row.variant;
    std::string text(variant.name);
    if (!variant.source.empty()) text += " (" + report_text(variant.source) + ")";
    text += "\n";
    if (const VariantInfo* basis = basis_of(variant)) text += "Builds on " + title_of(*basis) + "\n";
    if (const std::string same = same_kernels_text(variant); !same.empty()) text += same + "\n";
    const auto sentence = [&](const char* what, std::string_view words) {
        if (!words.empty()) text += "\n" + std::string(what) + ": " + std::string(words) + "\n";
    };
    sentence("Idea", variant.idea);
    sentence("Cost", variant.cost);
    sentence("Flaw", variant.flaw);
    if (row.state == State::not_run) {
        sentence("Not run", row.reason);
    } else if (row.state == State::done) {
        text += figures_text(row, bins);
    }
    text.pop_back();
    return text;
}

void choose_variant(Frame& ui, const Shown& shown, const VariantInfo& variant) {
    if (shown.run.op != shown.benchmark.op) ui.ask(SetOperator{shown.benchmark.op});
    if (shown.run.backend != variant.backend) ui.ask(SetBackend{variant.backend});
    ui.ask(SetVariant{&variant});
}

}  // namespace

void variant_row(Frame& ui, const Shown& shown, const BenchmarkRow& row, const Area& area, const char* label) {
    const VariantInfo& variant = *row.variant;
    const bool current =
        shown.run.variant == &variant && (!row.is_memory_mode || !row.memory || shown.run.memory == *row.memory);
    const Area ground{area.x, area.y, area.width, area.height - 1};
    ImGui::PushID(row.id().c_str());
    const bool clicked = hit_area(ui, label, area, current);
    ImGui::PopID();
    row_ground(ui, ground, current, 3);
    if (ui.source_shown == &variant)
        ImGui::GetWindowDrawList()->AddRect(ground.min(), ground.max(), ui.colors.text_quiet, ui.px(3), 0, ui.line(1));
    tooltip(ui, explanation(row, shown.benchmark.op->makes_bins));
    constexpr const char* states[] = {"waiting", "measuring", "", "not run"};
    const bool done = row.state == State::done;
    record(ui, label + row.id(), ground,
           done ? row.result_text(shown.benchmark.op->makes_bins) : std::string(states[static_cast<size_t>(row.state)]),
           true);
    if (!clicked) return;
    ui.source_of = &variant;
    if (!row.available && !ui.settings.source_shown)
        ui.ask(Tell{title_of(variant) + " cannot run here: " + row.reason});
    if (!row.available || current) return;
    choose_variant(ui, shown, variant);
    if (row.is_memory_mode && row.memory) ui.ask(SetMemory{*row.memory});
}

}  // namespace tonescope::ui
