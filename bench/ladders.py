#!/usr/bin/env python3
"""Measures every variant of every operator at the sizes of the five reports and at 4K, 24 and 100 MPixel.

    bench/ladders.py --tonescope build/release/tonescope --out FOLDER [--only NAME...]

Runs `tonescope --headless --compare` on images that it makes itself: a sample of assets/, mirrored until it fills the size. Writes one JSON
file a case and ladders.md, a table a case: medians in ms of the kernels, and of the whole run with the copies. Needs nothing but Python.
"""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORT_C_SIZES = [(280, 180), (400, 250), (400, 600), (600, 338), (1024, 683), (1280, 720), (2560, 1707)]
LARGE_SIZES = [(3840, 2160), (6000, 4000), (12288, 8192)]


def cases():
    """(name, operator, arguments, samples a pixel, sizes)"""
    yield "he", "he", [], 1, REPORT_C_SIZES + LARGE_SIZES
    yield "clahe", "clahe", [], 1, LARGE_SIZES
    yield "clahe-16", "clahe", ["--set", "tile_size=16"], 1, LARGE_SIZES
    yield "histogram", "histogram", [], 1, LARGE_SIZES
    yield "kuwahara", "kuwahara", [], 3, [(400, 600)] + LARGE_SIZES


def read_png(path):
    """Width, height, samples a pixel and rows of an 8-bit PNG without interlacing or palette."""
    data = path.read_bytes()
    position, compressed = 8, b""
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position : position + 8])
        body = data[position + 8 : position + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            compressed += body
        position += 12 + length
    samples = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    if depth != 8 or interlace:
        raise ValueError(f"{path}: not an 8-bit PNG without interlacing")
    raw, stride = zlib.decompress(compressed), width * samples
    rows, above = [], bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for i in range(stride):
            left = row[i - samples] if i >= samples else 0
            up = above[i]
            corner = above[i - samples] if i >= samples else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                estimate = left + up - corner
                distances = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
                row[i] = (row[i] + (left, up, corner)[distances.index(min(distances))]) & 255
        rows.append(bytes(row))
        above = row
    return width, height, samples, rows


class Sample:
    """The sample image, from which images of any size are made."""

    def __init__(self, path):
        self.width, self.height, samples, rows = read_png(path)
        if samples != 3:
            raise ValueError(f"{path}: not an RGB image")
        self.rows = {3: rows, 1: [row[1::3] for row in rows]}

    def write(self, path, width, height, samples):
        mirrored = [
            row + b"".join(row[i : i + samples] for i in range(len(row) - samples, -1, -samples))
            for row in self.rows[samples]
        ]
        wide = [(row * (width // (2 * self.width) + 1))[: width * samples] for row in mirrored]
        period = wide + wide[::-1]
        with path.open("wb") as file:
            file.write(f"P{5 if samples == 1 else 6}\n{width} {height}\n255\n".encode())
            for y in range(height):
                file.write(period[y % len(period)])


def figure(value):
    return f"{value:.4g}"


def table(name, results):
    """Markdown: a row a variant, two columns a size."""
    sizes = [f"{r['width']}x{r['height']}" for r in results]
    lines = [f"### {name}", "", "| variant | source | " + " | ".join(sizes) + " |", "|---|---|" + "---:|" * len(sizes)]
    for index, first in enumerate(results[0]["variants"]):
        cells = []
        for result in results:
            row = result["variants"][index]
            if not row["ran"]:
                cells.append("-")
                continue
            mark = "" if row["identical"] else " (wraps)" if row["wrong_by_design"] else " WRONG"
            cells.append(f"{figure(row['compute']['median_ms'])} / {figure(row['total']['median_ms'])}{mark}")
        lines.append(f"| `{first['variant']}` | {first['source']} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tonescope", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--only", nargs="*", default=[], help="names of cases: he, clahe, clahe-16, histogram, kuwahara")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    sample = Sample(ROOT / "assets" / "night.png")
    image = arguments.out / "image.pnm"
    tables = []
    for name, operator, options, samples, sizes in cases():
        if arguments.only and name not in arguments.only:
            continue
        results = []
        for width, height in sizes:
            sample.write(image, width, height, samples)
            output = arguments.out / f"{name}-{width}x{height}.json"
            command = [arguments.tonescope, "--headless", "--compare", "-i", image, "-o", output, "--op", operator, *options]
            if subprocess.run(command).returncode != 0:
                sys.exit(f"{name} at {width}x{height} failed")
            results.append({"width": width, "height": height, **json.loads(output.read_text())})
            print(f"{name} {width}x{height}", flush=True)
        tables.append(table(name, results))
    image.unlink(missing_ok=True)
    (arguments.out / "ladders.md").write_text("\n".join(tables))


if __name__ == "__main__":
    main()
