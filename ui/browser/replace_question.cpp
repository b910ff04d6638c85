// What the user is asked where a file is in the way of what is to be written.
#include "ui/browser/browser.h"

#include <cmath>
#include <optional>
#include <utility>

#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

/// A title with quiet lines below, and buttons at the right end of the last row, the one that acts as usual last; the
/// third stands at the left. Returns the button that was clicked, from the right, or -1.
int ask(Frame& ui, const std::string& title, const std::string& text, const char* act, const char* other,
        const char* third) {
    const Area area = area_at_cursor(ImGui::GetContentRegionAvail().y);
    draw_line_cut(ui, {area.x, area.y, area.width, ui.px(22)}, ui.theme.title, ui.colors.text, title, true);
    draw_text({area.x, area.y + ui.px(38)}, ui.theme.body, ui.colors.text, text, area.width);
    record(ui, "question:text", {area.x, area.y + ui.px(38), area.width, ui.px(44)}, text, false);
    record(ui, "question", {area.x, area.y, area.width, ui.px(30)}, title, false);
    const float y = area.bottom() - ui.px(kControlHeight);
    const float gap = ui.px(8);
    bool is_tight = false;  // three buttons in the smallest window
    const auto width = [&](const char* label) {
        const float text_px = std::ceil(text_width(ui.theme.body, label));
        return is_tight ? text_px + ui.px(10) : std::max(ui.px(96), text_px + ui.px(24));
    };
    is_tight = third != nullptr && width(third) + width(other) + width(act) + 2 * gap > area.width;
    int clicked = -1;
    const float x = area.right() - width(act);
    if (third != nullptr && button(ui, {area.x, y}, third, width(third))) clicked = 2;
    if (button(ui, {x - gap - width(other), y}, other, width(other))) clicked = 1;
    if (button(ui, {x, y}, act, width(act), ButtonStyle::accent)) clicked = 0;
    return clicked;
}

}  // namespace

std::optional<Browser::Answer> Browser::ask_about(Frame& ui, const SaveQuestion& question) {
    const std::string name = file_name_of(question.path);
    if (!question.is_original) {
        const int clicked = ask(ui, "Replace this file?", name + "\nis already in " + parent_path(question.path),
                                "Replace", "Cancel", nullptr);
        if (clicked >= 0) return clicked == 0 ? Answer::replace : Answer::cancel;
    } else if (!replaces_original_) {
        const int clicked = ask(ui, name + " is an open image",
                                "What was read from this file would be gone. As a new file, it is saved as\n" +
                                    file_name_of(question.free_path) + " in the same folder.",
                                "Save as new file", "Cancel", "Replace the original...");
        if (clicked == 2) replaces_original_ = true;
        if (clicked == 0 || clicked == 1) return clicked == 0 ? Answer::save_beside : Answer::cancel;
    } else {
        const int clicked = ask(
            ui, "Replace the original " + name + " for good?",
            question.is_held ? "Only this window still has the original then, until the image is closed or read again."
                             : "Nothing of the original is left then: this window does not have its pixels in memory.",
            "Keep the original", "Replace for good", nullptr);
        if (clicked == 0) replaces_original_ = false;
        if (clicked == 1) return Answer::replace;
    }
    if (escape_pressed(ui)) return Answer::cancel;
    return std::nullopt;
}

void Browser::draw_replace_question(Frame& ui, const Model& model, bool can_appear) {
    const SaveQuestion& question = model.saving.question;
    if (question.path.empty()) return;
    constexpr const char* id = "##replace";
    if (!ImGui::IsPopupOpen(id)) {
        // A disk may answer late: what has been opened since stays.
        if (is_open() || !can_appear ||
            ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
            return;
        replaces_original_ = false;
        ImGui::OpenPopup(id);
    }
    ui.panel = "replace";
    if (!begin_dialog(ui, id, {ui.px(500), ui.px(190)}, {ui.px(20), ui.px(18)}, kBrowserFlags)) return;
    const std::optional<Answer> answer = ask_about(ui, question);
    if (answer) ImGui::CloseCurrentPopup();
    end_dialog(ui);
    if (!answer) return;
    replaces_original_ = false;
    const auto asked = asked_.extract(question.path);
    if (*answer == Answer::replace) return ui.ask(ReplaceFile{});
    if (*answer == Answer::save_beside) {
        if (asked) asked_[question.free_path] = asked.mapped();
        return ui.ask(SaveBeside{});
    }
    ui.ask(CancelSave{});
    if (!asked) return;
    drafts_[asked.mapped().mode] = asked.mapped().draft;
    preset_ = asked.mapped().preset;
    open(ui, model, asked.mapped().mode);
}

}  // namespace tonescope::ui
