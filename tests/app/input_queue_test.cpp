// How input is dealt out to frames.
#include "app/window/input_queue.h"

#include <gtest/gtest.h>

#include <utility>

namespace tonescope {
namespace {

using Event = InputQueue::Event;
using Kind = Event::Kind;

Event position(double x, double y) {
    return {.kind = Kind::position, .x = x, .y = y};
}

Event button(int code, bool down) {
    return {.kind = Kind::button, .code = code, .action = down ? 1 : 0};
}

Event key(int code, bool down) {
    return {.kind = Kind::key, .code = code, .action = down ? 1 : 0};
}

TEST(InputQueueTest, MovesAreOneFrame) {
    InputQueue queue;
    for (int k = 0; k < 5; ++k) queue.push(position(k, 2 * k));
    EXPECT_EQ(queue.next_frame().size(), 5u);
    EXPECT_EQ(queue.seen().x, 4);
    EXPECT_EQ(queue.seen().y, 8);
    EXPECT_TRUE(queue.empty());
    EXPECT_TRUE(queue.next_frame().empty());
}

TEST(InputQueueTest, AnAimedDoubleClickIsSeenWhole) {
    InputQueue queue;
    queue.push(position(10, 10));
    for (const bool down : {true, false, true, false}) queue.push(button(0, down));
    queue.push(position(50, 50));
    std::vector<unsigned> buttons;
    std::vector<double> x;
    while (!queue.empty()) {
        queue.next_frame();
        buttons.push_back(queue.seen().buttons);
        x.push_back(queue.seen().x);
    }
    EXPECT_EQ(buttons, (std::vector<unsigned>{0, 1, 0, 1, 0, 0}));
    EXPECT_EQ(x, (std::vector<double>{10, 10, 10, 10, 10, 50}));
    EXPECT_EQ(queue.seen().presses, 2);
}

TEST(InputQueueTest, KeysGoDownBeforeTheyComeUp) {
    InputQueue queue;
    for (const int code : {341, 65}) queue.push(key(code, true));
    for (const int code : {65, 341}) queue.push(key(code, false));
    EXPECT_EQ(queue.next_frame().size(), 2u);
    EXPECT_EQ(queue.seen().keys, (std::vector<int>{341, 65}));
    EXPECT_EQ(queue.next_frame().size(), 2u);
    EXPECT_TRUE(queue.seen().keys.empty());
}

TEST(InputQueueTest, AChordIsSeenWholeWhicheverKeyComesUpFirst) {
    constexpr int kControl = 341, kQ = 81;
    InputQueue queue;
    for (const auto& [code, down] : {std::pair{kControl, true}, {kQ, true}, {kControl, false}, {kQ, false}})
        queue.push(key(code, down));
    EXPECT_EQ(queue.next_frame().size(), 2u);
    EXPECT_EQ(queue.seen().keys, (std::vector<int>{kControl, kQ}));
    EXPECT_EQ(queue.next_frame().size(), 2u);
    EXPECT_TRUE(queue.empty());

    for (const auto& [code, down] : {std::pair{kQ, true}, {kControl, true}}) queue.push(key(code, down));
    EXPECT_EQ(queue.next_frame().size(), 1u) << "a key that was pressed without Ctrl";
    EXPECT_EQ(queue.next_frame().size(), 1u);

    queue.push({.kind = Kind::wheel, .y = 1});
    queue.push(key(kControl, false));
    EXPECT_EQ(queue.next_frame().size(), 1u) << "Ctrl and the wheel";
    EXPECT_EQ(queue.next_frame().size(), 1u);
}

TEST(InputQueueTest, TextKeepsItsOrderWithKeys) {
    InputQueue queue;
    queue.push(key(49, true));
    queue.push({.kind = Kind::character, .code = '1'});
    queue.push(key(49, false));
    queue.push(key(49, true));
    queue.push({.kind = Kind::character, .code = '1'});
    EXPECT_EQ(queue.next_frame().size(), 2u);
    EXPECT_EQ(queue.next_frame().size(), 1u);
    EXPECT_EQ(queue.next_frame().size(), 2u);
}

TEST(InputQueueTest, TheWheelTurnsWhereThePointerWas) {
    InputQueue queue;
    queue.push(position(10, 10));
    queue.push({.kind = Kind::wheel, .y = 1});
    queue.push({.kind = Kind::wheel, .y = 1});
    queue.push(position(90, 90));
    EXPECT_EQ(queue.next_frame().size(), 1u);
    EXPECT_EQ(queue.next_frame().size(), 2u);
    EXPECT_EQ(queue.seen().x, 10);
    EXPECT_EQ(queue.seen().turns, 2);
    queue.push({.kind = Kind::leave});
    EXPECT_EQ(queue.next_frame().size(), 2u);
    EXPECT_FALSE(queue.seen().inside);
}

}  // namespace
}  // namespace tonescope
