// What lies over the pictures: the selected rectangle, stripes over clipped pixels, what the explanation marks, and the
// values of pixels.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

/// A shorter way of the mouse is a click, at 96 dpi.
constexpr float kClick = 4;
constexpr LabelLook kSizeLabel = {5, 20, 3, 210};

bool was_click(const Frame& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 from = io.MouseClickedPos[ImGuiMouseButton_Left];
    return std::hypot(io.MousePos.x - from.x, io.MousePos.y - from.y) < ui.px(kClick);
}

/// The pixels between two points of the image, both included.
Rect pixels_between(ImagePoint a, ImagePoint b, const ImageSpec& spec) {
    const auto pixel = [](double at, int size) { return std::clamp(static_cast<int>(std::floor(at)), 0, size - 1); };
    const int left = pixel(std::min(a.x, b.x), spec.width);
    const int top = pixel(std::min(a.y, b.y), spec.height);
    return {left, top, pixel(std::max(a.x, b.x), spec.width) - left + 1,
            pixel(std::max(a.y, b.y), spec.height) - top + 1};
}

constexpr float kStripe = 8;  // with its gap, at 96 dpi

void call_renderer(const ImDrawList*, const ImDrawCmd* command) {
    (*static_cast<const std::function<void()>*>(command->UserCallbackData))();
}

/// Cells smaller than this on screen are not drawn, at 96 dpi.
constexpr float kMinCell = 10;

/// Thin lines that show on dark and on light ground.
void draw_cells(const Frame& ui, const ExplainedCells& cells, const ImageToScreen& map, const Area& area) {
    if (cells.width <= 0) return;
    const double least = map.zoom * std::min(cells.width, cells.height);
    if (least < double{ui.px(kMinCell)}) return;
    const auto strength = static_cast<float>(std::clamp(least / double{ui.px(4 * kMinCell)}, 0.4, 1.0));
    const ImU32 light = fade(IM_COL32(255, 255, 255, 90), strength);
    const ImU32 dark = fade(IM_COL32(0, 0, 0, 90), strength);
    const Area shown = common_part(area, map.rect({0, 0, cells.extent_width, cells.extent_height}));
    if (shown.width <= 0 || shown.height <= 0) return;
    const auto first = [&](double from, double origin, int cell) {
        return std::max(0, static_cast<int>(std::floor((from - origin) / map.zoom / cell)));
    };
    for (int k = first(shown.x, map.origin_x, cells.width); k * cells.width <= cells.extent_width; ++k) {
        const float x = std::round(map.at(k * cells.width, 0).x);
        if (x > shown.right()) break;
        fill({x, shown.y, 1, shown.height}, light);
        fill({x + 1, shown.y, 1, shown.height}, dark);
    }
    for (int k = first(shown.y, map.origin_y, cells.height); k * cells.height <= cells.extent_height; ++k) {
        const float y = std::round(map.at(0, k * cells.height).y);
        if (y > shown.bottom()) break;
        fill({shown.x, y, shown.width, 1}, light);
        fill({shown.x, y + 1, shown.width, 1}, dark);
    }
}

float line_height(const Frame& ui) {
    return ui.theme.small.size_px + 1;
}

/// Lines of text in the middle of a pixel.
void write(const Frame& ui, ImVec2 center, std::span<const std::string> lines, ImU32 ink, ImU32 shadow) {
    const Font& font = ui.theme.small;
    float y = center.y - line_height(ui) * static_cast<float>(lines.size()) / 2;
    for (const std::string& line : lines) {
        const ImVec2 at{std::round(center.x - text_width(font, line) / 2), std::round(y)};
        draw_text({at.x + 1, at.y + 1}, font, shadow, line);
        draw_text(at, font, ink, line);
        y += line_height(ui);
    }
}

/// Calls `each` for the pixels of a block that an area shows, with their middle on screen.
template <class Each>
void for_each_pixel(const ImageToScreen& map, const Area& area, const PixelBlock& block, Each each) {
    for (int y = block.region.y; y < block.region.y + block.region.height; ++y)
        for (int x = block.region.x; x < block.region.x + block.region.width; ++x) {
            const ImVec2 center = map.at(x + 0.5, y + 0.5);
            const Area shown = common_part(area, between(map.at(x, y), map.at(x + 1, y + 1)));
            if (shown.width >= 0 && shown.height >= 0) each(x, y, center);
        }
}

/// The region that is filtered, and where the result is all there.
void draw_region(Frame& ui, const ViewState& state, const ImageToScreen& map, const Area& area) {
    const ResultPart& part = state.model->run.part;
    if (!part.has_region()) return;
    const float line = std::max(1.0F, ui.px(1));
    const auto outline = [&](const Area& box, ImU32 ink) {
        ImGui::GetWindowDrawList()->AddRect(box.min(), box.max(), ink, 0, 0, line);
    };
    const RegionWeights region(part, state.spec);
    const Area box = map.rect({region.left, region.top, region.right - region.left, region.bottom - region.top});
    outline(box.inset(-line), IM_COL32(0, 0, 0, 190));
    outline(box, ui.colors.accent);
    const auto inside = [&](bool fades) { return fades ? part.feather_px : 0; };
    const int left = region.left + inside(region.left > 0), top = region.top + inside(region.top > 0);
    const int right = region.right - inside(region.right < region.width);
    const int bottom = region.bottom - inside(region.bottom < region.height);
    if (part.feather_px > 0 && left < right && top < bottom)
        outline(map.rect({left, top, right - left, bottom - top}), fade(ui.colors.accent, 0.45F));
    draw_label(ui, {std::max(box.x, area.x) + ui.px(4), std::min(box.bottom(), area.bottom()) - ui.px(24)}, "filtered",
               kSizeLabel);
    record_overlay(ui, "region", box, region_text(part.region));
}

}  // namespace

bool handle_selection(Frame& ui, ViewState& state, const Area& area, const PaneMouse& mouse) {
    Selection& selection = state.selection;
    const ImGuiIO& io = ImGui::GetIO();
    const ImagePoint at = map_view(state.view, area).image_at(io.MousePos);
    const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (mouse.activated && left && (selection.armed || io.KeyShift)) {
        selection.dragging = true;
        selection.from = at;
    }
    if (selection.dragging && !left) {
        selection.dragging = selection.armed = false;
        return true;
    }
    if (selection.dragging) {
        if (!mouse.active) return false;
        selection.rect = was_click(ui) ? Rect{} : pixels_between(selection.from, at, state.spec);
        return true;
    }
    const bool clicked = mouse.hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && was_click(ui) &&
                         area.contains(io.MouseClickedPos[ImGuiMouseButton_Left]);
    const Rect& rect = selection.rect;
    const bool away = at.x < rect.x || at.y < rect.y || at.x >= rect.x + rect.width || at.y >= rect.y + rect.height;
    if (clicked && away) selection.rect = {};
    return false;
}

void draw_selection(Frame& ui, const ViewState& state, const ImageToScreen& map, const Area& area) {
    const Selection& selection = state.selection;
    if (state.model->views.picturing) return;
    draw_region(ui, state, map, area);
    const float line = std::max(1.0F, ui.px(1));
    if (const Rect& rect = selection.rect; rect.width > 0) {
        const Area box = map.rect(rect);
        const auto outline = [&](float out, ImU32 ink) {
            const Area frame = box.inset(-out);
            ImGui::GetWindowDrawList()->AddRect(frame.min(), frame.max(), ink, 0, 0, line);
        };
        outline(line, IM_COL32(0, 0, 0, 190));
        outline(0, IM_COL32(255, 255, 255, 240));
        // Above the rectangle, or inside where there is no room above.
        const float above = box.y - ui.px(24);
        const float y = above >= area.y ? above : std::max(box.y, area.y) + ui.px(4);
        const float inset = above >= area.y ? 0 : ui.px(4);
        draw_label(ui, {std::max(box.x, area.x) + inset, y}, format("%d \xc3\x97 %d", rect.width, rect.height),
                   kSizeLabel);
        record_overlay(ui, "selection", box, format("%d x %d", rect.width, rect.height));
    }
    if (state.picks_no_data)
        draw_label(ui, {area.x + ui.px(10), area.y + ui.px(10)}, "Click a pixel without data, or Esc", kSizeLabel);
    if (!selection.armed || selection.dragging) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const auto& [out, ink] : {std::pair{line, IM_COL32(0, 0, 0, 90)}, {0.0F, IM_COL32(255, 255, 255, 170)}}) {
        if (!area.contains(mouse)) break;
        fill({mouse.x - out, area.y, line + 2 * out, area.height}, ink);
        fill({area.x, mouse.y - out, area.width, line + 2 * out}, ink);
    }
    draw_label(ui, {area.x + ui.px(10), area.y + ui.px(10)}, "Drag a rectangle, or Esc", kSizeLabel);
}

Side windowed_side(const ViewsModel& views, const Picture& picture) {
    return &picture == &views.before || &picture == &views.original ? Side::before : Side::after;
}

WindowView window_of(const ViewsModel& views, const Picture& picture) {
    const SampleWindow& window = views.windows.of(windowed_side(views, picture) == Side::after);
    const int max_sample = picture.spec.max_sample;
    // The histogram lab's plot, or another image: its samples are not those that the window was chosen for.
    const bool is_foreign = max_sample != views.original_picture().spec.max_sample;
    return {is_foreign ? full_range(max_sample) : window.range_in(max_sample), window.inverse, texture_white(picture),
            max_sample};
}

void draw_through_window(ViewState& state, const Picture& picture, const std::function<void()>& draw) {
    const ViewsModel& views = state.model->views;
    const WindowView window = window_of(views, picture);
    const bool is_plain = !window.inverse && window.range == full_range(window.white);
    if (is_plain || !views.begin_window) return draw();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddCallback(call_renderer, &state.renderers.emplace_back([&views, window] { views.begin_window(window); }));
    draw();
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void drag_window(Frame& ui, const ViewState& state, const Picture& picture, const PaneMouse& mouse) {
    constexpr float kDoubling = 150, kAcross = 300;  // by so much it gets twice as wide; moves by its width; at 96 dpi
    constexpr int32_t kHalf = SampleRange::kScale / 2;
    const ViewsModel& views = state.model->views;
    const bool is_after = windowed_side(views, picture) == Side::after;
    const int max_sample = picture.spec.max_sample;
    SampleWindow window = views.windows.of(is_after);
    SampleRange& from = ui.slider.range_before;
    if (mouse.activated) {
        from = window.range_in(max_sample);
        ++ui.slider.gesture;
        return;
    }
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    const ImVec2 way = ImGui::GetMouseDragDelta(ImGuiMouseButton_Right);
    if (way.x == 0 && way.y == 0) return;
    const double was_wide = from.width();
    const double width = was_wide * std::exp2(double{way.x / ui.px(kDoubling)});
    const double center = from.low + was_wide / 2 + double{way.y / ui.px(kAcross)} * was_wide;
    const auto steps = [](double value, int32_t step, int32_t least, int32_t most) {
        return std::clamp(static_cast<int32_t>(std::llround(std::clamp(value, -1e9, 1e9) / step)) * step, least, most);
    };
    const int32_t most = full_range(max_sample).high;
    window.set(range_around(steps(center, kHalf, 0, most), steps(width, 2 * kHalf, 2 * kHalf, 2 * most)), max_sample);
    SampleWindows windows = views.windows;
    windows.set(is_after, window);
    if (!(windows == views.windows)) ui.ask(SetWindows{windows, ui.slider.gesture});
}

void draw_directly(ViewState& state, std::function<void()> draw) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddCallback(call_renderer, &state.renderers.emplace_back(std::move(draw)));
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void draw_clipping(const Frame& ui, ViewState& state, const ImageToScreen& map, const Area& area,
                   const Picture& picture, bool with_preview, const Half& half) {
    const ViewsModel& views = state.model->views;
    ClippingView view;
    view.picture.picture = picture;
    view.place = placement(map, area);
    const ClipThresholds& levels = ui.settings.histogram.clip;
    view.thresholds = clipped_by(window_of(views, picture).range, levels);
    view.before_thresholds = clipped_by(window_of(views, views.before).range, levels);
    view.channels = state.clipping.channels;
    view.stripe = double{ui.px(kStripe)};
    view.cut_x = half.cut_x;
    view.cut_y = half.cut_y;
    view.cut = half.cut;
    if (const int step = with_preview ? preview_step(views) : 0; step > 0)
        view.picture = {views.preview, double(views.preview_region.x), double(views.preview_region.y), double(step)};
    if (!state.clipping.shown || !views.draw_clipping || view.picture.picture.empty()) return;
    if (ui.settings.histogram.only_new_clipping) {
        if (windowed_side(views, picture) == Side::before || views.before.empty() ||
            !same_size(picture.spec, views.before.spec))
            return;
        view.before = views.before;
    }
    draw_directly(state, [&views, view] { views.draw_clipping(view); });
}

void ExplainedPixel::move(int dx, int dy, const ImageSpec& image) {
    if (!pixel || image.empty()) return;
    pixel->x = std::clamp(pixel->x + dx, 0, image.width - 1);
    pixel->y = std::clamp(pixel->y + dy, 0, image.height - 1);
}

void report_explained(Frame& ui, ViewState& state, bool shows_image) {
    ExplainedPixel& explained = state.explained;
    if (state.hovered && state.hovered != explained.pointed) explained.pixel = state.hovered;
    explained.pointed = state.hovered;
    Explain wanted;
    if (shows_image && explains(ui, state.model->run)) {
        const ImageSpec& spec = state.model->views.before.spec;
        if (!explained.pixel)  // until the mouse has been there, the middle of the view
            explained.pixel = Pixel{std::clamp(static_cast<int>(state.view.center_x), 0, spec.width - 1),
                                    std::clamp(static_cast<int>(state.view.center_y), 0, spec.height - 1)};
        wanted = {true, *explained.pixel, explained.kept};
        if (explained.params) {
            wanted.op = state.model->run.op;
            wanted.params = *explained.params;
        }
    }
    if (wanted == explained.reported) return;
    explained.reported = wanted;
    ui.ask(wanted);
}

void draw_explained(Frame& ui, const ViewState& state, const ImageToScreen& map, const Area& area) {
    const Explanation* explanation = state.model->views.explanation.get();
    if (explanation == nullptr || !explains(ui, state.model->run)) return;
    const Rect rect = filtered_rect(state.model->views.explained.part, state.spec);
    draw_cells(ui, explanation->cells, {map.origin_x + map.zoom * rect.x, map.origin_y + map.zoom * rect.y, map.zoom},
               area);
    draw_explained_areas(ui, *explanation, map, area);
    if (state.hovered != explanation->pixel) draw_marker(ui, map, explanation->pixel.x, explanation->pixel.y);
}

bool numbers_fit(const Frame& ui, double zoom, int channels, int max_sample) {
    const float lines = static_cast<float>(std::max(channels, 1)) * line_height(ui) + ui.px(4);
    const float width = text_width(ui.theme.small, "+" + std::to_string(max_sample)) + ui.px(6);
    return zoom >= double{std::max(lines, width)};
}

void draw_numbers(const Frame& ui, const ImageToScreen& map, const Area& area, const PixelBlock& block,
                  const WindowView& window, const std::function<bool(ImVec2)>& where) {
    if (block.values.empty() || !numbers_fit(ui, map.zoom, block.channels, block.max_sample)) return;
    std::vector<std::string> lines(static_cast<size_t>(block.channels));
    for_each_pixel(map, area, block, [&](int x, int y, ImVec2 center) {
        if (where && !where(center)) return;
        const auto& value = *block.at(x, y);
        for (size_t k = 0; k < lines.size(); ++k) lines[k] = std::to_string(value[k]);
        const auto shown = [&](size_t c) -> int { return shown_level(window.range, window.inverse, value[c]); };
        const int luma = block.channels == 1 ? shown(0) : (77 * shown(0) + 150 * shown(1) + 29 * shown(2)) >> 8;
        const bool dark = luma < 140;
        write(ui, center, lines, dark ? IM_COL32(255, 255, 255, 230) : IM_COL32(0, 0, 0, 230),
              dark ? IM_COL32(0, 0, 0, 110) : IM_COL32(255, 255, 255, 90));
    });
}

void draw_number_differences(const Frame& ui, const ImageToScreen& map, const Area& area, const PixelBlock& before,
                             const PixelBlock& after) {
    const int channels = std::min(3, std::max(before.channels, after.channels));
    if (before.values.empty() || after.values.empty() ||
        !numbers_fit(ui, map.zoom, channels, std::max(before.max_sample, after.max_sample)))
        return;
    std::vector<std::string> lines(static_cast<size_t>(channels));
    const auto channel = [](const PixelBlock& block, const Samples& value, size_t k) -> int {
        return block.channels == 1 ? value[0] : value[k];
    };
    for_each_pixel(map, area, before, [&](int x, int y, ImVec2 center) {
        const Samples* to = after.at(x, y);
        if (to == nullptr) return;
        for (size_t k = 0; k < lines.size(); ++k) {
            const int d = channel(after, *to, k) - channel(before, *before.at(x, y), k);
            lines[k] = format(d != 0 ? "%+d" : "%d", d);
        }
        write(ui, center, lines, IM_COL32(255, 255, 255, 235), IM_COL32(0, 0, 0, 150));
    });
}

}  // namespace tonescope::ui
