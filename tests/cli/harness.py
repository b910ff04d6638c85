"""Runs the program, and writes and reads small image files with the standard library alone."""
import importlib.util
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

PROGRAM = os.environ.get("TONESCOPE", "")
SKIPPED = 77  # a status, as CTest takes it


def require(*modules):
    """Ends the program as skipped where Python lacks one of these modules."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        print(f"skipped: {sys.executable} has no module {', '.join(missing)} (Debian's packages are in packaging/packages-check.txt)")
        sys.exit(SKIPPED)


class Result:
    def __init__(self, done):
        self.status = done.returncode
        self.out = done.stdout.decode()
        self.err = done.stderr.decode()


def run(*args, cwd=None, env=None):
    done = subprocess.run([PROGRAM, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
                          env=env, timeout=300, stdin=subprocess.DEVNULL)
    return Result(done)


def listing():
    return json.loads(run("--list", "--json").out)


def variants(op):
    return next(o for o in listing()["operators"] if o["id"] == op)["variants"]


def has_cuda():
    return any(v["available"] for v in variants("he") if v["backend"] == "cuda")


def pixels(width, height, channels=1, seed=7):
    """Repeatable noise with a gradient: low contrast, so that every operator changes it."""
    values, state = bytearray(), seed
    for y in range(height):
        for x in range(width):
            for c in range(channels):
                state = (state * 1103515245 + 12345) & 0x7FFFFFFF
                values.append(60 + (x * 40) // width + (y * 20) // height + c * 9 + (state >> 16) % 23)
    return bytes(values)


def write_pnm(path, width, height, channels=1, data=None):
    data = pixels(width, height, channels) if data is None else data
    with open(path, "wb") as file:
        file.write(b"%s\n%d %d\n255\n" % (b"P5" if channels == 1 else b"P6", width, height) + data)
    return data


def read_pnm(path):
    with open(path, "rb") as file:
        magic, width, height, most, data = file.read().split(None, 4)[:5]
    assert most == b"255", most
    channels = {b"P5": 1, b"P6": 3}[magic]
    # Only one white-space byte stands between the header and the pixels, which may begin with more of them.
    with open(path, "rb") as file:
        data = file.read()[-int(width) * int(height) * channels:]
    return int(width), int(height), channels, data


def write_png16(path, width, height):
    rows = b"".join(b"\0" + b"".join(struct.pack(">H", (x * 2621 + y * 97) & 0xFFFF) for x in range(width))
                    for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def png_size(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND", path
    return struct.unpack(">II", data[16:24])


def equalized(data):
    """The design's histogram equalization, of gray values."""
    counts = [data.count(v) for v in range(256)]
    first = next(v for v in range(256) if counts[v])
    d = len(data) - counts[first]
    if d == 0:
        return data
    table, cdf = [], 0
    for v in range(256):
        cdf += counts[v]
        table.append(0 if v < first else (510 * (cdf - counts[first]) + d) // (2 * d))
    return bytes(table[v] for v in data)


class Case(unittest.TestCase):
    """A test in a folder of its own, with a gray a.pgm, another gray b.pgm and a color c.ppm."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tonescope-cli-")
        self.addCleanup(folder.cleanup)
        self.dir = folder.name
        self.a_data = write_pnm(self.path("a.pgm"), 61, 47)
        write_pnm(self.path("b.pgm"), 33, 20, data=pixels(33, 20, seed=99))
        write_pnm(self.path("c.ppm"), 40, 30, 3)

    def path(self, *names):
        return os.path.join(self.dir, *names)

    def run_here(self, *args, **more):
        return run(*args, cwd=self.dir, **more)

    def files(self, folder="."):
        return sorted(os.listdir(self.path(folder)))

    def good(self, *args, **more):
        result = self.run_here(*args, **more)
        self.assertEqual((result.status, result.err), (0, ""), args)
        return result

    def bad(self, status, *args, says=()):
        """Ends with this status and one line on standard error that holds every text of `says`; no file appears."""
        before = self.files()
        result = self.run_here(*args)
        self.assertEqual(result.status, status, (args, result.err))
        self.assertRegex(result.err, r"\Atonescope: [^\n]+\n\Z", args)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, result.err, args)
        self.assertEqual(self.files(), before, args)
        return result

    def read_json(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def read_text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()


def main():
    if not PROGRAM:
        sys.exit("TONESCOPE must name the program")
    unittest.main(verbosity=2)
