"""Histogram equalization of 24 MPixel of 16-bit noise and 12-bit noise by NumPy (histogram and look-up) and by tonescope, in turn.

Run: python3 numpy_he.py TONESCOPE [RUNS]
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy


def by_numpy(image, most):
    begin = time.perf_counter()
    counts = numpy.bincount(image.ravel(), minlength=most + 1)
    sums = numpy.cumsum(counts)
    low, high = numpy.flatnonzero(counts)[[0, -1]]
    first, rest = counts[low], image.size - counts[low]
    table = low + (2 * (high - low) * (sums - first) + rest) // (2 * rest)
    result = numpy.clip(table, low, high).astype(numpy.uint16)[image]
    return result, (time.perf_counter() - begin) * 1000


def by_tonescope(program, folder):
    report = os.path.join(folder, "r.json")
    subprocess.run([program, "--headless", "--backend", "cpu", "-i", os.path.join(folder, "in.pgm"), "-o", os.path.join(folder, "out.pgm"),
                    "--op", "he", "--report", report], check=True, stdout=subprocess.DEVNULL)
    with open(report, encoding="utf-8") as file:
        return json.load(file)["images"][0]["run_ms"]


def main(program, runs=7):
    for most in (65535, 4095):
        image = numpy.random.default_rng(1).integers(0, most + 1, (4000, 6000), numpy.uint16)
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "in.pgm"), "wb") as file:
                file.write(b"P5 6000 4000 %d\n" % most + image.astype(">u2").tobytes())
            theirs, ours = [], []
            for _ in range(int(runs)):
                result, took_ms = by_numpy(image, most)
                theirs.append(took_ms)
                ours.append(by_tonescope(program, folder))
            with open(os.path.join(folder, "out.pgm"), "rb") as file:
                same = file.read()[-image.nbytes:] == result.astype(">u2").tobytes()
        a, b = statistics.median(theirs), statistics.median(ours)
        print(f"noise to {most}: NumPy {numpy.__version__} {a:.0f} ms, tonescope {b:.1f} ms, {a / b:.1f} times; "
              f"{'the same samples' if same else 'DIFFERENT SAMPLES'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
