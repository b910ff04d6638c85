"""End-to-end tests of sessions: saved, and opened again with the same state, from the command line and dropped."""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BINARY, FolderTest, main  # noqa: E402
from image_files import write_png, write_ppm  # noqa: E402


def lasting(state):
    """What a session brings back of --ui-state: all but times, what has passed, and what the window's state has."""
    document = {key: value for key, value in state["document"].items() if key not in ("device", "presenter_reason")}
    for image in document["images"]:
        del image["has_thumbnail"]
    passing = ("timings", "frame", "status", "notices", "images", "kernels", "keyboard")
    widgets = sorted((w["label"], w["rect"]) for w in state["widgets"]
                     if w["panel"] not in passing and w["label"] != "focus area" and " suggestion " not in w["label"])  # these come when they are computed
    return {"document": document, "widgets": widgets,
            **{key: state.get(key) for key in ("view", "histogram", "clipping", "part", "windows", "grid", "compared_with", "window")}}


class Session(FolderTest):
    maxDiff = None

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("work"))
        for name, shift in (("first", 0), ("second", 50), ("other", 90)):
            write_ppm(self.path("work", name + ".ppm"), 320, 240,
                      lambda x, y, shift=shift: tuple((x * 3 + y * 2 + c * 40 + shift) % 200 for c in range(3)))
        self.images = [self.path("work", name + ".ppm") for name in ("first", "second")]

    def at_rest(self, window):
        window.move(3, 3)
        window.settle()
        return window.wait(lambda s: s["resting"] and not s["notices"] and s["histogram"], "the window at rest")

    def make(self):
        """A window with much that differs from how a window starts."""
        window = self.open(*self.images, "--op", "clahe")
        window.settle()
        window.drag(window.center("Clip limit", 0.3), window.center("Clip limit", 0.7))
        window.click("image:second.ppm")
        window.wait(lambda s: s["document"]["image"] == self.images[1], "the second image")
        x, y, w, h = window.widget("view:before")
        window.drop(self.path("work", "other.ppm"), at=(x + w / 2, y + h / 2))
        window.wait(lambda s: s["compared_with"], "the reference")
        window.drag((x + w / 2 - 40, y + h / 2), (x + w / 2 + 40, y + h / 2), button=3)  # the window of samples
        window.key("3")
        window.key("r")
        self.run_command(window, "200", "Zoom to 200 %")
        window.wait(lambda s: s["view"]["zoom"] == 2, "the zoom")
        window.key("Left", "Alt_L")
        self.run_command(window, "select the vis", "Select the visible part for the histograms")
        window.key("s", "Alt_L")  # ... and filters that alone
        self.run_command(window, "select the vis", "Select the visible part for the histograms")
        window.key("h")
        window.key("c")
        x, y, w, h = window.widget("splitter:left")
        window.drag((x + w / 2, y + h / 2), (x + w / 2 + 60, y + h / 2))
        return window

    def save(self, window, name):
        window.key("s", "Control_L", "Alt_L")
        window.click("File name")
        window.key("a", "Control_L")
        window.type(name)
        window.key("Return")
        self.assertIn(name, window.notice("Saved"))

    def test_it_comes_back(self):
        window = self.make()
        self.save(window, "all.tonescope")
        before = lasting(self.at_rest(window))
        self.assertEqual(before["view"]["mode"], "wipe")
        self.assertFalse(before["windows"]["before"]["full"])
        self.quit(window)
        session = self.path("work", "all.tonescope")
        with open(session, encoding="utf-8") as file:
            kept = json.load(file)
        self.assertEqual([image["path"] for image in kept["images"]], ["first.ppm", "second.ppm"])
        self.assertEqual(kept["images"][1]["reference"]["path"], "other.ppm")
        self.assertEqual(os.listdir(self.path("work")).count("all.tonescope"), 1)
        self.assertFalse([name for name in os.listdir(self.path("work")) if name.endswith(".tmp")])

        # Without the state of the window that has saved it: nothing else brings it back.
        shutil.rmtree(self.path("state"))
        window = self.open(session)
        self.assertEqual(lasting(self.at_rest(window)), before)
        self.quit(window)

        # Onto a window that shows something else, which can be undone.
        shutil.rmtree(self.path("state"))
        window = self.open(self.image, "--op", "kuwahara")
        window.settle()
        window.drop(session)
        window.wait(lambda s: s["document"]["image"] == self.images[1], "the session's image")
        window.wait(lambda s: s["compared_with"], "the reference")
        dropped = self.at_rest(window)
        self.assertTrue(dropped["can_undo"])
        self.assertEqual(dropped["recent"][1]["path"], session)
        self.assertEqual(lasting(dropped), before)
        window.key("z", "Control_L")
        window.wait(lambda s: s["document"]["operator"] == "kuwahara", "the operator from before")

    def test_each_image_has_its_reference(self):
        os.mkdir(self.path("theirs"))
        for name in ("first", "second"):
            write_ppm(self.path("theirs", name + ".png"), 320, 240, lambda x, y: (y % 200,) * 3)
        write_ppm(self.path("work", "third.ppm"), 320, 240, lambda x, y: (x % 200,) * 3)
        window = self.open(*self.images, self.path("work", "third.ppm"), "--op", "he", "--reference", self.path("theirs"))
        window.wait(lambda s: s["compared_with"].startswith("first.png"), "the first reference")
        window.click("image:second.ppm")
        window.wait(lambda s: s["compared_with"].startswith("second.png"), "the second reference")
        window.click("pin")
        window.wait(lambda s: not s["compared_with"], "the image")
        window.click("image:third.ppm")
        window.notice(self.path("theirs", "third.png"))
        # What the user chooses stays.
        window.click("image:second.ppm")
        window.wait(lambda s: s["document"]["image"] == self.images[1], "the second image")
        window.settle()
        self.assertFalse(window.state()["compared_with"], "it was released")

    def test_the_folder_moves_and_an_image_is_gone(self):
        window = self.open(*self.images, "--op", "he")
        window.settle()
        self.save(window, "all.tonescope")
        self.quit(window)
        os.rename(self.path("work"), self.path("moved"))
        os.remove(self.path("moved", "first.ppm"))
        session = self.path("moved", "all.tonescope")
        window = self.open(session, "--set", "range=full", "--op", "clahe")
        gone = self.path("moved", "first.ppm") + ": no such file"
        self.assertEqual(window.notice("no such file"), gone)
        window.wait(lambda s: s["document"]["image"] == self.path("moved", "second.ppm"), "the image that is there")
        state = window.settle()
        self.assertEqual([image["state"] for image in state["document"]["images"]], ["failed", "ready"])
        self.assertEqual(state["document"]["operator"], "clahe", "the command line comes first")
        self.quit(window)
        # A mask that is gone keeps its name.
        part = {"region": {"x": 2, "y": 3, "width": 20, "height": 10}, "mask": "gone.png", "mask_inverse": True}
        with open(session, encoding="utf-8") as file:
            kept = json.load(file)
        with open(session, "w", encoding="utf-8") as file:
            json.dump({**kept, "current": 2, "part": part}, file)
        shutil.rmtree(self.path("state"))
        window = self.open(session)
        self.assertIn("filtered without the mask", window.notice("gone.png"))
        window.settle()
        self.save(window, "again.tonescope")
        self.quit(window)
        with open(self.path("moved", "again.tonescope"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["part"], {**part, "feather": 0})
        screenshot = subprocess.run([BINARY, "--screenshot", self.path("x.png"), "--backend", "cpu", session], timeout=120, text=True,
                                    env=dict(os.environ, DISPLAY=self.display.name, **self.env), stderr=subprocess.PIPE, check=False)
        self.assertEqual((screenshot.returncode, screenshot.stderr), (1, f"tonescope: {gone}\n"))
        run = subprocess.run([BINARY, "--headless", "--backend", "cpu", "-i", self.image, "-o", self.path("by session.ppm"), "--preset",
                              session], timeout=60, check=False, capture_output=True)
        self.assertEqual(run.returncode, 0)
        subprocess.run([BINARY, "--headless", "--backend", "cpu", "-i", self.image, "-o", self.path("he.ppm"), "--op", "he"], timeout=60,
                       check=True, capture_output=True)
        with open(self.path("by session.ppm"), "rb") as one, open(self.path("he.ppm"), "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_images_that_come_later(self):
        """What a session has of a missing image is for that entry of the list, and the command line goes before it."""
        deep = self.path("work", "deep.png")
        rows = [b"".join((1000 + 10 * x).to_bytes(2, "big") for x in range(320))] * 240
        for name in ("own", "asked"):
            write_ppm(self.path(name + ".ppm"), 320, 240, lambda x, y: (255 * (x % 2),) * 3)
        asked = self.path("asked.ppm")
        part = {"mask": self.path("own.ppm")}
        session = self.path("work", "all.tonescope")
        with open(session, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "images": [{"path": "deep.png", "part": part}, {"path": "later.ppm", "part": part}], "operator": "he",
                       "windows": {"before": {"low": 5, "high": 700}, "linked": True}, "view": {"fit": False, "zoom": 3}, "part": part}, file)
        window = self.open(session, "--mask", asked)
        window.notice("deep.png: no such file")
        window.wait(lambda s: len(s["document"]["images"]) == 2, "the list")
        self.run_command(window, "close the im", "Close the image")
        window.wait(lambda s: len(s["document"]["images"]) == 1, "the other entry")
        write_png(deep, 320, 240, rows, bits=16, gray=True)
        window.drop(deep)
        window.wait(lambda s: s["document"]["image"] == deep, "the image")
        window.settle()
        state = window.wait(lambda s: s["resting"] and s["part"]["mask"], "the mask of the command line")
        self.assertEqual((state["windows"]["before"]["center"], state["windows"]["before"]["width"]), (2595, 3190), "its own")
        self.assertTrue(state["view"]["fit"])
        self.assertEqual(state["part"]["mask"], asked)
        write_ppm(self.path("work", "later.ppm"), 320, 240, lambda x, y: (x % 200,) * 3)
        window.click("image:later.ppm")
        window.wait(lambda s: s["document"]["image"].endswith("later.ppm"), "the image that has come")
        window.settle()
        state = window.wait(lambda s: s["resting"] and s["part"]["mask"], "its mask")
        self.assertEqual(state["part"]["mask"], asked, "the command line comes first")

    def test_what_is_no_session_is_left_alone(self):
        newer = self.path("newer.tonescope")
        with open(newer, "w", encoding="utf-8") as file:
            json.dump({"version": 2, "images": [{"path": "first.ppm"}]}, file)
        with open(newer, "rb") as file:
            content = file.read()
        window = self.open(self.image)
        window.settle()
        window.drop(newer)
        self.assertIn("newer version", window.notice(newer))
        self.assertEqual(window.settle()["document"]["image"], self.image, "what is open stays")
        self.quit(window)
        with open(newer, "rb") as file:
            self.assertEqual(file.read(), content)


if __name__ == "__main__":
    main()
