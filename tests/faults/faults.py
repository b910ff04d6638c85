#!/usr/bin/env python3
"""Makes calls of the program fail, one after the other, and judges what becomes of a headless run.

    faults.py PROGRAM FAULTS.so [--kind KIND] [--run NAME] [--once] [--on] [--sample N] [--seed S] [--at N,...]

Without options: every run, every kind, every call, failing once and from then on. A run must end with status 0 and the right results, or
with status 1 (usage aside) and a line on standard error; every output is right or what was there before, and no temporary file stays
that could be removed. Short and interrupted calls must not show at all.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import harness  # noqa: E402

KINDS = ("allocation", "thread", "file", "full disk", "short call", "interruption")
HARMLESS = ("short call", "interruption")
TIMEOUT_S = 120
UNREACHED = ", not reached"
OLD = b"what was there before"
STATES = {True: "old outputs", False: "new outputs"}  # they take other ways, with other numbers of calls
MOST_UNREACHED = 0.01  # the number of calls differs by a few from run to run, since threads race

# Each run's images are gray.pgm and color.ppm (small, of two bands at least) and one of each other format; `{out}` is the folder of its
# outputs.
OTHER_FORMATS = ("png", "jpg", "bmp", "tga")  # that the program saves
RUNS = {
    "he": ["--op", "he", "-i", "gray.pgm", "-i", "color.ppm", "-o", "{out}/{stem}.png"],
    "clahe": ["--op", "clahe", "-i", "color.ppm", "-o", "{out}/color.ppm"],
    "kuwahara": ["--op", "kuwahara", "-i", "gray.pgm", "-o", "{out}/gray.jpg"],
    "report": ["--op", "he", "-i", "gray.pgm", "-i", "color.ppm", "-o", "{out}/{stem}.bmp", "--report", "{out}/report.json"],
    "formats": ["--op", "he", *(word for end in (*OTHER_FORMATS, "psd", "gif") for word in ("-i", f"{end}.{end}")), "-o", "{out}/{stem}.tga"],
    "link": ["--op", "he", "-i", "gray.pgm", "-o", "{out}/link.bmp"],
    "bins": ["--op", "histogram", "-i", "gray.pgm", "-o", "{out}/bins.csv"],
}


LINKS = {"link": "link.bmp"}  # outputs that are links, to what was there before or to nothing


class Fault(collections.namedtuple("Fault", "run kind replaces at on")):
    def __str__(self):
        return f"{self.run}, {STATES[self.replaces]}: {self.kind} {self.at}{' and all after it' if self.on else ''}"


def write_psd(path, side):
    """Gray, not packed."""
    with open(path, "wb") as file:
        file.write(b"8BPS" + struct.pack(">H6xHIIHHIIIH", 1, 1, side, side, 8, 1, 0, 0, 0, 0) + harness.pixels(side, side))


def write_gif(path, side):
    """Gray; the table of codes is cleared before codes grow, so that each pixel is a byte."""
    values = bytes(v // 2 for v in harness.pixels(side, side))
    codes = b"".join(b"\x80" + values[at:at + 120] for at in range(0, len(values), 120)) + b"\x81"
    blocks = b"".join(bytes([len(codes[at:at + 255])]) + codes[at:at + 255] for at in range(0, len(codes), 255))
    colors = bytes(2 * v for v in range(128) for _ in range(3))
    with open(path, "wb") as file:
        file.write(b"GIF89a" + struct.pack("<HHBBB", side, side, 0xF6, 0, 0) + colors + b"," + struct.pack("<HHHHBB", 0, 0, side, side, 0, 7) +
                   blocks + b"\0;")


class Control:
    """What the library and this program share: the call that fails, and what has happened."""

    def __init__(self, path, at=0):
        self.path = path
        with open(path, "wb") as file:
            file.write(struct.pack(f"{3 + len(KINDS)}q", at, *[0] * (2 + len(KINDS))))

    def read(self):
        with open(self.path, "rb") as file:
            return struct.unpack(f"{3 + len(KINDS)}q", file.read())

    def failed(self):
        return self.read()[1]

    def unremoved(self):
        """How many calls failed that were to remove a file."""
        return self.read()[2]

    def calls(self):
        """By kind, the one that may fail; all of them where none may."""
        return dict(zip(KINDS, self.read()[3:]))

    def fail_at(self, call):
        with open(self.path, "r+b") as file:
            file.write(struct.pack("q", call))


class Judge:
    def __init__(self, program, library, folder):
        self.program, self.library, self.folder = program, library, folder
        harness.write_pnm(os.path.join(folder, "gray.pgm"), 400, 330)
        harness.write_pnm(os.path.join(folder, "color.ppm"), 300, 260, 3)
        for end in OTHER_FORMATS:
            harness.write_pnm(os.path.join(folder, "small.ppm"), 80, 60, 3)
            subprocess.run([self.program, "--headless", "--backend", "cpu", "--op", "clahe", "-i", "small.ppm", "-o", f"{end}.{end}"],
                           cwd=folder, check=True, stdout=subprocess.DEVNULL)
        write_psd(os.path.join(folder, "psd.psd"), 70)
        write_gif(os.path.join(folder, "gif.gif"), 70)
        self.right, self.calls = {}, {}

    def start(self, run, kind, replaces, at=0, on=False):
        """Status, standard error, the Control, and the outputs by name. `replaces`: there are outputs already."""
        out = tempfile.mkdtemp(dir=self.folder)
        try:
            link = os.path.join(out, LINKS[run]) if run in LINKS else None
            if link:
                os.symlink("linked", link)
            for name in self.right[run] if replaces else ():
                with open(os.path.join(out, name), "wb") as file:
                    file.write(OLD)
            control = Control(out + ".control", at)
            env = {**os.environ, "LD_PRELOAD": self.library, "FAULT_KIND": kind, "FAULT_CONTROL": control.path}
            if on:
                env["FAULT_ON"] = "1"
            args = [a.replace("{out}", out) for a in RUNS[run]]
            try:
                done = subprocess.run([self.program, "--headless", "--backend", "cpu", *args], cwd=self.folder, env=env,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S)
                status, err = done.returncode, done.stderr.decode(errors="replace")
            except subprocess.TimeoutExpired:
                status, err = "hangs", ""
            files = {}
            if link and os.path.islink(link):
                os.remove(link)
                with contextlib.suppress(FileNotFoundError):
                    os.rename(os.path.join(out, "linked"), link)
            elif link:
                files["a file in place of a link"] = b""
            for name in os.listdir(out):
                with open(os.path.join(out, name), "rb") as file:
                    files[name] = file.read()
            return status, err, control, files
        finally:
            shutil.rmtree(out)

    def prepare(self, run):
        """The right outputs, and how many calls there are."""
        for replaces in (False, True):
            status, err, control, files = self.start(run, "", replaces)
            if status != 0 or err or not files or not all(control.calls().values()):
                sys.exit(f"{run} fails without any fault: {status} {err}")
            self.right[run] = files
            self.calls[run, replaces] = control.calls()

    def verdict(self, fault):
        """What came of it, and what is wrong with that or None."""
        status, err, control, files = self.start(*fault)
        lines = err.splitlines()
        kind = f"status {status}" if not isinstance(status, int) or status >= 0 else signal.Signals(-status).name
        if control.failed() == 0:
            kind += UNREACHED
        if status == 0:
            wrong = [name for name, right in self.right[fault.run].items() if not self.same(name, files.get(name), right)]
            problem = f"status 0 and wrong: {wrong}" if wrong else None
        elif status != 1 or fault.kind in HARMLESS:
            problem = f"{kind}: {err.strip()}"
        elif not lines or not lines[0].startswith("tonescope: ") or not err.endswith("\n"):
            problem = f"status 1 without a line of ours: {err.strip()!r}"
        else:
            partial = [name for name, right in self.right[fault.run].items()
                       if files.get(name) != (OLD if fault.replaces else None) and not self.same(name, files.get(name), right)]
            problem = f"partial: {partial}" if partial else None
        left = set(files) - set(self.right[fault.run])
        if problem is None and len(left) > control.unremoved():
            problem = f"left behind: {sorted(left)}"
        return kind, problem

    @staticmethod
    def same(name, content, right):
        """Times differ from run to run, so of a report only its end is looked at."""
        if name.endswith(".json") and content is not None:
            return content.endswith(b"}\n") and content.startswith(b"{")
        return content == right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("library")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--run", choices=RUNS, action="append")
    parser.add_argument("--once", action="store_true", help="only calls that fail once")
    parser.add_argument("--on", action="store_true", help="only calls that fail with all after them")
    parser.add_argument("--sample", type=int, help="so many faults in all, drawn at random")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--at", type=lambda text: [int(n) for n in text.split(",")], help="only these calls")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="tonescope-faults-") as folder:
        judge = Judge(os.path.abspath(options.program), os.path.abspath(options.library), folder)
        faults = []
        for run in options.run or RUNS:
            judge.prepare(run)
            for kind in options.kind or KINDS:
                for replaces in (False, True):
                    for on in ([False] if options.once or kind == "interruption" else [True] if options.on else [False, True]):
                        calls = options.at or range(1, judge.calls[run, replaces][kind] + 1)
                        faults += [Fault(run, kind, replaces, at, on) for at in calls]
        if options.sample is not None and options.sample < len(faults):
            print(f"{options.sample} of {len(faults)} faults, --seed {options.seed}")
            # Threads are few: all of them, as many allocations as other calls.
            drawn = random.Random(options.seed)
            groups = [[f for f in faults if f.kind == "thread"], [f for f in faults if f.kind == "allocation"],
                      [f for f in faults if f.kind not in ("thread", "allocation")]]
            counts = [len(groups[0]), *[max(0, options.sample - len(groups[0])) // 2] * 2]
            faults = [f for group, count in zip(groups, counts) for f in drawn.sample(group, min(count, len(group)))]
        counts, problems = collections.Counter(), []
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
            for fault, (kind, problem) in zip(faults, workers.map(judge.verdict, faults)):
                counts[fault.run, STATES[fault.replaces], fault.kind, "from then on" if fault.on else "once", kind] += 1
                if problem:
                    problems.append(fault)
                    print(f"{fault}: {problem}", flush=True)
        for key, count in sorted(counts.items()):
            print(f"{count:6}  {', '.join(key)}")
        unreached = sum(count for key, count in counts.items() if key[-1].endswith(UNREACHED))
        print(f"{len(faults) - unreached} faults, {len(problems)} with a wrong end; {unreached} more were not reached")
    return 1 if problems or not faults or unreached > max(3, MOST_UNREACHED * len(faults)) else 0


if __name__ == "__main__":
    sys.exit(main())
