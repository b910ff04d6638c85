#!/usr/bin/env python3
"""Holds what the CUDA variants declare against what ncu counts, and says what their kernels wait for, as two tables.

    counters.py TONESCOPE_COUNTERS [--ncu NCU] [--raw PREFIX] [--size SIZE] [--variant ID] [--set NAME=VALUE]
                [CONTENT [OPERATOR...]]

runs the program under Nsight Compute (some minutes) and prints the tables. With --raw, what the program and ncu print
stays in PREFIX.lines and PREFIX.csv; where these are there already, they are read and nothing is run.
"""
import argparse
import csv
import math
import os
import re
import subprocess

WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"
ALL_WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts.sum"
# What the program's "work" lines declare, in their order, and what counts it: the metrics' sum times a factor. Sectors
# of atomic operations are counted 1.5 times in kernels whose additions are known.
FIGURES = [
    ("bytes", [("lts__t_sectors_srcunit_tex_op_read.sum", 32), ("lts__t_sectors_srcunit_tex_op_write.sum", 32)]),
    ("shared bytes", [(WAVEFRONTS, 128)]),
    ("L1 bytes", [(ALL_WAVEFRONTS, 128), (WAVEFRONTS, -128)]),
    ("instructions", [("smsp__thread_inst_executed_pred_on.sum", 1)]),
    ("shared atomics", [("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", 32)]),
    ("global atomics", [("lts__t_sectors_op_red.sum", 2 / 3), ("lts__t_sectors_op_atom.sum", 2 / 3)]),
]
DRAM = [("dram__bytes_read.sum", 1), ("dram__bytes_write.sum", 1)]
CONFLICTS = [f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum" for op in ("ld", "st", "atom")]
TIME = "gpu__time_duration.sum"
# Percent of what the unit can do.
USE = [("device memory", "dram__throughput.avg.pct_of_peak_sustained_elapsed"),
       ("L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed"),
       ("shared memory and L1", "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed"),
       ("instructions", "smsp__issue_active.avg.pct_of_peak_sustained_active"),
       ("warps", "sm__warps_active.avg.pct_of_peak_sustained_active")]
THREADS = "smsp__thread_inst_executed_per_inst_executed.ratio"
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
STALLS = ["long_scoreboard", "short_scoreboard", "lg_throttle", "mio_throttle", "tex_throttle", "math_pipe_throttle",
          "barrier", "membar", "wait", "not_selected", "selected", "no_instruction", "imc_miss", "dispatch_stall",
          "drain", "sleeping", "misc"]
METRICS = ([name for _, terms in FIGURES + [("", DRAM)] for name, _ in terms] + CONFLICTS + [TIME] +
           [name for _, name in USE] + [THREADS] + [STALL.format(name) for name in STALLS])
MARK = "clock_kernel"
LEAST_PART = 0.1  # of a variant's time: kernels below it have no row


class Variant:
    def __init__(self, op, id, source, pixels):
        self.op, self.id, self.source, self.pixels = op, id, source, float(pixels)
        self.declared = [0.0] * len(FIGURES)
        self.stages = {}  # of kernels
        self.kernels = []  # ncu's rows

    def time(self):
        return sum(value(row, TIME) for row in self.kernels)


def count(arguments):
    """Lines of the program, and of ncu's table."""
    prefix = arguments.raw or "/tmp/tonescope_counters"
    if not (arguments.raw and os.path.exists(prefix + ".csv")):
        with open(prefix + ".lines", "w") as lines:
            subprocess.run([arguments.ncu, "--clock-control", "none", "--metrics", ",".join(METRICS), "--csv", "--page",
                            "raw", "--print-units", "base", "--log-file", prefix + ".csv", arguments.program,
                            *arguments.rest], check=True, stdout=lines)
    with open(prefix + ".lines") as lines, open(prefix + ".csv") as log:
        return lines.read().splitlines(), [line for line in log if line.startswith('"')]


def variants_of(lines, table):
    variants = []
    for line in lines:
        kind, *cells = line.split("\t")
        if kind == "variant":
            variants.append(Variant(*cells))
        elif kind == "work":
            variants[-1].declared = [a + float(b) for a, b in zip(variants[-1].declared, cells[1:])]
        elif kind == "kernel":
            variants[-1].stages[cells[1]] = cells[0]
    runs, kernels = [], []
    for row in csv.DictReader(table):
        if not row["ID"]:
            continue
        if MARK in row["Kernel Name"]:
            runs.append(kernels)
            kernels = []
        else:
            kernels.append(row)
    if len(runs) != len(variants):
        raise SystemExit(f"{len(variants)} variants, but {len(runs)} runs were counted")
    for variant, kernels in zip(variants, runs):
        # The histogram lab's last kernel counts what the result is checked against.
        variant.kernels = kernels[:-1] if variant.op == "histogram" else kernels
    return variants


def value(row, name):
    """Of wavefronts without the two in shared memory that ncu counts for each warp that starts."""
    number = float(row[name].replace(",", "") or 0)
    if name in (WAVEFRONTS, ALL_WAVEFRONTS):
        blocks, threads = (math.prod(int(side) for side in re.findall(r"\d+", row[size]))
                           for size in ("Grid Size", "Block Size"))
        number -= 2 * blocks * math.ceil(threads / 32)
    return number


def total(kernels, terms):
    return sum(value(row, name) * factor for row in kernels for name, factor in terms)


def text(number):
    return f"{number:.3g}" if number < 100 else f"{number:.0f}"


def print_declared(variants):
    print("| variant | " + " | ".join(name for name, _ in FIGURES) + " | device memory, counted |")
    print("|---|" + "---:|" * (len(FIGURES) + 1))
    for variant in variants:
        cells = []
        for (name, terms), declared in zip(FIGURES, variant.declared):
            counted = total(variant.kernels, terms) / variant.pixels
            declared /= variant.pixels
            # L1 is declared of the kernels that live on it alone.
            is_told = max(declared, 0 if name == "L1 bytes" else counted) >= 0.005
            cells.append(f"{text(declared)} / {text(counted)}" if is_told else "")
        cells.append(text(total(variant.kernels, DRAM) / variant.pixels))
        print(f"| {variant.op} {variant.source} | " + " | ".join(cells) + " |")


def print_causes(variants):
    print("| variant | stage | µs | " + " | ".join(name for name, _ in USE) +
          " | threads an instruction | conflicts | warps wait for |")
    print("|---|---|" + "---:|" * (len(USE) + 3) + "---|")
    for variant in variants:
        for row in variant.kernels:
            if value(row, TIME) < LEAST_PART * variant.time():
                continue
            kernel = re.search(r"(\w+_kernel)\b", row["Kernel Name"])[1]
            stalls = {name: value(row, STALL.format(name)) for name in STALLS if STALL.format(name) in row}
            most = sorted(stalls, key=stalls.get, reverse=True)[:3]
            waits = ", ".join(f"{name} {100 * stalls[name] / sum(stalls.values()):.0f} %" for name in most)
            accesses = total([row], FIGURES[1][1]) / 128
            conflicts = sum(value(row, name) for name in CONFLICTS)
            cells = [f"{variant.op} {variant.source}", variant.stages.get(kernel, ""), text(value(row, TIME) / 1000)]
            cells += [f"{value(row, name):.0f}" for _, name in USE]
            cells += [f"{value(row, THREADS):.1f}", f"{100 * conflicts / accesses:.0f} %" if accesses > 0 else "", waits]
            print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--raw")
    arguments, arguments.rest = parser.parse_known_args()
    variants = variants_of(*count(arguments))
    print_declared(variants)
    print()
    print_causes(variants)


if __name__ == "__main__":
    main()
