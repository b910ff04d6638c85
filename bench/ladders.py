#!/usr/bin/env python3
"""Renews the measured tables of docs/ladders.md.

    tonescope --headless --experiment all -o FOLDER
    bench/ladders.py FOLDER [--machine "CARD, driver, cores, date"] [--page PAGE]

Tables stand between comments that say what they hold; the rest of the page stays as it is. VARIANT is an id, CASE a part
of a case's title, such as "6000 x 4000"; names with blanks have _ in their place:

    <!-- measured: machine -->
    <!-- measured: times EXPERIMENT[,...] kernels|total [variants=VARIANT,...] [cases=CASE,...] [intervals] -->
    <!-- measured: steps EXPERIMENT[,...] kernels|total [variants=...] [cases=...] -->      against what each builds on
    <!-- measured: parts EXPERIMENT [variants=...] cases=CASE -->                           kernels, host, copies, total
    <!-- measured: throughput EXPERIMENT variants=VARIANT -->                               of the kernels, by case
    <!-- measured: modes EXPERIMENT[,...] total cases=CASE -->                             by memory mode
    <!-- measured: claims EXPERIMENT[,...] -->     what a report says, and here; "why", the last column, is kept
    <!-- end -->

A table whose experiment is not in FOLDER stays as it was, and the program says so.
"""
import argparse
import json
import math
import os
import re
import sys


def number(value):
    """Three digits, as the program writes figures."""
    if not value:
        return "0"
    return f"{value:.{min(max(2 - math.floor(math.log10(abs(value))), 0), 6)}f}"


def with_interval(value, interval):
    return f"{number(value)} ({number(interval[0])} to {number(interval[1])})" if interval else number(value)


def ratio(found):
    text = with_interval(found["times"], found["interval"])
    if not found["interval"]:
        return text + ", too few runs"
    return text + ", none" if found["interval"][0] <= 1 <= found["interval"][1] else text


class Missing(Exception):
    pass


class Runs:
    def __init__(self, folder):
        self.folder = folder

    def load(self, name):
        for path in (os.path.join(self.folder, f"{name}.json"), os.path.join(self.folder, name, f"{name}.json")):
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    return json.load(file)
        raise Missing(name)

    def cases(self, names, wanted):
        """(title, variants by id) of each case; titles of one content leave it out."""
        cases = []
        for point in (point for name in names for point in self.load(name)["points"] if point["measured"]):
            benchmark = point["benchmark"]
            key = "memory" if benchmark["by_memory_mode"] else "variant"
            cases.append((point["title"], {row[key] or row["variant"]: row for row in benchmark["variants"] if row["ran"]}))
        cases = [case for case in cases if not wanted or any(part in case[0] for part in wanted)]
        contents = {title.split(", ")[0] for title, _ in cases}
        if len(contents) == 1 and all(", " in title for title, _ in cases):
            cases = [(title.split(", ", 1)[1], rows) for title, rows in cases]
        return cases


def label(row):
    return row["name"] + (f" ({row['source'].replace(' (baseline)', '')})" if row["source"] else "")


def table(head, rows, numbers_from=1):
    lines = ["| " + " | ".join(head) + " |",
             "|" + "|".join("---" if column < numbers_from else "---:" for column in range(len(head))) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def variants_of(cases, wanted):
    known = {}
    for _, rows in cases:
        known.update({variant: row for variant, row in rows.items() if variant not in known})
    return [(variant, known[variant]) for variant in wanted or known if variant in known]


def times(runs, names, metric, options):
    cases = runs.cases(names, options.get("cases"))
    text_of = (lambda part: with_interval(part["median_ms"], part["interval_ms"])) if "intervals" in options else (
        lambda part: number(part["median_ms"]))
    rows = [[label(first)] + [text_of(of[variant][metric]) if variant in of else "" for _, of in cases]
            for variant, first in variants_of(cases, options.get("variants"))]
    return table(["Variant"] + [title for title, _ in cases], rows)


def steps(runs, names, metric, options):
    cases = runs.cases(names, options.get("cases"))
    rows = []
    for variant, first in variants_of(cases, options.get("variants")):
        found = [of.get(variant, {}).get(metric, {}).get("against_basis") for _, of in cases]
        if any(found):
            rows.append([label(first)] + [ratio(one) if one else "" for one in found])
    return table(["Variant"] + [title for title, _ in cases], rows)


def parts(runs, names, _, options):
    (_, of), = runs.cases(names, options["cases"])
    rows = [[label(row), row["memory"] or ""] + [number(value) for value in (row["kernels"]["median_ms"], row["host_ms"],
                                                                            row["copies_ms"])] +
            [with_interval(row["total"]["median_ms"], row["total"]["interval_ms"])]
            for _, row in variants_of([("", of)], options.get("variants"))]
    return table(["Variant", "memory", "kernels", "host", "copies", "total"], rows, 2)


def throughput(runs, names, _, options):
    cases = runs.cases(names, options.get("cases"))
    rows = [[label(first)] + [f"{of[variant]['kernels']['mpixel_s']:.0f}" for _, of in cases]
            for variant, first in variants_of(cases, options["variants"])]
    return table(["Variant"] + [title for title, _ in cases], rows)


def modes(runs, names, metric, options):
    """A row an experiment, a column a memory mode."""
    ids = ["pageable", "pinned", "mapped", "managed", "overlapped"]
    rows = []
    for name in names:
        (_, of), = runs.cases([name], options["cases"])
        rows.append([f"`{name}`"] + [with_interval(of[mode][metric]["median_ms"], of[mode][metric]["interval_ms"])
                                     for mode in ids])
    return table(["experiment"] + ids, rows)


VERDICTS = ["holds", "holds in direction only", "does not hold", "no difference measured", "too few runs"]


def here_text(claim):
    """What has become of a claim in the cases of an experiment, with the least and the greatest ratio."""
    cases = claim["cases"]
    counts = [(verdict, sum(case["verdict"] == verdict for case in cases)) for verdict in VERDICTS]
    counts = [(verdict, count) for verdict, count in counts if count > 0]
    text = counts[0][0] if len(counts) == 1 else (f"{counts[0][0]} in {counts[0][1]} of {len(cases)} cases" + "".join(
        f", {verdict} in {count}" for verdict, count in counts[1:]))
    ordered = sorted(cases, key=lambda case: case["times"])
    ends = [with_interval(case["times"], case["interval"]) for case in (ordered[0], ordered[-1])]
    return text + "; " + (ends[0] if len(cases) == 1 else " to ".join(ends)) + (f" at {claim['at']}" if claim["at"] else "")


def claims(runs, names, _, options):
    """A row a claim, with a sentence for each experiment in which it stands."""
    known = {}
    for name in names:
        for claim in runs.load(name)["claims"]:
            says = claim["says"] + (f": {number(claim['report_times'])} times as fast" if claim["report_times"] else "")
            known.setdefault(says, (claim["step"], []))[1].append(
                (f"`{name}`: " if len(names) > 1 else "") + here_text(claim))
    rows = [[step, says, ". ".join(here), options["kept"].get(says, "")] for says, (step, here) in known.items()]
    return table(["step", "the report", "here", "why"], rows, 4)


def kept_cells(old):
    """The last cell of each row of claims, by the report's words in the second one."""
    rows = [[cell.strip() for cell in line[1:].rstrip().removesuffix("|").split("|")] for line in old.splitlines()]
    return {row[1]: row[3] for row in rows if len(row) == 4}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--machine")
    parser.add_argument("--page", default=os.path.join(os.path.dirname(__file__), "..", "docs", "ladders.md"))
    arguments = parser.parse_args()
    runs, kinds = Runs(arguments.folder), {"times": times, "steps": steps, "parts": parts, "throughput": throughput,
                                           "modes": modes, "claims": claims}
    left = []

    def renewed(match):
        kind, *words = match[1].split()
        try:
            if kind == "machine":
                text = arguments.machine or match[2].strip()
            else:
                plain = [word for word in words[1:] if "=" not in word]
                options = dict(word.split("=", 1) for word in words if "=" in word)
                options = {name: [part.replace("_", " ").replace(" x ", " \u00d7 ") if name == "cases" else part
                                  for part in value.split(",")] for name, value in options.items()}
                options.update({word: True for word in plain[1:]}, kept=kept_cells(match[2]))
                text = kinds[kind](runs, words[0].split(","), plain[0] if plain else "kernels", options)
        except Missing as missing:
            left.append(f"{match[1].strip()}: no {missing}.json")
            return match[0]
        return f"<!-- measured: {match[1]} -->\n{text}\n<!-- end -->"

    with open(arguments.page, encoding="utf-8") as file:
        page = file.read()
    page = re.sub(r"<!-- measured: (.*?) -->\n(.*?)<!-- end -->", renewed, page, flags=re.DOTALL)
    with open(arguments.page, "w", encoding="utf-8") as file:
        file.write(page)
    for line in left:
        print("left as it was:", line, file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
