// How texts are drawn: two hyphens stay two, and lines break between words.
#include <gtest/gtest.h>

#include "tests/ui/scenes/driver.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

class DrawnGlyphs : public testing::Test {
  protected:
    DrawnGlyphs() { draw("-", 0); }  // fonts are made in the first frame

    /// The corners of each letter of a text that is drawn at (20, 20); spaces have none.
    std::vector<Area> draw(std::string_view text, float wrap_width) {
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({600, 400});
        ImGui::Begin("text");
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const int before = list.VtxBuffer.Size;
        draw_text({20, 40}, font(), IM_COL32_WHITE, text, wrap_width);
        std::vector<Area> letters;
        for (int k = before; k + 3 < list.VtxBuffer.Size; k += 4)
            letters.push_back(between(list.VtxBuffer[k].pos, list.VtxBuffer[k + 2].pos));
        ImGui::End();
        ImGui::Render();
        return letters;
    }
    static Font font() { return {ImGui::GetIO().Fonts->Fonts[1], 13}; }

  private:
    Driver driver_{640, 400, 1};
};

TEST_F(DrawnGlyphs, TwoHyphensDoNotTouch) {
    const std::vector<Area> hyphens = draw("--", 0);
    ASSERT_EQ(hyphens.size(), 2U);
    EXPECT_GE(hyphens[1].x - hyphens[0].x, text_width(font(), "-") + 1);
    EXPECT_NEAR(text_width(font(), "a--b"), 2 * text_width(font(), "-") + text_width(font(), "ab") + 2, 1);
}

TEST_F(DrawnGlyphs, LinesBreakBetweenWordsAndNotInNumbers) {
    EXPECT_EQ(text_height(font(), "clip_limit=6.00", text_width(font(), "clip_limit=6.") + 1), 2 * 13.0F)
        << "a word that is wider than the room breaks";
    const std::string_view text = "--set clip_limit=6.00";
    const float wider = text_width(font(), "--set clip_limit=6.") + 1;
    const std::vector<Area> letters = draw(text, wider);
    ASSERT_EQ(letters.size(), text.size() - 1);
    EXPECT_LT(letters[4].bottom() + 5, letters[5].bottom()) << "the options alone in the first line";
    EXPECT_NEAR(letters.back().bottom(), letters[5].bottom(), 4) << "6.00 stays with its name";
    EXPECT_EQ(text_height(font(), text, wider), 2 * 13.0F);
    EXPECT_EQ(text_height(font(), "one\ntwo", 0), 2 * 13.0F);
}

}  // namespace
}  // namespace tonescope::ui
