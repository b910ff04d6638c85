"""portable_test.py CMAKE BUILD: installs the program with its libraries and runs it: it takes no library of the system's but those that are
said to be left to it, and reads every kind of sample."""
import glob
import os
import re
import subprocess
import sys
import tempfile

LEFT_TO_THE_SYSTEM = re.compile(r"linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so")


def main(cmake, build):
    with tempfile.TemporaryDirectory() as folder:
        there = os.path.join(folder, "moved")
        subprocess.run([cmake, "--install", build, "--prefix", os.path.join(folder, "first")], check=True, stdout=subprocess.DEVNULL)
        os.rename(os.path.join(folder, "first"), there)
        program = os.path.join(there, "bin", "tonescope")
        bare = {"HOME": folder, "PATH": "/usr/bin:/bin"}
        loaded = subprocess.run([program], check=True, capture_output=True, text=True, env={**bare, "LD_TRACE_LOADED_OBJECTS": "1"}).stdout
        strangers = [line.strip() for line in loaded.splitlines() if there not in line and not LEFT_TO_THE_SYSTEM.search(line)]
        assert loaded.count(there) > 10 and not strangers, loaded
        samples = sorted(glob.glob(os.path.join(there, "share", "tonescope", "assets", "*.*")))
        assert len({os.path.splitext(sample)[1] for sample in samples}) >= 3, samples
        for sample in samples:
            subprocess.run([program, "--headless", "--backend", "cpu", "--op", "he", "-i", sample, "-o", os.path.join(folder, "o.png")], check=True, env=bare)
        licenses = os.listdir(os.path.join(there, "share", "doc", "tonescope", "libraries"))
        assert any(name.startswith("libtiff") for name in licenses), licenses


main(*sys.argv[1:])
