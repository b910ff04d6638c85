// What a variant's row in the table and its bar in a chart have in common.
#include "ui/benchmark/parts.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

using State = BenchmarkRow::State;

std::string spread_line(std::string_view name, const TimeSummary& time) {
    return std::string(name) + "   " + figure_text(time.median_ms) + " ms (" + figure_text(time.p10_ms) + " to " +
           figure_text(time.p90_ms) + ")\n";
}

/// Idea, cost and flaw, then what was measured.
std::string explanation(const BenchmarkRow& row, bool bins) {
    const VariantInfo& variant = *row.variant;
    std::string text(variant.name);
    if (!variant.source.empty()) text += "   " + std::string(variant.source);
    text += "\n";
    const auto sentence = [&](const char* what, std::string_view words) {
        if (!words.empty()) text += "\n" + std::string(what) + ": " + std::string(words) + "\n";
    };
    sentence("Idea", variant.idea);
    sentence("Cost", variant.cost);
    sentence("Flaw", variant.flaw);
    if (row.state == State::not_run) {
        sentence("Not run", row.reason);
    } else if (row.state == State::done) {
        text += "\n" + std::to_string(row.runs) + (row.runs == 1 ? " run" : " runs") +
                (row.memory ? ", " + std::string(kMemoryModeIds[static_cast<size_t>(*row.memory)]) + " memory" : "") +
                ", median (10 to 90 %):\n";
        for (const BenchmarkStage& stage : row.stages) text += spread_line(stage.stage, stage.time);
        text += spread_line("total", row.total.time);
        if (!row.kernels.empty()) text += "\n";
        for (const KernelResources& kernel : row.kernels)
            text += std::string(kernel.stage) + "   " + std::to_string(kernel.registers) + " registers, " +
                    with_separators(kernel.shared_bytes) + " bytes shared, " +
                    format("%.0f %% occupancy\n", kernel.occupancy_percent);
        text += "\nResult: " + row.result_text(bins) + "\n";
    }
    text.pop_back();
    return text;
}

void choose(Frame& ui, const Shown& shown, const VariantInfo& variant) {
    if (shown.run.op != shown.benchmark.op) ui.ask(SetOperator{shown.benchmark.op});
    if (shown.run.backend != variant.backend) ui.ask(SetBackend{variant.backend});
    ui.ask(SetVariant{&variant});
}

}  // namespace

void variant_row(Frame& ui, const Shown& shown, const BenchmarkRow& row, const Area& area, const char* label) {
    const VariantInfo& variant = *row.variant;
    ImGui::SetCursorScreenPos(area.min());
    ImGui::PushID(&variant);
    const bool clicked = hit_area(label, {area.width, area.height});
    ImGui::PopID();
    const bool current = shown.run.variant == &variant;
    const ImVec2 end{area.right(), area.bottom() - 1};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (current)
        list.AddRectFilled(area.min(), end, ui.colors.selected, ui.px(3));
    else if (ImGui::IsItemHovered())
        list.AddRectFilled(area.min(), end, ui.colors.frame, ui.px(3));
    focus_ring(ui, area.min(), end);
    tooltip(ui, explanation(row, shown.benchmark.op->makes_bins));
    constexpr const char* states[] = {"waiting", "measuring", "", "not run"};
    const bool done = row.state == State::done;
    record(ui, label + std::string(variant.id), area.min(), end,
           done ? row.result_text(shown.benchmark.op->makes_bins) : std::string(states[static_cast<size_t>(row.state)]),
           true, row.available);
    if (clicked && row.available && !current) choose(ui, shown, variant);
}

}  // namespace tonescope::ui
