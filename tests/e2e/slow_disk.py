"""A folder on a disk that does not answer when a test wants that, by slow_disk.c."""

import os
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class SlowDisk:
    def __init__(self, folder):
        self.folder, self.hold, library = (os.path.join(folder, name) for name in ("slow", "hold", "disk.so"))
        os.mkdir(self.folder)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, os.path.join(HERE, "slow_disk.c"), "-ldl"], check=True)
        self.environment = {"LD_PRELOAD": library, "SLOW_DISK": self.hold}

    def path(self, name):
        return os.path.join(self.folder, name)

    def stall(self, switch=""):
        with open(self.hold + switch, "w"):
            pass

    def go_on(self, switch=""):
        os.remove(self.hold + switch)

    def creep_on(self):
        """Writing, which has stalled, goes on slowly."""
        self.stall(".creep")
        self.go_on(".write")

    def temporary_files(self):
        return [name for name in os.listdir(self.folder) if name.endswith(".tmp")]

    def wait_for_writing(self, process, patience_s=90):
        end = time.monotonic() + patience_s
        while not self.temporary_files():
            if process.poll() is not None or time.monotonic() > end:
                raise AssertionError("the program writes nothing")
            time.sleep(0.005)
