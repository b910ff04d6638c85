"""End-to-end tests of the view that compares variants."""

import csv
import json
import math
import os
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BACKEND, WindowTest, colorful, main, write_ppm  # noqa: E402

PATIENCE_S = 180


class Comparing(WindowTest):
    def open(self, *args, width=160, height=120):
        window = super().open(*args)
        image = os.path.join(window.folder.name, "small.ppm")
        write_ppm(image, width, height, colorful)
        window.drop(image)
        window.settle()
        return window

    def finish(self, window):
        return window.wait(lambda s: s.get("comparison") and not s["comparison"]["running"] and
                           any(r["state"] == "done" for r in s["comparison"]["variants"]), "a finished comparison",
                           PATIENCE_S)["comparison"]

    def export(self, window, name):
        path = os.path.join(window.folder.name, name)
        window.click("button:Export...")
        window.widget("File name")
        window.key("a", "Control_L")
        window.type(name)
        window.wait(lambda s: any(w["label"] == "File name" and w["value"] == name for w in s["widgets"]), name)
        window.click("button:Save")
        return path

    def wait_saved(self, window, path):
        window.notice(f"Saved {path}")
        with open(path, "rb") as file:
            return file.read()

    def test_runs_to_the_end_and_exports(self):
        window = self.open("--op", "he")
        window.click("button:Compare variants")
        window.wait(lambda s: s.get("comparison", {}).get("shown"), "the comparison")
        self.assertFalse(window.has_widget("view:before"))
        result = self.finish(window)
        done = [r for r in result["variants"] if r["state"] == "done"]
        self.assertGreaterEqual(len(done), 3)
        self.assertEqual({r["result"] for r in done if not r["result"].endswith(" by design")}, {"identical"})
        self.assertEqual((result["stale"], result["error"]), ("", ""))
        for variant in done[:3]:
            self.assertTrue(window.has_widget("row:" + variant["variant"]))
        if BACKEND == "cpu":
            self.assertEqual(self.value(window, "rows that cannot run"), "closed")
            self.assertFalse(any(window.has_widget("row:" + r["variant"]) for r in result["variants"] if r["state"] == "not run"))
        sentence = self.value(window, "comparison remarks")
        self.assertIn("threads alone make at most", sentence)

        window.click("chart:Time")
        self.assertEqual(self.value(window, "Axis"), "linear")
        window.widget("bar:" + done[0]["variant"])
        table = self.wait_saved(window, self.export(window, "table.csv")).decode()
        rows = list(csv.DictReader(table.splitlines()))
        self.assertEqual([r["variant"] for r in rows], [r["variant"] for r in result["variants"]])
        for row, variant in zip(rows, result["variants"]):
            if variant["state"] == "done":
                self.assertEqual(row["result"], "identical")
                self.assertAlmostEqual(float(row["kernels_ms"]), variant["kernels_ms"], delta=variant["kernels_ms"] * 0.01 + 1e-6)
                self.assertEqual(int(row["runs"]), variant["runs"])
                self.assertGreater(float(row["amdahl_bound"]), 1)
        chart = self.wait_saved(window, self.export(window, "chart.png"))
        self.assertEqual(chart[:8], b"\x89PNG\r\n\x1a\n")
        self.assertGreater(min(struct.unpack(">II", chart[16:24])), 400)
        report = json.loads(self.wait_saved(window, self.export(window, "all.json")))
        self.assertEqual(report["operator"], "he")
        past = [v["name"] for v in report["variants"] if v.get("passes_amdahl_bound")]
        self.assertEqual([v["name"] for v in report["variants"] if v["ran"] and v["compute"]["speed_up_reference_interval"]
                          and v["compute"]["speed_up_reference_interval"][0] > v["amdahl_bound"]], past)
        for name in past:
            self.assertIn(name, sentence.partition("Past it")[2], "the sentence names what is past the bound")

        os.truncate(os.path.join(window.folder.name, "table.csv"), 0)
        path = self.export(window, "table.csv")
        window.click("button:Cancel")
        self.assertEqual(os.path.getsize(path), 0, "nothing is overwritten without asking")

    def test_choosing_a_row_going_back_and_earlier_settings(self):
        window = self.open("--op", "histogram")
        x, y, w, h = window.widget("view:before")
        window.move(x + w / 2, y + h / 2)
        window.key("k")
        window.wait(lambda s: s.get("comparison", {}).get("shown"), "the comparison after K")
        self.finish(window)
        window.click("row:cpu")
        window.wait(lambda s: s["document"]["variant"] == "cpu", "the variant of the row")
        self.assertEqual(window.state()["comparison"]["stale"], "", "the variant is no part of what is compared")
        window.click("Operator")
        window.click("Operator:Kuwahara")
        window.wait(lambda s: "Histogram lab" in s["comparison"]["stale"], "the remark that the results are of another filter")
        self.assertTrue(window.has_widget("comparison stale"))
        window.click("Radius", fraction=0.1)
        window.click("button:Run")
        window.wait(lambda s: s["comparison"]["operator"] == "kuwahara" and s["comparison"]["stale"] == "", "a new comparison")
        window.click("Close comparison")
        window.wait(lambda s: not s["comparison"]["shown"] and any(w["label"] == "view:before" for w in s["widgets"]),
                    "the image")

    def test_what_was_measured_stays_and_memory_modes(self):
        window = self.open("--op", "he", width=900, height=700)
        window.key("k")
        first = window.wait(lambda s: s.get("comparison", {}).get("running") and
                            any(r["state"] == "done" for r in s["comparison"]["variants"]), "the first row")["comparison"]
        ids = [r["variant"] for r in first["variants"] if r["state"] == "done"]
        window.click("button:Stop")
        stopped = window.wait(lambda s: s["comparison"]["stopped"], "the end of it")["comparison"]
        for row in stopped["variants"]:
            if row["variant"] in ids:
                self.assertEqual((row["state"], row["runs"] >= 1, row["total_ms"] > 0), ("done", True, True))
        window.click("Page:Memory modes")
        modes = window.wait(lambda s: not s["comparison"]["running"] and s["comparison"]["variants"][-1]["variant"] == "overlapped",
                            "the memory modes", PATIENCE_S)["comparison"]
        self.assertEqual([r["variant"] for r in modes["variants"]], ["cpu", "pageable", "pinned", "mapped", "managed", "overlapped"])
        self.assertEqual(modes["variants"][0]["state"], "done")
        window.click("Page:Variants")
        window.wait(lambda s: len(s["comparison"]["variants"]) > 6, "the variants again")

    def test_an_experiment_stops_and_its_points_run(self):
        window = WindowTest.open(self, "--experiment", "b-versions")
        window.wait(lambda s: s.get("experiment", {}).get("measured", 0) >= 2, "two cases")
        window.key("Escape")
        pressed = time.monotonic()
        stopped = window.wait(lambda s: s["experiment"]["stopped"], "the end of it")["experiment"]
        self.assertLess(time.monotonic() - pressed, 2)  # 0.5 on a machine that does nothing else
        self.assertGreaterEqual(stopped["measured"], 2)
        self.assertFalse(stopped["running"])
        # What was under way is still shown, which moves the points; its claims come last.
        window.wait(lambda s: s["experiment"]["claims"] > 0, "all that was measured")
        x, y = window.center("point:cpu:400 × 250")
        # Both variants may be equally fast: then their points lie in one place, and the click takes either.
        near = [v for v in ("cpu", "cpu-branchy") if math.dist(window.center(f"point:{v}:400 × 250"), (x, y)) <= 14]
        window.click_at(x, y)
        shown = window.settle()["document"]
        self.assertIn(shown["variant"], near)
        self.assertEqual((shown["operator"], shown["width"], shown["height"]), ("he", 400, 250))
        self.assertIn("smooth-400x250", shown["image"])

    def test_timeline_of_the_chosen_variant(self):
        window = self.open("--op", "histogram")
        window.key("k")
        self.finish(window)
        window.click("row:parallel")
        window.click("Page:Timeline")
        whole = self.value(window, "timeline")
        self.assertTrue(window.has_widget("lane:1:Host"))
        window.click("button:Export...")
        window.widget("File name")
        window.click("button:Save")
        window.wait(lambda s: any("timeline.json" in n["text"] for n in s["notices"]), "the trace")
        with open(os.path.join(window.folder.name, "small-histogram-%s-timeline.json" % window.state()["document"]["variant"])) as file:
            events = json.load(file)["traceEvents"]
        self.assertTrue(any(e["ph"] == "X" for e in events))
        self.assertRegex(whole, " ms$")

    def test_stops_while_the_window_stays_alive(self):
        window = self.open("--op", "kuwahara", "--set", "radius=64", width=900, height=700)
        window.key("k")
        window.wait(lambda s: s.get("comparison", {}).get("running"), "the running comparison")
        for tab in ("chart:Throughput", "chart:\u00d7 reference", "chart:Time"):
            window.move(*window.center(tab))
            used = window.cpu_s()
            window.press()
            window.release()
            window.wait(lambda s, tab=tab: any(w["label"] == tab and w["value"] == "on" for w in s["widgets"]), tab)
            self.assertLess(window.cpu_s() - used, 5, "the window answers while it measures")
        if BACKEND == "cpu":
            self.assertTrue(window.state()["comparison"]["running"], "plain loops at radius 64 take long")
        window.key("Escape")
        stopped = window.wait(lambda s: not s["comparison"]["running"], "the end of it")["comparison"]
        self.assertTrue(stopped["stopped"])
        self.assertTrue(stopped["shown"], "Escape stops first, and goes back when nothing runs")
        window.click("Radius", fraction=0.02)
        window.click("button:Run")
        self.assertFalse(self.finish(window)["stopped"])


if __name__ == "__main__":
    main()
