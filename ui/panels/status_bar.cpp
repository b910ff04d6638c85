#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/panels/panels.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

/// The bar, of which pieces take their place from the left or the right.
struct StatusLine {
    Frame& ui;
    Area area;
    float left, right;

    float text_y() const { return middle(ui.theme.small, area.y, area.height); }
    float center_y() const { return std::floor(area.center().y); }
    /// The bar from a place on to another.
    Area part(float from, float to) const { return {from, area.y, to - from, area.height}; }
};

std::string values_text(const PixelValue& pixel) {
    const auto& [channels, value] = pixel;
    std::string text;
    for (int k = 0; k < channels; ++k) text += (k > 0 ? " " : "") + std::to_string(value[static_cast<size_t>(k)]);
    return text;
}

/// Swatch, as the pixel is shown, and numbers in columns, so that they do not jump while the mouse moves.
void values(StatusLine& line, const PixelValue& pixel, const SampleWindow& window, int max_sample) {
    const auto& [channels, value] = pixel;
    const Frame& ui = line.ui;
    const Font& font = ui.theme.small;
    const float side = ui.px(12);
    const Area swatch{line.left, line.center_y() - std::floor(side / 2), side, side};
    const auto level = [&](size_t channel) {
        return shown_level(window.range_in(max_sample), window.inverse, value[channels < 3 ? 0 : channel]);
    };
    fill(swatch, IM_COL32(level(0), level(1), level(2), 255), ui.px(2));
    ImGui::GetWindowDrawList()->AddRect(swatch.min(), swatch.max(), IM_COL32(255, 255, 255, 60), ui.px(2));
    line.left += ui.px(18);
    for (int k = 0; k < channels; ++k) {
        line.left += text_width(font, std::to_string(max_sample));
        draw_text_right({line.left, line.text_y()}, font, ui.colors.text,
                        std::to_string(value[static_cast<size_t>(k)]));
        line.left += ui.px(8);
    }
}

void pixel(StatusLine& line, const ViewsModel& views, const std::optional<PointedPane>& pointed, Pixel at) {
    Frame& ui = line.ui;
    const Font& font = ui.theme.small;
    const float from = line.left;
    const float digits =
        text_width(font, std::to_string(std::max({views.image_spec().width, views.image_spec().height, 1000})));
    const auto coordinate = [&](const char* name, int number) {
        draw_text({line.left, line.text_y()}, font, ui.colors.text_faint, name);
        line.left += text_width(font, name) + ui.px(6) + digits;
        draw_text_right({line.left, line.text_y()}, font, ui.colors.text, std::to_string(number));
        line.left += ui.px(10);
    };
    coordinate("x", at.x);
    coordinate("y", at.y);
    record(ui, "status:position", line.part(from, line.left), format("%d,%d", at.x, at.y), false);
    line.left += ui.px(6);
    if (!views.pixel || views.pixel->before.channels <= 0) return;
    const PixelInfo& info = *views.pixel;
    const float values_from = line.left;
    const bool shows_image = pointed && !pointed->params;
    const PixelValue& before = shows_image ? info.image : info.before;
    const PixelValue& after = pointed ? pointed->pixel : info.after;
    values(line, before, views.windows.before, views.image_spec().max_sample);
    std::string text = values_text(before);
    if (views.meaning && before.channels == 1) {
        const SampleMeaning& meaning = *views.meaning;
        const std::string means =
            format("= %.6g %s", meaning.slope * before.value[0] + meaning.intercept, meaning.unit.c_str());
        draw_text({line.left, line.text_y()}, font, ui.colors.text_quiet, means);
        const float width = std::max(text_width(font, means), text_width(font, "= -1000 " + meaning.unit));
        record(ui, "status:meaning", line.part(line.left, line.left + width), means, false);
        line.left += width + ui.px(8);
    }
    if (after.channels > 0) {
        draw_icon(ui, Icon::arrow_right, {line.left + ui.px(8), line.center_y()}, ui.px(12), ui.colors.text_faint);
        line.left += ui.px(24);
        values(line, after, views.windows.after, (views.after.empty() ? views.before : views.after).spec.max_sample);
        text += " > " + values_text(after);
    }
    // A value that is still on its way: the last one stays on screen for a moment, but is not noted as this pixel's.
    const bool current = info.x == at.x && info.y == at.y;
    record(ui, "status:value", line.part(values_from, line.left), current ? text : "", false);
    line.left += ui.px(12);
    if (!pointed) return;
    const float room = std::max(line.right - line.left - ui.px(80), 0.0F);
    Area place = line.part(line.left, line.left + room);
    place.width = draw_line_cut(ui, place, font, ui.colors.text_quiet, pointed->name);
    record(ui, "status:pane", place, pointed->name, false);
    line.left = place.right() + ui.px(12);
}

/// Puts a text at the right end where there is room for it; a least width allows to shorten it that far. A click runs
/// the command.
void from_right(StatusLine& line, const char* label, const std::string& text, ImU32 col, std::string_view help,
                float least_width = 0, const char* command = nullptr) {
    if (text.empty()) return;
    Frame& ui = line.ui;
    const Font& font = ui.theme.small;
    const float room = line.right - line.left;
    if (text_width(font, text) > room && (least_width <= 0 || room < least_width)) return;
    const Area place = line.part(line.right - std::min(text_width(font, text), room), line.right);
    if (line.right < line.area.right() - ui.px(12))
        fill({std::round(line.right + ui.px(10)), line.area.y + ui.px(8), 1, line.area.height - 2 * ui.px(8)},
             ui.colors.line_soft);
    if (command != nullptr) {
        if (hit_area(ui, command, place)) ui.commands->run(command);
        if (ImGui::IsItemHovered()) col = ui.colors.text;
    }
    draw_line_cut(ui, place, font, col, text, true, Align::right);
    tooltip_at(ui, place, help);
    record(ui, label, place, text, command != nullptr);
    line.right = place.x - ui.px(20);
}

constexpr float kZoomRow = 28, kZoomWidth = 132, kZoomPadding = 6;

struct ZoomChoice {
    const char* text;
    const char* command;
    double zoom;  // 0: fitted
};
constexpr ZoomChoice kZoomChoices[] = {
    {"Fit", "fit", 0},        {"1:1", "actual-size", 1}, {"200 %", "zoom-200", 2},
    {"400 %", "zoom-400", 4}, {"800 %", "zoom-800", 8},
};

/// True when it was chosen.
bool zoom_row(Frame& ui, const ZoomChoice& choice, const View& view) {
    const bool current = choice.zoom > 0 ? !view.fit && view.zoom == choice.zoom : view.fit;
    const Area row = area_at_cursor(ui.px(kZoomRow));
    const Area inner{row.x + ui.px(10), row.y, row.width - 2 * ui.px(10), row.height};
    const std::string id = std::string("##") + choice.command;
    const bool clicked = hit_area(ui, id.c_str(), row, current, choice.text);
    row_ground(ui, row, current);
    draw_line(inner, ui.theme.body, ui.colors.text, choice.text);
    draw_line(inner, ui.theme.small, ui.colors.text_quiet, ui.commands->keys(choice.command), Align::right);
    record(ui, std::string("zoom:") + choice.text, row, current ? "on" : "");
    return clicked;
}

}  // namespace

void StatusBar::draw_zoom_menu(Frame& ui, const View& view, const Area& figure) {
    constexpr const char* id = "##zoom menu";
    if (std::exchange(zoom_menu_requested_, false)) ImGui::OpenPopup(id);
    const float display = ImGui::GetIO().DisplaySize.x;
    const float pad = ui.px(kZoomPadding);
    const float gap = ui.px(4);
    const float width = ui.px(kZoomWidth);
    const float rows = ui.px(kZoomRow) * static_cast<float>(std::size(kZoomChoices));
    const float height = std::min(rows + 2 * pad, figure.y - 2 * gap);
    const float x = std::clamp(figure.right() - width, 0.0F, std::max(display - width - gap, 0.0F));
    ImGui::SetNextWindowPos({std::floor(x), std::floor(figure.y - height - gap)});
    ImGui::SetNextWindowSize({width, height});
    zoom_menu_open_ = begin_menu(ui, id, pad);
    if (!zoom_menu_open_) return;
    const std::string panel = std::exchange(ui.panel, "zoom menu");
    for (const ZoomChoice& choice : kZoomChoices) {
        if (!zoom_row(ui, choice, view)) continue;
        ui.commands->run(choice.command);
        ImGui::CloseCurrentPopup();
    }
    end_menu(ui);
    ui.panel = panel;
}

float StatusBar::draw_zoom(Frame& ui, const View& view, const Area& bar, float left) {
    const Font& font = ui.theme.small;
    const double percent = view.zoom * 100;
    const std::string text = format(percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
    const float pad = ui.px(8);
    const float right = bar.right() - ui.px(12) + pad;
    const float width = pad + std::ceil(text_width(font, text)) + ui.px(18) + ui.px(4);
    const Area figure{right - width, bar.y, width, bar.height};
    draw_zoom_menu(ui, view, figure);
    if (figure.x < left) return right - pad;
    const bool usable = ui.commands->available("zoom-menu");
    begin_disabled(ui, !usable);
    if (hit_area(ui, "zoom", figure)) ui.commands->run("zoom-menu");
    const bool lit = ImGui::IsItemHovered() || zoom_menu_open_;
    end_disabled(ui, !usable);
    const float inset = ui.px(4);
    if (lit)
        fill({figure.x, figure.y + inset, figure.width, figure.height - 2 * inset}, ui.colors.frame_hovered,
             ui.px(kRadius));
    draw_line({figure.x + pad, bar.y, 0, bar.height}, font, usable ? ui.colors.text : ui.colors.text_quiet, text);
    draw_icon(ui, Icon::chevron_up, {figure.right() - ui.px(12), std::floor(bar.center().y)}, 2 * ui.px(3.5F),
              lit ? ui.colors.text : ui.colors.text_quiet);
    tooltip(ui, "Screen pixels per image pixel; a click chooses" + ui.keys("zoom-menu") + ". " +
                    std::string(ui.commands->keys("fit")) + " fits the image, " +
                    std::string(ui.commands->keys("actual-size")) + " shows it 1:1");
    record(ui, "status:zoom", figure, text, true, usable);
    return figure.x - ui.px(12);
}

void StatusBar::draw(Frame& ui, const Model& model, const View& view, const std::optional<Pixel>& hovered,
                     const std::optional<PointedPane>& pointed, const Area& area) {
    ui.panel = "status";
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_area(ui, "##status", area, ui.colors.panel, ImGuiWindowFlags_NoFocusOnAppearing);
    ui.keyboard.enter_area(WindowArea::status);
    StatusLine line{ui, area, area.x + ui.px(12), area.right() - ui.px(12)};
    const bool has_image = !model.views.before.empty() || !model.views.after.empty();
    if (has_image) {
        if (hovered) pixel(line, model.views, pointed, *hovered);
        line.right = draw_zoom(ui, view, area, line.left);
    }
    if (const BatchModel& batch = model.batch; batch.is_under_way())
        from_right(line, "status:batch",
                   "batch: " + std::to_string(batch.done) + " of " + std::to_string(batch.files) +
                       (batch.state == BatchModel::State::paused ? ", paused" : ""),
                   batch.failed > 0 ? ui.colors.warning : ui.colors.text_quiet,
                   "Images of the batch that are done; a click shows them" + ui.keys("batch"), 0, "batch");
    const bool no_gpu = !model.run.cuda_available && !model.run.cuda_reason.empty();
    from_right(line, "status:backend", model.run.device_name, ui.colors.text_quiet,
               no_gpu ? "No GPU: " + model.run.cuda_reason : std::string());
    if (has_image && !model.run.presenter.empty()) {
        const bool interop = model.run.presenter == "interop";
        std::string why = interop ? "CUDA-OpenGL interop: CUDA writes into the textures on screen"
                                  : "Results are copied to the screen, without CUDA-OpenGL interop";
        if (!interop && !model.run.presenter_reason.empty()) why += ": " + model.run.presenter_reason;
        from_right(line, "status:presenter", interop ? "straight to the screen" : "copied to the screen",
                   ui.colors.text_quiet, why);
    }
    if (has_image)
        from_right(line, "status:notice", model.details.file_notice, ui.colors.warning,
                   "What the file holds beyond the pixels that are shown", ui.px(60));
    if (const ImageEntry* image = model.images.shown(); has_image && image != nullptr) {
        const std::string gap = image->detail.empty() ? "" : "   ";
        from_right(line, "status:image", image->name + gap + image->detail, ui.colors.text_quiet, image->path,
                   ui.px(120));
    }
    mark_area(ui, WindowArea::status, area);
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace tonescope::ui
