"""Where results go, and what is never overwritten."""
import os
import re
import resource
import signal
import subprocess
import time

import harness
from harness import Case


class Outputs(Case):
    def test_formats_by_extension(self):
        magic = {"png": b"\x89PNG", "jpg": b"\xff\xd8\xff", "jpeg": b"\xff\xd8\xff", "bmp": b"BM", "tga": b"\0",
                 "tiff": b"II*\0", "tif": b"II*\0", "webp": b"RIFF", "pam": b"P7", "pgm": b"P5", "pnm": b"P5", "PNG": b"\x89PNG"}
        for extension, start in magic.items():
            self.good("--headless", "-i", "a.pgm", "-o", f"out.{extension}")
            with open(self.path(f"out.{extension}"), "rb") as file:
                self.assertEqual(file.read(len(start)), start, extension)
            # What was written can be read again.
            self.good("--headless", "-i", f"out.{extension}", "-o", "again.png")
            self.assertEqual(harness.png_size(self.path("again.png")), (61, 47))
        self.good("--headless", "-i", "c.ppm", "-o", "out.ppm")
        self.assertEqual(harness.read_pnm(self.path("out.ppm"))[:3], (40, 30, 3))

    def test_formats_in(self):
        with open(self.path("p2.pgm"), "w") as file:
            file.write("P2 # plain\n3 2\n255\n0 50 100\n150 200 250\n")
        with open(self.path("x.psd"), "wb") as file:
            file.write(b"8BPS\0\1" + bytes(6) + b"\0\3" + b"\0\0\0\2" + b"\0\0\0\3" + b"\0\x08\0\3" + bytes(12) +
                       b"\0\0" + bytes(range(0, 180, 10)))
        with open(self.path("y.gif"), "wb") as file:
            file.write(b"GIF89a\1\0\1\0\x80\0\0\xff\xff\xff\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;")
        self.good("--headless", "-i", "p2.pgm", "x.psd", "y.gif", "-o", "new-{stem}.png")
        sizes = [harness.png_size(self.path(f"new-{stem}.png")) for stem in ("p2", "x", "y")]
        self.assertEqual(sizes, [(3, 2), (3, 2), (1, 1)])

    def test_folder(self):
        os.mkdir(self.path("out"))
        for out in ("out", "out/", "./out/."):
            self.good("--headless", "-i", "a.pgm", "c.ppm", "-o", out)
            self.assertEqual(self.files("out"), ["a.png", "c.png"])
        self.assertEqual(harness.png_size(self.path("out", "a.png")), (61, 47))
        self.good("--headless", "-i", "b.pgm", "-o", "out", "--op", "histogram")
        self.assertEqual(self.files("out"), ["a.png", "b.png", "c.png"])

    def test_a_report_keeps_the_permissions_of_the_one_before(self):
        with open(self.path("r.json"), "w"):
            os.chmod(self.path("r.json"), 0o600)
        self.good("--headless", "-i", "a.pgm", "-o", "x.png", "--report", "r.json")
        self.assertGreater(os.path.getsize(self.path("r.json")), 100)
        self.assertEqual(os.stat(self.path("r.json")).st_mode & 0o777, 0o600)

    def test_stem(self):
        os.mkdir(self.path("d"))
        os.rename(self.path("b.pgm"), self.path("d", "b.c.pgm"))
        self.good("--headless", "-i", "a.pgm", "-i", "d/b.c.pgm", "-o", "new-{stem}-{stem}.pgm")
        self.assertIn("new-a-a.pgm", self.files())
        self.assertIn("new-b.c-b.c.pgm", self.files())

    def test_spaces_and_unicode(self):
        os.rename(self.path("a.pgm"), self.path("ä b.pgm"))
        self.good("--headless", "-i", "ä b.pgm", "-o", "out {stem}.png", "--report", "r.json")
        self.assertEqual(self.read_json("r.json")["images"][0]["output"], "out ä b.png")

    def test_names_in_brackets(self):
        os.mkdir(self.path("[d, e]"))
        os.rename(self.path("a.pgm"), self.path("[d, e]", "a.pgm"))
        self.good("--headless", "-i", "[d, e]/a.pgm", "-o", "[d, e]")
        self.assertTrue(os.path.exists(self.path("[d, e]", "a.png")))
        os.rename(self.path("b.pgm"), self.path("[b,c]"))
        self.good("--headless", "-i", "[b,c]", "-o", "out.png")
        self.assertIn("out.png", self.files())
        self.bad(2, "--headless", "-i", "b.pgm", "-o", "x.png", "--preset", "[soft]", says=("--preset [soft]",))

    def test_many_inputs_to_one_file(self):
        self.bad(2, "--headless", "-i", "a.pgm", "b.pgm", "-o", "out.png", says=("out.png", "{stem}"))
        self.bad(2, "--headless", "-i", "a.pgm", "-i", "b.pgm", "-o", "out.png", says=("out.png", "{stem}"))

    def test_two_outputs_of_one_name(self):
        os.mkdir(self.path("d"))
        os.mkdir(self.path("out"))
        harness.write_pnm(self.path("d", "a.pgm"), 5, 5)
        self.bad(2, "--headless", "-i", "a.pgm", "d/a.pgm", "-o", "out", says=("a.pgm", "d/a.pgm", "a.png"))
        self.bad(2, "--headless", "-i", "a.pgm", "a.pgm", "-o", "new-{stem}.png", says="new-a.png")
        self.assertEqual(self.files("out"), [])

    def test_two_outputs_that_links_make_one(self):
        os.symlink("new-b.png", self.path("new-a.png"))
        self.bad(2, "--headless", "-i", "a.pgm", "b.pgm", "-o", "new-{stem}.png", says="new-b.png")

    def test_unknown_extensions(self):
        for out in ("out", "out.gif", "out.psd", "out.", "out.csv", "out.json", "{stem}"):
            self.bad(2, "--headless", "-i", "a.pgm", "-o", out, says=("-o", ".png", ".jpg", ".bmp", ".tga", ".pnm"))
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "out.txt", "--op", "histogram", says=(".csv", ".json", ".png"))
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "missing/", says="-o missing/: there is no such folder")

    def test_inputs_are_never_overwritten(self):
        os.symlink("a.pgm", self.path("link.pgm"))
        os.link(self.path("a.pgm"), self.path("hard.pgm"))
        os.mkdir(self.path("d"))
        os.symlink("..", self.path("d", "up"))
        for out in ("a.pgm", "./a.pgm", "d/../a.pgm", self.path("a.pgm"), "link.pgm", "hard.pgm", "d/up/a.pgm",
                    "{stem}.pgm"):
            self.bad(2, "--headless", "-i", "a.pgm", "-o", out, says="overwrite the input a.pgm")
        self.bad(2, "--headless", "-i", "link.pgm", "-o", "a.pgm", says="overwrite")
        # The output of one input may not be another input either.
        os.rename(self.path("b.pgm"), self.path("new-a.pgm"))
        self.bad(2, "--headless", "-i", "a.pgm", "new-a.pgm", "-o", "new-{stem}.pgm", says="overwrite")
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "out.png", "--report", "a.pgm", says="overwrite")
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "out.png", "--report", "./out.png", says="--report")
        self.bad(2, "--headless", "--compare", "-i", "a.pgm", "-o", "c.csv", "--report", "a.pgm", says="overwrite")
        self.assertEqual(harness.read_pnm(self.path("a.pgm"))[3], self.a_data)

    def test_what_else_a_run_reads_is_not_overwritten_either(self):
        with open(self.path("p.json"), "w") as file:
            file.write('{"operator": "he"}')
        others = ("--mask", "b.pgm", "--preset", "p.json", "--reference", "c.pgm")
        harness.write_pnm(self.path("c.pgm"), 5, 5)
        for other in ("b.pgm", "p.json", "c.pgm"):
            for outputs in (("-o", "out.png", "--report", other), ("-o", other)):
                if outputs[1] != "p.json":  # no image is written there
                    self.bad(2, "--headless", "-i", "a.pgm", *outputs, *others, says="overwrite the input " + other)
            self.bad(2, "--ui-state", other, "a.pgm", *others, says=("overwrite the input", other))

    def test_ten_thousand_inputs_are_checked_soon(self):
        names = [f"n{k}.pgm" for k in range(10000)]
        for name in names[:-1]:
            os.symlink("a.pgm", self.path(name))
        os.link(self.path("b.pgm"), self.path(names[-1]))
        os.link(self.path("b.pgm"), self.path("to-n9999.pgm"))
        done = subprocess.run([harness.PROGRAM, "--headless", "--backend", "cpu", "-i", *names, "-o", "to-{stem}.pgm"], cwd=self.dir,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (20, 20)))
        self.assertEqual(done.stderr.decode(), "tonescope: -o to-n9999.pgm: it would overwrite the input n9999.pgm; choose another name\n")
        self.assertEqual(done.returncode, 2)

    def test_the_window_overwrites_no_input_either(self):
        self.good("--headless", "-i", "a.pgm", "-o", "in.png")
        os.mkdir(self.path("d"))
        os.link(self.path("in.png"), self.path("d", "hard.png"))
        os.symlink("in.png", self.path("link.png"))
        with open(self.path("in.png"), "rb") as file:
            before = file.read()
        for out in ("in.png", "./d/../in.png", "link.png", "d/hard.png"):
            self.bad(2, "--screenshot", out, "in.png", says="overwrite the input")
            self.bad(2, "--ui-state", out, "in.png", says="overwrite the input")
        self.bad(2, "--screenshot", "d/hard.png", "d", says="overwrite the input")
        with open(self.path("in.png"), "rb") as file:
            self.assertEqual(file.read(), before)

    def test_quality_and_compression(self):
        sizes = {}
        for out, *options in (("best.jpg",), ("same.jpg", "--quality", "95"), ("low.jpg", "--quality", "10"), ("fast.png",),
                              ("level.png", "--compression", "2"), ("none.png", "--compression", "0")):
            self.good("--headless", "-i", "c.ppm", "-o", out, *options)
            sizes[out] = os.path.getsize(self.path(out))
        with open(self.path("best.jpg"), "rb") as one, open(self.path("same.jpg"), "rb") as other:
            self.assertEqual(one.read(), other.read())
        with open(self.path("fast.png"), "rb") as one, open(self.path("level.png"), "rb") as other:
            self.assertEqual(one.read(), other.read())
        self.assertLess(sizes["low.jpg"], sizes["best.jpg"])
        self.assertGreater(sizes["none.png"], sizes["fast.png"])
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "x.png", "--quality", "90", says=("--quality", ".png"))
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "x.jpg", "--compression", "9", says=("--compression", ".jpg"))
        for value in ("0", "101", "high", "9.5"):
            self.bad(2, "--headless", "-i", "a.pgm", "-o", "x.jpg", "--quality", value, says=("--quality", "1 to 100"))
        self.bad(2, "--headless", "--compare", "-i", "a.pgm", "-o", "x.csv", "--quality", "90", says="--quality")
        self.assertIn("--quality", self.good("--help").out)

    def test_older_results_are_replaced(self):
        with open(self.path("out.pgm"), "w") as file:
            file.write("old")
        self.good("--headless", "-i", "a.pgm", "-o", "out.pgm")
        self.assertEqual(harness.read_pnm(self.path("out.pgm"))[:2], (61, 47))

    def test_output_that_cannot_be_written(self):
        os.mkdir(self.path("x.png"))
        self.bad(1, "--headless", "-i", "a.pgm", "-o", "missing/out.png", says="missing/out.png")
        self.bad(1, "--headless", "-i", "a.pgm", "-o", "{stem}/../x/{stem}.png", says="a.png")
        result = self.run_here("--headless", "-i", "a.pgm", "-o", "out.png", "--report", "missing/r.json")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"\Atonescope: missing/r.json: [^\n]+\n\Z")

    def test_report_through_a_link_and_into_a_device(self):
        os.symlink("real.json", self.path("r.json"))
        self.good("--headless", "-i", "a.pgm", "-o", "out.png", "--report", "r.json")
        self.assertTrue(os.path.islink(self.path("r.json")))
        self.assertEqual(self.read_json("real.json")["images"][0]["status"], "done")
        self.good("--headless", "-i", "a.pgm", "-o", "out.png", "--report", "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_names_that_are_too_long(self):
        name = "x" * 300
        self.bad(1, "--headless", "-i", "a.pgm", "-o", name + ".png", says=f"-o {name}.png: ")
        self.bad(1, "--headless", "-i", "a.pgm", "-o", "out.png", "--report", name, says=f"--report {name}: ")
        result = self.run_here("--headless", "-i", "a.pgm", f"d/{name}/b.pgm", "-o", "{stem}.png")
        self.assertEqual((result.status, os.path.isfile(self.path("a.png"))), (1, True))
        self.assertRegex(result.err, r"\Atonescope: [^\n]*x/b.pgm[^\n]*\n\Z")

    def test_names_as_long_as_the_disk_allows(self):
        for length in (244, 255):
            image, report = "i" * (length - 4) + ".png", "r" * length
            self.good("--headless", "-i", "a.pgm", "-o", image, "--report", report)
            self.assertEqual(harness.png_size(self.path(image)), (61, 47))
            self.assertEqual(self.read_json(report)["images"][0]["output"], image)

    def test_a_link_that_leads_nowhere_yet(self):
        os.symlink("later.png", self.path("out.png"))
        self.good("--headless", "-i", "a.pgm", "-o", "out.png")
        self.assertTrue(os.path.islink(self.path("out.png")))
        self.assertEqual(harness.png_size(self.path("later.png")), (61, 47))

    def test_names_that_would_command_a_terminal(self):
        name = b"a\x1b[31m\n\xc2\x9b\xff"
        os.rename(self.path("a.pgm"), os.path.join(self.dir.encode(), name + b".pgm"))
        done = subprocess.run([harness.PROGRAM.encode(), b"--headless", b"-i", name + b".pgm", b"2" + name + b".gone", b"-o",
                               b"new-{stem}.png"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.dir)
        shown = rb"a\x1b[31m\n\xc2\x9b\xff"
        self.assertRegex(done.stdout, rb"\A" + re.escape(shown + b".pgm -> new-" + shown + b".png: ") + rb"[^\n]+\n\Z")
        self.assertEqual(done.stderr, b"tonescope: cannot open 2" + shown + b".gone: no such file\n")
        self.assertIn(b"new-" + name + b".png", os.listdir(self.dir.encode()))


class Endings(Case):
    """What stays when a run ends before it has written its result."""

    def start(self, *args):
        return subprocess.Popen([harness.PROGRAM, "--headless", *args], cwd=self.dir, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def end(self, process, number):
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out, err), (-number, b"", b""))

    def test_signals_while_the_result_is_encoded(self):
        harness.write_pnm(self.path("big.pgm"), 4000, 4000, data=os.urandom(16_000_000))
        with open(self.path("out.png"), "w") as file:
            file.write("old")
        before = self.files()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process = self.start("-i", "big.pgm", "-o", "out.png", "--op", "he", "--compression", "9")
            while not (new := set(self.files()) - set(before)) and process.poll() is None:
                time.sleep(0.001)
            self.assertRegex(new.pop() if new else "", r"\A\.tonescope-\d+-0\.tmp\Z")
            self.end(process, number)
            self.assertEqual(self.read_text("out.png"), "old")
            if number != signal.SIGKILL:
                self.assertEqual(self.files(), before)
        self.assertEqual(len(self.files()), len(before) + 1)
        self.good("--headless", "-i", "a.pgm", "-o", "out.png")
        self.assertEqual(self.files(), before)

    def test_signals_while_a_pipe_has_no_reader(self):
        os.mkfifo(self.path("pipe.png"))
        os.mkfifo(self.path("pipe"))
        for args in (("-o", "pipe.png"), ("-o", "out.png", "--report", "pipe")):
            process = self.start("-i", "a.pgm", *args)
            while not self.waits(process.pid):
                time.sleep(0.001)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, -signal.SIGTERM, args)

    def waits(self, pid):
        """Whether the program has read its input and uses no processor any more."""
        def ticks():
            with open(f"/proc/{pid}/stat", encoding="ascii") as file:
                return file.read().rsplit(")", 1)[1].split()[11:13]
        before = ticks()
        time.sleep(0.2)
        return before == ticks()

    def test_a_pipe_with_a_reader(self):
        os.mkfifo(self.path("pipe.png"))
        process = self.start("-i", "a.pgm", "-o", "pipe.png")
        with open(self.path("pipe.png"), "rb") as reader:
            data = reader.read()
        self.assertEqual((process.wait(timeout=60), data[:4], data[-8:-4]), (0, b"\x89PNG", b"IEND"))
        process.communicate()


if __name__ == "__main__":
    harness.main()
