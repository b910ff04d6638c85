#include "app/window/input_queue.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>

namespace tonescope {
namespace {

using Event = InputQueue::Event;
using Kind = Event::Kind;

bool is_modifier(int key) {
    return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;
}

/// What a frame has been given so far.
struct Frame {
    bool moved = false, wheeled = false, typed = false;
    bool needs_modifiers = false;  // as they are: a key was pressed, or the wheel turned
    unsigned buttons = 0;
    std::vector<int> keys;

    bool takes(const Event& event) const {
        switch (event.kind) {
            case Kind::position:
            case Kind::leave:
                return buttons == 0 && !wheeled && !typed;
            case Kind::button:
                return !moved && !wheeled && !typed && (buttons & 1u << event.code) == 0;
            case Kind::wheel:
                return !moved && buttons == 0;
            case Kind::key:
                return !moved && buttons == 0 && !(needs_modifiers && is_modifier(event.code)) &&
                       std::ranges::find(keys, event.code) == keys.end();
            case Kind::character:
                return !moved && buttons == 0;
        }
        return true;
    }

    void add(const Event& event) {
        switch (event.kind) {
            case Kind::position:
            case Kind::leave:
                moved = true;
                break;
            case Kind::button:
                buttons |= 1u << event.code;
                break;
            case Kind::wheel:
                wheeled = needs_modifiers = true;
                break;
            case Kind::key:
                keys.push_back(event.code);
                needs_modifiers = needs_modifiers || (event.action != 0 && !is_modifier(event.code));
                [[fallthrough]];
            case Kind::character:
                typed = true;
                break;
        }
    }
};

}  // namespace

std::vector<Event> InputQueue::next_frame() {
    Frame frame;
    std::vector<Event> events;
    while (!waiting_.empty() && frame.takes(waiting_.front())) {
        frame.add(waiting_.front());
        note(waiting_.front());
        events.push_back(waiting_.front());
        waiting_.pop_front();
    }
    return events;
}

void InputQueue::note(const Event& event) {
    switch (event.kind) {
        case Kind::position:
            seen_.x = event.x;
            seen_.y = event.y;
            seen_.inside = true;
            break;
        case Kind::leave:
            seen_.inside = false;
            break;
        case Kind::button:
            if (event.action != 0) {
                seen_.buttons |= 1u << event.code;
                ++seen_.presses;
            } else {
                seen_.buttons &= ~(1u << event.code);
            }
            break;
        case Kind::key:
            if (std::erase(seen_.keys, event.code) == 0 && event.action != 0) ++seen_.strokes;
            if (event.action != 0) seen_.keys.push_back(event.code);
            break;
        case Kind::wheel:
            seen_.turns += event.y;
            break;
        case Kind::character:
            break;
    }
}

}  // namespace tonescope
