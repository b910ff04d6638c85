"""Suggestions for parameters, as text and as JSON: what their reasons say is what a run with their values gives."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import harness  # noqa: E402
from harness import Case  # noqa: E402

ASSETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "assets")


class Suggestions(Case):
    def suggest(self, *args):
        return json.loads(self.good("--headless", "--suggest", "--json", "-i", *args).out)["images"]

    def figure(self, figure, name, **sets):
        options = [word for param, value in sets.items() for word in ("--set", f"{param}={value}")]
        self.good("--headless", "-i", name, "-o", "out.png", "--backend", "cpu", "--figures", figure, "--report", "r.json", *options)
        return self.read_json("r.json")["images"][0]["figures"]["after"][figure]

    def test_the_reasons_of_the_samples_are_true(self):
        marks = 0
        for name in ("fog.png", "night.png", "radiograph-12.tiff", "cells-16.tiff"):
            path = os.path.join(ASSETS, name)
            image = self.suggest(path)[0]
            self.assertEqual(image["input"], path)
            self.assertEqual([p["id"] for p in image["parameters"]], ["tile_size", "clip_limit"])
            whole = image["part"]["width"] * image["part"]["height"] < 2**20
            for parameter in image["parameters"]:
                curves = {curve["figure"]: curve for curve in parameter["curves"]}
                self.assertEqual(set(curves), {"noise_gain", "entropy"})
                for mark in parameter["marks"]:
                    self.assertEqual(mark["flat"], curves[mark["figure"]]["flat"])
                    if mark["flat"] or not whole:
                        continue
                    marks += 1
                    here = self.figure(mark["figure"], path, **{parameter["id"]: mark["value"]})
                    if mark["figure"] == "noise_gain":
                        self.assertAlmostEqual(here, 1.5, delta=0.12, msg=f"{name}: {mark}")
                    else:
                        self.assertLess(max(curves["entropy"]["figures"]) / here, 1.013, msg=f"{name}: {mark}")
        self.assertGreater(marks, 2)

    def test_text_and_json_say_the_same(self):
        path = os.path.join(ASSETS, "fog.png")
        text = self.good("--headless", "--suggest", "-i", path).out
        image = self.suggest(path)[0]
        for parameter in image["parameters"]:
            for mark in parameter["marks"]:
                self.assertIn(mark["reason"], text)
        self.assertIn("Noise gain", text)
        self.assertEqual(text, self.good("--headless", "--suggest", "-i", path).out, "it can be done again")

    def test_a_region_is_an_image_of_its_own(self):
        x, y, width, height, whole = 37, 20, 210, 160, (400, 300)
        pixels = [(a * a // 7 + 13 * b + (a * b) % 37) % 256 for b in range(whole[1]) for a in range(whole[0])]
        harness.write_pnm(self.path("whole.pgm"), *whole, data=bytes(pixels))
        harness.write_pnm(self.path("cut.pgm"), width, height, data=bytes(pixels[b * whole[0] + a] for b in range(y, y + height) for a in range(x, x + width)))
        region = ("--region", f"{x},{y},{width},{height}")
        for settings in ((), ("--set", "tiles=grid")):
            of_region, of_cut, of_all = (self.suggest(name, *settings, *more)[0] for name, more in (("whole.pgm", region), ("cut.pgm", ()), ("whole.pgm", ())))
            self.assertEqual(of_region["parameters"], of_cut["parameters"])
            self.assertNotEqual(of_region["parameters"], of_all["parameters"])
            self.assertEqual(of_region["part"], {"x": x, "y": y, "width": width, "height": height})
        text = self.good("--headless", "--suggest", "-i", "whole.pgm", *region).out
        self.assertEqual(text.splitlines()[0], f"whole.pgm: clahe, the region {x},{y},{width},{height} of 400 × 300")
        self.bad(1, "--headless", "--suggest", "-i", "whole.pgm", "--region", "500,0,9,9", says="whole.pgm: the region 500,0,9,9 lies outside")
        for option in (("--mask", "cut.pgm"), ("--feather", "3", *region)):
            self.bad(2, "--headless", "--suggest", "-i", "whole.pgm", *option, says=f"{option[0]}: suggestions are of all that is filtered")
        for option in (("--mask", "cut.pgm"), region):
            self.bad(2, "--headless", "--compare", "-i", "whole.pgm", "-o", "t.csv", *option, says=f"{option[0]}: variants are compared on whole images")

    def test_other_parameters_stay_as_they_are_set(self):
        path = os.path.join(ASSETS, "fog.png")
        strong = self.suggest(path, "--set", "clip_limit=8")[0]
        plain = self.suggest(path)[0]
        self.assertNotEqual(strong["parameters"][0], plain["parameters"][0], "tile size depends on the limit")
        self.assertEqual(strong["parameters"][1], plain["parameters"][1], "the limit's own curve does not")
        grid = self.suggest(path, "--set", "tiles=grid")[0]
        self.assertEqual([p["id"] for p in grid["parameters"]], ["clip_limit"])

    def test_a_flat_image_has_none(self):
        harness.write_pnm(self.path("flat.pgm"), 64, 48, data=bytes([77]) * (64 * 48))
        self.assertEqual([p["marks"] for p in self.suggest("flat.pgm")[0]["parameters"]], [[], []])
        self.assertIn("no suggestion", self.good("--headless", "--suggest", "-i", "flat.pgm").out)

    def test_what_cannot_be(self):
        self.bad(2, "--headless", "--suggest", "-i", "a.pgm", "--op", "he", says="no parameter of he takes suggestions")
        self.bad(2, "--headless", "--suggest", "-i", "a.pgm", "-o", "b.pgm", says="-o")
        self.bad(2, "--suggest", says="--headless")
        self.bad(2, "--headless", "--suggest", "--compare", "-i", "a.pgm", says="--suggest")
        failed = self.run_here("--headless", "--suggest", "-i", "none.pgm", "a.pgm")
        self.assertEqual(failed.status, 1)
        self.assertIn("a.pgm: clahe, 61 × 47", failed.out, "the others are done")
        self.assertRegex(failed.err, r"\Atonescope: none.pgm: [^\n]+\n\Z")


if __name__ == "__main__":
    harness.main()
