"""End-to-end tests of what goes to other programs and comes from them: files, the clipboard, command lines."""

import os
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BINARY, SMALL, FolderTest, colorful, main, stays, wait_until  # noqa: E402
from image_files import png_size, read_png, write_png, write_ppm  # noqa: E402


def inverted(x, y):
    return tuple(255 - v for v in colorful(x, y))


class ImportExport(FolderTest):
    size = SMALL

    def save(self, window):
        """The dialog starts anew when it has changed the folder."""
        window.widget("entry:first.ppm")
        window.click("button:Save")
        window.notice("Saved")

    def hover(self, window, view):
        x, y, w, h = window.widget(view)
        window.move(x + w / 2, y + h / 2)

    # Text on the clipboard

    def test_the_copied_command_line_gives_the_result_again(self):
        image = self.path("it's one.ppm")
        write_ppm(image, 90, 70, colorful)
        window = self.open(image, "--backend", "cpu", "--set", "tile_size=16", "--set", "clip_limit=9.5")
        state = window.settle()
        window.key("s", "Control_L")
        self.save(window)
        window.key("c", "Control_L", "Shift_L")
        window.notice("--headless")
        copied = window.clipboard_text()
        self.assertEqual(copied, state["command_line"])
        self.assertEqual(shlex.split(copied)[0], "tonescope")
        elsewhere = self.path("elsewhere")
        os.mkdir(elsewhere)
        os.symlink(BINARY, os.path.join(elsewhere, "tonescope"))
        subprocess.run(copied, shell=True, check=True, timeout=60, cwd=elsewhere, stdout=subprocess.DEVNULL,
                       env={**os.environ, "PATH": elsewhere + ":" + os.environ["PATH"]})
        name = "it's one-clahe.png"
        with open(os.path.join(elsewhere, name), "rb") as again, open(self.path(name), "rb") as saved:
            self.assertEqual(again.read(), saved.read())

    def test_copied_timings_are_those_that_are_shown(self):
        window = self.open(self.image)
        window.settle()
        window.key("t", "Control_L")  # from now on they stay as they are
        window.wait(lambda s: any(w["label"] == "button:Resume" for w in s["widgets"]), "the pause")
        window.click("button:Copy")
        window.notice("Copied the timings")
        lines = window.clipboard_text().splitlines()
        self.assertTrue(any(line.startswith("Image") and "first.ppm" in line for line in lines), lines)
        heading = next(i for i, line in enumerate(lines) if line.startswith("stage "))
        self.assertEqual(lines[heading].split()[1:5], ["last", "ms", "median", "ms"])
        stages = [w["label"].partition(":")[2] for w in window.state()["widgets"] if w["label"].startswith("timing:")]
        rows = lines[heading + 1:heading + 1 + len(stages)]
        self.assertTrue(all(row.startswith(stage) for row, stage in zip(rows, stages)), (stages, rows))
        last_ms = float(rows[-1][len("total"):].split()[0])
        self.assertAlmostEqual(float(self.value(window, "timing:total").split()[0]), last_ms, delta=0.01 + last_ms * 0.01)

    def test_an_error_is_copied(self):
        window = self.open(self.image)
        window.settle()
        bad = self.path("bad \u00fc.png")
        with open(bad, "wb") as file:
            file.write(b"no image")
        window.drop(bad)
        state = window.wait(lambda s: any(n["severity"] == "error" for n in s["notices"]), "the error")
        text = state["notices"][-1]["text"]
        self.assertIn(os.path.basename(bad), text)
        window.click("Copy")
        self.assertEqual(window.clipboard_text(), text)

    # Images on the clipboard

    def test_copy_and_paste_of_images(self):
        tools = self.path("tools")
        os.mkdir(tools)
        with open(os.path.join(tools, "xclip"), "w") as file:
            file.write(f'#!/bin/sh\nfor last; do :; done\n[ "$last" = -i ] && exec cat > {self.dir}/held\n'
                       f'exec cat {self.dir}/held\n')
        os.chmod(os.path.join(tools, "xclip"), 0o755)
        window = self.open(self.image, PATH=tools + ":" + os.environ["PATH"])
        window.settle()
        window.key("c", "Control_L")
        window.notice("Copied")
        self.assertEqual(png_size(self.path("held")), (160, 120))
        window.key("v", "Control_L")
        state = window.wait(lambda s: len(s["document"]["images"]) == 2 and s["document"]["current"] == 1, "the pasted image")
        pasted = state["document"]["image"]
        window.settle()
        self.assertEqual(window.state()["recent"][0]["path"], self.image, "pasted images are not kept")
        self.quit(window)
        self.assertFalse(os.path.exists(pasted))

    def test_paste_without_a_tool_says_so(self):
        window = self.open(self.image, PATH=self.path("nothing"))
        window.settle()
        window.key("v", "Control_L")
        window.notice("xclip")

    # The view as a picture

    def test_the_saved_view_holds_both_sides_pixels(self):
        # So wide that no caption has to wrap: the picture has the panes of the window.
        window = self.open(self.image, "--op", "he", size="1600x800", drawn=True)
        window.settle()
        window.key("1")
        window.wait(lambda s: s["view"]["mode"] == "side-by-side", "side by side")
        window.key("s", "Control_L", "Shift_L")
        self.save(window)
        rows = read_png(self.path("first-view.png"))
        left, right = window.widget("splitter:left"), window.widget("splitter:right")
        start = int(left[0] + left[2])
        self.assertEqual(len(rows[0]), int(right[0]) - start)
        subprocess.run([BINARY, "--headless", "--op", "he", "-i", self.image, "-o", self.path("after.png")], check=True, timeout=60,
                       stdout=subprocess.DEVNULL)
        after = read_png(self.path("after.png"))
        view = window.state()["view"]
        # From the heads of the panes to the status bar: the buttons above them are not part of it.
        _, top, _, h = (int(v) for v in window.widget("view:before"))
        first_row = top + h - len(rows)
        bar = window.widget("mode:side-by-side")
        self.assertGreaterEqual(first_row, int(bar[1] + bar[3]))
        for name, expected in (("view:before", colorful), ("view:after", lambda x, y: after[y][x])):
            left, top, w, h = window.widget(name)
            for x, y in ((3, 2), (80, 60), (31, 97), (156, 117)):
                at_x = left - start + w / 2 + (x + 0.5 - view["center"][0]) * view["zoom"]
                at_y = top - first_row + h / 2 + (y + 0.5 - view["center"][1]) * view["zoom"]
                self.assertEqual(rows[int(at_y)][int(at_x)], expected(x, y), f"{name} at {x}, {y}")
        # Nothing else lies over them: they are what the window shows.
        window.move(3, 3)
        window.wait(lambda s: not s["notices"], "the messages to go")
        window.rest()
        for name in ("view:before", "view:after"):
            left, top, w, h = (int(v) for v in window.widget(name))
            saved = [row[left - start:left - start + w] for row in rows[top - first_row:top - first_row + h]]
            self.assertEqual(saved, window.pixels(left, top, w, h), name)

    # Saving

    def save_as(self, window, name):
        """The dialog opens, and the name is typed over the one that it suggests."""
        window.key("s", "Control_L")
        window.widget("entry:first.ppm")
        window.click("File name")
        window.key("a", "Control_L")
        window.type(name)
        window.key("Return")

    def pixel_before(self, window, accept, what):
        return window.wait(lambda s: s.get("pixel") and accept(s["pixel"]), what)["pixel"]

    def test_originals_are_safe(self):
        with open(self.image, "rb") as file:
            original = file.read()
        os.symlink("first.ppm", self.path("link.ppm"))
        window = self.open(self.image, "--op", "he")
        window.settle()
        self.hover(window, "view:before")
        self.save_as(window, "link.ppm")
        window.widget("button:Save as new file")
        self.assertFalse(window.has_widget("button:Replace"))
        window.key("Escape")
        self.wait_value(window, "File name", lambda v: v == "link.ppm", "the dialog with what was typed")
        window.click("button:Save")
        window.click("button:Save as new file")
        self.assertIn("link-2.ppm", window.notice("Saved"))
        with open(self.image, "rb") as file:
            self.assertEqual(file.read(), original)

        self.save_as(window, "first.ppm")
        window.click("button:Replace the original...")
        window.click("button:Replace for good")
        window.notice("Saved")
        with open(self.image, "rb") as file, open(self.path("link-2.ppm"), "rb") as result:
            self.assertEqual(file.read(), result.read())
        self.hover(window, "view:before")
        stays(lambda: not any("read again" in n["text"] for n in window.state()["recent_notices"]), "the original is shown", 2)
        self.assertTrue(window.state()["document"]["images"][0]["replaced"])
        pixel = self.pixel_before(window, lambda p: p["after"], "the pixel")
        self.assertEqual(pixel["before"], list(colorful(pixel["x"], pixel["y"])))
        self.assertNotEqual(pixel["before"], pixel["after"])
        window.key("r", "Control_L")
        window.wait(lambda s: not s["document"]["images"][0]["replaced"], "the file to be read")
        self.pixel_before(window, lambda p: p["before"] == pixel["after"], "the result as the image")

    def test_the_dialog_keeps_folder_format_and_quality(self):
        there = self.path("there")
        os.mkdir(there)
        window = self.open(self.image)
        window.settle()
        window.key("s", "Control_L")
        window.widget("entry:first.ppm")
        window.click("Folder")
        window.key("a", "Control_L")
        window.type("there")  # in the folder that is shown
        window.key("Return")
        self.wait_value(window, "Folder", lambda v: v == there, "the folder")
        window.click("Format")
        window.click("Format:JPEG")
        self.wait_value(window, "File name", lambda v: v == "first-clahe.jpg", "the ending of the format")
        window.click("Quality", fraction=0.02)
        window.key("Escape")
        window.key("s", "Control_L")
        self.wait_value(window, "File name", lambda v: v == "first-clahe.jpg", "what was typed")
        self.wait_value(window, "Folder", lambda v: v == there, "the folder again")
        window.click("button:Save")
        window.notice("Saved")
        small = os.path.getsize(os.path.join(there, "first-clahe.jpg"))
        self.assertEqual(subprocess.run([BINARY, "--headless", "-i", self.image, "-o", self.path("best.jpg")], timeout=60,
                                        stdout=subprocess.DEVNULL).returncode, 0)
        self.assertLess(small * 2, os.path.getsize(self.path("best.jpg")))
        self.quit(window)
        window = self.open(self.image)
        window.settle()
        window.key("s", "Control_L")
        self.wait_value(window, "Folder", lambda v: v == there, "the folder of the last run")
        window.click("Recent folders")
        window.click("Recent folders:" + os.path.basename(self.dir))
        self.wait_value(window, "Folder", lambda v: v == self.dir, "the image's folder")

    def test_paths_are_understood_wherever_they_are_typed(self):
        os.mkdir(self.path("deep"))
        other = self.path("deep", "b.ppm")
        write_ppm(other, 90, 60, colorful)
        window = self.open(self.image)
        window.settle()
        window.key("s", "Control_L")  # shows the image's folder
        window.widget("entry:first.ppm")
        window.key("Escape")
        for field, text, expected in (("Folder", "deep/b.ppm", other), ("Filter", "../first.ppm", self.image)):
            window.key("o", "Control_L")
            window.widget(field)
            window.click(field)
            window.key("a", "Control_L")
            window.type(text)
            window.key("Return")
            window.wait(lambda s, expected=expected: s["document"]["image"] == expected, f"{text} in {field}")

    # Reading images

    def test_the_image_is_read_again(self):
        window = self.open(self.image, "--set", "clip_limit=5")
        window.settle()
        self.hover(window, "view:before")
        known = os.stat(self.image)
        for keys, content in ((("F5",), inverted), (("r", "Control_L"), colorful)):
            write_ppm(self.image, 160, 120, content)
            os.utime(self.image, ns=(known.st_atime_ns, known.st_mtime_ns))  # so that it is not noticed without the key
            window.key(*keys)
            window.wait(lambda s: s.get("pixel") and s["pixel"]["before"] == list(content(s["pixel"]["x"], s["pixel"]["y"])),
                        f"the new pixels after {keys}")
        state = window.settle()
        self.assertEqual(state["document"]["parameters"]["clip_limit"], 5)
        self.assertFalse(any("changed on disk" in n["text"] for n in state["recent_notices"]))

    def test_deep_samples_stay_deep(self):
        def sample(x, y, most):
            return 300 + (x * 11 + y * 7) % (most - 400)
        for name, most in (("deep.png", 65535), ("deep.pgm", 4095)):
            rows = [b"".join(sample(x, y, most).to_bytes(2, "big") for x in range(160)) for y in range(120)]
            if name == "deep.png":
                write_png(self.path(name), 160, 120, rows, bits=16, gray=True)
            else:
                with open(self.path(name), "wb") as file:
                    file.write(f"P5 160 120 {most}\n".encode() + b"".join(rows))
        window = self.open("--op", "he")
        for name, most in (("deep.png", 65535), ("deep.pgm", 4095)):
            window.drop(self.path(name))
            window.wait(lambda s, name=name: s["document"]["image"] == self.path(name), name)
            state = window.settle()
            self.assertFalse(window.has_widget("status:notice"))
            used = [sample(x, y, most) for x in range(160) for y in range(120)]
            state = window.wait(lambda s, used=used: s["windows"]["before"]["width"] == max(used) - min(used), "the used range")
            self.assertEqual(state["windows"]["before"]["center"], (max(used) + min(used)) / 2)
            self.assertEqual(state["histogram"]["bins"], most + 1)
            self.hover(window, "view:before")
            pixel = window.wait(lambda s: s.get("pixel") and s["pixel"]["after"], "the pixel")["pixel"]
            self.assertEqual(pixel["before"], [sample(pixel["x"], pixel["y"], most)], name)
            self.wait_value(window, "statistics:before", lambda v, used=used: f"minimum {min(used)}, maximum {max(used)}" in v, name)
        for ending, head in (("pgm", b"P5\n160 120\n4095\n"), ("bmp", b"BM")):
            saved = self.path(f"saved.{ending}")
            window.key("s", "Control_L")
            window.widget("File name")
            window.click("File name")
            window.key("a", "Control_L")
            window.type(saved)
            self.wait_value(window, "save remark", lambda v, ending=ending: ("12 bits" in v) == (ending == "bmp"), "what is lost")
            window.click("button:Save")
            window.notice("Saved")
            with open(saved, "rb") as file:
                self.assertEqual(file.read(len(head)), head)
        subprocess.run([BINARY, "--headless", "--op", "he", "-i", self.path("deep.pgm"), "-o", self.path("same.pgm")], timeout=60,
                       stdout=subprocess.DEVNULL, check=True)
        with open(self.path("saved.pgm"), "rb") as saved, open(self.path("same.pgm"), "rb") as same:
            self.assertEqual(saved.read(), same.read())


if __name__ == "__main__":
    main()
