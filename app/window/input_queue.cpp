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

/// Whether a frame that has been given `dealt` may see this event too.
bool takes(const std::vector<Event>& dealt, const Event& event) {
    const auto has = [&](auto... kinds) {
        return std::ranges::any_of(dealt, [&](const Event& other) { return ((other.kind == kinds) || ...); });
    };
    const auto is_same = [&](const Event& other) { return other.kind == event.kind && other.code == event.code; };
    // The frame needs the modifiers as they are: a key was pressed, or the wheel was turned.
    const auto needs_modifiers = [](const Event& other) {
        return other.kind == Kind::wheel || (other.kind == Kind::key && other.action != 0 && !is_modifier(other.code));
    };
    switch (event.kind) {
        case Kind::position:
        case Kind::leave:
            return !has(Kind::button, Kind::wheel, Kind::key, Kind::character);
        case Kind::button:
            return !has(Kind::position, Kind::leave, Kind::wheel, Kind::key, Kind::character) &&
                   std::ranges::none_of(dealt, is_same);
        case Kind::key:
            if (std::ranges::any_of(dealt, is_same) ||
                (is_modifier(event.code) && std::ranges::any_of(dealt, needs_modifiers)))
                return false;
            [[fallthrough]];
        case Kind::wheel:
        case Kind::character:
            return !has(Kind::position, Kind::leave, Kind::button);
    }
    return true;
}

}  // namespace

std::vector<Event> InputQueue::next_frame() {
    std::vector<Event> events;
    while (!waiting_.empty() && takes(events, waiting_.front())) {
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
