"""The layers stay apart: which folder may include what. Run: python3 layers_test.py PROJECT_FOLDER"""

import os
import re
import sys

CUDA = r"cuda[_a-zA-Z0-9]*\.h|cub/|surface_|device_launch"
OPENGL = r"glad/|GL/|GLFW/"
# folder: (may include these folders of ours, may not include these system headers)
RULES = {
    "gpu/core": (["gpu/core"], rf"{CUDA}|{OPENGL}|imgui"),
    "gpu/cpu": (["gpu/core", "gpu/cpu"], rf"{CUDA}|{OPENGL}|imgui"),
    "gpu/ops": (["gpu/core", "gpu/cpu", "gpu/ops", "gpu/cuda"], rf"{OPENGL}|imgui"),
    "gpu/cuda": (["gpu/core", "gpu/cpu", "gpu/cuda", "gpu/present/presenter.h", "gpu/present/interop.h"], rf"{OPENGL}|imgui"),
    "gpu/present": (["gpu/core", "gpu/cuda", "gpu/present"], r"GLFW/|imgui"),
    "ui": (["gpu/core", "gpu/present/presenter.h", "gpu/present/clipping_view.h", "gpu/present/difference_view.h", "ui"], rf"{CUDA}|{OPENGL}"),
    "app": (["gpu/core", "gpu/cpu", "gpu/present", "gpu/ops", "ui", "app", "assets"], CUDA),
    "bench": (["gpu/core", "gpu/cpu", "gpu/cuda", "gpu/ops", "app/image_io/image_io.h", "bench"], rf"{OPENGL}|imgui"),
}


def includes(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
            if match:
                yield number, match.group(1) == '"', match.group(2)


def main(root):
    wrong, files = [], 0
    for folder, (allowed, forbidden) in RULES.items():
        for where, _, names in os.walk(os.path.join(root, folder)):
            if os.path.basename(where) == "tests":
                continue
            for name in names:
                if not name.endswith((".h", ".cpp", ".cu", ".cuh")):
                    continue
                files += 1
                path = os.path.join(where, name)
                is_cuda = name.endswith((".cu", ".cuh"))
                for number, ours, header in includes(path):
                    at = f"{os.path.relpath(path, root)}:{number}: {header}"
                    if ours and header.startswith(("gpu/", "ui/", "app/", "assets/", "bench/")):
                        if not any(header == a or header.startswith(a + "/") for a in allowed):
                            wrong.append(at)
                    elif re.match(forbidden, header):
                        wrong.append(at)
                    if folder == "gpu/ops" and ours and header.startswith("gpu/cuda") and not is_cuda:
                        wrong.append(at)
    if files < 50:
        wrong.append(f"only {files} files found: is this the project's folder?")
    print("\n".join(wrong) if wrong else f"{files} files keep to their layers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
