#include "ui/browser/browser.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/text.h"
#include "ui/browser/browser_paths.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr ImGuiWindowFlags kDialogFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                          ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

/// Cancel and the button that acts, at the right end of a row. Returns true when the latter was clicked.
bool dialog_buttons(Frame& ui, ImVec2 right_top, const char* act, bool usable, bool* cancelled) {
    const float each = ui.px(96);
    ImGui::SetCursorScreenPos({right_top.x - 2 * each - ui.px(8), right_top.y});
    *cancelled = button(ui, "Cancel", each);
    ImGui::SetCursorScreenPos({right_top.x - each, right_top.y});
    return button(ui, act, each, ButtonStyle::accent, usable);
}

}  // namespace

void Browser::close() {
    mode_ = Mode::closed;
    wanted_.clear();
    ImGui::CloseCurrentPopup();
}

/// The line with Up, Home, the folder and the filter.
void Browser::draw_path_row(Frame& ui, float width) {
    const float side = ui.px(kControlHeight);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    float x = start.x;
    if (icon_button(ui, "Up", Icon::up, side)) browse_to(ui, parent_path(files().folder));
    tooltip(ui, "The folder above");
    x += side + ui.px(4);
    if (!files().home.empty()) {
        ImGui::SetCursorScreenPos({x, start.y});
        if (icon_button(ui, "Home", Icon::home, side)) browse_to(ui, files().home);
        tooltip(ui, files().home);
        x += side + ui.px(4);
    }
    const bool filters = opens();
    const float filter_width = std::floor(std::min(ui.px(190), width * 0.3F));
    const float path_width = start.x + width - x - (filters ? filter_width + ui.px(8) : 0);
    ImGui::SetCursorScreenPos({x, start.y});
    if (text_field(ui, "Folder", "Folder", path_text_, path_width) && !path_text_.empty()) browse_to(ui, path_text_);
    if (filters) {
        ImGui::SetCursorScreenPos({start.x + width - filter_width, start.y});
        if (text_field(ui, "Filter", "Type to filter", filter_, filter_width, just_opened_)) activate_entry(ui);
        filter_focused_ = ImGui::IsItemActive();
    }
}

void Browser::draw_open_footer(Frame& ui, float width) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const size_t count = selected_.size();
    const bool imports = mode_ == Mode::import_preset;
    const std::string text = count == 0   ? std::string(imports ? "" : "Ctrl and Shift select several")
                             : count == 1 ? *selected_.begin()
                                          : format("%d images selected", static_cast<int>(count));
    draw_text({start.x, middle(ui.theme.small, start.y, ui.px(kControlHeight))}, ui.theme.small, ui.colors.text_quiet,
              shorten(ui.theme.small, text, width - ui.px(216), true));
    bool cancelled = false;
    if (dialog_buttons(ui, {start.x + width, start.y}, imports ? "Import" : "Open", count > 0, &cancelled))
        open_selected(ui);
    if (cancelled) close();
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

void Browser::draw_save_footer(Frame& ui, float width) {
    const bool exports = mode_ == Mode::export_benchmark;
    const bool of_preset = mode_ == Mode::export_preset;
    const std::string ending = exports ? ".csv" : of_preset ? ".json" : ".png";
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float row = ui.px(kControlHeight);
    const float label = text_width(ui.theme.body, "Name") + ui.px(12);
    draw_text({start.x, middle(ui.theme.body, start.y, row)}, ui.theme.body, ui.colors.text_quiet, "Name");
    ImGui::SetCursorScreenPos({start.x + label, start.y});
    const bool entered =
        text_field(ui, "File name", ("name" + ending).c_str(), file_name_, width - label, just_opened_, true);
    bool known = false;
    const std::string full = extension_of(file_name_).empty() ? file_name_ + ending : file_name_;
    const std::string remark =
        of_preset ? preset_remark(full, &known)
        : exports ? export_remark(full, &known)
                  : save_remark(full, files().saved_formats, mode_ == Mode::save && files_->result_has_alpha, &known);
    const bool usable = known && !file_name_.empty() && !files().folder.empty();
    const float y = start.y + row + ui.px(10);
    draw_text({start.x, middle(ui.theme.small, y, row)}, ui.theme.small,
              known ? ui.colors.text_quiet : ui.colors.warning, shorten(ui.theme.small, remark, width - ui.px(216)));
    bool cancelled = false;
    if (dialog_buttons(ui, {start.x + width, y}, "Save", usable, &cancelled) || (entered && usable)) {
        ask_to_write(ui, join_path(files().folder, full));
        close();
    } else if (cancelled) {
        close();
    }
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
    if (!filter_focused_ && (key_pressed(ImGuiKey_Enter) || key_pressed(ImGuiKey_KeypadEnter))) activate_entry(ui);
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
    reset_fields_ = true;
}

void Browser::draw_dialog(Frame& ui) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    constexpr const char* titles[] = {
        "", "Open images", "Save result", "Save view", "Export comparison", "Import a preset", "Export a preset"};
    const char* title = titles[static_cast<size_t>(mode_)];
    draw_text(start, ui.theme.title, ui.colors.text, title);
    ImGui::SetCursorScreenPos({start.x + width - ui.px(26), start.y - ui.px(2)});
    if (icon_button(ui, "Close", Icon::close, ui.px(26))) close();
    handle_keys(ui);
    if (mode_ == Mode::closed) return;
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(38)});
    draw_path_row(ui, width);
    if (mode_ == Mode::closed) return;
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(38 + kControlHeight + 8)});
    const float footer = ui.px(opens() ? kControlHeight : 2 * kControlHeight + 10);
    const ImVec2 list = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetContentRegionAvail().y - footer - ui.px(12);
    draw_entries(ui, width, height);
    ImGui::SetCursorScreenPos({list.x, list.y + height + ui.px(12)});
    if (opens())
        draw_open_footer(ui, width);
    else if (mode_ != Mode::closed)
        draw_save_footer(ui, width);
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

void Browser::begin(Frame& ui, Mode mode) {
    mode_ = mode;
    just_opened_ = true;
    filter_.clear();
    filter_shown_.clear();
    selected_.clear();
    std::string folder = files().folder;
    const std::string& suggested = mode == Mode::export_benchmark ? files_->benchmark_path
                                   : mode == Mode::save_view      ? files_->saving.suggested_view_path
                                                                  : files_->saving.suggested_result_path;
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

void Browser::open(Frame& ui, const BrowserFiles& files, Mode mode) {
    if (is_open()) return;
    files_ = &files;
    begin(ui, mode);
}

void Browser::export_preset(Frame& ui, const BrowserFiles& files, const std::string& name) {
    preset_ = name;
    open(ui, files, Mode::export_preset);
}

void Browser::draw(Frame& ui, const BrowserFiles& files) {
    if (!is_open()) return;
    files_ = &files;
    constexpr const char* id = "##browser";
    if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
    ui.panel = "browser";
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 size{std::floor(std::min(display.x - ui.px(16), ui.px(920))),
                      std::floor(std::min(display.y - ui.px(16), ui.px(640)))};
    ImGui::SetNextWindowPos({std::floor((display.x - size.x) / 2), std::floor((display.y - size.y) / 2)});
    ImGui::SetNextWindowSize(size);
    push_dialog_style(ui, {ui.px(18), ui.px(16)});
    const bool open = ImGui::BeginPopupModal(id, nullptr, kDialogFlags | ImGuiWindowFlags_NoNav);
    pop_dialog_style();
    if (!open) return;
    follow_folder();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
    // A text field that has the keyboard keeps a copy of its text, so that what changes it from outside needs a new
    // one.
    if (reset_fields_) ++field_generation_;
    if (reset_fields_) just_opened_ = true;
    reset_fields_ = false;
    ImGui::PushID(field_generation_);
    draw_dialog(ui);
    ImGui::PopID();
    just_opened_ = false;
    filter_shown_ = filter_;
    ImGui::PopStyleVar();
    ImGui::EndPopup();
}

void Browser::draw_replace_question(Frame& ui, const BrowserFiles& files, bool can_appear) {
    const std::string& path = files.saving.overwrite_path;
    if (path.empty()) return;
    files_ = &files;
    constexpr const char* id = "##replace";
    if (!ImGui::IsPopupOpen(id)) {
        // A disk may answer late: what has been opened since stays.
        if (is_open() || !can_appear ||
            ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
            return;
        ImGui::OpenPopup(id);
    }
    ui.panel = "replace";
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 size{std::floor(std::min(ui.px(440), display.x - ui.px(16))), ui.px(172)};
    ImGui::SetNextWindowPos({std::floor((display.x - size.x) / 2), std::floor((display.y - size.y) / 2)});
    ImGui::SetNextWindowSize(size);
    push_dialog_style(ui, {ui.px(20), ui.px(18)});
    const bool open = ImGui::BeginPopupModal(id, nullptr, kDialogFlags);
    pop_dialog_style();
    if (!open) return;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float inner = ImGui::GetContentRegionAvail().x;
    const std::string name = file_name_of(path);
    draw_text(start, ui.theme.title, ui.colors.text, "Replace this file?");
    draw_text({start.x, start.y + ui.px(36)}, ui.theme.body, ui.colors.text, shorten(ui.theme.body, name, inner, true));
    draw_text({start.x, start.y + ui.px(58)}, ui.theme.small, ui.colors.text_quiet,
              shorten(ui.theme.small, "is already in " + parent_path(path), inner, true));
    bool cancelled = false;
    const bool replaced = dialog_buttons(ui, {start.x + inner, start.y + ui.px(108)}, "Replace", true, &cancelled);
    if (key_pressed(ImGuiKey_Escape)) cancelled = true;
    if (cancelled || replaced) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (!replaced && !cancelled) return;
    const auto asked = asked_.extract(name);
    if (replaced) {
        ui.ask(ReplaceFile{});
        return;
    }
    ui.ask(CancelSave{});
    if (asked && !is_open()) begin(ui, asked.mapped());
    file_name_ = name;
}

}  // namespace tonescope::ui
