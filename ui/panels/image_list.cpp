#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/panels/panels.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

constexpr float kImageRow = 38;

/// What is wrong with a file, without the name that stands above.
std::string reason_of(const ImageEntry& image) {
    const size_t path = image.error.find(image.path + ": ");
    return path == std::string::npos ? image.error : image.error.substr(path + image.path.size() + 2);
}

std::string detail_of(const ImageEntry& image) {
    if (image.state == ImageEntry::State::failed) return reason_of(image);
    if (image.replaced) return "Changed on disk";
    if (image.state == ImageEntry::State::loading && image.detail.empty()) return "Opening";
    return image.detail;
}

/// What can be done with an open image.
void draw_image_menu(Frame& ui, const ImagesModel& images, int index) {
    struct Item {
        const char* text;
        bool enabled;
        Action action;
    };
    const ImageEntry& entry = images.entries[static_cast<size_t>(index)];
    const bool comparable = index != images.current && entry.state != ImageEntry::State::failed;
    const Item items[] = {{"Show", index != images.current, SelectImage{index}},
                          {"Compare with this image", comparable, CompareWith{entry.path, false}},
                          {"Compare with its result", comparable, CompareWith{entry.path, true}},
                          {"Close", true, CloseImage{index}}};
    const float pad = ui.px(6);
    float width = 0;
    for (const Item& item : items) width = std::max(width, text_width(ui.theme.body, item.text));
    const float row = ui.px(28);
    ImGui::SetNextWindowSize({width + 2 * ui.px(10) + 2 * pad, row * static_cast<float>(std::size(items)) + 2 * pad});
    if (!begin_menu(ui, "##menu", pad)) return;
    for (const Item& item : items) {
        const Area area = area_at_cursor(row);
        begin_disabled(ui, !item.enabled);
        const bool chosen = row_area(ui, item.text, area, false, item.text);
        end_disabled(ui, !item.enabled);
        draw_line({area.x + ui.px(10), area.y, 0, area.height}, ui.theme.body,
                  item.enabled ? ui.colors.text : ui.colors.text_faint, item.text);
        record(ui, std::string("menu:") + item.text, area, "", true, item.enabled);
        end_area(area);
        if (!chosen) continue;
        ui.ask(item.action);
        ImGui::CloseCurrentPopup();
    }
    end_menu(ui);
}

void image_row(Frame& ui, const ImagesModel& images, int index) {
    const ImageEntry& image = images.entries[static_cast<size_t>(index)];
    const bool current = index == images.current;
    const bool failed = image.state == ImageEntry::State::failed;
    const float close = ui.px(24);
    const Area whole = area_at_cursor(ui.px(kImageRow));
    const Area row{whole.x, whole.y, whole.width, whole.height - ui.px(2)};
    const Area clickable{row.x, row.y, row.width - close - ui.px(4), row.height};
    ImGui::PushID(index);
    const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(row.min(), row.max());
    if (current || hovered) fill(row, current ? ui.colors.selected : ui.colors.frame, ui.px(kRadius));
    if (hit_area(ui, "row", clickable, current, image.name)) {
        if (!current) ui.ask(SelectImage{index});
        if (!ui.keyboard.is_visible()) ui.keyboard.go_home();  // a click: the arrows go on from this image
    }
    if (menu_requested(ui, ImGui::GetID("row"))) ImGui::OpenPopup("##menu");
    tooltip(ui, failed ? image.error
                : image.replaced
                    ? image.path + " now holds something else; the original is shown until the file is read" +
                          ui.keys("reload")
                    : image.path + (current ? "" : "\nRight-click or Shift+F10 to compare with it or close it"));
    record(ui, "image:" + image.name, clickable, current ? "current" : "");
    draw_image_menu(ui, images, index);

    const float side = ui.px(28);
    const Area thumbnail{row.x + ui.px(4), row.y + ui.px(4), side, side};
    draw_thumbnail(ui, image.thumbnail, thumbnail);
    const float text_x = thumbnail.right() + ui.px(8);
    const float room = clickable.right() - text_x;
    const std::string detail = detail_of(image);  // empty until it is opened
    const Area name{text_x, row.y + ui.px(2), room, detail.empty() ? row.height - 2 * ui.px(2) : ui.theme.body.size_px};
    draw_line_cut(ui, name, ui.theme.body, ui.colors.text, image.name, true);
    draw_line_cut(ui, {text_x, row.y + ui.px(20), room, ui.theme.small.size_px}, ui.theme.small,
                  failed           ? ui.colors.error
                  : image.replaced ? ui.colors.warning
                                   : ui.colors.text_quiet,
                  detail);
    if (hovered || current) {
        if (icon_button(ui, {row.right() - close - ui.px(2), row.y + (row.height - close) / 2},
                        ("close:" + image.name).c_str(), Icon::close, close, true, "close"))
            ui.ask(CloseImage{index});
        tooltip(ui, "Close" + (current ? ui.keys("close") : ""));
    }
    ImGui::PopID();
    end_area(whole);
}

/// A row that the keyboard can go to, which brings it into sight.
void add_unseen_row(Frame& ui, const ImagesModel& images, int index) {
    const Area row = area_at_cursor(ui.px(kImageRow));
    ImGui::PushID(index);
    ui.keyboard.add({ImGui::GetID("row"), row.min(), row.max(), TakesKeys::none, index == images.current,
                     images.entries[static_cast<size_t>(index)].name, false});
    ImGui::PopID();
}

}  // namespace

void ImageList::draw(Frame& ui, const ImagesModel& images) {
    if (images.entries.empty()) return;
    const auto count = static_cast<int>(images.entries.size());
    section(ui, count == 1 ? "Image" : format("Images (%d)", count).c_str(), true);
    // Few rows, so that the controls below stay in sight; more of them scroll.
    const float row = ui.px(kImageRow);
    const int fitting = std::clamp(static_cast<int>(ImGui::GetWindowHeight() * 0.3F / row), 2, 6);
    const float shown = count <= fitting ? static_cast<float>(count) : static_cast<float>(fitting) - 0.5F;
    begin_child("##images", area_at_cursor(row * shown).size());
    if (std::exchange(current_, images.current) != images.current && images.current >= 0)
        scroll_to_row(images.current, row, row * shown);
    std::vector<std::string> wanted;
    // Those in sight; the keyboard reaches the others too.
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const int above = static_cast<int>(ImGui::GetScrollY() / row);
    const int end = std::min(above + static_cast<int>(std::ceil(shown)) + 1, count);
    ui.keyboard.begin_group(ImGui::GetID("rows"), true);
    const bool by_keys = ui.keyboard.is_visible();
    for (int k = by_keys ? 0 : above; k < (by_keys ? count : end); ++k) {
        ImGui::SetCursorScreenPos({start.x, start.y + static_cast<float>(k) * row});
        if (k < above || k >= end) {
            add_unseen_row(ui, images, k);
            continue;
        }
        image_row(ui, images, k);
        const ImageEntry& image = images.entries[static_cast<size_t>(k)];
        if (image.thumbnail.empty()) wanted.push_back(image.path);
    }
    ui.keyboard.end_group();
    end_area({start.x, start.y, 1, static_cast<float>(count) * row});
    end_child(ui);
    if (wanted == wanted_) return;
    wanted_ = wanted;
    if (!wanted.empty()) ui.ask(WantThumbnails{std::move(wanted)});
}

}  // namespace tonescope::ui
