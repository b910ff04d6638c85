"""Lack of memory and threads: a line for the image that does not fit, and the next one is done."""
import os
import resource
import struct
import subprocess
import unittest

import harness


class MemoryTest(harness.Case):
    def run_within(self, limit, most, *args):
        """Runs the program with a limit of its own."""
        done = subprocess.run([harness.PROGRAM, *args], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                              stdin=subprocess.DEVNULL, preexec_fn=lambda: resource.setrlimit(limit, (most, most)))
        return harness.Result(done)

    def test_an_image_that_does_not_fit_costs_a_line(self):
        # 529 million gray pixels, of which the file has none on the disk.
        with open(self.path("large.pgm"), "wb") as file:
            file.write(b"P5\n23000 23000\n255\n")
            file.truncate(file.tell() + 23000 * 23000)
        os.mkdir(self.path("out"))
        args = ["--headless", "--backend", "cpu", "--op", "he", "-i", "a.pgm", "-i", "large.pgm", "-i", "b.pgm", "-o", "out/{stem}.pgm",
                "--report", "r.json"]
        result = self.run_within(resource.RLIMIT_AS, 500 << 20, *args)
        self.assertEqual(result.status, 1, result.err)
        self.assertRegex(result.err, r"\Atonescope: cannot open large.pgm: it needs 529 MB of memory, and it may take [0-9]+ MB\n\Z")
        self.assertEqual(self.files("out"), ["a.pgm", "b.pgm"])
        self.assertEqual([image["status"] for image in self.read_json("r.json")["images"]], ["done", "failed", "done"])

    def test_a_result_that_does_not_fit_costs_a_line(self):
        with open(self.path("large.pgm"), "wb") as file:
            file.write(b"P5\n15000 15000\n255\n")
            file.truncate(file.tell() + 15000 * 15000)
        args = ["--headless", "--backend", "cpu", "--op", "he", "-i", "large.pgm", "-i", "a.pgm", "-o", self.dir + "/out-{stem}.pgm"]
        result = self.run_within(resource.RLIMIT_AS, 500 << 20, *args)
        self.assertEqual(result.status, 1, result.err)
        self.assertRegex(result.err, r"\Atonescope: large.pgm: [^\n]*it needs 225 MB of memory, and it may take [0-9]+ MB\n\Z")
        self.assertIn("out-a.pgm", self.files())

    def test_a_small_file_that_unpacks_to_gigabytes(self):
        # A GIF of a few bytes may say that it has 65535 x 8191 pixels.
        with open(self.path("bomb.gif"), "wb") as file:
            file.write(b"GIF89a\xff\xff\xff\x1f".ljust(2 << 20, b"\0"))
        result = self.run_within(resource.RLIMIT_AS, 1 << 30, "--headless", "--op", "he", "-i", "bomb.gif", "-o", "out.png")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"\Atonescope: cannot open bomb.gif: it needs 7.0 GB of memory, and it may take [0-9]+ MB\n\Z")
        # A TIFF of 23000 x 23000 samples of 16 bits, all in one deflated strip.
        tags = {256: 23000, 257: 23000, 258: 16, 259: 8, 262: 1, 273: 200, 278: 23000, 279: 1 << 20}
        with open(self.path("bomb.tif"), "wb") as file:
            file.write(struct.pack("<2sHIH", b"II", 42, 8, len(tags)))
            file.write(b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags.items()))
            file.truncate(2 << 20)
        result = self.run_within(resource.RLIMIT_AS, 1 << 30, "--headless", "--op", "he", "-i", "bomb.tif", "-o", "out.png")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"\Atonescope: cannot open bomb.tif: it needs 1.1 GB of memory, and it may take [0-9]+ MB\n\Z")


if __name__ == "__main__":
    harness.main()
