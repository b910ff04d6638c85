"""End-to-end tests of working with the window: undo, palette, files, presets."""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import FolderTest, colorful, main, wait_until, write_ppm  # noqa: E402
from image_files import write_dicom, write_tiff  # noqa: E402


class Working(FolderTest):
    def parameter(self, name, value):
        return lambda s: s["document"]["parameters"].get(name) == value

    # Undo

    def test_undo_and_redo(self):
        window = self.open(self.image)
        self.assertFalse(window.settle()["can_undo"])
        window.drag(window.center("Clip limit", 0.3), window.center("Clip limit", 0.9))
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
        write_ppm(self.path("new.ppm"), 200, 90, lambda x, y: colorful(x + 9, y))
        os.rename(self.path("new.ppm"), self.image)
        state = window.wait(lambda s: s["document"]["width"] == 200, "the new pixels")
        self.assertEqual(state["document"]["parameters"]["clip_limit"], 5)
        window.notice("changed on disk")

    def test_a_change_is_noticed_when_the_image_is_chosen_again(self):
        other = self.path("second.ppm")
        write_ppm(other, 90, 60, colorful)
        window = self.open(self.image, other)
        window.settle()
        window.key("Down")
        window.wait(lambda s: s["document"]["width"] == 90, "the second image")
        window.settle()
        write_ppm(self.image, 200, 100, colorful)
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

    def damaged_among_numbers(self):
        """1, 2 and 10 in this order; 2 is damaged, and so is what comes last."""
        os.mkdir(self.path("scans"))
        for name, width in (("1.ppm", 90), ("2.ppm", 0), ("10.ppm", 100), ("x.ppm", 0)):
            if width:
                write_ppm(self.path("scans", name), width, 60, colorful)
            else:
                with open(self.path("scans", name), "wb") as file:
                    file.write(b"P6 500 400 255\n")

    def steps_past_what_is_damaged(self, window):
        def shows(width):
            window.wait(lambda s: s["document"]["width"] == width and s["up_to_date"] and not s["busy"], f"the width {width}")
        shows(90)
        for key, width, told in (("Down", 100, "2.ppm"), ("Down", 100, "x.ppm"), ("Down", 100, "10.ppm is the last image"),
                                 ("Up", 90, None), ("Up", 90, "1.ppm is the first image"), ("Down", 100, None)):
            window.key(key)
            if told:
                window.notice(told)
            shows(width)
        shown = [n["text"] for n in window.state()["recent_notices"]]
        self.assertEqual(len([text for text in shown if "cannot open" in text]), 2, "each is tried once")

    def test_steps_through_a_folder_pass_over_what_is_damaged(self):
        self.damaged_among_numbers()
        window = self.open(self.path("scans", "1.ppm"))
        self.steps_past_what_is_damaged(window)

    def test_steps_through_the_list_pass_over_what_is_damaged(self):
        self.damaged_among_numbers()
        window = self.open(self.path("scans"))
        images = window.wait(lambda s: len(s["document"]["images"]) == 4, "the folder")["document"]["images"]
        self.assertEqual([image["name"] for image in images], ["1.ppm", "2.ppm", "10.ppm", "x.ppm"])
        self.steps_past_what_is_damaged(window)
        errors = {image["name"]: image["error"] for image in window.state()["document"]["images"]}
        self.assertIn("damaged", errors["2.ppm"])
        window.move(*window.center("image:2.ppm"))
        self.wait_value(window, "tooltip", lambda text: errors["2.ppm"] in text, "the whole reason")

    def test_an_image_is_first_seen_through_its_own_window(self):
        own, other = self.path("own.dcm"), self.path("other.dcm")
        for path, gray, center, width in ((own, "MONOCHROME1", "100.5", "51"), (other, "MONOCHROME2", "60.5", "21")):
            write_dicom(path, [[(x + y) % 256 for x in range(80)] for y in range(60)], gray=gray, center=center, width=width)
        window = self.open(self.image, own, other)

        def shown(path, center, width, inverse):
            def is_shown(state):
                windows = state["windows"]
                return state["document"]["image"] == path and all(
                    (windows[side]["center"], windows[side]["width"], windows[side]["inverse"]) == (center, width, inverse)
                    for side in ("before", "after"))
            return is_shown
        window.settle()
        window.click("image:own.dcm")
        window.wait(shown(own, 100, 50, True), "the file's window")
        window.click("image:other.dcm")
        window.wait(shown(other, 60, 20, False), "the other file's window")
        window.click("image:first.ppm")
        window.wait(shown(self.image, 127.5, 255, False), "the full window")
        self.quit(window)

    def test_pages(self):
        pages = self.path("pages.tiff")
        write_tiff(pages, [[[(x * (page + 1) + y) % 256 for x in range(40)] for y in range(30)] for page in range(4)])

        def shown(state):
            return state["document"]["images"][state["document"]["current"]]["page"] if not state["busy"] else None
        window = self.open(pages, "--page", "2", "--op", "he")
        state = window.settle()
        self.assertEqual((shown(state), state["document"]["images"][0]["pages"]), (2, 4))
        self.assertEqual(self.value(window, "Page"), "2")
        window.move(3, 3)
        window.key("Next")
        window.wait(lambda s: shown(s) == 3, "page 3")
        before = window.settle()["command_line"]
        self.assertIn("--page 3", before)
        title = window.window.get_full_text_property(window.x.intern_atom("_NET_WM_NAME"))
        self.assertTrue(title.startswith("pages.tiff, page 3 of 4"), title)
        window.key("Prior")
        window.key("Prior")
        window.key("Prior")
        window.wait(lambda s: shown(s) == 1, "the first page, and none before it")
        window.drag(window.center("Page", 0.02), window.center("Page", 0.99))
        state = window.wait(lambda s: shown(s) == 4, "the last page")
        self.assertEqual(state["document"]["operator"], "he")
        self.assertFalse(state["can_undo"])
        self.quit(window)
        window = self.open(pages)
        self.assertEqual(shown(window.settle()), 4, "the page that was shown last")

    def test_a_folder_is_opened_whole(self):
        write_ppm(self.path("second.ppm"), 90, 60, colorful)
        with open(self.path("words.txt"), "w") as file:
            file.write("no image")
        empty = self.path("empty")
        os.mkdir(empty)
        window = self.open()
        window.drop(empty, self.dir)
        window.wait(lambda s: len(s["document"]["images"]) == 2, "both images")
        self.assertTrue(any(empty in n["text"] for n in window.state()["notices"]))

    # Presets

    def preset_is_previewed(self, window, name, limit):
        """In the list below the parameters: the result shows it while the mouse is there, and nothing is chosen."""
        before = window.settle()
        self.assertNotEqual(before["document"]["parameters"]["clip_limit"], limit)
        picture = self.view_pixels(window, "view:after")
        window.move(*window.center("use preset:" + name))
        window.wait(lambda s: s["previewed"] == name and s["up_to_date"] and not s["busy"], "the preview")
        self.wait_pixels(window, "view:after", picture)
        state = window.state()
        for key in ("parameters", "operator"):
            self.assertEqual(state["document"][key], before["document"][key])
        self.assertEqual(state["can_undo"], before["can_undo"])
        window.move(*window.center("view:after"))
        window.wait(lambda s: s["previewed"] == "" and s["up_to_date"] and not s["busy"], "the result again")
        wait_until(lambda: self.view_pixels(window, "view:after") == picture, "its pixels")

    def test_presets(self):
        window = self.open(self.image, "--set", "clip_limit=6.5", "--set", "tile_size=32", drawn=True)
        window.settle()
        window.key("p", "Control_L")
        window.widget("Preset name")
        window.type("strong")
        window.key("Return")
        window.wait(lambda s: s["presets"] == ["strong"], "the preset")
        window.key("Escape")
        window.click("button:Reset")
        window.wait(self.parameter("clip_limit", 3), "the defaults")
        self.preset_is_previewed(window, "strong", 6.5)
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


if __name__ == "__main__":
    main()
