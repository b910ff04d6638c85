#!/usr/bin/env python3
"""Measures every variant of every operator at the sizes of the five reports and at 4K, 24 and 100 MPixel.

    bench/ladders.py --bench BUILD/bench/tonescope_bench --tonescope BUILD/tonescope --out FOLDER [--content IMAGE]

Kernels are timed by tonescope_bench (cold buffers), whole runs with their copies by `tonescope --headless --compare` at 24 MPixel. Writes
the JSON of each case and ladders.md, the tables of docs/ladders.md. Needs nothing but Python.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGE = "4k,24m,100m"
SIZE_NAMES = {"4k": "4K", "24m": "24 MPixel", "100m": "100 MPixel"}
# The report's table of sizes; docs/ladders.md sets our times beside its own.
REPORT_C = "280x180,400x250,400x600,600x338,1024x683,1280x720,2560x1707"
KERNELS = [
    ("he-reports", "he", f"{REPORT_C}", "gray", []),
    ("he", "he", LARGE, "gray", []),
    ("clahe", "clahe", LARGE, "gray", []),
    ("clahe-16", "clahe", LARGE, "gray", ["--set", "tile_size=16"]),
    ("clahe-teams", "clahe", "4k", "gray", ["--variant", "split", "--sweep", "teams=1,2,4,8,16,32,64"]),
    ("histogram", "histogram", LARGE, "gray", []),
    ("kuwahara", "kuwahara", f"400x600,{LARGE}", "rgba", []),
    ("kuwahara-blocks", "kuwahara", "400x600,4k", "rgba", ["--variant", "shared", "--sweep", "block=8x8,16x16,32x8"]),
]
WHOLE_RUNS = [("he-runs", "he", []), ("clahe-runs", "clahe", ["--set", "tile_size=16"])]


def run(command):
    print(*command, file=sys.stderr, flush=True)
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit("failed: " + " ".join(map(str, command)))


def sources(tonescope):
    """The source of every variant, by operator and variant."""
    listing = json.loads(subprocess.run([tonescope, "--list", "--json"], check=True, capture_output=True).stdout)
    return {(op["id"], variant["id"]): variant["source"] for op in listing["operators"] for variant in op["variants"]}


def cell(row):
    if row is None or "not_run" in row:
        return "-"
    us = row["median_us"]
    mark = "" if row["result"] == "identical" else " *"
    return (f"{us:.2f}" if us < 100 else f"{us:.0f}") + mark


def markdown(header, rows, aligned_left):
    lines = ["| " + " | ".join(header) + " |"]
    lines.append("|" + "---|" * aligned_left + "---:|" * (len(header) - aligned_left))
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def kernel_table(op, rows, source_of):
    """A row a variant and parameters, a column a size."""
    rows = [row for row in rows if row["kind"] == "variant"]
    sizes = list(dict.fromkeys(row["size"] for row in rows))
    names = list(dict.fromkeys((row["name"], row["parameters"]) for row in rows))
    by_place = {(row["name"], row["parameters"], row["size"]): row for row in rows}
    table = []
    for name, parameters in names:
        cells = [cell(by_place.get((name, parameters, size))) for size in sizes]
        title = f"`{name}`" + (f" {parameters}" if parameters else "")
        table.append([title, source_of.get((op, name), ""), *cells])
    heads = [SIZE_NAMES.get(size, size.replace("x", " × ")) for size in sizes]
    return markdown(["variant", "report", *heads], table, 2)


def runs_table(variants):
    rows = []
    for row in variants:
        if not row["ran"]:
            continue
        stages = "; ".join(f"{stage['stage']} {stage['ms']:.3g}" for stage in row["stages"])
        rows.append([f"`{row['variant']}`", row["source"], row["memory"] or "", f"{row['total']['median_ms']:.4g}", stages])
    return markdown(["variant", "report", "memory", "whole run, ms", "stages, ms"], rows, 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, required=True)
    parser.add_argument("--tonescope", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--content", type=pathlib.Path, default=ROOT / "assets" / "night.png")
    parser.add_argument("--seconds", default="0.05", help="for the samples of a measurement")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    source_of = sources(arguments.tonescope)
    text = []
    for name, op, sizes, pixels, options in KERNELS:
        output = arguments.out / f"{name}.json"
        run([arguments.bench, "--op", op, "--size", sizes, "--format", pixels, "--content", arguments.content, "--cache", "cold",
             "--seconds", arguments.seconds, "--no-peers", "--backend", "all", "--json", output, *options])
        result = json.loads(output.read_text())
        text.append(f"### {name}: kernels, µs\n\n" + kernel_table(op, result["rows"], source_of))
    image = arguments.out / "image.pgm"
    write_image(image, 6000, 4000)
    for name, op, options in WHOLE_RUNS:
        output = arguments.out / f"{name}.json"
        run([arguments.tonescope, "--headless", "--compare", "-i", image, "-o", output, "--op", op, *options])
        text.append(f"### {name}: 6000 × 4000 gray\n\n" + runs_table(json.loads(output.read_text())["variants"]))
    image.unlink()
    (arguments.out / "ladders.md").write_text("\n".join(text))


def write_image(path, width, height):
    """A picture of waves and grain as PGM."""
    row = bytes((40 + (x * x // 977 + x // 7) % 90 + (x * 2654435761 >> 7) % 23) % 256 for x in range(2 * width))
    with path.open("wb") as file:
        file.write(f"P5\n{width} {height}\n255\n".encode())
        for y in range(height):
            start = y * 7919 % width
            file.write(row[start : start + width])


if __name__ == "__main__":
    main()
