// What stands in an image's place.
#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

constexpr float kDropHeight = 168, kStartHeading = 34, kStartRow = 44, kTile = 144, kTileText = 26, kStartGap = 12,
                kFoot = 30;

/// A text in the middle of an area's width, cut to it; `y`: pixels below its top.
void centered(Frame& ui, const Area& area, float y, const Font& font, ImU32 ink, std::string_view text) {
    draw_line_cut(ui, {area.x + ui.px(16), area.y + y, area.width - ui.px(32), font.size_px}, font, ink, text, true,
                  Align::center);
}

void drop_box(Frame& ui, const std::string& formats, const Area& box) {
    fill(box, fade(ui.colors.panel, 0.55F), ui.px(kRadius));
    ImGui::GetWindowDrawList()->AddRect(box.min(), box.max(), ui.colors.frame_active, ui.px(kRadius), 0,
                                        ui.line(kStroke));
    centered(ui, box, ui.px(28), ui.theme.title, ui.colors.text, "Drop an image here");
    centered(ui, box, ui.px(58), ui.theme.body, ui.colors.text_quiet, "or a folder, or choose one from the disk");
    if (button(ui, {std::floor(box.center().x) - ui.px(64), box.y + ui.px(88)}, "Open image...", ui.px(128),
               ButtonStyle::accent))
        ui.commands->run("open");
    centered(ui, box, ui.px(132), ui.theme.small, ui.colors.text_faint, formats);
}

void recent_row(Frame& ui, const FileEntry& file, const Area& row) {
    ImGui::PushID(file.path.c_str());
    const bool clicked = row_area(ui, "recent", row);
    ImGui::PopID();
    tooltip(ui, file.path + (file.missing                   ? " is no longer there"
                             : file.too_large_for_thumbnail ? " is too large for a small picture; it can be opened"
                                                            : ""));
    record(ui, "recent:" + file.name, row, file.missing ? "missing" : file.path, true, !file.missing);
    const float side = row.height - ui.px(8);
    const Area thumbnail{row.x + ui.px(6), row.y + ui.px(4), side, side};
    draw_thumbnail(ui, file.thumbnail, thumbnail);
    const float x = thumbnail.right() + ui.px(10);
    const float room = row.right() - x - ui.px(8);
    draw_line_cut(ui, {x, row.y + ui.px(4), room, ui.theme.body.size_px}, ui.theme.body,
                  file.missing ? ui.colors.text_faint : ui.colors.text, file.name, true);
    draw_line_cut(ui, {x, row.y + ui.px(24), room, ui.theme.small.size_px}, ui.theme.small,
                  file.missing ? ui.colors.warning : ui.colors.text_quiet,
                  (file.missing                   ? "missing: "
                   : file.too_large_for_thumbnail ? "too large for a small picture: "
                                                  : "") +
                      file.folder,
                  true);
    if (clicked && !file.missing) ui.ask(OpenPaths{{file.path}});
}

void sample_tile(Frame& ui, const FileEntry& file, const Area& tile) {
    ImGui::PushID(file.path.c_str());
    const bool clicked = hit_area(ui, "sample", tile);
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    fill(tile, hovered ? ui.colors.frame_hovered : ui.colors.panel, ui.px(kRadius));
    record(ui, "sample:" + file.name, tile, file.path);
    const Area inner = tile.inset(ui.px(6));
    draw_thumbnail(ui, file.thumbnail, {inner.x, inner.y, inner.width, tile.bottom() - ui.px(kTileText) - inner.y});
    draw_line_cut(ui, {inner.x, tile.bottom() - ui.px(kTileText - 4), inner.width, ui.theme.small.size_px},
                  ui.theme.small, hovered ? ui.colors.text : ui.colors.text_quiet, file.name, true, Align::center);
    if (clicked) ui.ask(OpenPaths{{file.path}});
}

/// One quiet line: where everything else is found. Parts without room are left out.
void draw_foot(Frame& ui, const Area& line) {
    constexpr std::pair<const char*, const char*> hints[] = {{"palette", "all commands"}, {"shortcuts", "shortcuts"}};
    const Font& font = ui.theme.small;
    const float apart = ui.px(8);
    const float between = ui.px(26);
    float width = 0;
    std::vector<float> widths;
    for (const auto& [command, what] : hints) {
        const float own = std::ceil(text_width(font, ui.commands->keys(command)) + apart + text_width(font, what));
        const float wider = width + (widths.empty() ? 0 : between) + own;
        if (wider > line.width - ui.px(16)) break;
        width = wider;
        widths.push_back(own);
    }
    float x = std::floor(line.x + (line.width - width) / 2);
    const float y = middle(font, line.y, line.height);
    for (size_t k = 0; k < widths.size(); ++k) {
        const auto& [command, what] = hints[k];
        const std::string_view keys = ui.commands->keys(command);
        const Area area{x, line.y, widths[k], line.height};
        if (hit_area(ui, what, area)) ui.commands->run(command);
        const bool hovered = ImGui::IsItemHovered();
        draw_text({x, y}, font, hovered ? ui.colors.text : ui.colors.text_quiet, keys);
        draw_text({x + text_width(font, keys) + apart, y}, font, hovered ? ui.colors.text : ui.colors.text_faint, what);
        record(ui, std::string("start:") + what, area, keys);
        x = area.right() + between;
    }
}

/// How many of `count` things of this extent fit into `room`.
int fitting(size_t count, float extent, float room) {
    return std::clamp(static_cast<int>(room / extent), 0, static_cast<int>(count));
}

void draw_working(Frame& ui, const WorkModel& work, const Area& area, const std::string& what) {
    const ImVec2 c{std::floor(area.center().x), std::floor(area.center().y)};
    spinner(ui, {c.x, c.y - ui.px(28)}, ui.px(14), ui.colors.accent);
    const std::string percent = work.progress < 0 ? "" : "   " + progress_text(work.progress);
    centered(ui, area, c.y + ui.px(4) - area.y, ui.theme.body, ui.colors.text_quiet, what + percent);
    const float width = std::floor(std::min(ui.px(260), area.width - ui.px(32)));
    progress_bar(ui, work, {std::floor(c.x - width / 2), c.y + ui.px(30), width, std::max(3.0F, ui.px(4))});
    cancel_button(ui, {c.x - ui.px(40), c.y + ui.px(46)}, ui.px(80), ButtonStyle::normal);
}

void draw_failed(Frame& ui, const Area& area, const ImageEntry& image) {
    const float top = std::floor(area.center().y) - ui.px(110);
    const float wrap = std::min(area.width - ui.px(48), ui.px(520));
    const float width = std::min(text_width(ui.theme.body, image.error), wrap);
    draw_icon(ui, Icon::picture, {std::floor(area.center().x), top + ui.px(30)}, ui.px(56), ui.colors.text_faint);
    centered(ui, area, top + ui.px(80) - area.y, ui.theme.title, ui.colors.text, "This image cannot be shown");
    draw_text({area.x + (area.width - width) / 2, top + ui.px(114)}, ui.theme.body, ui.colors.text_quiet, image.error,
              wrap);
}

}  // namespace

void draw_start_page(Frame& ui, const StartPageModel& model, const std::string& opened_formats, const Area& whole,
                     bool& asked) {
    Area area = whole;
    if (whole.height >= ui.px(kDropHeight + kFoot + 16)) {
        area.height -= ui.px(kFoot);
        draw_foot(ui, {area.x, area.bottom(), area.width, ui.px(kFoot)});
    }
    if (!asked) ui.ask(WantStartPage{});
    asked = !model.samples.empty();  // asked again once they are known
    const float width = std::floor(std::min(area.width - ui.px(48), ui.px(820)));
    if (width < ui.px(180)) return;
    const float gap = ui.px(kStartGap);
    const auto tile_width_of = [&](int columns) {
        const float tile = (width - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns);
        return std::min(std::floor(tile), ui.px(kTile));
    };
    const auto tile_height_of = [&](int columns) { return tile_width_of(columns) * 0.75F + ui.px(kTileText); };
    int columns = tile_width_of(6) >= ui.px(84) ? 6 : std::max(static_cast<int>((width + gap) / (ui.px(100) + gap)), 1);
    // From the top: the box, samples, recent files as far as there is room. All samples where nothing is recent yet.
    float room = area.height - ui.px(48) - ui.px(kDropHeight) - gap;
    const int count = static_cast<int>(model.samples.size());
    int sample_rows = model.recent.empty() ? (count + columns - 1) / columns : 1;
    const int in_each = sample_rows > 1 ? (count + sample_rows - 1) / sample_rows : columns;
    const auto rows_height = [&] { return static_cast<float>(sample_rows) * (tile_height_of(columns) + gap); };
    const int most = std::exchange(columns, in_each);
    if (room < ui.px(kStartHeading) + rows_height()) {
        columns = most;
        sample_rows = 1;
    }
    const float tile_width = tile_width_of(columns), tile_height = tile_height_of(columns);
    const int samples = std::min(count, sample_rows * columns);
    const float samples_height = ui.px(kStartHeading) + rows_height();
    const bool shows_samples = samples > 0 && room >= samples_height;
    if (shows_samples) room -= samples_height;
    const bool two = width >= ui.px(540);
    const int rows = fitting((model.recent.size() + (two ? 1 : 0)) / (two ? 2 : 1), ui.px(kStartRow),
                             std::min(room - ui.px(kStartHeading), ui.px(kStartRow) * 4));
    const float recent_height = rows > 0 ? ui.px(kStartHeading) + static_cast<float>(rows) * ui.px(kStartRow) : 0;
    const float total = ui.px(kDropHeight) + gap + (shows_samples ? samples_height : 0) + recent_height;
    const float x = std::floor(area.x + (area.width - width) / 2);
    float y = std::floor(area.y + std::max((area.height - total) / 2, ui.px(8)));
    drop_box(ui, opened_formats, {x, y, width, ui.px(kDropHeight)});
    y += ui.px(kDropHeight) + gap;
    const auto heading = [&](const char* text) {
        draw_text({x, y + ui.px(8)}, ui.theme.strong, ui.colors.text, text);
        y += ui.px(kStartHeading);
    };
    if (shows_samples) {
        heading("Samples");
        for (int k = 0; k < samples; ++k)
            sample_tile(ui, model.samples[static_cast<size_t>(k)],
                        {std::floor(x + static_cast<float>(k % columns) * (tile_width + gap)),
                         y + static_cast<float>(k / columns) * (tile_height + gap), tile_width, tile_height});
        y += rows_height();
    }
    if (rows == 0) return;
    heading("Recent");
    const float each = two ? std::floor((width - gap) / 2) : width;
    for (size_t k = 0; k < model.recent.size() && k < static_cast<size_t>(rows) * (two ? 2 : 1); ++k) {
        const size_t line = two ? k / 2 : k;
        const float left = two && k % 2 == 1 ? x + width - each : x;
        recent_row(ui, model.recent[k],
                   {left, y + static_cast<float>(line) * ui.px(kStartRow), each, ui.px(kStartRow - 2)});
    }
}

void draw_empty_state(Frame& ui, const ImagesModel& images, const WorkModel& work, const Area& area) {
    const ImageEntry* image = images.shown();
    if (image != nullptr && image->state == ImageEntry::State::failed)
        draw_failed(ui, area, *image);
    else if (work.is_long())
        draw_working(ui, work, area, image != nullptr ? "Opening " + image->name : work.what);
}

}  // namespace tonescope::ui
