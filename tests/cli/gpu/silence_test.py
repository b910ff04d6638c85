"""A GPU whose driver neither answers nor ends: runs without a window, and a window that was to use it, come to their end."""
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir))
import harness  # noqa: E402

LINE = "the GPU does not answer"
PATIENCE_S = 60  # 10 for the device, 2 for the end, and the rest for a machine with other work


class Silence(harness.Case):
    def start(self, *args):
        """All runs of a test wait side by side."""
        return subprocess.Popen([harness.PROGRAM, *args], cwd=self.dir, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def setUp(self):
        super().setUp()
        library = self.path("libcuda.so.1")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, os.path.join(HERE, "silent_driver.c")], check=True)
        self.env = {**os.environ, "LD_LIBRARY_PATH": self.dir}

    def test_the_program_goes_on_with_the_cpu_or_ends(self):
        image = ["-i", "a.pgm"]
        begin = time.monotonic()
        forced = ["--headless", "--backend", "cuda", "--op", "he", *image, "-o", "forced.png"]
        sweep = ["--headless", "--op", "clahe", *image, "--sweep", "clip_limit=1,2", "-o", "sweep.csv"]
        runs = {"info": self.start("--info"), "list": self.start("--list"), "forced": self.start(*forced), "sweep": self.start(*sweep),
                "window": self.start("--backend", "cuda", "--screenshot", "window.png")}
        self.addCleanup(lambda: [run.kill() for run in runs.values()])
        done = {name: (*run.communicate(timeout=120), run.returncode) for name, run in runs.items()}
        self.assertLess(time.monotonic() - begin, PATIENCE_S)
        self.assertIn(f"not available: {LINE}", done["info"][0])
        self.assertRegex(done["info"][0], f"interop: +off: ({LINE}|needs OpenGL)")
        self.assertIn(f"CUDA is not available: {LINE}", done["list"][0])
        self.assertEqual([done[name][2] for name in ("info", "list", "sweep")], [0, 0, 0], done)
        self.assertEqual(done["forced"], ("", f"tonescope: --backend cuda, which is not available: {LINE}\n", 1))
        self.assertFalse(os.path.exists(self.path("forced.png")))
        self.assertTrue(os.path.exists(self.path("sweep.csv")))
        self.assertEqual(done["window"][2], 1)
        if "DISPLAY" in os.environ:
            self.assertEqual(done["window"][1], f"tonescope: {LINE}\n")


if __name__ == "__main__":
    if not any(v["backend"] == "cuda" for v in harness.variants("he")) or "no CUDA backend" in harness.run("--info").out:
        print("skipped: a build without CUDA")
        sys.exit(harness.SKIPPED)
    harness.main()
