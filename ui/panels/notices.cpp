#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

constexpr double kInfo_s = 6;
constexpr double kFade_s = 0.4;
constexpr ImGuiWindowFlags kNoticeFlags =
    kFixedFlags | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoFocusOnAppearing;

struct SeverityLook {
    const char* name;
    Icon icon;  // not by color alone: each severity has a shape of its own
    ImU32 Palette::*color;
};
constexpr SeverityLook kSeverities[] = {{"Message", Icon::info, &Palette::accent},
                                        {"Warning", Icon::warning, &Palette::warning},
                                        {"Error", Icon::error, &Palette::error}};

}  // namespace

float Notices::draw_one(Frame& ui, const Notice& notice, int place, ImVec2 at, float width, float alpha) {
    const SeverityLook& look = kSeverities[static_cast<size_t>(notice.severity)];
    const ImU32 ink = fade(ui.colors.*look.color, alpha);
    const Font& font = ui.theme.body;
    const float close = ui.px(24);
    const float least = ui.px(36);
    const float text_x = ui.px(38);
    const float buttons = 2 * close + ui.px(6);
    const float wrap = width - text_x - buttons - ui.px(8);
    const float text = text_height(font, notice.text, wrap);
    const Area area{at.x, at.y, width, std::max(text + ui.px(18), least)};
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(area.size());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(kRadius));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colors.notice);
    const std::string id = format("##notice%d", place);  // Dear ImGui never frees a window: not one for each notice
    ImGui::Begin(id.c_str(), nullptr, kNoticeFlags);
    ui.keyboard.enter_area(WindowArea::middle);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + ui.px(4), area.bottom()}, ink, ui.px(kRadius),
                                              ImDrawFlags_RoundCornersLeft);
    const float icon = ui.px(14);
    const ImVec2 icon_at{at.x + ui.px(22), at.y + std::floor(least / 2)};
    draw_icon(ui, look.icon, icon_at, icon, ink);
    record(ui, "severity:" + std::to_string(notice.id), {icon_at.x - icon / 2, icon_at.y - icon / 2, icon, icon},
           look.name, false);
    draw_text({at.x + text_x, at.y + std::floor((area.height - text) / 2)}, font, ui.colors.text, notice.text, wrap);
    const Area text_area{at.x, at.y, width - buttons - ui.px(2), area.height};
    record(ui, "notice:" + notice.text, text_area, std::to_string(notice.id), false);
    tooltip_at(ui, text_area, std::string(look.name) + ". Right-click copies the text");
    if (ImGui::IsWindowHovered()) {
        first_seen_s_[notice.id] = ui.time_s;  // whoever reads it has time
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) ImGui::SetClipboardText(notice.text.c_str());
    }
    const float top = at.y + std::floor((least - close) / 2);
    if (icon_button(ui, {at.x + width - buttons, top}, "Copy", Icon::copy, close)) {
        ImGui::SetClipboardText(notice.text.c_str());
        copied_ = notice.id;
    }
    tooltip(ui, copied_ == notice.id ? "Copied" : "Copies the text");
    if (icon_button(ui, {at.x + width - close - ui.px(6), top}, "Dismiss", Icon::close, close))
        ui.ask(DismissNotice{notice.id});
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(4);
    return area.height;
}

void Notices::draw(Frame& ui, const std::vector<Notice>& notices, const Area& views, bool keeps_top_free) {
    ui.panel = "notices";
    std::erase_if(first_seen_s_, [&](const auto& seen) {
        return std::none_of(notices.begin(), notices.end(), [&](const Notice& n) { return n.id == seen.first; });
    });
    const float width = std::floor(std::min(views.width - ui.px(24), ui.px(640)));
    const float x = views.x + std::floor((views.width - width) / 2);
    float y = views.y + ui.px(kStripHeight) + ui.px(10);
    if (keeps_top_free) y = std::max(y, views.bottom() - ui.px(220));
    int place = 0;
    for (const Notice& notice : notices) {
        const double age_s = ui.time_s - first_seen_s_.try_emplace(notice.id, ui.time_s).first->second;
        float alpha = 1;
        if (notice.severity == Severity::info) {
            if (age_s >= kInfo_s) {
                ui.ask(DismissNotice{notice.id});
                continue;
            }
            alpha = static_cast<float>(std::clamp((kInfo_s - age_s) / kFade_s, 0.05, 1.0));
            ui.animating = true;
        }
        // More than fit wait until others are dismissed.
        if (y > views.bottom() - ui.px(80)) break;
        y += draw_one(ui, notice, place++, {x, y}, width, alpha) + ui.px(6);
    }
}

}  // namespace tonescope::ui
