"""Runs the sanitizer cases of a test program under one tool of compute-sanitizer. Exit status 77: skipped.

Run: python3 sanitizer.py memcheck|racecheck|initcheck|synccheck PROGRAM [COMPUTE_SANITIZER]
"""

import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77
FILTER = "--gtest_filter=*Sanitizer*"
CLEAN = {"racecheck": r"RACECHECK SUMMARY: 0 hazards"}


def find_sanitizer(given):
    places = [given, shutil.which("compute-sanitizer"), "/usr/local/cuda/bin/compute-sanitizer"]
    return next((place for place in places if place and os.access(place, os.X_OK)), None)


def skip(reason):
    print("skipped:", reason)
    return SKIPPED


def main(tool, program, given=None):
    sanitizer = find_sanitizer(given)
    if sanitizer is None:
        return skip("compute-sanitizer was not found on PATH or in /usr/local/cuda/bin")
    device = subprocess.run([program, "--gtest_filter=SanitizerDevice.*"], capture_output=True, text=True, check=False)
    if "[  SKIPPED ]" in device.stdout:
        reason = re.search(r"Skipped\n(.*)", device.stdout)
        return skip(reason.group(1) if reason else "there is no GPU")
    command = [sanitizer, "--tool", tool, "--error-exitcode", "9", "--print-limit", "20", program, FILTER, "--gtest_brief=1"]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(run.stdout[-20000:])
    passed = re.search(r"\[  PASSED  \] (\d+) tests?", run.stdout)
    clean = re.search(CLEAN.get(tool, r"ERROR SUMMARY: 0 errors"), run.stdout)
    if run.returncode != 0 or clean is None or passed is None or passed.group(1) == "0":
        print(f"{tool} found errors, or the tests failed (exit status {run.returncode})")
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
