"""What the end-to-end tests share: their arguments, the base class of a test with a window, and images.

Every file of tests is run as

    python3 FILE_test.py PATH/TO/tonescope ASSETS_FOLDER [unittest arguments]

With an NVIDIA GPU: TONESCOPE_E2E_BACKEND=cuda, and TONESCOPE_E2E_DISPLAY=:N for a display whose OpenGL is the GPU's.
"""

import os
import sys
import tempfile
import unittest

from driver import PATIENCE_S, Display, WaylandDisplay, Window, stays, wait_until
from image_files import write_ppm

BACKEND = os.environ.get("TONESCOPE_E2E_BACKEND", "cpu")
BINARY, ASSETS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def asset(name):
    return os.path.join(ASSETS, name)


def colorful(x, y):
    """A pixel for write_ppm."""
    return tuple((x * 7 + y * 3 + c * 40) % 256 for c in range(3))


TWO_WIDTH, TWO_HEIGHT = 120, 80


def two_values(x, _):
    """Left half dark, right half light, low in contrast: histogram equalization spreads the two values to 0 and 255."""
    return (100,) * 3 if x < TWO_WIDTH // 2 else (120,) * 3


SMALL = "960x600"  # has all panels; software OpenGL takes a quarter less time for a test


class WindowTest(unittest.TestCase):
    size = "1280x800"  # of windows, where a test does not say
    drawn = False  # likewise; True: their pixels are judged

    @classmethod
    def setUpClass(cls):
        cls.display = Display()

    @classmethod
    def tearDownClass(cls):
        cls.display.close()

    def open(self, *args, size=None, drawn=None, **kwargs):
        backend = () if "--backend" in args else ("--backend", BACKEND)
        drawn = self.drawn if drawn is None else drawn
        window = Window(BINARY, self.display, *backend, *args, size=size or self.size, drawn=drawn, **kwargs)
        self.addCleanup(window.close)
        return window

    def open_two_values(self, **kwargs):
        """Before shows 100 and 120, after 0 and 255."""
        window = self.open("--op", "he", **kwargs)
        path = os.path.join(window.folder.name, "two.ppm")
        write_ppm(path, TWO_WIDTH, TWO_HEIGHT, two_values)
        window.drop(path)
        window.settle()
        window.move(3, 3)
        return window

    def run_command(self, window, typed, title):
        """By the palette."""
        window.key("p", "Control_L", "Shift_L")
        window.widget("Command")
        window.type(typed)
        window.wait(lambda s: any(w["label"] == "command:" + title and w["value"] == "current" for w in s["widgets"]), title)
        window.key("Return")
        window.wait(lambda s: not any(w["label"] == "Command" for w in s["widgets"]), "the palette to close")

    def value(self, window, label):
        return next((w["value"] for w in window.state()["widgets"] if w["label"] == label), None)

    def wait_value(self, window, label, accept, what):
        window.wait(lambda s: any(w["label"] == label and accept(w["value"]) for w in s["widgets"]), what)
        return self.value(window, label)

    def view_pixels(self, window, name):
        x, y, w, h = window.widget(name)
        side = int(min(w, h) * 0.5)
        return window.pixels(x + (w - side) / 2, y + (h - side) / 2, side, side)

    def wait_pixels(self, window, name, differ_from):
        """The pictures on screen follow the state by a frame or two."""
        def other():
            now = self.view_pixels(window, name)
            return now if now != differ_from else None
        return wait_until(other, f"other pixels in {name}")


class FolderTest(WindowTest):
    """A folder of its own with a picture in it, where the program also keeps its state."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tonescope-e2e-")
        self.addCleanup(folder.cleanup)
        self.dir = folder.name
        self.image = self.path("first.ppm")
        write_ppm(self.image, 160, 120, colorful)
        self.env = {f"XDG_{name}_HOME": self.path(name.lower()) for name in ("CONFIG", "STATE", "CACHE")}

    def path(self, *names):
        return os.path.join(self.dir, *names)

    def open(self, *args, size=None, drawn=None, **kwargs):
        """Environment variables as keywords."""
        return super().open(*args, size=size, drawn=drawn, env={**self.env, **kwargs})

    def quit(self, window):
        window.key("q", "Control_L")
        self.assertEqual(window.process.wait(PATIENCE_S), 0)
        window.close()

    def state_file(self):
        return self.path("state", "tonescope", "state.json")


def main():
    unittest.main(module="__main__", argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
