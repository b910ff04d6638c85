"""Decoders without rights: whatever one does, the batch goes on."""
import os
import resource
import signal
import subprocess
import time

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
ASSETS = os.path.join(HERE, "..", "..", "assets")


class DecodingTest(harness.Case):
    def setUp(self):
        super().setUp()
        library = self.path("bad_decoder.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, os.path.join(HERE, "bad_decoder.c"), "-ldl"], check=True)
        self.env = {**os.environ, "LD_PRELOAD": library}
        info = harness.run("--info").out
        self.decoding = next((line for line in info.splitlines() if line.startswith("decoding:")), "")
        os.mkdir(self.path("out"))

    def batch(self, deed):
        args = ["--headless", "--backend", "cpu", "--op", "he", "-i", "a.pgm", "-i", os.path.join(ASSETS, "balloons.jpg"), "-i", "b.pgm",
                "-o", "out/{stem}.png", "--report", "r.json"]
        return [harness.PROGRAM, *args], {**self.env, "BAD_DECODER": deed}

    def test_what_a_decoder_does_costs_a_line(self):
        if "in this process" in self.decoding:
            self.skipTest(self.decoding)
        for deed, error in (("crash", r"crashed \(signal [0-9]+\)"), ("open", "tried what it has no right to, and was ended"),
                            ("socket", "tried what it has no right to, and was ended"),
                            ("kill", "tried what it has no right to, and was ended"),
                            ("fork", "tried what it has no right to, and was ended")):
            args, env = self.batch(deed)
            result = harness.run(*args[1:], cwd=self.dir, env=env)
            self.assertEqual(result.status, 1, deed)
            self.assertRegex(result.err, rf"\Atonescope: cannot open [^\n]*balloons.jpg: its decoder {error}\n\Z")
            self.assertEqual(self.files("out"), ["a.png", "b.png"], deed)
            self.assertEqual([image["status"] for image in self.read_json("r.json")["images"]], ["done", "failed", "done"], deed)

    def test_an_interrupt_ends_a_decoder_that_hangs(self):
        if "in this process" in self.decoding:
            self.skipTest(self.decoding)
        args, env = self.batch("hang")
        with subprocess.Popen([*args, "--jobs", "1"], cwd=self.dir, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            program.stdout.readline()  # the first image
            supervisors = self.children_of(program.pid)
            self.assertEqual(len(supervisors), 1)
            while not self.children_of(supervisors[0]):
                time.sleep(0.01)
            decoders = self.children_of(supervisors[0])
            program.send_signal(signal.SIGINT)
            self.assertEqual(program.wait(60), -signal.SIGINT)
        while any(self.lives(process) for process in supervisors + decoders):
            time.sleep(0.01)
        self.assertEqual(self.files("out"), ["a.png"])

    def test_where_the_kernel_forbids_it_the_program_decodes_and_says_so(self):
        args, env = self.batch("forbidden")
        result = harness.run(*args[1:], cwd=self.dir, env=env)
        self.assertEqual((result.status, result.err), (0, ""))
        self.assertEqual(self.files("out"), ["a.png", "b.png", "balloons.png"])
        self.assertRegex(harness.run("--info", env=env).out, r"(?m)^decoding: +in this process: seccomp: invalid argument$")

    def test_a_limit_on_the_size_of_files_leaves_images_readable(self):
        done = subprocess.run([harness.PROGRAM, "--info"], stdout=subprocess.PIPE, timeout=60,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
        self.assertRegex(done.stdout.decode(), r"(?m)^decoding: +in this process: the limit on the size of files")

    @staticmethod
    def lives(process):
        try:
            with open(f"/proc/{process}/stat", encoding="ascii") as file:
                return file.read().rsplit(")", 1)[1].split()[0] != "Z"
        except FileNotFoundError:
            return False

    @staticmethod
    def children_of(parent):
        with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]


if __name__ == "__main__":
    harness.main()
