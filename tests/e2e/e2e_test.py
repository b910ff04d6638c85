"""End-to-end tests: the real window under a virtual display, driven with X events."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BACKEND, SMALL, WindowTest, asset, main, wait_until, write_ppm  # noqa: E402


class Viewing(WindowTest):
    size = SMALL

    def test_opens_and_shows_before_and_after(self):
        window = self.open(asset("balloons.jpg"), drawn=True)
        state = window.settle()
        self.assertEqual(state["document"]["image"], asset("balloons.jpg"))
        self.assertEqual(state["document"]["backend"], BACKEND)
        self.assertEqual(state["document"]["operator"], "clahe")
        self.assertEqual(state["document"]["presenter"], "copy" if BACKEND == "cpu" else "interop")
        self.assertIn(state["view"]["mode"], ("side-by-side", "stacked"))
        self.assertTrue(state["view"]["fit"])
        self.assertIn("total", [t["stage"] for t in state["timings"]])
        before, after = self.view_pixels(window, "view:before"), self.view_pixels(window, "view:after")
        self.assertNotEqual(before, after)
        self.assertGreater(len({p for row in before for p in row}), 50, "the picture has many colors")

    def test_wheel_zooms_at_the_cursor_and_drag_pans(self):
        window = self.open(asset("balloons.jpg"))
        start = window.settle()["view"]
        x, y, w, h = window.widget("view:before")
        at = (x + w * 0.3, y + h * 0.4)

        def image_point(view):
            return (view["center"][0] + (at[0] - (x + w / 2)) / view["zoom"],
                    view["center"][1] + (at[1] - (y + h / 2)) / view["zoom"])
        window.wheel(*at, 6)
        zoomed = window.wait(lambda s: s["view"]["zoom"] > start["zoom"] * 1.5, "zoom")["view"]
        zoomed = window.state()["view"]
        for a, b in zip(image_point(start), image_point(zoomed)):
            self.assertAlmostEqual(a, b, delta=2 / start["zoom"])
        window.drag((x + w / 2, y + h / 2), (x + w / 2 - 60, y + h / 2 - 30))
        panned = window.state()["view"]
        self.assertAlmostEqual(panned["center"][0] - zoomed["center"][0], 60 / zoomed["zoom"], delta=8 / zoomed["zoom"])
        self.assertAlmostEqual(panned["center"][1] - zoomed["center"][1], 30 / zoomed["zoom"], delta=8 / zoomed["zoom"])
        window.key("f")
        window.wait(lambda s: s["view"]["fit"] and abs(s["view"]["zoom"] - start["zoom"]) < 1e-6, "fit")
        window.key("0", "Control_L")
        window.wait(lambda s: s["view"]["zoom"] == 1, "1:1")

    def test_drags_from_one_place_are_no_double_click(self):
        window = self.open(asset("balloons.jpg"))
        window.settle()
        window.key("0", "Control_L")
        window.wait(lambda s: s["view"]["zoom"] == 1, "1:1")
        x, y, w, h = window.widget("view:before")
        start = window.state()["view"]["center"][0]
        for _ in range(3):
            window.drag((x + w / 2, y + h / 2), (x + w / 2 - 40, y + h / 2), steps=1)
        view = window.state()["view"]
        self.assertFalse(view["fit"])
        self.assertAlmostEqual(view["center"][0] - start, 120, delta=20)

    def test_nearest_filtering_above_1_to_1(self):
        path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"tonescope-checks-{os.getpid()}.ppm")
        write_ppm(path, 64, 64, lambda x, y: (250, 250, 250) if (x + y) % 2 else (5, 5, 5))
        self.addCleanup(os.remove, path)
        window = self.open(path, "--op", "kuwahara", drawn=True)
        window.settle()
        window.move(2, 2)
        window.rest()
        colors = {p for row in self.view_pixels(window, "view:before") for p in row}
        self.assertEqual(colors, {(250, 250, 250), (5, 5, 5)}, "no blended pixels between the checks")

    def test_status_bar_tells_values_under_the_cursor(self):
        path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"tonescope-values-{os.getpid()}.ppm")
        write_ppm(path, 100, 80, lambda x, y: (x, y, 7))
        self.addCleanup(os.remove, path)
        window = self.open(path, "--op", "kuwahara")
        window.settle()
        x, y, w, h = window.widget("view:before")
        window.move(x + w / 2, y + h / 2)
        pixel = window.wait(lambda s: s.get("pixel") and s["pixel"]["after"], "the pixel under the cursor")["pixel"]
        self.assertEqual(pixel["before"], [pixel["x"], pixel["y"], 7])
        self.assertEqual(len(pixel["after"]), 3)

    def test_tab_hides_panels(self):
        window = self.open(asset("balloons.jpg"))
        window.settle()
        window.key("1")
        window.wait(lambda s: s["view"]["mode"] == "side-by-side", "side by side")
        wide = window.widget("view:before")[2]
        x, y, w, h = window.widget("view:before")
        window.move(x + w / 2, y + h / 2)
        window.key("Tab")
        window.wait(lambda s: next(v for v in s["widgets"] if v["label"] == "view:before")["rect"][2] > wide * 1.2, "wider views")
        window.key("Tab")
        window.wait(lambda s: abs(next(v for v in s["widgets"] if v["label"] == "view:before")["rect"][2] - wide) < 2, "the panels")


class Operating(WindowTest):
    size = SMALL

    def test_dragging_a_slider_changes_parameter_and_picture(self):
        window = self.open(asset("balloons.jpg"), drawn=True)
        before = window.settle()["document"]["parameters"]["clip_limit"]
        picture = self.view_pixels(window, "view:after")
        window.drag(window.center("Clip limit", 0.3), window.center("Clip limit", 0.9))
        state = window.wait(lambda s: s["document"]["parameters"]["clip_limit"] > before + 1, "a higher clip limit")
        window.settle()
        self.wait_pixels(window, "view:after", picture)
        self.assertNotEqual(state["document"]["parameters"]["clip_limit"], before)
        window.click("Clip limit", button=3)
        window.wait(lambda s: s["document"]["parameters"]["clip_limit"] == 3, "the default after a right click")

    def test_the_limit_is_converted_between_slope_and_count(self):
        window = self.open(asset("balloons.jpg"), "--op", "clahe", "--set", "clip_limit=6")
        window.settle()

        def wait(what, **values):
            return window.wait(lambda s: all(s["document"]["parameters"][k] == v for k, v in values.items()), what)
        window.click("Clip limit as:count")
        wait("6 x 64 x 64 / 256", clip_unit="count", clip_count=96)
        window.key("z", "Control_L")
        wait("one step back", clip_unit="slope", clip_limit=6, clip_count=40)
        window.key("z", "Control_L", "Shift_L")
        wait("and forth", clip_unit="count", clip_count=96)
        window.click("Clip limit as:slope")
        wait("the slope that it was", clip_unit="slope", clip_limit=6)
        window.click("Tiles:grid")
        state = wait("a grid", tiles="grid", grid_columns=21)
        self.assertTrue(any(n["text"].startswith("The nearest tiles are of ") for n in state["recent_notices"]), state["recent_notices"])
        window.click("Tiles:size")
        wait("the size that it was", tiles="size", tile_size=64)

    def test_typing_a_value(self):
        window = self.open(asset("balloons.jpg"))
        window.settle()
        window.double_click("Tile size")
        window.key("a", "Control_L")
        window.type("128")
        window.key("Return")
        window.wait(lambda s: s["document"]["parameters"]["tile_size"] == 128, "tile size 128")

    def test_changing_the_operator(self):
        window = self.open(asset("balloons.jpg"), drawn=True)
        window.settle()
        picture = self.view_pixels(window, "view:after")
        window.click("Operator")
        window.click("Operator:Kuwahara")
        window.wait(lambda s: s["document"]["operator"] == "kuwahara" and "radius" in s["document"]["parameters"], "Kuwahara")
        window.settle()
        self.wait_pixels(window, "view:after", picture)
        self.assertTrue(window.has_widget("Radius"))
        self.assertFalse(window.has_widget("Clip limit"))

    def test_each_operator_and_variant_runs(self):
        for op in ("he", "clahe", "kuwahara", "histogram"):
            for variant in ("cpu", "parallel") if BACKEND == "cpu" else ("simple",):
                window = self.open(asset("fog.png"), "--op", op, "--variant", variant, drawn=True)
                state = window.settle()
                self.assertEqual((state["document"]["operator"], state["document"]["variant"]), (op, variant))
                self.assertNotEqual(self.view_pixels(window, "view:before"), self.view_pixels(window, "view:after"), op)
                window.close()

    @unittest.skipUnless(BACKEND == "cpu", "what is said without a GPU")
    def test_the_cpu_has_no_memory_modes(self):
        window = self.open(asset("balloons.jpg"))
        state = window.settle()
        self.assertIsNone(state["document"]["memory"])
        self.assertEqual(state["kernels"], [])
        window.click("Memory")
        self.assertFalse(window.has_widget("Memory:mapped"))

    @unittest.skipUnless(BACKEND == "cuda", "needs an NVIDIA GPU")
    def test_memory_modes(self):
        stages = {"pinned": set(), "pageable": {"upload", "download"}, "mapped": {"copy in", "copy out"},
                  "managed": {"copy in", "copy out"}, "overlapped": {"upload", "download"}}
        window = self.open(asset("fog.png"), "--op", "he", "--variant", "simple", "--memory", "mapped", drawn=True)
        window.settle()
        picture = None
        for mode in ("mapped", "managed", "pageable", "overlapped", "pinned"):
            if mode != "mapped":
                window.click("Memory")
                window.click("Memory:" + mode)
            state = window.wait(lambda s: s["document"]["memory"] == mode and s["up_to_date"] and not s["busy"], mode)
            copies = {t["stage"] for t in state["timings"]} & {"upload", "download", "copy in", "copy out"}
            self.assertEqual(copies - {"upload"} if mode == "pinned" else copies, stages[mode], mode)
            self.assertTrue(state["kernels"], mode)
            pixels = self.view_pixels(window, "view:after")
            # Halvings come from OpenGL or from the CPU, which round differently.
            off = max(abs(a - b) for row, other in zip(pixels, picture or pixels) for p, q in zip(row, other) for a, b in zip(p, q))
            self.assertLessEqual(off, 2, mode)
            picture = pixels

    @unittest.skipUnless(BACKEND == "cuda", "needs an NVIDIA GPU")
    def test_a_variant_that_fixes_its_memory_mode(self):
        window = self.open(asset("fog.png"), "--op", "he", "--variant", "two-streams")
        state = window.settle()
        self.assertEqual(state["document"]["memory"], "overlapped")
        window.click("Memory")
        self.assertFalse(window.has_widget("Memory:mapped"))


class Files(WindowTest):
    size = SMALL

    def test_dropping_an_image(self):
        window = self.open(asset("balloons.jpg"))
        window.settle()
        window.drop(asset("fog.png"), asset("night.png"))
        window.wait(lambda s: s["document"]["image"] == asset("fog.png") and len(s["document"]["images"]) == 3, "the dropped image")
        window.settle()

    def test_bad_files_give_a_notice_and_the_image_stays(self):
        window = self.open(asset("balloons.jpg"), drawn=True)
        window.settle()
        picture = self.view_pixels(window, "view:before")
        bad = os.path.join(window.folder.name, "bad.png")
        with open(bad, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\nbroken")
        window.drop(bad)
        state = window.wait(lambda s: any(n["severity"] == "error" for n in s["notices"]), "an error notice")
        text = next(n["text"] for n in state["notices"] if n["severity"] == "error")
        self.assertIn("bad.png", text)
        self.assertNotIn("\n", text)
        self.assertEqual(self.view_pixels(window, "view:before")[-40:], picture[-40:], "the image stays on screen")

    def test_without_an_image_there_is_a_place_to_start(self):
        window = self.open()
        window.wait(lambda s: s["document"]["image"] is None, "no image")
        self.assertTrue(window.has_widget("button:Open image..."))

    def test_file_browser_opens_a_file(self):
        window = self.open()
        shot = os.path.join(window.folder.name, "only.ppm")
        write_ppm(shot, 40, 30, lambda x, y: (x * 6, y * 8, 90))
        window.key("o", "Control_L")
        window.double_click("entry:only.ppm")
        window.wait(lambda s: s["document"]["image"] == shot, "the chosen file")
        self.assertEqual(window.settle()["document"]["width"], 40)

    def test_saving_asks_before_it_overwrites(self):
        window = self.open()
        shot = os.path.join(window.folder.name, "only.ppm")
        write_ppm(shot, 40, 30, lambda x, y: (x * 6, y * 8, 90))
        window.drop(shot)
        window.settle()
        target = os.path.join(window.folder.name, "only-clahe.png")
        window.key("s", "Control_L")
        window.click("button:Save")
        window.notice("Saved")
        self.assertTrue(os.path.exists(target))
        with open(target, "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        os.truncate(target, 0)
        window.key("s", "Control_L")
        window.click("button:Save")
        window.click("button:Cancel")
        self.assertEqual(os.path.getsize(target), 0, "nothing is overwritten without asking")
        window.key("Escape")
        window.key("s", "Control_L")
        window.click("button:Save")
        window.click("button:Replace")
        wait_until(lambda: os.path.getsize(target) > 50, "the file's new contents")


if __name__ == "__main__":
    main()
