"""Batches: several images at a time, what is done already, and other programs that start them."""
import os
import shutil
import signal
import subprocess
import time

import harness
from harness import Case


class Batch(Case):
    COUNT = 30

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("in"))
        os.mkdir(self.path("out"))
        self.names = [f"{i:02}" for i in range(self.COUNT)]
        for i, name in enumerate(self.names):
            # The first ones take longest, so that those behind them are done first.
            width = 700 - 20 * i
            harness.write_pnm(self.path("in", name + ".ppm"), width, 40, 3, data=bytes((i + j * j) % 251 for j in range(width * 40 * 3)))
        self.inputs = [f"in/{name}.ppm" for name in self.names]

    def args(self, *more):
        return ("--headless", "--backend", "cpu", "-i", *self.inputs, "-o", "out/{stem}.png", *more)

    def outputs(self):
        content = {}
        for name in self.files("out"):
            with open(self.path("out", name), "rb") as file:
                content[name] = file.read()
        return content

    def test_a_region_is_that_of_every_image(self):
        part = ("--op", "he", "--region", "500,10,100,20", "--feather", "4")  # narrow images have less of it, or nothing
        result = self.run_here(*self.args("--jobs", 3, *part))
        several = self.outputs()
        outside = 0
        for name, path in zip(self.names, self.inputs):
            alone = self.run_here("--headless", "--backend", "cpu", "-i", path, "-o", "alone.png", *part)
            if alone.status != 0:
                self.assertIn("lies outside of the image", alone.err)
                self.assertIn(f"{path}: the region", result.err)
                self.assertNotIn(name + ".png", several)
                outside += 1
                continue
            with open(self.path("alone.png"), "rb") as file:
                self.assertEqual(several[name + ".png"], file.read(), name)
        self.assertEqual((result.status, len(several)), (1 if outside else 0, len(self.names) - outside))

    def test_a_mask_for_each_image(self):
        os.mkdir(self.path("masks"))
        names, wrong = self.names[:6], {"02": "no such file", "04": "has 9 × 9 pixels"}
        inputs = self.inputs[:6]
        for i, name in enumerate(names):
            width = 700 - 20 * i
            if name == "02":
                continue
            size = (9, 9) if name == "04" else (width, 40)
            harness.write_pnm(self.path("masks", name + ".png.pgm"), *size, data=bytes((i * k) % 256 for k in range(size[0] * size[1])))
        part = ("--op", "he", "--region", "20,5,300,30", "--mask-inverse", "--mask")
        args = ("--headless", "--backend", "cpu", "-i", *inputs, "-o", "out/{stem}.png", *part, "masks/{stem}.png.pgm", "--report", "r.json")
        result = self.run_here(*args, "--jobs", "3")
        self.assertEqual(result.status, 1)
        lines = result.err.splitlines()
        self.assertEqual(len(lines), len(wrong), result.err)
        for line, (name, why) in zip(lines, wrong.items()):
            self.assertIn(f"in/{name}.ppm: ", line)
            self.assertIn(f"masks/{name}.png.pgm", line)
            self.assertIn(why, line)
        several = self.outputs()
        for name, path in zip(names, inputs):
            self.assertEqual(name + ".png" in several, name not in wrong)
            if name not in wrong:
                self.good("--headless", "--backend", "cpu", "-i", path, "-o", "alone.png", *part, f"masks/{name}.png.pgm")
                with open(self.path("alone.png"), "rb") as file:
                    self.assertEqual(several[name + ".png"], file.read(), name)
        report = self.read_json("r.json")
        self.assertEqual((report["mask"], report["mask_inverse"]), ("masks/{stem}.png.pgm", True))
        done = [image for image in report["images"] if image["status"] == "done"]
        self.assertEqual([image["mask"] for image in done], [f"masks/{name}.png.pgm" for name in names if name not in wrong])
        self.assertEqual([image["status"] for image in report["images"]].count("failed"), len(wrong))

        # What is done is skipped, but not where the mask is newer or was missing.
        harness.write_pnm(self.path("masks", "02.png.pgm"), 660, 40, data=bytes(660 * 40))
        os.utime(self.path("masks", "05.png.pgm"))
        result = self.run_here(*args, "--resume")
        self.assertEqual([image["status"] for image in self.read_json("r.json")["images"]],
                         ["skipped", "skipped", "done", "skipped", "failed", "done"])
        self.assertEqual(result.status, 1)

        # A folder holds {stem}.png, and no result is written over a mask.
        os.rename(self.path("out", "00.png"), self.path("masks", "00.png"))
        folder = ("--headless", "-i", inputs[0], "--op", "he", "--mask", "masks")
        self.good(*folder, "-o", "of_folder.png")
        self.bad(2, *folder, "-o", "masks/00.png", says="overwrite the input masks/00.png")
        table = self.run_here("--headless", "--sweep", "amount=50,100", "-i", *inputs[:3], "-o", "s.csv", "--op", "he", "--mask", "masks/{stem}.png.pgm")
        self.assertEqual(table.status, 0, table.err)

    def test_results_lines_and_reports_do_not_depend_on_the_jobs(self):
        with open(self.path("in", self.names[7] + ".ppm"), "wb") as file:
            file.write(b"P6\n9 9\n255\n")
        seen = []
        for jobs in (1, 2, 7, 64):
            result = self.run_here(*self.args("--jobs", jobs, "--report", "r.json"))
            self.assertEqual(result.status, 1)
            self.assertRegex(result.err, rf"\Atonescope: cannot open in/{self.names[7]}.ppm: [^\n]*\n\Z")
            inputs = [line.split(" -> ")[0] for line in result.out.splitlines()]
            self.assertEqual(inputs, [i for i in self.inputs if self.names[7] not in i])
            report = self.read_json("r.json")["images"]
            self.assertEqual([image["input"] for image in report], self.inputs)
            self.assertEqual([i for i, image in enumerate(report) if image["status"] == "failed"], [7])
            seen.append(self.outputs())
            self.assertEqual(len(seen[-1]), self.COUNT - 1)
            self.assertEqual(seen[-1], seen[0])
            shutil.rmtree(self.path("out"))
            os.mkdir(self.path("out"))

    def test_wrong_numbers_of_jobs(self):
        for jobs in ("0", "65", "-1", "many"):
            result = self.run_here(*self.args("--jobs", jobs))
            self.assertEqual((result.status, self.files("out")), (2, []), jobs)
        for option in (("--jobs", "2"), ("--resume",)):
            self.assertIn("works only with --headless", self.run_here("--list", *option).err)

    def test_an_interrupt_leaves_whole_files(self):
        big = [f"big{i}.ppm" for i in range(8)]
        for name in big:
            harness.write_pnm(self.path(name), 1500, 1500, 3, data=os.urandom(1500 * 1500 * 3))
        args = [harness.PROGRAM, "--headless", "--backend", "cpu", "-i", *big, "-o", "out/{stem}.png", "--jobs", "4", "--compression", "9"]
        with subprocess.Popen(args, cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            while not [name for name in self.files("out") if name.endswith(".tmp")]:
                time.sleep(0.01)
            program.send_signal(signal.SIGINT)
            printed = program.communicate(timeout=60)[0].decode()
            self.assertEqual(program.returncode, -signal.SIGINT)
        left = self.files("out")
        self.assertLess(len(left), len(big))
        self.assertEqual(sorted(f"out/{name}" for name in left), sorted(line.split(" -> ")[1].split(":")[0] for line in printed.splitlines()))
        for name in left:
            self.assertEqual(harness.png_size(self.path("out", name)), (1500, 1500))

    def test_resume(self):
        self.good(*self.args("--resume"))
        first = self.outputs()
        times = {name: os.stat(self.path("out", name)).st_mtime_ns for name in first}
        os.remove(self.path("out", "03.png"))
        os.utime(self.path("in", "05.ppm"))  # newer than its output
        os.remove(self.path("out", "08.png"))
        os.mkdir(self.path("elsewhere"))
        os.symlink("../elsewhere/08.png", self.path("out", "08.png"))  # of a file that is not there
        result = self.good(*self.args("--resume", "--report", "r.json"))
        done = [name for name in self.names if name in ("03", "05", "08")]
        lines = result.out.splitlines()
        self.assertEqual([line.split(" -> ")[0] for line in lines], self.inputs)
        self.assertEqual([line.split("/")[1][:2] for line in lines if not line.endswith("is done already")], done)
        states = [image["status"] for image in self.read_json("r.json")["images"]]
        self.assertEqual([self.names[i] for i, state in enumerate(states) if state == "done"], done)
        self.assertEqual(set(states), {"done", "skipped"})
        self.assertEqual(self.outputs(), first)
        for name, before in times.items():
            is_new = os.stat(self.path("out", name)).st_mtime_ns != before
            self.assertEqual(is_new, name[:2] in done, name)

    def test_lack_of_memory_beside_others_is_tried_again_alone(self):
        harness.write_pnm(self.path("large.ppm"), 7000, 4000, 3, data=bytes(7000 * 4000 * 3))  # 112 MB in memory, its result as much
        command = 'ulimit -v 1000000; exec "$@"'
        args = [harness.PROGRAM, "--headless", "--backend", "cpu", "--jobs", "6", "-i", self.inputs[0], "large.ppm", *self.inputs[1:],
                "-o", "out/{stem}.png"]
        done = subprocess.run(["bash", "-c", command, "bash", *args], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if b"AddressSanitizer" in done.stderr or b"ThreadSanitizer" in done.stderr:
            self.skipTest("sanitizers need more addresses")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(len(self.files("out")), self.COUNT + 1)
        self.assertIn(b"large.ppm", done.stdout.splitlines()[1])

    def test_gnu_parallel(self):
        if shutil.which("parallel") is None:
            self.skipTest("GNU parallel is not there")
        # As docs/guide.md has it.
        command = 'find in -name "*.ppm" -print0 | parallel -0 -j 3 -n 8 "$TONESCOPE" --headless --backend cpu --jobs 1 --resume -i {} -o out/{{stem}}.png'
        command = command.replace("out/{{stem}}.png", "'out/{stem}.png'")
        done = subprocess.run(["bash", "-c", command], cwd=self.dir, env={**os.environ, "TONESCOPE": harness.PROGRAM, "PARALLEL_HOME": self.dir},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        together = self.outputs()
        self.assertEqual(sorted(together), [name + ".png" for name in self.names])
        shutil.rmtree(self.path("out"))
        os.mkdir(self.path("out"))
        self.good(*self.args())
        self.assertEqual(self.outputs(), together)


if __name__ == "__main__":
    harness.main()
