"""Random actions in the real window: commands of the palette, sliders, wheel, pans, view modes, images, window sizes.

    python3 random_run.py PATH/TO/tonescope ASSETS_FOLDER [--minutes 10] [--seed N] [--image FILE_OR_FOLDER]... [--patience-s 8]
                          [--scale 1.0] [--faults libtonescope_faults.so [--fault-every-s 3]]

Ends with 1 when the program ends, does not answer, shows an error that nothing asked for, loses an image, gives a wrong result, or
its memory, its open files or its threads grow. With --faults a call of the program fails every few seconds, alone or with others behind it; errors are then to be expected, and where no memory is left the program may end with status 1 and a line. Images
are copied first, and the program's own folders are temporary: nothing else is written to. The same seed gives the same choices as
long as the window answers alike. TONESCOPE_E2E_BACKEND and TONESCOPE_E2E_DISPLAY as for the end-to-end tests.
"""

import argparse
import collections
import json
import os
import random
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "faults")]
from Xlib.error import XError  # noqa: E402

from case import BACKEND, BINARY, colorful, write_ppm  # noqa: E402
from driver import Display, Failed, Window  # noqa: E402
from image_files import read_png  # noqa: E402
from injection import ENDLESS, KINDS, LASTING, Control  # noqa: E402

LEAVES = ("command:Quit",)
CLOSES = ("command:Close the image", "menu:Close")
EXPECTED_ERRORS = (
    r"damaged", r"cannot save", r"no images in", r"wl-copy|xclip|clipboard", r"not enough (GPU )?memory", r"nothing to paste",
    r"no preset|preset", r"cannot read|cannot open|is not an image|no such file", r"the mask .* pixels, the image", r"take a smaller image or another variant",
)
KEYS = ("1", "2", "3", "4", "5", "6", "7", "a", "b", "c", "e", "f", "g", "h", "k", "l", "m", "p", "r", "s", "v", "x", "space", "bracketleft",
        "bracketright", "plus", "minus", "Up", "Down", "Tab", "Escape", "F5", "F6", "F9", "F10", "Return", "question")
SIZES = ((640, 400), (800, 600), (1000, 640), (1280, 720), (700, 900))
OF_SESSION = ("odd.ppm", "gray.pgm")
ROUND = 60  # actions between two looks at the memory


def generated_images(folder):
    """Odd sides, gray, alpha, 16 bits, files that are none, and a session with a region and a mask."""
    def path(name):
        return os.path.join(folder, name)

    def pnm(name, header, data):
        with open(path(name), "wb") as file:
            file.write(header + data)

    write_ppm(path("one.ppm"), 1, 1, colorful)
    write_ppm(path("column.ppm"), 1, 5000, colorful)
    write_ppm(path("row.ppm"), 5000, 1, colorful)
    write_ppm(path("odd.ppm"), 641, 479, colorful)
    pnm("gray.pgm", b"P5 300 200 255\n", bytes(x * y % 256 for y in range(200) for x in range(300)))
    pnm("mask.pgm", b"P5 300 200 255\n", bytes((x * 2 + y) % 256 for y in range(200) for x in range(300)))
    with open(path("two.tonescope"), "w") as file:
        json.dump({"version": 1, "images": [{"path": name} for name in OF_SESSION], "current": 2,
                   "part": {"region": {"x": 40, "y": 30, "width": 150, "height": 120}, "feather": 10, "mask": "mask.pgm"}}, file)
    pnm("constant.pgm", b"P5 200 150 255\n", bytes([77]) * 30000)
    pnm("deep.ppm", b"P6 160 120 65535\n", random.Random(1).randbytes(160 * 120 * 6))
    pnm("noise.ppm", b"P6 3000 2000 255\n", random.Random(2).randbytes(18_000_000))
    pnm("damaged-short.ppm", b"P6 500 400 255\n", bytes(1000))
    pnm("damaged-header.png", b"\x89PNG\r\n\x1a\n", random.Random(3).randbytes(3000))
    pnm("damaged-empty.jpg", b"", b"")
    tga = bytes([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200, 0, 100, 0, 32, 8])
    pnm("alpha.tga", tga, bytes((k * 7 + k // 800) % 256 for k in range(200 * 100 * 4)))
    return [path(name) for name in sorted(os.listdir(folder))]


def make_clipboard(folder):
    """Stands for xclip, and keeps what is copied in a file, which it returns."""
    os.mkdir(os.path.join(folder, "tools"))
    held, tool = os.path.join(folder, "tools", "held"), os.path.join(folder, "tools", "xclip")
    with open(tool, "w") as file:
        file.write(f'#!/bin/sh\nfor last; do :; done\n[ "$last" = -i ] && exec cat > {held}\nexec cat {held}\n')
    os.chmod(tool, 0o755)
    return held


class Faults:
    """Lets calls of the program fail: one, or also each so many-th behind it until the next fault."""

    FARTHEST = {"allocation": 10000}  # calls ahead

    def __init__(self, library, every_s, drawn, folder):
        self.every_s, self.random = every_s, drawn
        self.control = Control(os.path.join(folder, "control"))
        self.environment = {"LD_PRELOAD": library, "FAULT_CONTROL": self.control.path, "FAULT_WITHIN": folder, "FAULT_OWN": "1"}
        self.last_s, self.before = time.monotonic(), 0
        self.now, self.counts = None, collections.Counter()

    def every(self, kind):
        """Where all allocations fail, even what is kept back for that does not help: the program ends."""
        if kind in ENDLESS or self.random.random() < 0.5:
            return 0
        return self.random.randint(2, 50) if kind == "allocation" and self.random.random() < 0.9 else 1

    def inject(self):
        """What is to fail, where it is time for it."""
        if time.monotonic() < self.last_s + self.every_s:
            return ""
        self.stop()
        self.last_s = time.monotonic()
        kind = self.random.choice([kind for kind in KINDS if kind not in LASTING])
        after, every = int(self.FARTHEST.get(kind, 10) ** self.random.random()), self.every(kind)
        self.now = kind, every
        self.control.fail(kind, after, every)
        return f" ({kind} {after}{f' and each {every}. behind it' if every else ''} fails)"

    def stop(self):
        self.control.stop()
        failed = self.control.failed() - self.before
        if self.now and failed:
            self.counts[self.now[0]] += 1
            self.counts["calls of " + self.now[0]] += failed
        self.now, self.before = None, self.control.failed()

    def may_end(self):
        return self.now == ("allocation", 1)


class RandomRun:
    def __init__(self, seed, images, folder, patience_s, scale=1.0, faults=None):
        self.random = random.Random(seed)
        self.sizes = [(round(scale * width), round(scale * height)) for width, height in SIZES]
        self.images, self.folder, self.patience_s, self.faults = images, folder, patience_s, faults
        self.small = os.path.join(folder, "gray.pgm")
        self.copied = make_clipboard(folder)
        listing = json.loads(subprocess.run([BINARY, "--list", "--json"], check=True, capture_output=True).stdout)
        self.wrong_by_design = {v["id"] for op in listing["operators"] for v in op["variants"] if v["wrong_by_design"]}
        self.last = collections.deque(maxlen=25)
        self.counts = collections.Counter()
        self.memory_kb, self.handles, self.thread_counts = [], [], []
        self.slowest = (0.0, "")
        self.display = Display("1600x1000")
        self.window = self.start()

    def start(self):
        environment = {f"XDG_{name}_HOME": os.path.join(self.folder, "own", name.lower()) for name in ("CONFIG", "STATE", "CACHE")}
        environment["PATH"] = os.path.dirname(self.copied) + ":" + os.environ["PATH"]
        if self.faults:
            environment.update(self.faults.environment)
        window = Window(BINARY, self.display, "--backend", BACKEND, self.small, size="{}x{}".format(*self.sizes[1]), env=environment)
        window.settle()
        return window

    def close(self):
        self.window.close()
        self.display.close()

    # Actions

    def views(self):
        state = self.window.state()
        # Views without room stand at 0, 0, where GLFW tells nobody of the pointer.
        views = [w["rect"] for w in state["widgets"] if w["label"].startswith("view:") and min(w["rect"][2:]) > 0]
        size = state["window"]
        x, y, w, h = self.random.choice(views) if views else (0, 0, size["width"], size["height"])
        return x + w * self.random.random(), y + h * self.random.random()

    def widgets(self, accept):
        return [w for w in self.window.state()["widgets"] if accept(w) and w["enabled"] and
                w["label"] not in (*LEAVES, *CLOSES) and not w["label"].startswith("close:")]

    def point(self, widget):
        x, y, w, h = widget["rect"]
        return x + w * self.random.uniform(0.02, 0.98), y + h * 0.5

    def palette(self):
        self.window.key("p", "Control_L", "Shift_L")
        if self.random.random() < 0.7:
            self.window.type(self.random.choice("abcdefghiklmnoprstuvwz"))
        entries = self.widgets(lambda w: w["label"].startswith("command:"))
        if not entries:
            return "nothing in the palette"
        entry = self.random.choice(entries)
        self.window.click_at(*self.point(entry))
        return entry["label"]

    def slider(self):
        state = self.window.state()
        labels = {w["label"] for w in state["widgets"]}
        found = self.widgets(lambda w: w["panel"] == "parameters" and w["label"] + " value" in labels)
        if not found:
            return "no slider"
        widget = self.random.choice(found)
        self.window.drag(self.point(widget), self.point(widget), steps=self.random.randint(2, 15))
        return widget["label"]

    def any_widget(self):
        found = self.widgets(lambda w: not w["label"].startswith("splitter"))
        if not found:
            return "no widget"
        widget = self.random.choice(found)
        button = self.random.choice((1, 1, 1, 1, 3))
        self.window.click_at(*self.point(widget), button)
        return f"{widget['panel']} {widget['label']} button {button}"

    def splitter(self):
        found = self.widgets(lambda w: w["label"].startswith("splitter"))
        if not found:
            return "no splitter"
        start = self.point(self.random.choice(found))
        last_x = self.window.state()["window"]["width"] - 1  # the pointer cannot leave the display
        self.window.drag(start, (min(max(start[0] + self.random.randint(-200, 200), 0), last_x), start[1]), steps=5)
        return "dragged"

    def wheel(self):
        clicks = self.random.choice((-8, -3, -1, 1, 3, 8))
        self.window.wheel(*self.views(), clicks)
        return str(clicks)

    def pan(self):
        self.window.drag(self.views(), self.views(), steps=self.random.randint(2, 10))
        return "dragged"

    def key(self):
        name = self.random.choice(KEYS)
        self.window.move(*self.views())
        self.window.key(name)
        return name

    def undo(self):
        self.window.key("z", "Control_L", *self.random.choice(((), ("Shift_L",))))
        return "undo or redo"

    def open_image(self):
        path = self.random.choice(self.images)
        self.window.drop(path, at=self.random.choice((None, self.views())))  # onto the view of before it is compared with
        if self.random.random() < 0.7:
            self.still()
        return os.path.basename(path)

    def close_images(self):
        for _ in self.window.state()["document"]["images"]:
            self.window.key("w", "Control_L")
        return "closed"

    def resize(self):
        size = self.random.choice(self.sizes)
        self.set_size(size)
        return f"{size[0]}x{size[1]}"

    def set_size(self, size):
        self.window.window.configure(width=size[0], height=size[1])
        self.window.x.sync()
        self.window.wait(lambda s: (s["window"]["width"], s["window"]["height"]) == size, "the window's new size")

    ACTIONS = {palette: 5, slider: 6, any_widget: 6, splitter: 1, wheel: 4, pan: 3, key: 5, undo: 2, open_image: 3, close_images: 1,
               resize: 2}

    # Watching

    def still(self):
        """Until nothing is computed. What takes long is stopped: the plain reference needs minutes for large radii."""
        for patience_s in (40, 40):
            try:
                return self.window.wait(lambda s: not s["busy"], "the end of the work", patience_s)
            except Failed as failed:
                late = failed
                for _ in range(4):  # what is open closes first
                    self.window.key("Escape")
        raise late

    def act(self):
        action = self.random.choices(list(self.ACTIONS), list(self.ACTIONS.values()))[0]
        before = self.window.state()
        fault = self.faults.inject() if self.faults else ""
        self.last.append(f"{action.__name__}{fault} ...")
        begin = time.monotonic()
        try:
            self.last[-1] = f"{action.__name__}{fault}: {action(self)}"
            took = time.monotonic() - begin
            if took > self.slowest[0]:
                self.slowest = (took, self.last[-1])
            self.look_at_notices()
            self.answers()
            self.look_at_images(before)
        except (Failed, XError):
            self.last.append(self.end())
            self.window.close()
            self.window = self.start_again()
        self.counts[action.__name__] += 1

    def start_again(self):
        if self.faults:
            self.faults.stop()
        return self.start()

    def end(self):
        """How the program ended, where it may: as Quit ends it, since the palette's arrows and Return reach that too, or without memory.
        Otherwise the exception that is being handled goes on."""
        try:
            status = self.window.process.wait(5)
        except subprocess.TimeoutExpired:
            raise sys.exc_info()[1].__context__ from None
        if status == 0:
            return "quit"
        self.window.errors.seek(0)
        lines = self.window.errors.read().splitlines()
        if status != 1 or not self.faults or not self.faults.may_end() or not lines or not lines[-1].startswith("tonescope: "):
            raise Failed(f"the program ended with {status}")
        self.counts["end without memory"] += 1
        return lines[-1]

    def look_at_images(self, before):
        """None is lost, and what was on screen does not vanish. Esc gives up one that is being opened."""
        if self.last[-1].startswith("close_images") or any(w["label"] in CLOSES and w["value"] == "current" for w in before["widgets"]):
            return
        old, now = before["document"], self.window.state()["document"]
        opened = [image for image in old["images"] if image["state"] != "loading"]
        with open(next(path for path in self.images if path.endswith(".tonescope"))) as file:  # the window may have saved it anew
            of_session = {os.path.basename(image["path"]) for image in json.load(file)["images"]}
        if {image["name"] for image in now["images"]}.issuperset(of_session):
            return  # a session takes the place of what was open
        if len(now["images"]) < len(opened):
            raise Failed(f"of {len(opened)} images there are {len(now['images'])}")
        if old["width"] and not now["width"] and any(image["state"] == "ready" for image in now["images"]):
            raise Failed("there is no image on screen any more")

    def answers(self):
        """A move of the mouse is seen soon."""
        # A display without monitors, such as Xvfb's: GLFW 3.3 puts a full-screen window anywhere.
        at = self.window.window.query_tree().root.translate_coords(self.window.window, 0, 0)
        if (at.x, at.y) != (0, 0):
            self.window.window.configure(x=0, y=0)
        begin = time.monotonic()
        size = self.window.state()["window"]
        self.window.move(self.random.randrange(size["width"] - 1), self.random.randrange(size["height"] - 1))
        took = time.monotonic() - begin
        if took > self.patience_s:
            raise Failed(f"the window took {took:.1f} s to see the mouse")

    def look_at_notices(self):
        if self.faults:
            return
        for notice in self.window.state()["notices"]:
            if notice["severity"] == "error" and not any(re.search(p, notice["text"]) for p in EXPECTED_ERRORS):
                raise Failed(f"an error that nothing asked for: {notice['text']}")

    def calm(self):
        """Back to the small image alone, without dialogs."""
        window = self.window
        self.set_size(self.sizes[1])
        for presses in range(12):  # a list, in a dialog, over a text field, on a page
            if presses >= 4 and not window.state().get("comparison", {}).get("shown"):
                break
            window.key("Escape")
        for _ in range(60):
            if not window.state()["document"]["images"]:
                break
            window.key("w", "Control_L")
        window.drop(self.small)
        window.wait(lambda s: s["document"]["image"] == self.small and s["up_to_date"] and not s["busy"], "the small image", 120)
        window.rest()

    def look_at_result(self):
        """What is copied is what a run without a window gives."""
        window = self.window
        window.last_notice = max((n["id"] for n in window.state()["recent_notices"]), default=-1)
        window.key("c", "Control_L")
        window.notice("Copied")
        command = shlex.split(window.state()["command_line"])
        if command[command.index("--variant") + 1] in self.wrong_by_design:
            return
        command[0], command[command.index("-o") + 1] = BINARY, os.path.join(self.folder, "own", "right.png")
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        if read_png(self.copied) != read_png(command[command.index("-o") + 1]):
            raise Failed(f"not the result of {shlex.join(command)}")

    def place(self):
        """Of the window and the pointer on the display, as the X server has them."""
        window = self.window.window
        size, root = window.get_geometry(), window.query_tree().root
        at, pointer = root.translate_coords(window, 0, 0), root.query_pointer()
        return (f"{size.width}x{size.height} at {at.x}, {at.y}; pointer at {pointer.root_x}, {pointer.root_y} over "
                f"{pointer.child and hex(pointer.child.id)} of {hex(window.id)}, buttons {pointer.mask:#x}")

    def threads(self):
        """What each thread of the program does: its state and the kernel's function and system call that it waits in."""
        tasks = f"/proc/{self.window.process.pid}/task"
        def read(task, name):
            try:
                with open(os.path.join(tasks, task, name)) as file:
                    return file.read().strip()
            except OSError:
                return "?"
        if self.window.process.poll() is not None:
            return []
        return [f"{read(t, 'comm')} {read(t, 'stat').rpartition(')')[2][:2].strip()} {read(t, 'wchan')} {read(t, 'syscall').split(' ')[0]}"
                for t in sorted(os.listdir(tasks))]

    def look_at_memory(self):
        with open(f"/proc/{self.window.process.pid}/status") as file:
            status = file.read()
        self.memory_kb.append(int(re.search(r"VmRSS:\s+(\d+)", status).group(1)))
        self.thread_counts.append(int(re.search(r"Threads:\s+(\d+)", status).group(1)))
        self.handles.append(len(os.listdir(f"/proc/{self.window.process.pid}/fd")))

    @staticmethod
    def growth(values, kinds=None):
        """By how much the last quarter lies above the second, and the second: of rounds of the same kind, where both have such."""
        quarter = len(values) // 4
        if quarter < 2:
            return 0.0, 0.0
        if not kinds or set(kinds[quarter:2 * quarter]).isdisjoint(kinds[len(values) - quarter:]):
            kinds = [None] * len(values)
        def medians(begin, end):
            of_kind = collections.defaultdict(list)
            for kind, value in zip(kinds[begin:end], values[begin:end]):
                of_kind[kind].append(value)
            return {kind: (statistics.median(found), len(found)) for kind, found in of_kind.items()}
        second, last = medians(quarter, 2 * quarter), medians(len(values) - quarter, len(values))
        common = second.keys() & last.keys()
        rounds = sum(last[kind][1] for kind in common)
        return tuple(sum(median(kind) * last[kind][1] for kind in common) / rounds
                     for median in (lambda kind: last[kind][0] - second[kind][0], lambda kind: second[kind][0]))

    def run(self, minutes):
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            for _ in range(ROUND):
                self.act()
            if self.faults:
                self.faults.stop()
            self.last.append("calm")
            self.calm()
            self.look_at_result()
            self.look_at_memory()
            print(f"{sum(self.counts.values())} actions, {self.memory_kb[-1] // 1000} MB, {self.handles[-1]} files, {self.thread_counts[-1]} threads", flush=True)
        # A GPU's driver starts threads for what is in use, each with memory of its own, and keeps some for what was.
        grown, second = (kb / 1000 for kb in self.growth(self.memory_kb, self.thread_counts))
        allowed = 40 + (0.2 if BACKEND == "cuda" else 0.1) * second
        more_files, more_threads = (self.growth(counts)[0] for counts in (self.handles, self.thread_counts))
        print("memory after each round, MB:", *(kb // 1000 for kb in self.memory_kb))
        print("open files after each round:", *self.handles)
        print("threads after each round:", *self.thread_counts)
        print(f"growth {grown:.0f} MB (allowed {allowed:.0f}), {more_files:.1f} files, {more_threads:.1f} threads; slowest action {self.slowest[0]:.1f} s, {self.slowest[1]}")
        for counts in (self.counts, self.faults.counts if self.faults else {}):
            print(*(f"{name} {count}" for name, count in sorted(counts.items())), sep=", ")
        # What the thread sanitizer notes of memory, several times as much, stays when that is freed.
        if grown > allowed and "TSAN_OPTIONS" not in os.environ:
            raise Failed("the memory grows")
        if more_files > 3:
            raise Failed("the program has ever more files open")
        if more_threads > 3:
            raise Failed("the program has ever more threads")


def collect(paths, folder):
    images = []
    for path in paths:
        names = [os.path.join(path, n) for n in sorted(os.listdir(path))] if os.path.isdir(path) else [path]
        for name in names:
            if name.lower().endswith((".png", ".jpg", ".jpeg", ".bmp", ".tga", ".ppm", ".pgm", ".psd", ".gif")):
                images.append(shutil.copy(name, folder))
    return images


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("binary")
    options.add_argument("assets")
    options.add_argument("--minutes", type=float, default=10)
    options.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    options.add_argument("--image", action="append", default=[])
    options.add_argument("--patience-s", type=float, default=8, help="for the window's answer; more on a busy machine")
    options.add_argument("--scale", type=float, default=1.0, help="of the window's sizes; less takes less of a machine where software draws")
    options.add_argument("--faults", metavar="LIBRARY", type=os.path.abspath, help="let calls fail (tests/faults/faults.c)")
    options.add_argument("--fault-every-s", type=float, default=3)
    arguments = options.parse_args()
    print("seed", arguments.seed, flush=True)
    with tempfile.TemporaryDirectory(prefix="tonescope-random-") as folder:
        images = generated_images(folder) + collect([arguments.assets, *arguments.image], folder)
        faults = Faults(arguments.faults, arguments.fault_every_s, random.Random(arguments.seed), folder) if arguments.faults else None
        run = RandomRun(arguments.seed, images, folder, arguments.patience_s, arguments.scale, faults)
        try:
            run.run(arguments.minutes)
            run.window.key("q", "Control_L")
            status = run.window.process.wait(60)
            if status != 0:
                raise Failed(f"the program ended with {status}")
        except (Failed, XError) as failure:  # the second where the window has gone
            threads = run.threads()
            print(f"FAILED with seed {arguments.seed}: {failure}; the program's status is {run.window.process.poll()}\nthe last actions:", *run.last, sep="\n  ")
            if threads:
                print("threads:", *threads, sep="\n  ")
                print("window:", run.place())
            run.window.errors.seek(0)
            print(run.window.errors.read()[-8000:])
            return 1
        finally:
            run.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
