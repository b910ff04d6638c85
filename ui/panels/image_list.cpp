#include "ui/panels/image_list.h"

#include <algorithm>
#include <utility>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kImageRow = 46;

std::string detail_of(const ImageEntry& image) {
    if (image.state == ImageEntry::State::failed) return image.error;
    if (image.state == ImageEntry::State::loading && image.detail.empty()) return "Opening\xe2\x80\xa6";
    return image.detail;
}

void image_row(Frame& ui, const ImagesModel& images, int index) {
    const ImageEntry& image = images.entries[static_cast<size_t>(index)];
    const bool current = index == images.current;
    const bool failed = image.state == ImageEntry::State::failed;
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ui.px(kImageRow);
    const float close = ui.px(24);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max{min.x + width, min.y + height - ui.px(2)};
    const ImVec2 click_max{max.x - close - ui.px(4), max.y};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::PushID(index);
    const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max);
    if (current)
        list.AddRectFilled(min, max, ui.colors.selected, ui.px(4));
    else if (hovered)
        list.AddRectFilled(min, max, ui.colors.frame, ui.px(4));
    if (hit_area("row", {click_max.x - min.x, click_max.y - min.y}) && !current) ui.ask(SelectImage{index});
    focus_ring(ui, min, max);
    tooltip(ui, failed ? image.error : image.path);
    record(ui, "image:" + image.name, min, click_max, current ? "current" : "");

    const float side = ui.px(36);
    const ImVec2 thumb{min.x + ui.px(4), min.y + ui.px(4)};
    draw_thumbnail(ui, image.thumbnail, thumb, {thumb.x + side, thumb.y + side});
    const float text_x = thumb.x + side + ui.px(9);
    const float room = click_max.x - text_x;
    draw_text({text_x, min.y + ui.px(5)}, ui.theme.body, ui.colors.text,
              shorten(ui.theme.body, image.name, room, true));
    draw_text({text_x, min.y + ui.px(25)}, ui.theme.small, failed ? ui.colors.error : ui.colors.text_quiet,
              shorten(ui.theme.small, detail_of(image), room));
    if (hovered || current) {
        ImGui::SetCursorScreenPos({max.x - close - ui.px(2), min.y + (max.y - min.y - close) / 2});
        if (icon_button(ui, ("close:" + image.name).c_str(), Icon::close, close)) ui.ask(CloseImage{index});
        tooltip(ui, "Close");
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(min);
    ImGui::Dummy({width, height});
}

}  // namespace

void ImageList::follow_current(int current, float row, float height) {
    if (std::exchange(current_, current) == current || current < 0) return;
    const float top = static_cast<float>(current) * row;
    const float scroll = ImGui::GetScrollY();
    if (top < scroll)
        ImGui::SetScrollY(top);
    else if (top + row > scroll + height)
        ImGui::SetScrollY(top + row - height);
}

void ImageList::draw(Frame& ui, const ImagesModel& images) {
    if (images.entries.empty()) return;
    const auto count = static_cast<int>(images.entries.size());
    section(ui, count == 1 ? "Image" : format("Images (%d)", count).c_str(), true);
    // Few rows, so that the controls below stay in sight; more of them scroll.
    const float row = ui.px(kImageRow);
    const int fitting = std::clamp(static_cast<int>(ImGui::GetWindowHeight() * 0.3F / row), 2, 6);
    const float shown = count <= fitting ? static_cast<float>(count) : static_cast<float>(fitting) - 0.5F;
    begin_child("##images", {ImGui::GetContentRegionAvail().x, row * shown});
    follow_current(images.current, row, row * shown);
    std::vector<std::string> wanted;
    ImGuiListClipper clipper;
    clipper.Begin(count, row);
    while (clipper.Step())
        for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
            image_row(ui, images, k);
            const ImageEntry& image = images.entries[static_cast<size_t>(k)];
            if (image.thumbnail.empty()) wanted.push_back(image.path);
        }
    ImGui::EndChild();
    if (wanted == wanted_) return;
    wanted_ = wanted;
    if (!wanted.empty()) ui.ask(WantThumbnails{std::move(wanted)});
}

}  // namespace tonescope::ui
