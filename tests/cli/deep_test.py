"""Deep images through the operators: samples that other programs write, and the results that they read."""
import harness

harness.require("numpy", "tifffile", "PIL")

import numpy  # noqa: E402
import tifffile  # noqa: E402
from harness import Case  # noqa: E402
from PIL import Image  # noqa: E402

WIDTH, HEIGHT = 83, 59
RANDOM = numpy.random.default_rng(23)


def equalized(samples, low, high):
    """The design's histogram equalization, of gray values from `low` to `high`."""
    counts = numpy.bincount(samples.ravel(), minlength=high + 1).astype(object)
    first = counts[counts > 0][0]
    d = samples.size - first
    table = low + (2 * (high - low) * (numpy.cumsum(counts) - first) + d) // (2 * d)
    return numpy.clip(table, low, high).astype(numpy.uint16)[samples]


class Deep(Case):
    def setUp(self):
        super().setUp()
        ramp = numpy.arange(WIDTH) * 20 + numpy.arange(HEIGHT).reshape(-1, 1) * 7
        self.samples = (300 + ramp + RANDOM.integers(0, 500, (HEIGHT, WIDTH))).astype(numpy.uint16)
        tifffile.imwrite(self.path("gray12.tif"), self.samples, metadata=None,
                         extratags=[(281, "H", 1, 4095, True)])  # MaxSampleValue
        tifffile.imwrite(self.path("gray16.tif"), self.samples, metadata=None)
        color = numpy.stack([self.samples, self.samples // 2, self.samples // 3], axis=2)
        tifffile.imwrite(self.path("color16.tif"), color, photometric="rgb", metadata=None)

    def run_op(self, name, output, *args):
        self.good("--headless", "-i", name, "-o", output, "--backend", "cpu", *args, "--report", "r.json")
        return self.read_json("r.json")["images"][0]

    def test_results_stay_deep(self):
        used = equalized(self.samples, int(self.samples.min()), int(self.samples.max()))
        image = self.run_op("gray12.tif", "used.tif", "--op", "he")
        self.assertTrue(numpy.array_equal(tifffile.imread(self.path("used.tif")), used))
        self.assertEqual((image["max_sample"], image["reduced_to_8_bit"], image["bins"]), (4095, False, None))
        self.assertEqual(image["range"], {"lo": int(self.samples.min()), "hi": int(self.samples.max())})
        self.assertEqual(image["clipping"]["thresholds"], {"low": 0, "high": 4095})
        with tifffile.TiffFile(self.path("used.tif")) as file:
            self.assertEqual(file.pages[0].tags["MaxSampleValue"].value, 4095)
        full = equalized(self.samples, 0, 4095)
        image = self.run_op("gray12.tif", "full.pgm", "--op", "he", "--set", "range=full")
        self.assertEqual(image["range"], {"lo": 0, "hi": 4095})
        with open(self.path("full.pgm"), "rb") as file:
            head, data = file.read().split(b"4095\n", 1)
        self.assertTrue(head.startswith(b"P5"))
        self.assertTrue(numpy.array_equal(numpy.frombuffer(data, ">u2").reshape(full.shape), full))
        # Readers of PNG take 65,535 for white.
        self.run_op("gray12.tif", "full.png", "--op", "he", "--set", "range=full")
        stretched = (65535 * full.astype(numpy.uint64) + 2047) // 4095
        self.assertTrue(numpy.array_equal(numpy.asarray(Image.open(self.path("full.png"))), stretched))

    def test_a_value_is_left_out(self):
        surrounded = numpy.zeros((HEIGHT + 30, WIDTH + 40), numpy.uint16)
        surrounded[10:10 + HEIGHT, 25:25 + WIDTH] = self.samples
        low, high = int(self.samples.min()), int(self.samples.max())
        for value, options in ((0, ["no_data=0"]), (65535, ["no_data=M"]), (9, ["no_data=value", "no_data_value=9"])):
            surrounded[surrounded == surrounded[0, 0]] = value
            tifffile.imwrite(self.path("in.tif"), surrounded, metadata=None)
            sets = [word for option in options for word in ("--set", option)]
            image = self.run_op("in.tif", "out.tif", "--op", "he", *sets)
            self.assertEqual(image["range"], {"lo": low, "hi": high})
            result = tifffile.imread(self.path("out.tif"))
            expected = numpy.full_like(surrounded, value)
            expected[10:10 + HEIGHT, 25:25 + WIDTH] = equalized(self.samples, low, high)
            self.assertTrue(numpy.array_equal(result, expected), options)
        self.good("--headless", "-i", "in.tif", "-o", "counts.csv", "--op", "histogram", "--backend", "cpu", "--set",
                  "no_data=value", "--set", "no_data_value=9")
        counted = [int(line.split(",")[1]) for line in self.read_text("counts.csv").splitlines()[1:]]
        self.assertEqual(counted[0], 0)  # the bin of the surround
        self.bad(2, "--headless", "-i", "in.tif", "-o", "o.tif", "--set", "no_data=black", says=("no_data", "off"))

    def test_formats_of_8_bits_take_what_is_left(self):
        full = equalized(self.samples, 0, 65535).astype(numpy.uint64)
        image = self.run_op("gray16.tif", "full.bmp", "--op", "he", "--set", "range=full")
        self.assertTrue(image["reduced_to_8_bit"])
        self.assertIn("reduced to 8", image["notice"])
        shown = numpy.asarray(Image.open(self.path("full.bmp")))
        self.assertTrue(numpy.array_equal(shown, (255 * full + 32767) // 65535))
        image = self.run_op("gray16.tif", "window.bmp", "--op", "he", "--set", "range=full", "--window", "32767.5,65535")
        self.assertFalse(image["reduced_to_8_bit"])
        shown = numpy.asarray(Image.open(self.path("window.bmp"))).astype(int)
        self.assertLessEqual(abs(shown - (255 * full + 32767).astype(int) // 65535).max(), 1)

    def test_bins_are_told(self):
        values = int(self.samples.max()) - int(self.samples.min()) + 1
        for name, bins, expected in (("gray16.tif", 256, 256), ("gray16.tif", 65536, values), ("a.pgm", 512, 256)):
            image = self.run_op(name, "out.tif", "--op", "clahe", "--set", f"bins={bins}")
            self.assertEqual(image["bins"], expected, (name, bins))
        self.assertEqual(image["range"], {"lo": 0, "hi": 255})
        image = self.run_op("color16.tif", "out.tif", "--op", "kuwahara")
        self.assertEqual((image["range"], image["bins"]), (None, None))

    def test_every_operator_and_color(self):
        for op in ("he", "clahe", "kuwahara"):
            results = set()
            for variant in harness.variants(op):
                args = ("--op", op, "--variant", variant["id"])
                if variant["backend"] == "cpu" and not variant["any_depth"]:
                    self.bad(1, "--headless", "-i", "color16.tif", "-o", "x.tif", *args,
                             says=("color16.tif", "takes images of 8 bits only", "choose another variant"))
                elif variant["backend"] == "cpu":
                    self.run_op("color16.tif", "out.tif", *args)
                    result = tifffile.imread(self.path("out.tif"))
                    self.assertEqual((result.dtype, result.shape), (numpy.uint16, (HEIGHT, WIDTH, 3)))
                    results.add(result.tobytes())
            self.assertEqual(len(results), 1, op)
        self.run_op("color16.tif", "gray.tif", "--op", "he", "--set", "color=gray")
        self.assertEqual(tifffile.imread(self.path("gray.tif")).shape, (HEIGHT, WIDTH))
        self.run_op("gray12.tif", "bins.json", "--op", "histogram")
        expected = numpy.minimum(numpy.bincount(self.samples.ravel() // 4, minlength=1024), 255)
        self.assertEqual(self.read_json("bins.json")["bins"], expected.tolist())

    def test_variants_are_compared(self):
        self.good("--headless", "--compare", "-i", "gray12.tif", "-o", "out.json", "--op", "he", "--backend", "cpu")
        rows = {row["variant"]: row for row in self.read_json("out.json")["variants"]}
        for variant in ("cpu-branchy", "parallel"):
            self.assertEqual((rows[variant]["reason"], rows[variant]["identical"]), (None, True))


if __name__ == "__main__":
    harness.main()
