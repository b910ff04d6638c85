#!/usr/bin/env python3
"""Draws what tonescope_bench measured: time against image size or against a parameter, both axes logarithmic.

    tonescope_bench --op kuwahara --sweep radius=2,4,8,16,32,64 --json results.json
    bench/plot.py results.json --op kuwahara --x radius -o radius.svg
    bench/plot.py results.json --op he --x size --content noise -o size.svg

One line a variant or peer. Needs nothing but Python.
"""

import argparse
import html
import json
import math
import pathlib
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 520, 70, 210, 40, 50
COLORS = ["#1b6ca8", "#c8553d", "#3a7d44", "#7b4b94", "#b8860b", "#2a9d8f", "#8d5a3b", "#d1495b", "#5c677d", "#8ab17d"]


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


def ticks(low, high):
    """1, 2 and 5 times powers of ten; powers alone over a wide range."""
    steps = (1, 2, 5) if high / low < 1000 else (1,)
    return [s * 10.0**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for s in steps if low <= s * 10.0**e <= high]


def draw(lines, title, x_label):
    xs = [x for points in lines.values() for x, _ in points]
    ys = [y for points in lines.values() for _, y in points]
    x_low, x_high, y_low, y_high = min(xs) / 1.1, max(xs) * 1.1, min(ys) / 1.3, max(ys) * 1.3

    def at_x(x):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(x / x_low) / math.log(x_high / x_low)

    def at_y(y):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log(y / y_low) / math.log(y_high / y_low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/><text x="{LEFT}" y="22" font-size="16">{html.escape(title)}</text>']
    for x in sorted(set(xs)) if len(set(xs)) <= 8 else ticks(x_low, x_high):
        out.append(f'<line x1="{at_x(x):.1f}" x2="{at_x(x):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>'
                   f'<text x="{at_x(x):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x:.3g}</text>')
    for y in ticks(y_low, y_high):
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at_y(y):.1f}" y2="{at_y(y):.1f}" stroke="#e4e4e4"/>'
                   f'<text x="{LEFT - 8}" y="{at_y(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{html.escape(x_label)}</text>'
               f'<text x="{LEFT - 8}" y="{TOP - 4}" text-anchor="end">us</text>')
    label_y = -math.inf
    for index, (name, points) in enumerate(sorted(lines.items(), key=lambda line: -line[1][-1][1])):
        color = COLORS[index % len(COLORS)]
        path = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        out += [f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="3" fill="{color}"/>' for x, y in points]
        label_y = max(at_y(points[-1][1]) + 4, label_y + 15)  # labels do not cover each other
        out.append(f'<text x="{WIDTH - RIGHT + 8}" y="{label_y:.1f}" fill="{color}">{html.escape(name)}</text>')
    return "\n".join(out) + "\n</svg>\n"


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
        pathlib.Path(arguments.output).write_text(draw(lines, title, "MPixel" if arguments.x == "size" else arguments.x), encoding="utf-8")
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{arguments.results}: {error}")


if __name__ == "__main__":
    main()
