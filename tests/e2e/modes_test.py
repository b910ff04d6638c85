"""End-to-end tests of the view modes, the difference and what lies over the views."""

import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BINARY, TWO_HEIGHT, TWO_WIDTH, WindowTest, asset, colorful, main, wait_until  # noqa: E402
from image_files import read_ppm, write_ppm  # noqa: E402


class ViewModes(WindowTest):
    drawn = True

    def mode(self, window, mode):
        window.widget("mode:" + mode)
        names = [w["label"] for w in window.state()["widgets"] if w["label"].startswith("mode:")]
        window.key(str(1 + names.index("mode:" + mode)))
        return window.wait(lambda s: s["view"]["mode"] == mode, mode)

    def color(self, window, view, fraction_x, fraction_y=0.3):
        """Of the image point at a share of the image, in a view."""
        x, y, w, h = window.widget(view)
        state = window.state()["view"]
        at_x = x + w / 2 + (fraction_x * TWO_WIDTH - state["center"][0]) * state["zoom"]
        at_y = y + h / 2 + (fraction_y * TWO_HEIGHT - state["center"][1]) * state["zoom"]
        return window.pixels(at_x, at_y, 1, 1)[0][0]

    def wait_color(self, window, view, fraction_x, wanted, fraction_y=0.3):
        def shows():
            shown = self.color(window, view, fraction_x, fraction_y)
            return all(abs(a - b) <= 1 for a, b in zip(shown, wanted))  # GPUs round differently
        wait_until(shows, f"{wanted} in {view} at {fraction_x}")

    def test_the_original_shows_while_its_key_is_held(self):
        window = self.open_two_values()
        self.mode(window, "single")
        self.wait_color(window, "view:after", 0.25, (0, 0, 0))
        self.wait_color(window, "view:after", 0.75, (255, 255, 255))
        for key in ("b", "backslash"):
            window.hold(key, True)
            self.wait_color(window, "view:after", 0.25, (100, 100, 100))
            window.hold(key, False)
            self.wait_color(window, "view:after", 0.25, (0, 0, 0))

    def test_the_wipe_line_is_dragged_turned_and_swapped(self):
        window = self.open_two_values()
        self.mode(window, "wipe")
        self.wait_color(window, "view:wipe", 0.25, (100, 100, 100))
        self.wait_color(window, "view:wipe", 0.75, (255, 255, 255))
        x, y, w, h = window.widget("view:wipe")
        line = window.center("wipe:line")
        window.drag((line[0], y + h * 0.2), (x + w * 0.04, y + h * 0.2))
        window.wait(lambda s: abs(window.center("wipe:line")[0] - (x + w * 0.04)) < 3, "the moved line")
        window.move(3, 3)
        self.wait_color(window, "view:wipe", 0.25, (0, 0, 0))
        window.drag(window.center("wipe:line"), (x + w / 2, y + h / 2))
        window.key("x")
        window.move(3, 3)
        self.wait_color(window, "view:wipe", 0.25, (0, 0, 0))
        self.wait_color(window, "view:wipe", 0.75, (120, 120, 120))
        window.key("x")
        turn, line = window.center("wipe:turn"), window.center("wipe:line")
        far = math.hypot(turn[0] - line[0], turn[1] - line[1])
        window.drag(turn, (line[0] + far, line[1]))
        self.wait_value(window, "view:wipe", lambda v: v == "0", "a horizontal line")
        window.move(3, 3)
        self.wait_color(window, "view:wipe", 0.25, (100, 100, 100), 0.2)
        self.wait_color(window, "view:wipe", 0.25, (0, 0, 0), 0.9)
        window.key("r")
        self.wait_value(window, "view:wipe", lambda v: v == "45", "a slanted line")

    def test_flicker_changes_by_itself_and_pauses(self):
        window = self.open_two_values()
        self.mode(window, "flicker")
        for _ in range(2):
            self.wait_value(window, "view:flicker", lambda v: v == "before", "before")
            self.wait_value(window, "view:flicker", lambda v: v == "after", "after")
        window.key("space")
        window.wait(lambda s: s["resting"], "a window that draws nothing more")
        shown = self.value(window, "view:flicker")
        self.wait_color(window, "view:flicker", 0.25, (100, 100, 100) if shown == "before" else (0, 0, 0))
        window.drag(window.center("flicker:interval", 0.5), window.center("flicker:interval", 0.97))
        self.wait_value(window, "flicker:interval", lambda v: v == "2.00 s", "the longest interval")

    def test_the_difference_and_its_numbers(self):
        window = self.open_two_values()
        self.mode(window, "difference")  # -100 and +135: the larger one fills the range
        self.wait_value(window, "difference:legend", lambda v: v == "\u2013135 to +135", "the scale")
        self.wait_color(window, "view:difference", 0.25, (33, 33, 33))
        self.wait_color(window, "view:difference", 0.75, (255, 255, 255))
        window.key("a")
        self.wait_color(window, "view:difference", 0.25, (189, 189, 189))
        window.key("bracketleft")  # by hand
        self.wait_value(window, "difference:gain", lambda v: v.endswith("1.41"), "the gain")
        self.wait_color(window, "view:difference", 0.25, (141, 141, 141))
        window.click("difference:false color")
        window.move(3, 3)
        wait_until(lambda: len(set(self.color(window, "view:difference", 0.25))) > 1, "a color")
        window.key("backslash")  # pressed and released: nothing lasts
        self.wait_value(window, "difference:ssim", lambda v: v != "", "the statistics")
        self.assertEqual(self.value(window, "difference:changed"), "100.00 %")
        self.assertEqual(self.value(window, "difference:mean_difference"), "117.50 levels")
        self.assertEqual(self.value(window, "difference:largest_difference"), "135 levels")
        self.assertEqual(self.value(window, "difference:psnr"), f"{10 * math.log10(255**2 / ((100**2 + 135**2) / 2)):.2f} dB")

    def test_statistics_follow_the_parameters(self):
        window = self.open(asset("fog.png"), drawn=False)
        window.settle()
        self.mode(window, "difference")
        first = self.wait_value(window, "difference:mean_difference", lambda v: v != "", "the statistics")
        window.drag(window.center("Clip limit", 0.3), window.center("Clip limit", 0.9))
        self.wait_value(window, "difference:mean_difference", lambda v: v not in ("", first), "new statistics")

    def test_a_pinned_result_is_compared_with(self):
        window = self.open(asset("fog.png"), "--set", "clip_limit=2", drawn=False)
        window.settle()
        self.mode(window, "difference")
        first = self.wait_value(window, "difference:mean_difference", lambda v: v != "", "the statistics")
        window.key("p")
        state = window.wait(lambda s: s["compared_with"], "the pinned result")
        self.assertRegex(state["compared_with"], "CLAHE, Clip limit 2.00 .*, fog.png")
        self.wait_value(window, "difference:changed", lambda v: v == "0.00 %", "no difference to itself")
        self.assertEqual(self.value(window, "difference:psnr"), "\u221e dB")
        window.drag(window.center("Clip limit", 0.3), window.center("Clip limit", 0.6))
        self.wait_value(window, "difference:mean_difference", lambda v: v not in ("", "0.00 levels"), "a difference to the pinned result")
        window.click("pin")
        window.wait(lambda s: not s["compared_with"], "the image again")
        self.wait_value(window, "difference:mean_difference", lambda v: v not in ("", "0.00 levels", first), "a difference to the image")

    def test_a_file_is_the_reference(self):
        window = self.open_two_values()
        other = os.path.join(window.folder.name, "theirs.ppm")
        write_ppm(other, TWO_WIDTH, TWO_HEIGHT, lambda x, y: (40, 50, 60))
        for wrong, says in ((asset("fog.png"), "only images of the same size"),
                            (os.path.join(window.folder.name, "no.ppm"), "no.ppm:")):
            window.drop(wrong, at=window.center("view:before"))
            window.notice(says)
            self.assertEqual(window.state()["compared_with"], "")
        self.assertFalse([n for n in window.state()["recent_notices"] if "Comparing with" in n["text"]], "told of what failed")
        window.drop(other, at=window.center("view:before"))
        window.wait(lambda s: s["compared_with"].startswith("theirs.ppm"), "the reference")
        window.notice("Comparing with theirs.ppm")
        self.assertEqual(len(window.state()["document"]["images"]), 1, "it is not opened")
        self.wait_color(window, "view:before", 0.5, (40, 50, 60))
        self.mode(window, "difference")
        self.wait_value(window, "difference:largest_difference", lambda v: v == "215 levels", "white beside 40")
        window.key("p")
        window.wait(lambda s: not s["compared_with"], "the image again")
        self.wait_value(window, "difference:largest_difference", lambda v: v == "135 levels", "the difference to the image")

    def test_two_operators_against_each_other(self):
        window = self.open_two_values()
        window.key("p")
        pinned = "Histogram equalization, default values, two.ppm"
        window.wait(lambda s: s["compared_with"].startswith(pinned), "the pinned result")
        self.run_command(window, "op clahe", "Operator: CLAHE")
        window.wait(lambda s: s["document"]["operator"] == "clahe" and s["up_to_date"] and not s["busy"], "CLAHE")
        self.assertTrue(window.state()["compared_with"].startswith(pinned))
        window.move(3, 3)
        self.mode(window, "wipe")  # the sides say what they are
        self.assertTrue(self.value(window, "wipe:first").startswith("Pinned: " + pinned), self.value(window, "wipe:first"))
        self.assertTrue(self.value(window, "wipe:second").startswith("After: CLAHE, "), self.value(window, "wipe:second"))
        self.mode(window, "side-by-side")
        self.assertTrue(self.value(window, "caption:Pinned").startswith(pinned))
        self.assertRegex(self.value(window, "caption:After"), "^CLAHE, default values, .*, [0-9.]+ ms$")
        self.wait_color(window, "view:before", 0.1, (0, 0, 0))
        self.wait_color(window, "view:before", 0.9, (255, 255, 255))
        after = [self.color(window, "view:after", at)[0] for at in (0.1, 0.9)]
        self.assertTrue(0 < after[0] < after[1] < 255, after)
        self.mode(window, "difference")
        self.wait_value(window, "difference:changed", lambda v: v == "100.00 %", "the changed pixels")
        self.assertGreaterEqual(int(self.value(window, "difference:largest_difference").split()[0]), max(after[0], 255 - after[1]))
        window.key("p")
        window.wait(lambda s: not s["compared_with"], "the image again")
        self.mode(window, "side-by-side")
        self.wait_color(window, "view:before", 0.1, (100, 100, 100))

    def test_two_open_images_against_each_other_and_a_pin_that_comes_back(self):
        window = self.open_two_values()
        other, large = (os.path.join(window.folder.name, name) for name in ("other.ppm", "large.ppm"))
        write_ppm(other, TWO_WIDTH, TWO_HEIGHT, lambda x, _: (90,) * 3 if x < TWO_WIDTH // 2 else (150,) * 3)
        write_ppm(large, TWO_WIDTH + 1, TWO_HEIGHT, lambda x, _: (90,) * 3)
        window.key("p")
        window.wait(lambda s: "two.ppm" in s["compared_with"], "the pinned result")
        window.drop(other)
        window.wait(lambda s: s["document"]["image"] == other and not s["compared_with"], "another image, without a pin")
        window.settle()
        window.move(3, 3)
        # By the palette against the first image, and by its menu in the list against what the filter makes of it.
        self.run_command(window, "compare with: two", "Compare with: two.ppm")
        window.wait(lambda s: s["compared_with"].startswith("two.ppm"), "the other image")
        self.mode(window, "side-by-side")
        self.wait_color(window, "view:before", 0.1, (100, 100, 100))
        self.mode(window, "difference")  # 0 and 255 less 100 and 120
        self.wait_value(window, "difference:largest_difference", lambda v: v == "135 levels", "the difference of two images")
        window.click("image:two.ppm", button=3)
        window.click("menu:Compare with its result")
        window.wait(lambda s: s["compared_with"].startswith("Histogram equalization"), "the other image's result")
        self.wait_value(window, "difference:changed", lambda v: v == "0.00 %", "results that are the same")
        window.drop(large)
        window.wait(lambda s: s["document"]["image"] == large and not s["compared_with"], "a larger image")
        window.settle()
        self.run_command(window, "compare with: two", "Compare with: two.ppm")
        self.assertIn("only images of the same size", window.notice("two.ppm is 120"))
        # The pin has stayed with its image.
        window.click("image:two.ppm")
        window.wait(lambda s: s["document"]["image"].endswith("two.ppm") and s["compared_with"].startswith("Histogram"),
                    "the pin again")
        window.click("image:other.ppm")
        window.wait(lambda s: s["document"]["image"] == other and s["compared_with"].startswith("Histogram"), "its other image")

    def test_the_numbers_are_the_pixels(self):
        window = self.open("--op", "he")
        image = os.path.join(window.folder.name, "colors.ppm")
        write_ppm(image, 160, 120, colorful)
        window.drop(image)
        window.settle()
        self.mode(window, "side-by-side")
        after = os.path.join(window.folder.name, "after.ppm")
        subprocess.run([BINARY, "--headless", "--op", "he", "-i", image, "-o", after], check=True, timeout=60, stdout=subprocess.DEVNULL)
        x, y, w, h = window.widget("view:before")
        window.wheel(x + w / 2, y + h / 2, 14)
        window.drag((x + w / 2, y + h / 2), (x + w / 2 - 90, y + h / 2 - 50))
        rows = read_ppm(after)
        numbers = window.wait(lambda s: s.get("numbers") and s["numbers"]["after"]["values"], "the numbers")["numbers"]
        for side, expected in (("before", colorful), ("after", lambda x, y: rows[y][x])):
            region = numbers[side]["region"]
            places = [(region["x"] + k % region["width"], region["y"] + k // region["width"]) for k in range(len(numbers[side]["values"]))]
            self.assertEqual(len(places), region["width"] * region["height"])
            self.assertEqual(numbers[side]["values"], [list(expected(*at)) for at in places], side)

    def test_numbers_minimap_and_loupe(self):
        window = self.open_two_values()
        self.mode(window, "single")
        self.assertFalse(window.has_widget("minimap"))
        x, y, w, h = window.widget("view:after")
        plain = {p for row in window.pixels(x + w * 0.3, y + h * 0.3, 60, 60) for p in row}
        self.assertLessEqual(len(plain), 2)
        window.wheel(x + w / 2, y + h / 2, 15)
        window.wait(lambda s: s["view"]["zoom"] == 128, "the largest zoom")
        window.move(3, 3)
        wait_until(lambda: len({p for row in window.pixels(x + w * 0.3, y + h * 0.3, 200, 200) for p in row}) > 8,
                   "values in the pixels")
        mx, my, mw, mh = window.widget("minimap")
        window.click_at(mx + mw * 0.25, my + mh * 0.5)
        window.wait(lambda s: abs(s["view"]["center"][0] - TWO_WIDTH * 0.25) < 3, "the view at the click")
        window.key("f")
        window.wait(lambda s: not any(v["label"] == "minimap" for v in s["widgets"]), "the whole image")
        window.move(x + w * 0.5, y + h * 0.4)
        window.hold("l", True)
        window.wait(lambda s: {"loupe:before", "loupe:after"} <= {v["label"] for v in s["widgets"]}, "the loupe")
        lx, ly, lw, lh = window.widget("loupe:before")
        window.wait(lambda s: window.pixels(lx + lw * 0.3, ly + lh * 0.5, 1, 1)[0][0] == (100, 100, 100), "before")
        window.hold("l", False)
        window.wait(lambda s: not any(v["label"] == "loupe:after" for v in s["widgets"]), "no loupe")


if __name__ == "__main__":
    main()
