"""End-to-end tests of how the window looks: scale, theme, presentation."""

import json
import os
import sys
import unittest

from Xlib import Xatom
from Xlib.display import Display as XDisplay
from Xlib.ext import randr

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BACKEND, BINARY, Display, FolderTest, Window, main, wait_until  # noqa: E402


class Appearance(FolderTest):
    def height(self, state):
        return next((w["rect"][3] for w in state["widgets"] if w["label"] == "Operator"), 0)

    def wait_scale(self, window, at_1, scale):
        """Of a widget that is at_1 pixels high at 100 %."""
        state = window.wait(lambda s: abs(self.height(s) - at_1 * scale) <= 1, f"the scale {scale}")
        window.rest()
        return state

    def wait_pixel(self, window, x, y, accept, what):
        wait_until(lambda: accept(window.pixels(x, y, 1, 1)[0][0]), f"{what} at {x}, {y}")

    def set_resources(self, text):
        """The server's, where desktops say how many dots an inch has."""
        x = self.kept.x
        root = x.screen().root
        if text:
            root.change_property(Xatom.RESOURCE_MANAGER, Xatom.STRING, 8, text.encode())
        else:
            root.delete_property(Xatom.RESOURCE_MANAGER)
        x.sync()

    @unittest.skipIf(os.environ.get("TONESCOPE_E2E_DISPLAY"), "changes a display that is not its own")
    def test_the_display_gives_the_first_scale(self):
        self.kept = self.open(self.image)
        self.kept.settle()
        at_1 = self.height(self.kept.state())
        self.addCleanup(self.set_resources, "")
        for dpi in (192, 144):
            self.set_resources(f"Xft.dpi:\t{dpi}\n")
            window = self.open(self.image)
            window.settle()
            self.wait_scale(window, at_1, dpi / 96)
            window.close()

    def test_the_scale_is_chosen_and_changes_at_once(self):
        window = self.open(self.image, size="1500x950")
        window.settle()
        at_1 = self.height(window.state())
        tall = window.widget("mode:wipe")[3]
        for scale in (0.75, 3, 1):
            window.key("F10")
            window.click("Interface size")
            window.click(f"Interface size:{scale * 100:.0f} %")
            window.wait(lambda s, scale=scale: any(w["label"] == "mode:wipe" and abs(w["rect"][3] - tall * scale) <= 1
                                                   for w in s["widgets"]), f"the scale {scale}")
            window.key("Escape")
            window.rest()
        window.key("Up", "Control_L", "Shift_L")
        self.wait_scale(window, at_1, 1.25)
        for _ in range(2):
            window.key("Down", "Control_L", "Shift_L")
        self.wait_scale(window, at_1, 0.75)
        window.key("F10")
        window.click("Interface size")
        window.click("Interface size:Automatic")
        self.wait_scale(window, at_1, 1)

    def test_a_window_of_a_pixel_at_every_scale(self):
        window = self.open(self.image, size="1500x950", drawn=True)
        window.settle()
        window.move(3, 3)

        def resize(width, height):
            window.window.configure(width=width, height=height)
            window.x.sync()
            window.wait(lambda s: (s["window"]["width"], s["window"]["height"]) == (width, height), f"the size {width}x{height}")
            window.rest()

        def look():
            labels = ("mode:wipe", "view:before", "view:after")
            return {label: window.widget(label) for label in labels}, [self.view_pixels(window, view) for view in labels[1:]]

        heights = []
        for k in range(8):
            window.key("Down" if k == 0 else "Up", "Control_L", "Shift_L")
            window.rest()
            before = look()
            for size in ((1, 1), (1, 700), (1100, 1), (1, 1)):
                resize(*size)
            resize(1500, 950)
            wait_until(lambda before=before: look() == before, "the same picture as before")
            heights.append(before[0]["mode:wipe"][3])
        self.assertAlmostEqual(heights[-1], 4 * heights[0], delta=4)  # from 75 to 300 %

    @unittest.skipIf(os.environ.get("TONESCOPE_E2E_DISPLAY"), "changes a display that is not its own")
    def test_a_display_without_monitors(self):
        display = Display()
        self.addCleanup(display.close)
        screen = XDisplay(display.name)
        self.addCleanup(screen.close)
        resources = screen.screen().root.xrandr_get_screen_resources()
        for crtc in resources.crtcs:
            screen.xrandr_set_crtc_config(crtc, resources.config_timestamp, 0, 0, 0, randr.Rotate_0, [])
        window = Window(BINARY, display, "--backend", BACKEND, self.image, env=self.env)
        self.addCleanup(window.close)
        window.settle()
        size = window.state()["window"]
        window.key("F11")  # there is no screen to fill
        window.key("Down", "Control_L", "Shift_L")
        window.rest()
        self.assertEqual(window.state()["window"], size)
        self.quit(window)
        with open(self.state_file(), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["window"]["width"], size["width"])
        again = Window(BINARY, display, "--backend", BACKEND, self.image, env=self.env)
        self.addCleanup(again.close)
        again.settle()

    def test_theme(self):
        window = self.open(self.image, drawn=True)
        window.settle()
        window.move(700, 400)
        self.wait_pixel(window, 6, 500, lambda p: max(p) < 60, "the dark panel")
        window.key("F10")
        window.click("Theme:light")
        window.key("Escape")  # what lies behind the settings is dimmed
        self.wait_pixel(window, 6, 500, lambda p: min(p) > 200, "the light panel")
        window.key("F10")
        window.click("Theme:dark")
        window.key("Escape")
        self.wait_pixel(window, 6, 500, lambda p: max(p) < 60, "the dark panel again")

    def test_presentation(self):
        window = self.open(self.image, drawn=True)
        window.settle()
        tall = window.widget("mode:wipe")[3]
        window.key("F9")
        window.wait(lambda s: not any(w["label"] == "Operator" for w in s["widgets"]) and
                    any(w["label"] == "mode:wipe" and w["rect"][3] > 1.3 * tall for w in s["widgets"]), "no panels, larger type")
        x, y, w, h = window.widget("view:before")
        at_x, at_y = int(x + w * 0.02), int(y + h / 2)  # beside the image
        window.move(at_x, at_y)
        radius = round(18 * 1.4)
        for dx, dy in ((radius, 0), (0, radius), (0, -radius)):
            self.wait_pixel(window, at_x + dx, at_y + dy, lambda p: p[0] > 180 and p[1] > 150 and p[2] < 110, "the ring")
        # Operator, variant, parameters and time are legible; a slider comes up and is dragged without the panels.
        values = {w["label"]: w["value"] for w in window.state()["widgets"] if w["label"].startswith("presented:")}
        self.assertEqual(values["presented:operator"], "CLAHE")
        self.assertRegex(values["presented:time"], "^[0-9.]+ m?s$")
        self.assertTrue(values["presented:variant"])
        window.click("presented:Clip limit")
        before = window.state()["document"]["parameters"]["clip_limit"]
        window.click("Clip limit", fraction=0.9)
        window.wait(lambda s: s["document"]["parameters"]["clip_limit"] > before, "the dragged limit")
        self.assertFalse(window.has_widget("Operator"))
        # Tab brings the panels, and the presentation goes on; what is explained is not covered.
        window.move(at_x, at_y)
        window.key("Tab")
        window.widget("Operator")
        self.assertGreater(window.widget("mode:wipe")[3], 1.3 * tall)
        window.key("Tab")
        window.wait(lambda s: not any(w["label"] == "Operator" for w in s["widgets"]), "no panels")
        window.click("explain")
        window.move(*window.center("view:after"))
        card = window.widget("explanation:pixel")
        self.assertGreaterEqual(card[0], max(v[0] + v[2] for v in (window.widget("view:before"), window.widget("view:after"))))
        window.move(at_x, at_y)
        window.key("Escape")
        window.widget("Operator")
        self.wait_pixel(window, at_x, at_y + radius, lambda p: max(p) - min(p) < 40, "no ring")


if __name__ == "__main__":
    main()
