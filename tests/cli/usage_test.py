"""Names, values and modes: what is refused, and that the line says what is allowed."""
import os

import harness
from harness import Case

HEADLESS = ("--headless", "-i", "a.pgm", "-o", "out.pgm")


class Modes(Case):
    def test_version(self):
        self.assertRegex(self.good("--version").out, r"\Atonescope \d+\.\d+\.\d+\n\Z")

    def test_help_names_everything(self):
        for flag in ("--help", "-h"):
            text = self.good(flag).out
            for option in ("--headless", "-i", "-o", "--op", "--variant", "--set", "--report", "--compare", "--list",
                           "--json", "--screenshot", "--size", "--frames", "--info", "--help", "--version",
                           "--backend", "--device", "--memory", "--preset", "--ui-state", "--source"):
                self.assertIn(option, text)
            for op in harness.listing()["operators"]:
                for name in [op["id"]] + [p["id"] for p in op["parameters"]] + [v["id"] for v in op["variants"]]:
                    self.assertIn(name, text)

    def test_info_without_display_and_gpu(self):
        env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        text = self.good("--info", env=env).out
        lines = dict(line.split(":", 1) for line in text.splitlines())
        for key in ("version", "compiler", "CUDA toolkit", "CPU backend", "CUDA backend", "OpenGL", "interop", "GLFW",
                    "Dear ImGui"):
            self.assertTrue(lines[key].strip(), key)
        self.assertIn("no display", lines["OpenGL"])
        self.assertTrue(lines["interop"].strip().startswith("off: "))
        self.assertEqual("not available" not in lines["CUDA backend"], harness.has_cuda())

    def test_modes_exclude_each_other(self):
        self.bad(2, "--list", "--info", says=("--list", "--info"))
        self.bad(2, *HEADLESS, "--list", says=("--headless", "--list"))
        self.bad(2, *HEADLESS, "--screenshot", "s.png", says=("--headless", "--screenshot"))

    def test_options_need_their_mode(self):
        self.bad(2, "-i", "a.pgm", says=("-i", "--headless"))
        self.bad(2, "-o", "out.pgm", "a.pgm", says=("-o", "--headless"))
        self.bad(2, "--report", "r.json", says=("--report", "--headless"))
        self.bad(2, "--compare", "-i", "a.pgm", "-o", "c.csv", says="--headless")
        self.bad(2, "--compare", says="needs an image")
        self.bad(2, "--compare", "--list", says="--compare works only with")
        self.bad(2, "--json", says="--list")
        self.bad(2, "--frames", "3", "a.pgm", says="--screenshot")
        self.bad(2, *HEADLESS, "--size", "800x600", says="--size")
        self.bad(2, "--list", "a.pgm", says="takes no images")

    def test_headless_needs_input_and_output(self):
        self.bad(2, "--headless", says="-i IN")
        self.bad(2, "--headless", "-o", "out.pgm", says="-i IN")
        self.bad(2, "--headless", "-i", "a.pgm", says="-o OUT")
        self.bad(2, "--headless", "a.pgm", "-o", "out.pgm", says="-i")
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "", says="-o is empty")
        self.bad(2, "--headless", "-i", "", "-o", "out.pgm", says="empty")

    def test_unknown_options_and_missing_values(self):
        self.bad(2, "--bogus", says=("--bogus", "--help"))
        self.bad(2, "-x", says="-x")
        for option in ("--op", "--variant", "--set", "--backend", "--device", "--memory", "--report", "-o", "-i",
                       "--screenshot", "--size", "--frames", "--ui-state"):
            self.bad(2, option, says=option)

    def test_screenshot_is_checked(self):
        self.bad(2, "--screenshot", "s.jpg", says=".png")
        for size in ("319x200", "320x199", "16385x200", "320x16385", "320", "x", "320x", "320x200x3", "-320x200",
                     "320X200", "1e3x1000"):
            self.bad(2, "--screenshot", "s.png", "--size", size, says=("--size", "320x200 to 16384x16384"))
        for frames in ("0", "-1", "x", "1.5"):
            self.bad(2, "--screenshot", "s.png", "--frames", frames, says="--frames")

    def test_standard_output_that_is_full(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        import subprocess
        with open("/dev/full", "wb") as full:
            done = subprocess.run([harness.PROGRAM, "--list"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (1, 1))


class Names(Case):
    """Everywhere: they are refused in the window's modes too, before a window opens."""

    def both(self, *args, says):
        self.bad(2, *HEADLESS, *args, says=says)
        self.bad(2, "a.pgm", *args, says=says)
        self.bad(2, "--screenshot", "s.png", *args, "a.pgm", says=says)

    def test_operator(self):
        self.both("--op", "sobel", says=["sobel"] + [op["id"] for op in harness.listing()["operators"]])

    def test_variant(self):
        for op in harness.listing()["operators"]:
            self.both("--op", op["id"], "--variant", "warp9", says=[op["id"]] + [v["id"] for v in op["variants"]])

    def test_backend(self):
        self.both("--backend", "opencl", says=("opencl", "auto, cpu or cuda"))

    def test_variant_against_backend(self):
        for op in harness.listing()["operators"]:
            for variant in op["variants"][:2] + op["variants"][-2:]:
                other = "cpu" if variant["backend"] == "cuda" else "cuda"
                self.both("--op", op["id"], "--variant", variant["id"], "--backend", other,
                          says=(variant["id"], variant["backend"]))

    def test_memory(self):
        modes = harness.listing()["memory_modes"]
        self.assertEqual(modes, ["pageable", "pinned", "mapped", "managed", "overlapped"])
        self.both("--memory", "shared", says=["shared"] + modes)
        for mode in modes:
            self.good(*HEADLESS, "--backend", "cpu", "--memory", mode)

    def test_memory_that_a_variant_fixes(self):
        for op in harness.listing()["operators"]:
            for variant in op["variants"]:
                if variant["memory"]:
                    other = "pinned" if variant["memory"] != "pinned" else "pageable"
                    self.both("--op", op["id"], "--variant", variant["id"], "--memory", other,
                              says=(variant["id"], variant["memory"]))

    def test_device(self):
        for device in ("-1", "x", "1.5", "99999999999", "1024"):
            self.both("--device", device, says=("--device", device))
        self.good(*HEADLESS, "--backend", "cpu", "--device", "0")

    def test_set(self):
        self.both("--set", "tile_size", says="NAME=VALUE")
        self.both("--set", "=3", says="NAME=VALUE")
        for op in harness.listing()["operators"]:
            self.both("--op", op["id"], "--set", "warp=3", says=["warp=3"] + [p["id"] for p in op["parameters"]])
            for parameter in op["parameters"]:
                if parameter["kind"] == "choice":
                    self.both("--op", op["id"], "--set", parameter["id"] + "=warp",
                              says=(parameter["id"] + "=warp", ", ".join(parameter["values"])))

    def test_every_parameter_has_its_range(self):
        for op in harness.listing()["operators"]:
            for parameter in op["parameters"]:
                name, args = parameter["id"], (*HEADLESS, "--backend", "cpu", "--op", op["id"], "--set")
                out = ("-o", "out.png")
                if parameter["kind"] == "choice":
                    for value in parameter["values"]:
                        self.good(*args, f"{name}={value}", *out)
                    self.bad(2, *args, f"{name}=neither", *out, says=parameter["values"])
                    continue
                for value in (parameter["min"], parameter["max"], parameter["default"]):
                    self.good(*args, f"{name}={value}", *out)
                step = parameter["step"]
                for value in (parameter["min"] - step, parameter["max"] + step, "abc", "", "1e1", "nan",
                              parameter["min"] + step / 10):
                    self.bad(2, *args, f"{name}={value}", *out, says=(name, str(parameter["max"])))

    def test_the_last_value_counts(self):
        op, parameter = next((op["id"], p) for op in harness.listing()["operators"] for p in op["parameters"]
                             if p["kind"] == "int")
        name, first, last = parameter["id"], parameter["max"], parameter["min"]
        self.good(*HEADLESS, "--op", op, "--set", f"{name}={first}", "--set", f"{name}={last}", "--report", "r.json")
        self.assertEqual(self.read_json("r.json")["parameters"][name], last)


if __name__ == "__main__":
    harness.main()
