// Input events in the order in which they came, dealt out to frames.
#pragma once

#include <deque>
#include <vector>

namespace tonescope {

/// What the window has heard and no frame has seen yet. A frame looks at the state of mouse and keyboard once, so what
/// comes and goes within a slow frame would be lost: next_frame() deals out as much as keeps every change visible.
class InputQueue {
  public:
    struct Event {
        enum class Kind { position, leave, button, wheel, key, character };
        Kind kind = Kind::position;
        double x = 0, y = 0;  // position: window pixels; wheel: turns
        int code = 0;         // button, key or character
        int scancode = 0, action = 0, mods = 0;
    };
    /// What the frames have seen up to now.
    struct Seen {
        double x = -1, y = -1;  // negative where the pointer is elsewhere
        bool inside = false;
        unsigned buttons = 0;  // bit n: button n is down
        std::vector<int> keys;
        int presses = 0;   // of buttons, all together
        int strokes = 0;   // of keys, all together
        double turns = 0;  // of the wheel, all together
        bool operator==(const Seen&) const = default;
    };

    void push(const Event& event) { waiting_.push_back(event); }
    bool empty() const { return waiting_.empty(); }
    /// The events of one frame: positions before buttons and wheel, no button and no key twice, and no modifier
    /// released (or pressed) behind the key or the wheel that was meant with it (or without).
    std::vector<Event> next_frame();
    const Seen& seen() const { return seen_; }

  private:
    void note(const Event& event);

    std::deque<Event> waiting_;
    Seen seen_;
};

}  // namespace tonescope
