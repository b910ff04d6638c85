#!/usr/bin/env python3
"""Measures what each idea of the tuned kernels buys: every idea is taken back alone, and both programs are timed in turns.

    bench/ablation.py build [--out build/ablation] [--tree FOLDER] [--only TEXT] [--arch 90-real]
    bench/ablation.py run [--out build/ablation] [--rounds 5] [--only TEXT]

The ideas stand in gpu/ops/NAME/tuned/ablations.json, a list of {"idea", "file", "old", "new", "bench"}: `old` occurs once in `file`,
`new` in its place takes the idea back, and `bench` holds tonescope_bench's arguments. `build` needs nvcc and no GPU: it makes
OUT/default, the program as it is, OUT/NAME for each idea, and OUT/programs.tar.xz of all. `run` needs a GPU and either, and prints
Markdown tables.
"""
import argparse
import collections
import json
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFAULT = "default"
PACKED = "programs.tar.xz"


def load_ideas(only):
    ideas = []
    for file in sorted(ROOT.glob("gpu/ops/*/tuned/ablations.json")):
        for entry in json.loads(file.read_text()):
            words = re.sub(r"[^a-z0-9]+", "-", entry["idea"].lower()).strip("-")
            entry["operator"] = file.parent.parent.name
            entry["name"] = f"{entry['operator']}-{words[:40].rstrip('-')}"
            ideas.append(entry)
    names = [entry["name"] for entry in ideas]
    if len(set(names)) < len(names):
        sys.exit("ideas whose names begin alike: " + ", ".join(sorted(n for n in set(names) if names.count(n) > 1)))
    return [entry for entry in ideas if only in entry["name"]]


def programs(ideas):
    return [DEFAULT, *(idea["name"] for idea in ideas)]


def call(command, **options):
    print(*command, file=sys.stderr, flush=True)
    subprocess.run(list(map(str, command)), check=True, **options)


def refresh(tree):
    """Brings `tree` to what this one is, and leaves the times of files that stay the same, so that little is built again."""
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True)
    for name in tracked.stdout.splitlines():
        source, target = ROOT / name, tree / name
        if source.is_file() and (not target.is_file() or source.read_bytes() != target.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def build(arguments, ideas):
    tree = arguments.tree or arguments.out / "tree"
    refresh(tree)
    folder = arguments.out / "build"
    call(["cmake", "-S", tree, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DTONESCOPE_CUDA=ON", "-DTONESCOPE_BENCH=ON", "-DTONESCOPE_QUICK_BUILD=OFF",
          f"-DCMAKE_CUDA_ARCHITECTURES={arguments.arch}"], stdout=subprocess.DEVNULL)

    def make(name):
        call(["cmake", "--build", folder, "--target", "tonescope_bench"], stdout=subprocess.DEVNULL)
        call(["strip", "-o", arguments.out / name, folder / "bench" / "tonescope_bench"])

    make(DEFAULT)
    for idea in ideas:
        file = tree / idea["file"]
        text = file.read_text()
        if text.count(idea["old"]) != 1:
            sys.exit(f"{idea['name']}: {idea['file']} holds {idea['old']!r} {text.count(idea['old'])} times")
        file.write_text(text.replace(idea["old"], idea["new"]))
        try:
            make(idea["name"])
        finally:
            file.write_text(text)
    packed = arguments.out / PACKED
    with tarfile.open(packed, "w:xz", preset=9) as tar:  # one after the other: they are nearly the same
        for name in programs(ideas):
            tar.add(arguments.out / name, name)
    print(f"{packed}: {len(ideas) + 1} programs, {packed.stat().st_size / 1e6:.1f} MB")


def measure(program, arguments, folder):
    """Median microseconds and whether the result is exact, by the row's place in the table of measurements."""
    output = folder / "rows.json"
    subprocess.run([program, *shlex.split(arguments), "--json", output], check=False, stdout=subprocess.DEVNULL)
    rows = [row for row in json.loads(output.read_text())["rows"] if row["kind"] == "variant" and "not_run" not in row]
    output.unlink()
    places = ("name", "size", "format", "content", "parameters", "cache", "launch")
    return {tuple(str(row.get(place, "")) for place in places): (row["median_us"], row["result"] == "identical") for row in rows}


def run(arguments, ideas):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        with tarfile.open(arguments.out / PACKED) as tar:
            for name in programs(ideas):
                tar.extract(name, folder)
        times = collections.defaultdict(list)
        exact = collections.defaultdict(lambda: True)
        for number in range(arguments.rounds):
            for idea in ideas:
                for name in (DEFAULT, idea["name"]):
                    for where, (us, is_exact) in measure(folder / name, idea["bench"], folder).items():
                        times[idea["name"], name, where].append(us)
                        exact[idea["name"], name, where] &= is_exact
            print(f"round {number + 1} of {arguments.rounds}", file=sys.stderr, flush=True)
    for operator in dict.fromkeys(idea["operator"] for idea in ideas):
        print(f"### {operator}\n\n| idea taken back | measured | with, us | without, us | ratio | exact |\n|---|---|---:|---:|---:|---|")
        for idea in (idea for idea in ideas if idea["operator"] == operator):
            for where in dict.fromkeys(key[2] for key in times if key[:2] == (idea["name"], idea["name"])):
                with_us = statistics.median(times[idea["name"], DEFAULT, where])
                without_us = statistics.median(times[idea["name"], idea["name"], where])
                answer = "yes" if exact[idea["name"], idea["name"], where] and exact[idea["name"], DEFAULT, where] else "no"
                print(f"| {idea['idea']} | {' '.join(filter(None, where[1:]))} | {with_us:.2f} | {without_us:.2f} | "
                      f"{without_us / with_us:.2f} | {answer} |")
        print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["build", "run", "list"])
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "ablation")
    parser.add_argument("--tree", type=pathlib.Path, help="copy of the project that is changed; a folder of --out")
    parser.add_argument("--only", default="", help="part of an idea's name")
    parser.add_argument("--arch", default="90-real", help="CMAKE_CUDA_ARCHITECTURES")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    arguments.out.mkdir(parents=True, exist_ok=True)
    ideas = load_ideas(arguments.only)
    if arguments.step == "list":
        print(*(idea["name"] for idea in ideas), sep="\n")
    else:
        (build if arguments.step == "build" else run)(arguments, ideas)


if __name__ == "__main__":
    main()
