// A walk by keys alone through all that the interface has: every control of every panel, dialog, menu and list is gone
// to and used, every command is run from the palette and by its keys. What a click does on a control, a key must do
// there too, and every kind of action must have been asked for in the end.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "tests/ui/scenes/scene_test.h"
#include "ui/commands/commands.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

/// Those that nobody asks for: they tell what the interface shows.
template <class A>
constexpr bool kIsTold = std::is_same_v<A, Hover> || std::is_same_v<A, WantThumbnails> ||
                         std::is_same_v<A, WantStartPage> || std::is_same_v<A, PreviewPreset>;

template <size_t k = 0>
std::set<size_t> all_that_is_asked() {
    std::set<size_t> all;
    if constexpr (k < std::variant_size_v<Action>) {
        all = all_that_is_asked<k + 1>();
        if (!kIsTold<std::variant_alternative_t<k, Action>>) all.insert(k);
    }
    return all;
}

/// Places in Action.
std::set<size_t> asked_in(const std::vector<Action>& actions) {
    std::set<size_t> asked;
    for (const Action& action : actions)
        std::visit(
            [&]<class A>(const A&) {
                if (!kIsTold<A>) asked.insert(action.index());
            },
            action);
    return asked;
}

/// What one sees and finds in the window, without the marks of keyboard and mouse.
struct Look {
    std::set<std::string> widgets;
    size_t layer = 0;
    Settings settings;
    KeptView view;
    GridView grid;
    std::string clipboard, focus;

    explicit Look(Driver& driver)
        : settings(driver.interface().settings()),
          view(driver.interface().kept_view()),
          grid(driver.interface().view().grid) {
        for (const Widget& w : driver.interface().widgets()) {
            layer = std::max(layer, w.layer);
            if (w.panel == "keyboard")
                focus += w.value + format("%g,%g", w.x, w.y);
            else
                widgets.insert(w.panel + "/" + w.label + "=" + w.value + (w.enabled ? "" : " (off)"));
        }
        if (const char* copied = ImGui::GetClipboardText()) clipboard = copied;
    }
};

/// What a key or a click has changed or asked for.
struct Effect {
    std::set<size_t> asked;
    bool layer = false, settings = false, view = false, widgets = false, clipboard = false, focus = false;

    Effect(const Look& before, const Look& after, const std::vector<Action>& actions)
        : asked(asked_in(actions)),
          layer(after.layer != before.layer),
          settings(after.settings != before.settings),
          view(after.view != before.view || after.grid != before.grid),
          widgets(after.widgets != before.widgets),
          clipboard(after.clipboard != before.clipboard),
          focus(after.focus != before.focus) {}
    bool changes_state() const { return layer || settings || view || widgets || clipboard; }
    bool is_none() const { return asked.empty() && !changes_state(); }
    /// All that `other` has.
    bool covers(const Effect& other) const {
        return std::ranges::includes(asked, other.asked) && layer >= other.layer && settings >= other.settings &&
               view >= other.view && clipboard >= other.clipboard && (widgets || layer) >= other.widgets;
    }
};

struct Tap {
    ImGuiKey key{};
    bool shift = false;
};

bool holds(const Widget& place, const Widget& w) {
    return w.x >= place.x - 1 && w.y >= place.y - 1 && w.x + w.width <= place.x + place.width + 1 &&
           w.y + w.height <= place.y + place.height + 1;
}

/// A situation: a scene, and keys that lead on from it.
struct Situation {
    const Scene* scene;
    std::vector<Tap> keys = {};
    const Command* command = nullptr;  // run before the keys
};

/// Goes through situations, and through those that come up on the way.
class Walker {
  public:
    void walk(Situation from) {
        open_.push_back(std::move(from));
        while (!open_.empty()) {
            const Situation next = std::move(open_.back());
            open_.pop_back();
            walk_one(next);
        }
    }
    void run_commands();
    /// What else asks for something: a command that has done something else before, an entry of the palette.
    void strike_in(const Scene& scene, std::string_view keys) {
        enter({&scene});
        effect_of([&] { strike(*parse_chord(keys)); });
    }
    void run_in(const Scene& scene, std::string_view typed) {
        enter({&scene});
        effect_of([&] { driver_->run_command(model_, typed); });
    }

    size_t reached() const { return reached_.size(); }
    size_t used() const { return used_; }
    const std::set<size_t>& asked() const { return asked_; }

  private:
    void enter(const Situation& at) {
        driver_.reset();  // two at a time would share Dear ImGui's context
        driver_ = std::make_unique<Driver>(1280, 800, 1);
        model_ = at.scene->model;
        settle_scene(*driver_, *at.scene);
        driver_->move_to(-1, -1);
        draw(2);
        if (at.command != nullptr) run(*at.command);
        for (const Tap& t : at.keys) tap(t);
        draw(2);
    }
    void draw(int count) { driver_->frames(model_, count); }
    void tap(const Tap& t) {
        driver_->hold_shift(t.shift);
        driver_->tap(model_, t.key);
        driver_->hold_shift(false);
    }

    // Where the keyboard is
    // --------------------------------------------------------------------------------------------
    const Widget* ring() const { return driver_->find("focus"); }
    std::string area() const {
        const Widget* const mark = driver_->find("focus area");
        return mark != nullptr ? mark->value : "";
    }
    /// Of the topmost dialog, menu or list, or else of the window, without what is for the mouse alone.
    std::vector<Widget> usable() const {
        const Interface& interface = driver_->interface();
        size_t top = 0;
        std::vector<Widget> found;
        for (const Widget& w : interface.widgets()) top = std::max(top, w.layer);
        for (const Widget& w : interface.widgets())
            if (w.interactive && w.enabled && w.layer == top &&
                std::ranges::none_of(interface.mouse_places(),
                                     [&](const Widget& at) { return at.layer == w.layer && holds(at, w); }))
                found.push_back(w);
        return found;
    }
    std::vector<Widget> in_ring() const {
        std::vector<Widget> found;
        if (const Widget* const at = ring())
            for (const Widget& w : usable())
                if (holds(*at, w)) found.push_back(w);
        return found;
    }
    /// Of the control that has the keyboard; empty: none is marked.
    std::string stop() const {
        std::string names;
        for (const Widget& w : in_ring()) names += w.panel + ": " + w.label + "\n";
        if (!names.empty() || ring() == nullptr) return names;
        return std::to_string(ring()->x) + "," + std::to_string(ring()->y);
    }
    /// Controls of dialogs and menus have the same names in many of them.
    static std::string name_of(const Situation& at, const Widget& w) {
        const std::string name = w.panel + ": " + w.label;
        if (w.layer == 0) return name;
        return name + " (" + std::string(at.command != nullptr ? at.command->id : std::string_view(at.scene->name)) +
               ")";
    }
    std::set<std::string> unreached(const Situation& at) const {
        std::set<std::string> names;
        for (const Widget& w : usable())
            if (const std::string name = name_of(at, w); !reached_.contains(name)) names.insert(name);
        return names;
    }

    // Going
    // --------------------------------------------------------------------------------------------------------------
    void walk_one(const Situation& start) {
        enter(start);
        std::set<std::string> left = unreached(start);
        const bool is_window = Look(*driver_).layer == 0;
        const ImGuiKey begins = is_window ? ImGuiKey_F6 : ImGuiKey_Tab;
        const auto from = [&](size_t times) {
            Situation at = start;
            at.keys.resize(at.keys.size() + times, {begins});
            return at;
        };
        for (const ImGuiKey along : {ImGuiKey_RightArrow, ImGuiKey_DownArrow})
            for (size_t areas = 1; areas <= (is_window ? kWindowAreas : 1) && !left.empty(); ++areas)
                go_through(from(areas), along, true, left);
        for (const ImGuiKey along : {ImGuiKey_UpArrow, ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_DownArrow})
            if (!left.empty()) go_through(from(1), along, false, left);  // what stands before where F6 leads
        for (const std::string& name : left) ADD_FAILURE() << start.scene->name << ": no key goes to " << name;
    }

    /// With an arrow, and with Tab where that leads no further, until the keyboard leaves the area or has gone round.
    void go_through(const Situation& from, ImGuiKey along, bool in_area, std::set<std::string>& left) {
        enter(from);
        Situation now = from;
        const auto go = [&](ImGuiKey key, bool shift) {
            now.keys.push_back({key, shift});
            tap(now.keys.back());
            draw(1);
        };
        const std::string here = area();
        std::set<std::string> seen;
        for (std::string at = stop(); !at.empty() && seen.insert(at).second; at = stop()) {
            if (in_area && area() != here) return;
            visit(now, left);
            if (left.empty()) return;
            go(along, false);
            if (stop() != at) continue;
            now.keys.pop_back();
            go(ImGuiKey_Tab, along == ImGuiKey_UpArrow || along == ImGuiKey_LeftArrow);
        }
    }

    void visit(const Situation& now, std::set<std::string>& left) {
        bool is_new = false;
        const std::vector<Widget> here = in_ring();
        for (const Widget& w : here) {
            left.erase(name_of(now, w));
            is_new = reached_.insert(name_of(now, w)).second || is_new;
        }
        const auto whole = std::ranges::max_element(here, {}, [](const Widget& w) { return w.width * w.height; });
        if (is_new && is_worth_a_use(now, *whole)) use(now, *whole);
    }

    // Using
    // --------------------------------------------------------------------------------------------------------------
    /// Rows of a list and cells of a table are drawn by one piece of code: a few stand for all. Buttons are not.
    bool is_worth_a_use(const Situation& at, const Widget& w) {
        constexpr int kFew = 3;
        const std::string name = name_of(at, w);
        return w.label.starts_with("button:") || uses_[name.substr(0, name.find(':', w.panel.size() + 1))]++ < kFew;
    }

    /// With keys until they have done all that a click does.
    void use(const Situation& now, const Widget& w) {
        constexpr ImGuiKey kOthers[] = {ImGuiKey_RightArrow, ImGuiKey_LeftArrow, ImGuiKey_DownArrow, ImGuiKey_UpArrow,
                                        ImGuiKey_Home,       ImGuiKey_End,       ImGuiKey_PageDown};
        std::vector<Effect> effects = {press(now, {ImGuiKey_Enter})};
        press(now, {ImGuiKey_F10, true});
        const bool is_list = in_ring().size() > 1;
        if (is_list) use_last(now);
        if (effects[0].asked.empty() && !effects[0].layer) effects.push_back(type(now));
        const std::string mark = area();
        const Effect clicked = click(w);
        if (clicked.changes_state() || area() != mark) enter(now);
        const auto is_covered = [&] {
            return clicked.is_none() ||
                   std::ranges::any_of(effects, [&](const Effect& effect) { return effect.covers(clicked); });
        };
        for (const ImGuiKey key : kOthers)
            if (!is_covered()) effects.push_back(press(now, {key}));
        EXPECT_TRUE(is_covered()) << now.scene->name << ": a click does more than keys on " << name_of(now, w);
        if (std::ranges::any_of(effects, [](const Effect& effect) { return !effect.is_none(); })) ++used_;
    }

    /// Comes back to where it was. What comes up is walked through, too.
    Effect press(const Situation& now, Tap key) {
        const std::string at = stop();
        const Effect effect = effect_of([&] {
            tap(key);
            draw(1);
        });
        if (effect.changes_state() && !unreached(now).empty()) {
            open_.push_back(now);
            open_.back().keys.push_back(key);
        }
        if (effect.changes_state() || stop() != at) enter(now);
        return effect;
    }
    /// Of a field, where that has the keyboard.
    Effect type(const Situation& now) {
        return act(now, [&] {
            driver_->type("7");
            draw(2);
            tap({ImGuiKey_Enter});
        });
    }
    /// Of a list with a cursor: folders come first in those of files.
    void use_last(const Situation& now) {
        act(now, [&] {
            tap({ImGuiKey_End});
            tap({ImGuiKey_Enter});
            draw(1);
        });
    }
    Effect act(const Situation& now, const std::function<void()>& what) {
        const std::string at = stop();
        const Effect effect = effect_of(what);
        if (effect.changes_state() || stop() != at) enter(now);
        return effect;
    }
    Effect effect_of(const std::function<void()>& act) {
        const Look before(*driver_);
        driver_->actions().clear();
        act();
        Effect effect(before, Look(*driver_), driver_->actions());
        asked_.insert(effect.asked.begin(), effect.asked.end());
        return effect;
    }
    /// Not by keys: what it asks for does not count.
    Effect click(const Widget& w) {
        driver_->move_to(w.x + w.width / 2, w.y + w.height / 2);
        draw(2);
        const Look before(*driver_);
        driver_->actions().clear();
        driver_->press(0, true);
        draw(1);
        driver_->press(0, false);
        draw(2);
        const Effect effect(before, Look(*driver_), driver_->actions());
        driver_->move_to(-1, -1);
        draw(1);
        return effect;
    }

    // Commands
    // -----------------------------------------------------------------------------------------------------------
    void run(const Command& command) {
        if (command.keys.empty())
            run_from_palette(command, ImGuiKey_Enter);
        else
            strike(parse_chords(command.keys)[0]);
        if (command.press != Press::holds) draw(2);
    }
    /// `key` ends it: Enter or Esc.
    void run_from_palette(const Command& command, ImGuiKey key) {
        driver_->open_palette(model_, command.title);
        const Widget* const entry = driver_->find("command:" + std::string(command.title));
        const bool can_run = entry != nullptr && entry->value == "current" && entry->enabled;
        tap({can_run ? key : ImGuiKey_Escape});
        draw(3);
    }
    void strike(const Chord& chord) {
        driver_->hold_control(chord.ctrl);
        driver_->hold_shift(chord.shift && chord.character == 0);
        driver_->hold_alt(chord.alt);
        if (chord.character != 0)
            driver_->type(std::string(1, chord.character));
        else
            driver_->hold(chord.key, true);
        draw(2);
        if (chord.character == 0) driver_->hold(chord.key, false);
        driver_->hold_control(false);
        driver_->hold_shift(false);
        driver_->hold_alt(false);
    }
    /// Whether it does in this scene what nothing but the command does.
    bool has_effect(const Scene& scene, const std::function<void()>& act, const std::function<void()>& idle) {
        enter({&scene});
        const Effect effect = effect_of(act);
        if (!effect.asked.empty() || effect.layer || effect.settings || effect.view || effect.clipboard) return true;
        if (!effect.widgets && !effect.focus) return false;
        const Look acted(*driver_);
        enter({&scene});
        idle();
        const Look idled(*driver_);
        return idled.widgets != acted.widgets || idled.focus != acted.focus;
    }

    std::unique_ptr<Driver> driver_;
    Model model_;
    std::vector<Situation> open_;
    std::set<std::string> reached_;
    std::map<std::string, int> uses_;  // by what stands before the colon of a name
    size_t used_ = 0;
    std::set<size_t> asked_;
};

/// Each, by its keys or else from the palette, until it does something in a scene. What opens is walked through.
void Walker::run_commands() {
    std::set<std::string_view> idle;
    for (const Command& command : commands()) idle.insert(command.id);
    for (const Scene& scene : scenes()) {
        enter({&scene});
        if (Look(*driver_).layer > 0) continue;
        std::vector<const Command*> usable_here;
        for (const Command& command : commands())
            if (idle.contains(command.id) && driver_->interface().can_run(command.id)) usable_here.push_back(&command);
        for (const Command* const command : usable_here) {
            const bool by_keys = !command->keys.empty();
            const bool works = has_effect(
                scene, [&] { run(*command); },
                [&] { by_keys ? draw(4) : run_from_palette(*command, ImGuiKey_Escape); });
            if (!works) continue;
            idle.erase(command->id);
            walk({&scene, {}, command});
        }
    }
    for (const std::string_view id : idle) ADD_FAILURE() << id << " does nothing in any scene";
}

TEST(Reach, AWalkByKeysUsesEverything) {
    Walker walker;
    for (const Scene& s : scenes()) walker.walk({&s});
    walker.run_commands();
    EXPECT_GT(walker.reached(), 900U) << "controls, those of dialogs and menus counted in each";
    EXPECT_GT(walker.used(), 250U);
    walker.strike_in(scene("pinned"), "P");
    walker.run_in(scene("sweep"), "Experiment:");
    for (const size_t kind : all_that_is_asked())
        EXPECT_TRUE(walker.asked().contains(kind)) << "no key asks for the action " << kind;
}

}  // namespace
}  // namespace tonescope::ui
