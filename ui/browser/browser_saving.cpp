// The part of the file dialog that saves: name, format and its options.
#include <algorithm>
#include <cmath>

#include "gpu/core/text.h"
#include "ui/browser/browser.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kWideDialog = 560, kFormatWidth = 120, kCompleteDialog = 260;

}  // namespace

std::span<const SavedFormat> Browser::formats() const {
    if (mode_ == Mode::export_benchmark) return model_->benchmark.export_formats;
    if (of_presets()) return preset_formats();
    if (mode_ == Mode::save_session) return session_formats();
    return files().saved_formats;
}

FileKinds Browser::listed_kinds() const {
    if (mode_ == Mode::open) return kImageFiles | kSessionFiles;
    if (mode_ == Mode::save_session) return kSessionFiles;
    return of_presets() ? kPresetFiles : kImageFiles;
}

std::string* Browser::kept_folder(Frame& ui) const {
    DialogFolders& folders = ui.settings.folders;
    if (mode_ == Mode::save_session) return nullptr;
    if (mode_ == Mode::export_benchmark) return &folders.comparison;
    if (of_presets()) return &folders.preset;
    return opens() ? &folders.open : &folders.save;
}

std::string Browser::suggested_path() const {
    if (opens()) return {};
    if (mode_ == Mode::export_preset) return preset_ + ".json";
    if (mode_ == Mode::export_benchmark) return model_->benchmark.suggested_path;
    if (mode_ == Mode::save_session) return model_->saving.suggested_session_path;
    return mode_ == Mode::save_view ? model_->saving.suggested_view_path : model_->saving.suggested_result_path;
}

void Browser::write_to(Frame& ui, const std::string& path) {
    const std::string suggested = suggested_path();
    asked_[path] = {mode_, {suggested, files().folder, file_name_}, preset_};
    // Who saves beside the image does so with the next image, too.
    if (std::string* const kept = kept_folder(ui))
        *kept = !of_presets() && parent_path(path) == parent_path(suggested) ? "" : parent_path(path);
    if (mode_ == Mode::save_session)
        ui.ask(SaveSession{path});
    else if (mode_ == Mode::export_benchmark)
        ui.ask(ExportBenchmark{path});
    else if (mode_ == Mode::export_preset)
        ui.ask(ExportPreset{preset_, path});
    else if (mode_ == Mode::save_view)
        ui.ask(SaveView{path, ui.settings.save_options});
    else
        ui.ask(SaveResult{path, ui.settings.save_options});
}

/// Returns true when Enter was pressed in the name.
bool Browser::draw_name_row(Frame& ui, const Area& row) {
    const std::span<const SavedFormat> all = formats();
    const float label = text_width(ui.theme.body, "Name") + ui.px(12);
    const float choice = all.size() > 1 ? ui.px(kFormatWidth) + ui.px(8) : 0;
    draw_line(row, ui.theme.body, ui.colors.text_quiet, "Name");
    if (const int typed = find_format(file_name_, all); typed >= 0) format_ = static_cast<size_t>(typed);
    ImGui::SetCursorScreenPos({row.x + label, row.y});
    const std::string hint = "name." + all[format_].extensions.front();
    const bool entered =
        text_field(ui, "File name", hint.c_str(), file_name_, row.width - label - choice, just_opened_, true);
    if (all.size() < 2) return entered;
    ImGui::SetCursorScreenPos({row.right() - ui.px(kFormatWidth), row.y});
    const int chosen = choose_format(ui, "Format", all, static_cast<int>(format_), ui.px(kFormatWidth));
    if (chosen < 0) return entered;
    format_ = static_cast<size_t>(chosen);
    if (!file_name_.empty()) file_name_ = with_format(file_name_, all[format_], all);
    return entered;
}

Browser::SaveLayout Browser::save_layout(const Frame& ui, const Area& dialog) const {
    const std::vector<ParamInfo>& options = formats()[format_].options;
    SaveLayout layout;
    layout.wide = dialog.width >= ui.px(kWideDialog);
    // Where there is little room, the list of files comes first.
    layout.complete = dialog.height >= ui.px(kCompleteDialog);
    const float row = ui.px(kControlHeight);
    layout.height = row + ui.px(10) + row;
    if (layout.complete && !options.empty())
        layout.height += param_height(ui, options.front()) - (layout.wide ? row : -ui.px(4));
    else if (layout.complete && !layout.wide)
        layout.height += row + ui.px(4);
    return layout;
}

void Browser::draw_save_footer(Frame& ui, const SaveLayout& layout) {
    const Area all = area_at_cursor(layout.height);
    Area row{all.x, all.y, all.width, ui.px(kControlHeight)};
    const bool entered = draw_name_row(ui, row);
    std::string path = typed_path(file_name_, files().folder, files().home);
    const bool is_folder = path.ends_with('/') || std::ranges::any_of(files().entries, [&](const BrowserEntry& entry) {
                               return entry.is_folder && join_path(files().folder, entry.name) == path;
                           });
    if (extension_of(path).empty() && !is_folder) path += "." + formats()[format_].extensions.front();
    Holdings result;
    if (mode_ == Mode::save)
        result = {model_->views.after.spec.has_alpha, !is_gray(model_->views.after.spec.format),
                  model_->details.bits_per_channel, is_deep(model_->views.after.spec.format)};
    const SaveRemark remark = save_remark(path, formats(), result);
    const bool usable = remark.can_save && !is_folder && !file_name_.empty() && !files().folder.empty();

    const float y = row.bottom() + ui.px(10);
    const float buttons_y = all.bottom() - ui.px(kControlHeight);
    Area text{all.x, y, all.width - (layout.wide ? ui.px(216) : 0),
              (layout.wide ? all.bottom() : buttons_y - ui.px(4)) - y};
    if (layout.complete) {
        ImGui::SetCursorScreenPos({all.x, y});
        const float options = format_options(ui, formats()[format_], ui.settings.save_options);
        text = {text.x + options, text.y, text.width - options, text.height};
    }
    if (layout.complete || layout.wide) {
        const float height = text_height(ui.theme.small, remark.text, text.width);
        draw_text({text.x, std::floor(text.center().y - height / 2)}, ui.theme.small,
                  remark.can_save ? ui.colors.text_quiet : ui.colors.warning, remark.text, text.width);
        record(ui, "save remark", text, remark.text, false);
    }

    bool canceled = false;
    const bool saves = dialog_buttons(ui, {all.right(), buttons_y}, "Save", usable, &canceled);
    if (entered && is_folder && !file_name_.empty()) return go_to(ui, file_name_);
    if (saves || (entered && usable)) {
        write_to(ui, path);
        close();
        drafts_.erase(asked_[path].mode);
    } else if (canceled) {
        close();
    }
}

}  // namespace tonescope::ui
