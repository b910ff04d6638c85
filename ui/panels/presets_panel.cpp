#include "ui/panels/presets_panel.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kPresetRow = 34, kPresetsFooter = 40;

/// What the preset sets that differs from the defaults.
std::string summary(const PresetEntry& preset) {
    std::string text(preset.op->name);
    for (const ParamInfo& info : preset.op->params) {
        const int32_t value = preset.params.get(info);
        if (value != info.default_value && is_active(preset.op->params, info, preset.params))
            text += ", " + std::string(info.label) + " " + format_value(info, value);
    }
    return text;
}

}  // namespace

bool PresetsPanel::draw_row(Frame& ui, const PresetEntry& preset, bool is_set, float width) {
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const float height = ui.px(kPresetRow);
    const bool sure = to_delete_ == preset.name;
    const char* remove = sure ? "Delete it" : "Delete";
    const float remove_width = std::ceil(text_width(ui.theme.body, "Delete it")) + ui.px(18);
    const float export_width = std::ceil(text_width(ui.theme.body, "Export...")) + ui.px(18);
    const ImVec2 max{min.x + width - remove_width - export_width - ui.px(4), min.y + height - ui.px(2)};
    ImGui::PushID(preset.name.c_str());
    const bool loaded = hit_area("load", {max.x - min.x, max.y - min.y});
    if (is_set || ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(min, max, is_set ? ui.colors.selected : ui.colors.frame, ui.px(4));
    focus_ring(ui, min, max);
    record(ui, "preset:" + preset.name, min, max, is_set ? "current" : "");
    const float name_width = std::floor((max.x - min.x) * 0.4F);
    const float y = middle(ui.theme.body, min.y, max.y - min.y);
    draw_text({min.x + ui.px(8), y}, ui.theme.body, ui.colors.text,
              shorten(ui.theme.body, preset.name, name_width - ui.px(14)));
    draw_text({min.x + name_width, middle(ui.theme.small, min.y, max.y - min.y)}, ui.theme.small, ui.colors.text_quiet,
              shorten(ui.theme.small, summary(preset), max.x - min.x - name_width - ui.px(6)));
    const float top = min.y + std::floor((height - ui.px(2 + kControlHeight)) / 2);
    ImGui::SetCursorScreenPos({max.x + ui.px(4), top});
    const bool exported = button(ui, "Export...", export_width, ButtonStyle::quiet);
    if (exported) to_export_ = preset.name;
    tooltip(ui, "Saves the preset as a file to hand on: it can be imported, dropped on a window, or given to --preset");
    ImGui::SetCursorScreenPos({min.x + width - remove_width, top});
    if (button(ui, remove, remove_width, sure ? ButtonStyle::normal : ButtonStyle::quiet)) {
        if (sure) ui.ask(DeletePreset{preset.name});
        to_delete_ = sure ? "" : preset.name;
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(min);
    ImGui::Dummy({width, height});
    if (loaded) ui.ask(SetPreset{preset.op, preset.params});
    return loaded || exported;
}

void PresetsPanel::draw_save_row(Frame& ui, const PresetsModel& presets, float width) {
    const bool known = std::ranges::any_of(presets.entries, [&](const auto& p) { return p.name == name_; });
    const char* act = known ? "Replace" : "Save";
    const float button_width = ui.px(96);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool entered = text_field(ui, "Preset name", "Name for what is set now", name_,
                                    width - button_width - ui.px(8), ImGui::IsWindowAppearing(), true);
    ImGui::SetCursorScreenPos({at.x + width - button_width, at.y});
    const bool usable =
        !name_.empty() && name_[0] != '.' && name_.find('/') == std::string::npos && !presets.folder.empty();
    if (button(ui, act, button_width, ButtonStyle::accent, usable) || (entered && usable))
        ui.ask(SavePreset{name_, known});
    ImGui::SetCursorScreenPos({at.x, at.y + ui.px(kControlHeight + 8)});
}

void PresetsPanel::open() {
    popup_.requested = true;
    to_delete_.clear();
}

void PresetsPanel::draw(Frame& ui, const PresetsModel& model, const RunModel& run) {
    ui.panel = "presets";
    const std::vector<PresetEntry>& presets = model.entries;
    const float rows = std::clamp(static_cast<float>(presets.size()), 2.0F, 10.0F);
    const float around = 16 + 40 + kControlHeight + 8 + kPresetsFooter + 16;
    if (!begin_popup(ui, popup_, "Presets", {ui.px(680), ui.px(around + rows * kPresetRow)})) return;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    draw_save_row(ui, model, width);
    const float height = ImGui::GetContentRegionAvail().y - ui.px(kPresetsFooter);
    bool done = false;
    begin_child("##presets", {width + ui.px(8), height}, 0, width);
    if (presets.empty())
        draw_text({start.x, ImGui::GetCursorScreenPos().y + ui.px(8)}, ui.theme.body, ui.colors.text_quiet,
                  "None yet. A preset keeps the operator and its parameters.");
    for (const PresetEntry& preset : presets)
        done |= draw_row(ui, preset, preset.op == run.op && preset.params == run.params, width);
    ImGui::EndChild();
    const float y = ImGui::GetCursorScreenPos().y + ui.px(kPresetsFooter - kControlHeight);
    const float import_width = ui.px(96);
    draw_text({start.x, middle(ui.theme.small, y, ui.px(kControlHeight))}, ui.theme.small, ui.colors.text_faint,
              shorten(ui.theme.small, "Files in " + model.folder + "; on the command line: --preset NAME",
                      width - import_width - ui.px(12), true));
    ImGui::SetCursorScreenPos({start.x + width - import_width, y});
    if (button(ui, "Import...", import_width)) {
        ui.commands->run("import-preset");
        done = true;
    }
    tooltip(ui, "Loads a preset from a file and keeps it");
    end_popup(popup_, done);
}

}  // namespace tonescope::ui
