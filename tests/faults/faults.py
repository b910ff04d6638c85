#!/usr/bin/env python3
"""Makes calls of the program fail, one after the other, and judges what becomes of a headless run.

    faults.py PROGRAM FAULTS.so [--kind KIND] [--run NAME] [--once] [--on] [--sample N] [--seed S] [--at N,...] [--stacks]

Without options: every run, every kind, every call, failing once and from then on. A run must end with status 0 and the right results, or
with status 1 (usage aside) and a line on standard error; every output is right or what was there before, and no temporary file stays
that could be removed. Short and interrupted calls must not show at all. --stacks: of allocations only the first that comes by each way.
"""
import array
import collections
import concurrent.futures
import contextlib
import csv
import io
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import harness  # noqa: E402
from injection import UNREACHED, WINDOW_KINDS, Control, draw, groups, parse, tell  # noqa: E402

HARMLESS = ("short call", "interruption")
TIMEOUT_S = 120
OLD = b"what was there before"
STATES = {True: "old outputs", False: "new outputs"}  # they take other ways, with other numbers of calls

# Each run's images are gray.pgm and color.ppm (small, of two bands at least), deep.pgm (12 bits), one of each other format, references and a
# file of pages; `{out}` is the folder of its outputs.
OTHER_FORMATS = ("png", "jpg", "tiff", "webp", "bmp", "tga", "pam")  # that the program saves
RUNS = {
    "he": ["--op", "he", "-i", "gray.pgm", "-i", "color.ppm", "-o", "{out}/{stem}.png"],
    "clahe": ["--op", "clahe", "-i", "color.ppm", "-o", "{out}/color.ppm"],
    "kuwahara": ["--op", "kuwahara", "-i", "gray.pgm", "-o", "{out}/gray.jpg"],
    "report": ["--op", "he", "-i", "gray.pgm", "-i", "color.ppm", "-o", "{out}/{stem}.bmp", "--report", "{out}/report.json"],
    "formats": ["--op", "he", *(word for end in (*OTHER_FORMATS, "psd", "gif") for word in ("-i", f"{end}.{end}")), "-o", "{out}/{stem}.tga",
                "--jobs", "2"],
    "link": ["--op", "he", "-i", "gray.pgm", "-o", "{out}/link.bmp"],
    "bins": ["--op", "histogram", "-i", "gray.pgm", "-o", "{out}/bins.csv"],
    "reference": ["--op", "he", "-i", "gray.pgm", "-i", "bmp.bmp", "-o", "{out}/{stem}.pam", "--reference", "{stem}.reference.png", "--figures", "all",
                  "--report", "{out}/report.json"],
    "sheet": ["--op", "clahe", "-i", "gray.pgm", "--sweep", "clip_limit=1,2", "-o", "{out}/sheet.png"],
    "pages": ["--op", "he", "-i", "pages.tif", "--page", "all", "-o", "{out}/pages.tiff"],
    "part": ["--op", "clahe", "--set", "tables=exact", "--set", "no_data=value", "--set", "no_data_value=7", "-i", "gray.pgm",
             "--region", "20,30,300,200", "--feather", "9", "--mask", "mask.png", "-o", "{out}/part.png"],
    "webp": ["--op", "he", "-i", "color.ppm", "-o", "{out}/color.webp"],
    **{f"deep {end}": ["--op", "he", "-i", "deep.pgm", "-o", f"{{out}}/deep.{end}"] for end in ("png", "tiff", "pgm", "pam")},
    "dicom": ["--op", "he", "-i", "plain.dcm", "-i", "packed.dcm", "-o", "{out}/{stem}.pgm"],
    "preset": ["--preset", "preset.json", "-i", "gray.pgm", "-o", "{out}/gray.pgm"],
    "session": ["--preset", "session.tonescope", "-i", "gray.pgm", "-o", "{out}/gray.pgm"],
    "resume": ["--op", "he", "-i", "gray.pgm", "-i", "color.ppm", "-o", "{out}/{stem}.png", "--resume"],
    "sweep": ["--op", "he", "-i", "gray.pgm", "--sweep", "amount=50,100", "-o", "{out}"],
    **{f"sweep {end}": ["--op", "he", "-i", "gray.pgm", "--sweep", "amount=50,100", "-o", f"{{out}}/sweep.{end}"] for end in ("csv", "json", "md")},
    **{f"compare {end}": ["--compare", "--op", "he", "-i", "png.png", "--sweep", "amount=50,100", "-o", f"{{out}}/compare.{end}"]
       for end in ("csv", "json", "md", "svg", "png")},
    "suggest": ["--suggest", "--op", "clahe", "-i", "png.png"],
    "suggest json": ["--suggest", "--op", "clahe", "-i", "png.png", "--json"],
    "code": ["--code", "opencv-python", "--op", "clahe"],
}
LINKS = {"link": "link.bmp"}  # outputs that are links, to what was there before or to nothing
DONE = {"resume": "gray.png"}  # of the outputs, only this one is there before, and it stays
SPEAKING = ("suggest", "suggest json", "code")  # their output is standard output
SPOKEN = "standard output"
RUNS_OF_A_SAMPLE = 12
STACKS, STACKS_BYTES = ".stacks", 8 << 20  # who asked for each allocation (FAULT_STACKS)
MEASURING = tuple(run for run in RUNS if run.startswith("compare"))  # take a second or more, and their numbers differ


class Fault(collections.namedtuple("Fault", "run kind replaces at on")):
    def place(self):
        return self.run, STATES[self.replaces]

    def __str__(self):
        return f"{self.run}, {STATES[self.replaces]}: {self.kind} {self.at}{' and all after it' if self.on else ''}"


def turn_jpeg(path):
    """Gives it an EXIF block that asks for a quarter turn: whoever loses the block shows another image."""
    exif = b"Exif\0\0" + struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, 0x112, 3, 1, 6, 0, 0)
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(data[:2] + b"\xff\xe1" + struct.pack(">H", 2 + len(exif)) + exif + data[2:])


def write_psd(path, side):
    """Gray, not packed."""
    with open(path, "wb") as file:
        file.write(b"8BPS" + struct.pack(">H6xHIIHHIIIH", 1, 1, side, side, 8, 1, 0, 0, 0, 0) + harness.pixels(side, side))


def write_gif(path, side):
    """Gray; the table of codes is cleared before codes grow, so that each pixel is a byte."""
    values = bytes(v // 2 for v in harness.pixels(side, side))
    codes = b"".join(b"\x80" + values[at:at + 120] for at in range(0, len(values), 120)) + b"\x81"
    blocks = b"".join(bytes([len(codes[at:at + 255])]) + codes[at:at + 255] for at in range(0, len(codes), 255))
    colors = bytes(2 * v for v in range(128) for _ in range(3))
    with open(path, "wb") as file:
        file.write(b"GIF89a" + struct.pack("<HHBBB", side, side, 0xF6, 0, 0) + colors + b"," + struct.pack("<HHHHBB", 0, 0, side, side, 0, 7) +
                   blocks + b"\0;")


def write_pages(path, side):
    """TIFF: two gray images, one strip each."""
    data = harness.pixels(side, side)
    entries = 8
    first = 8 + len(data)
    second = first + 2 + 12 * entries + 4
    with open(path, "wb") as file:
        file.write(struct.pack("<2sHI", b"II", 42, first) + data)
        for following in (second, 0):
            tags = ((256, side), (257, side), (258, 8), (259, 1), (262, 1), (273, 8), (278, side), (279, len(data)))
            file.write(struct.pack("<H", entries) + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags))
            file.write(struct.pack("<I", following))


def write_dicom(path, side, packed=None):
    """Gray of 12 bits in words, or the pixels of a JPEG file as they are."""
    def element(group, number, kind, value):
        value += b"\0" * (len(value) % 2)
        length = struct.pack("<HI", 0, len(value)) if kind in (b"OB", b"OW") else struct.pack("<H", len(value))
        return struct.pack("<HH2s", group, number, kind) + length + value

    def words(*values):
        return struct.pack(f"<{len(values)}H", *values)

    bits = 8 if packed else 12
    meta = element(2, 0x10, b"UI", b"1.2.840.10008.1.2.4.50" if packed else b"1.2.840.10008.1.2.1")
    image = [(2, b"US", words(1)), (4, b"CS", b"MONOCHROME2"), (0x10, b"US", words(side)), (0x11, b"US", words(side)),
             (0x100, b"US", words(8 if packed else 16)), (0x101, b"US", words(bits)), (0x102, b"US", words(bits - 1)), (0x103, b"US", words(0))]
    if packed:
        with open(packed, "rb") as file:
            data = file.read()
        items = ((0xE000, b""), (0xE000, data + b"\0" * (len(data) % 2)), (0xE0DD, b""))
        pixels = struct.pack("<HH2sHI", 0x7FE0, 0x10, b"OB", 0, 0xFFFFFFFF) + b"".join(
            struct.pack("<HHI", 0xFFFE, number, len(item)) + item for number, item in items)
    else:
        pixels = element(0x7FE0, 0x10, b"OW", words(*(16 * value for value in harness.pixels(side, side))))
    with open(path, "wb") as file:
        file.write(bytes(128) + b"DICM" + element(2, 0, b"UL", struct.pack("<I", len(meta))) + meta +
                   b"".join(element(0x28, number, kind, value) for number, kind, value in image) + pixels)


def report_of(content):
    """What does not differ from run to run, and the images; None where it is no report."""
    try:
        report = json.loads(content)
        images = report.pop("images")
    except (ValueError, KeyError):
        return None
    times = ("stages", "total_ms", "run_ms", "load_ms", "save_ms")
    return report, [{key: os.path.basename(value) if key == "output" else value for key, value in image.items() if key not in times}
                    for image in images]


def tiff_of(content):
    """Tags and unpacked strips of each page (one strip a page, each number within its entry). Libtiff packs with zlib where libdeflate
    lacks memory, which gives other bytes for the same samples. None where it is no TIFF of ours."""
    pages, offset = [], 4
    try:
        while offset := struct.unpack_from("<I", content, offset)[0]:
            count = struct.unpack_from("<H", content, offset)[0]
            tags = {tag: value for tag, _, _, value in struct.iter_unpack("<HHII", content[offset + 2:offset + 2 + 12 * count])}
            at, size = tags.pop(273), tags.pop(279)
            pages.append((tags, zlib.decompress(content[at:at + size])))
            offset += 2 + 12 * count
    except (struct.error, KeyError, zlib.error):
        return None
    return pages


def lasting(run, name, content):
    """What of an output is the same in every run, whatever the times; None where it is not whole."""
    measures, ending = run in MEASURING, name.rsplit(".")[-1]
    try:
        if ending == "tiff":
            return tiff_of(content)
        if ending == "csv":
            rows = list(csv.reader(io.StringIO(content.decode())))
            if measures:
                return [row[:rows[0].index("runs")] for row in rows]
            times = rows[0].index("ms") if "ms" in rows[0] else len(rows[0])
            return [row[:times] + row[times + 1:] for row in rows]
        if ending == "json":
            found = json.loads(content)
            if measures:
                return [(point["title"], point["error"], [(row["variant"], row["ran"], row.get("identical")) for row in point["benchmark"]["variants"]])
                        for point in found["points"]]
            return re.sub(r'"\w*ms": [0-9.e-]+', "", json.dumps(found))
        if ending == "md":
            rows = [line.split("|") for line in content.decode().splitlines()]
            return [row[1] for row in rows if len(row) > 2] + ["Notes" in row[0] for row in rows] if measures else re.sub(r"[0-9.]+", "", str(rows))
        if ending == "svg":
            return len(list(xml.etree.ElementTree.fromstring(content).itertext())) > 9
        if ending == "png" and measures:
            return content[16:24], content[-12:]  # sides, and the last piece
    except (ValueError, KeyError, IndexError, TypeError, xml.etree.ElementTree.ParseError):
        return None
    return content


class Judge:
    def __init__(self, program, library, folder, wants_stacks=False):
        self.program, self.library, self.folder, self.wants_stacks = program, library, folder, wants_stacks
        harness.write_pnm(os.path.join(folder, "gray.pgm"), 400, 330)
        harness.write_pnm(os.path.join(folder, "color.ppm"), 300, 260, 3)
        for end in OTHER_FORMATS:
            harness.write_pnm(os.path.join(folder, "small.ppm"), 80, 60, 3)
            subprocess.run([self.program, "--headless", "--backend", "cpu", "--op", "clahe", "-i", "small.ppm", "-o", f"{end}.{end}"],
                           cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for name, source in (("gray", "gray.pgm"), ("bmp", "bmp.bmp")):
            subprocess.run([self.program, "--headless", "--backend", "cpu", "--op", "clahe", "-i", source, "-o", f"{name}.reference.png"], cwd=folder,
                           check=True, stdout=subprocess.DEVNULL)
        subprocess.run([self.program, "--headless", "--op", "none", "-i", "gray.pgm", "-o", "mask.png"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        harness.write_pnm(os.path.join(folder, "small.pgm"), 70, 70)
        subprocess.run([self.program, "--headless", "--op", "none", "-i", "small.pgm", "-o", "small.jpg"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        write_dicom(os.path.join(folder, "plain.dcm"), 70)
        write_dicom(os.path.join(folder, "packed.dcm"), 70, os.path.join(folder, "small.jpg"))
        with open(os.path.join(folder, "deep.pgm"), "wb") as file:
            file.write(b"P5 90 80 4095\n" + b"".join(struct.pack(">H", 16 * value) for value in harness.pixels(90, 80)))
        with open(os.path.join(folder, "preset.json"), "w") as file:
            json.dump({"operator": "clahe", "parameters": {"clip_limit": 2.25, "tile_size": 32}}, file)
        with open(os.path.join(folder, "session.tonescope"), "w") as file:
            json.dump({"version": 1, "images": [{"path": "gray.pgm"}], "current": 0, "operator": "kuwahara", "parameters": {"radius": 2}}, file)
        write_pages(os.path.join(folder, "pages.tif"), 70)
        turn_jpeg(os.path.join(folder, "jpg.jpg"))
        write_psd(os.path.join(folder, "psd.psd"), 70)
        write_gif(os.path.join(folder, "gif.gif"), 70)
        self.right, self.calls, self.stacks = {}, {}, {}

    def start(self, run, kind, replaces, at=0, on=False):
        """Status, standard error, the Control, and the outputs by name. `kind` None: nothing fails. `replaces`: there are outputs already."""
        out = tempfile.mkdtemp(dir=self.folder)
        try:
            link = os.path.join(out, LINKS[run]) if run in LINKS else None
            if link:
                os.symlink("linked", link)
            before = [DONE[run]] if run in DONE else [name for name in self.right[run, False] if name != SPOKEN] if replaces else []
            for name in before if replaces else ():
                with open(os.path.join(out, name), "wb") as file:
                    file.write(OLD)
            control = Control(out + ".control")
            if kind is None:
                control.count()
            else:
                control.fail(kind, at, on)
            env = {**os.environ, "LD_PRELOAD": self.library, "FAULT_CONTROL": control.path}
            if kind is None and self.wants_stacks:
                env["FAULT_STACKS"] = control.path + STACKS
                with open(env["FAULT_STACKS"], "wb") as file:
                    file.truncate(STACKS_BYTES)
            mode = [] if run == "code" else ["--headless", "--backend", "cpu"]
            args = [a.replace("{out}", out) for a in mode + RUNS[run]]
            try:
                done = subprocess.run([self.program, *args], cwd=self.folder, env=env,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S)
                status, err = done.returncode, done.stderr.decode(errors="replace")
                files = {SPOKEN: done.stdout} if run in SPEAKING else {}
            except subprocess.TimeoutExpired:
                status, err, files = "hangs", "", {}
            if link and os.path.islink(link):
                os.remove(link)
                with contextlib.suppress(FileNotFoundError):
                    os.rename(os.path.join(out, "linked"), link)
            elif link:
                files["a file in place of a link"] = b""
            for name in os.listdir(out):
                with open(os.path.join(out, name), "rb") as file:
                    files[name] = file.read()
            return status, err, control, files
        finally:
            shutil.rmtree(out)

    def prepare(self, run):
        """The right outputs, and how many calls there are."""
        for replaces in (False, True):
            status, err, control, files = self.start(run, None, replaces)
            lacks = [kind for kind, calls in control.calls().items() if not calls and kind not in WINDOW_KINDS]
            if status != 0 or err or not files or (lacks and run not in SPEAKING):
                sys.exit(f"{run} fails without any fault: {status} {err}")
            self.right[run, replaces] = files
            self.calls[run, replaces] = control.calls()
            if self.wants_stacks:
                with open(control.path + STACKS, "rb") as file:
                    self.stacks[run, replaces] = array.array("Q", file.read(8 * (control.calls()["allocation"] + 1)))

    def verdict(self, fault):
        """What came of it, and what is wrong with that or None."""
        status, err, control, files = self.start(*fault)
        lines = err.splitlines()
        right = self.right[fault.run, fault.replaces]
        kind = f"status {status}" if not isinstance(status, int) or status >= 0 else signal.Signals(-status).name
        if control.failed() == 0:
            kind += UNREACHED
        if status == 0:
            wrong = [name for name in right if not self.same(fault.run, name, files.get(name), right[name])]
            again = DONE.get(fault.run)  # who cannot see that it is done does it again
            if again in wrong and files.get(again) == self.right[fault.run, False][again]:
                wrong.remove(again)
            problem = f"status 0 and wrong: {wrong}" if wrong else None
        elif "decoder crashed" in err:
            problem = "a decoder crashed"
        elif (status != 1 and not (status == 2 and "--preset" in err)) or fault.kind in HARMLESS:
            problem = f"{kind}: {err.strip()}"
        elif not lines or not lines[0].startswith("tonescope: ") or not err.endswith("\n"):
            problem = f"status 1 without a line of ours: {err.strip()!r}"
        else:
            old = OLD if fault.replaces and fault.run not in DONE else None
            partial = [name for name in right
                       if files.get(name) != old and not self.same(fault.run, name, files.get(name), right[name], status)]
            problem = f"partial: {partial}" if partial else None
        left = set(files) - set(right)
        if problem is None and len(left) > control.unremoved():
            problem = f"left behind: {sorted(left)}"
        return kind, problem

    @staticmethod
    def same(run, name, content, right, status=0):
        """Where the run failed, images of a report and rows of a comparison that were not done may say so, and on standard output they or its end
        may be missing."""
        if content == right or content is None:
            return content == right
        if name == SPOKEN and status != 0:
            nothing = {**json.loads(right), "images": []} if right.startswith(b"{") else None
            return right.startswith(content) or content == (json.dumps(nothing, indent=2) + "\n").encode()
        if run in MEASURING and status != 0:
            return lasting(run, name, content) is not None
        if name != "report.json":
            return lasting(run, name, content) == lasting(run, name, right) is not None
        found, expected = report_of(content), report_of(right)
        if found is None or status == 0:
            return found == expected
        return found[0] == expected[0] and len(found[1]) == len(expected[1]) and all(
            image == wanted or (image["status"] != "done" and image["input"] == wanted["input"]) for image, wanted in zip(found[1], expected[1]))


def main():
    options = parse(__doc__, "run", RUNS, lambda parser: parser.add_argument(
        "--stacks", action="store_true", help="of allocations, only the first that a call stack leads to, in all runs"))
    with tempfile.TemporaryDirectory(prefix="tonescope-faults-") as folder:
        judge = Judge(options.program, options.library, folder, options.stacks)
        alike, slow, known = [], {}, set()
        runs = options.run or list(RUNS)
        if options.sample and not options.run:  # each run has to be made twice to know its calls
            quick = [run for run in runs if run not in MEASURING]
            runs = random.Random(options.seed).sample(quick, RUNS_OF_A_SAMPLE)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
            list(workers.map(judge.prepare, runs))
        for run in runs:
            for replaces in (False,) if run in SPEAKING else (False, True):
                found = groups(options, judge.calls[run, replaces], lambda kind, at, on: Fault(run, kind, replaces, at, on))
                if options.stacks:
                    stacks = judge.stacks[run, replaces]
                    new = [at for at in range(1, len(stacks)) if not (stacks[at] in known or known.add(stacks[at]))]
                    found = [[fault for fault in group if fault.kind != "allocation" or fault.at in new] for group in found]
                    found = [group for group in found if group]
                if run not in MEASURING:
                    alike += found
                for group in found if run in MEASURING else ():  # a sample draws as few of them as of one run
                    slow.setdefault((group[0].kind, group[0].on), []).extend(group)
        faults = draw(alike + list(slow.values()), options.sample, options.seed)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
            return 0 if tell((fault, *verdict) for fault, verdict in zip(faults, workers.map(judge.verdict, faults))) else 1


if __name__ == "__main__":
    sys.exit(main())
