"""Runs the programs of libFuzzer that fuzz/run has built, and keeps and measures the corpus. fuzz/run says how."""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "fuzz"
KEPT = ROOT / "fuzz" / "corpus"
CORPUS = BUILD / "corpus"
FINDINGS = BUILD / "findings"
SUMS = BUILD / "sums.json"  # of all runs in this folder: how many, and their processor time
ADDING = threading.Lock()
KEPT_FILES, KEPT_BYTES = 40, 16_000  # of a target
# A decoder that takes so much at once has not asked whether it may: targets refuse what needs more than 32 MB.
SLOW_S = 10  # of processor time, for one input
LIMITS = ["-malloc_limit_mb=160", "-rss_limit_mb=3000", "-timeout=60"]


def read_sums():
    return json.loads(SUMS.read_text()) if SUMS.exists() else {}


def program(target):
    stems = (source.stem for source in (ROOT / "fuzz" / "targets").glob("*.cpp"))
    stem = next(stem for stem in stems if target == stem or target.startswith(stem + "_"))
    return str(BUILD / "fuzz" / f"fuzz_{stem}")


def libfuzzer(target, *arguments):
    """Status, standard error and the processor time that it took, seconds."""
    # Of who has allocated a block, fewer callers are noted, which takes time.
    environment = {**os.environ, "TONESCOPE_FUZZ_TARGET": target, "ASAN_OPTIONS": "malloc_context_size=4"}
    with subprocess.Popen([program(target), *LIMITS, *map(str, arguments)], env=environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace") as process:
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, errors, usage.ru_utime + usage.ru_stime


def fuzz(target, seconds):
    """One run; what it says in figures, and the file that shows a defect, where it found one. Its sums are kept."""
    dictionary = CORPUS / f"{target}.dict"
    words = [f"-dict={dictionary}"] if dictionary.stat().st_size > 0 else []
    status, errors, cpu_s = libfuzzer(target, CORPUS / target, KEPT / target, *words, f"-artifact_prefix={FINDINGS / target}-",
                                     f"-max_total_time={seconds}", "-print_final_stats=1", "-reload=0")
    count = re.findall(r"stat::number_of_executed_units:\s*(\d+)", errors)
    reached = re.findall(r"cov: (\d+) ft: (\d+)", errors)
    found = re.findall(r"Test unit written to (\S+)", errors)
    # A machine that has other work is slow itself.
    found = [file for file in found if "-slow-unit-" not in file or libfuzzer(target, file)[2] > SLOW_S]
    if status != 0 and not found:
        found = [f"{target}: status {status}"]
    if found:
        (FINDINGS / f"{target}.log").write_text(errors)
    edges, features = map(int, reached[-1]) if reached else (0, 0)
    result = {"runs": int(count[-1]) if count else 0, "cpu_s": cpu_s, "edges": edges, "features": features, "found": found}
    with ADDING:
        sums = read_sums()
        for key in sums.setdefault(target, {"runs": 0, "cpu_s": 0}):
            sums[target][key] += result[key]
        SUMS.write_text(json.dumps(sums, indent=1))
    return result


def keep(target):
    """Puts inputs that reach everything into fuzz/corpus, or of too many some of every size. Those with names of their own stay."""
    with tempfile.TemporaryDirectory() as smallest:
        libfuzzer(target, "-set_cover_merge=1", smallest, KEPT / target, CORPUS / target)
        files = sorted(pathlib.Path(smallest).iterdir(), key=lambda file: file.stat().st_size)
        for old in (KEPT / target).iterdir():
            if re.fullmatch("[0-9a-f]{40}", old.name):
                old.unlink()
        left = KEPT_BYTES
        for file in files[:: 1 + len(files) // KEPT_FILES]:
            left -= file.stat().st_size
            if left >= 0:
                shutil.copy(file, KEPT / target)


def cover():
    """Prints which part of our sources the corpus reaches."""
    folder = ROOT / "build" / "fuzz-coverage"
    replay = folder / "fuzz" / "fuzz_replay"
    for corpus in (CORPUS, KEPT):
        environment = {**os.environ, "LLVM_PROFILE_FILE": f"{folder}/{corpus.parent.name}.profraw"}
        subprocess.run([replay, corpus], check=True, stdout=subprocess.DEVNULL, env=environment)
    subprocess.run(["llvm-profdata-16", "merge", "-o", folder / "profile", *folder.glob("*.profraw")], check=True)
    subprocess.run(["llvm-cov-16", "report", replay, f"-instr-profile={folder / 'profile'}", "-show-functions=false",
                    *(str(ROOT / path) for path in ("app/image_io", "app/options", "app/viewer/saved_state.cpp", "gpu/ops"))], check=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("targets", nargs="*")
    arguments.add_argument("--minutes", type=float, default=10)
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("--coverage", action="store_true")
    arguments.add_argument("--keep", action="store_true")
    options = arguments.parse_args()

    for folder in (CORPUS, FINDINGS):
        folder.mkdir(parents=True, exist_ok=True)
    if options.coverage:
        return cover()
    subprocess.run([BUILD / "fuzz" / "fuzz_replay", "--write", CORPUS], check=True)
    targets = options.targets or sorted(file.stem for file in CORPUS.glob("*.dict"))
    for target in targets:
        (KEPT / target).mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        if options.keep:
            list(pool.map(keep, targets))
            return 0
        seconds = max(1, int(options.minutes * 60 * options.jobs / len(targets)))
        results = dict(zip(targets, pool.map(lambda target: fuzz(target, seconds), targets)))

    sums = read_sums()
    print(f"{'target':<22}{'runs':>13}{'a second':>10}{'edges':>8}{'features':>10}{'corpus':>8}{'runs ever':>14}{'minutes ever':>14}")
    for target, result in results.items():
        ever = sums[target]
        print(f"{target:<22}{result['runs']:>13,}{result['runs'] / result['cpu_s']:>10,.0f}{result['edges']:>8,}{result['features']:>10,}"
              f"{len(list((CORPUS / target).iterdir())):>8,}{ever['runs']:>14,}{ever['cpu_s'] / 60:>14,.1f}")
    print(f"all: {sum(result['runs'] for result in results.values()):,} runs; ever {sum(ever['runs'] for ever in sums.values()):,}"
          f" in {sum(ever['cpu_s'] for ever in sums.values()) / 3600:.2f} hours of a core")
    found = [file for result in results.values() for file in result["found"]]
    for file in found:
        print(f"DEFECT: {file} (see build/fuzz/findings)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
