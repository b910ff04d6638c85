#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

using BatchState = BatchModel::State;

constexpr float kBatchLabel = 76, kBatchRow = 36, kBatchFormat = 120, kBatchOption = 180, kBatchFile = 26;
constexpr float kBatchFooter = 40;

/// The label of a row; the area of what stands behind it.
Area labeled(const Frame& ui, const char* label) {
    const Area row = area_at_cursor(ui.px(kControlHeight));
    draw_line({row.x, row.y, 0, row.height}, ui.theme.body, ui.colors.text_quiet, label);
    const Area rest{row.x + ui.px(kBatchLabel), row.y, row.width - ui.px(kBatchLabel), row.height};
    ImGui::SetCursorScreenPos({row.x, row.y + ui.px(kBatchRow)});
    return rest;
}

std::string ending_of(const std::string& path) {
    const size_t dot = path.rfind('.');
    return dot == std::string::npos || path.find('/', dot) != std::string::npos ? std::string() : path.substr(dot + 1);
}

/// The format that the name's ending stands for; null: none.
const SavedFormat* format_of(const std::string& path, const std::vector<SavedFormat>& formats) {
    const std::string ending = ending_of(path);
    const auto found = std::ranges::find_if(formats, [&](const SavedFormat& format) {
        return std::ranges::find(format.extensions, ending) != format.extensions.end();
    });
    return found == formats.end() ? nullptr : &*found;
}

std::string count_of(size_t count, const char* one, const char* several) {
    return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string summary_of(const BatchModel& batch) {
    switch (batch.state) {
        case BatchState::looking:
            return "Looking for images";
        case BatchState::asks:
            return std::to_string(batch.existing) + " of " + count_of(batch.files, "result is", "results are") +
                   " there already";
        case BatchState::idle:
            return batch.problem;
        default:
            break;
    }
    std::string text = std::to_string(batch.done) + " of " + count_of(batch.files, "image", "images");
    if (batch.failed > 0) text += ", " + std::to_string(batch.failed) + " failed";
    if (batch.state == BatchState::paused) return text + "; paused";
    if (batch.state == BatchState::done) return text + (batch.was_stopped ? "; stopped" : "; finished");
    if (batch.was_stopped) return text + "; stopping";
    if (batch.done == 0 || batch.seconds < 2) return text;
    const double left_s = batch.seconds / double(batch.done) * double(batch.files - batch.done);
    return text + (left_s < 90 ? format("; about %.0f s left", std::ceil(left_s))
                               : format("; about %.0f min left", std::ceil(left_s / 60)));
}

}  // namespace

void BatchPanel::open(Frame& ui, const Model& model) {
    requested_ = true;
    if (model.batch.is_busy() || model.batch.state == BatchState::asks) return;
    if (setup_.folder.empty()) setup_.folder = model.batch.suggested_folder;
    if (setup_.output.empty()) setup_.output = model.batch.suggested_output;
    setup_.save_options = ui.settings.save_options;
}

void BatchPanel::draw_images(Frame& ui, const Model& model) {
    const Area row = labeled(ui, "Images");
    constexpr std::string_view kSources[] = {"open images", "a folder"};
    const float width = ui.px(200);
    ImGui::SetCursorScreenPos(row.min());
    const int clicked = segmented(ui, "Images of the batch", kSources, setup_.is_folder ? 1 : 0, width);
    if (clicked >= 0) setup_.is_folder = clicked == 1;
    const Area rest{row.x + width + ui.px(12), row.y, row.width - width - ui.px(12), row.height};
    ImGui::SetCursorScreenPos(rest.min());
    if (setup_.is_folder)
        text_field(ui, "Folder of the batch", "Folder", setup_.folder, rest.width);
    else
        draw_line_cut(ui, rest, ui.theme.body, ui.colors.text_quiet,
                      count_of(model.images.entries.size(), "image is open", "images are open"));
    ImGui::SetCursorScreenPos({row.x - ui.px(kBatchLabel), row.y + ui.px(kBatchRow)});
}

void BatchPanel::draw_results(Frame& ui, const Model& model) {
    const Area row = labeled(ui, "Results");
    const std::vector<SavedFormat>& formats = model.browser.saved_formats;
    const SavedFormat* shown = format_of(setup_.output, formats);
    ImGui::SetCursorScreenPos(row.min());
    text_field(ui, "Results of the batch", "Folder/{stem}.png; {stem} is the name of the image", setup_.output,
               row.width - ui.px(kBatchFormat + 8));
    tooltip(ui,
            "Where results go: {stem} becomes the name of each image without its ending. The folder is made where it "
            "is missing.");
    ImGui::SetCursorScreenPos({row.right() - ui.px(kBatchFormat), row.y});
    const std::string_view name = shown != nullptr ? std::string_view(shown->name) : std::string_view("Format");
    if (begin_choice(ui, "Format of the batch", name, ui.px(kBatchFormat), name)) {
        for (const SavedFormat& format : formats) {
            if (!choice_item(ui, "Format of the batch", format.name, "." + format.extensions[0], format.about,
                             &format == shown))
                continue;
            const std::string ending = ending_of(setup_.output);
            if (!ending.empty()) setup_.output.resize(setup_.output.size() - ending.size() - 1);
            setup_.output += "." + format.extensions[0];
        }
        end_choice(ui);
    }
    ImGui::SetCursorScreenPos({row.x - ui.px(kBatchLabel), row.y + ui.px(kBatchRow)});
    if (shown == nullptr || shown->options.empty()) return;
    const Area place = labeled(ui, "");
    float x = place.x, height = 0;
    for (const ParamInfo& info : shown->options) {
        const auto found = setup_.save_options.find(info.id);
        const int32_t value =
            found == setup_.save_options.end() ? info.default_value : clamp_value(info, found->second);
        ImGui::SetCursorScreenPos({x, place.y});
        if (const auto changed = param_widget(ui, info, value, ui.px(kBatchOption)))
            setup_.save_options[std::string(info.id)] = *changed;
        x += ui.px(kBatchOption + 14);
        height = std::max(height, param_height(ui, info));
    }
    ImGui::SetCursorScreenPos({place.x - ui.px(kBatchLabel), place.y + height + ui.px(4)});
}

void BatchPanel::draw_progress(Frame& ui, const BatchModel& batch, const Area& area) const {
    const bool is_problem = batch.state == BatchState::idle && !batch.problem.empty();
    const Area line{area.x, area.y, area.width, ui.px(kBatchFile)};
    draw_line_cut(ui, line, ui.theme.body, is_problem ? ui.colors.error : ui.colors.text, summary_of(batch));
    record(ui, "batch", line, summary_of(batch), false);
    float y = line.bottom();
    const bool has_begun = batch.is_busy() || batch.state == BatchState::done;
    if (has_begun && batch.files > 0) {
        progress_bar(ui, {.busy = true, .progress = batch.progress(), .what = {}}, {area.x, y, area.width, ui.px(6)});
        y += ui.px(14);
    }
    ImGui::SetCursorScreenPos({area.x, y});
    if (y + ui.px(kBatchFile) > area.bottom()) return;
    begin_child("##batch files", {area.width + ui.px(8), area.bottom() - y}, 0, area.width);
    for (const BatchModel::File& file : batch.under_way) {
        const Area row = area_at_cursor(ui.px(kBatchFile));
        const float bar = ui.px(120), step = ui.px(70);
        draw_line_cut(ui, {row.x, row.y, row.width - bar - step - ui.px(16), row.height}, ui.theme.small,
                      ui.colors.text, file.name, true);
        draw_line({row.right() - bar - step, row.y, step, row.height}, ui.theme.small, ui.colors.text_quiet, file.step);
        progress_bar(ui, {.busy = true, .progress = std::max(file.progress, 0.0), .what = {}},
                     {row.right() - bar, std::floor(row.center().y - ui.px(2)), bar, ui.px(4)});
        end_area(row);
    }
    for (const std::string& failure : batch.failures) {
        const Area row = area_at_cursor(ui.px(kBatchFile));
        draw_line_cut(ui, row, ui.theme.small, ui.colors.error, failure);
        end_area(row);
    }
    end_child(ui);
}

void BatchPanel::draw_buttons(Frame& ui, const Model& model, const Area& row) {
    const BatchModel& batch = model.batch;
    float right = row.right();
    const auto placed = [&](const char* text, ButtonStyle style = ButtonStyle::normal, bool enabled = true) {
        const float width = std::ceil(text_width(ui.theme.body, text)) + ui.px(28);
        right -= width;
        const bool clicked = button(ui, {right, row.y}, text, width, style, enabled);
        right -= ui.px(8);
        return clicked;
    };
    if (batch.state == BatchState::asks) {
        if (placed("Cancel")) ui.ask(AnswerBatch{AnswerBatch::Kind::cancel});
        if (placed("Leave them out", ButtonStyle::accent)) ui.ask(AnswerBatch{AnswerBatch::Kind::leave_out});
        if (placed("Replace them")) ui.ask(AnswerBatch{AnswerBatch::Kind::replace});
    } else if (batch.is_busy()) {
        const bool runs = batch.state == BatchState::running;
        if (placed("Stop", ButtonStyle::normal, !batch.was_stopped)) ui.ask(StopBatch{});
        if (placed(batch.state == BatchState::paused ? "Go on" : "Pause", ButtonStyle::normal,
                   batch.state != BatchState::looking && !batch.was_stopped))
            ui.ask(PauseBatch{runs});
    } else {
        const bool usable = !setup_.output.empty() && (setup_.is_folder || !model.images.entries.empty());
        if (placed("Start", ButtonStyle::accent, usable)) {
            ui.settings.save_options = setup_.save_options;
            ui.ask(StartBatch{setup_});
        }
        if (!batch.failures.empty() && placed("Copy the failures")) {
            std::string text;
            for (const std::string& failure : batch.failures) text += failure + "\n";
            ImGui::SetClipboardText(text.c_str());
        }
    }
    const Area text{row.x, row.y, right - row.x, row.height};
    const bool has_begun = batch.is_busy() || batch.state == BatchState::done;
    std::string what(model.run.op != nullptr ? model.run.op->name : "");
    if (has_begun) what = batch.what;
    draw_line_cut(ui, text, ui.theme.small, ui.colors.text_faint,
                  has_begun ? what : what + " with its parameters as they are set");
}

void BatchPanel::draw(Frame& ui, const Model& model) {
    ui.panel = "batch";
    if (!begin_popup(ui, requested_, "Batch", {ui.px(680), ui.px(440)})) return;
    const bool fixed = model.batch.is_busy() || model.batch.state == BatchState::asks;
    begin_disabled(ui, fixed);
    draw_images(ui, model);
    draw_results(ui, model);
    end_disabled(ui, fixed);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const Area all = area_at_cursor(room.y);
    draw_progress(ui, model.batch, {all.x, all.y, all.width, all.height - ui.px(kBatchFooter)});
    draw_buttons(ui, model, {all.x, all.bottom() - ui.px(kControlHeight), all.width, ui.px(kControlHeight)});
    end_popup(ui);
}

}  // namespace tonescope::ui
