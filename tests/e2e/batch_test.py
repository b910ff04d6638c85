"""End-to-end tests of batches in the window."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BACKEND, BINARY, WindowTest, colorful, main, stays, wait_until  # noqa: E402
from image_files import write_ppm  # noqa: E402


class Batches(WindowTest):
    def open_folder(self, count, width, height):
        window = self.open("--op", "clahe", "--set", "clip_limit=6")
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
        folder = os.path.join(self.folder, "results")
        content = {}
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            with open(os.path.join(folder, name), "rb") as file:
                content[name] = file.read()
        return content

    def summary(self, window, text):
        window.wait(lambda s: any(w["label"] == "batch" and w["value"].startswith(text) for w in s["widgets"]), text)

    def test_a_folder(self):
        window = self.open_folder(5, 90, 60)
        with open(os.path.join(self.folder, "damaged.ppm"), "wb") as file:
            file.write(b"P6\n9 9\n255\n")
        window.click("button:Start")
        self.summary(window, "6 of 6 images, 1 failed; finished")
        self.assertTrue(window.has_widget("button:Copy the failures"))
        expected = os.path.join(window.folder.name, "expected")
        os.mkdir(expected)
        inputs = [os.path.join(self.folder, name + ".ppm") for name in self.names]
        subprocess.run([BINARY, "--headless", "--backend", BACKEND, "--op", "clahe", "--set", "clip_limit=6", "-i", *inputs, "-o", expected],
                       check=True, timeout=60, stdout=subprocess.DEVNULL)
        results = self.results()
        self.assertEqual(sorted(results), [name + ".png" for name in self.names])
        for name, content in results.items():
            with open(os.path.join(expected, name), "rb") as file:
                self.assertEqual(file.read(), content, name)

        # Nothing is overwritten without an answer.
        first = os.path.join(self.folder, "results", self.names[0] + ".png")
        second = os.path.join(self.folder, "results", self.names[1] + ".png")
        with open(first, "wb") as file:
            file.write(b"somebody's own")
        os.remove(second)
        window.click("button:Start")
        self.summary(window, "4 of 6 results are there already")
        window.click("button:Leave them out")
        self.summary(window, "2 of 2 images, 1 failed; finished")
        self.assertEqual(self.results()[os.path.basename(first)], b"somebody's own")
        self.assertEqual(self.results()[os.path.basename(second)], results[os.path.basename(second)])
        window.click("button:Start")
        self.summary(window, "5 of 6 results are there already")
        window.click("button:Cancel")
        self.assertEqual(self.results()[os.path.basename(first)], b"somebody's own")
        window.click("button:Start")
        self.summary(window, "5 of 6 results are there already")
        window.click("button:Replace them")
        self.summary(window, "6 of 6 images, 1 failed; finished")
        self.assertEqual(self.results(), results)

    def test_pause_and_stop(self):
        window = self.open_folder(150, 500, 400)
        window.click("button:Start")
        wait_until(lambda: len(self.results()) > 2, "the first results")
        window.click("button:Pause")
        window.wait(lambda s: any(w["label"] == "batch" and w["value"].endswith("; paused") for w in s["widgets"]), "the pause")
        window.rest()
        count = len(self.results())
        self.assertLess(count, 150)
        stays(lambda: len(self.results()) == count, "the number of results", 1)
        window.key("Escape")
        window.wait(lambda s: any(w["label"] == "status:batch" and w["value"].endswith(", paused") for w in s["widgets"]), "the status bar")
        window.key("b", "Control_L")
        window.click("button:Go on")
        wait_until(lambda: len(self.results()) > count, "more results")
        window.click("button:Stop")
        window.wait(lambda s: any(w["label"] == "batch" and w["value"].endswith("; stopped") for w in s["widgets"]), "the end")
        left = self.results()
        self.assertLess(len(left), 150)
        for name, content in left.items():
            self.assertTrue(name.endswith(".png") and content.endswith(b"IEND\xaeB`\x82"), name)


if __name__ == "__main__":
    main()
