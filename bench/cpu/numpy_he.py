"""Histogram equalization of 24 MPixel of deep noise by NumPy (histogram and look-up, into memory that is there) and by `parallel`, in turn.

Run: python3 numpy_he.py TONESCOPE_BENCH [ROUNDS]
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy


def by_numpy(image, most, result):
    begin = time.perf_counter()
    counts = numpy.bincount(image.ravel(), minlength=most + 1)
    sums = numpy.cumsum(counts)
    low, high = numpy.flatnonzero(counts)[[0, -1]]
    rest = image.size - counts[low]
    table = low + (2 * (high - low) * (sums - counts[low]) + rest) // (2 * rest)
    numpy.take(numpy.clip(table, low, high).astype(numpy.uint16), image, out=result, mode="clip")
    return (time.perf_counter() - begin) * 1000


def by_tonescope(bench, form):
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "b.json")
        subprocess.run([bench, "--backend", "cpu", "--op", "he", "--variant", "parallel", "--size", "24m", "--format", form,
                        "--seconds", "0.2", "--json", table], check=True, stdout=subprocess.DEVNULL)
        with open(table, encoding="utf-8") as file:
            return json.load(file)["rows"][0]["median_us"] / 1000


def main(bench, rounds=5):
    for form, most in (("gray16", 65535), ("gray12", 4095)):
        image = numpy.random.default_rng(1).integers(0, most + 1, (4000, 6000), numpy.uint16)
        result = numpy.zeros_like(image)
        times = [(by_numpy(image, most, result), by_tonescope(bench, form)) for _ in range(int(rounds))]
        theirs, ours = (statistics.median(column) for column in zip(*times))
        print(f"{form}: NumPy {numpy.__version__} {theirs:.0f} ms, Tonescope {ours:.1f} ms, {theirs / ours:.1f} times")


if __name__ == "__main__":
    main(*sys.argv[1:])
