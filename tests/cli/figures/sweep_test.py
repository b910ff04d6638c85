"""Results of values of parameters with their figures, as files, tables and contact sheets."""
import csv
import itertools
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import harness  # noqa: E402
from harness import Case  # noqa: E402


class Sweeps(Case):
    def rows(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def figures_of(self, image, *settings, figures="all"):
        self.good("--headless", "-i", image, "-o", "single.png", *settings, "--figures", figures, "--report", "r.json")
        return self.read_json("r.json")["images"][0]["figures"]

    def test_a_table_of_each_combination(self):
        self.good("--headless", "--sweep", "clip_limit=1,4.5", "--sweep", "tile_size=16,32", "-i", "a.pgm", "b.pgm", "-o", "t.csv")
        rows = self.rows("t.csv")
        self.assertEqual([r["input"] for r in rows], ["a.pgm"] * 5 + ["b.pgm"] * 5)
        values = [(r["clip_limit"], r["tile_size"]) for r in rows]
        self.assertEqual(values, 2 * ([("", "")] + list(itertools.product(("1.00", "4.50"), ("16", "32")))))
        expected = self.figures_of("a.pgm", "--set", "clip_limit=4.5", "--set", "tile_size=16")
        self.assertEqual(list(rows[0])[3:], ["ms"] + list(expected["after"]))
        for figure, value in expected["after"].items():
            self.assertAlmostEqual(float(rows[3][figure]), value, delta=1e-6 * max(abs(value), 1), msg=figure)
        for figure, value in expected["before"].items():
            if value is not None:
                self.assertAlmostEqual(float(rows[0][figure]), value, delta=1e-6 * max(abs(value), 1), msg=figure)
        self.assertEqual(rows[0]["psnr"], "", "an image alone has no figure of two")

    def test_results_in_a_folder(self):
        os.mkdir(self.path("out"))
        self.good("--headless", "--op", "kuwahara", "--sweep", "radius=1,3", "-i", "c.ppm", "-o", "out")
        self.assertEqual(self.files("out"), ["c-radius-1.png", "c-radius-3.png", "figures.csv"])
        self.good("--headless", "--op", "kuwahara", "--set", "radius=3", "-i", "c.ppm", "-o", "single.ppm")
        self.good("--headless", "--op", "none", "-i", os.path.join("out", "c-radius-3.png"), "-o", "swept.ppm")
        self.assertEqual(harness.read_pnm(self.path("swept.ppm")), harness.read_pnm(self.path("single.ppm")))
        self.assertEqual(len(self.rows(os.path.join("out", "figures.csv"))), 3)

    def test_a_region_is_swept_alone(self):
        os.mkdir(self.path("out"))
        part = ("--region", "5,4,30,20", "--feather", "3")
        self.good("--headless", "--op", "kuwahara", "--sweep", "radius=1,3", "-i", "c.ppm", "-o", "out", *part)
        for radius in (1, 3):
            self.good("--headless", "--op", "kuwahara", "--set", f"radius={radius}", "-i", "c.ppm", "-o", "single.ppm", *part)
            self.good("--headless", "--op", "none", "-i", os.path.join("out", f"c-radius-{radius}.png"), "-o", "swept.ppm")
            self.assertEqual(harness.read_pnm(self.path("swept.ppm")), harness.read_pnm(self.path("single.ppm")))
            self.good("--headless", "--op", "kuwahara", "--set", f"radius={radius}", "-i", "c.ppm", "-o", "whole.ppm")
            self.assertNotEqual(harness.read_pnm(self.path("swept.ppm")), harness.read_pnm(self.path("whole.ppm")))
        expected = self.figures_of("c.ppm", "--op", "kuwahara", "--set", "radius=3", *part, figures="entropy")
        self.assertNotEqual(expected, self.figures_of("c.ppm", "--op", "kuwahara", "--set", "radius=3", figures="entropy"))
        mask = ("--mask", "{stem}.ppm", "--mask-inverse")  # the image as its own mask
        sweep = ("--headless", "--op", "kuwahara", "--sweep", "radius=1,3", "-i", "c.ppm", "--figures", "entropy", *part, *mask)
        masked = self.figures_of("c.ppm", "--op", "kuwahara", "--set", "radius=3", *part, *mask, figures="entropy")
        self.good(*sweep, "-o", "t.json")
        image = self.read_json("t.json")["images"][0]
        self.assertEqual((image["region"], image["feather"], image["mask"], image["mask_inverse"]), ("5,4,30,20", 3, "c.ppm", True))
        self.assertEqual(image["before"], expected["before"], "of the region")
        self.assertEqual(image["results"][1]["after"], masked["after"])
        self.good(*sweep, "-o", "t.md")
        with open(self.path("t.md"), encoding="utf-8") as file:
            self.assertIn("--region 5,4,30,20 --feather 3 --mask '{stem}.ppm' --mask-inverse", file.read())
        self.good(*sweep, "-o", "t.png")

    def test_json_and_markdown(self):
        self.good("--headless", "--op", "he", "--sweep", "color=luma,gray", "-i", "c.ppm", "-o", "t.json", "--figures", "entropy,ssim")
        report = self.read_json("t.json")
        self.assertEqual(report["sweeps"], [{"parameter": "color", "values": ["luma", "gray"]}])
        image = report["images"][0]
        self.assertEqual((image["width"], image["height"], image["operator"]), (40, 30, "he"))
        self.assertNotIn("color", image["parameters"])
        self.assertEqual([r["values"] for r in image["results"]], [{"color": "luma"}, {"color": "gray"}])
        self.assertEqual(set(image["results"][0]["after"]), {"entropy", "ssim"})
        run = ("--headless", "--op", "he", "--backend", "cpu", "--sweep", "color=luma,gray", "-o", "t.md", "--figures", "entropy,ssim", "-i", "c.ppm")
        self.good(*run)
        lines = self.read_text("t.md").splitlines()
        self.assertRegex(lines[0], r"^Histogram equalization, variant parallel, by Tonescope \S+: range=auto .*The first row of each image is the image itself\.$")
        self.assertNotIn("color", lines[0])
        self.assertEqual(lines[2], "| input | color | ms | Entropy, bits | SSIM |")
        self.assertEqual(len(lines), 7)
        self.bad(1, *run, "gone.ppm", says=["gone.ppm"])
        lines = self.read_text("t.md").splitlines()
        self.assertEqual(len(lines), 9)
        self.assertRegex(lines[8], r"^Not done: .*gone\.ppm")

    def test_a_contact_sheet(self):
        self.good("--headless", "--sweep", "clip_limit=1,2,4", "--sweep", "tile_size=16,32", "-i", "a.pgm", "-o", "sheet.png")
        width, height = harness.png_size(self.path("sheet.png"))
        self.assertGreater(width, 2 * 61)
        self.assertGreater(height, 3 * 47)
        self.good("--headless", "--sweep", "clip_limit=1,2", "-i", "a.pgm", "b.pgm", "-o", "{stem}-sheet.png")
        self.assertIn("b-sheet.png", self.files())

    def test_against_a_reference(self):
        self.good("--headless", "-i", "a.pgm", "-o", "theirs.pgm", "--set", "clip_limit=2")
        self.good("--headless", "--sweep", "clip_limit=1,2", "-i", "a.pgm", "-o", "t.csv", "--reference", "theirs.pgm", "--figures", "changed")
        self.assertEqual([float(r["changed"] or -1) for r in self.rows("t.csv")][2], 0)
        self.assertGreater(float(self.rows("t.csv")[1]["changed"]), 0)

    def test_what_is_wrong_is_one_line(self):
        run = ("--headless", "-i", "a.pgm", "-o", "t.csv", "--sweep")
        self.bad(2, *run, "clip_limit", says=["--sweep clip_limit", "NAME=VALUE"])
        self.bad(2, *run, "beauty=1", says=["--sweep beauty", "no", "parameter"][:1])
        self.bad(2, *run, "clip_limit=1,x", says=["--sweep", "clip_limit", "x"])
        self.bad(2, *run, "clip_limit=1,1.0", says="there twice")
        self.bad(2, *run, "clip_limit=1", "--sweep", "clip_limit=2", says="swept twice")
        self.bad(2, *run, "clip_limit=1", "--report", "r.json", says="--report")
        self.bad(2, *run, "clip_limit=1", "--op", "histogram", says="--sweep")
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "t.txt", "--sweep", "clip_limit=1", says=".csv")
        self.bad(2, "--headless", "-i", "a.pgm", "b.pgm", "-o", "t.png", "--sweep", "clip_limit=1", says="both")
        self.bad(2, "--sweep", "clip_limit=1", "a.pgm", says="--headless")
        many = ",".join(str(k) for k in range(8, 209))
        self.bad(2, *run, "tile_size=" + many, "--sweep", "clip_limit=" + ",".join(str(k) for k in range(1, 61)), says="combinations")

    def test_an_image_that_fails_leaves_the_others(self):
        result = self.run_here("--headless", "--sweep", "clip_limit=1,2", "-i", "no.pgm", "a.pgm", "-o", "t.json")
        self.assertEqual(result.status, 1)
        images = self.read_json("t.json")["images"]
        self.assertIn("no.pgm", images[0]["error"])
        self.assertEqual(len(images[1]["results"]), 2)

    def test_a_table_of_nothing_takes_no_files_place(self):
        for name in ("old.csv", "old.json", "old.md"):
            with open(self.path(name), "w") as file:
                file.write("older")
            self.bad(1, "--headless", "--op", "he", "-i", "no.pgm", "--sweep", "amount=50,100", "-o", name, says="no.pgm")
            self.assertEqual(self.read_text(name), "older")


if __name__ == "__main__":
    harness.main()
