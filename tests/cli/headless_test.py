"""What headless runs compute, report and survive."""
import os
import signal
import subprocess
import time

import harness
from harness import Case


class Results(Case):
    def test_pixels_are_the_operators(self):
        for variant in harness.variants("he"):
            if not variant["available"]:
                continue
            self.good("--headless", "-i", "a.pgm", "-o", "out.pgm", "--op", "he", "--variant", variant["id"])
            self.assertEqual(harness.read_pnm(self.path("out.pgm")), (61, 47, 1, harness.equalized(self.a_data)))

    def test_a_region_and_a_mask(self):
        run = ("--headless", "-i", "a.pgm", "-o", "out.pgm", "--op", "he", "--report", "r.json")
        whole = (0, 0, 61, 47)

        def expect(region, weight, *args):
            """The region is equalized as an image of its own, and the weights blend that with what was there."""
            left, top, width, height = region
            inside = [y * 61 + x for y in range(top, top + height) for x in range(left, left + width)]
            after = dict(zip(inside, harness.equalized(bytes(self.a_data[i] for i in inside))))
            weights = [weight(i % 61, i // 61) if i in after else 0 for i in range(61 * 47)]
            blended = bytes((w * after.get(i, 0) + (255 - w) * before + 127) // 255
                            for i, (before, w) in enumerate(zip(self.a_data, weights)))
            self.good(*run, *args)
            self.assertEqual(harness.read_pnm(self.path("out.pgm"))[3], blended, args)

        def feathered(x, y):
            return min((255 * (2 * min(x - 10, 29 - x, y - 5, 24 - y) + 1) + 4) // 8, 255)
        region = (10, 5, 20, 20)
        expect(region, lambda x, y: 255, "--region", "10,5,20,20")
        report = self.read_json("r.json")["images"][0]
        self.assertEqual((report["region"], report["feather"], report["mask"]), ("10,5,20,20", 0, None))
        self.assertEqual([stage["stage"] for stage in report["stages"]][-1], "put back")
        expect(region, feathered, "--region", "10,5,20,20", "--feather", "4")
        # What lies outside of the image does not count, and at the image's borders nothing fades.
        expect((40, 0, 21, 47), lambda x, y: min((255 * (2 * (x - 40) + 1) + 4) // 8, 255), "--region", "40,0,500,500", "--feather", "4")
        mask = bytes((x * 4 + y) % 256 for y in range(47) for x in range(61))
        harness.write_pnm(self.path("mask.pgm"), 61, 47, data=mask)
        expect(whole, lambda x, y: mask[y * 61 + x], "--mask", "mask.pgm")
        expect(whole, lambda x, y: 255 - mask[y * 61 + x], "--mask", "mask.pgm", "--mask-inverse")
        report = self.read_json("r.json")["images"][0]
        self.assertEqual((report["region"], report["mask"], report["mask_inverse"]), (None, "mask.pgm", True))
        expect(region, lambda x, y: (feathered(x, y) * mask[y * 61 + x] + 127) // 255, "--mask", "mask.pgm", "--region", "10,5,20,20", "--feather", "4")
        harness.write_pnm(self.path("labels.pgm"), 61, 47, data=bytes(x % 2 for y in range(47) for x in range(61)))
        expect(whole, lambda x, y: 255 * (x % 2), "--mask", "labels.pgm")
        # The histogram counts the region.
        self.good("--headless", "-i", "a.pgm", "-o", "out.csv", "--op", "histogram", "--region", "10,5,20,20")
        with open(self.path("out.csv")) as file:
            self.assertEqual(sum(int(line.split(",")[1]) for line in list(file)[1:]), 400)

    def test_figures_are_of_the_region(self):
        run = ("--headless", "-i", "a.pgm", "-o", "out.pgm", "--op", "he", "--figures", "entropy", "--report", "r.json")
        self.good(*run, "--region", "10,5,20,20")
        figures = self.read_json("r.json")["images"][0]["figures"]
        inside = bytes(self.a_data[y * 61 + x] for y in range(5, 25) for x in range(10, 30))
        harness.write_pnm(self.path("inside.pgm"), 20, 20, data=inside)
        self.good(*run[:2], "inside.pgm", *run[3:])
        self.assertEqual(self.read_json("r.json")["images"][0]["figures"], figures)

    def test_regions_and_masks_that_do_not_fit(self):
        none = ("--headless", "-i", "a.pgm", "-o", "no.pgm")
        self.bad(1, *none, "--region", "61,0,5,5", says=["a.pgm: the region 61,0,5,5 lies outside of the image"])
        harness.write_pnm(self.path("mask.pgm"), 61, 47)
        self.bad(1, "--headless", "-i", "b.pgm", "-o", "no.pgm", "--mask", "mask.pgm", says=["b.pgm: the mask mask.pgm has 61", "the image 33"])
        self.bad(1, *none, "--mask", "gone.pgm", says=["gone.pgm: no such file"])
        for wrong in ("1,2,3", "a,b,c,d", "0,0,0,5", "-1,0,5,5"):
            self.bad(2, *none, "--region=" + wrong, says=["--region " + wrong, "X,Y,W,H"])
        self.bad(2, *none, "--feather", "4", says="--feather works only with --region")
        self.bad(2, "b.pgm", "--mask", "{stem}.png", says="the window has one mask for all images")
        self.bad(2, *none, "--mask-inverse", says="--mask-inverse works only with --mask")
        self.bad(2, *none, "--region", "0,0,5,5", "--feather", "5000", says="0 to 4096")
        self.bad(2, *none, "--op", "histogram", "--mask", "mask.pgm", says="makes no image")
        self.bad(2, *none, "--op", "none", "--region", "0,0,5,5", says="filters nothing")
        self.bad(2, *none, "--op", "lens", "--region", "0,0,5,5", says="unknown operator")
        self.bad(2, "--list", "--region", "0,0,5,5", says="--region works only")
        self.bad(2, "--code", "opencv-python", "--mask", "mask.pgm", says="--mask cannot be part of --code")

    def test_clahe_is_the_default(self):
        self.good("--headless", "-i", "a.pgm", "-o", "default.pgm")
        self.good("--headless", "-i", "a.pgm", "-o", "clahe.pgm", "--op", "clahe")
        default = harness.read_pnm(self.path("default.pgm"))
        self.assertEqual(default, harness.read_pnm(self.path("clahe.pgm")))
        self.assertNotEqual(default[3], harness.equalized(self.a_data))

    def test_parameters_take_effect(self):
        self.good("--headless", "-i", "c.ppm", "-o", "gray.pnm", "--op", "he", "--set", "color=gray")
        self.assertEqual(harness.read_pnm(self.path("gray.pnm"))[:3], (40, 30, 1))
        seen = set()
        for radius in (1, 2, 5):
            self.good("--headless", "-i", "c.ppm", "-o", "k.ppm", "--op", "kuwahara", "--set", f"radius={radius}")
            seen.add(harness.read_pnm(self.path("k.ppm"))[3])
        self.assertEqual(len(seen), 3)

    def test_a_parameter_without_effect_is_mentioned(self):
        text = self.good("--headless", "-i", "a.pgm", "-o", "out.pgm", "--set", "clip_count=9").out
        self.assertIn("note: clip_count has no effect unless clip_unit=count", text)
        text = self.good("--headless", "-i", "a.pgm", "-o", "out.pgm", "--set", "clip_count=9", "--set",
                         "clip_unit=count").out
        self.assertNotIn("note:", text)

    def test_a_window_makes_8_bits(self):
        def shown(data, low, width):
            return bytes(min(max((510 * (v - low) + width) // (2 * width), 0), 255) for v in data)
        self.good("--headless", "-i", "a.pgm", "-o", "out.pgm", "--op", "none", "--window", "100,50")
        self.assertEqual(harness.read_pnm(self.path("out.pgm"))[3], shown(self.a_data, 75, 50))
        self.good("--headless", "-i", "a.pgm", "-o", "out.pgm", "--op", "he", "--window", "128,64")
        self.assertEqual(harness.read_pnm(self.path("out.pgm"))[3], shown(harness.equalized(self.a_data), 96, 64))
        deep = [900 + k for k in range(100)]
        with open(self.path("deep.pgm"), "wb") as file:
            file.write(b"P5 100 1 4095\n" + b"".join(v.to_bytes(2, "big") for v in deep))
        self.good("--headless", "-i", "deep.pgm", "-o", "out.pgm", "--op", "none", "--window", "950,20")
        self.assertEqual(harness.read_pnm(self.path("out.pgm"))[3], shown(deep, 940, 20))
        self.good("--headless", "-i", "deep.pgm", "-o", "out.pgm", "--op", "none", "--window", "auto")
        self.assertEqual(harness.read_pnm(self.path("out.pgm"))[3], shown(deep, 900, 99))
        run = ("--headless", "-i", "a.pgm", "-o", "no.pgm", "--window")
        for wrong in ("5", "5,0", "a,b", "-1,5"):
            self.bad(2, *run, wrong, says=["--window " + wrong, "CENTER,WIDTH"])
        self.bad(2, *run, "auto", "--op", "histogram", says="no samples")
        self.bad(2, "--list", "--window", "auto", says="--window works only")

    def test_histogram(self):
        run = ("--headless", "-i", "a.pgm", "--op", "histogram", "-o")
        self.good(*run, "h.csv")
        lines = self.read_text("h.csv").splitlines()
        expected = [0] * 1024
        for value in self.a_data:
            expected[4 * value] = min(255, expected[4 * value] + 1)
        self.assertEqual(lines[0], "bin,count")
        self.assertEqual(lines[1:], [f"{i},{count}" for i, count in enumerate(expected)])
        self.good(*run, "h.json")
        self.assertEqual(self.read_json("h.json"), {"bins": expected})
        self.good(*run, "h.png")
        width, height = harness.png_size(self.path("h.png"))
        self.assertGreater(min(width, height), 200)

    def test_one_line_an_image(self):
        os.mkdir(self.path("out"))
        lines = self.good("--headless", "-i", "a.pgm", "b.pgm", "-i", "c.ppm", "-o", "out").out.splitlines()
        self.assertEqual(len(lines), 3)
        for line, name, size in zip(lines, ("a.pgm", "b.pgm", "c.ppm"), ("61 × 47", "33 × 20", "40 × 30")):
            self.assertRegex(line, rf"^{name} -> out/{name[0]}\.png: clahe \S+ on (cpu|cuda), {size}, [\d.]+ ms$")


class Failures(Case):
    def test_the_other_images_are_done(self):
        os.mkdir(self.path("out"))
        open(self.path("empty.png"), "w").close()
        with open(self.path("text.png"), "w") as file:
            file.write("this is no image")
        result = self.run_here("--headless", "-i", "missing.png", "a.pgm", "empty.png", "text.png", "out", "c.ppm",
                               "-o", "out", "--report", "r.json")
        self.assertEqual(result.status, 1)
        lines = result.err.splitlines()
        self.assertEqual(len(lines), 4, result.err)
        for line, name in zip(lines, ("missing.png", "empty.png", "text.png", "out")):
            self.assertTrue(line.startswith("tonescope: "), line)
            self.assertIn(name, line)
        self.assertEqual(self.files("out"), ["a.png", "c.png"])
        images = self.read_json("r.json")["images"]
        self.assertEqual([i["status"] for i in images], ["failed", "done", "failed", "failed", "failed", "done"])
        self.assertIn("missing.png", images[0]["error"])

    def test_names_cannot_break_the_line(self):
        self.bad(1, "--headless", "-i", "new\nline.png", "-o", "out.png")

    def test_cuda_that_is_not_there(self):
        if harness.has_cuda():
            self.skipTest("CUDA is there")
        self.bad(1, "--headless", "-i", "a.pgm", "-o", "out.png", "--backend", "cuda", says="--backend cuda")
        self.bad(1, "--headless", "--compare", "-i", "a.pgm", "-o", "c.csv", "--backend", "cuda", says="--backend cuda")
        for variant in harness.variants("clahe"):
            if variant["backend"] == "cuda":
                self.bad(1, "--headless", "-i", "a.pgm", "-o", "out.png", "--variant", variant["id"],
                         says=(variant["id"], "CUDA"))
        self.good("--headless", "-i", "a.pgm", "-o", "out.png", "--backend", "auto", "--memory", "pinned",
                  "--report", "r.json")
        report = self.read_json("r.json")
        self.assertEqual(report["backend"], "cpu")
        self.assertTrue(report["cuda_unavailable"])
        self.assertIsNone(report["images"][0]["backend_chosen_because"])

    def test_the_cpu_filters_what_takes_it_less_than_a_gpu_takes_to_start(self):
        self.good("--headless", "-i", "a.pgm", "-o", "out.png", "--report", "r.json")
        report = self.read_json("r.json")
        self.assertEqual(report["backend"], "cpu")
        self.assertIsNone(report["cuda_unavailable"], "nobody has asked")
        self.assertIn("a device takes longer to start", report["images"][0]["backend_chosen_because"])
        self.good("--headless", "-i", "a.pgm", "-o", "out.png", "--backend", "cpu", "--report", "r.json")
        self.assertIsNone(self.read_json("r.json")["images"][0]["backend_chosen_because"])

    def test_interrupt_leaves_whole_files_only(self):
        names = []
        for i in range(40):
            names.append(f"big{i}.pgm")
            harness.write_pnm(self.path(names[-1]), 900, 700, data=bytes(range(256)) * 2460 + bytes(240))
        os.mkdir(self.path("out"))
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([harness.PROGRAM, "--headless", "-i", *names, "-o", "out", "--op", "kuwahara",
                                        "--variant", "cpu", "--set", "radius=8", "--report", "r.json"],
                                       cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdout.readline()
            time.sleep(0.02)
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
            self.assertEqual((process.returncode, errors), (-number, b""))
            done = self.files("out")
            self.assertTrue(0 < len(done) < len(names), done)
            for name in done:
                self.assertEqual(harness.png_size(self.path("out", name)), (900, 700))
            self.assertNotIn("r.json", self.files())


class Reports(Case):
    def test_clipped_pixels_in_a_report(self):
        # Red and blue are clipped without luma: of 3 x 1 pixels one at each end before; equalized, more.
        pixels = bytes((255, 90, 80, 100, 120, 0, 110, 110, 110))
        harness.write_pnm(self.path("three.ppm"), 3, 1, 3, data=pixels)
        self.good("--headless", "-i", "three.ppm", "-o", "out.png", "--op", "he", "--report", "r.json")
        clipping = self.read_json("r.json")["images"][0]["clipping"]
        self.assertEqual(clipping["thresholds"], {"low": 0, "high": 255})
        self.assertEqual(clipping["before"], {"pixels": 3, "low": {"red": 0, "green": 0, "blue": 1, "any": 1},
                                              "high": {"red": 1, "green": 0, "blue": 0, "any": 1}})
        # Luma 138, 100, 110 become 255, 0, 128: + 117, - 100, + 18.
        self.assertEqual(clipping["after"], {"pixels": 3, "low": {"red": 1, "green": 0, "blue": 1, "any": 1, "new": 0},
                                             "high": {"red": 1, "green": 0, "blue": 0, "any": 1, "new": 0}})
        self.good("--headless", "-i", "three.ppm", "-o", "bins.csv", "--op", "histogram", "--report", "r.json")
        self.assertIsNone(self.read_json("r.json")["images"][0]["clipping"])

    def test_what_a_report_holds(self):
        self.good("--headless", "-i", "a.pgm", "c.ppm", "-o", "new-{stem}.png", "--backend", "cpu", "--set",
                  "clip_limit=2.25", "--report", "r.json")
        report = self.read_json("r.json")
        self.assertEqual((report["operator"], report["backend"], report["memory"]), ("clahe", "cpu", None))
        self.assertIn(report["variant"], [v["id"] for v in harness.variants("clahe") if v["backend"] == "cpu"])
        self.assertEqual(report["parameters"]["clip_limit"], 2.25)
        self.assertEqual(report["parameters"]["tiles"], "size")
        for image, size, channels in zip(report["images"], ((61, 47), (40, 30)), (1, 3)):
            self.assertEqual((image["status"], image["backend"], image["variant"]), ("done", "cpu", report["variant"]))
            self.assertEqual(((image["width"], image["height"]), image["channels"]), (size, channels))
            self.assertFalse(image["reduced_to_8_bit"])
            self.assertEqual(image["kernels"], [])
            self.assertTrue(image["stages"])
            for stage in image["stages"]:
                self.assertTrue(stage["stage"])
                self.assertGreaterEqual(stage["ms"], 0)
                self.assertGreaterEqual(stage["bytes"], 0)
            self.assertGreater(sum(stage["bytes"] for stage in image["stages"]), size[0] * size[1])
            self.assertAlmostEqual(image["total_ms"], sum(stage["ms"] for stage in image["stages"]))

    def test_the_forced_variant_ran(self):
        for variant in harness.variants("clahe"):
            if not variant["available"]:
                continue
            self.good("--headless", "-i", "a.pgm", "-o", "out.png", "--variant", variant["id"], "--report", "r.json")
            image = self.read_json("r.json")["images"][0]
            self.assertEqual((image["variant"], image["backend"]), (variant["id"], variant["backend"]))

    def test_16_bit_is_said(self):
        harness.write_png16(self.path("deep.png"), 20, 10)
        text = self.good("--headless", "-i", "deep.png", "-o", "out.bmp", "--report", "r.json").out
        self.assertIn("16 bits a channel, reduced to 8", text)
        image = self.read_json("r.json")["images"][0]
        self.assertEqual((image["bits_per_channel"], image["reduced_to_8_bit"]), (16, True))
        self.assertIn("reduced to 8", image["notice"])


if __name__ == "__main__":
    harness.main()
