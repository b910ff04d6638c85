"""What the programs that make calls fail share: the library's controls, which faults there are, and what came of them."""
import argparse
import collections
import mmap
import os
import random

KINDS = ("allocation", "thread", "opengl", "lost context", "window system", "file", "full disk", "short call", "interruption")  # faults.h
ALL, NONE = len(KINDS), -1  # in place of a kind: calls of all kinds are counted and none fails; none is counted
ENDLESS = ("interruption",)  # a call that is always interrupted is made again for ever
WINDOW_KINDS = ("opengl", "lost context", "window system")  # that a run without a window does not know
LASTING = ("lost context",)  # never fails only once
NEW_PLACE = -1  # in place of each so many-th: one allocation, at a place whose allocation has not failed yet
PLACES_BYTES, PLACE_FRAMES = 8 << 16, 4
AT, FAILED, UNREMOVED, KIND, EVERY, CALLS = range(6)
UNREACHED = ", not reached"
MOST_UNREACHED = 0.01  # the number of calls differs by a few from run to run, since threads race


class Control:
    """The memory that the library and this program share: which call fails, and what has happened."""

    def __init__(self, path):
        self.path = path
        with open(path, "w+b") as file:
            file.truncate(8 * (CALLS + len(KINDS) + PLACE_FRAMES))
            self.words = memoryview(mmap.mmap(file.fileno(), 0)).cast("q")
        self.words[KIND] = NONE

    def count(self):
        """Calls of all kinds from now on; none fails."""
        self.words[KIND] = ALL

    def fail(self, kind, after, every):
        """The call of this kind that comes after so many from now on, counted from 1, and of those behind it each `every`-th; 0: none."""
        self.stop()
        self.words[KIND], self.words[EVERY] = KINDS.index(kind), every
        self.words[AT] = self.words[CALLS + KINDS.index(kind)] + after

    def stop(self):
        self.words[AT] = 0

    def failed(self):
        return self.words[FAILED]

    def unremoved(self):
        """How many calls failed that were to remove a file."""
        return self.words[UNREMOVED]

    def calls(self):
        return dict(zip(KINDS, self.words[CALLS:]))

    def place(self):
        """Addresses in the program (for addr2line) of the last new place's callers, the innermost first."""
        return " ".join(hex(word) for word in self.words[CALLS + len(KINDS):])


def parse(doc, name, choices, add_more=lambda parser: None):
    """The options; --`name` chooses among what faults happen in; add_more(parser) adds others."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--" + name, choices=choices, action="append")
    parser.add_argument("--once", action="store_true", help="only calls that fail once")
    parser.add_argument("--on", action="store_true", help="only calls that fail with all after them")
    parser.add_argument("--sample", type=int, help="so many faults in all, drawn at random")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TONESCOPE_FAULTS_SEED") or random.randrange(10**6)))
    parser.add_argument("--at", type=lambda text: [int(n) for n in text.split(",")], help="only these calls")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    add_more(parser)
    options = parser.parse_args()
    options.kind = options.kind or KINDS
    return options


def groups(options, calls, make):
    """Lists of faults that are alike, make(kind, at, on): one for each kind and way, where there are so many `calls` of a kind."""
    return [[make(kind, at, on) for at in options.at or range(1, calls[kind] + 1)] for kind in options.kind for on in (False, True)
            if calls[kind] and not (on and (options.once or kind in ENDLESS)) and not (not on and (options.on or kind in LASTING))]


def draw(alike, sample, seed):
    """As many faults of each group, as far as there are; all where there is no `sample`."""
    count = sum(map(len, alike))
    if sample is None or sample >= count:
        return [fault for group in alike for fault in group]
    print(f"{sample} of {count} faults, --seed {seed}", flush=True)
    drawn = random.Random(seed)
    alike = [drawn.sample(group, min(sample, len(group))) for group in alike]
    drawn.shuffle(alike)
    return [group[k] for k in range(sample) for group in alike if k < len(group)][:sample]


def tell(verdicts):
    """Takes (fault, what came of it, what is wrong with that or None). Prints problems as they come, and at last how often
    what came of faults of each place and kind. Whether all is well."""
    counts, problems = collections.Counter(), 0
    for fault, what, problem in verdicts:
        counts[*fault.place(), fault.kind, "from then on" if fault.on else "once", what] += 1
        if problem:
            problems += 1
            print(f"{fault}: {problem}", flush=True)
    for key, count in sorted(counts.items()):
        print(f"{count:6}  {', '.join(key)}")
    unreached = sum(count for key, count in counts.items() if key[-1].endswith(UNREACHED))
    reached = counts.total() - unreached
    print(f"{reached} faults, {problems} with a wrong end; {unreached} more were not reached")
    return not problems and reached and unreached <= max(5, MOST_UNREACHED * counts.total())
