"""Drags every slider of every operator in the real window and prints what the frames cost the UI thread, and each
operator's timings.

    python3 frame_times.py PATH/TO/tonescope ASSETS_FOLDER [--op ID]... [--image FILE] [--open FILE]... [--batch N]
                           [--experiment ID] [--limit-ms 16] [--without draw]

The median, the 99th percentile and the slowest of a frame's work a slider: everything but the wait for the display, and with
--without also but the named parts (a software OpenGL draws and uploads on the UI thread). Exits with 1 where a frame
passes the limit. With --open it drags nothing, but drops these files into the window, and judges the frames until each is
there with its result, says when that was, and what the upload to a GPU took. With --batch, a batch of N photographs runs in the window meanwhile. With --experiment, it leads
the mouse over the charts of this one while it runs, then presses Escape and says how long it took to stop, and what stays. TONESCOPE_E2E_BACKEND and TONESCOPE_E2E_DISPLAY as for the end-to-end tests.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BACKEND, BINARY  # noqa: E402
from driver import Display, Failed, Window  # noqa: E402

WIDTH, HEIGHT = 6000, 4000
SWEEPS = (0.05, 0.95, 0.4)


def make_image(path):
    """24 MPixel with gradients and texture."""
    rows = []
    for y in range(64):
        row = bytearray()
        for x in range(WIDTH):
            row += bytes(((x // 24 + y) & 255, (x * 7 ^ y * 13) & 255, (x * x // 5000 + 3 * y) & 255))
        rows.append(bytes(row))
    with open(path, "wb") as file:
        file.write(f"P6 {WIDTH} {HEIGHT} 255\n".encode())
        for y in range(HEIGHT):
            file.write(rows[(y * 37 + y // 64) % 64])


class Frames:
    """Collects what the window says of its last frames."""

    def __init__(self, window, without):
        self.window, self.without = window, without
        self.seen = 0
        self.start()

    def start(self):
        self.samples, self.lost = [], 0
        self.seen = self.window.state()["frame"]["count"]

    def take(self):
        frame = self.window.state()["frame"]
        fresh = frame["count"] - self.seen
        self.seen = frame["count"]
        self.lost += max(0, fresh - len(frame["recent"]))
        if fresh > 0:
            self.samples += [dict(zip(frame["parts"], sample)) for sample in frame["recent"][-fresh:]]

    def work_ms(self, sample):
        return sum(ms for part, ms in sample.items() if part != "wait" and part not in self.without)


def sliders(window):
    labels = [w["label"] for w in window.state()["widgets"] if w["panel"] == "parameters" and w["enabled"]]
    return [label for label in labels if f"{label} value" in labels]


def choices(window):
    """The parameters that choose others, so that every slider gets its turn."""
    labels = [w["label"] for w in window.state()["widgets"] if w["panel"] == "parameters" and w["enabled"]]
    return [label for label in labels if ":" in label and label.split(":")[0] in ("Tiles", "Clip limit as")]


def drag_slider(window, frames, label):
    frames.start()
    for start, end in zip(SWEEPS, SWEEPS[1:] + SWEEPS[:1]):
        window.drag(window.center(label, start), window.center(label, end), steps=25, each=frames.take)
    window.settle()
    window.rest()
    frames.take()
    return frames.samples


def report(operator, label, frames, samples, limit_ms):
    ordered = sorted(samples, key=frames.work_ms)
    slowest, p99, median = ordered[-1], ordered[int(0.99 * (len(ordered) - 1))], ordered[len(ordered) // 2]
    parts = ", ".join(f"{part} {ms:.1f}" for part, ms in slowest.items() if ms >= 0.5)
    print(f"{operator:10} {label:14} {len(samples):5} {frames.work_ms(median):8.1f} {frames.work_ms(p99):8.1f} {frames.work_ms(slowest):9.1f}  {parts}"
          + (f"  ({frames.lost} frames not seen)" if frames.lost else ""), flush=True)
    return frames.work_ms(slowest) <= limit_ms


def drag_all(window, frames, limit_ms):
    good, done = True, set()
    operator = window.state()["document"]["operator"]

    def drag_new():
        nonlocal good
        for label in sliders(window):
            if label in done:
                continue
            done.add(label)
            good &= report(operator, label, frames, drag_slider(window, frames, label), limit_ms)

    drag_new()
    for choice in choices(window):
        window.click(choice)
        window.settle()
        drag_new()
    return good


def open_all(window, frames, files, limit_ms):
    good = True
    for path in map(os.path.abspath, files):
        frames.start()
        dropped = time.monotonic()
        window.drop(path)

        def is_open(state):
            frames.take()
            return state["document"]["image"] == path and state["up_to_date"] and not state["busy"]

        state = window.wait(is_open, f"{path} and its result", 300)
        took_ms = 1000 * (time.monotonic() - dropped)
        upload = next((row["last_ms"] for row in state["timings"] if row["stage"] == "upload"), 0)
        window.rest()
        frames.take()
        good &= report("open", os.path.basename(path)[:14], frames, frames.samples, limit_ms)
        print(f"{'':10} on screen after {took_ms:.0f} ms; upload {upload:.2f} ms", flush=True)
    return good


def start_batch(window, folder, photograph, count):
    """Of names of one file, beside the image that is open."""
    for i in range(count):
        path = os.path.join(folder, f"photograph-{i}.jpg")
        if os.path.exists(path):
            continue
        if i == 0:
            shutil.copy(photograph, path)
        else:
            os.link(os.path.join(folder, "photograph-0.jpg"), path)
    shutil.rmtree(os.path.join(folder, "results"), ignore_errors=True)
    window.key("b", "Control_L")
    window.click("Images of the batch:a folder")
    window.click("button:Start batch")
    window.widget("button:Pause batch")
    window.key("Escape")


def batch_done(window):
    """"batch: 12 of 400"; None: it has ended."""
    return next((w["value"] for w in window.state()["widgets"] if w["label"] == "status:batch"), None)


def watch_experiment(window, frames, limit_ms):
    window.wait(lambda s: s["experiment"]["measured"] >= 1, "a case", 300)
    frames.start()
    for chart in ("Throughput", "\u00d7 builds on", "\u00d7 reference", "Table", "Time"):
        window.click(f"chart:{chart}")
        left, top, width, height = window.widget("sweep chart" if chart != "Table" else "chart:Time")
        for step in range(40):
            window.move(left + width * step / 40, top + height * (step % 8) / 8)
            time.sleep(0.02)
            frames.take()
    good = report("sweep", "the mouse", frames, frames.samples, limit_ms)
    before = window.state()["experiment"]
    pressed = time.monotonic()
    window.key("Escape")
    stopped = window.wait(lambda s: s["experiment"]["stopped"], "the end of it")["experiment"]
    took_ms = 1000 * (time.monotonic() - pressed)
    print(f"{'':10} stopped {took_ms:.0f} ms after Escape; {stopped['measured']} cases stay, of {before['measured']} before", flush=True)
    return good and before["running"] and took_ms < 500 and stopped["measured"] >= before["measured"]


def print_timings(window):
    """The panel's table: what a stage takes, milliseconds."""
    for row in window.state()["timings"]:
        print(f"{'':10} {row['stage']:14} last {row['last_ms']:8.4f}  median {row['median_ms']:8.4f}", flush=True)


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("binary")
    options.add_argument("assets")
    options.add_argument("--op", action="append", metavar="ID")
    options.add_argument("--image")
    options.add_argument("--open", action="append", default=[], metavar="FILE")
    options.add_argument("--batch", type=int, default=0, metavar="N")
    options.add_argument("--experiment", metavar="ID")
    options.add_argument("--limit-ms", type=float, default=16)
    options.add_argument("--without", action="append", default=[], metavar="PART")
    options.add_argument("--size", default="1600x1000")
    arguments = options.parse_args()
    good = True
    with tempfile.TemporaryDirectory(prefix="tonescope-frames-") as folder:
        image = os.path.join(folder, os.path.basename(arguments.image or "24-megapixel.ppm"))
        if arguments.image:
            shutil.copy(arguments.image, image)
        else:
            make_image(image)
        display = Display(arguments.size)
        print(f"{'operator':10} {'slider':14} frames median ms p99 ms  slowest ms, of which", flush=True)
        try:
            for operator in arguments.op or (("clahe",) if arguments.open else ("he", "clahe", "kuwahara", "histogram")):
                experiment = ("--experiment", arguments.experiment) if arguments.experiment else ("--op", operator)
                window = Window(BINARY, display, "--backend", BACKEND, *experiment, image, size=arguments.size)
                try:
                    if arguments.experiment:
                        good &= watch_experiment(window, Frames(window, arguments.without), arguments.limit_ms)
                        break
                    window.wait(lambda s: s["up_to_date"] and s["document"]["width"] > 0, "the result", 300)
                    if arguments.batch:
                        start_batch(window, folder, os.path.join(arguments.assets, "balloons.jpg"), arguments.batch)
                    frames = Frames(window, arguments.without)
                    if arguments.open:
                        good &= open_all(window, frames, arguments.open, arguments.limit_ms)
                        continue
                    good &= drag_all(window, frames, arguments.limit_ms)
                    print_timings(window)
                    if arguments.batch:
                        print(f"{'':10} {batch_done(window) or 'the batch has ended: these are not the frames beside it'}")
                finally:
                    window.close()
        finally:
            display.close()
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        sys.exit(f"frame_times: {failure}")
