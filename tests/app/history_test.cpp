// Undo and redo.
#include "app/viewer/choices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace tonescope {
namespace {

/// A choice that differs from others by its radius.
Choice radius(int value) {
    Choice choice;
    choice.op = find_operator("kuwahara");
    choice.params = default_values(choice.op->params);
    choice.params.set(*find_param(choice.op->params, "radius"), value);
    return choice;
}

TEST(History, MasksOfStepsHaveALimit) {
    constexpr int kHeld = 4, kSteps = 7, kChanges = 3;
    constexpr int kWidth = 4096, kHeight = int(History::kMaxMasks_bytes / kWidth / kHeld);
    History history;
    std::vector<std::weak_ptr<const HostImage>> masks;
    Choice now = radius(1);
    const auto change = [&](const Choice& after) {
        history.changed(now, after);
        now = after;
    };
    for (int k = 0; k < kSteps; ++k) {
        ResultPart part;
        // Pages that nothing has written to take no memory.
        part.mask = std::make_shared<HostImage>(ImageSpec{kWidth, kHeight, PixelFormat::gray8, false});
        masks.push_back(part.mask);
        for (const int value : {1, 2}) {  // a mask counts once, in however many steps it is
            Choice masked = radius(value);
            masked.part = part;
            change(masked);
        }
        change(radius(k + 3));
    }
    EXPECT_EQ(std::ranges::count_if(masks, [](const auto& mask) { return !mask.expired(); }), kHeld);
    EXPECT_FALSE(masks.back().expired()) << "the oldest go first";
    int steps = 0;
    while (const std::optional<Choice> step = history.undo(now)) {
        now = *step;
        ++steps;
    }
    EXPECT_EQ(steps, kHeld * kChanges);
}

TEST(History, GoesBackAndForth) {
    History history;
    EXPECT_FALSE(history.can_undo());
    EXPECT_EQ(history.undo(radius(1)), std::nullopt);
    history.changed(radius(1), radius(2));
    history.changed(radius(2), radius(3));
    EXPECT_EQ(history.undo(radius(3)), radius(2));
    EXPECT_EQ(history.undo(radius(2)), radius(1));
    EXPECT_FALSE(history.can_undo());
    EXPECT_EQ(history.redo(radius(1)), radius(2));
    EXPECT_EQ(history.redo(radius(2)), radius(3));
    EXPECT_FALSE(history.can_redo());
}

TEST(History, ADragIsOneStep) {
    History history;
    history.changed(radius(1), radius(2), 7);
    history.changed(radius(2), radius(5), 7);
    history.changed(radius(5), radius(9), 7);
    history.changed(radius(9), radius(12), 8);
    EXPECT_EQ(history.undo(radius(12)), radius(9));
    EXPECT_EQ(history.undo(radius(9)), radius(1));
    EXPECT_FALSE(history.can_undo());
}

TEST(History, ADragBackToItsStartLeavesNoStep) {
    History history;
    history.changed(radius(1), radius(2), 7);
    history.changed(radius(2), radius(1), 7);
    EXPECT_FALSE(history.can_undo());
    history.changed(radius(1), radius(4), 7);
    EXPECT_EQ(history.undo(radius(4)), radius(1));
}

TEST(History, AChangeEndsRedoAndNoChangeDoesNot) {
    History history;
    history.changed(radius(1), radius(2));
    history.undo(radius(2));
    history.changed(radius(1), radius(1));
    EXPECT_TRUE(history.can_redo());
    history.changed(radius(1), radius(3));
    EXPECT_FALSE(history.can_redo());
    EXPECT_EQ(history.undo(radius(3)), radius(1));
}

TEST(History, AfterUndoTheSameDragStartsAnew) {
    History history;
    history.changed(radius(1), radius(2), 7);
    history.changed(radius(2), radius(3), 8);
    history.undo(radius(3));
    history.changed(radius(2), radius(6), 7);
    EXPECT_EQ(history.undo(radius(6)), radius(2));
}

TEST(History, ForgetsTheOldest) {
    History history;
    for (int k = 1; k < 2000; ++k) history.changed(radius(1 + k % 2), radius(2 - k % 2));
    int steps = 0;
    while (history.undo(radius(1))) ++steps;
    EXPECT_EQ(steps, 1000);
}

}  // namespace
}  // namespace tonescope
