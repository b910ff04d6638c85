"""End-to-end tests of the histograms, their statistics, the selected rectangle and the stripes over clipped pixels."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import PATIENCE_S, TWO_HEIGHT, TWO_WIDTH, WindowTest, asset, main, wait_until  # noqa: E402


def is_colored(pixel):
    return max(pixel) - min(pixel) > 60


class Histograms(WindowTest):
    def wait_statistics(self, window, side, *parts):
        return self.wait_value(window, "statistics:" + side, lambda v: all(p in v for p in parts), f"{parts} {side}")

    def place(self, window, view, x, y):
        """Of an image point in a view."""
        vx, vy, w, h = window.widget(view)
        state = window.state()["view"]
        return (vx + w / 2 + (x - state["center"][0]) * state["zoom"],
                vy + h / 2 + (y - state["center"][1]) * state["zoom"])

    def select(self, window, x0, y0, x1, y1):
        """The pixels from (x0, y0) to before (x1, y1)."""
        window.key("s")
        window.drag(self.place(window, "view:before", x0 + 0.5, y0 + 0.5),
                    self.place(window, "view:before", x1 - 0.5, y1 - 0.5))

    def test_statistics_of_the_whole_image(self):
        window = self.open_two_values()
        self.wait_statistics(window, "before", "mean 110.0", "deviation 10.0", "entropy 1.00", "minimum 100",
                             "maximum 120", "shadows 0.00%", "highlights 0.00%")
        self.wait_statistics(window, "after", "mean 127.5", "deviation 127.5", "entropy 1.00", "minimum 0",
                             "maximum 255", "shadows 50.0%", "highlights 50.0%")

    def test_a_selected_rectangle(self):
        window = self.open_two_values()
        self.select(window, 0, 10, TWO_WIDTH // 2, 40)
        self.assertEqual(window.state()["histogram"]["region"], {"x": 0, "y": 10, "width": 60, "height": 30})
        self.assertEqual(self.value(window, "selection"), "60 x 30")
        self.wait_statistics(window, "before", "mean 100.0", "entropy 0.00")
        self.wait_statistics(window, "after", "mean 0.0", "shadows 100%")
        # Shift drags another one without the key, here over the result; the image stays where it is.
        center = window.state()["view"]["center"]
        window.hold("Shift_L", True)
        window.drag(self.place(window, "view:after", TWO_WIDTH - 0.5, TWO_HEIGHT - 0.5),
                    self.place(window, "view:after", 30.5, 0.5))
        window.hold("Shift_L", False)
        self.assertEqual(window.state()["view"]["center"], center)
        self.assertEqual(window.state()["histogram"]["region"], {"x": 30, "y": 0, "width": 90, "height": 80})
        self.wait_statistics(window, "before", "mean 113.3")
        # Other modes show it too, and a result that changes is counted again.
        for mode in "356":
            window.key(mode)
            self.wait_value(window, "selection", lambda v: v == "90 x 80", f"the rectangle in mode {mode}")
        window.key("2")
        self.select(window, 60, 0, 90, 30)
        self.wait_statistics(window, "after", "mean 255.0")
        window.key("Escape")
        window.wait(lambda s: s["histogram"]["region"] is None, "the whole image")
        self.wait_statistics(window, "before", "mean 110.0")
        self.select(window, 60, 30, 90, 60)
        window.click_at(*self.place(window, "view:before", 20, 10))
        window.wait(lambda s: s["histogram"]["region"] is None, "a click away")

    def test_the_visible_part_follows_zoom_and_pan(self):
        window = self.open_two_values()
        window.click("Histogram of:visible")
        self.wait_statistics(window, "before", "mean 110.0")
        x, y = self.place(window, "view:before", 20, 40)
        window.wheel(x, y, 9)
        self.wait_statistics(window, "before", "mean 100.0")
        self.wait_statistics(window, "after", "mean 0.0")
        state = window.state()
        self.assertEqual(state["histogram"]["region"], state["view"]["visible"])
        left, top, width, height = window.widget("view:before")
        for _ in range(6):
            window.drag((left + width * 0.9, top + height / 2), (left + width * 0.1, top + height / 2), steps=3)
        self.wait_statistics(window, "before", "mean 120.0")
        self.wait_statistics(window, "after", "mean 255.0")
        window.key("v")
        self.wait_statistics(window, "before", "mean 110.0")

    def test_a_thousand_bins(self):
        window = self.open_two_values()
        window.click("histogram:fine")
        window.wait(lambda s: s["histogram"]["bins"] == 1024, "1024 bins")
        # (77 + 150 + 29) * 100 >> 6 = 400. A pixel of the plot holds several bins, of which the fullest is read.
        x, y, w, h = window.widget("histogram:before")
        window.move(x + w * 400 / 1024, y + h / 2)
        self.wait_value(window, "histogram:before", lambda v: v == f"400: {TWO_WIDTH * TWO_HEIGHT // 2}", "bin 400")
        self.wait_statistics(window, "before", "mean 110.0")

    def test_overlaid_cumulative_and_logarithmic(self):
        window = self.open_two_values()
        window.key("h")
        x, y, w, h = window.widget("histogram:both")
        window.move(x + w * 120.5 / 256, y + h / 2)
        half = TWO_WIDTH * TWO_HEIGHT // 2
        self.wait_value(window, "histogram:both", lambda v: v == f"120: {half} 0", "both counts")
        window.click("histogram:cumulative")
        window.move(x + w * 120.5 / 256, y + h / 2)
        self.wait_value(window, "histogram:both", lambda v: v == f"120: {2 * half} {half}", "both sums")
        plot = (int(x), int(y), int(w), int(h))
        plain = window.pixels(*plot)
        window.click("Scale:log")
        window.move(x + w * 120.5 / 256, y + h / 2)
        window.wait(lambda s: window.pixels(*plot) != plain, "the logarithmic scale")

    def test_stripes_over_clipped_pixels(self):
        window = self.open_two_values()
        window.key("c")
        self.wait_value(window, "histogram:stripes", lambda v: v == "on", "the switch")
        def stripes():
            return [self.colors(window, "view:after", x) for x in (30, 90)]
        wait_until(lambda: all(stripes()), "both stripes")
        shadows, highlights = stripes()
        self.assertEqual(len(shadows), 1, "blue on black")
        self.assertEqual(len(highlights), 1, "orange on white")
        (r, _, b), (r2, _, b2) = shadows.pop(), highlights.pop()
        self.assertGreater(b, r)
        self.assertGreater(r2, b2)
        self.assertFalse(self.colors(window, "view:before", 30) | self.colors(window, "view:before", 90))
        window.key("c")
        wait_until(lambda: not self.colors(window, "view:after", 30), "the stripes to go")

    def colors(self, window, view, x):
        """Colors near an image point that are not gray."""
        at_x, at_y = self.place(window, view, x, 25)
        return {p for row in window.pixels(at_x - 15, at_y - 15, 30, 30) for p in row if is_colored(p)}

    def test_a_pinned_reference_is_counted(self):
        window = self.open_two_values()
        window.key("p")
        window.wait(lambda s: s["reference"], "the reference")
        self.wait_statistics(window, "reference", "mean 127.5", "shadows 50.0%")
        window.key("p")
        self.wait_statistics(window, "before", "mean 110.0")

    def test_the_result_is_counted_again_when_a_parameter_changes(self):
        window = self.open(asset("fog.png"))
        window.settle()
        window.move(3, 3)
        self.select(window, 40, 40, 200, 160)
        first = self.wait_value(window, "statistics:after", lambda v: v != "", "the statistics")
        window.drag(window.center("Clip limit", 0.3), window.center("Clip limit", 0.9))
        self.wait_value(window, "statistics:after", lambda v: v not in ("", first), "new statistics")

    def test_the_look_is_kept(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with_state = {"TONESCOPE_STATE": os.path.join(folder.name, "state.json")}
        window = self.open_two_values(env=with_state)
        window.key("h")
        window.click("Histogram of:visible")
        window.key("q", "Control_L")
        window.process.wait(PATIENCE_S)
        window.close()
        window = self.open_two_values(env=with_state)
        self.assertTrue(window.has_widget("histogram:both"))
        window.wait(lambda s: s["histogram"]["region"] == s["view"]["visible"], "the visible part")


if __name__ == "__main__":
    main()
