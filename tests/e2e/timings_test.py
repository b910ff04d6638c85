"""End-to-end tests of the timings panel: stages, frames, bandwidth, pause, copy."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BACKEND, WindowTest, asset, main, stays  # noqa: E402


class Timings(WindowTest):
    def open_fog(self):
        window = self.open(asset("fog.png"), "--op", "clahe", size="1500x960")
        window.settle()
        return window

    def scroll_to(self, window, label):
        """The panels of a GPU have more rows than the window."""
        x, y, _, _ = window.widget("splitter:right")
        for _ in range(30):
            if window.has_widget(label):
                return
            window.wheel(x + 30, y + 30, -1)
        self.fail(f"no {label} in the right panel")

    def drag_clip_limit(self, window):
        window.drag(window.center("Clip limit", 0.3), window.center("Clip limit", 0.8), steps=6)
        window.settle()
        window.rest()

    def test_stages_have_a_last_a_median_and_a_best_time(self):
        window = self.open_fog()
        self.drag_clip_limit(window)
        total = window.state()["timings"][-1]
        self.assertEqual(total["stage"], "total")
        self.assertGreaterEqual(total["runs"], 2)
        self.assertLessEqual(total["best_ms"], total["median_ms"])
        self.assertLessEqual(total["best_ms"], total["last_ms"])
        window.click("timing:total", fraction=0.1)
        window.wait(lambda s: any(w["label"] == "stage history" for w in s["widgets"]), "the details")
        x, y, w, h = window.widget("stage history")
        window.move(x + w * 0.5, y + h * 0.7)
        window.wait(lambda s: "ago: " in (self.value(window, "stage history") or ""), "the run under the mouse")
        window.click("timing:total", fraction=0.1)
        window.wait(lambda s: not any(w["label"] == "stage history" for w in s["widgets"]), "no details")

    def test_pause_freezes_what_is_shown_and_measuring_goes_on(self):
        window = self.open_fog()
        window.key("t", "Control_L")
        window.wait(lambda s: any(w["label"] == "button:Resume" for w in s["widgets"]), "the pause")
        shown, runs = self.value(window, "timing:total"), window.state()["timings"][-1]["runs"]
        self.drag_clip_limit(window)
        window.wait(lambda s: s["timings"][-1]["runs"] > runs, "more runs")
        self.assertEqual(self.value(window, "timing:total"), shown)
        window.click("button:Resume")
        window.wait(lambda s: any(w["label"] == "button:Pause" for w in s["widgets"]), "the newest times")
        last_ms = window.state()["timings"][-1]["last_ms"]
        self.assertAlmostEqual(float(self.value(window, "timing:total").split()[0]), last_ms, delta=0.01 + last_ms * 0.01)

    def test_timings_start_anew(self):
        window = self.open_fog()
        self.drag_clip_limit(window)
        self.run_command(window, "timings reset", "Timings: reset")
        window.wait(lambda s: s["timings"] == [], "no times")
        self.drag_clip_limit(window)
        window.wait(lambda s: s["timings"] and s["frame"]["count"] > 0, "new times")
        self.run_command(window, "hide the panels", "Show or hide the panels")
        self.run_command(window, "timings reset", "Timings: reset")
        window.wait(lambda s: s["timings"] == [], "no times again")
        window.key("z", "Control_L")  # a run whose stages nobody sees: a GPU does not time them
        window.settle()
        self.run_command(window, "hide the panels", "Show or hide the panels")
        window.wait(lambda s: s["timings"], "times where they are seen")

    def test_bandwidth_is_measured_when_the_window_rests(self):
        window = self.open_fog()
        state = window.wait(lambda s: s["copy_gb_s"] > 0, "the bandwidth")
        self.assertGreater(state["copy_gb_s"], 0.5)
        self.assertLess(state["copy_gb_s"], 20_000)
        self.drag_clip_limit(window)
        self.assertEqual(window.state()["copy_gb_s"], state["copy_gb_s"], "once a session")
        window.click("timing:total", fraction=0.1)
        window.wait(lambda s: "of a copy's" in (self.value(window, "stage:Memory") or ""), "the share")

    def test_frames_have_parts_for_everyone_who_works_on_them(self):
        window = self.open_fog()
        self.drag_clip_limit(window)
        frame = window.state()["frame"]
        self.assertEqual(frame["parts"], ["input", "upload", "compute", "hand-over", "panels", "draw", "wait"])
        self.assertGreater(frame["count"], 5)
        self.assertGreater(frame["ui_ms_max"], 0)
        self.assertGreaterEqual(frame["ui_ms_max"], frame["ui_ms_last"])
        for sample in frame["recent"]:
            self.assertLessEqual(sum(sample[:-1]), frame["ui_ms_max"] + 0.1)
        self.scroll_to(window, "Frame times")
        window.click("Frame times")
        self.scroll_to(window, "part:panels")
        rows = {"frame:UI thread", "frame:Slowest", "frame:GPU"} | ({"frame:CPU threads"} if BACKEND == "cpu" else set())
        self.assertLessEqual(rows, {w["label"] for w in window.state()["widgets"]})

    def test_an_idle_window_writes_no_state(self):
        window = self.open_fog()
        window.wait(lambda s: s["copy_gb_s"] > 0, "the bandwidth")
        window.rest()
        before = os.stat(window.state_path).st_mtime_ns
        stays(lambda: os.stat(window.state_path).st_mtime_ns == before, "the state's file is left alone", 1.5)


if __name__ == "__main__":
    main()
