#include "ui/browser/browser.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/core/text.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr ImGuiWindowFlags kDialogFlags = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

/// Cancel and the button that acts, at the right end of a row. Returns true when the latter was clicked.
bool dialog_buttons(Frame& ui, ImVec2 right_top, const char* act, bool usable, bool* canceled) {
    const float each = ui.px(96);
    *canceled = button(ui, {right_top.x - 2 * each - ui.px(8), right_top.y}, "Cancel", each);
    return button(ui, {right_top.x - each, right_top.y}, act, each, ButtonStyle::accent, usable);
}

}  // namespace

void Browser::close() {
    mode_ = Mode::closed;
    wanted_.clear();
    ImGui::CloseCurrentPopup();
}

/// The line with Up, Home, the folder and the filter.
void Browser::draw_path_row(Frame& ui) {
    Area row = area_at_cursor(ui.px(kControlHeight));
    const auto go = [&](const char* label, Icon icon, const std::string& folder, std::string_view help) {
        if (icon_button(ui, row.min(), label, icon, row.height)) browse_to(ui, folder);
        tooltip(ui, help);
        const float step = row.height + ui.px(4);
        row.x += step;
        row.width -= step;
    };
    const float filter_width = opens() ? std::floor(std::min(ui.px(190), row.width * 0.3F)) : 0;
    go("Up", Icon::up, parent_path(files().folder), "The folder above");
    if (!files().home.empty()) go("Home", Icon::home, files().home, files().home);
    const float path_width = row.width - (opens() ? filter_width + ui.px(8) : 0);
    ImGui::SetCursorScreenPos(row.min());
    if (text_field(ui, "Folder", "Folder", path_text_, path_width) && !path_text_.empty()) browse_to(ui, path_text_);
    if (!opens()) return;
    ImGui::SetCursorScreenPos({row.right() - filter_width, row.y});
    if (text_field(ui, "Filter", "Type to filter", filter_, filter_width, just_opened_)) activate_entry(ui);
    filter_focused_ = ImGui::IsItemActive();
}

void Browser::draw_open_footer(Frame& ui) {
    const Area row = area_at_cursor(ui.px(kControlHeight));
    const size_t count = selected_.size();
    const bool imports = mode_ == Mode::import_preset;
    const std::string text = count == 0   ? std::string(imports ? "" : "Ctrl and Shift select several")
                             : count == 1 ? *selected_.begin()
                                          : format("%d images selected", static_cast<int>(count));
    draw_line_cut(ui, {row.x, row.y, row.width - ui.px(216), row.height}, ui.theme.small, ui.colors.text_quiet, text,
                  true);
    bool canceled = false;
    if (dialog_buttons(ui, {row.right(), row.y}, imports ? "Import" : "Open", count > 0, &canceled)) open_selected(ui);
    if (canceled) close();
}

void Browser::ask_to_write(Frame& ui, std::string path) {
    asked_[file_name_of(path)] = mode_;
    if (mode_ == Mode::export_benchmark)
        ui.ask(ExportBenchmark{std::move(path)});
    else if (mode_ == Mode::export_preset)
        ui.ask(ExportPreset{preset_, std::move(path)});
    else if (mode_ == Mode::save_view)
        ui.ask(SaveView{std::move(path)});
    else
        ui.ask(SaveResult{std::move(path)});
}

void Browser::draw_save_footer(Frame& ui) {
    const bool exports = mode_ == Mode::export_benchmark;
    const bool of_preset = mode_ == Mode::export_preset;
    const std::string ending = exports ? ".csv" : of_preset ? ".json" : ".png";
    Area row = area_at_cursor(ui.px(kControlHeight));
    const float label = text_width(ui.theme.body, "Name") + ui.px(12);
    draw_line(row, ui.theme.body, ui.colors.text_quiet, "Name");
    ImGui::SetCursorScreenPos({row.x + label, row.y});
    const bool entered =
        text_field(ui, "File name", ("name" + ending).c_str(), file_name_, row.width - label, just_opened_, true);
    const std::string full = extension_of(file_name_).empty() ? file_name_ + ending : file_name_;
    const auto [known, remark] =
        of_preset ? preset_remark(full)
        : exports ? export_remark(full)
                  : save_remark(full, files().saved_formats, mode_ == Mode::save && model_->views.after.spec.has_alpha);
    const bool usable = known && !file_name_.empty() && !files().folder.empty();
    row.y += row.height + ui.px(10);
    draw_line_cut(ui, {row.x, row.y, row.width - ui.px(216), row.height}, ui.theme.small,
                  known ? ui.colors.text_quiet : ui.colors.warning, remark);
    bool canceled = false;
    const bool saves = dialog_buttons(ui, {row.right(), row.y}, "Save", usable, &canceled) || (entered && usable);
    if (saves) ask_to_write(ui, join_path(files().folder, full));
    if (saves || canceled) close();
}

/// Keys that act whichever part of the dialog has the keyboard.
void Browser::handle_keys(Frame& ui) {
    if (key_pressed(ImGuiKey_Escape)) {
        close();
        return;
    }
    if (!opens() || (ImGui::GetIO().WantTextInput && !filter_focused_)) return;
    if (key_pressed(ImGuiKey_Backspace) && filter_shown_.empty() && filter_.empty())
        browse_to(ui, parent_path(files().folder));
    if (!filter_focused_ && enter_pressed()) activate_entry(ui);
    if (opens()) handle_list_keys();
}

/// A new folder starts with nothing typed or chosen.
void Browser::follow_folder() {
    if (folder_ == files().folder) return;
    folder_ = files().folder;
    path_text_ = folder_;
    filter_.clear();
    filter_shown_.clear();
    selected_.clear();
    cursor_ = anchor_ = -1;
    // A text field that has the keyboard keeps a copy of its text, so that what changes it from outside needs a new
    // one.
    ++field_generation_;
    just_opened_ = true;
}

void Browser::draw_dialog(Frame& ui) {
    const Area area = area_at_cursor(ImGui::GetContentRegionAvail().y);
    constexpr const char* titles[] = {
        "", "Open images", "Save result", "Save view", "Export comparison", "Import a preset", "Export a preset"};
    draw_text(area.min(), ui.theme.title, ui.colors.text, titles[static_cast<size_t>(mode_)]);
    if (icon_button(ui, {area.right() - ui.px(26), area.y - ui.px(2)}, "Close", Icon::close, ui.px(26))) close();
    handle_keys(ui);
    if (mode_ == Mode::closed) return;
    ImGui::SetCursorScreenPos({area.x, area.y + ui.px(38)});
    draw_path_row(ui);
    if (mode_ == Mode::closed) return;
    const float above = ui.px(38 + kControlHeight + 8);
    const float footer = ui.px(opens() ? kControlHeight : 2 * kControlHeight + 10) + ui.px(12);
    const Area list{area.x, area.y + above, area.width, area.height - above - footer};
    draw_entries(ui, list);
    if (mode_ == Mode::closed) return;
    ImGui::SetCursorScreenPos({list.x, list.bottom() + ui.px(12)});
    if (opens())
        draw_open_footer(ui);
    else
        draw_save_footer(ui);
}

void Browser::open_selected(Frame& ui) {
    if (mode_ == Mode::import_preset && !selected_.empty()) {
        ui.ask(ImportPreset{join_path(files().folder, *selected_.begin())});
        close();
        return;
    }
    OpenPaths open;
    for (const std::string& name : selected_) open.paths.push_back(join_path(files().folder, name));
    if (open.paths.empty()) return;
    ui.ask(std::move(open));
    close();
}

void Browser::open(Frame& ui, const Model& model, Mode mode) {
    if (is_open()) return;
    model_ = &model;
    mode_ = mode;
    just_opened_ = true;
    filter_.clear();
    filter_shown_.clear();
    selected_.clear();
    std::string folder = files().folder;
    const std::string& suggested = mode == Mode::export_benchmark ? model_->benchmark.suggested_path
                                   : mode == Mode::save_view      ? model_->saving.suggested_view_path
                                                                  : model_->saving.suggested_result_path;
    if (of_presets()) {
        file_name_ = preset_ + ".json";
    } else if (mode != Mode::open && !suggested.empty()) {
        folder = parent_path(suggested);
        file_name_ = file_name_of(suggested);
    }
    if (folder.empty()) folder = files().home.empty() ? "/" : files().home;
    path_text_ = folder;
    browse_to(ui, folder);
}

void Browser::export_preset(Frame& ui, const Model& model, const std::string& name) {
    preset_ = name;
    open(ui, model, Mode::export_preset);
}

void Browser::draw(Frame& ui, const Model& model) {
    if (!is_open()) return;
    model_ = &model;
    constexpr const char* id = "##browser";
    if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
    ui.panel = "browser";
    if (!begin_dialog(ui, id, {ui.px(920), ui.px(640)}, {ui.px(18), ui.px(16)}, kDialogFlags | ImGuiWindowFlags_NoNav))
        return;
    follow_folder();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
    ImGui::PushID(field_generation_);
    draw_dialog(ui);
    ImGui::PopID();
    just_opened_ = false;
    filter_shown_ = filter_;
    ImGui::PopStyleVar();
    ImGui::EndPopup();
}

void Browser::draw_replace_question(Frame& ui, const Model& model, bool can_appear) {
    const std::string& path = model.saving.overwrite_path;
    if (path.empty()) return;
    constexpr const char* id = "##replace";
    if (!ImGui::IsPopupOpen(id)) {
        // A disk may answer late: what has been opened since stays.
        if (is_open() || !can_appear ||
            ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
            return;
        ImGui::OpenPopup(id);
    }
    ui.panel = "replace";
    if (!begin_dialog(ui, id, {ui.px(440), ui.px(172)}, {ui.px(20), ui.px(18)}, kDialogFlags)) return;
    const Area area = area_at_cursor(0);
    const std::string name = file_name_of(path);
    draw_text(area.min(), ui.theme.title, ui.colors.text, "Replace this file?");
    draw_line_cut(ui, {area.x, area.y + ui.px(36), area.width, ui.px(16)}, ui.theme.body, ui.colors.text, name, true);
    draw_line_cut(ui, {area.x, area.y + ui.px(58), area.width, ui.px(14)}, ui.theme.small, ui.colors.text_quiet,
                  "is already in " + parent_path(path), true);
    bool canceled = false;
    const bool replaced = dialog_buttons(ui, {area.right(), area.y + ui.px(108)}, "Replace", true, &canceled);
    if (key_pressed(ImGuiKey_Escape)) canceled = true;
    if (canceled || replaced) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (!replaced && !canceled) return;
    const auto asked = asked_.extract(name);
    if (replaced) return ui.ask(ReplaceFile{});
    ui.ask(CancelSave{});
    if (asked) open(ui, model, asked.mapped());
    file_name_ = name;
}

}  // namespace tonescope::ui
