"""End-to-end tests that texts and pictures arrive on screen legible and whole, judged by the window's pixels."""

import collections
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BINARY, FolderTest, main, wait_until, write_ppm  # noqa: E402


def luminance(color):
    """Relative luminance as WCAG 2 defines it, 0 to 1."""
    linear = [v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(rows):
    """WCAG 2's contrast between the ground, the most frequent color, and the color that stands out most from it."""
    colors = collections.Counter(color for row in rows for color in row)
    ground = luminance(colors.most_common(1)[0][0]) + 0.05
    return max(max((luminance(c) + 0.05) / ground, ground / (luminance(c) + 0.05)) for c in colors)


def marks(rows):
    """What stands on the ground: rectangles (left, top, right, bottom) of connected pixels, the ends exclusive."""
    ground = collections.Counter(color for row in rows for color in row).most_common(1)[0][0]
    open_pixels = {(x, y) for y, row in enumerate(rows) for x, color in enumerate(row)
                   if max(abs(a - b) for a, b in zip(color, ground)) > 40}
    found = []
    while open_pixels:
        reached = [open_pixels.pop()]
        for x, y in reached:  # grows while it is walked over
            for near in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
                if near in open_pixels:
                    open_pixels.remove(near)
                    reached.append(near)
        xs, ys = [p[0] for p in reached], [p[1] for p in reached]
        found.append((min(xs), min(ys), max(xs) + 1, max(ys) + 1))
    return sorted(found)


def text_lines(found):
    """Marks by lines of text, top to bottom: what overlaps in height belongs together, and an underscore to what is above it."""
    lines = []
    for mark in sorted(found, key=lambda m: m[1]):
        room = 3 if mark[3] - mark[1] <= 2 else 0
        if lines and mark[1] < lines[-1][0] + room:
            lines[-1][0] = max(lines[-1][0], mark[3])
            lines[-1][1].append(mark)
        else:
            lines.append([mark[3], [mark]])
    return [sorted(line) for _, line in lines]


class Legible(FolderTest):
    drawn = True

    def part(self, window, x, y, width, height):
        window.rest()
        return window.pixels(x, y, width, height)

    def test_no_shortcut_is_cut(self):
        window = self.open(self.image, size="1280x720")
        window.settle()
        window.click("bar:shortcuts")
        x, y, _, _ = window.widget("button:Close")
        rows = self.part(window, 40, 60, x + 80 - 40, y - 70)
        dots = [m for m in marks(rows) if m[2] - m[0] <= 3 and m[3] - m[1] <= 3]
        self.assertGreater(len(marks(rows)), 500, "the list of shortcuts is there")
        for left, top, _, _ in dots:
            following = [m for m in dots if m[1] == top and 0 < m[0] - left <= 10]
            self.assertLess(len(following), 2, f"an ellipsis at {40 + left}, {60 + top}")

    def test_a_copied_command_reads_as_it_is(self):
        window = self.open(self.image, "--op", "clahe", size="1280x720")
        window.settle()
        window.key("c", "Control_L", "Shift_L")
        text = window.notice("Copied: ")
        options = text.count(" --")
        self.assertGreater(options, 6)
        breaks = set()
        for width in range(1280, 1160, -8):
            window.window.configure(width=width, height=720)
            window.x.sync()
            window.wait(lambda s, width=width: s["window"]["width"] == width, f"the width {width}")
            x, y, w, h = window.widget("notice:" + text)
            window.move(x + w / 2, y + h - 2)  # it stays while the mouse is over it
            left = window.widget("severity:1")[0] + 20
            lines = text_lines(marks(self.part(window, left, y + 4, x + w - left - 4, h - 8)))
            breaks.add(tuple(line[-1][2] for line in lines))
            single = [m for line in lines for m in line if m[3] - m[1] <= 2 and 3 <= m[2] - m[0] <= 4]
            self.assertGreaterEqual(len(single), 2 * options, f"hyphens stand for themselves, {width} wide")
            for line in lines:
                last = line[-1]
                self.assertGreater(last[3] - last[1], 3, f"a line ends in a number's point, {width} wide")
        self.assertGreater(len(breaks), 2, "lines were broken in different places")

    def test_the_faintest_texts_have_contrast(self):
        window = self.open(self.image, size="1280x720")
        window.settle()

        def size_in_caption():
            x, y, w, _ = window.widget("view:after")
            return self.part(window, x + w - 110, y - 26, 110, 24)

        for theme in ("dark", "light"):
            window.key("F10")
            window.click("Theme:" + theme)
            window.key("Escape")
            window.move(3, 3)
            self.assertGreaterEqual(contrast(size_in_caption()), 4.5, theme)
            window.key("F9")
            window.wait(lambda s: not any(w["label"] == "Operator" for w in s["widgets"]), "no panels")
            self.assertGreaterEqual(contrast(size_in_caption()), 4.5, f"{theme}, presentation")
            window.key("F9")
            window.click("Variant")
            listed = window.wait(lambda s: [w for w in s["widgets"] if w["label"].startswith("Variant:") and w["value"] != "on"],
                                 "the variants")["widgets"]
            x, y, w, h = window.widget([w["label"] for w in listed if w["label"].startswith("Variant:") and w["value"] != "on"][-2])
            for line in range(3):
                rows = self.part(window, x + 4, y + 4 + line * (h - 8) / 3, w * 0.6, (h - 8) / 3)
                self.assertGreaterEqual(contrast(rows), 4.5, f"{theme}, line {line} of a variant")
            window.key("Escape")

    def test_no_command_leaves_the_bar(self):
        window = self.open(self.image, size="1280x720")
        window.settle()
        commands = ("undo", "redo", "palette", "shortcuts", "settings")
        at_1 = window.widget("bar:palette")[2]
        for _ in range(3):
            window.key("Up", "Control_L", "Shift_L")
        window.wait(lambda s: any(w["label"] == "bar:palette" and w["rect"][2] > 1.7 * at_1 for w in s["widgets"]), "twice the size")
        window.rest()
        for command in commands:
            self.assertTrue(window.has_widget("bar:" + command), command)
            x, _, w, _ = window.widget("bar:" + command)
            self.assertLessEqual(x + w, 1280, command)

    def test_a_very_long_image_is_seen(self):
        path = self.path("long.ppm")
        write_ppm(path, 30000, 20, lambda x, _: (x * 7 % 256, 200, 40))
        window = self.open(path, "--op", "he", size="1280x720")
        window.settle()
        window.move(3, 3)

        def is_green(color):
            return color[1] > 90 and color[1] > color[2] + 60

        for view in ("view:before", "view:after"):
            x, y, w, h = window.widget(view)
            wait_until(lambda x=x, y=y, w=w, h=h: any(is_green(row[0]) for row in window.pixels(x + w / 2, y, 1, h)), view)
        x, y, _, h = window.widget("image:long.ppm")
        wait_until(lambda: any(is_green(color) for row in window.pixels(x, y, 48, h) for color in row), "the thumbnail")

    def test_descriptions_hold_no_markup(self):
        listed = subprocess.run([BINARY, "--list", "--json"], check=True, capture_output=True, text=True).stdout
        self.assertIn("Kuwahara", listed)
        self.assertNotIn("`", listed)


if __name__ == "__main__":
    main()
