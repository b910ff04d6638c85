// Keys mean what the layout prints on them.
#include "app/window/key_layout.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <map>

namespace tonescope {
namespace {

/// A layout by what it prints where a US keyboard has a key; other letters and digits are as on that.
KeyLayout::NameOf layout_printing(std::map<int, std::string> printed) {
    for (int key = 33; key < 127; ++key) {
        const bool letter = key >= 'A' && key <= 'Z';
        if (letter || (key >= '0' && key <= '9'))
            printed.try_emplace(key, 1, static_cast<char>(letter ? key + 32 : key));
    }
    return [printed](int key, int) {
        const auto name = printed.find(key);
        return name == printed.end() ? nullptr : name->second.c_str();
    };
}

TEST(PrintedKeyTest, IsWhatTheLayoutPrints) {
    EXPECT_EQ(printed_key(GLFW_KEY_Y, "z"), GLFW_KEY_Z);
    EXPECT_EQ(printed_key(GLFW_KEY_Y, "Z"), GLFW_KEY_Z);
    EXPECT_EQ(printed_key(GLFW_KEY_SEMICOLON, "m"), GLFW_KEY_M);
    EXPECT_EQ(printed_key(GLFW_KEY_M, ","), GLFW_KEY_COMMA);
    EXPECT_EQ(printed_key(GLFW_KEY_GRAVE_ACCENT, "\\"), GLFW_KEY_BACKSLASH);
    EXPECT_EQ(printed_key(GLFW_KEY_WORLD_1, "7"), GLFW_KEY_7);
}

TEST(PrintedKeyTest, ElseIsThePlace) {
    EXPECT_EQ(printed_key(GLFW_KEY_Y, nullptr), GLFW_KEY_Y);
    EXPECT_EQ(printed_key(GLFW_KEY_Y, ""), GLFW_KEY_Y);
    EXPECT_EQ(printed_key(GLFW_KEY_LEFT_BRACKET, "\xc3\xbc"), GLFW_KEY_LEFT_BRACKET);
    EXPECT_EQ(printed_key(GLFW_KEY_BACKSLASH, "#"), GLFW_KEY_BACKSLASH);
    EXPECT_EQ(printed_key(GLFW_KEY_KP_1, "1"), GLFW_KEY_KP_1);
    EXPECT_EQ(printed_key(GLFW_KEY_SPACE, "a"), GLFW_KEY_SPACE);
    EXPECT_EQ(printed_key(GLFW_KEY_ENTER, "a"), GLFW_KEY_ENTER);
    EXPECT_EQ(printed_key(GLFW_KEY_UNKNOWN, "a"), GLFW_KEY_UNKNOWN);
}

TEST(PrintedKeyTest, DigitsThatNeedShiftKeepTheirRow) {
    EXPECT_EQ(printed_key(GLFW_KEY_1, "&"), GLFW_KEY_1);
    EXPECT_EQ(printed_key(GLFW_KEY_4, "'"), GLFW_KEY_4);
    EXPECT_EQ(printed_key(GLFW_KEY_6, "-"), GLFW_KEY_6);
    EXPECT_EQ(printed_key(GLFW_KEY_1, "7"), GLFW_KEY_7);
}

TEST(KeyLayoutTest, AReleaseMeansWhatItsPressMeant) {
    std::map<int, std::string> printed{{'Y', "z"}, {'Z', "y"}};
    KeyLayout::NameOf german = layout_printing(printed), english = layout_printing({});
    bool is_german = true;
    KeyLayout keys([&](int key, int scancode) { return is_german ? german(key, scancode) : english(key, scancode); });
    EXPECT_EQ(keys.meaning(GLFW_KEY_Y, 29, true), GLFW_KEY_Z);
    is_german = false;
    EXPECT_EQ(keys.meaning(GLFW_KEY_Z, 52, true), GLFW_KEY_Z);
    EXPECT_EQ(keys.meaning(GLFW_KEY_Y, 29, false), GLFW_KEY_Z);
    EXPECT_EQ(keys.meaning(GLFW_KEY_Z, 52, false), GLFW_KEY_Z);
    EXPECT_EQ(keys.meaning(GLFW_KEY_Y, 29, true), GLFW_KEY_Y);
    EXPECT_EQ(keys.meaning(GLFW_KEY_Y, 29, false), GLFW_KEY_Y);
}

TEST(KeyLayoutTest, LettersThatAreNotLatinActByPlace) {
    std::map<int, std::string> printed;
    for (int key = 'A'; key <= 'Z'; ++key) printed[key] = "\xce\xb1";
    printed['Q'] = ";";  // Greek
    KeyLayout keys(layout_printing(printed));
    EXPECT_EQ(keys.meaning(GLFW_KEY_Q, 24, true), GLFW_KEY_Q);
    printed['A'] = "a";
    KeyLayout latin(layout_printing(printed));
    EXPECT_EQ(latin.meaning(GLFW_KEY_Q, 24, true), GLFW_KEY_SEMICOLON);
}

TEST(KeyLayoutTest, WithAltGrTheTypedCharacterTells) {
    KeyLayout keys(layout_printing({{GLFW_KEY_MINUS, "\xc3\x9f"}}));
    EXPECT_EQ(keys.meaning(GLFW_KEY_MINUS, 20, true, '\\'), GLFW_KEY_MINUS) << "without AltGr";
    EXPECT_EQ(keys.meaning(GLFW_KEY_MINUS, 20, false), GLFW_KEY_MINUS);
    EXPECT_EQ(keys.meaning(GLFW_KEY_RIGHT_ALT, 108, true), GLFW_KEY_RIGHT_ALT);
    EXPECT_EQ(keys.meaning(GLFW_KEY_MINUS, 20, true, '\\'), GLFW_KEY_BACKSLASH);
    EXPECT_EQ(keys.meaning(GLFW_KEY_RIGHT_ALT, 108, false), GLFW_KEY_RIGHT_ALT);
    EXPECT_EQ(keys.meaning(GLFW_KEY_MINUS, 20, false), GLFW_KEY_BACKSLASH);
    EXPECT_EQ(keys.meaning(GLFW_KEY_7, 16, true, '/'), GLFW_KEY_7);
}

}  // namespace
}  // namespace tonescope
