#!/usr/bin/env python3
"""Draws what tonescope_bench measured: time against image size or against a parameter, both axes logarithmic.

    tonescope_bench --op kuwahara --sweep radius=2,4,8,16,32,64 --json results.json
    bench/plot.py results.json --op kuwahara --x radius -o radius.svg
    bench/plot.py results.json --op he --x size --content noise -o size.svg

One line a variant or peer. Needs gnuplot.
"""

import argparse
import json
import pathlib
import subprocess
import sys


def place_of(row, x):
    """Where the row stands on the x axis; None: not in this picture."""
    if x == "size":
        return row["width"] * row["height"] / 1e6
    for parameter in row["parameters"].split():
        name, value = parameter.split("=", 1)
        if name == x:
            return float(value)
    return None


def lines_of(rows, arguments):
    lines = {}
    for row in rows:
        wanted = all(getattr(arguments, key) in (None, row[key]) for key in ("op", "content", "format", "size", "backend"))
        if not wanted or "not_run" in row or row["kind"] == "limit":
            continue
        if row["launch"] != "host" and row["cache"] != arguments.cache:
            continue
        x = place_of(row, arguments.x)
        if x is not None:
            lines.setdefault(row["name"], {}).setdefault(x, row["median_us"])  # a graph's come first
    return {name: sorted(points.items()) for name, points in lines.items()}


def draw(lines, title, x_label):
    """As SVG."""
    by_last_time = sorted(lines.items(), key=lambda line: -line[1][-1][1])
    commands = ["set terminal svg noenhanced size 900, 520 background 'white'", f"set title {json.dumps(title)}",
                f"set xlabel {json.dumps(x_label)}", "set ylabel 'us'", "set logscale xy", "set format y '%g'", "set grid", "set key outside right"]
    xs = sorted({x for points in lines.values() for x, _ in points})
    if len(xs) <= 8:
        commands.append("set xtics (" + ", ".join(f"{x:.3g}" for x in xs) + ")")
    commands.append("plot " + ", ".join(f"'-' with linespoints linewidth 2 pointtype 7 pointsize 0.4 title {json.dumps(name)}" for name, _ in by_last_time))
    for _, points in by_last_time:
        commands += [*(f"{x} {y}" for x, y in points), "e"]
    return subprocess.run(["gnuplot"], input="\n".join(commands), text=True, check=True, stdout=subprocess.PIPE).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--x", required=True, help="size, or the name of a parameter")
    parser.add_argument("--op", required=True)
    for name in ("content", "format", "size", "backend"):
        parser.add_argument("--" + name)
    parser.add_argument("--cache", default="cold")
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    try:
        data = json.loads(pathlib.Path(arguments.results).read_text(encoding="utf-8"))
        lines = lines_of(data["rows"], arguments)
        if not lines:
            sys.exit(f"{arguments.results}: holds nothing of this kind")
        chosen = [value for value in (arguments.op, arguments.size, arguments.format, arguments.content) if value]
        title = " ".join(chosen) + ", " + (data["gpu"] or data["cpu"])
        svg = draw(lines, title, "MPixel" if arguments.x == "size" else arguments.x)
        pathlib.Path(arguments.output).write_text(svg, encoding="utf-8")
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        sys.exit(f"plot.py: {error}")


if __name__ == "__main__":
    main()
