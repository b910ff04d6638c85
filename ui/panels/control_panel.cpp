// Left: images, operator, variant, backend, parameters.
#include <algorithm>
#include <cmath>

#include "ui/state.h"
#include "ui/widgets/param_widgets.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

/// The label of a row; leaves the cursor where its widget goes and returns that widget's width.
float row_label(const Ui& ui, std::string_view label, float height) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float label_width = std::min(ui.px(kLabelColumn), width * 0.4F);
    draw_text({start.x, middle(ui.theme.body, start.y, height)}, ui.theme.body, ui.colors.text_quiet, label);
    ImGui::SetCursorScreenPos({start.x + label_width, start.y});
    return width - label_width;
}

/// Puts the cursor under a row of this height, whatever was drawn in it.
void end_row(const Ui& ui, ImVec2 start, float height) {
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({1, height + ui.px(6)});
}

void operator_choice(Ui& ui) {
    const OperatorInfo* current = ui.model->run.op;
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

void variant_choice(Ui& ui) {
    const Model& model = *ui.model;
    const VariantInfo* current = model.run.variant;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = row_label(ui, "Variant", ui.px(kControlHeight));
    const std::string_view name = current != nullptr ? current->name : "none";
    if (begin_choice(ui, "Variant", name, width, current != nullptr ? current->id : "")) {
        for (const VariantInfo* variant : variants_of(model.run.op->id)) {
            const bool on_gpu = variant->backend == BackendKind::cuda;
            const bool usable = !on_gpu || model.run.cuda_available;
            const std::string tag =
                std::string(variant->source) + (variant->source.empty() ? "" : "   ") + (on_gpu ? "GPU" : "CPU");
            if (choice_item(ui, "Variant", variant->name, tag, variant->idea, variant == current, usable) &&
                variant != current) {
                ui.ask(SetVariant{variant});
            }
            if (!usable) tooltip(ui, "No GPU: " + model.run.cuda_reason);
        }
        end_choice();
    }
    end_row(ui, start, ui.px(kControlHeight));
}

/// Empty: it can be chosen.
std::string reason_against_memory(const Model& model) {
    if (model.run.backend == BackendKind::cpu) return "The CPU works on the image where it is; the GPU has a choice";
    if (model.run.variant == nullptr || !model.run.variant->memory) return {};
    return "This variant always uses " + std::string(kMemoryModeIds[size_t(*model.run.variant->memory)]) + " memory";
}

void memory_choice(Ui& ui, float width) {
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
    const Model& model = *ui.model;
    const std::string reason = reason_against_memory(model);
    const ImVec2 field = ImGui::GetCursorScreenPos();
    const bool is_cpu = model.run.backend == BackendKind::cpu;
    const std::string_view current = is_cpu ? "host" : kMemoryModeIds[size_t(model.run.memory)];
    if (begin_choice(ui, "Memory", current, width, current, reason.empty())) {
        for (const auto& [mode, detail] : modes)
            if (choice_item(ui, "Memory", kMemoryModeIds[size_t(mode)], {}, detail, mode == model.run.memory) &&
                mode != model.run.memory)
                ui.ask(SetMemory{mode});
        end_choice();
    } else {
        tooltip_at(ui, field, {field.x + width, field.y + ui.px(kControlHeight)},
                   reason.empty() ? "Memory mode: how pixels travel between host and GPU" : reason);
    }
}

/// Backend and memory mode, in one row.
void backend_choice(Ui& ui) {
    const Model& model = *ui.model;
    constexpr std::string_view names[] = {"CPU", "GPU"};
    const bool usable[] = {true, model.run.cuda_available};
    const ImVec2 row = ImGui::GetCursorScreenPos();
    const float both = row_label(ui, "Run on", ui.px(kControlHeight));
    const float width = std::floor((both - ui.px(8)) * 0.44F);
    const ImVec2 field = ImGui::GetCursorScreenPos();
    const ImVec2 start{field.x, std::floor(field.y + ui.px(kControlHeight - kSegmentHeight) / 2)};
    ImGui::SetCursorScreenPos(start);
    const int clicked = segmented(ui, "Run on", names, model.run.backend == BackendKind::cuda ? 1 : 0, width, usable);
    if (clicked >= 0) ui.ask(SetBackend{clicked == 1 ? BackendKind::cuda : BackendKind::cpu});
    const ImVec2 end{start.x + width, start.y + ui.px(kSegmentHeight)};
    if (!model.run.cuda_available)
        tooltip_at(ui, {start.x + width / 2, start.y}, end, "No GPU: " + model.run.cuda_reason);
    else
        tooltip_at(ui, start, end, model.run.device_name);
    const float memory_width = both - width - ui.px(8);
    ImGui::SetCursorScreenPos({field.x + both - memory_width, field.y});
    memory_choice(ui, memory_width);
    end_row(ui, row, ui.px(kControlHeight));
}

struct Sentence {
    const char* label;
    std::string_view text;
};

std::array<Sentence, 3> sentences(const VariantInfo& variant) {
    return {{{"Idea", variant.idea}, {"Cost", variant.cost}, {"Flaw", variant.flaw}}};
}

float sentences_height(const Ui& ui, const VariantInfo& variant, float width) {
    float height = 0;
    for (const Sentence& s : sentences(variant))
        if (!s.text.empty()) height += text_height(ui.theme.small, s.text, width) + ui.px(4);
    return height;
}

/// What the variant is about. Takes the height of the longest text on this backend, so that the sliders stay where they
/// are while one walks the ladder.
void variant_text(Ui& ui) {
    const Model& model = *ui.model;
    if (model.run.variant == nullptr) return;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float indent = ui.px(38);
    float reserved = 0;
    for (const VariantInfo* variant : variants_of(model.run.op->id))
        if (variant->backend == model.run.backend)
            reserved = std::max(reserved, sentences_height(ui, *variant, width - indent));
    float y = start.y;
    for (const Sentence& s : sentences(*model.run.variant)) {
        if (s.text.empty()) continue;
        draw_text({start.x, y}, ui.theme.small, ui.colors.text_faint, s.label);
        draw_text({start.x + indent, y}, ui.theme.small, ui.colors.text_quiet, s.text, width - indent);
        y += text_height(ui.theme.small, s.text, width - indent) + ui.px(4);
    }
    record(ui, "Variant text", start, {start.x + width, y}, model.run.variant->source, false);
    ImGui::Dummy({width, reserved});
}

void comparison_button(Ui& ui) {
    const Model& model = *ui.model;
    const ButtonStyle style = model.benchmark.shown ? ButtonStyle::accent : ButtonStyle::normal;
    const bool usable = model.benchmark.shown || !model.views.before.empty();
    if (title_button(ui, "Compare variants", style, usable,
                     model.benchmark.shown ? "Back to the image (Esc)" : "Measure all variants on this image (K)"))
        toggle_comparison(ui);
}

void parameter_buttons(Ui& ui) {
    const float presets = title_button_width(ui, "Presets...") + ui.px(4);
    if (title_button(ui, "Presets...", ButtonStyle::quiet, true, "Save and load parameters by name (Ctrl+P)"))
        open_presets(ui);
    if (title_button(ui, "Reset", ButtonStyle::quiet, can_reset(ui.model->run), "All parameters back to their defaults",
                     presets))
        ui.ask(ResetParams{});
}

void one_param(Ui& ui, const ParamInfo& info, const ParamBlock& block, bool of_variant, float width) {
    ui.slider.dragged = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (const auto value = param_widget(
            ui, info, block.get(info), width,
            conversions(ui.model->run, {&info, of_variant}, block.get(info), ui.model->views.before.spec))) {
        ui.ask(SetParam{&info, of_variant, *value, ui.slider.dragged ? ui.slider.gesture : 0});
        ui.views.param_changed({&info, of_variant});
    }
    if (Area{at.x, at.y, width, param_height(ui, info)}.contains(ui.keyboard_item.min()))
        ui.keyboard_param = {&info, of_variant};
}

/// The parameters that depend on one choice take turns in the same place: those of one value stand in rows of two, and
/// the place is as high as the largest set, so that nothing below moves.
void dependents(Ui& ui, std::span<const ParamInfo> table, std::string_view choice, const ParamBlock& block,
                bool of_variant) {
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    std::map<int32_t, std::vector<const ParamInfo*>> sets;
    for (const ParamInfo& info : table)
        if (info.active_if == choice) sets[info.active_value].push_back(&info);
    float reserved = 0;
    for (const auto& [value, set] : sets) {
        const bool active = is_active(table, *set.front(), block);
        float y = start.y;
        for (size_t k = 0; k < set.size(); k += 2) {
            const bool pair = k + 1 < set.size();
            const float each = pair ? std::floor((width - ui.px(16)) / 2) : width;
            for (size_t n = k; active && n < std::min(k + 2, set.size()); ++n) {
                ImGui::SetCursorScreenPos({n == k ? start.x : start.x + width - each, y});
                one_param(ui, *set[n], block, of_variant, each);
            }
            y += param_height(ui, *set[k]);
        }
        reserved = std::max(reserved, y - start.y);
    }
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({width, reserved});
}

void params(Ui& ui, std::span<const ParamInfo> table, const ParamBlock& block, bool of_variant) {
    ImGui::PushID(of_variant ? "variant" : "operator");
    for (const ParamInfo& info : table) {
        if (!info.active_if.empty()) continue;
        one_param(ui, info, block, of_variant, ImGui::GetContentRegionAvail().x);
        if (info.kind == ParamKind::choice) dependents(ui, table, info.id, block, of_variant);
    }
    ImGui::PopID();
}

void footer(Ui& ui, ImVec2 start, float width) {
    const float half = std::floor((width - ui.px(8)) / 2);
    ImGui::SetCursorScreenPos(start);
    if (button(ui, "Open...", half)) open_browser(ui, BrowserState::Mode::open);
    tooltip(ui, "Open images (Ctrl+O)");
    ImGui::SetCursorScreenPos({start.x + width - half, start.y});
    if (button(ui, "Save result...", half, ButtonStyle::normal, !ui.model->views.after.empty()))
        open_browser(ui, BrowserState::Mode::save);
    tooltip(ui, "Save the result at full size (Ctrl+S)");
}

}  // namespace

void draw_control_panel(Ui& ui, const Area& area) {
    const Model& model = *ui.model;
    begin_area(ui, "##left", area, ui.colors.panel);
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) ui.focused_area = 1;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
    // The scroll bar takes its place from the padding, so that the widgets keep theirs.
    compat::begin_child("##controls", {size.x + ui.px(kScrollMargin), size.y - ui.px(kControlHeight + 10)}, 0, size.x);
    if (!model.images.entries.empty()) draw_image_list(ui);
    ui.panel = "control";
    if (model.run.op != nullptr) {
        section(ui, "Filter", model.images.entries.empty());
        comparison_button(ui);
        operator_choice(ui);
        variant_choice(ui);
        backend_choice(ui);
        skip(ui, 4);
        variant_text(ui);
        const bool has_variant_params = model.run.variant != nullptr && !model.run.variant->params.empty();
        if (!model.run.op->params.empty() || has_variant_params) {
            section(ui, "Parameters");
            parameter_buttons(ui);
        }
        params(ui, model.run.op->params, model.run.params, false);
        if (has_variant_params) params(ui, model.run.variant->params, model.run.variant_params, true);
    }
    ImGui::EndChild();
    footer(ui, {start.x, start.y + size.y - ui.px(kControlHeight)}, size.x);
    ImGui::PopStyleVar();
    ImGui::End();
}

}  // namespace tonescope::ui
