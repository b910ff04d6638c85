"""End-to-end tests of the histograms, their statistics, the selected rectangle and the stripes over clipped pixels."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import PATIENCE_S, TWO_HEIGHT, TWO_WIDTH, WindowTest, asset, main, wait_until  # noqa: E402
from image_files import write_ppm  # noqa: E402


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

    def show_clipping(self, window):
        """Opens the panel and leaves the keys to the views."""
        window.click("Clipped pixels")
        window.widget("Stripes")
        window.click("bar:undo")
        window.move(3, 3)

    def test_statistics_of_the_whole_image(self):
        window = self.open_two_values()
        self.wait_statistics(window, "before", "mean 110.0", "deviation 10.0", "entropy 1.00", "minimum 100",
                             "maximum 120")
        self.wait_statistics(window, "after", "mean 127.5", "deviation 127.5", "entropy 1.00", "minimum 0",
                             "maximum 255")
        self.show_clipping(window)
        for end in ("low", "high"):
            self.wait_value(window, f"clipped:before:{end}", lambda v: v.startswith("any 0.00, R "), "nothing before")
            self.wait_value(window, f"clipped:after:{end}", lambda v: v.startswith("any 50.0, new 50.0"), "half of it after")

    def test_a_selected_rectangle(self):
        window = self.open_two_values()
        self.show_clipping(window)
        self.select(window, 0, 10, TWO_WIDTH // 2, 40)
        self.assertEqual(window.state()["histogram"]["region"], {"x": 0, "y": 10, "width": 60, "height": 30})
        self.assertEqual(self.value(window, "selection"), "60 x 30")
        self.wait_statistics(window, "before", "mean 100.0", "entropy 0.00")
        self.wait_statistics(window, "after", "mean 0.0")
        self.wait_value(window, "clipped:after:low", lambda v: v.startswith("any 100, new 100"), "the selection alone")
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
        window = self.open_two_values(drawn=True)
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
        window = self.open_two_values(drawn=True)
        self.show_clipping(window)
        window.key("c")
        self.wait_value(window, "Stripes", lambda v: v == "all", "the switch")

        def stripes():
            return [self.inks(window, "view:after", x) for x in (30, 90)]
        wait_until(lambda: [len(each) for each in stripes()] == [3, 2], "both stripes")
        on_black, on_white = stripes()
        self.assertIn((124, 124, 126), on_black, "all channels at the low end")
        self.assertIn((24, 24, 26), on_white, "white stripes have dark sides")
        self.assertEqual([len(self.inks(window, "view:before", x)) for x in (30, 90)], [1, 1])
        window.click("Stripes:off")
        wait_until(lambda: len(self.inks(window, "view:after", 30)) == 1, "the stripes to go")

    def test_a_window_is_dragged_with_the_right_button(self):
        window = self.open_two_values(drawn=True)
        sides = [("view:before", (100, 120)), ("view:after", (0, 255))]

        def inks():
            return [[self.inks(window, view, x) for x in (30, 90)] for view, _ in sides]

        def shown(low, width):
            def level(value):
                return int(min(max((510 * (value - low) + width) // (2 * width), 0), 255))
            return [[{(level(v),) * 3} for v in values] for _, values in sides]
        wait_until(lambda: inks() == shown(0, 255), "the full range")
        x, y = window.center("view:before")
        window.drag((x, y), (x - 90, y - 20), button=3)
        window.wait(lambda s: not s["windows"]["after"]["full"] and s["can_undo"], "the window")
        chosen = window.state()["windows"]["before"]
        self.assertLess(chosen["width"], 200)
        self.assertLess(chosen["center"], 127)
        expected = shown(chosen["center"] - chosen["width"] / 2, chosen["width"])
        wait_until(lambda: inks() == expected, f"{expected}")
        self.assertEqual(window.state()["document"]["parameters"]["color"], "luma")
        window.click("bar:undo")
        window.wait(lambda s: s["windows"]["before"]["full"], "one step back")
        wait_until(lambda: inks() == shown(0, 255), "the full range again")

    def test_any_clipped_channel_counts(self):
        window = self.open(asset("balloons.jpg"), "--op", "clahe", "--set", "clip_limit=20", drawn=True)
        self.show_clipping(window)
        clipping = window.wait(lambda s: s["clipping"] and s["clipping"]["after"] and s["up_to_date"],
                               "the clipped pixels")["clipping"]
        pixels = clipping["after"]["pixels"]
        for end, share in (("low", 0.113), ("high", 0.127)):
            counts = clipping["after"][end]
            self.assertAlmostEqual(counts["any"] / pixels, share, delta=0.0005, msg=end)
            self.assertLessEqual(max(counts["red"], counts["green"], counts["blue"]), counts["any"])
            self.assertLess(counts["new"], counts["any"])
        self.assertLess(clipping["before"]["high"]["any"], clipping["after"]["high"]["any"])
        self.wait_value(window, "clipped:after:high", lambda v: v.startswith("any 12.7, new "), "the panel's figure")
        # Channels in their own colors; of the pixels that were not clipped before alone, fewer.
        window.key("c")
        view = [int(v) for v in window.widget("view:after")]
        red, green, blue = (255, 78, 60), (60, 220, 90), (84, 140, 255)

        def striped():
            pixels = [tuple(p) for row in window.pixels(*view) for p in row]
            return [pixels.count(ink) for ink in (red, green, blue)]
        wait_until(lambda: sum(striped()) > 100, "stripes")
        everywhere = striped()
        self.assertGreater(everywhere[0], 50, "red alone")
        window.click("Stripes:new")
        wait_until(lambda: 0 < sum(striped()) < sum(everywhere), "fewer stripes")

    def inks(self, window, view, x):
        """The colors near an image point."""
        at_x, at_y = self.place(window, view, x, 25)
        return {tuple(p) for row in window.pixels(at_x - 15, at_y - 15, 30, 30) for p in row}

    def test_a_region_is_filtered_alone(self):
        window = self.open_two_values()
        self.wait_statistics(window, "after", "mean 127.5")
        self.select(window, 20, 0, 80, 40)
        window.key("s", "Alt_L")
        window.wait(lambda s: s["part"]["region"] == "20,0,60,40" and not s["busy"], "the region")
        # 40 columns of 100 and 20 of 120 become 0 and 255: the region is equalized, and counted, as an image of its own.
        self.wait_statistics(window, "before", "mean 106.7")
        self.wait_statistics(window, "after", "mean 85.0", "minimum 0", "maximum 255")
        self.assertEqual(window.state()["histogram"]["region"], {"x": 20, "y": 0, "width": 60, "height": 40})
        self.assertEqual(self.value(window, "region"), "20,0,60,40")
        self.assertIn("region 60", self.value(window, "caption:After"))
        self.assertIn("--region 20,0,60,40", window.state()["command_line"])
        # Around it the image stays.
        self.select(window, 0, 0, TWO_WIDTH, TWO_HEIGHT)
        self.wait_statistics(window, "after", "mean 104.6", "minimum 0", "maximum 255")
        window.key("Escape")
        window.click("Region and mask")
        window.double_click("Feather")
        window.type("20")
        window.key("Return")
        window.wait(lambda s: s["part"]["feather"] == 20, "the feather")
        total = 0
        for y in range(40):
            for x in range(20, 80):
                weight = min((255 * (2 * min(x - 20, 79 - x, 39 - y) + 1) + 20) // 40, 255)  # the top is a border
                before, after = (100, 0) if x < 60 else (120, 255)
                total += (weight * after + (255 - weight) * before + 127) // 255
        self.wait_statistics(window, "after", f"mean {total / 2400:.1f}")
        window.key("z", "Control_L")
        self.wait_statistics(window, "after", "mean 85.0")
        window.double_click("Region:Width")
        window.type("40")
        window.key("Return")
        window.wait(lambda s: s["part"]["region"] == "20,0,40,40", "the region in numbers")
        window.key("z", "Control_L")
        window.wait(lambda s: s["part"]["region"] == "20,0,60,40", "the region of before")
        window.click("Region:button:Off")
        self.wait_statistics(window, "after", "mean 127.5")
        window.key("z", "Control_L")
        self.wait_statistics(window, "after", "mean 85.0")

    def test_a_mask_says_where_the_result_stands(self):
        window = self.open_two_values()
        wrong, mask = (os.path.join(window.folder.name, name) for name in ("wrong.ppm", "mask.ppm"))
        write_ppm(wrong, 50, 40, lambda x, y: (255,) * 3)
        write_ppm(mask, TWO_WIDTH, TWO_HEIGHT, lambda x, y: (255 if x < TWO_WIDTH // 2 else 0,) * 3)
        window.click("Region and mask")
        for path in (wrong, mask):
            window.click("Mask:button:Open...")
            window.click("Folder")
            window.key("a", "Control_L")
            window.type(path)
            window.key("Return")
            if path == wrong:
                self.assertIn("the image 120", window.notice("the mask"))
                window.settle()
        window.wait(lambda s: s["part"]["mask"] == mask, "the mask")
        self.wait_statistics(window, "after", "mean 60.0", "minimum 0", "maximum 120")
        window.click("Filtered:black")
        self.wait_statistics(window, "after", "mean 177.5", "minimum 100", "maximum 255")
        window.click("Mask:button:Off")
        self.wait_statistics(window, "after", "mean 127.5")
        x, y, w, h = window.widget("Mask")
        window.drop(mask, at=(x + w / 2, y + h / 2))
        window.wait(lambda s: s["part"]["mask"] == mask and len(s["document"]["images"]) == 1, "the dropped mask")
        self.wait_statistics(window, "after", "mean 60.0")

    def test_a_picked_value_is_left_out(self):
        window = self.open_two_values()
        self.wait_statistics(window, "after", "mean 127.5")
        window.click("button:Pick")
        window.click_at(*self.place(window, "view:before", 10.5, 40.5))
        parameters = window.wait(lambda s: s["document"]["parameters"]["no_data"] == "value", "the value")["document"]["parameters"]
        self.assertEqual(parameters["no_data_value"], 100)
        # The other value is alone, and stays too.
        self.wait_statistics(window, "after", "mean 110.0", "minimum 100", "maximum 120")
        self.wait_value(window, "histogram:no-data", lambda v: v == "no data: 100", "what is left out")
        window.click("bar:undo")
        self.wait_statistics(window, "after", "mean 127.5")
        self.assertFalse(window.has_widget("histogram:no-data"))
        # Esc takes the picker back: a click then does what it did before.
        window.click("button:Pick")
        window.key("Escape")
        window.click_at(*self.place(window, "view:before", 10.5, 40.5))
        self.assertEqual(window.state()["document"]["parameters"]["no_data"], "off")

    def test_a_pinned_result_is_counted(self):
        window = self.open_two_values()
        self.show_clipping(window)
        window.key("p")
        window.wait(lambda s: s["compared_with"], "the pinned result")
        self.wait_statistics(window, "pinned", "mean 127.5")
        self.wait_value(window, "clipped:pinned:low", lambda v: v.startswith("any 50.0, R "), "of the pinned result")
        self.wait_value(window, "clipped:after:low", lambda v: v.startswith("any 50.0, new 0.00"), "nothing new")
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
