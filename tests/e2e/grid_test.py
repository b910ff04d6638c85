"""End-to-end tests of the grid, of presets as files, and of resetting one parameter by the keyboard."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BACKEND, BINARY, PATIENCE_S, WindowTest, asset, colorful, main, wait_until  # noqa: E402
from image_files import read_ppm, write_ppm  # noqa: E402

WIDTH, HEIGHT = 160, 100


class Grid(WindowTest):
    def open_small(self, *args, **kwargs):
        """At 1:1 the panes show the pixels themselves."""
        window = self.open("--op", "clahe", *args, **kwargs)
        self.image = os.path.join(window.folder.name, "small.ppm")
        write_ppm(self.image, WIDTH, HEIGHT, colorful)
        window.drop(self.image)
        window.settle()
        window.move(3, 3)
        return window

    def grid(self, window, values=None):
        """Waits until the grid shows these values' results."""
        def ready(state):
            cells = state.get("grid", {}).get("cells")
            return cells and all(c["shown"] and not c["busy"] for c in cells) and \
                (values is None or [c["value"] for c in cells] == values)
        return window.wait(ready, f"the grid of {values}")["grid"]

    def expected(self, window, **parameters):
        """What the command line makes of the image, as rows."""
        out = os.path.join(window.folder.name, "expected.ppm")
        settings = [word for name, value in parameters.items() for word in ("--set", f"{name}={value}")]
        subprocess.run([BINARY, "--headless", "--backend", BACKEND, "--op", "clahe", *settings, "-i", self.image, "-o", out],
                       check=True, timeout=60, stdout=subprocess.DEVNULL)
        return read_ppm(out)

    def shown(self, window, pane):
        """The image's pixels in a pane at 1:1."""
        x, y, w, h = window.widget(f"view:pane {pane}")
        center = window.state()["view"]["center"]
        left, top = int(x + w / 2 - center[0] + 0.5), int(y + h / 2 - center[1] + 0.5)  # as C rounds
        return window.pixels(left, top, WIDTH, HEIGHT)

    def wait_shown(self, window, pane, rows):
        wait_until(lambda: self.shown(window, pane) == rows, f"the single run's pixels in pane {pane}")

    def type_value(self, window, pane, label, text):
        """By the mouse; the field shows the number without its unit."""
        name = f"pane {pane}:{label} value"
        window.click(name)
        window.wait(lambda s: any(w["label"] == name and w["value"].replace(".", "").isdigit() for w in s["widgets"]), "the field")
        window.type(text)
        window.wait(lambda s: any(w["label"] == name and w["value"] == text for w in s["widgets"]), f"{text} in the field")
        window.key("Return")

    def wait_parameter(self, window, name, value):
        return window.wait(lambda s: s["document"]["parameters"].get(name) == value, f"{name} {value}")

    def test_a_sheet_with_a_figure(self):
        window = self.open_small()
        window.key("7")
        for label in ("Row parameter", "Row parameter:Tile size", "Panes", "Panes:5", "Rows", "Rows:5", "Pane figure",
                      "Pane figure:Entropy"):
            window.click(label)
        cells = window.wait(lambda s: len(s.get("grid", {}).get("cells") or []) == 25 and
                            all(c["shown"] and c["figure"] is not None for c in s["grid"]["cells"]), "the sheet")["grid"]
        axes = [(axis["parameter"], axis["values"]) for axis in (cells["rows"], cells["columns"])]
        table = os.path.join(window.folder.name, "table.json")
        sweeps = [word for name, values in axes for word in ("--sweep", f"{name}={','.join(values)}")]
        subprocess.run([BINARY, "--headless", "--backend", BACKEND, "--op", "clahe", *sweeps, "--figures", "entropy", "-i", self.image,
                        "-o", table], check=True, timeout=60, stdout=subprocess.DEVNULL)
        with open(table, encoding="utf-8") as file:
            expected = [result["after"]["entropy"] for result in json.load(file)["images"][0]["results"]]
        for cell, value in zip(cells["cells"], expected):
            self.assertAlmostEqual(cell["figure"], value, places=9)
        # A click takes a cell over; Shift and a click compare one with what is in use.
        window.click("view:pane 7")
        window.wait(lambda s: s["document"]["parameters"]["clip_limit"] == float(axes[1][1][1]) and
                    s["document"]["parameters"]["tile_size"] == int(axes[0][1][1]), "the values of the pane")
        window.settle()
        window.hold("Shift_L", True)
        window.click("view:pane 19")
        window.hold("Shift_L", False)
        state = window.wait(lambda s: s["view"]["mode"] == "side-by-side" and s["compared_with"], "both beside each other")
        self.assertIn("Tile size " + axes[0][1][1], state["compared_with"])
        self.assertEqual(state["document"]["parameters"]["tile_size"], int(axes[0][1][3]))

    def test_each_pane_shows_the_bytes_of_a_single_run(self):
        window = self.open_small("--set", "clip_limit=2", drawn=True)
        window.key("7")
        grid = self.grid(window, ["1.00", "2.00", "4.00", "8.00"])
        self.assertEqual(grid["parameter"], "clip_limit")
        self.assertTrue(all(c["ms"] > 0 and not c["error"] for c in grid["cells"]))
        window.key("0", "Control_L")
        window.wait(lambda s: s["view"]["zoom"] == 1 and s["view"]["mode"] == "grid", "1:1")
        for pane, value in enumerate((1, 2, 4, 8), 1):
            self.wait_shown(window, pane, self.expected(window, clip_limit=value))

        # The other parameters follow their sliders.
        window.click("Tile size", fraction=0.9)
        window.wait(lambda s: s["document"]["parameters"]["tile_size"] > 64, "larger tiles")
        window.move(3, 3)
        size = window.settle()["document"]["parameters"]["tile_size"]
        self.grid(window, ["1.00", "2.00", "4.00", "8.00"])
        for pane, value in ((1, 1), (4, 8)):
            self.wait_shown(window, pane, self.expected(window, clip_limit=value, tile_size=size))

        # The image itself takes the first pane.
        window.click("grid:image")
        self.grid(window, ["1.00", "2.00", "4.00"])
        window.move(3, 3)
        self.wait_shown(window, 1, [[colorful(x, y) for x in range(WIDTH)] for y in range(HEIGHT)])
        self.wait_shown(window, 4, self.expected(window, clip_limit=4, tile_size=size))

    def test_a_pane_gives_its_value_and_undo_takes_it_back(self):
        window = self.open_small()
        window.click("mode:grid")
        self.grid(window, ["1.50", "3.00", "6.00", "12.00"])
        window.click("pane 3:button:Use")
        self.wait_parameter(window, "clip_limit", 6)
        self.assertTrue(window.has_widget("view:pane 4"), "the grid stays")
        window.key("z", "Control_L")
        self.wait_parameter(window, "clip_limit", 3)
        window.click("view:pane 1")
        window.key("1", "Shift_L")
        self.wait_parameter(window, "clip_limit", 1.5)
        window.key("g")
        self.grid(window, ["0.75", "1.50", "3.00", "6.00"])

    def test_two_parameters_and_the_value_under_the_mouse(self):
        window = self.open_small("--set", "clip_limit=2", drawn=True)
        window.key("7")
        self.grid(window, ["1.00", "2.00", "4.00", "8.00"])
        window.click("Panes")
        window.click("Panes:2")
        window.click("Row parameter")
        window.click("Row parameter:Tile size")
        grid = self.grid(window, ["1.00", "2.00"] * 3)
        self.assertEqual(grid["rows"], {"parameter": "tile_size", "values": ["32", "64", "128"]})
        window.key("0", "Control_L")
        window.wait(lambda s: s["view"]["zoom"] == 1, "1:1")
        # Each pane's own value under the mouse, and what it is of.
        for pane, limit, size in ((1, 1, 32), (6, 2, 128)):
            rows = self.expected(window, clip_limit=limit, tile_size=size)
            window.move(3, 3)
            self.wait_shown(window, pane, rows)
            x, y, w, h = window.widget(f"view:pane {pane}")
            center = window.state()["view"]["center"]
            at = (120, 30)
            window.move(int(x + w / 2 - center[0] + 0.5) + at[0], int(y + h / 2 - center[1] + 0.5) + at[1])
            wanted = " ".join(map(str, rows[at[1]][at[0]]))
            self.wait_value(window, "status:value", lambda v, wanted=wanted: v.endswith("> " + wanted), f"the pane's value {wanted}")
            self.assertEqual(self.value(window, "status:position"), f"{at[0]},{at[1]}")
            self.assertRegex(self.value(window, "status:pane"), f"Clip limit {limit}.00 .*, Tile size {size} px")
            self.assertRegex(self.value(window, f"pane {pane}:caption"), r"^CLAHE, .*, [0-9.]+ ms$")
            window.key("e")
            # The explanation comes to what this pane shows, and says of which values it is.
            window.wait(lambda s, at=at, row=rows[at[1]]: s.get("explanation", {}).get("pixel") == list(at)
                        and s["explanation"]["result"][:3] == list(row[at[0]]), "the pane's explanation")
            self.assertRegex(self.value(window, "explanation:of"), f"^CLAHE, Tile size {size} px, Clip limit {limit}.00 .*")
            window.key("e")
        window.key("u")  # what the mouse points at, in one step
        self.wait_parameter(window, "tile_size", 128)
        self.wait_parameter(window, "clip_limit", 2)
        window.click("pane 1:button:Use")
        self.wait_parameter(window, "tile_size", 32)
        self.wait_parameter(window, "clip_limit", 1)
        window.key("z", "Control_L")
        self.wait_parameter(window, "clip_limit", 2)
        self.wait_parameter(window, "tile_size", 128)
        window.move(3, 3)
        window.key("3", "Control_L", "Shift_L")
        window.rest()
        window.type("256")
        window.key("Return")
        window.wait(lambda s: s["grid"]["rows"]["values"] == ["32", "64", "256"], "the typed row")

    def test_values_panes_and_parameters_are_chosen(self):
        window = self.open_small()
        window.key("7")
        self.grid(window, ["1.50", "3.00", "6.00", "12.00"])
        self.type_value(window, 4, "Clip limit", "40")
        self.grid(window, ["1.50", "3.00", "6.00", "40.00"])
        self.wait_parameter(window, "clip_limit", 3)
        window.key("2", "Control_L")
        window.rest()
        window.type("5")
        window.key("Return")
        self.grid(window, ["1.50", "5.00", "6.00", "40.00"])
        window.click("Panes")
        window.click("Panes:2")
        self.grid(window, ["1.50", "5.00"])
        window.click("Grid parameter")
        window.click("Grid parameter:Color")
        self.grid(window, ["luma", "channels"])
        window.click("Panes")
        window.click("Panes:4")
        self.grid(window, ["luma", "channels", "gray", "ratio"])
        # In one step, by the palette.
        self.run_command(window, "values tile size", "Try values: Tile size")
        self.grid(window, ["32", "64", "128", "256"])

    def test_zoom_pan_and_pixel_are_shared(self):
        window = self.open_small(drawn=True)
        window.key("7")
        self.grid(window)
        x, y, w, h = window.widget("view:pane 4")
        window.wheel(x + w / 2, y + h / 2, 15)
        state = window.wait(lambda s: s["view"]["zoom"] > 50, "the zoom")
        self.assertEqual({w["value"] for w in state["widgets"] if w["label"].startswith("view:pane")},
                         {f"{state['view']['zoom']:.4g}"})
        self.assertTrue(window.has_widget("minimap"))
        window.wait(lambda s: any(w["label"] == "status:value" and ">" in w["value"] for w in s["widgets"]), "the pixel")
        plain = self.view_pixels(window, "view:pane 1")
        self.assertGreater(len({p for row in plain for p in row}), 8, "values stand in the pixels")
        window.drag((x + w / 2, y + h / 2), (x + w / 2 - 60, y + h / 2))
        window.wait(lambda s: s["view"]["center"][0] > state["view"]["center"][0], "the moved view")

    def test_slow_runs_show_progress_and_stop(self):
        if BACKEND != "cpu":
            self.skipTest("slow on the CPU alone")
        window = self.open(asset("balloons.jpg"), "--op", "kuwahara", "--variant", "cpu", "--set", "radius=1")
        window.settle()

        def old(state):
            return {w["label"] for w in state["widgets"] if w["old"]}
        window.wait(lambda s: not old(s), "all figures")
        window.click("Radius", fraction=0.97)
        window.wait(lambda s: {"statistics:after", "timing:total"} <= old(s) and "statistics:before" not in old(s),
                    "figures of the earlier result to be dimmed")
        window.key("z", "Control_L")
        window.wait(lambda s: s["up_to_date"] and not old(s), "the figures again")
        window.click("mode:grid")
        self.grid(window, ["1", "2", "4", "8"])
        self.type_value(window, 1, "Radius", "64")
        window.wait(lambda s: s["grid"]["cells"][0]["busy"] and
                    any(w["label"] == "pane 1:time" and w["value"] == "busy" for w in s["widgets"]), "the progress")
        used = window.cpu_s()
        self.type_value(window, 1, "Radius", "2")
        self.grid(window, ["2", "2", "4", "8"])
        self.assertLess(window.cpu_s() - used, 20, "the slow run gave way")
        self.type_value(window, 2, "Radius", "64")
        window.click("button:Cancel")
        state = window.wait(lambda s: not s["busy"] and not any(c["busy"] for c in s["grid"]["cells"]), "the end of it")
        self.assertFalse(state["grid"]["cells"][1]["shown"])
        window.wait(lambda s: any(w["label"] == "pane 2:time" and w["value"] == "stopped" for w in s["widgets"]), "the remark")

    def test_settings_and_mode_are_kept(self):
        window = self.open_small()
        window.key("7")
        window.click("Panes")
        window.click("Panes:3")
        window.click("grid:image")
        self.grid(window, ["1.50", "3.00"])
        window.key("q", "Control_L")
        self.assertEqual(window.process.wait(PATIENCE_S), 0)
        with open(os.path.join(window.folder.name, ".xdg", "state", "tonescope", "state.json")) as file:
            settings = json.load(file)["settings"]
        self.assertEqual((settings["view_mode"], settings["grid_panes"], settings["grid_image"]), ("grid", 3, True))

    def test_presets_go_out_and_come_in_as_files(self):
        window = self.open_small("--set", "clip_limit=6.5")
        folder = window.folder.name
        window.key("p", "Control_L")
        window.widget("Preset name")
        window.type("strong")
        window.key("Return")
        window.wait(lambda s: s["presets"] == ["strong"], "the preset")
        window.click("button:Export...")
        window.widget("File name")
        window.click("button:Save")
        path = os.path.join(folder, "strong.json")
        window.notice(f"Saved {path}")
        with open(path) as file:
            preset = json.load(file)
        self.assertEqual((preset["operator"], preset["parameters"]["clip_limit"]), ("clahe", 6.5))
        preset["name"], preset["parameters"] = "friend", {"clip_limit": 9}
        with open(os.path.join(folder, "friend.json"), "w") as file:
            json.dump(preset, file)
        with open(os.path.join(folder, "wrong.json"), "w") as file:
            file.write('{"operator": "sharpen"}')

        def bring_in(name):
            window.key("p", "Control_L")
            window.click("button:Import...")
            window.click(f"entry:{name}")
            window.click("button:Import")

        bring_in("friend.json")
        self.wait_parameter(window, "clip_limit", 9)
        window.wait(lambda s: s["presets"] == ["friend", "strong"], "the preset that came in")
        self.assertFalse(window.has_widget("entry:small.ppm"))
        bring_in("wrong.json")
        state = window.wait(lambda s: any("wrong.json" in n["text"] for n in s["notices"]), "the error")
        error = next(n for n in state["notices"] if "wrong.json" in n["text"])
        self.assertEqual(error["severity"], "error")
        self.assertIn("unknown operator sharpen", error["text"])
        self.assertNotIn("\n", error["text"])

    def test_a_tooltip_says_what_the_value_comes_to(self):
        window = self.open_small("--set", "clip_limit=2")
        window.move(*window.center("Clip limit"))
        window.wait(lambda s: any(w["label"] == "tooltip" and "OpenCV: clipLimit 2" in w["value"] and
                                  "scikit-image: clip_limit 0.007812" in w["value"] for w in s["widgets"]), "the tooltip")

    def test_the_keyboard_resets_one_parameter(self):
        window = self.open_small("--set", "clip_limit=6.5", "--set", "tile_size=32")
        self.run_command(window, "reset tile", "Reset: Tile size")
        self.wait_parameter(window, "tile_size", 64)
        self.wait_parameter(window, "clip_limit", 6.5)
        window.key("F6")
        window.key("Up")  # from the buttons below to the first item
        for _ in range(30):
            window.key("Down")
            window.key("Delete")
            if window.state()["document"]["parameters"]["clip_limit"] == 3:
                break
        self.wait_parameter(window, "clip_limit", 3)


if __name__ == "__main__":
    main()
