#include "ui/browser/browser.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/core/text.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

bool dialog_buttons(Frame& ui, ImVec2 right_top, const char* act, bool usable, bool* canceled) {
    const float each = ui.px(96);
    *canceled = button(ui, {right_top.x - 2 * each - ui.px(8), right_top.y}, "Cancel", each);
    return button(ui, {right_top.x - each, right_top.y}, act, each, ButtonStyle::accent, usable);
}

void Browser::close() {
    if (!opens()) drafts_[mode_] = {suggested_path(), files().folder, file_name_};
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
    const float recent = files().recent_folders.empty() ? 0 : row.height + ui.px(4);
    const float path_width = row.width - recent - (opens() ? filter_width + ui.px(8) : 0);
    ImGui::SetCursorScreenPos(row.min());
    if (text_field(ui, "Folder", "Folder", path_text_, path_width)) go_to(ui, path_text_);
    ImGui::SetCursorScreenPos({row.x + path_width + ui.px(4), row.y});
    draw_recent_folders(ui);
    if (!opens()) return;
    ImGui::SetCursorScreenPos({row.right() - filter_width, row.y});
    if (text_field(ui, "Filter", "Type to filter", filter_, filter_width, just_opened_)) {
        if (looks_like_path(filter_))
            go_to(ui, filter_);
        else
            activate_entry(ui);
    }
    filter_focused_ = ImGui::IsItemActive();
}

void Browser::draw_recent_folders(Frame& ui) {
    if (files().recent_folders.empty()) return;
    if (!begin_choice(ui, "Recent folders", "", ui.px(kControlHeight), "")) return tooltip(ui, "Recent folders");
    for (const std::string& folder : files().recent_folders) {
        const std::string name = file_name_of(folder);
        ImGui::PushID(folder.c_str());
        if (choice_item(ui, "Recent folders", name.empty() ? folder : name, {}, folder, folder == files().folder))
            browse_to(ui, folder);
        ImGui::PopID();
    }
    end_choice(ui);
}

void Browser::go_to(Frame& ui, std::string_view typed) {
    if (typed.empty()) return;
    browse_to(ui, typed_path(typed, files().folder, files().home));
    opens_chosen_ = opens();
}

void Browser::draw_open_footer(Frame& ui) {
    const Area row = area_at_cursor(ui.px(kControlHeight));
    const size_t count = selected_.size();
    const bool of_folder = mode_ == Mode::folder;
    const char* const act = mode_ == Mode::open        ? "Open"
                            : mode_ == Mode::reference ? "Compare"
                            : mode_ == Mode::mask      ? "Use"
                            : of_folder                ? "Choose"
                                                       : "Import";
    const std::string text = of_folder    ? "The folder that is shown is taken"
                             : count == 0 ? std::string(mode_ == Mode::open ? "Ctrl and Shift select several" : "")
                             : count == 1 ? *selected_.begin()
                                          : format("%d images selected", static_cast<int>(count));
    draw_line_cut(ui, {row.x, row.y, row.width - ui.px(216), row.height}, ui.theme.small, ui.colors.text_quiet, text,
                  true);
    bool canceled = false;
    if (dialog_buttons(ui, {row.right(), row.y}, act, count > 0 || (of_folder && !files().folder.empty()), &canceled))
        open_selected(ui);
    if (canceled) close();
}

/// The filter and the list have the list's keys.
void Browser::handle_keys(Frame& ui) {
    if (escape_pressed(ui)) {
        close();
        return;
    }
    if (!filter_focused_ && !list_focused_) return;
    if (key_pressed(ImGuiKey_Backspace) && filter_shown_.empty() && filter_.empty())
        browse_to(ui, parent_path(files().folder));
    if (list_focused_ && enter_pressed()) activate_entry(ui);
    handle_list_keys(ui.keyboard);
}

/// A new folder starts with nothing typed or chosen, unless one of its files was asked for.
void Browser::follow_folder(Frame& ui) {
    if (visit_ == files().visit) return;
    visit_ = files().visit;
    path_text_ = files().folder;
    filter_.clear();
    filter_shown_.clear();
    selected_.clear();
    cursor_ = anchor_ = -1;
    // A text field that has the keyboard keeps a copy of its text, so that what changes it from outside needs a new
    // one.
    ++field_generation_;
    just_opened_ = true;
    const std::string& chosen = files().chosen;
    if (chosen.empty()) return;
    if (!opens()) {
        file_name_ = chosen;
        return;
    }
    const std::vector<size_t> visible = visible_entries();
    const auto found = std::ranges::find(visible, chosen, [&](size_t k) { return files().entries[k].name; });
    cursor_ = found == visible.end() ? -1 : static_cast<int>(found - visible.begin());
    scroll_to_cursor_ = true;
    selected_ = {chosen};
    if (std::exchange(opens_chosen_, false)) open_selected(ui);
}

void Browser::draw_dialog(Frame& ui) {
    const Area area = area_at_cursor(ImGui::GetContentRegionAvail().y);
    constexpr const char* titles[] = {"",
                                      "Open images or a session",
                                      "Compare with a reference",
                                      "Filter through a mask",
                                      "Choose a folder of images",
                                      "Import a preset",
                                      "Save result",
                                      "Save view",
                                      "Export the comparison of variants",
                                      "Export a preset",
                                      "Save the session"};
    draw_text(area.min(), ui.theme.title, ui.colors.text, titles[static_cast<size_t>(mode_)]);
    if (close_cross(ui, area)) close();
    handle_keys(ui);
    if (mode_ == Mode::closed) return;
    ImGui::SetCursorScreenPos({area.x, area.y + ui.px(38)});
    draw_path_row(ui);
    if (mode_ == Mode::closed) return;
    const float above = ui.px(38 + kControlHeight + 8);
    const SaveLayout saving = opens() ? SaveLayout{} : save_layout(ui, area);
    const float footer = (opens() ? ui.px(kControlHeight) : saving.height) + ui.px(12);
    const Area list{area.x, area.y + above, area.width, std::max(area.height - above - footer, 1.0F)};
    draw_entries(ui, list);
    if (mode_ == Mode::closed) return;
    ImGui::SetCursorScreenPos({list.x, list.bottom() + ui.px(12)});
    if (opens())
        draw_open_footer(ui);
    else
        draw_save_footer(ui, saving);
}

void Browser::open_selected(Frame& ui) {
    if (!selected_.empty()) *kept_folder(ui) = files().folder;
    if (mode_ == Mode::folder) {
        chosen_folder_ = *kept_folder(ui) = files().folder;
        close();
        return;
    }
    if (mode_ == Mode::import_preset && !selected_.empty()) {
        ui.ask(ImportPreset{join_path(files().folder, *selected_.begin())});
        close();
        return;
    }
    if (mode_ == Mode::reference && !selected_.empty()) {
        ui.ask(CompareWith{join_path(files().folder, *selected_.begin())});
        close();
        return;
    }
    if (mode_ == Mode::mask && !selected_.empty()) {
        ui.ask(OpenMask{join_path(files().folder, *selected_.begin())});
        close();
        return;
    }
    OpenPaths open{{}, files().folder};
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
    list_focused_ = filter_focused_ = chosen_by_mouse_ = activate_ = false;
    cursor_ = anchor_ = -1;
    filter_.clear();
    filter_shown_.clear();
    selected_.clear();
    const std::string suggested = suggested_path();
    const std::string* const kept = kept_folder(ui);
    Draft draft{suggested, kept == nullptr ? "" : *kept, file_name_of(suggested)};
    if (const auto left = drafts_.find(mode); left != drafts_.end() && left->second.suggested == suggested)
        draft = left->second;
    const auto begin_beside = [&](const std::string& path) {
        if (draft.folder.empty() && path.find('/') != std::string::npos) draft.folder = parent_path(path);
    };
    begin_beside(suggested);
    if (draft.folder.empty()) draft.folder = files().folder;
    begin_beside(model.saving.suggested_result_path);  // as the image is
    if (draft.folder.empty()) draft.folder = files().home.empty() ? "/" : files().home;
    file_name_ = draft.name;
    format_ = 0;
    path_text_ = draft.folder;
    opens_chosen_ = false;
    ui.ask(BrowseTo{draft.folder, listed_kinds(), true});
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
    if (!begin_dialog(ui, id, {ui.px(920), ui.px(640)}, {ui.px(18), ui.px(16)}, kBrowserFlags)) return;
    follow_folder(ui);
    if (!is_open()) return end_dialog(ui);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
    ImGui::PushID(field_generation_);
    draw_dialog(ui);
    ImGui::PopID();
    just_opened_ = false;
    filter_shown_ = filter_;
    ImGui::PopStyleVar();
    end_dialog(ui);
}

}  // namespace tonescope::ui
