#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/model/caption.h"
#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

constexpr float kPresetRow = 34, kPresetsFooter = 40, kListRow = 28;
/// The mouse on its way across the list starts nothing.
constexpr double kPreviewDelay_s = 0.12;

/// What the preset sets that differs from the defaults.
std::string summary(const PresetEntry& preset) {
    std::string text(preset.op->name);
    for (const Caption::Part& param : changed_params(preset.op->params, preset.params)) text += ", " + param.text;
    return text;
}

}  // namespace

void PresetsPanel::draw_list(Frame& ui, const PresetsModel& model, const RunModel& run) {
    if (model.entries.empty() || run.op == nullptr) return;
    if (!folding_section(ui, "Presets", ui.settings.presets_shown)) return;
    ui.keyboard.begin_group(ImGui::GetID("presets"), true);
    for (const PresetEntry& preset : model.entries) {
        const Area row = area_at_cursor(ui.px(kListRow));
        const Area area{row.x, row.y, row.width, row.height - ui.px(2)};
        const bool is_set = preset.op == run.op && preset.params == run.params;
        ImGui::PushID(preset.name.c_str());
        if (row_area(ui, "use", area, is_set, preset.name) && !is_set) ui.ask(SetPreset{preset.op, preset.params});
        const bool rests =
            ImGui::IsItemHovered() || (ui.keyboard.is_visible() && ui.keyboard.is_on(ImGui::GetID("use")));
        if (rests && !is_set) pointed_at_ = &preset;
        tooltip(ui, summary(preset));
        ImGui::PopID();
        record(ui, "use preset:" + preset.name, area, is_set ? "current" : "");
        const float tag = std::min(text_width(ui.theme.small, preset.op->name), std::floor(area.width * 0.4F));
        draw_line_cut(ui, {area.x + ui.px(8), area.y, area.width - tag - ui.px(24), area.height}, ui.theme.body,
                      ui.colors.text, preset.name);
        draw_line_cut(ui, {area.right() - tag - ui.px(8), area.y, tag + 1, area.height}, ui.theme.small,
                      ui.colors.text_quiet, preset.op->name);
        end_area(row);
    }
    ui.keyboard.end_group();
}

void PresetsPanel::update_preview(Frame& ui) {
    const PresetEntry* preset = std::exchange(pointed_at_, nullptr);
    const std::string name = preset == nullptr ? "" : preset->name;
    if (std::exchange(rests_on_, name) != name) since_s_ = ui.time_s;
    const bool waits = preset != nullptr && ui.time_s - since_s_ < kPreviewDelay_s;
    ui.animating |= waits;
    if (waits) preset = nullptr;
    const bool is_same = preset == nullptr ? previewed_.op == nullptr
                                           : previewed_.op == preset->op && previewed_.params == preset->params;
    if (is_same) return;
    previewed_ = preset == nullptr ? PreviewPreset{} : PreviewPreset{preset->op, preset->params, preset->name};
    ui.ask(previewed_);
}

bool PresetsPanel::draw_row(Frame& ui, const PresetEntry& preset, bool is_set, std::string& to_export) {
    const Area row = area_at_cursor(ui.px(kPresetRow));
    const bool sure = to_delete_ == preset.name;
    const float remove_width = std::ceil(text_width(ui.theme.body, "Delete it")) + ui.px(18);
    const float export_width = std::ceil(text_width(ui.theme.body, "Export...")) + ui.px(18);
    const Area area{row.x, row.y, row.width - remove_width - export_width - ui.px(4), row.height - ui.px(2)};
    ImGui::PushID(preset.name.c_str());
    const bool loaded = row_area(ui, "load", area, is_set);
    record(ui, "preset:" + preset.name, area, is_set ? "current" : "");
    const float name_width = std::floor(area.width * 0.4F);
    draw_line_cut(ui, {area.x + ui.px(8), area.y, name_width - ui.px(14), area.height}, ui.theme.body, ui.colors.text,
                  preset.name);
    draw_line_cut(ui, {area.x + name_width, area.y, area.width - name_width - ui.px(6), area.height}, ui.theme.small,
                  ui.colors.text_quiet, summary(preset));
    const float top = row.y + std::floor((row.height - ui.px(2 + kControlHeight)) / 2);
    const bool exported = button(ui, {area.right() + ui.px(4), top}, "Export...", export_width, ButtonStyle::quiet);
    if (exported) to_export = preset.name;
    tooltip(ui, "Saves the preset as a file to hand on: it can be imported, dropped on a window, or given to --preset");
    if (button(ui, {row.right() - remove_width, top}, sure ? "Delete it" : "Delete", remove_width,
               sure ? ButtonStyle::normal : ButtonStyle::quiet)) {
        if (sure) ui.ask(DeletePreset{preset.name});
        to_delete_ = sure ? "" : preset.name;
    }
    ImGui::PopID();
    end_area(row);
    if (loaded) ui.ask(SetPreset{preset.op, preset.params});
    return loaded || exported;
}

void PresetsPanel::draw_save_row(Frame& ui, const PresetsModel& presets) {
    const bool known = std::ranges::any_of(presets.entries, [&](const auto& p) { return p.name == name_; });
    const float button_width = ui.px(96);
    const Area row = area_at_cursor(ui.px(kControlHeight + 8));
    const bool entered = text_field(ui, "Preset name", "Name for these parameters", name_,
                                    row.width - button_width - ui.px(8), ImGui::IsWindowAppearing(), true);
    const bool usable =
        !name_.empty() && name_[0] != '.' && name_.find('/') == std::string::npos && !presets.folder.empty();
    if (button(ui, {row.right() - button_width, row.y}, known ? "Replace" : "Save", button_width, ButtonStyle::accent,
               usable) ||
        (entered && usable))
        ui.ask(SavePreset{name_, known});
    ImGui::SetCursorScreenPos({row.x, row.bottom()});
}

void PresetsPanel::open() {
    requested_ = true;
    to_delete_.clear();
}

std::string PresetsPanel::draw(Frame& ui, const PresetsModel& model, const RunModel& run) {
    ui.panel = "presets";
    const std::vector<PresetEntry>& presets = model.entries;
    const float rows = std::clamp(static_cast<float>(presets.size()), 2.0F, 10.0F);
    const float around = 16 + 40 + kControlHeight + 8 + kPresetsFooter + 16;
    if (!begin_popup(ui, requested_, "Presets", {ui.px(680), ui.px(around + rows * kPresetRow)})) return {};
    std::string to_export;
    draw_save_row(ui, model);
    const Area list = area_at_cursor(ImGui::GetContentRegionAvail().y - ui.px(kPresetsFooter));
    bool done = false;
    begin_child("##presets", {list.width + ui.px(8), list.height}, 0, list.width);
    if (presets.empty())
        draw_text({list.x, list.y + ui.px(8)}, ui.theme.body, ui.colors.text_quiet,
                  "None yet. A preset keeps the operator and its parameters.");
    for (const PresetEntry& preset : presets)
        done |= draw_row(ui, preset, preset.op == run.op && preset.params == run.params, to_export);
    end_child(ui);
    const float import_width = ui.px(96);
    const Area footer{list.x, list.bottom() + ui.px(kPresetsFooter - kControlHeight),
                      list.width - import_width - ui.px(12), ui.px(kControlHeight)};
    draw_line_cut(ui, footer, ui.theme.small, ui.colors.text_faint,
                  "Files in " + model.folder + "; on the command line: --preset NAME", true);
    if (button(ui, {list.right() - import_width, footer.y}, "Import...", import_width)) {
        ui.commands->run("import-preset");
        done = true;
    }
    tooltip(ui, "Loads a preset from a file and keeps it");
    end_popup(ui, done);
    return to_export;
}

}  // namespace tonescope::ui
