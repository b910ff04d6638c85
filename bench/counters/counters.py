#!/usr/bin/env python3
"""Holds what the CUDA variants declare against what ncu counts, as a table.

    counters.py TONESCOPE_COUNTERS [NCU]

runs the program under Nsight Compute (some minutes) and prints the table: each figure per pixel, declared / counted.
"""
import csv
import io
import subprocess
import sys
import tempfile

# The columns of the program's lines, and what counts them: the metrics' sum times a factor.
FIGURES = [
    ("bytes", [("lts__t_sectors_srcunit_tex_op_read.sum", 32), ("lts__t_sectors_srcunit_tex_op_write.sum", 32)]),
    ("shared bytes", [("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 128)]),
    ("instructions", [("smsp__thread_inst_executed_pred_on.sum", 1)]),
    ("shared atomics", [("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", 32)]),
    ("global atomics", [("lts__t_sectors_op_red.sum", 1), ("lts__t_sectors_op_atom.sum", 1)]),
]
DRAM = [("dram__bytes_read.sum", 1), ("dram__bytes_write.sum", 1)]
SHARED_ACCESSES = ["smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum",
                   "smsp__inst_executed_op_shared_atom.sum"]
MARK = "clock_kernel"


def count(program, ncu):
    """What the program printed, and ncu's rows."""
    metrics = [name for _, terms in FIGURES + [("", DRAM)] for name, _ in terms] + SHARED_ACCESSES
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as log:
        done = subprocess.run([ncu, "--clock-control", "none", "--metrics", ",".join(metrics), "--csv", "--page", "raw",
                               "--print-units", "base", "--log-file", log.name, program], check=True,
                              stdout=subprocess.PIPE, text=True)
        rows = [line for line in log if line.startswith('"')]
    lines = [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") == 7]
    return lines, [row for row in csv.DictReader(io.StringIO("".join(rows))) if row["ID"]]


def value(row, name):
    return float(row[name].replace(",", "") or 0)


def total(kernels, terms):
    return sum(value(row, name) * factor for row in kernels for name, factor in terms)


def shared_total(kernels, terms):
    """ncu's wavefronts also count two for each warp of a kernel that does not touch shared memory."""
    return total([row for row in kernels if any(value(row, name) for name in SHARED_ACCESSES)], terms)


def text(number):
    return f"{number:.3g}" if number < 100 else f"{number:.0f}"


def main():
    lines, rows = count(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "ncu")
    runs, kernels = [], []
    for row in rows:
        if MARK in row["Kernel Name"]:
            runs.append(kernels)
            kernels = []
        elif "gate_kernel" not in row["Kernel Name"]:
            kernels.append(row)
    if len(runs) != len(lines):
        sys.exit(f"{len(lines)} variants, but {len(runs)} runs were counted")
    print("| operator | variant | " + " | ".join(name for name, _ in FIGURES) + " | device memory, counted |")
    print("|---|---|" + "---:|" * (len(FIGURES) + 1))
    for line, kernels in zip(lines, runs):
        pixels = float(line[2])
        if line[0] == "histogram":  # the last kernel counts what the result is checked against
            kernels = kernels[:-1]
        cells = []
        for (name, terms), declared in zip(FIGURES, line[3:]):
            counted = (shared_total if name == "shared bytes" else total)(kernels, terms)
            cells.append(f"{text(float(declared) / pixels)} / {text(counted / pixels)}")
        cells.append(text(total(kernels, DRAM) / pixels))
        print("| " + " | ".join(line[:2] + cells) + " |")


if __name__ == "__main__":
    main()
