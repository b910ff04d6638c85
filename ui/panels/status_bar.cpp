#include "ui/panels/status_bar.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

/// The bar, of which pieces take their place from the left or the right.
struct StatusLine {
    Frame& ui;
    Area area;
    float left, right;

    float text_y() const { return middle(ui.theme.small, area.y, area.height); }
    float center_y() const { return std::floor(area.y + area.height / 2); }
};

using Values = std::array<uint8_t, 4>;

std::string values_text(int channels, const Values& value) {
    std::string text;
    for (int k = 0; k < channels; ++k) text += (k > 0 ? " " : "") + std::to_string(value[static_cast<size_t>(k)]);
    return text;
}

/// Swatch and numbers in columns, so that they do not jump while the mouse moves.
void values(StatusLine& line, int channels, const Values& value) {
    const Frame& ui = line.ui;
    const Font& font = ui.theme.small;
    const float side = ui.px(12);
    const ImVec2 min{line.left, line.center_y() - std::floor(side / 2)};
    const ImVec2 max{min.x + side, min.y + side};
    const ImU32 shown =
        channels < 3 ? IM_COL32(value[0], value[0], value[0], 255) : IM_COL32(value[0], value[1], value[2], 255);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, shown, ui.px(2));
    list.AddRect(min, max, IM_COL32(255, 255, 255, 60), ui.px(2));
    line.left += ui.px(18);
    for (int k = 0; k < channels; ++k) {
        line.left += text_width(font, "255");
        draw_text_right({line.left, line.text_y()}, font, ui.colors.text,
                        std::to_string(value[static_cast<size_t>(k)]));
        line.left += ui.px(7);
    }
}

void pixel(StatusLine& line, const StatusModel& model) {
    Frame& ui = line.ui;
    if (!model.hovered) return;
    const Pixel at = *model.hovered;
    const Font& font = ui.theme.small;
    const float from = line.left;
    const float digits = text_width(font, std::to_string(std::max({model.spec.width, model.spec.height, 1000})));
    const auto coordinate = [&](const char* name, int number) {
        draw_text({line.left, line.text_y()}, font, ui.colors.text_faint, name);
        line.left += text_width(font, name) + ui.px(6) + digits;
        draw_text_right({line.left, line.text_y()}, font, ui.colors.text, std::to_string(number));
        line.left += ui.px(10);
    };
    coordinate("x", at.x);
    coordinate("y", at.y);
    record(ui, "status:position", {from, line.area.y}, {line.left, line.area.bottom()}, format("%d,%d", at.x, at.y),
           false);
    line.left += ui.px(6);
    if (!model.views.pixel || model.views.pixel->channels_before <= 0) return;
    const PixelInfo& info = *model.views.pixel;
    const float values_from = line.left;
    values(line, info.channels_before, info.before);
    std::string text = values_text(info.channels_before, info.before);
    if (info.channels_after > 0) {
        draw_icon(ui, Icon::arrow_right, {line.left + ui.px(8), line.center_y()}, ui.px(11), ui.colors.text_faint);
        line.left += ui.px(24);
        values(line, info.channels_after, info.after);
        text += " > " + values_text(info.channels_after, info.after);
    }
    // A value that is still on its way: the last one stays on screen for a moment, but is not noted as this pixel's.
    const bool current = info.x == at.x && info.y == at.y;
    record(ui, "status:value", {values_from, line.area.y}, {line.left, line.area.bottom()}, current ? text : "", false);
    line.left += ui.px(12);
}

/// Puts a text at the right end where there is room for it; a least width allows to shorten it that far.
void from_right(StatusLine& line, const char* label, const std::string& text, ImU32 col, std::string_view help,
                float least_width = 0) {
    if (text.empty()) return;
    Frame& ui = line.ui;
    const Font& font = ui.theme.small;
    const float room = line.right - line.left;
    if (text_width(font, text) > room && (least_width <= 0 || room < least_width)) return;
    const std::string shown = shorten(font, text, room, true);
    const ImVec2 min{line.right - text_width(font, shown), line.area.y};
    const ImVec2 max{line.right, line.area.bottom()};
    if (line.right < line.area.right() - ui.px(13)) {
        const float rule = std::round(line.right + ui.px(10));
        ImGui::GetWindowDrawList()->AddRectFilled({rule, line.area.y + ui.px(7)},
                                                  {rule + 1, line.area.bottom() - ui.px(7)}, ui.colors.line_soft);
    }
    draw_text({min.x, line.text_y()}, font, col, shown);
    tooltip_at(ui, min, max, help);
    record(ui, label, min, max, text, false);
    line.right = min.x - ui.px(20);
}

std::string zoom_text(double zoom) {
    const double percent = zoom * 100;
    return format(percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
}

/// The figure at the right end, a click on which opens the list of zooms.
void zoom_figure(StatusLine& line, const View& view, ZoomMenu& menu) {
    Frame& ui = line.ui;
    const Font& font = ui.theme.small;
    const std::string text = zoom_text(view.zoom);
    const float chevron = ui.px(18);
    const float pad = ui.px(8);
    const Area figure{line.right + pad - ui.px(4) - chevron - std::ceil(text_width(font, text)) - pad, line.area.y,
                      pad + std::ceil(text_width(font, text)) + chevron + ui.px(4), line.area.height};
    menu.draw(ui, view, figure);
    if (figure.x < line.left) return;
    ImGui::SetCursorScreenPos(figure.min());
    const bool usable = ui.commands->available("zoom-menu");
    ImGui::BeginDisabled(!usable);
    if (hit_area("zoom", {figure.width, figure.height})) ui.commands->run("zoom-menu");
    const bool lit = ImGui::IsItemHovered() || menu.is_open();
    ImGui::EndDisabled();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float inset = ui.px(3);
    if (lit)
        list.AddRectFilled({figure.x, figure.y + inset}, {figure.right(), figure.bottom() - inset},
                           ui.colors.frame_hovered, ui.px(3));
    draw_text({figure.x + pad, line.text_y()}, font, usable ? ui.colors.text : ui.colors.text_quiet, text);
    const ImVec2 c{figure.right() - ui.px(12), line.center_y()};
    const float r = ui.px(3.5F);
    const ImVec2 points[] = {{c.x - r, c.y + r / 2}, {c.x, c.y - r / 2}, {c.x + r, c.y + r / 2}};
    list.AddPolyline(points, 3, lit ? ui.colors.text : ui.colors.text_quiet, 0, std::max(1.0F, 1.3F * ui.theme.scale));
    tooltip(ui, "Screen pixels per image pixel; a click chooses" + ui.keys("zoom-menu") + ". " +
                    std::string(ui.commands->keys("fit")) + " fits the image, " +
                    std::string(ui.commands->keys("actual-size")) + " shows it 1:1");
    record(ui, "status:zoom", figure.min(), figure.max(), text, true, usable);
    line.right = figure.x - ui.px(12);
}

}  // namespace

void StatusBar::draw(Frame& ui, const StatusModel& model, const Area& area) {
    ui.panel = "status";
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_area(ui, "##status", area, ui.colors.panel, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
    StatusLine line{ui, area, area.x + ui.px(12), area.right() - ui.px(12)};
    const bool has_image = !model.views.before.empty() || !model.views.after.empty();
    if (has_image) {
        pixel(line, model);
        zoom_figure(line, model.view, zoom_menu);
    }
    const bool no_gpu = !model.run.cuda_available && !model.run.cuda_reason.empty();
    from_right(line, "status:backend", model.run.device_name, ui.colors.text_quiet,
               no_gpu ? "No GPU: " + model.run.cuda_reason : std::string());
    if (has_image && !model.run.presenter.empty()) {
        const bool interop = model.run.presenter == "interop";
        from_right(line, "status:presenter", interop ? "OpenGL interop" : "copied to OpenGL", ui.colors.text_quiet,
                   interop ? "CUDA writes straight into the textures on screen" : model.run.presenter_reason);
    }
    if (has_image)
        from_right(line, "status:depth", model.details.depth_notice, ui.colors.warning,
                   "The file holds finer samples than a filter gets to see", ui.px(60));
    if (const ImageEntry* image = model.images.shown(); has_image && image != nullptr) {
        const std::string gap = image->detail.empty() ? "" : "   ";
        from_right(line, "status:image", image->name + gap + image->detail, ui.colors.text_quiet, image->path,
                   ui.px(120));
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace tonescope::ui
