"""End-to-end tests of keys: on other layouts than the US one, and over the views while a panel has the keyboard."""

import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import WindowTest, asset, main  # noqa: E402


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
                gain = self.value(window, "difference:gain")
                window.key("bracketright", "AltGr")
                more = self.wait_value(window, "difference:gain", lambda v: v != gain, "more gain")
                window.key("bracketleft", "AltGr")
                self.wait_value(window, "difference:gain", lambda v: v == gain and v != more, "less gain")
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


if __name__ == "__main__":
    main()
