// Left: operator, variant, backend and memory.
#include <algorithm>
#include <cmath>

#include "ui/model/run.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

/// The label of a row; leaves the cursor where its widget goes and returns that widget's width.
float row_label(const Frame& ui, std::string_view label, float height) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float label_width = std::min(ui.px(kLabelColumn), width * 0.4F);
    draw_text({start.x, middle(ui.theme.body, start.y, height)}, ui.theme.body, ui.colors.text_quiet, label);
    ImGui::SetCursorScreenPos({start.x + label_width, start.y});
    return width - label_width;
}

/// Puts the cursor under a row of this height, whatever was drawn in it.
void end_row(const Frame& ui, ImVec2 start, float height) {
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({1, height + ui.px(6)});
}

void operator_choice(Frame& ui, const RunModel& run) {
    const OperatorInfo* current = run.op;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = row_label(ui, "Operator", ui.px(kControlHeight));
    if (begin_choice(ui, "Operator", current->name, width, current->id)) {
        for (const OperatorInfo* op : operators())
            if (choice_item(ui, "Operator", op->name, {}, op->summary, op == current) && op != current)
                ui.ask(SetOperator{op});
        end_choice();
    } else {
        tooltip(ui, current->summary);
    }
    end_row(ui, start, ui.px(kControlHeight));
}

void variant_choice(Frame& ui, const RunModel& run) {
    const VariantInfo* current = run.variant;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = row_label(ui, "Variant", ui.px(kControlHeight));
    const std::string_view name = current != nullptr ? current->name : "none";
    if (begin_choice(ui, "Variant", name, width, current != nullptr ? current->id : "")) {
        for (const VariantInfo* variant : variants_of(run.op->id)) {
            const bool on_gpu = variant->backend == BackendKind::cuda;
            const bool usable = !on_gpu || run.cuda_available;
            const std::string tag =
                std::string(variant->source) + (variant->source.empty() ? "" : "   ") + (on_gpu ? "GPU" : "CPU");
            if (choice_item(ui, "Variant", variant->name, tag, variant->idea, variant == current, usable) &&
                variant != current) {
                ui.ask(SetVariant{variant});
            }
            if (!usable) tooltip(ui, "No GPU: " + run.cuda_reason);
        }
        end_choice();
    }
    end_row(ui, start, ui.px(kControlHeight));
}

/// Empty: it can be chosen.
std::string reason_against_memory(const RunModel& run) {
    if (run.backend == BackendKind::cpu) return "The CPU works on the image where it is; the GPU has a choice";
    if (run.variant == nullptr || !run.variant->memory) return {};
    return "This variant always uses " + std::string(kMemoryModeIds[size_t(*run.variant->memory)]) + " memory";
}

void memory_choice(Frame& ui, const RunModel& run, float width) {
    struct Mode {
        MemoryMode mode;
        std::string_view detail;
    };
    constexpr Mode modes[] = {
        {MemoryMode::pinned,
         "The image is uploaded once, through memory that the system may not move, and stays on the GPU"},
        {MemoryMode::pageable, "Ordinary memory: for each run the driver copies the image in and the result out"},
        {MemoryMode::mapped, "Nothing is copied: in each run the kernels read and write host memory over the bus"},
        {MemoryMode::managed, "One address on both sides: in each run pages move to whoever touches them"},
        {MemoryMode::overlapped, "Pinned memory, in bands: in each run copies overlap on two streams"},
    };
    const std::string reason = reason_against_memory(run);
    const ImVec2 field = ImGui::GetCursorScreenPos();
    const bool is_cpu = run.backend == BackendKind::cpu;
    const std::string_view current = is_cpu ? "host" : kMemoryModeIds[size_t(run.memory)];
    if (begin_choice(ui, "Memory", current, width, current, reason.empty())) {
        for (const auto& [mode, detail] : modes)
            if (choice_item(ui, "Memory", kMemoryModeIds[size_t(mode)], {}, detail, mode == run.memory) &&
                mode != run.memory)
                ui.ask(SetMemory{mode});
        end_choice();
    } else {
        tooltip_at(ui, field, {field.x + width, field.y + ui.px(kControlHeight)},
                   reason.empty() ? "Memory mode: how pixels travel between host and GPU" : reason);
    }
}

/// Backend and memory mode, in one row.
void backend_choice(Frame& ui, const RunModel& run) {
    constexpr std::string_view names[] = {"CPU", "GPU"};
    const bool usable[] = {true, run.cuda_available};
    const ImVec2 row = ImGui::GetCursorScreenPos();
    const float both = row_label(ui, "Run on", ui.px(kControlHeight));
    const float width = std::floor((both - ui.px(8)) * 0.44F);
    const ImVec2 field = ImGui::GetCursorScreenPos();
    const ImVec2 start{field.x, std::floor(field.y + ui.px(kControlHeight - kSegmentHeight) / 2)};
    ImGui::SetCursorScreenPos(start);
    const int clicked = segmented(ui, "Run on", names, run.backend == BackendKind::cuda ? 1 : 0, width, usable);
    if (clicked >= 0) ui.ask(SetBackend{clicked == 1 ? BackendKind::cuda : BackendKind::cpu});
    const ImVec2 end{start.x + width, start.y + ui.px(kSegmentHeight)};
    if (!run.cuda_available)
        tooltip_at(ui, {start.x + width / 2, start.y}, end, "No GPU: " + run.cuda_reason);
    else
        tooltip_at(ui, start, end, run.device_name);
    const float memory_width = both - width - ui.px(8);
    ImGui::SetCursorScreenPos({field.x + both - memory_width, field.y});
    memory_choice(ui, run, memory_width);
    end_row(ui, row, ui.px(kControlHeight));
}

void benchmark_button(Frame& ui, bool comparing) {
    const ButtonStyle style = comparing ? ButtonStyle::accent : ButtonStyle::normal;
    const std::string help =
        comparing ? "Back to the image" + ui.keys("back") : "Measure all variants on this image" + ui.keys("compare");
    if (title_button(ui, "Compare variants", style, ui.commands->available("compare"), help))
        ui.commands->run("compare");
}

}  // namespace

void draw_filter(Frame& ui, const RunModel& run, bool comparing) {
    if (run.op == nullptr) return;
    section(ui, "Filter");
    benchmark_button(ui, comparing);
    operator_choice(ui, run);
    variant_choice(ui, run);
    backend_choice(ui, run);
}

}  // namespace tonescope::ui
