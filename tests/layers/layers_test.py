"""Includes run downward, folders stay small, the link graph has no cycle. Run: python3 layers_test.py PROJECT_FOLDER LINKS_FILE"""

import os
import sys
import tempfile
import unittest

import layers

ROOT, LINKS = os.path.abspath("."), None
FOLDERS = ["app", "assets", "bench", "gpu", "tests", "ui"]


class Project(unittest.TestCase):
    def test_includes_run_downward(self):
        with open(os.path.join(ROOT, "docs/architecture.md"), encoding="utf-8") as file:
            order = layers.Order(file.read())
        self.assertGreater(len(order.rank), 15, "the table of folders was not found")
        wrong = list(layers.wrong_includes(ROOT, order))
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))

    def test_folders_stay_small(self):
        self.assertEqual(list(layers.full_folders(ROOT, FOLDERS)), [])

    def test_link_graph_has_no_cycle(self):
        links = layers.read_links(LINKS)
        self.assertIn("tonescope", links)
        self.assertEqual(layers.link_cycle(links), [])


class MadeUp(unittest.TestCase):
    """Each fault is found in a made-up tree."""

    ORDER = """
| folder | holds | libraries |
|---|---|---|
| `app/main.cpp` | the start | |
| `app/window/` | a window | OpenGL |
| `app/files/` | files | |
| `ui/` | the interface | |
| `ui/views/`, `ui/panels/` | areas | Dear ImGui |
| `gpu/ops/NAME/` | an operator | CUDA |
| `gpu/ops/` | what operators share | |
| `gpu/cuda/` | a backend | CUDA |
| `gpu/core/` | what all agree on | |

- `app/window/` includes nothing of `ui/panels/`.
"""

    def wrong(self, path, header, order=ORDER):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, os.path.dirname(path)))
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(f"#pragma once\n#include {header}\n")
            return list(layers.wrong_includes(root, layers.Order(order)))

    def test_downward_is_right(self):
        for path, header in [
            ("app/main.cpp", '"app/window/a.h"'),
            ("app/window/a.cpp", '"app/window/a.h"'),
            ("app/window/a.cpp", '"ui/ui.h"'),
            ("app/window/a.cpp", "<glad/gl.h>"),
            ("app/files/a.cpp", '"ui/panels/a.h"'),
            ("ui/a.cpp", '"ui/views/a.h"'),
            ("ui/views/a.cpp", '"gpu/core/a.h"'),
            ("gpu/ops/he/tuned/a.cu", '"gpu/ops/he/a.cuh"'),
            ("gpu/ops/he/tuned/a.cuh", '"gpu/cuda/a.cuh"'),
            ("gpu/ops/he/a.cpp", '"gpu/ops/a.h"'),
            ("gpu/core/a.cpp", "<string>"),
        ]:
            self.assertEqual(self.wrong(path, header), [], path)

    def test_everything_else_is_wrong(self):
        for path, header in [
            ("app/window/a.cpp", '"app/main.cpp"'),
            ("app/files/a.h", '"app/window/a.h"'),
            ("app/window/a.h", '"ui/panels/a.h"'),  # a rule of its own
            ("app/files/a.h", "<GL/gl.h>"),
            ("ui/a.h", '"app/files/a.h"'),
            ("ui/views/a.h", '"ui/panels/a.h"'),  # one row
            ("ui/views/a.h", '"ui/ui.h"'),
            ("ui/a.h", "<imgui.h>"),
            ("gpu/ops/he/a.cu", '"gpu/ops/clahe/a.cuh"'),
            ("gpu/ops/he/a.cpp", '"gpu/cuda/a.h"'),
            ("gpu/ops/a.h", '"gpu/ops/he/a.h"'),
            ("gpu/core/a.cpp", '"gpu/cuda/a.h"'),
            ("gpu/core/a.cpp", "<cuda_runtime_api.h>"),
            ("gpu/core/a.cpp", '"gpu/nowhere/a.h"'),
        ]:
            self.assertEqual(self.wrong(path, header), [f"{path}:2: {header[1:-1]}"])
        self.assertEqual(self.wrong("ui/new/a.h", "<string>"), ["ui/new/a.h: no row of the table is its own"])
        self.assertEqual(self.wrong("app/other.cpp", "<string>"), ["app/other.cpp: no row of the table is its own"])

    def test_a_full_folder(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "ui/views"))
            for k in range(layers.MAX_FILES + 1):
                self.assertEqual(list(layers.full_folders(root, ["ui"])), [])
                with open(os.path.join(root, f"ui/views/{k}.cpp"), "w", encoding="utf-8"):
                    pass
            self.assertEqual(list(layers.full_folders(root, ["ui"])), ["ui/views: 26 files side by side; at most 25"])

    def test_a_cycle_of_links(self):
        links = {"program": ["a", "b", "system"], "a": ["b"], "b": ["c"], "c": []}
        self.assertEqual(layers.link_cycle(links), [])
        links["c"] = ["a"]
        self.assertEqual(layers.link_cycle(links), ["a", "b", "c", "a"])
        self.assertEqual(layers.link_cycle({"a": ["a"]}), ["a", "a"])


if __name__ == "__main__":
    ROOT, LINKS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
