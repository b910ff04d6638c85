// Every text is legible: its contrast to what lies under it, in both themes, over all scenes.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

/// WCAG 2's least contrast for text of this size.
constexpr double kLeastContrast = 4.5;

using Rgb = std::array<double, 3>;  // 0 to 255

Rgb rgb_of(ImU32 color) {
    return {double(color >> IM_COL32_R_SHIFT & 255), double(color >> IM_COL32_G_SHIFT & 255),
            double(color >> IM_COL32_B_SHIFT & 255)};
}

Rgb blend(const Rgb& under, const Rgb& over, double alpha) {
    Rgb mixed{};
    for (size_t c = 0; c < 3; ++c) mixed[c] = under[c] + alpha * (over[c] - under[c]);
    return mixed;
}

/// Relative luminance as WCAG 2 defines it.
double luminance(const Rgb& color) {
    const auto linear = [](double level) {
        const double v = level / 255;
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
}

double contrast(const Rgb& a, const Rgb& b) {
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

/// What lies under a text. Where that is a picture, which may be black or white, both are followed.
struct Ground {
    Rgb on_black, on_white;
    void cover(const Rgb& color, double alpha) {
        on_black = blend(on_black, color, alpha);
        on_white = blend(on_white, color, alpha);
    }
};

/// How much each corner of a triangle counts at a point; all negative outside.
std::array<double, 3> weights(const ImDrawVert* const (&corners)[3], ImVec2 at) {
    const auto cross = [](ImVec2 a, ImVec2 b, ImVec2 c) {
        return double{b.x - a.x} * double{c.y - a.y} - double{b.y - a.y} * double{c.x - a.x};
    };
    const ImVec2 a = corners[0]->pos, b = corners[1]->pos, c = corners[2]->pos;
    const double whole = cross(a, b, c);
    if (whole == 0) return {-1, -1, -1};
    const std::array<double, 3> parts = {cross(b, c, at) / whole, cross(c, a, at) / whole, cross(a, b, at) / whole};
    return std::ranges::min(parts) < 0 ? std::array<double, 3>{-1, -1, -1} : parts;
}

/// Draws what lies under a text at one point: plain triangles and pictures, but no letters.
class GroundAt {
  public:
    GroundAt(ImVec2 at, Rgb cleared) : at_(at), ground_{cleared, cleared} {}

    void draw(const ImDrawList& list, int end) {
        const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const ImVec4& clip = command.ClipRect;
            if (command.UserCallback != nullptr ||
                !Area{clip.x, clip.y, clip.z - clip.x, clip.w - clip.y}.contains(at_))
                continue;
            const bool is_picture = command.GetTexID() == ImTextureID(1);
            const auto first = static_cast<int>(command.IdxOffset);
            for (int k = first; k < std::min(first + static_cast<int>(command.ElemCount), end); k += 3) {
                const ImDrawVert* corners[3];
                for (int n = 0; n < 3; ++n)
                    corners[n] =
                        &list.VtxBuffer[static_cast<int>(command.VtxOffset) + static_cast<int>(list.IdxBuffer[k + n])];
                if (!is_picture && (corners[0]->uv.x != white.x || corners[0]->uv.y != white.y)) continue;
                const std::array<double, 3> parts = weights(corners, at_);
                if (parts[0] < 0) continue;
                double alpha = 0;
                for (size_t n = 0; n < 3; ++n) alpha += parts[n] * (corners[n]->col >> IM_COL32_A_SHIFT) / 255;
                if (is_picture)
                    ground_ = {{0, 0, 0}, {255, 255, 255}};
                else
                    ground_.cover(rgb_of(corners[0]->col), alpha);
            }
        }
    }
    const Ground& ground() const { return ground_; }

  private:
    ImVec2 at_;
    Ground ground_;
};

Ground ground_under(const DrawnText& text, ImVec2 at, std::span<const BackgroundFill> cleared) {
    Rgb color{};
    for (const BackgroundFill& fill : cleared)
        if (Area{float(fill.area.x), float(fill.area.y), float(fill.area.width), float(fill.area.height)}.contains(at))
            color = rgb_of(fill.color);
    GroundAt ground(at, color);
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int n = 0; n < data.CmdListsCount; ++n) {
        const ImDrawList& list = *data.CmdLists[n];
        const bool is_own = list._OwnerName != nullptr && text.window == list._OwnerName;
        ground.draw(list, is_own ? text.first_index : list.IdxBuffer.Size);
        if (is_own) break;
    }
    return ground.ground();
}

/// Numbers over pixels choose their ink by the pixel, and stand out from both.
bool is_number_over_pixels(const Scene& s) {
    return s.name.find("zoomed") != std::string::npos || s.name.find("numbers") != std::string::npos;
}

class Contrast : public testing::TestWithParam<ThemeKind> {
  protected:
    void check(Driver& driver, const Model& model, const std::string& name) {
        for (const DrawnText& text : drawn_texts(driver, model)) {
            const Area shown = common_part(text.area, text.clip);
            if (shown.width < 2 || shown.height < 2 || text.text.find_first_not_of(' ') == std::string::npos) continue;
            const Ground ground = ground_under(text, shown.center(), driver.interface().background_fills());
            const double alpha = (text.color >> IM_COL32_A_SHIFT) / 255.0;
            for (const Rgb& under : {ground.on_black, ground.on_white}) {
                const double measured = contrast(blend(under, rgb_of(text.color), alpha), under);
                const std::string pair = format("%08x on %.0f,%.0f,%.0f", text.color, under[0], under[1], under[2]);
                if (measured < kLeastContrast && told_.insert(pair).second)
                    ADD_FAILURE() << name << ": \"" << text.text << "\" in " << text.window << ": " << pair << ": "
                                  << measured << " to 1";
            }
            ++texts_;
        }
    }

    std::set<std::string> told_;
    int texts_ = 0;
};

TEST_P(Contrast, OfEveryTextToItsGround) {
    for (const Scene& s : scenes()) {
        if (is_number_over_pixels(s)) continue;
        Driver driver(1600, 1000, 1);
        Settings settings;
        settings.theme = GetParam();
        settings.variant_shown = true;
        driver.interface().set_settings(settings);
        settle_scene(driver, s);
        check(driver, s.model, s.name);
    }
    EXPECT_GT(texts_, 3000);
}

TEST_P(Contrast, OfVariantsThatAreNotAvailable) {
    const Model& model = scene("default").model;
    ASSERT_FALSE(model.run.cuda_available);
    Driver driver(1600, 1000, 1);
    Settings settings;
    settings.theme = GetParam();
    driver.interface().set_settings(settings);
    driver.frames(model, 2);
    ASSERT_TRUE(driver.click(model, "Variant"));
    driver.frames(model, 2);
    check(driver, model, "variants");
    EXPECT_GT(texts_, 60) << "the list is open";
}

TEST_P(Contrast, OfWhatIsSelectedInAField) {
    const Driver driver(640, 480, 1);
    const Palette colors = use_theme(GetParam());
    const Rgb ground = rgb_of(ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
    EXPECT_GT(contrast(rgb_of(colors.text), ground), kLeastContrast);
    EXPECT_GT(contrast(rgb_of(colors.frame), ground), 1.2);
}

TEST_P(Contrast, OfBarsAndLinesToTheBackdropAndOfNeighborsInABar) {
    const Driver driver(640, 480, 1);
    const Palette colors = use_theme(GetParam());
    const auto between = [](ImU32 a, ImU32 b) { return contrast(rgb_of(a), rgb_of(b)); };
    std::vector<ImU32> inks = {colors.bar_cpu, colors.bar_gpu, colors.bar_host, colors.bar_copies};
    inks.insert(inks.end(), colors.lines.begin(), colors.lines.end());
    for (const ImU32 ink : inks) EXPECT_GT(between(ink, colors.backdrop), 1.8) << format("%08x", ink);
    EXPECT_GT(between(colors.bar_host, colors.bar_copies), 1.5);
}

TEST(ContrastRatio, IsAsWcagDefinesIt) {
    EXPECT_NEAR(contrast({0, 0, 0}, {255, 255, 255}), 21, 1e-9);
    EXPECT_NEAR(contrast({119, 119, 119}, {255, 255, 255}), 4.48, 0.005) << "the best known example: #777 is too light";
}

INSTANTIATE_TEST_SUITE_P(Themes, Contrast, testing::Values(ThemeKind::dark, ThemeKind::light),
                         [](const auto& theme) { return theme.param == ThemeKind::dark ? "dark" : "light"; });

}  // namespace
}  // namespace tonescope::ui
