"""The desktop's database takes what is said of session files, and the program says that it opens them.

    python3 session_type_test.py UPDATE-MIME-DATABASE TYPES.xml DESKTOP-FILE TYPE
"""

import os
import shutil
import subprocess
import sys
import tempfile


def main():
    update, types, desktop_file, session_type = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="tonescope-mime-") as folder:
        os.mkdir(os.path.join(folder, "packages"))
        shutil.copy(types, os.path.join(folder, "packages"))
        run = subprocess.run([update, "-V", folder], capture_output=True, text=True, check=True)
        # It ends with 0 whatever it finds.
        problems = [line for line in run.stderr.splitlines() if "error" in line.lower() or "warning" in line.lower()]
        assert not problems, problems
        with open(os.path.join(folder, "globs2"), encoding="utf-8") as file:
            globs = file.read()
        assert f"50:{session_type}:*.tonescope\n" in globs, globs
        with open(os.path.join(folder, "subclasses"), encoding="utf-8") as file:
            subclasses = file.read()
        assert f"{session_type} application/json\n" in subclasses, subclasses
    with open(desktop_file, encoding="utf-8") as file:
        opened = next(line for line in file if line.startswith("MimeType="))
    assert f";{session_type};" in opened, opened


if __name__ == "__main__":
    main()
