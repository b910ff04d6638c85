"""--source: a variant's source, and what it changes in the one that it builds on."""
import os
import re

import harness
from harness import Case

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


class Source(Case):
    def test_lines_are_those_of_the_files(self):
        for variant in harness.variants("he"):
            path, numbers, marks = None, 0, set()
            for line in self.good("--source", variant["id"], "--op", "he").out.splitlines():
                if title := re.fullmatch(r"(\S+):\d+(  \(kernel \w+\))?", line):
                    path = title.group(1)
                    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                        text = file.read().splitlines()
                elif row := re.fullmatch(r"([ +-]) *(\d+)  (.*)", line):
                    self.assertEqual(row.group(3), text[int(row.group(2)) - 1], (variant["id"], path))
                    marks.add(row.group(1))
                    numbers += 1
            self.assertGreater(numbers, 30, variant["id"])
            self.assertEqual("+" in marks, variant["builds_on"] is not None, variant["id"])

    def test_difference_names_both(self):
        out = self.good("--source", "scan-work-efficient", "--op", "he").out
        self.assertRegex(out, r"\A[^\n]*C work-efficient[^\n]*compare it with C naive")
        self.assertRegex(out, r"\n\+ +\d+  __global__ void he_scan_pairs_kernel")
        self.assertRegex(out, r"\n- +\d+  __global__ void he_scan_naive_kernel")
        self.assertRegex(out, r"\n  +\d+  __global__ void he_apply_formula_kernel")

    def test_unknown_variant(self):
        self.bad(2, "--source", "none", says=("--source none", "clahe", "scan-padded"))
        self.bad(2, "--source", "cpu", "--op", "none", says="--op none")
        self.bad(2, "--source", "", says="--source is empty")
        self.bad(2, "--source", says="--source needs a value")
        self.bad(2, "--source", "cpu", "a.pgm", says="takes no images")
        self.bad(2, "--source", "cpu", "--list", says=("--source", "--list"))


if __name__ == "__main__":
    harness.main()
