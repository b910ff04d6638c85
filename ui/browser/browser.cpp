// The file browser: opens images and names the file to save.
#include "ui/browser/browser.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/text.h"
#include "ui/browser/browser_paths.h"
#include "ui/state.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

using Mode = BrowserState::Mode;

constexpr ImGuiWindowFlags kDialogFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                          ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

void close(BrowserState& state) {
    state.mode = Mode::closed;
    state.wanted.clear();
    ImGui::CloseCurrentPopup();
}

/// The line with Up, Home, the folder and the filter.
void path_row(Ui& ui, float width) {
    const BrowserModel& browser = ui.model->browser;
    BrowserState& state = ui.browser;
    const float side = ui.px(kControlHeight);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    float x = start.x;
    if (icon_button(ui, "Up", Icon::up, side)) browse_to(ui, parent_path(browser.folder));
    tooltip(ui, "The folder above");
    x += side + ui.px(4);
    if (!browser.home.empty()) {
        ImGui::SetCursorScreenPos({x, start.y});
        if (icon_button(ui, "Home", Icon::home, side)) browse_to(ui, browser.home);
        tooltip(ui, browser.home);
        x += side + ui.px(4);
    }
    const bool filters = state.opens();
    const float filter_width = std::floor(std::min(ui.px(190), width * 0.3F));
    const float path_width = start.x + width - x - (filters ? filter_width + ui.px(8) : 0);
    ImGui::SetCursorScreenPos({x, start.y});
    if (text_field(ui, "Folder", "Folder", state.path_text, path_width) && !state.path_text.empty())
        browse_to(ui, state.path_text);
    if (filters) {
        ImGui::SetCursorScreenPos({start.x + width - filter_width, start.y});
        if (text_field(ui, "Filter", "Type to filter", state.filter, filter_width, state.just_opened))
            activate_entry(ui);
        state.filter_focused = ImGui::IsItemActive();
    }
}

/// Cancel and the button that acts, at the right end of a row. Returns true when the latter was clicked.
bool dialog_buttons(Ui& ui, ImVec2 right_top, const char* act, bool usable, bool* cancelled) {
    const float each = ui.px(96);
    ImGui::SetCursorScreenPos({right_top.x - 2 * each - ui.px(8), right_top.y});
    *cancelled = button(ui, "Cancel", each);
    ImGui::SetCursorScreenPos({right_top.x - each, right_top.y});
    return button(ui, act, each, ButtonStyle::accent, usable);
}

void open_footer(Ui& ui, float width) {
    BrowserState& state = ui.browser;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const size_t count = state.selected.size();
    const bool imports = state.mode == Mode::import_preset;
    const std::string text = count == 0   ? std::string(imports ? "" : "Ctrl and Shift select several")
                             : count == 1 ? *state.selected.begin()
                                          : format("%d images selected", static_cast<int>(count));
    draw_text({start.x, middle(ui.theme.small, start.y, ui.px(kControlHeight))}, ui.theme.small, ui.colors.text_quiet,
              shorten(ui.theme.small, text, width - ui.px(216), true));
    bool cancelled = false;
    if (dialog_buttons(ui, {start.x + width, start.y}, imports ? "Import" : "Open", count > 0, &cancelled))
        open_selected(ui);
    if (cancelled) close(state);
}

void ask_to_write(Ui& ui, Mode mode, std::string path) {
    ui.browser.asked[file_name_of(path)] = mode;
    if (mode == Mode::export_comparison)
        ui.ask(ExportComparison{std::move(path)});
    else if (mode == Mode::export_preset)
        ui.ask(ExportPreset{ui.browser.preset, std::move(path)});
    else if (mode == Mode::save_view)
        ui.ask(SaveView{std::move(path)});
    else
        ui.ask(SaveResult{std::move(path)});
}

void save_footer(Ui& ui, float width) {
    BrowserState& state = ui.browser;
    const bool exports = state.mode == Mode::export_comparison;
    const bool of_preset = state.mode == Mode::export_preset;
    const std::string ending = exports ? ".csv" : of_preset ? ".json" : ".png";
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float row = ui.px(kControlHeight);
    const float label = text_width(ui.theme.body, "Name") + ui.px(12);
    draw_text({start.x, middle(ui.theme.body, start.y, row)}, ui.theme.body, ui.colors.text_quiet, "Name");
    ImGui::SetCursorScreenPos({start.x + label, start.y});
    const bool entered =
        text_field(ui, "File name", ("name" + ending).c_str(), state.file_name, width - label, state.just_opened, true);
    bool known = false;
    const std::string full = extension_of(state.file_name).empty() ? state.file_name + ending : state.file_name;
    const std::string remark =
        of_preset ? preset_remark(full, &known)
        : exports ? export_remark(full, &known)
                  : save_remark(full, ui.model->browser.saved_formats,
                                state.mode == Mode::save && ui.model->views.after.spec.has_alpha, &known);
    const bool usable = known && !state.file_name.empty() && !ui.model->browser.folder.empty();
    const float y = start.y + row + ui.px(10);
    draw_text({start.x, middle(ui.theme.small, y, row)}, ui.theme.small,
              known ? ui.colors.text_quiet : ui.colors.warning, shorten(ui.theme.small, remark, width - ui.px(216)));
    bool cancelled = false;
    if (dialog_buttons(ui, {start.x + width, y}, "Save", usable, &cancelled) || (entered && usable)) {
        ask_to_write(ui, state.mode, join_path(ui.model->browser.folder, full));
        close(state);
    } else if (cancelled) {
        close(state);
    }
}

/// Keys that act whichever part of the dialog has the keyboard.
void browser_keys(Ui& ui) {
    BrowserState& state = ui.browser;
    if (compat::key_pressed(compat::kKeyEscape)) {
        close(state);
        return;
    }
    if (!state.opens() || (ImGui::GetIO().WantTextInput && !state.filter_focused)) return;
    if (compat::key_pressed(compat::kKeyBackspace) && state.filter_shown.empty() && state.filter.empty())
        browse_to(ui, parent_path(ui.model->browser.folder));
    if (!state.filter_focused && (compat::key_pressed(compat::kKeyEnter) || compat::key_pressed(compat::kKeyPadEnter)))
        activate_entry(ui);
    if (state.opens()) list_keys(ui);
}

/// A new folder starts with nothing typed or chosen.
void follow_folder(Ui& ui) {
    BrowserState& state = ui.browser;
    if (state.folder == ui.model->browser.folder) return;
    state.folder = ui.model->browser.folder;
    state.path_text = state.folder;
    state.filter.clear();
    state.filter_shown.clear();
    state.selected.clear();
    state.cursor = state.anchor = -1;
    state.reset_fields = true;
}

void draw_dialog(Ui& ui) {
    BrowserState& state = ui.browser;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    constexpr const char* titles[] = {
        "", "Open images", "Save result", "Save view", "Export comparison", "Import a preset", "Export a preset"};
    const char* title = titles[static_cast<size_t>(state.mode)];
    draw_text(start, ui.theme.title, ui.colors.text, title);
    ImGui::SetCursorScreenPos({start.x + width - ui.px(26), start.y - ui.px(2)});
    if (icon_button(ui, "Close", Icon::close, ui.px(26))) close(state);
    browser_keys(ui);
    if (state.mode == Mode::closed) return;
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(38)});
    path_row(ui, width);
    if (state.mode == Mode::closed) return;
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(38 + kControlHeight + 8)});
    const float footer = ui.px(state.opens() ? kControlHeight : 2 * kControlHeight + 10);
    const ImVec2 list = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetContentRegionAvail().y - footer - ui.px(12);
    draw_entries(ui, width, height);
    ImGui::SetCursorScreenPos({list.x, list.y + height + ui.px(12)});
    if (state.opens())
        open_footer(ui, width);
    else if (state.mode != Mode::closed)
        save_footer(ui, width);
}

}  // namespace

void open_selected(Ui& ui) {
    if (ui.browser.mode == Mode::import_preset && !ui.browser.selected.empty()) {
        ui.ask(ImportPreset{join_path(ui.model->browser.folder, *ui.browser.selected.begin())});
        close(ui.browser);
        return;
    }
    OpenPaths open;
    for (const std::string& name : ui.browser.selected) open.paths.push_back(join_path(ui.model->browser.folder, name));
    if (open.paths.empty()) return;
    ui.ask(std::move(open));
    close(ui.browser);
}

void open_browser(Ui& ui, BrowserState::Mode mode) {
    BrowserState& state = ui.browser;
    const BrowserModel& browser = ui.model->browser;
    if (state.mode != Mode::closed) return;
    state.mode = mode;
    state.just_opened = true;
    state.filter.clear();
    state.filter_shown.clear();
    state.selected.clear();
    std::string folder = browser.folder;
    const std::string& suggested = mode == Mode::export_comparison ? ui.model->benchmark.suggested_path
                                   : mode == Mode::save_view       ? ui.model->saving.suggested_view_path
                                                                   : ui.model->saving.suggested_result_path;
    if (state.of_presets()) {
        state.file_name = state.preset + ".json";
    } else if (mode != Mode::open && !suggested.empty()) {
        folder = parent_path(suggested);
        state.file_name = file_name_of(suggested);
    }
    if (folder.empty()) folder = browser.home.empty() ? "/" : browser.home;
    state.path_text = folder;
    browse_to(ui, folder);
}

void export_preset(Ui& ui, const std::string& name) {
    ui.browser.preset = name;
    open_browser(ui, BrowserState::Mode::export_preset);
}

void draw_browser(Ui& ui) {
    BrowserState& state = ui.browser;
    if (state.mode == Mode::closed) return;
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
    follow_folder(ui);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
    // A text field that has the keyboard keeps a copy of its text, so that what changes it from outside needs a new
    // one.
    if (state.reset_fields) ++state.field_generation;
    if (state.reset_fields) state.just_opened = true;
    state.reset_fields = false;
    ImGui::PushID(state.field_generation);
    draw_dialog(ui);
    ImGui::PopID();
    state.just_opened = false;
    state.filter_shown = state.filter;
    ImGui::PopStyleVar();
    ImGui::EndPopup();
}

void draw_replace_question(Ui& ui) {
    const Model& model = *ui.model;
    if (model.saving.overwrite_path.empty() || model.views.picturing) return;
    constexpr const char* id = "##replace";
    if (!ImGui::IsPopupOpen(id)) {
        // A disk may answer late: what has been opened since stays.
        if (ui.browser.mode != Mode::closed || ui.help_open || ui.palette.open ||
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
    const std::string name = file_name_of(model.saving.overwrite_path);
    draw_text(start, ui.theme.title, ui.colors.text, "Replace this file?");
    draw_text({start.x, start.y + ui.px(36)}, ui.theme.body, ui.colors.text, shorten(ui.theme.body, name, inner, true));
    draw_text({start.x, start.y + ui.px(58)}, ui.theme.small, ui.colors.text_quiet,
              shorten(ui.theme.small, "is already in " + parent_path(model.saving.overwrite_path), inner, true));
    bool cancelled = false;
    const bool replaced = dialog_buttons(ui, {start.x + inner, start.y + ui.px(108)}, "Replace", true, &cancelled);
    if (compat::key_pressed(compat::kKeyEscape)) cancelled = true;
    if (cancelled || replaced) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (!replaced && !cancelled) return;
    const auto asked = ui.browser.asked.extract(name);
    if (replaced) {
        ui.ask(ReplaceFile{});
        return;
    }
    ui.ask(CancelSave{});
    if (asked) open_browser(ui, asked.mapped());
    ui.browser.file_name = name;
}

}  // namespace tonescope::ui
