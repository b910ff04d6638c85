"""Makes the pictures of the user guide: opens the window under a virtual display, drives it with X events and saves what it shows.

    python3 docs/pictures.py PATH/TO/tonescope [NAME...]

Writes docs/images/guide-NAME.png, all of them where no name is given. Needs Xvfb and python3-xlib.
"""

import os
import shutil
import struct
import sys
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
from driver import Display, Window  # noqa: E402

SIZE = "1280x720"


def filtered(row, above):
    """The PNG filter 'up', which suits flat panels."""
    return b"\x02" + bytes((a - b) & 255 for a, b in zip(row, above))


def save_png(path, rows):
    """rows of (r, g, b)"""
    width, height = len(rows[0]), len(rows)
    above, data = bytes(width * 3), []
    for pixels in rows:
        row = bytes(v for pixel in pixels for v in pixel)
        data.append(filtered(row, above))
        above = row

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(b"".join(data), 9)) + chunk(b"IEND", b""))


class Guide:
    def __init__(self, binary, display, folder):
        self.binary, self.display, self.folder = binary, display, folder

    def open(self, image, *args):
        """A sample, from a folder whose name may stand in a picture."""
        paths = [shutil.copy(os.path.join(ROOT, "assets", image), self.folder)] if image else []
        window = Window(self.binary, self.display, *args, *paths, size=SIZE)
        if image:
            window.settle()
        return window

    def save(self, window, name):
        window.rest()
        state = window.state()["window"]
        save_png(os.path.join(ROOT, "docs", "images", f"guide-{name}.png"), window.pixels(0, 0, state["width"], state["height"]))
        window.close()

    def place(self, window, view, fraction_x, fraction_y):
        x, y, w, h = window.widget(view)
        return x + w * fraction_x, y + h * fraction_y

    def at(self, window, view, fraction_x, fraction_y):
        window.move(*self.place(window, view, fraction_x, fraction_y))

    # The pictures

    def start(self):
        window = self.open(None)
        window.widget("sample:planet.png")
        window.wait(lambda s: not s["busy"], "the thumbnails")
        self.save(window, "start")

    def side_by_side(self):
        self.save(self.open("night.png", "--op", "clahe"), "side-by-side")

    def wipe(self):
        window = self.open("fog.png", "--op", "clahe", "--set", "clip_limit=6")
        window.key("3")
        window.key("r")
        window.widget("view:wipe")
        self.save(window, "wipe")

    def difference(self):
        window = self.open("planet.png", "--op", "clahe")
        window.key("6")
        window.click("difference:false colour")
        window.wait(lambda s: any(w["label"] == "difference:ssim" and w["value"] for w in s["widgets"]), "the statistics")
        window.move(3, 3)  # no explanation over the bar
        self.save(window, "difference")

    def grid(self):
        window = self.open("fog.png", "--op", "clahe", "--set", "clip_limit=2")
        window.key("7")
        window.wait(lambda s: all(c["shown"] for c in s.get("grid", {}).get("cells") or [{"shown": False}]), "the results")
        window.move(3, 3)
        self.save(window, "grid")

    def explain(self, image, op, view, fraction_x, fraction_y, name, zoom=0):
        window = self.open(image, "--op", op)
        window.key("1")
        window.key("e")
        self.at(window, view, fraction_x, fraction_y)
        if zoom:
            window.wheel(*self.place(window, view, fraction_x, fraction_y), zoom)
        window.wait(lambda s: s.get("explanation"), "the explanation")
        self.save(window, name)

    def explain_clahe(self):
        self.explain("radiograph.png", "clahe", "view:before", 0.45, 0.55, "explain-clahe", 5)

    def explain_kuwahara(self):
        self.explain("balloons.jpg", "kuwahara", "view:before", 0.3, 0.42, "explain-kuwahara", 17)

    def explain_he(self):
        self.explain("night.png", "he", "view:before", 0.4, 0.6, "explain-he")

    def histograms(self):
        window = self.open("night.png", "--op", "he")
        window.key("2")
        window.key("h")
        window.key("c")
        window.key("s")
        window.drag(self.place(window, "view:after", 0.35, 0.55), self.place(window, "view:after", 0.7, 0.9))
        window.wait(lambda s: s["histogram"]["region"] and not s["busy"], "the selected rectangle")
        self.save(window, "histograms")

    def numbers(self):
        window = self.open("radiograph.png", "--op", "clahe")
        x, y, w, h = window.widget("view:before")
        window.wheel(x + w * 0.45, y + h * 0.4, 21)
        window.wait(lambda s: s["view"]["zoom"] > 30, "the zoom")
        self.save(window, "numbers")

    def palette(self):
        window = self.open("balloons.jpg", "--op", "kuwahara")
        window.key("p", "Control_L", "Shift_L")
        window.widget("Command")
        window.type("view")
        self.save(window, "palette")


PICTURES = ("start", "side-by-side", "wipe", "difference", "grid", "explain-clahe", "explain-he", "explain-kuwahara", "histograms", "numbers",
            "palette")


def main(binary, *names):
    display = Display()
    folder = "/tmp/pictures"
    os.makedirs(folder, exist_ok=True)
    try:
        guide = Guide(os.path.abspath(binary), display, folder)
        for name in names or PICTURES:
            getattr(guide, name.replace("-", "_"))()
            print(name)
    finally:
        display.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
