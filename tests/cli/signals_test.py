"""What a run without a window leaves behind where it is ended while it saves."""
import os
import resource
import signal
import subprocess
import sys

import harness
from harness import Case

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "e2e"))
from slow_disk import SlowDisk  # noqa: E402


class Signals(Case):
    def setUp(self):
        super().setUp()
        self.disk = SlowDisk(self.dir)
        with open(os.path.join(self.disk.folder, "a.png"), "w") as file:
            file.write("older")

    def start(self, **more):
        """Returns while the file is being written."""
        self.disk.stall(".write")
        process = subprocess.Popen([harness.PROGRAM, "--headless", "-i", "a.pgm", "-o", os.path.join(self.disk.folder, "a.png")],
                                   cwd=self.dir, env={**os.environ, **self.disk.environment}, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, **more)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.disk.wait_for_writing(process)
        return process

    def assert_untouched(self, process, number):
        self.assertEqual((process.communicate(timeout=60)[1], process.returncode), (b"", -number))
        self.assertEqual(os.listdir(self.disk.folder), ["a.png"], number)
        with open(os.path.join(self.disk.folder, "a.png")) as file:
            self.assertEqual(file.read(), "older")

    def test_a_signal_leaves_the_old_file_alone(self):
        for number in (signal.SIGUSR1, signal.SIGALRM, signal.SIGQUIT, signal.SIGXCPU, signal.SIGSEGV):
            process = self.start()
            process.send_signal(number)
            self.assert_untouched(process, number)

    def test_a_disk_that_does_not_answer_is_not_waited_for(self):
        process = self.start()
        process.send_signal(signal.SIGHUP)
        self.assert_untouched(process, signal.SIGHUP)

    def test_whoever_ignores_a_signal_keeps_to_that(self):
        process = self.start(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        self.disk.go_on(".write")
        self.assertEqual((process.communicate(timeout=60)[1], process.returncode), (b"", 0))
        self.assertEqual(harness.png_size(os.path.join(self.disk.folder, "a.png")), (61, 47))

    def test_a_limit_on_the_size_of_files(self):
        harness.write_pnm(self.path("large.pgm"), 200, 200)
        done = subprocess.run([harness.PROGRAM, "--headless", "-i", "large.pgm", "a.pgm", "-o", "{stem}.new.pgm"], cwd=self.dir,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"\Atonescope: cannot save large\.new\.pgm: file too large\n\Z")
        self.assertEqual([name for name in os.listdir(self.dir) if "new" in name or ".tmp" in name], ["a.new.pgm"])

    def test_nobody_reads_what_is_printed(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([harness.PROGRAM, "--list"], stdout=write, stderr=subprocess.PIPE, timeout=60)
        os.close(write)
        self.assertEqual((done.returncode, done.stderr), (1, b"tonescope: standard output cannot be written\n"))


if __name__ == "__main__":
    harness.main()
