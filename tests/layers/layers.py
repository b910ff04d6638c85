"""The order of the folders, as docs/architecture.md prints it, against the includes and the link graph."""

import os
import re

SOURCES = (".h", ".cpp", ".cu", ".cuh")
MAX_FILES = 25  # side by side in a folder, tests and scripts included

# What the table's column "libraries" names, and the headers by which it is recognized.
LIBRARIES = {
    "CUDA": r"cuda|cub/|cooperative_groups|mma\.h|surface_|device_launch",
    "OpenGL": r"glad/|GL/",
    "GLFW": r"GLFW/",
    "Dear ImGui": r"imgui|backends/imgui",
    "JSON": r"nlohmann/",
    "CLI11": r"CLI/",
}


class Order:
    """The rows of the table `| folder | holds | libraries |`, from top to bottom, and the sentences "`A` includes nothing of `B`"."""

    def __init__(self, text):
        self.rank, self.libraries, self.rules = {}, {}, []
        for line in text.splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if line.startswith("| `") and len(cells) == 3:
                for folder in re.findall(r"`([^`]+)`", cells[0]):
                    folder = folder.rstrip("/")
                    self.rank[folder] = line
                    self.libraries[folder] = {name for name in LIBRARIES if re.search(rf"\b{name}\b", cells[2])}
            self.rules += [[f.rstrip("/") for f in rule] for rule in re.findall(r"`([^`]+)` includes nothing of `([^`]+)`", line)]
        rows = list(dict.fromkeys(self.rank.values()))
        self.rank = {folder: rows.index(row) for folder, row in self.rank.items()}

    def row(self, path):
        """The row of a file and the folder it stands for, which is narrower than the row where that says NAME. None: of no row."""
        if path in self.rank:
            return path, path
        parts = path.split("/")[:-1]
        for depth in range(len(parts), 0, -1):
            folder = "/".join(parts[:depth])
            generic = "/".join([*parts[: depth - 1], "NAME"])
            row = folder if folder in self.rank else generic
            # The row of a folder whose subfolders have rows of their own holds only what lies directly in it.
            if row in self.rank and (depth == len(parts) or not any(f.startswith(folder + "/") for f in self.rank)):
                return row, folder
        return None

    def may_include(self, path, header):
        mine, other = self.row(path), self.row(header)
        if mine is None or other is None:
            return False
        if any(within(path, a) and within(header, b) for a, b in self.rules):
            return False
        return mine[1] == other[1] or self.rank[mine[0]] < self.rank[other[0]]


def within(path, folder):
    return path == folder or path.startswith(folder + "/")


def includes(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
            if match:
                yield number, match.group(1) == '"', match.group(2)


def wrong_includes(root, order):
    """Yields a line for each include that goes upward or to a library of others, and for each folder without a row."""
    tops = sorted({folder.split("/")[0] for folder in order.rank})
    for top in tops:
        for where, folders, names in os.walk(os.path.join(root, top)):
            folders[:] = sorted(f for f in folders if f != "tests")
            for name in sorted(names):
                if not name.endswith(SOURCES):
                    continue
                path = os.path.relpath(os.path.join(where, name), root)
                if order.row(path) is None:
                    yield f"{path}: no row of the table is its own"
                    continue
                libraries = order.libraries[order.row(path)[0]]
                for number, ours, header in includes(os.path.join(where, name)):
                    at = f"{path}:{number}: {header}"
                    if ours and header.split("/")[0] in tops:
                        if not order.may_include(path, header):
                            yield at
                        # An operator's files for the CPU are compiled everywhere.
                        elif within(path, "gpu/ops") and within(header, "gpu/cuda") and not name.endswith((".cu", ".cuh")):
                            yield at
                    elif any(re.match(pattern, header) for library, pattern in LIBRARIES.items() if library not in libraries):
                        yield at


def full_folders(root, tops):
    for top in tops:
        for where, _, names in os.walk(os.path.join(root, top)):
            count = sum(name.endswith((*SOURCES, ".py")) for name in names)
            if count > MAX_FILES:
                yield f"{os.path.relpath(where, root)}: {count} files side by side; at most {MAX_FILES}"


def link_cycle(links):
    """A cycle of the graph {target: targets that it links}, as a list of targets; empty where there is none."""
    done, path = set(), []

    def visit(target):
        if target in path:
            return [*path[path.index(target):], target]
        if target in done or target not in links:
            return []
        path.append(target)
        for other in links[target]:
            if cycle := visit(other):
                return cycle
        path.pop()
        done.add(target)
        return []

    for target in links:
        if cycle := visit(target):
            return cycle
    return []


def read_links(path):
    """Lines `target: target target ...`, written by tonescope_write_links."""
    with open(path, encoding="utf-8") as file:
        return {target: others.split() for target, others in (line.split(":", 1) for line in file)}
