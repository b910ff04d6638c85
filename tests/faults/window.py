#!/usr/bin/env python3
"""Makes calls of the program fail while its window is in use, from start to quit, and judges what becomes of it.

    window.py PROGRAM FAULTS.so [--kind KIND] [--phase PHASE] [--once] [--on] [--sample N] [--seed S] [--at N,...] [--jobs N]
    window.py PROGRAM FAULTS.so --places [FILE] [--jobs N]

Without a sample: every call. With --places: an allocation at every place in the program, which is the chain of its four innermost
callers, once, until no window finds any (FILE keeps them from run to run): first in the phases between start and quit, which a window
does again as long as each time an allocation at a new place has failed, then in start and quit. Otherwise each fault is one window: the
Nth call of a kind from the beginning of a phase on fails, once or with all after it until the phase is over. The program must go on:
image and parameters are kept, the phase can be done again, a further change is saved with the pixels that a run without a window gives,
and the same pixels are on screen, unless a notice says that they are not. While it starts or quits, and where no memory is left at all
or OpenGL's context is lost, it may also end with status 1 and a line. It must not end otherwise, hang, or leave a file that is neither
the old nor the right one. Allocations are those of our own code; file calls are those on the user's files.
"""
import collections
import concurrent.futures
import itertools
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "e2e"), HERE]
from Xlib.error import XError  # noqa: E402

from driver import Display, Failed, Window, wait_until  # noqa: E402
from image_files import read_png, write_ppm  # noqa: E402
from injection import LASTING, NEW_PLACE, PLACES_BYTES, UNREACHED, Control, draw, groups, parse, tell  # noqa: E402

PHASES = ("start", "open", "change", "desktop", "session", "batch", "save", "quit")
PATIENCE_S = 60
SIZE = (96, 64)
MARGIN = 6  # what has the keyboard's focus has a frame


class Fault(collections.namedtuple("Fault", "kind phase at on")):
    def place(self):
        return (self.phase,)

    def __str__(self):
        return f"{self.phase}: {self.kind} {self.at}{' and all after it' if self.on else ''}"


class Ended(Exception):
    pass


class Wrong(Exception):
    pass


def pixel(x, y):
    return tuple(60 + (x * 7 + y * 5 + c * 20) % 50 for c in range(3))


BETWEEN, ENDS = "between start and quit", "start and quit"
FAILING = {BETWEEN: PHASES[1:-1], ENDS: (PHASES[0], PHASES[-1])}  # in which phases places fail
QUIET_WINDOWS = 8  # so many in a row without a new place
MOST_ROUNDS = 40  # of a phase in a window


class Case:
    """One window, from start to end."""

    def __init__(self, judge, on, fault):
        self.judge, self.on, self.fault = judge, on, fault
        self.by_place = fault is not None and fault.phase in FAILING
        self.folder = tempfile.mkdtemp(dir=judge.folder)
        self.image = os.path.join(self.folder, "image.ppm")
        self.result = os.path.join(self.folder, "image-clahe.png")
        write_ppm(self.image, *SIZE, pixel)
        self.session_file, self.mask = (os.path.join(self.folder, name) for name in ("part.tonescope", "mask.ppm"))
        write_ppm(self.mask, *SIZE, lambda x, y: (255, 255, 255))
        self.feathers = itertools.count(1)
        self.write_session(0)
        self.control = Control(self.folder + ".control")
        if fault is None:
            self.control.count()
        self.places = itertools.cycle((0.6, 0.3, 0.8))  # on the slider
        self.window, self.calls, self.phase = None, {}, None

    def run(self):
        """What came of it. Throws Wrong."""
        try:
            for phase in PHASES if self.fault is None or self.fault.phase != ENDS else ("start", "open", "quit"):
                for _ in range(MOST_ROUNDS):
                    failed = self.control.failed()
                    self.do(phase)
                    if not self.by_place or phase not in FAILING[BETWEEN] or self.control.failed() == failed:
                        break
            status = self.window.process.returncode
            return "lives" if status == 0 else self.ended()
        except Ended:
            return self.ended()
        except (Failed, XError) as failed:  # where its window has gone, the program ends, if not at once
            try:
                self.window.process.wait(PATIENCE_S)
            except (AttributeError, subprocess.TimeoutExpired):
                raise Wrong((str(failed) or repr(failed))[:2000]) from failed
            return self.ended()
        finally:
            if self.window is not None:
                self.window.close()

    def write_session(self, feather):
        """With a region that is all of the image, at whose borders nothing fades."""
        region = {"x": 0, "y": 0, "width": SIZE[0], "height": SIZE[1]}
        with open(self.session_file, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "images": [{"path": "image.ppm"}], "part": {"region": region, "feather": feather, "mask": "mask.ppm"}}, file)

    def ended(self):
        """It ended by itself, in the midst of something."""
        status = self.window.process.wait()
        self.window.errors.seek(0)
        err = self.window.errors.read()
        name = f"status {status}" if status >= 0 else signal.Signals(-status).name
        lines = [line for line in err.splitlines() if line.startswith("tonescope: ")]
        may_end = self.phase in ("start", "quit") or (self.fault.kind == "allocation" and self.fault.on) or self.fault.kind in LASTING
        if status != 1 or not lines or self.control.failed() == 0 or not may_end:
            raise Wrong(f"{name}: {err.strip()[-500:]!r}")
        self.check_files()
        return "status 1: " + lines[-1].removeprefix("tonescope: ").replace(self.folder, "")[:90]

    # Phases

    def do(self, phase):
        self.phase = phase
        fails = self.fault is not None and phase in FAILING.get(self.fault.phase, (self.fault.phase,))
        before = self.control.calls()
        if fails:
            self.control.fail(self.fault.kind, self.fault.at, NEW_PLACE if self.by_place else self.fault.on)
        self.first_notice = self.next_notice()
        worked = getattr(self, phase)()
        self.calls[phase] = {kind: calls - before[kind] for kind, calls in self.control.calls().items()}
        self.control.stop()
        if phase in ("start", "quit"):
            return
        if not worked:
            if self.control.failed() == 0:
                raise Wrong(f"{phase} does not work without any fault: {self.notices()}")
            self.first_notice = self.next_notice()
            if not getattr(self, phase)():
                raise Wrong(f"{phase} does not work again: {self.notices()}")
        if phase in ("open", "change", "desktop"):
            self.check_screen()
        if fails:
            if phase == "save":
                self.change()
                self.first_notice = self.next_notice()
                if not self.save():
                    raise Wrong(f"the next save does not work: {self.notices()}")
            elif self.window.state()["document"]["image"] != self.image:
                raise Wrong("the image is gone")

    def start(self):
        environment = {"LD_PRELOAD": self.judge.library, "FAULT_CONTROL": self.control.path, "FAULT_WITHIN": self.folder, "FAULT_OWN": "1",
                       "FAULT_PLACES": self.judge.places}
        for name in ("CONFIG", "STATE", "CACHE"):
            environment[f"XDG_{name}_HOME"] = os.path.join(self.folder, name.lower())
        window = self.window = Window.__new__(Window)  # it is known also where it ends at once
        window.__init__(self.judge.program, self.on, "--backend", "cpu", "--op", "clahe", size="900x640", env=environment)
        window.rest()
        return True

    def open(self):
        if self.window.state()["document"]["image"]:
            self.window.key("w", "Control_L")
            self.wait(lambda s: not s["document"]["image"])
        self.window.drop(self.image)
        return self.wait(lambda s: not s["busy"] and s["up_to_date"] and s["document"]["width"] == SIZE[0])

    def change(self):
        before = self.window.state()["document"]["parameters"]
        self.window.click("Clip limit", fraction=next(self.places))
        self.window.wait(lambda s: s["document"]["parameters"] != before, "another value")
        return self.wait(lambda s: not s["busy"] and s["up_to_date"])

    def desktop(self):
        """Full screen and back, and a text for the clipboard."""
        size = self.window.state()["window"]
        for _ in range(2):
            self.window.key("F11")
        try:
            self.window.wait(lambda s: s["window"] == size, "the old size", 10)
        except Failed:  # one of the two had no effect
            self.window.key("F11")
            self.window.wait(lambda s: s["window"] == size, "the old size")
        self.window.key("c", "Control_L", "Shift_L")
        return self.told("Copied")

    def session(self):
        """One is saved, and one is opened whose region and mask take the result everywhere."""
        kept = os.path.join(self.folder, "kept.tonescope")
        if not self.window.has_widget("File name"):
            self.window.key("s", "Control_L", "Alt_L")
        listed = ("entry:part.tonescope", "browser error")
        self.wait(lambda s: any(w["label"] in listed for w in s["widgets"]))
        if not self.window.has_widget(listed[0]):
            self.window.key("Escape")  # a new dialog lists anew
            return False
        self.window.click("File name")
        self.window.key("a", "Control_L")
        self.window.type("kept.tonescope")
        replaces = os.path.exists(kept)
        self.window.key("Return")
        if replaces and not self.replace():
            return False
        saved = self.told("Saved")
        if os.path.exists(kept):
            with open(kept, encoding="utf-8") as file:
                if [image["path"] for image in json.load(file)["images"]] != ["image.ppm"]:
                    raise Wrong("the session has not the image")
        if not saved:
            return False
        feather = next(self.feathers)
        self.write_session(feather)
        self.first_notice = self.next_notice()
        self.window.drop(self.session_file)
        return self.wait(lambda s: s["part"]["feather"] == feather and s["part"]["mask"] == self.mask and not s["busy"] and s["up_to_date"])

    def batch(self):
        """Of the image, onto its result of before."""
        path = os.path.join(self.folder, "results", "image.png")
        old = self.content(path)
        if not self.window.has_widget("button:Start batch"):
            self.window.key("b", "Control_L")
        self.wait(lambda s: any(w["label"] == "button:Start batch" for w in s["widgets"]))
        self.window.click("button:Start batch")
        asked = "button:Overwrite them"

        def told(state):
            summary = next((w["value"] for w in state["widgets"] if w["label"] == "batch"), "")
            busy = summary.startswith("Looking") or any(w["label"] == "button:Stop batch" for w in state["widgets"])
            notices = [n["text"] for n in state["recent_notices"] if n["id"] >= self.first_notice]
            if any(w["label"] == asked for w in state["widgets"]):
                return asked
            return "told" if not busy and (any("atch" in text for text in notices) or (summary and "finished" not in summary)) else None

        done = self.wait(told)
        if done and self.window.has_widget(asked):
            self.window.click(asked)
            self.window.wait(lambda s: not any(w["label"] == asked for w in s["widgets"]), "the end of the question")
            done = self.wait(told)
        self.window.key("Escape")
        content = self.content(path)
        if content is not None and content not in (old, self.judge.right(self.window.state()["document"]["parameters"])[0]):
            raise Wrong(f"{len(content)} bytes of the batch that are not the result")
        return done and any(text.startswith("Batch: 1 image done") for text in self.notices())

    def save(self):
        old = self.content()
        if not self.window.has_widget("button:Save"):
            self.window.key("s", "Control_L")
        listed = ("entry:image.ppm", "browser error")
        self.wait(lambda s: any(w["label"] in listed for w in s["widgets"]))
        if not self.window.has_widget(listed[0]):
            self.window.key("Escape")  # a new dialog lists anew
            return False
        self.window.click("button:Save")
        if old is not None and not self.replace():
            return False
        saved = self.told("Saved")
        self.check_files(old)
        return saved

    def quit(self):
        process = self.window.process
        self.window.key("q", "Control_L")
        try:
            status = process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired as late:
            raise Wrong("it does not end") from late
        if status != 0:
            raise Ended
        self.check_files()
        return True

    # Waiting and judging

    def notices(self):
        state = self.window.state()
        return [n["text"] for n in state["recent_notices"] if n["id"] >= self.first_notice]

    def next_notice(self):
        state = self.window.state() if self.window else None
        return 1 + max((n["id"] for n in state["recent_notices"]), default=0) if state else 0

    def told(self, beginning):
        """Waits for a notice that begins with this."""
        return self.wait(lambda s: any(n["id"] >= self.first_notice and n["text"].startswith(beginning) for n in s["recent_notices"]))

    def replace(self):
        """Agrees where the window asks about a file that is there."""
        if not self.wait(lambda s: any(w["label"] == "button:Replace" for w in s["widgets"])):
            return False
        self.window.click("button:Replace")
        return True

    def wait(self, condition):
        """False where a notice has come instead, and nothing else for a while."""
        end = time.monotonic() + PATIENCE_S
        since = None
        while True:
            if self.window.process.poll() is not None:
                raise Ended
            state = self.window.state()
            if condition(state):
                return True
            others = [n for n in state["recent_notices"] if n["id"] >= self.first_notice and not n["text"].startswith("Memory is short")]
            quiet = others and not state["busy"]
            since = since or time.monotonic() if quiet else None
            if quiet and time.monotonic() - since > 1:
                return False
            if time.monotonic() > end:
                raise Failed(f"neither what was to come nor a notice: {[n['text'] for n in state['recent_notices']]}; "
                             f"widgets {[w['label'] for w in state['widgets']]}")
            time.sleep(0.02)

    def content(self, path=None):
        try:
            with open(path or self.result, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def check_screen(self):
        """Both views show what they are said to show, as far as notices leave them free."""
        self.window.move(3, 3)
        self.window.rest()
        state = self.window.state()
        if any(words in notice["text"] for notice in state["recent_notices"] for words in ("lower resolution", "may be wrong")):
            return
        after = self.judge.right(state["document"]["parameters"])[1]
        covered = [w["rect"] for w in state["widgets"] if w["label"].startswith("notice:")]
        before = [[pixel(x, y) for x in range(SIZE[0])] for y in range(SIZE[1])]
        zoom, (center_x, center_y) = state["view"]["zoom"], state["view"]["center"]
        for label, right in (("view:before", before), ("view:after", after)):
            left, top, width, height = map(int, self.window.widget(label))
            screen = self.window.pixels(left, top, width, height)
            for y in range(MARGIN, SIZE[1] - MARGIN):
                screen_y = top + height / 2 + (y + 0.5 - center_y) * zoom
                if any(-MARGIN < screen_y - rect[1] < rect[3] + MARGIN for rect in covered):
                    continue
                for x in range(MARGIN, SIZE[0] - MARGIN):
                    at = int(width / 2 + (x + 0.5 - center_x) * zoom), int(screen_y) - top
                    if 0 <= at[0] < len(screen[0]) and 0 <= at[1] < len(screen) and screen[at[1]][at[0]] != right[y][x]:
                        raise Wrong(f"{label} shows {screen[at[1]][at[0]]} in place of {right[y][x]} at {x}, {y}: {self.notices()}")

    def check_files(self, old=None):
        """The result is right for the parameters on screen, or what was there before."""
        content = self.content()
        if content is not None and content != old:
            parameters = self.window.state()["document"]["parameters"]
            if content != self.judge.right(parameters)[0]:
                raise Wrong(f"{len(content)} bytes that are not the result, of {parameters}")
        left = [name for name in os.listdir(self.folder) if name.endswith(".tmp")]
        if len(left) > self.control.unremoved() and self.window.process.poll() is not None:
            raise Wrong(f"left behind: {left}")


class Judge:
    def __init__(self, program, library, folder, places):
        self.program, self.library, self.folder = program, library, folder
        self.places = os.path.abspath(places or os.path.join(folder, "places"))
        if not os.path.exists(self.places):
            with open(self.places, "wb") as file:
                file.truncate(PLACES_BYTES)
        self.results, self.lock = {}, threading.Lock()
        write_ppm(os.path.join(folder, "image.ppm"), *SIZE, pixel)

    def right(self, parameters):
        """What a run without a window gives: the file's bytes, and its pixels."""
        sets = [word for name, value in parameters.items() for word in ("--set", f"{name}={value}")]
        with self.lock:
            if tuple(sets) not in self.results:
                output = os.path.join(self.folder, "right.png")
                subprocess.run([self.program, "--headless", "--backend", "cpu", "--op", "clahe", *sets, "-i",
                                os.path.join(self.folder, "image.ppm"), "-o", output], check=True, stdout=subprocess.DEVNULL)
                with open(output, "rb") as file:
                    self.results[tuple(sets)] = file.read(), read_png(output)
            return self.results[tuple(sets)]

    def count(self, on):
        """Calls of each phase and kind."""
        case = Case(self, on, None)
        if case.run() != "lives":
            raise Wrong("it does not work without any fault")
        return case.calls


def places(judged, jobs):
    """Verdicts of windows, for each group of phases until so many in a row have found no new place."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as workers:
        for phases in FAILING:
            quiet = 0
            while quiet < QUIET_WINDOWS:
                for verdict in workers.map(judged, [Fault("allocation", phases, 1, False)] * 2 * jobs):
                    quiet = quiet + 1 if verdict[1].endswith(UNREACHED) else 0
                    if not verdict[1].endswith(UNREACHED):
                        yield verdict


def main():
    options = parse(__doc__, "phase", PHASES, lambda parser: parser.add_argument("--places", nargs="?", const="", default=None))
    with tempfile.TemporaryDirectory(prefix="tonescope-faults-") as folder:
        displays = [Display("1000x700") for _ in range(options.jobs)]
        free = queue.SimpleQueue()
        for display in displays:
            free.put(display)
        judge = Judge(options.program, options.library, folder, options.places)

        def on_display(work):
            on = free.get()
            try:
                return work(on)
            finally:
                free.put(on)

        def judged(fault):
            def work(on):
                case = Case(judge, on, fault)
                try:
                    what = case.run()
                except Wrong as wrong:
                    where = f"{case.phase}, at {case.control.place()}: " if case.by_place else ""
                    return fault, "wrong", where + str(wrong)
                return fault, what + ("" if case.control.failed() else UNREACHED), None
            return on_display(work)

        try:
            if options.places is not None:
                right = tell(places(judged, options.jobs))
                with open(judge.places, "rb") as file:
                    print(sum(word != 0 for word in memoryview(file.read()).cast("Q")), "places have failed")
                return 0 if right else 1
            calls = on_display(judge.count)
            for phase in PHASES:
                print(phase + ":", ", ".join(f"{kind} {count}" for kind, count in calls[phase].items()), flush=True)
            alike = []
            for phase in options.phase or PHASES:
                alike += groups(options, calls[phase], lambda kind, at, on: Fault(kind, phase, at, on))
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
                return 0 if tell(workers.map(judged, draw(alike, options.sample, options.seed))) else 1
        finally:
            for display in displays:
                display.close()


if __name__ == "__main__":
    sys.exit(main())
