"""End-to-end tests of batches in the window."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BACKEND, BINARY, PATIENCE_S, SMALL, WindowTest, asset, colorful, main, stays, wait_until  # noqa: E402
from image_files import write_ppm  # noqa: E402

SETTINGS = ("--op", "clahe", "--set", "clip_limit=6")


class Batches(WindowTest):
    size = SMALL

    def open_folder(self, count, width=90, height=60, **kwargs):
        window = self.open(*SETTINGS, **kwargs)
        self.folder = os.path.join(window.folder.name, "photos")
        os.mkdir(self.folder)
        self.names = [f"{i:03}" for i in range(count)]
        first = os.path.join(self.folder, self.names[0] + ".ppm")
        write_ppm(first, width, height, colorful)
        for name in self.names[1:]:
            shutil.copy(first, os.path.join(self.folder, name + ".ppm"))
        window.drop(first)
        window.settle()
        window.key("b", "Control_L")
        window.click("Images of the batch:a folder")
        return window

    def results(self):
        """Of every file in the folder of results, hidden ones too, the content."""
        folder = os.path.join(self.folder, "results")
        content = {}
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    content[name] = file.read()
            except FileNotFoundError:
                pass  # a temporary file that has just got its name
        return content

    def plant(self, name):
        with open(os.path.join(self.folder, "results", name), "wb") as file:
            file.write(b"somebody's own")

    def expected(self, window, ending, *options):
        """What the command line makes of the folder."""
        folder = os.path.join(window.folder.name, "expected" + ending)
        os.mkdir(folder)
        inputs = [os.path.join(self.folder, name + ".ppm") for name in self.names]
        subprocess.run([BINARY, "--headless", "--backend", BACKEND, *SETTINGS, *options, "-i", *inputs, "-o", os.path.join(folder, "{stem}" + ending)],
                       check=True, timeout=60, stdout=subprocess.DEVNULL)
        content = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                content[name] = file.read()
        return content

    def summary(self, window, text):
        return self.wait_value(window, "batch", lambda value: text in value, text)

    def expect_whole(self, results):
        for name, content in results.items():
            self.assertTrue(name.endswith(".png") and content.endswith(b"IEND\xaeB`\x82"), name)

    def test_a_folder(self):
        window = self.open_folder(5)
        with open(os.path.join(self.folder, "damaged.ppm"), "wb") as file:
            file.write(b"P6\n9 9\n255\n")
        window.click("button:Start batch")
        self.summary(window, "6 of 6 images, 1 failed; finished")
        line = self.value(window, "batch line")
        self.assertIn("damaged.ppm", line)
        window.click("button:Copy the failures")
        wait_until(lambda: window.clipboard_text() == line + "\n", "the failures in the clipboard")
        self.assertEqual(self.results(), self.expected(window, ".png"))

        # The format is chosen from a list, with its options.
        window.click("Format of the batch")
        window.click("Format of the batch:JPEG")
        window.wait(lambda s: any(w["label"] == "Results of the batch" and w["value"].endswith("/results/{stem}.jpg") for w in s["widgets"]), "the name")
        window.click("Quality", fraction=0.2)
        quality = self.value(window, "Quality value")
        window.click("button:Start batch")
        self.summary(window, "6 of 6 images, 1 failed; finished")
        jpegs = {name: content for name, content in self.results().items() if name.endswith(".jpg")}
        self.assertEqual(jpegs, self.expected(window, ".jpg", "--quality", quality.split()[0]))

    def test_files_that_are_in_the_way(self):
        window = self.open_folder(4)
        window.click("button:Start batch")
        self.summary(window, "4 of 4 images; finished")
        results = self.results()

        def start():
            window.click("button:Start batch")
            self.summary(window, " are there already")

        self.plant("001.png")
        os.remove(os.path.join(self.folder, "results", "002.png"))
        start()
        self.summary(window, "3 of 4 results are there already")
        self.assertTrue(any(w["value"].endswith("results/001.png") for w in window.state()["widgets"] if w["label"] == "batch line"))
        window.key("Return")  # by itself, nothing is overwritten
        self.summary(window, "1 of 1 image; finished")
        self.assertEqual(self.results(), {**results, "001.png": b"somebody's own"})
        start()
        window.click("button:Cancel batch")
        window.wait(lambda s: any(w["label"] == "button:Start batch" for w in s["widgets"]), "the end of the question")
        self.assertEqual(self.results(), {**results, "001.png": b"somebody's own"})
        start()
        window.click("button:Use other names")
        self.summary(window, "4 of 4 images; finished")
        others = {f"{name}-2.png": results[f"{name}.png"] for name in self.names}
        self.assertEqual(self.results(), {**results, **others, "001.png": b"somebody's own"})
        start()
        window.click("button:Overwrite them")
        self.summary(window, "4 of 4 images; finished")
        self.assertEqual(self.results(), {**results, **others})

    def test_by_keyboard(self):
        """From a closed dialog to the results, and over the folder's dialog."""
        window = self.open_folder(3)
        window.key("Escape")
        window.wait(lambda s: not any(w["panel"] == "batch" for w in s["widgets"]), "the dialog to close")
        window.key("b", "Control_L")
        window.widget("button:Start batch")
        for _ in range(9):  # it begins on the button that acts; Tab goes round
            window.key("Tab")
            focus = next(w["rect"] for w in window.state()["widgets"] if w["label"] == "focus")
            if focus == window.widget("button:Choose..."):
                break
        else:
            self.fail("Tab never reaches the choice of a folder")
        window.key("space")
        window.widget("Filter")
        window.key("Escape")
        window.widget("button:Start batch")
        window.key("Return")
        self.summary(window, "3 of 3 images; finished")
        self.assertEqual(len(self.results()), 3)

    def test_open_images(self):
        window = self.open(*SETTINGS, asset("night.png"), asset("balloons.jpg"))
        window.settle()
        window.key("b", "Control_L")
        self.folder = window.folder.name
        window.click("Results of the batch")
        window.key("a", "Control_L")
        for letter in self.folder + "/results/":  # a folder stands for PNG files in it
            window.type(letter)
        window.click("button:Start batch")
        self.summary(window, "2 of 2 images; finished")
        self.assertEqual(sorted(self.results()), ["balloons.png", "night.png"])
        expected = os.path.join(window.folder.name, "expected")
        os.mkdir(expected)
        subprocess.run([BINARY, "--headless", "--backend", BACKEND, *SETTINGS, "-i", asset("night.png"), asset("balloons.jpg"), "-o", expected],
                       check=True, timeout=60, stdout=subprocess.DEVNULL)
        for name, content in self.results().items():
            with open(os.path.join(expected, name), "rb") as file:
                self.assertEqual(content, file.read(), name)

    def test_pause_and_stop(self):
        window = self.open_folder(150, 500, 400)
        window.click("button:Start batch")
        wait_until(lambda: len(self.results()) > 2, "the first results")
        window.click("button:Pause batch")
        self.summary(window, "; paused")
        # Images that are under way go on.
        window.wait(lambda s: not any(w["label"] == "progress" and w["rect"][3] < 5 for w in s["widgets"]), "nothing under way")
        window.rest()
        count = len(self.results())
        self.assertLess(count, 150)
        stays(lambda: len(self.results()) == count, "the number of results", 1)
        window.key("Escape")
        self.wait_value(window, "status:batch", lambda value: value == f"batch: {count} of 150, paused", "the status bar")
        window.click("status:batch")
        window.click("button:Resume batch")
        wait_until(lambda: len(self.results()) > count, "more results")
        window.click("button:Stop batch")
        self.summary(window, "; stopped")
        results = self.results()
        self.assertLess(len(results), 150)
        self.expect_whole(results)

    def test_closing_the_window(self):
        window = self.open_folder(150, 500, 400)
        window.click("button:Start batch")
        window.key("Escape")
        wait_until(lambda: len(self.results()) > 2, "the first results")
        window.ask_to_close()
        window.click("button:Keep on")
        window.wait(lambda s: not any(w["label"] == "button:Keep on" for w in s["widgets"]), "the end of the question")
        count = len(self.results())
        wait_until(lambda: len(self.results()) > count, "more results")
        window.ask_to_close()
        window.click("button:Stop and close")
        self.assertEqual(window.process.wait(PATIENCE_S), 0)
        results = self.results()
        self.assertLess(len(results), 150)
        self.expect_whole(results)
        window.errors.seek(0)
        self.assertRegex(window.errors.read(), r"(?m)^tonescope: the batch was stopped when \d+ of 150 images were done$")


if __name__ == "__main__":
    main()
