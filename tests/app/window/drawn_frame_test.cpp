// Which frames would change nothing on screen.
#include "app/window/drawn_frame.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <functional>
#include <vector>

namespace tonescope {
namespace {

class DrawnFrames : public testing::Test {
  protected:
    void SetUp() override {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {200, 100};
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    }
    void TearDown() override { ImGui::DestroyContext(); }

    bool repeats(const std::function<void(ImDrawList&)>& draw) {
        ImGui::GetIO().DeltaTime = 1.0F / 60;
        ImGui::NewFrame();
        draw(*ImGui::GetBackgroundDrawList());
        ImGui::Render();
        return frame_.repeats(*ImGui::GetDrawData(), fills_);
    }
    bool repeats_box(float x, ImU32 color = IM_COL32_WHITE) {
        return repeats([&](ImDrawList& list) { list.AddRectFilled({x, 10}, {x + 20, 30}, color); });
    }

    DrawnFrame frame_;
    std::vector<ui::BackgroundFill> fills_{{{0, 0, 200, 100}, 0xff202020}};
};

TEST_F(DrawnFrames, OnlyWhatIsDrawnAlikeRepeats) {
    EXPECT_FALSE(repeats_box(10)) << "nothing is on screen yet";
    EXPECT_TRUE(repeats_box(10));
    EXPECT_TRUE(repeats_box(10));
    EXPECT_FALSE(repeats_box(11));
    EXPECT_TRUE(repeats_box(11));
    EXPECT_FALSE(repeats_box(11, IM_COL32(255, 255, 254, 255)));
    EXPECT_FALSE(repeats([](ImDrawList&) {}));
    EXPECT_TRUE(repeats([](ImDrawList&) {}));
}

TEST_F(DrawnFrames, FillsTexturesAndClippingCount) {
    repeats_box(10);
    fills_[0].color = 0xff202021;
    EXPECT_FALSE(repeats_box(10));
    EXPECT_TRUE(repeats_box(10));
    fills_.push_back({{5, 5, 10, 10}, 0xff000000});
    EXPECT_FALSE(repeats_box(10));
    EXPECT_TRUE(repeats_box(10));

    const auto picture = [&](int texture, float clip) {
        return repeats([&](ImDrawList& list) {
            list.PushClipRect({0, 0}, {clip, 50});
            list.AddImage(ImTextureID(size_t(texture)), {0, 0}, {50, 50});
            list.PopClipRect();
        });
    };
    EXPECT_FALSE(picture(7, 50));
    EXPECT_TRUE(picture(7, 50));
    EXPECT_FALSE(picture(8, 50));
    EXPECT_TRUE(picture(8, 50));
    EXPECT_FALSE(picture(8, 40));
    EXPECT_TRUE(picture(8, 40));
}

/// What a callback draws depends on more than the commands.
TEST_F(DrawnFrames, CallbacksWithDataNeverRepeat) {
    int data = 0;
    const auto called = [&](void* given) {
        return repeats([&](ImDrawList& list) { list.AddCallback([](const ImDrawList*, const ImDrawCmd*) {}, given); });
    };
    called(&data);
    EXPECT_FALSE(called(&data));
    EXPECT_FALSE(called(&data));
    called(nullptr);
    EXPECT_TRUE(called(nullptr));
    EXPECT_FALSE(repeats_box(10));
}

}  // namespace
}  // namespace tonescope
