#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

/// A row at the cursor: its label, and what draws its widget, with the cursor there, into the area that is left.
void labeled_row(Frame& ui, const RunModel& run, std::string_view label,
                 void (*draw)(Frame&, const RunModel&, const Area&)) {
    const Area row = area_at_cursor(ui.px(kControlHeight));
    const float label_width = std::min(ui.px(kLabelColumn), row.width * 0.4F);
    draw_line(row, ui.theme.body, ui.colors.text_quiet, label);
    ImGui::SetCursorScreenPos({row.x + label_width, row.y});
    draw(ui, run, {row.x + label_width, row.y, row.width - label_width, row.height});
    end_area({row.x, row.y, 1, row.height + ui.px(3)});
}

void operator_choice(Frame& ui, const RunModel& run, const Area& row) {
    const OperatorInfo* current = run.op;
    if (begin_choice(ui, "Operator", current->name, row.width, current->id)) {
        for (const OperatorInfo* op : operators())
            if (choice_item(ui, "Operator", op->name, {}, op->summary, op == current) && op != current)
                ui.ask(SetOperator{op});
        end_choice(ui);
    } else {
        tooltip(ui, current->summary);
    }
}

void variant_choice(Frame& ui, const RunModel& run, const Area& row) {
    const VariantInfo* current = run.variant;
    const std::string_view name = current != nullptr ? current->name : "none";
    if (begin_choice(ui, "Variant", name, row.width, current != nullptr ? current->id : "")) {
        for (const VariantInfo* variant : variants_of(run.op->id)) {
            const bool on_gpu = variant->backend == BackendKind::cuda;
            const std::string reason = reason_against(run, *variant);
            const std::string source =
                variant->source.empty() ? std::string() : "report " + std::string(variant->source) + "   ";
            const std::string tag = source + (on_gpu ? "GPU" : "CPU");
            if (choice_item(ui, "Variant", variant->name, tag, variant->idea, variant == current, reason.empty()) &&
                variant != current)
                ui.ask(SetVariant{variant});
            if (!reason.empty()) tooltip(ui, reason);
        }
        end_choice(ui);
    }
}

/// Empty: it can be chosen.
std::string reason_against_memory(const RunModel& run) {
    if (run.backend == BackendKind::cpu) return "The CPU works on the image where it is; the GPU has a choice";
    if (run.variant == nullptr || !run.variant->memory) return {};
    return "This variant always uses " + std::string(kMemoryModeIds[size_t(*run.variant->memory)]) + " memory";
}

void memory_choice(Frame& ui, const RunModel& run, const Area& area) {
    constexpr std::pair<MemoryMode, std::string_view> modes[] = {
        {MemoryMode::pinned,
         "The image is uploaded once, through memory that the system may not move, and stays on the GPU"},
        {MemoryMode::pageable, "Ordinary memory: for each run the driver copies the image in and the result out"},
        {MemoryMode::mapped,
         "Nothing is copied: in each run the kernels read and write the CPU's memory over the bus (zero-copy)"},
        {MemoryMode::managed, "One address on both sides: in each run pages move to whoever touches them"},
        {MemoryMode::overlapped, "Pinned memory, in bands: in each run copies overlap on two streams"},
    };
    const std::string reason = reason_against_memory(run);
    const bool is_cpu = run.backend == BackendKind::cpu;
    const std::string_view current = is_cpu ? "no copies" : kMemoryModeIds[size_t(run.memory)];
    ImGui::SetCursorScreenPos(area.min());
    if (begin_choice(ui, "Memory", current, area.width, current, reason.empty())) {
        for (const auto& [mode, detail] : modes)
            if (choice_item(ui, "Memory", kMemoryModeIds[size_t(mode)], {}, detail, mode == run.memory) &&
                mode != run.memory)
                ui.ask(SetMemory{mode});
        end_choice(ui);
    } else {
        tooltip_at(ui, area, reason.empty() ? "Memory mode: how pixels travel between CPU and GPU memory" : reason);
    }
}

/// Backend and memory mode, in one row.
void backend_choice(Frame& ui, const RunModel& run, const Area& row) {
    constexpr std::string_view names[] = {"CPU", "GPU"};
    const bool usable[] = {true, run.cuda_available};
    const float width = std::floor((row.width - ui.px(8)) * 0.44F);
    Area field{row.x, row.y + segment_margin(ui), width, ui.px(kSegmentHeight)};
    ImGui::SetCursorScreenPos(field.min());
    const int clicked = segmented(ui, "Run on", names, run.backend == BackendKind::cuda ? 1 : 0, width, usable);
    if (clicked >= 0) ui.ask(SetBackend{clicked == 1 ? BackendKind::cuda : BackendKind::cpu});
    if (!run.cuda_available) field = {field.x + width / 2, field.y, width / 2, field.height};
    tooltip_at(ui, field, run.cuda_available ? run.device_name : "No GPU: " + run.cuda_reason);
    const float memory_width = row.width - width - ui.px(8);
    memory_choice(ui, run, {row.right() - memory_width, row.y, memory_width, row.height});
}

}  // namespace

void draw_filter(Frame& ui, const RunModel& run, bool comparing) {
    if (run.op == nullptr) return;
    section(ui, "Filter");
    title_button(
        ui, "Compare variants", "compare", comparing ? ButtonStyle::accent : ButtonStyle::normal,
        comparing ? "Back to the image" + ui.keys("back") : "Measure all variants on this image" + ui.keys("compare"));
    labeled_row(ui, run, "Operator", operator_choice);
    labeled_row(ui, run, "Variant", variant_choice);
    labeled_row(ui, run, "Run on", backend_choice);
}

}  // namespace tonescope::ui
