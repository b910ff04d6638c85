#include "app/window/drawn_frame.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

namespace tonescope {
namespace {

template <class T>
void append_bytes(std::vector<std::byte>& to, const T* values, size_t count) {
    const auto bytes = std::as_bytes(std::span(values, count));
    to.insert(to.end(), bytes.begin(), bytes.end());
}

void append_value(std::vector<std::byte>& to, const auto& value) {
    append_bytes(to, &value, 1);
}

/// Dear ImGui makes and changes textures of its own since 1.92.
bool awaits_texture(const auto& data) {
    if constexpr (requires { data.Textures; })
        return data.Textures != nullptr &&
               std::any_of(data.Textures->begin(), data.Textures->end(),
                           [](const auto* texture) { return int(texture->Status) != 0; });  // ImTextureStatus_OK
    else
        return false;
}

}  // namespace

bool DrawnFrame::repeats(const ImDrawData& data, std::span<const ui::BackgroundFill> background_fills) {
    bool is_comparable = !awaits_texture(data);
    now_.clear();
    for (const auto& [area, color] : background_fills) {
        append_value(now_, area);
        append_value(now_, color);
    }
    append_value(now_, data.DisplaySize);
    append_value(now_, data.FramebufferScale);
    for (int k = 0; is_comparable && k < data.CmdListsCount; ++k) {
        const ImDrawList& list = *data.CmdLists[k];
        append_bytes(now_, list.VtxBuffer.Data, size_t(list.VtxBuffer.Size));
        append_bytes(now_, list.IdxBuffer.Data, size_t(list.IdxBuffer.Size));
        for (const ImDrawCmd& command : list.CmdBuffer) {
            is_comparable &= command.UserCallbackData == nullptr;
            append_value(now_, command.ClipRect);
            append_value(now_, command.GetTexID());
            append_value(now_, command.VtxOffset);
            append_value(now_, command.IdxOffset);
            append_value(now_, command.ElemCount);
            append_value(now_, command.UserCallback);
        }
    }
    const bool is_same = is_comparable && now_ == last_;
    std::swap(now_, last_);
    if (!is_comparable) last_.clear();
    return is_same;
}

}  // namespace tonescope
