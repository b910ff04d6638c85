"""End-to-end tests of how the window ends: while something hangs, by signals, and without its display."""

import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BACKEND, BINARY, PATIENCE_S, SMALL, Display, FolderTest, colorful, main, write_ppm  # noqa: E402
from image_files import png_size  # noqa: E402
from slow_disk import SlowDisk  # noqa: E402


class Ending(FolderTest):
    size = SMALL

    def setUp(self):
        super().setUp()
        self.disk = SlowDisk(self.dir)
        for name in ("a.ppm", "b.ppm"):
            write_ppm(self.disk.path(name), 120, 60, colorful)
        self.target = self.disk.path("a-clahe.png")

    def open(self, *args):
        window = super().open(*args, **self.disk.environment)
        window.settle()
        return window

    def save(self, window):
        """Returns while the file is being written, over an older one."""
        with open(self.target, "w") as file:
            file.write("older")
        window.key("s", "Control_L")
        window.click("button:Save")
        window.widget("button:Replace")
        self.disk.stall(".write")
        window.click("button:Replace")
        self.disk.wait_for_writing(window.process)

    def ended(self, window):
        """The exit status and what the program said."""
        status = window.process.wait(PATIENCE_S)
        window.errors.seek(0)
        return status, window.errors.read()

    def assert_nothing_is_left(self):
        self.assertEqual(self.disk.temporary_files(), [])
        self.assertTrue(os.path.exists(self.state_file()))

    def assert_old_file_stands(self):
        with open(self.target) as file:
            self.assertEqual(file.read(), "older")
        self.assert_nothing_is_left()

    def assert_saved(self):
        self.assertEqual(png_size(self.target), (120, 60))
        self.assert_nothing_is_left()

    def test_a_disk_that_never_answers(self):
        window = self.open(self.image)
        self.disk.stall()
        window.drop(self.disk.path("b.ppm"))
        window.wait(lambda s: s["busy"], "the disk")
        window.ask_to_close()
        status, said = self.ended(window)
        self.assertEqual(status, 0)
        self.assertRegex(said, r"\Atonescope: ended without waiting for [^\n]* \(Looking for images\)\n\Z")
        self.assert_nothing_is_left()

    def test_a_save_that_never_ends(self):
        window = self.open(self.disk.path("a.ppm"))
        self.save(window)
        window.ask_to_close()
        window.notice(self.target)
        status, said = self.ended(window)
        self.assertEqual(status, 0)
        self.assertIn(f"tonescope: not saved: {self.target}: no answer from disk, GPU or clipboard\n", said)
        self.assert_old_file_stands()

    def test_a_signal_lets_a_save_finish(self):
        window = self.open(self.disk.path("a.ppm"))
        self.save(window)
        self.disk.creep_on()
        window.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.ended(window)[0], -signal.SIGTERM)
        self.assert_saved()

    def test_the_x_server_dies(self):
        own, display = self.display, Display()
        self.addCleanup(display.close)
        self.display = display
        window = self.open(self.disk.path("a.ppm"))
        self.display = own
        self.save(window)
        self.disk.creep_on()
        display.process.kill()
        self.assertEqual(self.ended(window), (1, "tonescope: the X server is gone\n"))
        self.assert_saved()

    def test_odd_surroundings(self):
        gone = self.path("gone")
        os.mkdir(gone)
        picture = self.path("shot.png")
        command = ["sh", "-c", 'cd "$1" && rmdir "$1" && shift && exec "$@"', "sh", gone, BINARY, "--backend", BACKEND,
                   "--screenshot", picture, "--size", "700x500", self.image]
        done = subprocess.run(command, env={"DISPLAY": self.display.name, "TMPDIR": gone, "LC_ALL": "xx_YY.odd", "XDG_STATE_HOME": gone,
                                            "XDG_CONFIG_HOME": "/dev/null", "XDG_CACHE_HOME": "odd", "MESA_SHADER_CACHE_DISABLE": "true", "PATH": os.environ["PATH"]},
                              timeout=120, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(png_size(picture), (700, 500))


if __name__ == "__main__":
    main()
