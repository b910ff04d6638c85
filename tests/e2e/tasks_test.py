"""End-to-end tests of what three kinds of users do with the window, from start to end: an assistant who tunes CLAHE on
radiographs, a lecturer who prepares a demonstration, and an inspector who goes through a folder."""

import os
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BINARY, SMALL, FolderTest, asset, colorful, main, write_ppm  # noqa: E402


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Tasks(FolderTest):
    size = SMALL

    def wait_parameter(self, window, name, value):
        window.wait(lambda s: abs(s["document"]["parameters"][name] - value) < 1e-6, f"{name} = {value}")

    def wait_image(self, window, name, what):
        window.wait(lambda s: os.path.basename(s["document"]["image"]) == name and s["up_to_date"] and not s["busy"], what)

    def test_an_assistant_tunes_clahe_on_a_radiograph(self):
        radiograph = self.path("hand.png")
        shutil.copy(asset("radiograph.png"), radiograph)
        original = read(radiograph)
        window = self.open(radiograph, "--op", "clahe")
        window.settle()
        # A limit is typed, and told in pixels: the result stays.
        window.double_click("Clip limit")
        window.type("6")
        window.key("Return")
        self.wait_parameter(window, "clip_limit", 6)
        window.settle()
        window.click("Clip limit as:count")
        count = window.wait(lambda s: s["document"]["parameters"]["clip_unit"] == "count" and s["up_to_date"],
                            "the limit as a count")["document"]["parameters"]["clip_count"]
        self.assertEqual(count, 6 * 64 * 64 // 256)
        window.key("z", "Control_L")
        self.wait_parameter(window, "clip_limit", 6)
        # Several limits and tile sizes beside each other; the one that suits is taken.
        window.move(*window.center("view:after"))
        window.key("7")
        window.click("Panes")
        window.click("Panes:2")
        window.click("Row parameter")
        window.click("Row parameter:Tile size")
        window.wait(lambda s: s["grid"] and len(s["grid"]["cells"]) == 6 and not any(c["busy"] for c in s["grid"]["cells"]),
                    "six panes")
        window.click("pane 1:button:Use")
        self.wait_parameter(window, "tile_size", 32)
        window.click("mode:side-by-side")
        window.settle()
        # What clips is counted in every channel, apart from what was clipped before.
        window.click("Clipped pixels")
        self.wait_value(window, "clipped:after:high", lambda v: "new " in v, "the clipped pixels")
        # The dialog keeps the original; the result goes beside it.
        window.key("s", "Control_L")
        window.widget("File name")
        window.key("a", "Control_L")
        window.type("hand.png")
        window.key("Return")
        window.click("button:Save as new file")
        self.assertIn("hand-2.png", window.notice("Saved"))
        self.assertEqual(read(radiograph), original)
        # The copied command gives the same file.
        window.key("c", "Control_L", "Shift_L")
        command = shlex.split(window.notice("--headless").partition("Copied: ")[2])
        elsewhere = self.path("elsewhere")
        os.mkdir(elsewhere)
        subprocess.run([BINARY, *command[1:]], check=True, timeout=120, cwd=elsewhere, stdout=subprocess.DEVNULL)
        self.assertEqual(read(os.path.join(elsewhere, "hand-clahe.png")), read(self.path("hand-2.png")))

    def test_a_lecturer_shows_an_operator(self):
        window = self.open(self.image, "--op", "he")
        window.settle()
        window.key("F9")
        window.widget("presented:operator")
        self.assertEqual(self.value(window, "presented:operator"), "Histogram equalization")
        self.assertTrue(self.value(window, "presented:variant"))
        self.assertRegex(self.value(window, "presented:time"), r"^[0-9.]+ m?s$")
        # A pixel is explained beside the views; Tab brings the panels, Esc the usual window.
        window.key("e")
        window.move(*window.center("view:after"))
        window.widget("explanation:pixel")
        window.key("Tab")
        window.click("Operator")
        window.click("Operator:CLAHE")
        window.wait(lambda s: s["document"]["operator"] == "clahe" and s["up_to_date"], "another operator")
        self.assertEqual(self.value(window, "presented:operator"), "CLAHE")
        window.key("Escape")  # from the panel to the view
        window.key("Escape")
        window.wait(lambda s: not any(w["label"] == "presented:operator" for w in s["widgets"]), "the usual window")
        # The variants are compared, and Amdahl's bound is explained.
        window.click("button:Compare variants")
        window.wait(lambda s: s.get("comparison") and not s["comparison"]["running"] and
                    any(r["state"] == "done" for r in s["comparison"]["variants"]), "the comparison", 180)
        self.assertIn("threads alone make at most", self.value(window, "comparison remarks"))
        window.key("Escape")
        window.widget("view:after")
        # Every caption says what it is of, also of a result that is pinned.
        window.settle()
        window.move(*window.center("view:after"))
        window.key("p")
        window.wait(lambda s: s["compared_with"].startswith("CLAHE"), "the pinned result")
        self.assertTrue(self.value(window, "caption:Pinned").startswith("CLAHE"))

    def test_an_inspector_goes_through_a_folder(self):
        folder = self.path("parts")
        os.mkdir(folder)
        for name, shift in (("1.ppm", 0), ("2.ppm", 9), ("10.ppm", 30)):
            write_ppm(os.path.join(folder, name), 96, 64, lambda x, y, shift=shift: colorful(x + shift, y))
        with open(os.path.join(folder, "3.ppm"), "wb") as file:
            file.write(b"P6 500 400 255\n")
        window = self.open(os.path.join(folder, "1.ppm"), "--op", "kuwahara")
        self.wait_image(window, "1.ppm", "the first part")
        mode = window.state()["view"]["mode"]
        window.key("p")
        window.wait(lambda s: "1.ppm" in s["compared_with"], "its pinned result")
        # By number, past what is damaged, in one arrangement of the views; the pin waits for its image.
        for key, name in (("Down", "2.ppm"), ("Down", "10.ppm"), ("Up", "2.ppm")):
            window.key(key)
            self.wait_image(window, name, name)
            self.assertEqual(window.state()["view"]["mode"], mode)
            self.assertEqual(window.state()["compared_with"], "")
        window.key("Up")
        window.wait(lambda s: "1.ppm" in s["compared_with"], "the pin again")
        # Two parts against each other: the difference chooses its gain and says its scale.
        window.drop(os.path.join(folder, "2.ppm"))
        self.wait_image(window, "2.ppm", "the second part")
        window.move(3, 3)
        self.run_command(window, "compare with: 1", "Compare with: 1.ppm")
        window.wait(lambda s: s["compared_with"].startswith("1.ppm"), "the first part")
        window.key("6")
        self.wait_value(window, "difference:legend", lambda v: " to +" in v, "the scale")
        self.wait_value(window, "difference:largest_difference", lambda v: v not in ("", "0 levels"), "a difference")


if __name__ == "__main__":
    main()
