"""End-to-end tests of what explains: a pixel under the mouse, for every operator, and the source of a variant."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import PATIENCE_S, WindowTest, asset, colorful, main, write_ppm  # noqa: E402

WIDTH, HEIGHT = 120, 80
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def gray(x, y):
    return ((x * 5 + y * 3) % 200 + 20,) * 3


class HowItWorks(WindowTest):
    def open_drawn(self, op, *args, pixel=gray):
        window = self.open("--op", op, *args)
        path = os.path.join(window.folder.name, "drawn.ppm")
        write_ppm(path, WIDTH, HEIGHT, pixel)
        window.drop(path)
        window.settle()
        return window

    def hover(self, window, x, y, view="view:before"):
        """Points at an image pixel and waits until it is explained and its values are known."""
        left, top, w, h = window.widget(view)
        state = window.state()["view"]
        window.move(left + w / 2 + (x + 0.5 - state["center"][0]) * state["zoom"],
                    top + h / 2 + (y + 0.5 - state["center"][1]) * state["zoom"])
        return window.wait(lambda s: s.get("explanation", {}).get("pixel") == [x, y] and s.get("pixel", {}).get("after")
                           and (s["pixel"]["x"], s["pixel"]["y"]) == (x, y), f"pixel {x}, {y}")

    def check_result(self, state, channels):
        """What is explained is what the window shows there."""
        self.assertEqual(state["explanation"]["result"][:channels], state["pixel"]["after"][:channels])

    def turn_on(self, window):
        window.move(3, 3)
        window.key("e")
        window.wait(lambda s: "explanation" in s, "an explanation")

    def test_clahe_tiles_tables_and_weights(self):
        window = self.open_drawn("clahe", "--set", "tile_size=32")
        self.turn_on(window)
        for x, y in ((60, 40), (0, 0), (WIDTH - 1, HEIGHT - 1), (31, 32), (90, 3)):
            state = self.hover(window, x, y)
            self.check_result(state, 3)
            name, before, after = state["explanation"]["values"][0]
            self.assertEqual((name, before), ("Luma", state["pixel"]["before"][0]))
            self.assertEqual(self.value(window, "explanation:row blended"), f"100 % | {after}")
            self.assertEqual(state["explanation"]["plot_of"], f"tile {x // 32 + 1}, {y // 32 + 1} of 4 \u00d7 3")
        self.hover(window, 60, 40)  # u = 88, so x1 = 1 and wx = 24 of 64; u = 48, y1 = 0 and wy = 48
        self.assertEqual([self.value(window, f"explained:{k}") for k in range(1, 5)],
                         ["15.6 %", "9.4 %", "46.9 % strong", "28.1 %"])

    def test_a_click_keeps_the_tile_and_a_drag_pans(self):
        window = self.open_drawn("clahe", "--set", "tile_size=32")
        self.turn_on(window)
        self.hover(window, 70, 50)
        window.press()
        window.release()
        window.wait(lambda s: s["explanation"]["plot_of"].endswith(", kept"), "the kept tile")
        state = self.hover(window, 10, 10)
        self.assertEqual(state["explanation"]["plot_of"], "tile 3, 2 of 4 \u00d7 3, kept")
        self.check_result(state, 3)
        window.key("Escape")
        window.wait(lambda s: s["explanation"]["plot_of"] == "tile 1, 1 of 4 \u00d7 3", "the tile under the mouse")
        x, y = window.center("view:before")
        before = window.state()["view"]["center"]
        window.drag((x, y), (x - 60, y + 20))
        window.wait(lambda s: s["view"]["center"][0] > before[0], "the panned view")
        self.assertFalse(window.state()["explanation"]["plot_of"].endswith("kept"))

    def test_parameters_and_operators_follow(self):
        window = self.open_drawn("clahe", "--set", "tile_size=32", "--set", "color=channels", pixel=colorful)
        self.turn_on(window)
        self.check_result(self.hover(window, 60, 40), 3)
        window.click("Explained:Blue")
        window.click("Color")
        window.click("Color:gray")
        window.settle()
        window.wait(lambda s: len(s["explanation"]["values"]) == 1, "the luma alone")
        self.check_result(self.hover(window, 61, 40), 1)
        for op, what in (("Histogram equalization", "explanation:plot"), ("Kuwahara", "explanation:close-up"),
                         ("Histogram lab", "explanation:plot")):
            window.click("Operator")
            window.click("Operator:" + op)
            window.settle()
            window.widget(what)
        window.click("explain")
        window.wait(lambda s: "explanation" not in s, "no explanation")

    def test_he_and_its_curves(self):
        window = self.open_drawn("he")
        self.turn_on(window)
        for x, y in ((0, 0), (60, 40), (119, 79)):
            state = self.hover(window, x, y)
            self.check_result(state, 3)
            _, before, after = state["explanation"]["values"][0]
            self.assertEqual(self.value(window, "explanation:plot"), f"whole image; {before} to {after}")

    def test_kuwahara_quadrants(self):
        window = self.open_drawn("kuwahara", "--set", "radius=5", pixel=colorful)
        self.turn_on(window)
        for x, y in ((60, 40), (0, 79), (119, 0)):
            self.check_result(self.hover(window, x, y), 3)
            winners = [w["label"] for w in window.state()["widgets"] if w["label"].endswith(", winner")]
            self.assertEqual(len(winners), 1)
        window.key("Right", "Shift_L")
        window.wait(lambda s: s["explanation"]["pixel"] == [119, 0], "the border holds")
        window.key("Left", "Shift_L")
        window.wait(lambda s: s["explanation"]["pixel"] == [118, 0], "the pixel at the left")

    def test_it_is_kept_between_runs_and_shown_without_panels(self):
        state = os.path.join(self.make_folder(), "state.json")
        window = self.open(asset("fog.png"), env={"TONESCOPE_STATE": state})
        window.settle()
        self.turn_on(window)
        window.key("Tab")
        window.wait(lambda s: any(w["label"] == "explanation:plot" for w in s["widgets"])
                    and not any(w["label"] == "histogram:before" for w in s["widgets"]), "the card")
        window.key("Tab")
        window.key("q", "Control_L")
        window.process.wait(PATIENCE_S)
        again = self.open(asset("fog.png"), env={"TONESCOPE_STATE": state})
        again.settle()
        again.wait(lambda s: "explanation" in s, "an explanation at once")

    def make_folder(self):
        folder = tempfile.TemporaryDirectory(prefix="tonescope-e2e-")
        self.addCleanup(folder.cleanup)
        return folder.name


class Source(WindowTest):
    def open_source(self, variant, size="1500x960"):
        window = self.open("--op", "he", "--backend", "cpu", "--variant", variant, asset("fog.png"), size=size)
        window.settle()
        window.key("u", "Control_L")
        window.widget("source text")
        return window

    def lines(self, path):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            return file.read()

    def test_searches_selects_and_copies(self):
        window = self.open_source("cpu-branchy")
        window.key("f", "Control_L")
        window.type("scopedstage")
        self.wait_value(window, "source found", lambda v: v.startswith("1 of "), "the first hit")
        window.key("Return")
        self.wait_value(window, "source found", lambda v: v.startswith("2 of "), "the second hit")
        self.assertEqual(self.value(window, "source text"), "ScopedStage")
        window.click("source text")
        window.key("a", "Control_L")
        window.key("c", "Control_L")
        window.notice("lines of source")
        copied, own = window.clipboard_text(), self.lines("gpu/ops/he/he_cpu_branchy.cpp")
        function = own[own.index("void run_"):own.index("const VariantRegistration")]
        self.assertIn(function.strip(), copied)

    def test_the_mouse_selects_a_word_and_a_part(self):
        window = self.open_source("cpu-branchy")
        window.key("f", "Control_L")
        window.type("variantregistration")
        self.wait_value(window, "source found", lambda v: v.startswith("1 of "), "the first hit")
        window.key("Escape")
        x, y, w, h = window.widget("source text")
        window.drag((x + w * 0.2, y + h * 0.2), (x + w * 0.4, y + h * 0.5))
        selected = self.wait_value(window, "source text", lambda v: v and v != "VariantRegistration", "what was dragged over")
        window.key("c", "Control_L")
        window.notice("Copied")
        copied = window.clipboard_text()
        self.assertTrue(copied.startswith(selected))
        self.assertGreater(copied.count("\n"), 3)

    def test_stages_and_their_lines_mark_each_other(self):
        window = self.open_source("cpu")
        window.move(*window.center("timing:table", 0.3))
        window.wait(lambda s: any(w["label"] == "source marked" for w in s["widgets"]), "marked lines")
        window.move(*window.center("source marked"))
        self.wait_value(window, "timing marked", lambda v: v == "table", "the stage of the line")

    def test_is_kept_and_follows_the_variant(self):
        window = self.open_source("cpu", size="1280x720")
        x, y, _, _ = window.widget("source text")
        self.assertGreater(y, 300, "below the picture")
        self.assertEqual(self.value(window, "Source of"), "cpu")
        window.click("Variant")
        window.click("Variant:All cores")
        self.wait_value(window, "Source of", lambda v: v == "parallel", "the variant that runs")
        window.click("button:Compare variants")
        window.wait(lambda s: any(w["label"] == "comparison status" for w in s["widgets"]), "the comparison")
        self.assertTrue(window.has_widget("source text"), "beside the comparison too")
        window.key("u", "Control_L")
        window.wait(lambda s: all(w["label"] != "source text" for w in s["widgets"]), "closed")


if __name__ == "__main__":
    main()
