#!/usr/bin/env python3
"""Makes calls of the program fail, one after the other, and judges what becomes of a headless run.

    faults.py PROGRAM FAULTS.so [--kind allocation|thread] [--run NAME] [--once] [--on] [--sample N] [--seed S] [--at N,...]

Without options: every run, every kind, every call, failing once and from then on. A run must end with status 0 and the right results, or
with status 1 (usage aside) and a line on standard error; every output is right or what was there before, and no temporary file stays.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import harness  # noqa: E402

KINDS = ("allocation", "thread")
TIMEOUT_S = 120
UNREACHED = ", not reached"
OLD = b"what was there before"
STATES = {True: "old outputs", False: "new outputs"}  # they take other ways, with other numbers of calls
MOST_UNREACHED = 0.01  # the number of calls differs by a few from run to run, since threads race

# Each run's images are gray.pgm and color.ppm (small, of two bands at least); `{out}` is the folder of its outputs.
RUNS = {
    "he": ["--op", "he", "-i", "gray.pgm", "-i", "color.ppm", "-o", "{out}/{stem}.png"],
    "clahe": ["--op", "clahe", "-i", "color.ppm", "-o", "{out}/color.ppm"],
    "kuwahara": ["--op", "kuwahara", "-i", "gray.pgm", "-o", "{out}/gray.jpg"],
    "report": ["--op", "he", "-i", "gray.pgm", "-i", "color.ppm", "-o", "{out}/{stem}.bmp", "--report", "{out}/report.json"],
}


class Fault(collections.namedtuple("Fault", "run kind replaces at on")):
    def __str__(self):
        return f"{self.run}, {STATES[self.replaces]}: {self.kind} {self.at}{' and all after it' if self.on else ''}"


class Judge:
    def __init__(self, program, library, folder):
        self.program, self.library, self.folder = program, library, folder
        harness.write_pnm(os.path.join(folder, "gray.pgm"), 400, 330)
        harness.write_pnm(os.path.join(folder, "color.ppm"), 300, 260, 3)
        self.right, self.calls = {}, {}

    def start(self, run, kind, replaces, at=0, on=False):
        """Status, standard error, the numbers of calls and of those that failed (None where the program did not end by itself), and the
        outputs by name. `replaces`: there are outputs already."""
        out = tempfile.mkdtemp(dir=self.folder)
        try:
            for name in self.right[run] if replaces else ():
                with open(os.path.join(out, name), "wb") as file:
                    file.write(OLD)
            read_end, write_end = os.pipe()
            env = {**os.environ, "LD_PRELOAD": self.library, "FAULT_KIND": kind, "FAULT_AT": str(at), "FAULT_COUNT": str(write_end)}
            env.pop("FAULT_ON", None)
            if on:
                env["FAULT_ON"] = "1"
            args = [a.replace("{out}", out) for a in RUNS[run]]
            try:
                done = subprocess.run([self.program, "--headless", "--backend", "cpu", *args], cwd=self.folder, env=env, pass_fds=[write_end],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S)
                status, err = done.returncode, done.stderr.decode(errors="replace")
            except subprocess.TimeoutExpired:
                status, err = "hangs", ""
            finally:
                os.close(write_end)
                with os.fdopen(read_end) as counted:
                    calls = [int(n) for n in counted.read().split()] or None
            files = {}
            for name in os.listdir(out):
                with open(os.path.join(out, name), "rb") as file:
                    files[name] = file.read()
            return status, err, calls, files
        finally:
            shutil.rmtree(out)

    def prepare(self, run, kind):
        """The right outputs, and how many calls there are."""
        for replaces in (False, True):
            status, err, calls, files = self.start(run, kind, replaces)
            if status != 0 or err or not files or not calls[0]:
                sys.exit(f"{run} fails without any fault: {status} {err}")
            self.right[run] = files
            self.calls[run, kind, replaces] = calls[0]

    def verdict(self, fault):
        """What came of it, and what is wrong with that or None."""
        status, err, calls, files = self.start(*fault)
        lines = err.splitlines()
        kind = f"status {status}" if not isinstance(status, int) or status >= 0 else signal.Signals(-status).name
        if calls is not None and calls[1] == 0:
            kind += UNREACHED
        if status == 0:
            wrong = [name for name, right in self.right[fault.run].items() if not self.same(name, files.get(name), right)]
            problem = f"status 0 and wrong: {wrong}" if wrong else None
        elif status != 1:
            problem = f"{kind}: {err.strip()}"
        elif not lines or not lines[0].startswith("tonescope: ") or not err.endswith("\n"):
            problem = f"status 1 without a line of ours: {err.strip()!r}"
        else:
            partial = [name for name, right in self.right[fault.run].items()
                       if files.get(name) != (OLD if fault.replaces else None) and not self.same(name, files.get(name), right)]
            problem = f"partial: {partial}" if partial else None
        left = set(files) - set(self.right[fault.run])
        if problem is None and left:
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
            for kind in options.kind or KINDS:
                judge.prepare(run, kind)
                for replaces in (False, True):
                    for on in ([False] if options.once else [True] if options.on else [False, True]):
                        calls = options.at or range(1, judge.calls[run, kind, replaces] + 1)
                        faults += [Fault(run, kind, replaces, at, on) for at in calls]
        if options.sample is not None and options.sample < len(faults):
            print(f"{options.sample} of {len(faults)} faults, --seed {options.seed}")
            # Threads are few: all of them, and the rest at random.
            drawn = random.Random(options.seed)
            threads = [f for f in faults if f.kind == "thread"]
            rest = [f for f in faults if f.kind != "thread"]
            faults = threads + drawn.sample(rest, max(0, options.sample - len(threads)))
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
