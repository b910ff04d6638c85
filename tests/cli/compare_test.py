"""--compare: every variant verified and timed, in all kinds of file."""
import csv
import os
import xml.etree.ElementTree

import harness
from harness import Case


class Compare(Case):
    def compare(self, out, *args, op="clahe"):
        return self.good("--headless", "--compare", "-i", "a.pgm", "-o", out, "--op", op, *args)

    def test_json(self):
        for op in (op["id"] for op in harness.listing()["operators"]):
            self.compare("c.json", op=op)
            comparison = self.read_json("c.json")
            self.assertEqual((comparison["operator"], comparison["width"], comparison["height"]), (op, 61, 47))
            listed = harness.variants(op)
            self.assertEqual([v["variant"] for v in comparison["variants"]], [v["id"] for v in listed])
            for row, variant in zip(comparison["variants"], listed):
                self.assertEqual(row["ran"], variant["available"], row)
                if not row["ran"]:
                    self.assertTrue(row["reason"])
                    continue
                self.assertEqual(row["identical"], row["differences"] == 0)
                self.assertTrue(row["identical"] or row["wrong_by_design"], row)
                self.assertGreaterEqual(row["runs"], 1)
                self.assertTrue(row["stages"])
                for stage in row["stages"]:
                    self.assertTrue(0 <= stage["p10_ms"] <= stage["ms"] <= stage["p90_ms"], stage)
                for part in ("total", "compute", "kernels"):
                    time = row[part]
                    self.assertTrue(0 <= time["p10_ms"] <= time["median_ms"] <= time["p90_ms"])
                    if row["runs"] >= 5:
                        low, high = time["interval_ms"]
                        self.assertTrue(0 <= low <= time["median_ms"] <= high)
                    self.assertAlmostEqual(time["mpixel_s"] * time["median_ms"], 61 * 47 / 1000)
                parts = row["kernels"]["median_ms"] + row["host_ms"] + row["copies_ms"]
                self.assertGreaterEqual(parts, row["total"]["median_ms"] * 0.999)
                self.assertEqual(row["builds_on"], variant["builds_on"])
            reference = next(r for r, v in zip(comparison["variants"], listed) if v["reference"])
            self.assertEqual(reference["total"]["speed_up_reference"], 1)
            for row in comparison["variants"]:
                if row["ran"]:
                    self.assertAlmostEqual(row["total"]["speed_up_reference"] * row["total"]["median_ms"],
                                           reference["total"]["median_ms"])

    def test_amdahl(self):
        for op, stage in (("he", "table"), ("histogram", "clamp"), ("kuwahara", None)):
            self.compare("c.json", op=op)
            comparison = self.read_json("c.json")
            amdahl = comparison["amdahl"]
            reference = next(r for r, v in zip(comparison["variants"], harness.variants(op)) if v["reference"])
            times = {s["stage"]: s["ms"] for s in reference["stages"]}
            share = times[stage] / reference["total"]["median_ms"] if stage else 0
            self.assertEqual(amdahl["sequential_stage"], stage)
            self.assertAlmostEqual(amdahl["sequential_share"], share)
            self.assertAlmostEqual(reference["amdahl_bound"], 1 / (share + (1 - share) / amdahl["cpu_lanes"]))
            if stage:
                self.assertAlmostEqual(amdahl["limit"] * share, 1)
            else:
                self.assertIsNone(amdahl["limit"])

    def test_csv(self):
        self.compare("c.csv", op="he")
        with open(self.path("c.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["variant"] for row in rows], [v["id"] for v in harness.variants("he")])
        for row, variant in zip(rows, harness.variants("he")):
            self.assertEqual(None in row or None in row.values(), False)
            if variant["available"]:
                self.assertEqual((row["result"], row["differences"]), ("identical", "0"))
                self.assertGreater(float(row["total_ms"]), 0)
                self.assertIn("=", row["stages_ms"])
            else:
                self.assertTrue(row["result"].startswith("not run: "))

    def test_markdown(self):
        self.compare("c.md", op="he")
        first, *others = self.read_text("c.md").split("\n## ")
        table = [line for line in first.splitlines() if line.startswith("|")]
        self.assertEqual(len({line.count("|") for line in table}), 1)
        self.assertEqual(len(table), 2 + len(harness.variants("he")))
        claims = next(part for part in others if part.startswith("What the reports say"))
        table = [line for line in claims.splitlines() if line.startswith("|")]
        self.assertEqual(len({line.count("|") for line in table}), 1)
        self.assertIn("| B | cpu | cpu-branchy |", table[2])

    def test_chart(self):
        self.compare("c.png", op="he")
        self.assertGreater(min(harness.png_size(self.path("c.png"))), 200)
        os.mkdir(self.path("out"))
        self.compare("out", op="he")
        self.assertEqual(self.files("out"), ["a.png"])

    def test_limits(self):
        self.compare("c.json", op="he")
        comparison = self.read_json("c.json")
        roofs = comparison["roofs"]["cpu"]
        self.assertGreater(roofs["memory"]["rate"], 0)
        self.assertGreater(roofs["operations"]["rate"], 0)
        self.assertNotIn("shared", roofs)
        for row in comparison["variants"]:
            if not row["ran"]:
                continue
            self.assertGreaterEqual(sum(stage["bytes"] for stage in row["work"]), 2 * 61 * 47)
            shares = row["limit"]["shares"]
            self.assertEqual([s["share"] for s in shares], sorted((s["share"] for s in shares), reverse=True))
            self.assertTrue(row["limit"]["sentence"])
            if row["backend"] == "cpu":
                operations = sum(stage["operations"] for stage in row["work"])
                share = next(s for s in shares if s["resource"] == "operations")
                self.assertAlmostEqual(share["rate"], operations / row["kernels"]["median_ms"] / 1e6, places=6)
                self.assertAlmostEqual(share["share"], share["rate"] / roofs["operations"]["rate"], places=6)
        self.compare("c.md", op="he")
        text = self.read_text("c.md")
        self.assertIn("## Limits", text)
        self.assertIn("- **Reference.** ", text)

    def test_roofline(self):
        self.compare("c.svg", "--roofline", op="he")
        svg = xml.etree.ElementTree.parse(self.path("c.svg"))
        texts = [element.text for element in svg.iter() if element.tag.endswith("text")]
        self.assertIn("CPU memory", texts)
        self.assertIn("billion instructions a second", texts)
        self.compare("c.png", "--roofline", op="he")
        self.assertGreater(min(harness.png_size(self.path("c.png"))), 200)
        run = ("--headless", "--compare", "--roofline", "-i", "a.pgm")
        self.bad(2, *run, "-o", "c.csv", says=".svg")
        self.bad(2, *run, "-o", "c.svg", "--content", "noise", says="--roofline")
        self.bad(2, "--headless", "--roofline", "-i", "a.pgm", "-o", "c.svg", says="--compare")

    def test_parameters_backend_and_variant(self):
        self.compare("c.json", "--set", "tile_size=8", "--backend", "cpu", "--report", "r.json")
        comparison = self.read_json("c.json")
        self.assertEqual(comparison["parameters"]["tile_size"], 8)
        self.assertEqual({v["ran"] for v in comparison["variants"] if v["backend"] == "cuda"} | {False}, {False})
        self.assertEqual(self.read_json("r.json")["variants"][0]["variant"], comparison["variants"][0]["variant"])
        cpu = [v["id"] for v in harness.variants("clahe") if v["backend"] == "cpu"]
        self.compare("c.json", "--variant", cpu[-1])
        self.assertEqual([v["variant"] for v in self.read_json("c.json")["variants"]], [cpu[0], cpu[-1]])
        self.compare("c.json", "--variant", "cpu-branchy", op="he")
        self.assertEqual([v["variant"] for v in self.read_json("c.json")["variants"]], ["cpu-branchy", "cpu"])

    def test_memory_modes(self):
        self.compare("c.json", "--memory-modes", "--variant", "simple", op="he")
        comparison = self.read_json("c.json")
        self.assertTrue(comparison["by_memory_mode"])
        rows = comparison["variants"]
        self.assertEqual([(v["variant"], v["name"], v["memory"]) for v in rows[1:]],
                         [("simple", mode, mode) for mode in harness.listing()["memory_modes"]])
        self.assertEqual((rows[0]["variant"], rows[0]["identical"]), ("cpu", True))
        self.assertEqual({row["ran"] for row in rows[1:]}, {v["available"] for v in harness.variants("he") if v["id"] == "simple"})
        run = ("--headless", "--compare", "--memory-modes", "-i", "a.pgm", "-o", "c.csv", "--op", "he")
        self.bad(2, *run, "--variant", "managed", says="always uses managed memory")
        self.bad(2, *run, "--variant", "parallel", says="on the CPU")
        self.bad(2, *run, "--memory", "pinned", says="--memory")
        self.bad(2, "--headless", "--memory-modes", "-i", "a.pgm", "-o", "c.png", says="--compare")

    def test_experiment(self):
        run = ("--headless", "--compare", "--backend", "cpu", "--op", "clahe", "-i", "a.pgm", "--content", "noise,bell")
        run += ("--image-size", "24x18,40x30", "--sweep", "tile_size=8,16")
        result = self.good(*run, "-o", "e.json", "--report", "r.json", "--image-format", "rgb")
        self.assertEqual(result.out.count(" rows measured, the fastest is "), 12)
        self.assertIn("12 of 12: bell, 40 × 30, tile_size 16: ", result.out)
        experiment = self.read_json("e.json")
        self.assertEqual(self.read_json("r.json"), experiment)
        self.assertEqual([axis["id"] for axis in experiment["axes"]], ["image", "size", "tile_size"])
        self.assertEqual(len(experiment["points"]), 12)
        for point in experiment["points"]:
            benchmark = point["benchmark"]
            self.assertTrue(point["measured"])
            self.assertEqual(str(benchmark["parameters"]["tile_size"]), point["place"]["tile_size"])
            self.assertEqual(f'{benchmark["width"]} × {benchmark["height"]}', point["place"]["size"])
            self.assertEqual(benchmark["channels"], 1 if point["place"]["image"] == "a.pgm" else 3)
            for row in benchmark["variants"]:
                self.assertEqual(row["ran"], row["backend"] == "cpu")
                self.assertTrue(not row["ran"] or row["identical"], row)

    def test_files_of_an_experiment(self):
        run = ("--headless", "--compare", "--backend", "cpu", "--op", "clahe", "--variant", "parallel")
        run += ("--content", "noise,bell", "--image-size", "24x18,40x30", "--sweep", "tile_size=8,16")
        self.good(*run, "-o", "e.csv")
        with open(self.path("e.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({(row["input"], row["width"], row["tile_size"]) for row in rows},
                         {(i, w, t) for i in ("noise", "bell") for w in ("24", "40") for t in ("8", "16")})
        self.good(*run, "-o", "e.svg", "--axes", "log")
        xml.etree.ElementTree.parse(self.path("e.svg"))
        self.good(*run, "-o", "e.png")
        self.assertGreater(min(harness.png_size(self.path("e.png"))), 1000)
        self.good(*run, "-o", "e.md")
        self.assertIn("| All cores |", self.read_text("e.md"))

    def test_experiment_of_files(self):
        run = ("--headless", "--compare", "--backend", "cpu", "--op", "he")
        self.good(*run, "-i", "a.pgm", "b.pgm", "-o", "e.json")
        self.assertEqual([point["title"] for point in self.read_json("e.json")["points"]], ["a.pgm", "b.pgm"])
        result = self.run_here(*run, "-i", "missing.pgm", "a.pgm", "-o", "m.json")
        self.assertEqual(result.status, 1)
        self.assertIn("missing.pgm", result.err)
        self.assertEqual([point["measured"] for point in self.read_json("m.json")["points"]], [False, True])
        for wrong, says in ((("--sweep", "bogus=1"), "bogus"), (("--sweep", "tile_size"), "NAME=VALUE"),
                            (("--content", "fog"), "noise"), (("--image-size", "4q"), "reports"),
                            (("--image-format", "cmyk", "--content", "noise"), "gray or rgb"),
                            (("--axes", "round", "--content", "noise"), "linear")):
            self.bad(2, *run, "-i", "a.pgm", "-o", "w.csv", *wrong, says=says)
        self.assertNotIn("w.csv", self.files())

    def test_named_experiments(self):
        os.mkdir(self.path("out"))
        result = self.good("--headless", "--experiment", "e-shared,c-scans", "--backend", "cpu", "-o", "out")
        self.assertIn("experiment 2 of 2: Report C: Prefix sums: 7 cases", result.out)
        self.assertIn("3 of 7: smooth, 400 × 600: 1 row measured", result.out)
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         sorted(f"{name}.{ending}" for name in ("e-shared", "c-scans")
                                for ending in ("csv", "json", "md", "svg", "png")))
        experiment = self.read_json("out/c-scans.json")
        self.assertEqual((experiment["experiment"], experiment["operator"]), ("c-scans", "he"))
        self.assertEqual([len(axis["labels"]) for axis in experiment["axes"]], [7])
        self.good("--headless", "--experiment", "e-shared", "--backend", "cpu", "-o", "one-{stem}.md")
        self.assertIn("# Report E: Shared memory", self.read_text("one-e-shared.md"))
        for wrong, out, says in (("e-sharred", "w.csv", ("e-sharred: unknown", "e-shared")), ("e-shared,z", "out", "z: unknown"),
                                 ("e-shared", "w.txt", ".csv"), ("e-shared,e-blocks", "w.csv", "{stem}"), ("", "w.csv", "unknown")):
            self.bad(2, "--headless", "--experiment", wrong, "-o", out, says=says)
        for option in (("--op", "he"), ("-i", "a.pgm"), ("--sweep", "radius=1"), ("--set", "radius=1"), ("--compare",)):
            self.bad(2, "--headless", "--experiment", "e-shared", "-o", "w.csv", *option, says=option[0])
        self.bad(2, "--headless", "--experiment", "e-shared,e-blocks", "-o", "out", "--report", "r.json", says="--report")
        self.bad(2, "--list", "--experiment", "e-shared", says="--headless")
        self.bad(2, "--experiment", "all", says="--headless")
        self.assertEqual(len(self.files("out")), 10)

    def test_timeline(self):
        self.compare("t.json", "--timeline", "--variant", "parallel", op="he")
        events = self.read_json("t.json")["traceEvents"]
        self.assertEqual([e["args"]["name"] for e in events if e["name"] == "process_name"], ["All cores", "Reference"])
        for process in (1, 2):
            self.assertIn("histogram", [e["name"] for e in events if e["ph"] == "X" and e["pid"] == process])
        self.compare("t.svg", "--timeline", "--variant", "parallel", op="he")
        drawing = xml.etree.ElementTree.parse(self.path("t.svg")).getroot()
        texts = [text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
        self.assertTrue({"Host", "All cores", "Reference", "histogram"} <= set(texts), texts)
        self.assertTrue(any("Host: begins at" in t.text for t in drawing.iter("{http://www.w3.org/2000/svg}title")))
        run = ("--headless", "--compare", "--timeline", "-i", "a.pgm", "--op", "he")
        self.bad(2, *run, "-o", "t.csv", says=(".json", ".svg"))
        self.bad(2, *run, "-o", "t.svg", "--memory-modes", says="--memory-modes")
        self.bad(2, *run, "-o", "t.svg", "--content", "noise", says="--timeline")
        self.bad(2, "--headless", "--timeline", "-i", "a.pgm", "-o", "t.svg", says="--compare")

    def test_cases_of_files_keep_their_depth(self):
        with open(self.path("deep.pgm"), "wb") as file:
            file.write(b"P5 9 7 4095\n" + b"".join(bytes([k % 16, 7 * k % 256]) for k in range(63)))
        self.good("--headless", "--compare", "--backend", "cpu", "--op", "clahe", "--variant", "parallel", "-i",
                  "deep.pgm", "--sweep", "clip_limit=2,3", "-o", "cases.json")
        points = self.read_json("cases.json")["points"]
        self.assertEqual(len(points), 2)
        for point in points:
            variant = next(v for v in point["benchmark"]["variants"] if v["variant"] == "parallel")
            self.assertTrue(variant["identical"])
            self.assertIn("range", [s["stage"] for s in variant["stages"]], "only deep images are searched for it")

    def test_refusals(self):
        run = ("--headless", "--compare", "-i", "a.pgm")
        for out in ("c.txt", "c", "c.jpg", "c.pgm"):
            self.bad(2, *run, "-o", out, says=(".csv", ".json", ".md", ".svg", ".png"))
        self.bad(2, *run, "-o", "c.csv", "--op", "sobel", says="kuwahara")
        self.bad(2, *run, "-o", "c.csv", "--set", "bogus=1", says="tile_size")
        self.bad(2, *run, "-o", "c.csv", "--set", "tile_size=1", says="8 to 1024")
        result = self.run_here("--headless", "--compare", "-i", "missing.pgm", "-o", "c.csv")
        self.assertEqual((result.status, result.err.count("\n")), (1, 1))
        self.assertNotIn("c.csv", self.files())


if __name__ == "__main__":
    harness.main()
