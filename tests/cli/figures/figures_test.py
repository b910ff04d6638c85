"""Figures of results, beside their images and beside another program's results."""
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import harness  # noqa: E402
from harness import Case  # noqa: E402


def psnr(a, b):
    squares = sum((x - y) ** 2 for x, y in zip(a, b))
    return 10 * math.log10(255 * 255 * len(a) / squares)


class References(Case):
    def test_figures_against_another_programs_result(self):
        result = harness.equalized(self.a_data)
        other = bytes(min(v + (k % 3 == 0) * 5, 255) for k, v in enumerate(result))
        harness.write_pnm(self.path("other.pgm"), 61, 47, data=other)
        text = self.good("--headless", "-i", "a.pgm", "-o", "out.pgm", "--op", "he", "--reference", "other.pgm",
                         "--report", "r.json").out
        changed = 100 * sum(a != b for a, b in zip(result, other)) / len(result)
        self.assertIn(f"; against other.pgm: Changed {changed:.2f} %", text)
        self.assertIn("Largest difference 5 levels", text)
        self.assertIn(f"PSNR {psnr(result, other):.2f} dB", text)
        figures = self.read_json("r.json")["images"][0]["figures"]
        self.assertEqual(figures["reference"], "other.pgm")
        self.assertEqual(set(figures["after"]), {"changed", "mean_difference", "largest_difference", "psnr", "ssim"})
        self.assertAlmostEqual(figures["after"]["changed"], changed)
        self.assertAlmostEqual(figures["after"]["psnr"], psnr(result, other))
        self.assertEqual(figures["before"], dict.fromkeys(figures["after"]), "figures of a pair stand with after")

    def test_a_reference_of_each_input(self):
        for name in ("a", "b"):
            self.good("--headless", "-i", name + ".pgm", "-o", "theirs-" + name + ".pgm", "--op", "he")
        os.mkdir(self.path("out"))
        text = self.good("--headless", "-i", "a.pgm", "b.pgm", "-o", "out", "--op", "he", "--reference",
                         "theirs-{stem}.pgm").out
        self.assertEqual(text.count("Changed 0.00 %"), 2)
        self.assertEqual(text.count("PSNR \u221e dB, SSIM 1.0000"), 2)
        os.mkdir(self.path("theirs"))
        for name in ("a", "b"):
            self.good("--headless", "-i", name + ".pgm", "-o", os.path.join("theirs", name + ".png"), "--op", "he")
        text = self.good("--headless", "-i", "a.pgm", "-o", "out", "--op", "he", "--reference", "theirs").out
        self.assertIn("Changed 0.00 %", text)

    def test_two_files_are_compared_without_a_filter(self):
        self.good("--headless", "-i", "a.pgm", "-o", "he.pgm", "--op", "he")
        text = self.good("--headless", "-i", "he.pgm", "-o", "out.pgm", "--op", "none", "--reference", "a.pgm").out
        self.assertIn(f"PSNR {psnr(self.a_data, harness.equalized(self.a_data)):.2f} dB", text)

    def test_what_is_wrong_is_one_line(self):
        run = ("--headless", "-i", "a.pgm", "-o", "out.pgm")
        self.bad(1, *run, "--reference", "b.pgm", says=["a.pgm: ", "61 \u00d7 47", "b.pgm 33 \u00d7 20", "same size"])
        self.bad(1, *run, "--reference", "no.pgm", says="no.pgm")
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "b.pgm", "--reference", "b.pgm", says="it would overwrite the input b.pgm")
        self.bad(2, *run, "--reference", "", says="--reference is empty")
        self.bad(2, *run, "--op", "histogram", "--reference", "b.pgm", says="is no image")
        self.bad(2, "--headless", "--compare", "-i", "a.pgm", "-o", "out.csv", "--reference", "b.pgm",
                 says="--reference works only")


class Figures(Case):
    def test_those_that_are_asked_for(self):
        text = self.good("--headless", "-i", "a.pgm", "-o", "out.pgm", "--op", "he", "--figures", "entropy,psnr",
                         "--report", "r.json").out
        counts = [self.a_data.count(v) for v in set(self.a_data)]
        entropy = -sum(n / len(self.a_data) * math.log2(n / len(self.a_data)) for n in counts)
        figures = self.read_json("r.json")["images"][0]["figures"]
        self.assertAlmostEqual(figures["before"]["entropy"], entropy)
        self.assertAlmostEqual(figures["after"]["psnr"], psnr(self.a_data, harness.equalized(self.a_data)))
        self.assertIsNone(figures["reference"])
        self.assertRegex(text, r"; Entropy [0-9.]+ bits, PSNR [0-9.]+ dB\n\Z")

    def test_all_of_an_image_alone(self):
        self.good("--headless", "-i", "a.pgm", "-o", "out.pgm", "--op", "none", "--figures", "all", "--report", "r.json")
        figures = self.read_json("r.json")["images"][0]["figures"]
        self.assertAlmostEqual(figures["after"]["mean"], sum(self.a_data) / len(self.a_data))
        self.assertIsNone(figures["after"]["psnr"], "there is nothing to compare with")
        self.assertEqual(list(figures["after"]), list(figures["before"]))

    def test_none_without_being_asked_for(self):
        self.good("--headless", "-i", "a.pgm", "-o", "out.pgm", "--report", "r.json")
        self.assertIsNone(self.read_json("r.json")["images"][0]["figures"])

    def test_unknown_ones_are_refused(self):
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "out.pgm", "--figures", "beauty", says=["beauty", "entropy"])
        self.bad(2, "--list", "--figures", "all", says="--figures works only with --headless")


if __name__ == "__main__":
    harness.main()
