"""--code: the programs run, and come as near to the program's own result as their comments say."""
import importlib.util
import os
import random
import runpy
import shutil
import subprocess
import sys
import unittest
import unittest.mock

import harness
from harness import Case

LEVELS = {  # largest difference of a sample
    ("he", "opencv-python"): 1, ("he", "opencv-cpp"): 1, ("he", "scikit-image"): 2,
    ("clahe", "opencv-python"): 2, ("clahe", "opencv-cpp"): 2, ("clahe", "scikit-image"): 1,
    ("kuwahara", "opencv-python"): 0, ("kuwahara", "opencv-cpp"): 0, ("kuwahara", "scikit-image"): 0,
    ("he", "kornia"): 14, ("clahe", "kornia"): 12,
}
# Cases in which the tiles are the same.
SETS = {"he": [["color=luma"], ["color=channels"], ["color=gray"], ["color=value"], ["color=luma", "amount=40"], ["color=gray", "amount=70"]],
        "clahe": [["tiles=grid", "color=luma"], ["tiles=grid", "clip_unit=count", "clip_count=7", "color=gray"],
                  ["tile_size=24", "clip_limit=2.5", "color=channels"], ["tiles=grid", "color=value", "amount=65"]],
        "kuwahara": [["radius=1"], ["radius=7"]]}
# scikit-image's CLAHE stretches planes, but its exact tables are Tonescope's without a limit.
SCIKIT_CLAHE = [["tables=exact", "clip_limit=0", "tile_size=8", "color=luma"], ["tables=exact", "clip_limit=0", "tile_size=31", "color=channels"],
                ["tables=exact", "clip_unit=count", "clip_count=0", "tile_size=200", "color=gray"]]
# kornia's tiles have even sides, and small ones get much of the excess in their darkest bins.
KORNIA_CLAHE = [["tile_size=24", "clip_limit=0"], ["tile_size=24", "clip_limit=2.5", "color=channels"],
                ["tiles=grid", "grid_columns=4", "grid_rows=3", "clip_unit=count", "clip_count=0", "color=value", "amount=65"]]
OWN_CASES = {("clahe", "scikit-image"): SCIKIT_CLAHE, ("clahe", "kornia"): KORNIA_CLAHE}
WIDTH, HEIGHT = 96, 72
OPENCV = ["-I/usr/include/opencv4", "-lopencv_imgcodecs", "-lopencv_imgproc", "-lopencv_core"]


def has_module(name):
    return importlib.util.find_spec(name) is not None


class Programs(Case):
    def code(self, target, op, sets=(), part=()):
        result = harness.run("--code", target, "--op", op, *(word for one in sets for word in ("--set", one)), *part)
        self.assertEqual((result.status, result.err), (0, ""), (target, op, sets))
        return result.out

    def check(self, target, op, run, cases=None, part=()):
        """`run(code, image, other)` makes `other` of the image."""
        for number, sets in enumerate(cases or SETS[op]):
            for channels in (1, 3):
                image, own = (os.path.join(self.dir, f"{name}-{op}-{number}-{channels}.pnm") for name in ("in", "own"))
                harness.write_pnm(image, WIDTH, HEIGHT, channels)
                done = harness.run("--headless", "--backend", "cpu", "-i", image, "-o", own, "--op", op,
                                   *(word for one in sets for word in ("--set", one)), *part)
                self.assertEqual(done.status, 0, done.err)
                a = harness.read_pnm(own)
                other = f"{own[:-4]}-other.{'pgm' if a[2] == 1 else 'ppm'}"  # libraries choose by the ending
                run(self.code(target, op, sets, part), image, other)
                b = harness.read_pnm(other)
                self.assertEqual(a[:-1], b[:-1], (target, op, sets))
                most = max(abs(x - y) for x, y in zip(a[-1], b[-1]))
                self.assertLessEqual(most, LEVELS[op, target], (target, op, sets, channels))

    def test_every_operator_has_a_program_or_a_reason(self):
        listing = harness.listing()
        targets = next(o for o in listing["options"] if "--code" in o["names"])["help"].split(": ")[1].replace(" or ", ", ").split(", ")
        self.assertEqual(len(targets), 6)
        for op in (op["id"] for op in listing["operators"]):
            for target in targets:
                result = harness.run("--code", target, "--op", op)
                if op == "histogram" or (op == "kuwahara" and target in ("kornia", "imagej")):
                    self.assertEqual((result.status, result.out), (1, ""))
                    self.assertRegex(result.err, f"^tonescope: {op}: .* has nothing like it")
                else:
                    self.assertEqual(result.status, 0, result.err)
                    self.assertNotRegex(result.out, r"\{[a-z_]+\}\)|\{(grid|limit|columns|rows|side|radius|function|comment)\}")

    def test_python_programs_are_python(self):
        for target in ("opencv-python", "scikit-image", "kornia"):
            for op, cases in SETS.items():
                if (op, target) == ("kuwahara", "kornia"):
                    continue
                for sets in cases + SCIKIT_CLAHE * (op == "clahe") + [[], *([["color=ratio"], ["color=lab", "amount=10"]] if op != "kuwahara" else [])]:
                    compile(self.code(target, op, sets), f"{target} {op}", "exec")

    def test_programs_that_have_no_region_say_so(self):
        for target in ("opencv-cpp", "imagej", "matlab"):
            text = self.code(target, "he", part=("--region", "1,2,30,40"))
            self.assertIn("The region 1,2,30,40 is not part of this program", " ".join(text.replace("//", "").replace("%", "").split()))

    def test_wrong_names(self):
        result = harness.run("--code", "gimp")
        self.assertEqual(result.status, 2)
        self.assertIn("--code gimp: expected opencv-python", result.err)

    def run_python(self, target):
        """The first program as a user runs it, the others in this process: libraries take seconds to load."""
        path = os.path.join(self.dir, "program.py")
        runs = 0

        def run(code, image, other):
            nonlocal runs
            runs += 1
            with open(path, "w") as file:
                file.write(code)
            if runs == 1:
                subprocess.run([sys.executable, path, image, other], check=True)
            else:
                with unittest.mock.patch.object(sys, "argv", [path, image, other]):
                    runpy.run_path(path, run_name="__main__")
        for op in SETS:
            if (op, target) in LEVELS:
                self.check(target, op, run, OWN_CASES.get((op, target)))
        for region in (["--region", "10,0,60,50", "--feather", "9"], ["--region", "5,40,500,500"]):
            self.check(target, "he", run, [["color=luma"], ["color=gray", "amount=70"]], region)

    @unittest.skipUnless(has_module("cv2"), "needs OpenCV's Python module")
    def test_opencv_in_python(self):
        self.run_python("opencv-python")

    @unittest.skipUnless(has_module("skimage"), "needs scikit-image")
    def test_scikit_image(self):
        self.run_python("scikit-image")

    @unittest.skipUnless(has_module("kornia"), "needs kornia (tests/cli/kornia)")
    def test_kornia(self):
        self.run_python("kornia")

    @unittest.skipUnless(shutil.which("c++") and os.path.exists("/usr/include/opencv4/opencv2/imgcodecs.hpp"), "needs OpenCV")
    def test_opencv_in_cpp(self):
        op, sets = random.choice([(op, sets) for op, cases in SETS.items() for sets in cases])  # a compiler takes seconds
        print("case:", op, sets)
        program = os.path.join(self.dir, "program")
        with open(program + ".cpp", "w") as file:
            file.write(self.code("opencv-cpp", op, sets))
        subprocess.run(["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", program + ".cpp", "-o", program, *OPENCV], check=True)
        self.check("opencv-cpp", op, lambda code, image, other: subprocess.run([program, image, other], check=True), [sets])


if __name__ == "__main__":
    harness.main()
