// A walk by keys alone through all that the interface has: every control of every panel, dialog, menu and list is gone
// to and used, every command is run from the palette and by its keys. What a click does on a control, a key must do
// there too, and every kind of action must have been asked for in the end.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <memory>
#include <memory_resource>
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

/// By places in Action.
using Asked = std::bitset<std::variant_size_v<Action>>;

template <size_t k = 0>
Asked all_that_is_asked() {
    Asked all;
    if constexpr (k < all.size()) {
        all = all_that_is_asked<k + 1>();
        all[k] = !kIsTold<std::variant_alternative_t<k, Action>>;
    }
    return all;
}

Asked asked_in(const std::vector<Action>& actions) {
    Asked asked;
    for (const Action& action : actions) asked.set(action.index());
    return asked & all_that_is_asked();
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
    std::string text() const {
        std::string all = focus;
        for (const std::string& widget : widgets) all += "\n" + widget;
        return all;
    }
};

/// What a key or a click has changed or asked for.
struct Effect {
    Asked asked;
    bool layer = false, settings = false, view = false, widgets = false, clipboard = false, focus = false;

    Effect() = default;
    Effect(const Look& before, const Look& after, const std::vector<Action>& actions)
        : asked(asked_in(actions)),
          layer(after.layer != before.layer),
          settings(after.settings != before.settings),
          view(after.view != before.view || after.grid != before.grid),
          widgets(after.widgets != before.widgets),
          clipboard(after.clipboard != before.clipboard),
          focus(after.focus != before.focus) {}
    bool changes_state() const { return layer || settings || view || widgets || clipboard; }
    bool is_none() const { return asked.none() && !changes_state(); }
    /// All that `other` has.
    bool covers(const Effect& other) const {
        return (other.asked & ~asked).none() && layer >= other.layer && settings >= other.settings &&
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
    std::pmr::vector<Tap> keys = {};
    const Command* command = nullptr;              // run before the keys
    std::pmr::vector<std::pmr::string> left = {};  // the controls for which it is worth a walk; empty: all
};

/// What the walk has found, in memory that this process shares with those that go on from it. They take turns.
struct Found {
    std::pmr::monotonic_buffer_resource memory;
    std::pmr::vector<Situation> open{&memory};
    std::pmr::set<std::pmr::string, std::less<>> reached{&memory};
    std::pmr::map<std::pmr::string, int, std::less<>> uses{&memory};  // by what stands before the colon of a name
    size_t used = 0;
    Asked asked;
    Effect effect;                   // the last one
    std::pmr::string seen{&memory};  // after it

    static Found& make() {
        constexpr size_t kBytes = 64 << 20;
        void* const at =
            mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED) throw std::bad_alloc();
        return *new (at) Found(kBytes);
    }

  private:
    explicit Found(size_t bytes) : memory(this + 1, bytes - sizeof(Found), std::pmr::null_memory_resource()) {}
};

/// Goes through situations, and through those that come up on the way.
class Walker {
  public:
    void walk(Situation from) {
        found_.open.push_back(std::move(from));
        while (!found_.open.empty()) {
            const Situation next = std::move(found_.open.back());
            found_.open.pop_back();
            walk_one(next);
        }
    }
    void run_commands();
    /// What else asks for something: a command that has done something else before, an entry of the palette.
    void strike_in(const Scene& scene, std::string_view keys) {
        enter({&scene});
        note_effect([&] { strike(*parse_chord(keys)); });
    }
    void run_in(const Scene& scene, std::string_view typed) {
        enter({&scene});
        note_effect([&] { driver_->run_command(model_, typed); });
    }

    const Found& found() const { return found_; }

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

    /// In a process that goes on from here: in this one the window stays as it is.
    void aside(const std::function<void()>& what) const {
        fflush(nullptr);  // or both would write what this one has in its buffers
        const bool has_failed = testing::Test::HasFailure();
        const pid_t child = fork();
        ASSERT_NE(child, -1);
        if (child == 0) {
            [&]() noexcept { what(); }();
            fflush(nullptr);
            _exit(testing::Test::HasFailure() && !has_failed ? 1 : 0);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0) << "of a process that went on from here";
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
            if (const std::string name = name_of(at, w); !is_reached(name)) names.insert(name);
        return names;
    }
    bool is_reached(std::string_view name) const { return found_.reached.contains(name); }

    // Going
    // --------------------------------------------------------------------------------------------------------------
    void walk_one(const Situation& start) {
        if (!start.left.empty() && std::ranges::all_of(start.left, [&](const auto& name) { return is_reached(name); }))
            return;
        enter(start);
        std::set<std::string> left = unreached(start);
        const bool is_window = Look(*driver_).layer == 0;
        const auto go = [&](size_t areas, ImGuiKey along, bool in_area) {
            if (left.empty()) return;
            aside([&] {
                Situation from = start;
                for (size_t k = 0; k < areas; ++k) {
                    from.keys.push_back({is_window ? ImGuiKey_F6 : ImGuiKey_Tab});
                    tap(from.keys.back());
                }
                draw(2);
                go_through(from, along, in_area, left);
            });
            drop_reached(left);
        };
        for (const ImGuiKey along : {ImGuiKey_RightArrow, ImGuiKey_DownArrow})
            for (size_t areas = 1; areas <= (is_window ? kWindowAreas : 1); ++areas) go(areas, along, true);
        for (const ImGuiKey along : {ImGuiKey_UpArrow, ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_DownArrow})
            go(1, along, false);  // what stands before where F6 leads
        for (const std::string& name : left) ADD_FAILURE() << start.scene->name << ": no key goes to " << name;
    }
    void drop_reached(std::set<std::string>& left) const {
        std::erase_if(left, [&](const std::string& name) { return is_reached(name); });
    }

    /// With an arrow, and with Tab where that leads no further, until the keyboard leaves the area or has gone round.
    void go_through(Situation& now, ImGuiKey along, bool in_area, std::set<std::string>& left) {
        const auto go = [&](ImGuiKey key, bool shift) {
            now.keys.push_back({key, shift});
            tap(now.keys.back());
            draw(1);
        };
        const std::string here = area();
        std::set<std::string> seen;
        for (std::string at = stop(); !at.empty() && seen.insert(at).second; at = stop()) {
            if (in_area && area() != here) return;
            visit(now);
            drop_reached(left);
            if (left.empty()) return;
            go(along, false);
            if (stop() != at) continue;
            now.keys.pop_back();
            go(ImGuiKey_Tab, along == ImGuiKey_UpArrow || along == ImGuiKey_LeftArrow);
        }
    }

    void visit(const Situation& now) {
        bool is_new = false;
        const std::vector<Widget> here = in_ring();
        for (const Widget& w : here)
            is_new = found_.reached.emplace(std::string_view(name_of(now, w))).second || is_new;
        const auto whole = std::ranges::max_element(here, {}, [](const Widget& w) { return w.width * w.height; });
        if (is_new && is_worth_a_use(now, *whole)) use(now, *whole);
    }

    // Using
    // --------------------------------------------------------------------------------------------------------------
    /// Rows of a list and cells of a table are drawn by one piece of code: a few stand for all. Buttons are not.
    bool is_worth_a_use(const Situation& at, const Widget& w) {
        constexpr int kFew = 3;
        const std::string name = name_of(at, w);
        const std::string_view kind = std::string_view(name).substr(0, name.find(':', w.panel.size() + 1));
        return w.label.starts_with("button:") || found_.uses.emplace(kind, 0).first->second++ < kFew;
    }

    /// With keys until they have done all that a click does.
    void use(const Situation& now, const Widget& w) {
        constexpr ImGuiKey kOthers[] = {ImGuiKey_RightArrow, ImGuiKey_LeftArrow, ImGuiKey_DownArrow, ImGuiKey_UpArrow,
                                        ImGuiKey_Home,       ImGuiKey_End,       ImGuiKey_PageDown};
        std::vector<Effect> effects = {press(now, {ImGuiKey_Enter})};
        press(now, {ImGuiKey_F10, true});
        if (in_ring().size() > 1) use_last();
        if (ImGui::GetIO().WantTextInput && effects[0].asked.none() && !effects[0].layer) effects.push_back(type());
        const Effect clicked = click(w);
        const auto is_covered = [&] {
            return clicked.is_none() ||
                   std::ranges::any_of(effects, [&](const Effect& effect) { return effect.covers(clicked); });
        };
        for (const ImGuiKey key : kOthers)
            if (!is_covered()) effects.push_back(press(now, {key}));
        EXPECT_TRUE(is_covered()) << now.scene->name << ": a click does more than keys on " << name_of(now, w);
        const bool is_used = std::ranges::any_of(effects, [](const Effect& effect) { return !effect.is_none(); });
        // Other controls are of use when they show something else; "Pick" waits for a click in the view.
        EXPECT_TRUE(is_used || !clicked.is_none() || !w.label.starts_with("button:") || w.label == "button:Pick")
            << now.scene->name << ": neither keys nor a click do anything on " << name_of(now, w);
        if (is_used) ++found_.used;
    }

    /// What comes up is walked through, too.
    Effect press(const Situation& now, Tap key) {
        aside([&] {
            note_effect([&] {
                tap(key);
                draw(1);
            });
            if (!found_.effect.changes_state()) return;
            const std::set<std::string> left = unreached(now);
            if (left.empty()) return;
            found_.open.push_back({now.scene, std::pmr::vector<Tap>(now.keys, &found_.memory), now.command,
                                   std::pmr::vector<std::pmr::string>(left.begin(), left.end(), &found_.memory)});
            found_.open.back().keys.push_back(key);
        });
        return found_.effect;
    }
    /// Into a field that has the keyboard.
    Effect type() {
        aside([&] {
            note_effect([&] {
                driver_->type("7");
                draw(2);
                tap({ImGuiKey_Enter});
            });
        });
        return found_.effect;
    }
    /// Of a list with a cursor: folders come first in those of files.
    void use_last() {
        aside([&] {
            note_effect([&] {
                tap({ImGuiKey_End});
                tap({ImGuiKey_Enter});
                draw(1);
            });
        });
    }
    void note_effect(const std::function<void()>& act) {
        const Look before(*driver_);
        driver_->actions().clear();
        act();
        const Look after(*driver_);
        found_.effect = Effect(before, after, driver_->actions());
        found_.asked |= found_.effect.asked;
        found_.seen = after.text();
    }
    /// Not by keys: what it asks for does not count.
    Effect click(const Widget& w) {
        aside([&] {
            driver_->move_to(w.x + w.width / 2, w.y + w.height / 2);
            draw(2);
            const Asked asked = found_.asked;
            note_effect([&] {
                driver_->press(0, true);
                draw(1);
                driver_->press(0, false);
                draw(2);
            });
            found_.asked = asked;
        });
        return found_.effect;
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
    /// Whether it does here what nothing but the command does.
    bool has_effect(const Command& command) {
        aside([&] { note_effect([&] { run(command); }); });
        const Effect effect = found_.effect;
        if (effect.asked.any() || effect.layer || effect.settings || effect.view || effect.clipboard) return true;
        if (!effect.widgets && !effect.focus) return false;
        const std::string acted(found_.seen);
        aside([&] {
            command.keys.empty() ? run_from_palette(command, ImGuiKey_Escape) : draw(4);
            found_.seen = Look(*driver_).text();
        });
        return acted != std::string_view(found_.seen);
    }

    std::unique_ptr<Driver> driver_;
    Model model_;
    Found& found_ = Found::make();
};

/// Each, by its keys or else from the palette, until it does something in a scene. What opens is walked through.
void Walker::run_commands() {
    std::set<std::string_view> idle;
    for (const Command& command : commands()) idle.insert(command.id);
    for (const Scene& scene : scenes()) {
        enter({&scene});
        if (Look(*driver_).layer > 0) continue;
        for (const Command& command : commands()) {
            if (!idle.contains(command.id) || !driver_->interface().can_run(command.id) || !has_effect(command))
                continue;
            idle.erase(command.id);
            aside([&] { walk({&scene, {}, &command}); });
        }
    }
    for (const std::string_view id : idle) ADD_FAILURE() << id << " does nothing in any scene";
}

TEST(Reach, AWalkByKeysUsesEverything) {
    Walker walker;
    for (const Scene& s : scenes()) walker.walk({&s});
    walker.run_commands();
    const Found& found = walker.found();
    EXPECT_GT(found.reached.size(), 900U) << "controls, those of dialogs and menus counted in each";
    EXPECT_GT(found.used, 250U);
    walker.strike_in(scene("pinned"), "P");
    walker.run_in(scene("sweep"), "Experiment:");
    for (size_t kind = 0; kind < found.asked.size(); ++kind)
        EXPECT_TRUE(found.asked[kind] || !all_that_is_asked()[kind]) << "no key asks for the action " << kind;
}

}  // namespace
}  // namespace tonescope::ui
