#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/model/caption.h"
#include "ui/model/paths.h"
#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

using BatchState = BatchModel::State;

constexpr float kBatchRow = 36, kBatchFormat = 120, kBatchShades = 120, kBatchSources = 200, kBatchBrowse = 92,
                kBatchFile = 26;
constexpr float kWideBatch = 520, kRoomForOptions = 286;

std::string count_of(size_t count, const char* one, const char* several) {
    return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string duration_text(double seconds) {
    return seconds < 90 ? format("%.0f s", std::ceil(seconds)) : format("%.0f min", std::ceil(seconds / 60));
}

/// A name that ends in "/" stands for PNG files in that folder.
std::string whole_name(const std::string& output) {
    return output.ends_with('/') ? output + "{stem}.png" : output;
}

std::string summary_of(const BatchModel& batch) {
    if (batch.state == BatchState::looking) return "Looking for images";
    if (batch.state == BatchState::asks)
        return std::to_string(batch.existing) + " of " + count_of(batch.files, "result is", "results are") +
               " there already";
    if (batch.state == BatchState::idle) return batch.problem;
    std::string text = std::to_string(batch.done) + " of " + count_of(batch.files, "image", "images");
    if (batch.failed > 0) text += ", " + std::to_string(batch.failed) + " failed";
    if (batch.asks_to_quit) return text + "; stop here, and close the window?";
    if (!batch.problem.empty()) return text + "; " + batch.problem;
    if (batch.state == BatchState::done)
        return text + (batch.was_stopped ? "; stopped after " : "; finished in ") + duration_text(batch.seconds);
    if (batch.was_stopped) return text + "; stopping";
    if (batch.state == BatchState::paused) return text + "; paused";
    if (batch.done == 0 || batch.seconds < 2) return text;
    const double left_s = batch.seconds / double(batch.done) * double(batch.files - batch.done);
    return text + "; about " + duration_text(left_s) + " left";
}

/// A line that a click copies, cut in the middle where there is no room for it.
void copied_line(Frame& ui, const std::string& text, ImU32 color, const std::string& behind = {}) {
    const Area row = area_at_cursor(ui.px(kBatchFile));
    const float room = behind.empty() ? 0 : std::min(text_width(ui.theme.small, behind), row.width / 2) + ui.px(12);
    ImGui::PushID(text.c_str());
    if (row_area(ui, "line", row)) copy_text(ui, text, "Copied: " + text);
    ImGui::PopID();
    record(ui, "batch line", row, text);
    draw_line_cut(ui, {row.x + ui.px(4), row.y, row.width - ui.px(8) - room, row.height}, ui.theme.small, color, text,
                  true);
    if (room > 0)
        draw_line_cut(ui, {row.right() - room, row.y, room - ui.px(4), row.height}, ui.theme.small,
                      ui.colors.text_quiet, behind, true, Align::right);
    end_area(row);
}

void file_under_way(Frame& ui, const BatchModel::File& file) {
    const Area row = area_at_cursor(ui.px(kBatchFile));
    const float bar = std::min(ui.px(120), row.width / 4), step = ui.px(70);
    draw_line_cut(ui, {row.x + ui.px(4), row.y, row.width - bar - step - ui.px(16), row.height}, ui.theme.small,
                  ui.colors.text, file.name, true);
    draw_line({row.right() - bar - step, row.y, step, row.height}, ui.theme.small, ui.colors.text_quiet, file.step);
    // Where a step does not know how far it is, a moving bar would cost frames.
    progress_bar(ui, {.busy = true, .progress = std::max(file.progress, 0.0), .what = {}},
                 {row.right() - bar, std::floor(row.center().y - ui.px(2)), bar, ui.px(4)});
    end_area(row);
}

/// How far it is, and the files that there is something to say about.
void draw_progress(Frame& ui, const BatchModel& batch, const Area& area) {
    const bool is_problem = !batch.problem.empty() && !batch.is_busy();
    const Area line{area.x, area.y, area.width, ui.px(kBatchFile)};
    const std::string summary = summary_of(batch);
    draw_line_cut(ui, line, ui.theme.body, is_problem ? ui.colors.error : ui.colors.text, summary);
    record(ui, "batch", line, summary, false);
    float y = line.bottom();
    if (batch.is_under_way() || batch.state == BatchState::done) {
        progress_bar(ui, {.busy = true, .progress = batch.progress(), .what = {}}, {area.x, y, area.width, ui.px(6)});
        y += ui.px(14);
    }
    ImGui::SetCursorScreenPos({area.x, y});
    if (y + ui.px(kBatchFile) > area.bottom()) return;
    begin_child("##batch files", {area.width + ui.px(8), area.bottom() - y}, 0, area.width);
    ui.keyboard.begin_group(ImGui::GetID("lines"), true);
    for (const BatchModel::File& file : batch.under_way) file_under_way(ui, file);
    for (const BatchModel::Obstacle& one : batch.obstacles)
        copied_line(ui, one.path, ui.colors.text, "or " + one.free_name);
    for (const std::string& failure : batch.failures) copied_line(ui, failure, ui.colors.error);
    ui.keyboard.end_group();
    end_child(ui);
}

}  // namespace

void BatchPanel::open(Frame& ui, const Model& model) {
    requested_ = true;
    const BatchModel& batch = model.batch;
    if (std::exchange(suggested_mask_, batch.suggested_mask) != suggested_mask_) {
        setup_.mask = suggested_mask_;
        setup_.mask_inverse = batch.suggested_inverse;
    }
    // Of the images that are open now, with the ending that was chosen last.
    if (std::exchange(suggested_, batch.suggested_output) == suggested_) return;
    const std::vector<SavedFormat>& formats = model.browser.saved_formats;
    const int chosen = find_format(whole_name(setup_.output), formats);
    setup_.folder = batch.suggested_folder;
    setup_.output = chosen < 0 ? suggested_ : with_format(suggested_, formats[static_cast<size_t>(chosen)], formats);
    setup_.save_options = ui.settings.save_options;
}

void BatchPanel::come_back(const std::string& folder) {
    if (!std::exchange(browses_, false)) return;
    requested_ = true;
    if (!folder.empty()) setup_.folder = folder;
}

void BatchPanel::draw_images(Frame& ui, const Model& model, const Area& row) {
    constexpr std::string_view kSources[] = {"open images", "a folder"};
    const bool wide = row.width >= ui.px(kWideBatch - kLabelColumn);
    const float width = wide ? ui.px(kBatchSources) : row.width;
    ImGui::SetCursorScreenPos({row.x, row.y + segment_margin(ui)});
    const int clicked = segmented(ui, "Images of the batch", kSources, setup_.is_folder ? 1 : 0, width);
    if (clicked >= 0) setup_.is_folder = clicked == 1;
    const float x = wide ? row.x + width + ui.px(12) : row.x;
    const Area rest{x, wide ? row.y : row.y + ui.px(kBatchRow), row.right() - x, row.height};
    if (!setup_.is_folder) {
        const std::string text = count_of(model.images.entries.size(), "image is open", "images are open");
        if (wide) draw_line_cut(ui, rest, ui.theme.body, ui.colors.text_quiet, text);
        return;
    }
    ImGui::SetCursorScreenPos(rest.min());
    entered_ |= text_field(ui, "Folder of the batch", "Folder", setup_.folder, rest.width - ui.px(kBatchBrowse + 8));
    if (button(ui, {rest.right() - ui.px(kBatchBrowse), rest.y}, "Choose...", ui.px(kBatchBrowse))) browses_ = true;
    tooltip(ui, "Chooses a folder; its images are done, not those of the folders in it");
}

void BatchPanel::draw_results(Frame& ui, const Model& model, const Area& row) {
    const std::vector<SavedFormat>& formats = model.browser.saved_formats;
    const float format_width = std::min(ui.px(kBatchFormat), std::floor(row.width * 0.36F));
    ImGui::SetCursorScreenPos(row.min());
    entered_ |=
        text_field(ui, "Results of the batch", "Folder/{stem}.png", setup_.output, row.width - format_width - ui.px(8));
    tooltip(ui,
            "Where results go: {stem} becomes the name of each image without its ending, {page} the number of the "
            "page. A folder that is not there is made");
    ImGui::SetCursorScreenPos({row.right() - format_width, row.y});
    const std::string name = whole_name(setup_.output);
    const int chosen = choose_format(ui, "Format of the batch", formats, find_format(name, formats), format_width);
    if (chosen >= 0) setup_.output = with_format(name, formats[static_cast<size_t>(chosen)], formats);
}

void BatchPanel::draw_masks(Frame& ui, const Area& row) {
    constexpr std::string_view kShades[] = {"white", "black"};
    constexpr const char* kLabel = "Filtered";  // as in the panel of region and mask
    const float label = text_width(ui.theme.body, kLabel) + ui.px(8);
    const float shades = label + std::min(ui.px(kBatchShades), std::floor(row.width * 0.3F));
    ImGui::SetCursorScreenPos(row.min());
    entered_ |= text_field(ui, "Masks of the batch", "None", setup_.mask, row.width - shades - ui.px(8));
    tooltip(ui,
            "Where results take the place of the images: a mask for all of them, or one each, whose name contains "
            "{stem}, such as {stem}.mask.png, or which stands in a folder as {stem}.png. Relative names begin at the "
            "images' folder. Masks in the list of images are not filtered themselves");
    const Area choice{row.right() - shades, row.y, shades, row.height};
    draw_line(choice, ui.theme.body, ui.colors.text_quiet, kLabel);
    ImGui::SetCursorScreenPos({choice.x + label, choice.y + segment_margin(ui)});
    const bool has_mask = !setup_.mask.empty(), enabled[] = {has_mask, has_mask};
    const int shade = setup_.mask_inverse ? 1 : 0;
    const int clicked = segmented(ui, "Filtered in the batch", kShades, has_mask ? shade : -1, shades - label, enabled);
    tooltip_at(ui, choice, "Where the mask has this, the result takes the place of the image");
    if (clicked >= 0) setup_.mask_inverse = clicked == 1;
}

/// What can be chosen before it begins.
void BatchPanel::draw_setup(Frame& ui, const Model& model) {
    const Area all = area_at_cursor(ui.px(kControlHeight));
    const bool has_room = ImGui::GetContentRegionAvail().y >= ui.px(kRoomForOptions);
    Area row = all;
    const auto label = [&](const char* text) {
        draw_line({all.x, row.y, 0, row.height}, ui.theme.body, ui.colors.text_quiet, text);
        return Area{all.x + ui.px(kLabelColumn), row.y, all.width - ui.px(kLabelColumn), row.height};
    };
    draw_images(ui, model, label("Images"));
    const bool in_two_rows = setup_.is_folder && all.width < ui.px(kWideBatch);
    row.y += ui.px(in_two_rows ? 2 * kBatchRow : kBatchRow);
    draw_results(ui, model, label("Results"));
    row.y += ui.px(kBatchRow);
    draw_masks(ui, label("Masks"));
    row.y += ui.px(kBatchRow);
    const std::vector<SavedFormat>& formats = model.browser.saved_formats;
    const int index = find_format(whole_name(setup_.output), formats);
    if (has_room && index >= 0 && !formats[static_cast<size_t>(index)].options.empty()) {
        const SavedFormat& format = formats[static_cast<size_t>(index)];
        ImGui::SetCursorScreenPos({all.x + ui.px(kLabelColumn), row.y});
        format_options(ui, format, setup_.save_options);
        row.y += param_height(ui, format.options.front()) + ui.px(4);
    }
    ImGui::SetCursorScreenPos({all.x, row.y});
}

void BatchPanel::start(Frame& ui, const Model& model) {
    const BrowserModel& files = model.browser;
    BatchSetup setup = setup_;
    setup.folder = typed_path(setup_.folder, files.folder, files.home);
    const std::string& base = setup.is_folder ? setup.folder : model.batch.suggested_folder;
    setup.output = typed_path(setup_.output, base, files.home);
    if (!setup.mask.empty()) setup.mask = typed_path(setup.mask, base, files.home);
    ui.settings.save_options = setup_.save_options;
    ui.ask(StartBatch{std::move(setup)});
}

/// From left to right, the usual one last.
std::vector<BatchPanel::Choice> BatchPanel::choices(Frame& ui, const Model& model) {
    const BatchModel& batch = model.batch;
    const auto answer = [&ui](AnswerBatch::Kind kind) { return [&ui, kind] { ui.ask(AnswerBatch{kind}); }; };
    if (batch.asks_to_quit)
        return {{"Stop and close", [&ui] { ui.ask(Quit{}); }},
                {"Keep on", [&ui] { ui.ask(KeepBatch{}); }, ButtonStyle::accent}};
    if (batch.state == BatchState::asks)
        return {{"Cancel batch", answer(AnswerBatch::Kind::cancel)},
                {"Overwrite them", answer(AnswerBatch::Kind::overwrite)},
                {"Use other names", answer(AnswerBatch::Kind::rename)},
                {"Skip them", answer(AnswerBatch::Kind::skip), ButtonStyle::accent}};
    const bool is_paused = batch.state == BatchState::paused;
    if (batch.is_busy())
        return {{"Stop batch", [&ui] { ui.ask(StopBatch{}); }, ButtonStyle::normal, !batch.was_stopped},
                {is_paused ? "Resume batch" : "Pause batch", [&ui, is_paused] { ui.ask(PauseBatch{!is_paused}); },
                 ButtonStyle::accent, batch.is_under_way() && !batch.was_stopped}};
    const bool usable =
        !setup_.output.empty() && (setup_.is_folder ? !setup_.folder.empty() : !model.images.entries.empty());
    std::vector<Choice> choices;
    if (!batch.failures.empty())
        choices.push_back({"Copy the failures", [&ui, &batch] {
                               std::string text;
                               for (const std::string& failure : batch.failures) text += failure + "\n";
                               copy_text(ui, text, "Copied " + count_of(batch.failures.size(), "line", "lines"));
                           }});
    choices.push_back({"Start batch", [this, &ui, &model] { start(ui, model); }, ButtonStyle::accent, usable});
    return choices;
}

bool BatchPanel::draw(Frame& ui, const Model& model) {
    const BatchModel& batch = model.batch;
    ui.panel = "batch";
    // What else is open would be closed by the question.
    if (batch.asks_to_quit && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
        requested_ = true;
    shown_ = begin_popup(ui, requested_, "Batch", {ui.px(720), ui.px(476)});
    if (!shown_) return false;
    const bool is_fixed = batch.is_busy() || batch.state == BatchState::asks;
    entered_ = false;
    if (!is_fixed) draw_setup(ui, model);
    ResultPart part = model.run.part;
    part.mask_path = setup_.mask;
    part.mask_inverse = setup_.mask_inverse;
    std::string what = is_fixed ? batch.what : batch_text(model.run, part);
    if (batch.is_under_way()) what += "; results in " + batch.folder;
    const Area line = area_at_cursor(ui.px(kBatchFile));
    draw_line_cut(ui, line, ui.theme.small, ui.colors.text_quiet, what);
    record(ui, "batch of", line, what, false);
    end_area(line);

    const std::vector<Choice> all = choices(ui, model);
    const auto width_of = [&](const Choice& choice) {
        return std::max(ui.px(96), std::ceil(text_width(ui.theme.body, choice.text)) + ui.px(24));
    };
    // In as many rows as it takes, each up to the right end.
    std::vector<std::vector<const Choice*>> rows(1);
    float used = 0;
    for (const Choice& choice : all) {
        if (used > 0 && used + width_of(choice) > line.width) {
            rows.emplace_back();
            used = 0;
        }
        rows.back().push_back(&choice);
        used += width_of(choice) + ui.px(8);
    }
    const float row_height = ui.px(kControlHeight + 8);
    const float buttons = row_height * static_cast<float>(rows.size());
    const Area rest = area_at_cursor(std::max(ImGui::GetContentRegionAvail().y, buttons + ui.px(kBatchFile)));
    draw_progress(ui, batch, {rest.x, rest.y, rest.width, rest.height - buttons});
    const Choice* clicked = nullptr;
    float y = rest.bottom() - buttons + ui.px(8);
    for (const std::vector<const Choice*>& row : rows) {
        float x = rest.right() + ui.px(8);
        for (const Choice* choice : row) x -= width_of(*choice) + ui.px(8);
        for (const Choice* choice : row) {
            if (button(ui, {x, y}, choice->text, width_of(*choice), choice->style, choice->enabled)) clicked = choice;
            x += width_of(*choice) + ui.px(8);
        }
        y += row_height;
    }
    if (clicked == nullptr && entered_ && all.back().enabled) clicked = &all.back();  // Enter starts it
    if (clicked != nullptr) clicked->act();
    end_popup(ui, browses_);
    return browses_;
}

}  // namespace tonescope::ui
