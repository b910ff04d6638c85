#include "ui/panels/start_page.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kDropHeight = 168, kStartHeading = 34, kStartRow = 44, kTile = 128, kTileText = 26, kStartGap = 12,
                kFoot = 30;

void drop_box(Frame& ui, const std::string& formats, const Area& box) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(box.min(), box.max(), fade(ui.colors.panel, 0.55F), ui.px(10));
    list.AddRect(box.min(), box.max(), ui.colors.frame_active, ui.px(10), 0, std::max(1.0F, ui.px(1.5F)));
    const float x = std::floor(box.x + box.width / 2);
    draw_text_centered(ui, box, box.y + ui.px(28), ui.theme.title, ui.colors.text, "Drop an image here");
    draw_text_centered(ui, box, box.y + ui.px(58), ui.theme.body, ui.colors.text_quiet,
                       "or a folder, or choose one from the disk");
    ImGui::SetCursorScreenPos({x - ui.px(64), box.y + ui.px(88)});
    if (button(ui, "Open image...", ui.px(128), ButtonStyle::accent)) ui.commands->run("open");
    draw_text_centered(ui, box, box.y + ui.px(132), ui.theme.small, ui.colors.text_faint, formats);
}

void heading(const Frame& ui, ImVec2 at, const char* text) {
    draw_text({at.x, at.y + ui.px(8)}, ui.theme.strong, ui.colors.text, text);
}

void recent_row(Frame& ui, const FileEntry& file, const Area& row) {
    ImGui::SetCursorScreenPos(row.min());
    ImGui::PushID(file.path.c_str());
    const bool clicked = hit_area("recent", {row.width, row.height});
    ImGui::PopID();
    const ImVec2 max = row.max();
    if (ImGui::IsItemHovered()) ImGui::GetWindowDrawList()->AddRectFilled(row.min(), max, ui.colors.frame, ui.px(4));
    focus_ring(ui, row.min(), max);
    tooltip(ui, file.missing ? file.path + " is no longer there" : file.path);
    record(ui, "recent:" + file.name, row.min(), max, file.missing ? "missing" : file.path, true, !file.missing);
    const float side = row.height - ui.px(8);
    const ImVec2 thumb{row.x + ui.px(6), row.y + ui.px(4)};
    draw_thumbnail(ui, file.thumbnail, thumb, {thumb.x + side, thumb.y + side});
    const float x = thumb.x + side + ui.px(10);
    const float room = max.x - x - ui.px(8);
    draw_text({x, row.y + ui.px(4)}, ui.theme.body, file.missing ? ui.colors.text_faint : ui.colors.text,
              shorten(ui.theme.body, file.name, room, true));
    draw_text({x, row.y + ui.px(23)}, ui.theme.small, file.missing ? ui.colors.warning : ui.colors.text_quiet,
              shorten(ui.theme.small, file.missing ? "missing: " + file.folder : file.folder, room, true));
    if (clicked && !file.missing) ui.ask(OpenPaths{{file.path}});
}

void sample_tile(Frame& ui, const FileEntry& file, const Area& tile) {
    ImGui::SetCursorScreenPos(tile.min());
    ImGui::PushID(file.path.c_str());
    const bool clicked = hit_area("sample", {tile.width, tile.height});
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    ImGui::GetWindowDrawList()->AddRectFilled(tile.min(), tile.max(),
                                              hovered ? ui.colors.frame_hovered : ui.colors.panel, ui.px(6));
    focus_ring(ui, tile.min(), tile.max());
    record(ui, "sample:" + file.name, tile.min(), tile.max(), file.path);
    const float inset = ui.px(6);
    draw_thumbnail(ui, file.thumbnail, {tile.x + inset, tile.y + inset},
                   {tile.right() - inset, tile.bottom() - ui.px(kTileText)});
    const std::string name = shorten(ui.theme.small, file.name, tile.width - 2 * inset, true);
    draw_text({tile.x + (tile.width - text_width(ui.theme.small, name)) / 2, tile.bottom() - ui.px(kTileText - 4)},
              ui.theme.small, hovered ? ui.colors.text : ui.colors.text_quiet, name);
    if (clicked) ui.ask(OpenPaths{{file.path}});
}

/// One quiet line: where everything else is found. Parts without room are left out.
void draw_foot(Frame& ui, const Area& line) {
    struct Hint {
        const char* command;
        const char* what;
    };
    constexpr Hint hints[] = {{"palette", "all commands"}, {"shortcuts", "keys"}};
    const Font& font = ui.theme.small;
    const float apart = ui.px(7);
    const float between = ui.px(26);
    const auto width_of = [&](const Hint& hint) {
        return std::ceil(text_width(font, ui.commands->keys(hint.command)) + apart + text_width(font, hint.what));
    };
    size_t count = 0;
    float width = 0;
    for (const Hint& hint : hints) {
        const float wider = width + (count > 0 ? between : 0) + width_of(hint);
        if (wider > line.width - ui.px(16)) break;
        width = wider;
        ++count;
    }
    float x = std::floor(line.x + (line.width - width) / 2);
    const float y = middle(font, line.y, line.height);
    for (const Hint& hint : std::span(hints).first(count)) {
        const std::string_view keys = ui.commands->keys(hint.command);
        const ImVec2 max{x + width_of(hint), line.bottom()};
        ImGui::SetCursorScreenPos({x, line.y});
        if (hit_area(hint.what, {max.x - x, line.height})) ui.commands->run(hint.command);
        const bool hovered = ImGui::IsItemHovered();
        draw_text({x, y}, font, hovered ? ui.colors.text : ui.colors.text_quiet, keys);
        draw_text({x + text_width(font, keys) + apart, y}, font, hovered ? ui.colors.text : ui.colors.text_faint,
                  hint.what);
        record(ui, std::string("start:") + hint.what, {x, line.y}, max, keys);
        x = max.x + between;
    }
}

/// How many of `count` things of this extent fit into `room`.
int fitting(size_t count, float extent, float room) {
    return std::clamp(static_cast<int>(room / extent), 0, static_cast<int>(count));
}

}  // namespace

void StartPage::draw(Frame& ui, const StartPageModel& model, const std::string& opened_formats, const Area& whole) {
    Area area = whole;
    if (whole.height >= ui.px(kDropHeight + kFoot + 16)) {
        area.height -= ui.px(kFoot);
        draw_foot(ui, {area.x, area.bottom(), area.width, ui.px(kFoot)});
    }
    if (!shown_) ui.ask(WantStartPage{});
    shown_ = !model.samples.empty();  // asked again once they are known
    const float width = std::floor(std::min(area.width - ui.px(48), ui.px(820)));
    if (width < ui.px(180)) return;
    const float gap = ui.px(kStartGap);
    const float tile = std::floor((width - 5 * gap) / 6);
    const int columns = tile >= ui.px(84) ? 6 : std::max(static_cast<int>((width + gap) / (ui.px(100) + gap)), 1);
    const float tile_width = std::min(
        std::floor((width - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns)), ui.px(kTile));
    const float tile_height = tile_width * 0.75F + ui.px(kTileText);
    // From the top: the box, samples, recent files as far as there is room.
    const int samples = std::min(static_cast<int>(model.samples.size()), columns);
    const float samples_height = samples > 0 ? ui.px(kStartHeading) + tile_height + gap : 0;
    float room = area.height - ui.px(48) - ui.px(kDropHeight) - gap;
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
    if (shows_samples) {
        heading(ui, {x, y}, "Samples");
        y += ui.px(kStartHeading);
        for (int k = 0; k < samples; ++k)
            sample_tile(ui, model.samples[static_cast<size_t>(k)],
                        {std::floor(x + static_cast<float>(k) * (tile_width + gap)), y, tile_width, tile_height});
        y += tile_height + gap;
    }
    if (rows == 0) return;
    heading(ui, {x, y}, "Recent");
    y += ui.px(kStartHeading);
    const float each = two ? std::floor((width - gap) / 2) : width;
    for (size_t k = 0; k < model.recent.size() && k < static_cast<size_t>(rows) * (two ? 2 : 1); ++k) {
        const size_t line = two ? k / 2 : k;
        const float left = two && k % 2 == 1 ? x + width - each : x;
        recent_row(ui, model.recent[k],
                   {left, y + static_cast<float>(line) * ui.px(kStartRow), each, ui.px(kStartRow - 2)});
    }
}

}  // namespace tonescope::ui
