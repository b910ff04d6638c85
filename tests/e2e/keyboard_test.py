"""End-to-end tests of keys: on other layouts than the US one, and a whole task without a mouse."""

import json
import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import FolderTest, WindowTest, asset, main  # noqa: E402


def clip_limit(state):
    return state["document"]["parameters"]["clip_limit"]


class Keyboard(WindowTest):
    def drag_the_slider(self, window):
        """Returns the values before and after."""
        old = clip_limit(window.settle())
        window.drag(window.center("Clip limit", 0.3), window.center("Clip limit", 0.9))
        window.wait(lambda s: clip_limit(s) > old + 1, "a higher clip limit")
        return old, clip_limit(window.settle())


@unittest.skipIf(os.environ.get("TONESCOPE_E2E_DISPLAY"), "changes the keyboard of a display that is not its own")
@unittest.skipUnless(shutil.which("setxkbmap"), "needs setxkbmap")
class Layouts(Keyboard):
    def open_on(self, layout):
        window = self.open(asset("balloons.jpg"))
        window.settle()
        window.use_layout(layout)
        return window

    def test_undo_and_redo_follow_the_letters(self):
        for layout in ("de", "fr", "us"):
            with self.subTest(layout):
                window = self.open_on(layout)
                old, new = self.drag_the_slider(window)
                window.key("z", "Control_L")
                window.wait(lambda s: clip_limit(s) == old, "undo")
                window.key("y", "Control_L")
                window.wait(lambda s: clip_limit(s) == new, "redo")
                window.key("a", "Control_L")
                self.assertEqual(window.settle()["document"]["image"], asset("balloons.jpg"))
                window.close()

    def test_the_layout_that_the_display_had_before(self):
        self.open_on("de").close()
        window = self.open(asset("balloons.jpg"))
        old, new = self.drag_the_slider(window)
        window.key("z", "Control_L")
        window.wait(lambda s: clip_limit(s) == old, "undo")
        window.key("y", "Control_L")
        window.wait(lambda s: clip_limit(s) == new, "redo")

    def test_digits_and_punctuation(self):
        for layout in ("de", "fr"):
            with self.subTest(layout):
                window = self.open_on(layout)
                window.key("6")
                window.wait(lambda s: s["view"]["mode"] == "difference", "the difference")
                window.key("d")  # else the gain changes by itself, and it need not be a step
                self.wait_value(window, "view:difference", lambda v: "automatic" not in v, "a gain that stays")
                gain = self.value(window, "difference:gain")
                window.key("bracketright", "AltGr")
                self.wait_value(window, "difference:gain", lambda v: v != gain, "more gain")
                more = self.value(window, "difference:gain")
                window.key("bracketleft", "AltGr")
                self.wait_value(window, "difference:gain", lambda v: v != more, "less gain")
                window.key("bracketright", "AltGr")
                self.wait_value(window, "difference:gain", lambda v: v == more, "more gain again")
                window.hold("AltGr", True)
                window.hold("backslash", True)
                self.wait_value(window, "view:difference", lambda v: v == "original", "the original")
                window.hold("AltGr", False)
                window.hold("backslash", False)
                self.wait_value(window, "view:difference", lambda v: v != "original", "the difference")
                window.close()


class Reach(Keyboard):
    def test_chords_that_are_faster_than_a_frame(self):
        window = self.open(asset("balloons.jpg"))
        window.settle()
        for _ in range(3):
            window.strike("p", "Control_L", "Shift_L")
            window.widget("Command")
            window.strike("Escape")
            window.wait(lambda s: not any(w["label"] == "Command" for w in s["widgets"]), "the palette to close")

    def test_what_a_field_held_before_is_not_undone_in_it(self):
        window = self.open(asset("balloons.jpg"))
        window.key("p", "Control_L", "Shift_L")
        window.widget("Command")
        window.type("operator kuwahara")
        window.key("Return")
        window.wait(lambda s: s["document"]["operator"] == "kuwahara", "the operator")
        window.key("p", "Control_L", "Shift_L")
        window.widget("Command")
        for _ in range(12):
            window.key("z", "Control_L")
        window.type("4")
        window.wait(lambda s: any(w["label"] == "Command" and w["value"] == "4" for w in s["widgets"]), "what was typed")


class WholeTask(FolderTest):
    """Opens an image, chooses operator and variant, tunes a slider, compares the variants, saves: by keys alone."""

    def focus(self, window):
        """Labels of what is inside the ring around the control that has the keyboard."""
        widgets = window.state()["widgets"]
        ring = next((w["rect"] for w in widgets if w["label"] == "focus"), None)
        if ring is None:
            return []
        def inside(r):
            return (r[0] >= ring[0] - 1 and r[1] >= ring[1] - 1 and r[0] + r[2] <= ring[0] + ring[2] + 1
                    and r[1] + r[3] <= ring[1] + ring[3] + 1)
        return [w["label"] for w in widgets if w["label"] != "focus" and inside(w["rect"])]

    def area(self, window):
        return self.value(window, "focus area")

    def tab_to(self, window, label, *modifiers):
        for _ in range(40):
            if label in self.focus(window):
                return
            window.key("Tab", *modifiers)
            self.assertTrue(self.focus(window), "the control that has the keyboard is marked")
        self.fail(f"Tab does not reach {label}")

    def do_the_task(self, size, scale):
        os.makedirs(os.path.dirname(self.state_file()), exist_ok=True)
        with open(self.state_file(), "w") as file:
            json.dump({"version": 1, "settings": {"scale": scale}}, file)
        window = self.open(size=size)
        window.key("o", "Control_L")
        window.widget("Filter")
        window.type(self.image)
        window.wait(lambda s: any(w["label"] == "Filter" and w["value"] == self.image for w in s["widgets"]), "the path")
        window.key("Return")
        self.assertEqual(window.settle()["document"]["image"], self.image)

        self.assertEqual(self.area(window), "view")
        window.key("F6")
        self.assertEqual(self.area(window), "left")
        self.tab_to(window, "Operator")
        window.type("cl")
        window.wait(lambda s: any(w["label"] == "Operator:CLAHE" for w in s["widgets"]), "the list")
        window.key("Return")
        window.wait(lambda s: s["document"]["operator"] == "clahe", "the operator")
        self.tab_to(window, "Variant")
        variant = window.settle()["document"]["variant"]
        window.key("space")
        window.wait(lambda s: any(w["label"].startswith("Variant:") for w in s["widgets"]), "the list")
        window.key("Home")
        window.key("Return")
        window.wait(lambda s: s["document"]["variant"] != variant, "the variant")
        self.tab_to(window, "Clip limit")
        before = clip_limit(window.settle())
        for _ in range(3):
            window.key("Right")
        window.key("Next", "Shift_L")
        window.wait(lambda s: abs(clip_limit(s) - before - 0.2) < 1e-6, "the clip limit")

        self.tab_to(window, "button:Compare variants", "Shift_L")
        window.key("Return")
        state = window.wait(lambda s: s.get("comparison") and not s["comparison"]["running"], "the comparison")
        self.assertTrue(state["comparison"])
        window.key("Escape")
        window.wait(lambda s: any(w["label"] == "view:after" for w in s["widgets"]), "the image")
        self.assertEqual(self.area(window), "view")

        window.key("s", "Control_L")
        window.widget("File name")
        window.key("a", "Control_L")
        window.type("k.png")
        window.key("Tab")
        self.tab_to(window, "button:Save")
        window.key("Return")
        window.notice("k.png")
        self.assertTrue(os.path.exists(self.path("k.png")))
        os.remove(self.path("k.png"))
        window.close()

    def test_in_a_usual_window(self):
        self.do_the_task("1280x720", 1)

    def test_in_the_smallest_window(self):
        self.do_the_task("640x400", 1)

    def test_twice_as_large(self):
        self.do_the_task("1280x720", 2)


if __name__ == "__main__":
    main()
