// What tests of the view modes share.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {

/// A driver of the default scene in a mode.
struct InMode {
    explicit InMode(char digit, const char* name = "default", int width = 1280, int height = 800)
        : model(scene(name).model), driver(width, height, 1) {
        driver.frames(model, 3);
        driver.tap(model, key_of(digit));
        driver.frames(model, 2);
    }
    const View& view() { return driver.interface().view(); }
    const std::string& value(std::string_view label) { return driver.find(label)->value; }
    void drag(ImVec2 from, ImVec2 to) {
        driver.move_to(from.x, from.y);
        driver.frame(model);
        driver.press(0, true);
        driver.frame(model);
        for (int k = 1; k <= 4; ++k) {
            const float t = static_cast<float>(k) / 4;
            driver.move_to(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t);
            driver.frame(model);
        }
        driver.press(0, false);
        driver.frame(model);
    }
    ImVec2 middle(std::string_view label) {
        const Widget& w = *driver.find(label);
        return {w.x + w.width / 2, w.y + w.height / 2};
    }

    Model model;
    Driver driver;
};

/// The least height that the pictures with a texture have on screen, pixels; 0: there is none.
inline float texture_height(unsigned texture) {
    float least = 0;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int n = 0; n < data->CmdListsCount; ++n) {
        const ImDrawList& list = *data->CmdLists[n];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            if (command.UserCallback != nullptr || command.GetTexID() != (ImTextureID)(intptr_t)texture) continue;
            for (unsigned k = 0; k + 6 <= command.ElemCount; k += 6) {
                float top = 1e9F, bottom = -1e9F;
                for (unsigned i = 0; i < 6; ++i) {
                    const float y = list.VtxBuffer[list.IdxBuffer[static_cast<int>(command.IdxOffset + k + i)]].pos.y;
                    top = std::min(top, y);
                    bottom = std::max(bottom, y);
                }
                least = least == 0 ? bottom - top : std::min(least, bottom - top);
            }
        }
    }
    return least;
}

/// How many vertices that show a texture lie at the left of x.
inline int textured_left_of(float x, unsigned texture) {
    int count = 0;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int n = 0; n < data->CmdListsCount; ++n) {
        const ImDrawList& list = *data->CmdLists[n];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            if (command.UserCallback != nullptr || command.GetTexID() != (ImTextureID)(intptr_t)texture) continue;
            for (unsigned k = 0; k < command.ElemCount; ++k)
                count += list.VtxBuffer[list.IdxBuffer[static_cast<int>(command.IdxOffset + k)]].pos.x < x;
        }
    }
    return count;
}

}  // namespace tonescope::ui
