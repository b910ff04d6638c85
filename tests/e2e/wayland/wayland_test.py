"""The window as a native Wayland client, in Weston.

GLFW must know Wayland: release 3.4, or Debian's libglfw3-wayland, whose folder TONESCOPE_WAYLAND_GLFW names.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from case import (BACKEND, BINARY, PATIENCE_S, FolderTest, WaylandDisplay, Window, asset, main,  # noqa: E402
                  wait_until)


class WaylandTest(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.display = WaylandDisplay("1000x640")

    def open(self, *args):
        """Without X, of which the program is told nothing."""
        folders = [os.environ[name] for name in ("TONESCOPE_WAYLAND_GLFW", "LD_LIBRARY_PATH") if os.environ.get(name)]
        env = dict(self.env, LD_LIBRARY_PATH=":".join(folders), XDG_SESSION_TYPE="wayland")
        # With GLFW's frame as large as the screen: what Weston makes it later does not fit the first picture, which it calls an error.
        window = Window(BINARY, self.display, "--backend", BACKEND, *args, size="992x612", env=env)
        self.addCleanup(window.close)
        return window


class Use(WaylandTest):
    def test_pictures_keys_and_pointer(self):
        window = self.open("--op", "clahe", asset("balloons.jpg"))
        with open(f"/proc/{window.process.pid}/maps") as maps:
            self.assertIn("libwayland-client", maps.read())
        window.settle()

        # What is drawn arrives on the screen, and follows a change.
        def colors():
            return {tuple(c // 16 for c in pixel) for row in self.view_pixels(window, "view:after") for pixel in row}
        wait_until(lambda: len(colors()) > 20, "a picture on the screen")
        with_clahe = self.view_pixels(window, "view:after")
        self.run_command(window, "operator kuwahara", "Operator: Kuwahara")
        window.wait(lambda s: s["document"]["operator"] == "kuwahara", "what was typed in the palette")
        window.settle()
        self.wait_pixels(window, "view:after", with_clahe)

        # The pointer
        radius = window.settle()["document"]["parameters"]["radius"]
        window.drag(window.center("Radius", 0.3), window.center("Radius", 0.8), steps=4)
        window.wait(lambda s: s["document"]["parameters"]["radius"] > radius, "a slider that was dragged")
        zoom = window.state()["view"]["zoom"]
        window.wheel(*window.center("view:after"), 2)
        window.wait(lambda s: s["view"]["zoom"] > zoom, "the wheel")
        window.click("button:Save result...")
        window.widget("File name")

        # The keyboard
        window.key("a", "Control_L")
        window.type(self.path("out.png"))
        window.key("Return")
        window.notice("out.png")
        self.assertTrue(os.path.exists(self.path("out.png")))
        area = self.value(window, "focus area")
        window.key("F6")
        self.wait_value(window, "focus area", lambda v: v != area, "the keyboard in the next area")

        window.settle()
        window.rest()
        used = window.cpu_s()
        wait_until(lambda: window.state()["resting"], "an idle window")
        self.assertLess(window.cpu_s() - used, 1)
        window.key("q", "Control_L")
        self.assertEqual(window.process.wait(PATIENCE_S), 0)


class Loss(WaylandTest):
    def test_ends_with_its_compositor(self):
        window = self.open(asset("balloons.jpg"))
        window.settle()
        self.display.compositor.kill()
        self.assertEqual(window.process.wait(PATIENCE_S), 1)
        window.errors.seek(0)
        self.assertIn("the Wayland compositor is gone", window.errors.read())


if __name__ == "__main__":
    main()
