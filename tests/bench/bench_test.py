"""The benchmark itself, on small images: every variant is timed, checked and written. Exit status 77: skipped.

Run: python3 bench_test.py cpu|cuda TONESCOPE_BENCH TONESCOPE
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

SKIPPED = 77
ASSETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "assets")
PLOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "plot.py")


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def check(holds, *what):
    if not holds:
        print(*what, file=sys.stderr)
        sys.exit(1)


def variants(tonescope, backend):
    operators = json.loads(run(tonescope, "--list", "--json").stdout)["operators"]
    return {(op["id"], v["id"]) for op in operators for v in op["variants"] if v["backend"] == backend}


def check_usage(bench):
    for arguments in (["--size", "4q"], ["--op", "blur"], ["--variant", "none"], ["--set", "radius=99"], ["--set", "radius"],
                      ["--sweep", "size=1"], ["--content", "fog", "--backend", "cpu"], ["--format", "rgb"], ["--cache", "warm"],
                      ["--seconds", "0"], ["extra"], ["--size", "image", "--backend", "cpu"]):
        result = run(bench, *arguments)
        check(result.returncode == 2, arguments, "status", result.returncode, result.stderr)
        check(result.stderr.count("\n") == 1 and result.stderr.startswith("tonescope_bench: "), arguments, result.stderr)
    missing = run(bench, "--backend", "cpu", "--content", "/nowhere/image.png")
    check(missing.returncode == 1 and "/nowhere/image.png" in missing.stderr, missing.returncode, missing.stderr)
    unwritable = run(bench, "--backend", "cpu", "--op", "he", "--size", "8x8", "--seconds", "0.001", "--json", "/nowhere/b.json")
    check(unwritable.returncode == 1 and "/nowhere/b.json" in unwritable.stderr, unwritable.stderr)


def check_rows(bench, tonescope, backend, folder):
    table, lines = os.path.join(folder, "b.json"), os.path.join(folder, "b.csv")
    result = run(bench, "--backend", backend, "--size", "97x61,256x128", "--format", "gray,rgba", "--content", "noise",
                 "--cache", "all", "--launch", "all", "--stages", "--transfers", "--seconds", "0.002", "--json", table, "--csv", lines)
    check(result.returncode == 0, result.stdout[-3000:], result.stderr)
    with open(table, encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    with open(lines, encoding="utf-8", newline="") as file:
        check(len(list(csv.DictReader(file))) == len(rows), "CSV and JSON hold different rows")
    timed = set()
    for row in rows:
        check("not_run" not in row or row["kind"] == "peer", row)
        if row["kind"] != "variant" or row["op"] == "histogram256":  # the latter is no operator
            continue
        timed.add((row["op"], row["name"]))
        check(row["result"] == "identical" or row["result"].endswith("by design"), row)
        check(row["p10_us"] <= row["median_us"] <= row["p90_us"] and row["median_us"] > 0, row)
        check(row["samples"] >= 5 or row["median_us"] > 2000, row)
        check(row.get("stages") and row["bytes"] > 0, row)
        check(row["name"] in result.stdout, row["name"], "is not in the table")
    check(timed == variants(tonescope, backend), "not timed:", variants(tonescope, backend) - timed)
    if backend == "cuda":
        launches = {(row["cache"], row["launch"]) for row in rows if row["kind"] == "variant"}
        check(launches == {(c, l) for c in ("cold", "hot") for l in ("graph", "stream")}, launches)
        check(any(row["op"] == "transfer" and row["share"] for row in rows), "no transfers")
        check(all(row["result"] == "identical" for row in rows if row["op"] == "histogram256" and "not_run" not in row), "histogram256")
        check(any(row["op"] == "histogram256" and row["kind"] == "variant" for row in rows), "no histogram256")


def check_sweep(bench, folder):
    table = os.path.join(folder, "s.json")
    result = run(bench, "--backend", "cpu", "--op", "kuwahara", "--variant", "parallel", "--sweep", "radius=2,5", "--size", "64x48",
                 "--seconds", "0.001", "--json", table)
    check(result.returncode == 0, result.stderr)
    with open(table, encoding="utf-8") as file:
        check([row["parameters"] for row in json.load(file)["rows"]] == ["radius=2", "radius=5"], "sweep")
    picture = os.path.join(folder, "s.svg")
    plotted = run(sys.executable, PLOT, table, "--op", "kuwahara", "--x", "radius", "-o", picture)
    check(plotted.returncode == 0, plotted.stderr)
    with open(picture, encoding="utf-8") as file:
        check(file.read().count("#gpPt6") == 2 + 1, "the picture does not hold a point for each radius, and one in the key")
    nothing = run(sys.executable, PLOT, table, "--op", "he", "--x", "radius", "-o", picture)
    check(nothing.returncode == 1 and nothing.stderr.count("\n") == 1, nothing.stderr)


def check_decoders(bench, folder):
    table, picture = os.path.join(folder, "d.json"), os.path.join(ASSETS, "fog.png")
    result = run(bench, "--decode", picture + "," + os.path.join(ASSETS, "balloons.jpg"), "--seconds", "0.01", "--json", table)
    check(result.returncode == 0, result.stderr)
    with open(table, encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    names = [row["name"] for row in rows if row["name"] != "libpng"]
    check(names == ["tonescope", "libspng", "stb_image", "OpenCV imread", "tonescope", "libjpeg-turbo", "stb_image"], names)
    check(all(row["op"] == "decode" and row["median_us"] > 0 for row in rows), rows)
    missing = run(bench, "--decode", "/nowhere/image.png")
    check(missing.returncode == 1 and "/nowhere/image.png" in missing.stderr, missing.stderr)


def main(backend, bench, tonescope):
    with tempfile.TemporaryDirectory() as folder:
        if backend == "cpu":
            check_usage(bench)
            check_sweep(bench, folder)
            check_decoders(bench, folder)
        else:
            there = run(bench, "--backend", "cuda", "--op", "he", "--size", "8x8", "--seconds", "0.001", "--no-peers")
            if there.returncode == 1 and not there.stdout:
                print("skipped:", there.stderr.strip())
                return SKIPPED
        check_rows(bench, tonescope, backend, folder)
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
