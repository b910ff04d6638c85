"""End-to-end tests of what is kept between runs, and of the start page that shows it."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import ASSETS, BINARY, FolderTest, main  # noqa: E402


class State(FolderTest):
    def test_state_is_kept(self):
        window = self.open(self.image, "--op", "kuwahara")
        window.settle()
        window.drag(window.center("Radius", 0.2), window.center("Radius", 0.8))
        window.wait(lambda s: s["document"]["parameters"]["radius"] > 8, "a larger radius")
        radius = window.settle()["document"]["parameters"]["radius"]
        x, y, w, h = window.widget("splitter:left")
        window.drag((x + w / 2, y + h / 2), (x + w / 2 + 90, y + h / 2))
        self.run_command(window, "light", "Dark or light theme")
        width = window.widget("splitter:left")[0]
        self.quit(window)
        with open(self.state_file(), encoding="utf-8") as file:
            kept = json.load(file)
        self.assertEqual(kept["recent"], [self.image])
        self.assertEqual(kept["settings"]["theme"], "light")
        self.assertEqual(os.listdir(os.path.dirname(self.state_file())), ["state.json"], "nothing else is left there")

        window = self.open(drawn=True)
        state = window.wait(lambda s: s["recent"], "recent files")
        self.assertEqual(state["document"]["operator"], "kuwahara")
        self.assertEqual(state["document"]["parameters"]["radius"], radius)
        self.assertAlmostEqual(window.widget("splitter:left")[0], width, delta=1)
        r, g, b = window.pixels(6, 300, 1, 1)[0][0]
        self.assertGreater(min(r, g, b), 200, "the light theme")
        window.widget("sample:fog.png")  # what stands above is there
        window.click("recent:first.ppm")
        window.wait(lambda s: s["document"]["image"] == self.image, "the recent file")
        self.quit(window)

        window = self.open("--set", "clip_limit=7")
        self.assertEqual(window.state()["document"]["operator"], "clahe", "the command line comes first")

    def test_a_damaged_state_is_set_aside(self):
        os.makedirs(os.path.dirname(self.state_file()))
        with open(self.state_file(), "w") as file:
            file.write('{"version": 1, "settings": [')
        window = self.open(self.image)
        state = window.settle()
        self.assertEqual([n["severity"] for n in state["notices"]], ["warning"])
        self.assertIn(".damaged", state["notices"][0]["text"])
        self.assertTrue(os.path.exists(self.state_file() + ".damaged"))
        self.quit(window)
        with open(self.state_file()) as file:
            self.assertEqual(json.load(file)["version"], 1)

    def test_two_windows_keep_each_others_recent_files(self):
        sample = os.path.join(ASSETS, "fog.png")
        windows = [self.open(image) for image in (self.image, sample)]
        for window in windows:
            window.settle()
        for window in windows:
            self.quit(window)
        with open(self.state_file(), encoding="utf-8") as file:
            self.assertEqual(sorted(json.load(file)["recent"]), sorted([self.image, sample]))

    def test_what_is_no_state_is_left_alone(self):
        folder = os.path.join(self.state_file(), "holiday")
        os.makedirs(folder)
        window = self.open(self.image)
        state = window.settle()
        self.assertEqual([n["severity"] for n in state["notices"]], ["warning"])
        self.assertIn(self.state_file() + ": ", state["notices"][0]["text"])
        self.quit(window)
        self.assertEqual(os.listdir(os.path.dirname(self.state_file())), ["state.json"])
        self.assertTrue(os.path.isdir(folder))

    def test_screenshots_leave_the_state_alone(self):
        environment = {**os.environ, **self.env, "DISPLAY": self.display.name}
        done = subprocess.run([BINARY, "--screenshot", self.path("s.png"), "--size", "800x600", self.image],
                              env=environment, timeout=120)
        self.assertEqual(done.returncode, 0)
        self.assertFalse(os.path.exists(self.path("state")))

    def test_start_page(self):
        window = self.open()
        for name in ("balloons.jpg", "fog.png", "planet.png"):
            window.widget("sample:" + name)
        window.click("sample:fog.png")
        window.wait(lambda s: (s["document"]["image"] or "").endswith("fog.png"), "the sample")
        window.settle()
        title = window.window.get_full_text_property(window.x.intern_atom("_NET_WM_NAME"))
        self.assertTrue(title.startswith("fog.png"), title)
        window.key("w", "Control_L")
        window.widget("recent:fog.png")

    def test_missing_recent_files_are_marked(self):
        window = self.open(self.image)
        window.settle()
        self.quit(window)
        os.remove(self.image)
        window = self.open()
        window.wait(lambda s: [r["missing"] for r in s["recent"]] == [True], "the missing file")
        self.run_command(window, "forget", "Forget the recent files")
        window.wait(lambda s: s["recent"] == [], "none")


if __name__ == "__main__":
    main()
