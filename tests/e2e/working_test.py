"""End-to-end tests of working with the window: undo, palette, files, presets, themes, clipboard."""

import os
import shlex
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BINARY, FolderTest, colourful, main, write_ppm  # noqa: E402


def png_size(path):
    with open(path, "rb") as file:
        data = file.read(24)
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


class Working(FolderTest):
    def save(self, window):
        """The dialog starts anew when it has changed the folder."""
        window.widget("entry:first.ppm")
        window.click("button:Save")

    def parameter(self, name, value):
        return lambda s: s["document"]["parameters"].get(name) == value

    # Undo

    def test_undo_and_redo(self):
        window = self.open(self.image)
        self.assertFalse(window.settle()["can_undo"])
        window.drag(window.centre("Clip limit", 0.3), window.centre("Clip limit", 0.9))
        window.wait(lambda s: s["document"]["parameters"]["clip_limit"] > 4, "a higher clip limit")
        high = window.settle()["document"]["parameters"]["clip_limit"]
        window.click("Operator")
        window.click("Operator:Kuwahara")
        window.wait(lambda s: s["document"]["operator"] == "kuwahara", "Kuwahara")
        window.key("z", "Control_L")
        window.wait(lambda s: s["document"]["operator"] == "clahe", "the operator before")
        self.assertEqual(window.state()["document"]["parameters"]["clip_limit"], high)
        window.key("z", "Control_L")
        state = window.wait(self.parameter("clip_limit", 3), "one step for the whole drag")
        self.assertFalse(state["can_undo"])
        window.key("z", "Control_L", "Shift_L")
        window.wait(self.parameter("clip_limit", high), "redo")
        window.key("y", "Control_L")
        window.wait(lambda s: s["document"]["operator"] == "kuwahara" and not s["can_redo"], "redo to the end")
        self.run_command(window, "undo", "Undo")
        window.wait(self.parameter("clip_limit", high), "undo from the palette")
        window.click("button:Reset")
        window.wait(self.parameter("clip_limit", 3), "the operator's defaults")
        window.key("z", "Control_L")
        window.wait(self.parameter("clip_limit", high), "undo of the reset")

    def test_undo_takes_the_variant_back(self):
        window = self.open(self.image, "--backend", "cpu", "--variant", "parallel")
        window.settle()
        self.run_command(window, "variant: reference", "Variant: Reference")
        window.wait(lambda s: s["document"]["variant"] == "cpu", "the reference")
        window.key("z", "Control_L")
        window.wait(lambda s: s["document"]["variant"] == "parallel", "the variant before")

    # Palette

    def test_palette_by_keyboard_and_mouse(self):
        window = self.open(self.image)
        window.settle()
        self.run_command(window, "op kuw", "Operator: Kuwahara")
        window.wait(lambda s: s["document"]["operator"] == "kuwahara", "Kuwahara")
        window.key("p", "Control_L", "Shift_L")
        window.widget("Command")
        first = next(w["label"] for w in window.state()["widgets"] if w["value"] == "current" and w["label"].startswith("command:"))
        window.key("Down")
        window.wait(lambda s: any(w["value"] == "current" and w["label"].startswith("command:") and w["label"] != first
                                  for w in s["widgets"]), "the next entry")
        window.type("hide")
        window.click("command:Show or hide the panels")
        window.wait(lambda s: not any(w["label"] == "Operator" for w in s["widgets"]), "hidden panels")
        window.key("p", "Control_L", "Shift_L")
        window.widget("Command")
        window.key("Escape")
        window.wait(lambda s: not any(w["label"] == "Command" for w in s["widgets"]), "the palette to close")
        window.key("F11")
        window.key("F11")
        window.settle()

    # Files

    def test_a_file_that_changes_is_read_again(self):
        window = self.open(self.image, "--set", "clip_limit=5")
        window.settle()
        time.sleep(1.5)
        write_ppm(self.path("new.ppm"), 200, 90, lambda x, y: colourful(x + 9, y))
        os.rename(self.path("new.ppm"), self.image)
        state = window.wait(lambda s: s["document"]["width"] == 200, "the new pixels")
        self.assertEqual(state["document"]["parameters"]["clip_limit"], 5)
        self.assertTrue(any("changed on disk" in n["text"] for n in state["notices"]))

    def test_a_change_is_noticed_when_the_image_is_chosen_again(self):
        other = self.path("second.ppm")
        write_ppm(other, 90, 60, colourful)
        window = self.open(self.image, other)
        window.settle()
        window.key("Down")
        window.wait(lambda s: s["document"]["width"] == 90, "the second image")
        window.settle()
        write_ppm(self.image, 200, 100, colourful)
        window.key("Up")
        window.wait(lambda s: s["document"]["width"] == 200, "the new pixels of the first")

    def test_a_file_that_is_no_image_changes_nothing(self):
        window = self.open(self.image)
        window.settle()
        bad = self.path("bad.png")
        with open(bad, "wb") as file:
            file.write(b"no image")
        window.drop(bad)
        window.wait(lambda s: any(n["severity"] == "error" and "bad.png" in n["text"] for n in s["notices"]), "the error")
        state = window.settle()
        self.assertEqual(state["document"]["image"], self.image)
        window.key("s", "Control_L")
        window.widget("File name")
        self.assertIn("first-clahe", self.value(window, "File name"))

    def test_steps_through_the_folder_pass_over_what_is_no_image(self):
        write_ppm(self.path("third.ppm"), 90, 60, colourful)
        with open(self.path("second.ppm"), "wb") as file:
            file.write(b"P6 500 400 255\n")
        window = self.open(self.image)
        window.settle()
        window.key("Down")
        window.wait(lambda s: any(n["severity"] == "error" for n in s["notices"]), "the error")
        self.assertEqual(window.settle()["document"]["image"], self.image)
        window.key("Down")
        window.wait(lambda s: s["document"]["image"] == self.path("third.ppm") and s["document"]["width"] == 90, "the next but one")
        window.settle()
        window.key("Down")
        window.wait(lambda s: s["document"]["image"] == self.image, "the first again")

    def test_a_folder_is_opened_whole(self):
        write_ppm(self.path("second.ppm"), 90, 60, colourful)
        with open(self.path("words.txt"), "w") as file:
            file.write("no image")
        empty = self.path("empty")
        os.mkdir(empty)
        window = self.open()
        window.drop(empty, self.dir)
        window.wait(lambda s: len(s["document"]["images"]) == 2, "both images")
        self.assertTrue(any(empty in n["text"] for n in window.state()["notices"]))

    def test_saving_the_view(self):
        window = self.open(self.image)
        window.settle()
        window.key("s", "Control_L", "Shift_L")
        self.save(window)
        window.wait(lambda s: any(n["text"].startswith("Saved") for n in s["notices"]), "the notice")
        width, height = png_size(self.path("first-view.png"))
        left, right = window.widget("splitter:left"), window.widget("splitter:right")
        self.assertAlmostEqual(width, right[0] - left[0] - left[2], delta=2)
        self.assertGreater(height, 600)

    def test_the_command_line_gives_the_result_again(self):
        window = self.open(self.image, "--backend", "cpu", "--set", "tile_size=16", "--set", "clip_limit=9.5")
        state = window.settle()
        window.key("s", "Control_L")
        self.save(window)
        window.wait(lambda s: any(n["text"].startswith("Saved") for n in s["notices"]), "the notice")
        words = shlex.split(state["command_line"])
        self.assertEqual(words[0], "tonescope")
        words[words.index("-o") + 1] = self.path("again.png")
        subprocess.run([BINARY, *words[1:]], check=True, timeout=60, stdout=subprocess.DEVNULL)
        with open(self.path("again.png"), "rb") as a, open(self.path("first-clahe.png"), "rb") as b:
            self.assertEqual(a.read(), b.read())
        window.key("c", "Control_L", "Shift_L")
        window.wait(lambda s: any("--headless" in n["text"] for n in s["notices"]), "the notice that it is copied")

    # Presets

    def test_presets(self):
        window = self.open(self.image, "--set", "clip_limit=6.5", "--set", "tile_size=32")
        window.settle()
        window.key("p", "Control_L")
        window.widget("Preset name")
        window.type("strong")
        window.key("Return")
        window.wait(lambda s: s["presets"] == ["strong"], "the preset")
        window.key("Escape")
        window.click("button:Reset")
        window.wait(self.parameter("clip_limit", 3), "the defaults")
        self.run_command(window, "preset strong", "Preset: strong")
        window.wait(self.parameter("clip_limit", 6.5), "the preset's value")
        window.key("z", "Control_L")
        window.wait(self.parameter("tile_size", 64), "undo of the preset")
        file = self.path("config", "tonescope", "presets", "strong.json")
        shared = self.path("from a friend.json")
        shutil.copy(file, shared)
        window.key("p", "Control_L")
        window.click("button:Delete")
        self.assertTrue(os.path.exists(file), "asks first")
        window.click("button:Delete it")
        window.wait(lambda s: s["presets"] == [], "no preset")
        self.assertFalse(os.path.exists(file))
        window.key("Escape")
        window.drop(shared)
        window.wait(lambda s: s["presets"] == ["strong"], "the shared preset")
        window.wait(self.parameter("clip_limit", 6.5), "its value")

    # What the window offers to the mouse

    def test_the_bar_leads_to_commands_and_the_status_bar_to_zooms(self):
        window = self.open(self.image)
        window.settle()
        window.click("bar:palette")
        window.widget("Command")
        window.type("radius")  # the field has the keyboard
        window.key("Escape")
        window.wait(lambda s: not any(w["label"] == "Command" for w in s["widgets"]), "the palette to close")
        window.click("status:zoom")
        window.click("zoom:400 %")
        window.wait(lambda s: s["view"]["zoom"] == 4, "the zoom")
        self.assertFalse(window.has_widget("zoom:400 %"))
        window.click("status:zoom")
        window.widget("zoom:Fit")
        window.key("Up")
        window.key("Return")
        window.wait(lambda s: s["view"]["zoom"] == 2, "the zoom above")
        window.key("z")
        window.widget("zoom:Fit")
        window.key("Escape")
        window.wait(lambda s: not any(w["label"] == "zoom:Fit" for w in s["widgets"]), "the list to close")
        self.assertEqual(window.state()["view"]["zoom"], 2)

    # Looks

    def test_scale_theme_and_presentation(self):
        window = self.open(self.image)
        window.settle()
        height = window.widget("Operator")[3]
        window.key("Up", "Control_L", "Shift_L")
        window.wait(lambda s: next(w for w in s["widgets"] if w["label"] == "Operator")["rect"][3] > height, "larger")
        window.key("F10")
        window.click("Interface")
        window.click("Interface:200 %")
        window.wait(lambda s: next((w for w in s["widgets"] if w["label"] == "Operator"), {"rect": [0] * 4})["rect"][3]
                    > 1.8 * height, "twice as large")
        window.click("Theme:light")
        window.key("Escape")
        time.sleep(0.5)
        r, g, b = window.pixels(6, 500, 1, 1)[0][0]
        self.assertGreater(min(r, g, b), 200)
        window.key("F9")
        window.wait(lambda s: not any(w["label"] == "Operator" for w in s["widgets"]), "no panels")
        window.key("F9")
        window.widget("Operator")

    # Clipboard

    def test_copy_and_paste_of_images(self):
        tools = self.path("tools")
        os.mkdir(tools)
        with open(os.path.join(tools, "xclip"), "w") as file:
            file.write(f'#!/bin/sh\nfor last; do :; done\n[ "$last" = -i ] && exec cat > {self.dir}/held\n'
                       f'exec cat {self.dir}/held\n')
        os.chmod(os.path.join(tools, "xclip"), 0o755)
        window = self.open(self.image, PATH=tools + ":" + os.environ["PATH"])
        window.settle()
        window.key("c", "Control_L")
        window.wait(lambda s: any("Copied" in n["text"] for n in s["notices"]), "the notice")
        self.assertEqual(png_size(self.path("held")), (160, 120))
        window.key("v", "Control_L")
        state = window.wait(lambda s: len(s["document"]["images"]) == 2 and s["document"]["current"] == 1, "the pasted image")
        pasted = state["document"]["image"]
        window.settle()
        self.assertEqual(window.state()["recent"][0]["path"], self.image, "pasted images are not kept")
        self.quit(window)
        self.assertFalse(os.path.exists(pasted))

    def test_paste_without_a_tool_says_so(self):
        window = self.open(self.image, PATH=self.path("nothing"))
        window.settle()
        window.key("v", "Control_L")
        window.wait(lambda s: any("xclip" in n["text"] for n in s["notices"]), "what to install")


if __name__ == "__main__":
    main()
