"""Makes the pictures of the user guide: opens the window under a virtual display, drives it with X events and saves what it shows.

    python3 docs/pictures.py PATH/TO/tonescope [NAME...]

Writes docs/images/guide-NAME.png, all of them where no name is given. Needs Xvfb, python3-xlib and python3-pil.
"""

import os
import shutil
import subprocess
import sys
import time

from PIL import Image, ImageDraw

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
from driver import Display, Window  # noqa: E402

SIZE = "1280x720"


class Guide:
    def __init__(self, binary, display, folder):
        self.binary, self.display, self.folder = binary, display, folder

    def open(self, image, *args, env=None):
        """A sample, from a folder whose name may stand in a picture."""
        paths = [shutil.copy(os.path.join(ROOT, "assets", image), self.folder)] if image else []
        window = Window(self.binary, self.display, *args, *paths, size=SIZE, env=env)
        if image:
            window.settle()
        return window

    def save(self, window, name, small=False, held=()):
        """`small`: with 256 colors, where the interface matters more than the image in it."""
        window.rest()
        state = window.state()["window"]
        picture = Image.new("RGB", (state["width"], state["height"]))
        picture.putdata([pixel for row in window.pixels(0, 0, *picture.size) for pixel in row])
        if small:
            picture = picture.quantize(256, dither=Image.Dither.NONE)
        picture.save(os.path.join(ROOT, "docs", "images", f"guide-{name}.png"), optimize=True)
        for key in held:
            window.hold(key, False)  # the display outlives the window
        window.close()

    def place(self, window, view, fraction_x, fraction_y):
        x, y, w, h = window.widget(view)
        return x + w * fraction_x, y + h * fraction_y

    def at(self, window, view, fraction_x, fraction_y):
        window.move(*self.place(window, view, fraction_x, fraction_y))

    def show_figures(self, window):
        window.click("Figures")
        window.wait(lambda s: any(w["label"] == "figure:mean" and w["value"] for w in s["widgets"]), "the figures")

    # The pictures

    def start(self):
        window = self.open(None)
        window.widget("sample:planet.png")
        time.sleep(3)  # for the thumbnails, of which the state says nothing
        self.save(window, "start")

    def side_by_side(self):
        window = self.open("night.png", "--op", "clahe")
        window.key("1")
        window.move(3, 3)
        self.save(window, "side-by-side")

    def wipe(self):
        window = self.open("fog.png", "--op", "clahe", "--set", "clip_limit=6")
        window.key("3")
        window.key("r")
        window.widget("view:wipe")
        self.save(window, "wipe")

    def difference(self):
        window = self.open("planet.png", "--op", "clahe")
        window.key("6")
        window.click("difference:false color")
        window.wait(lambda s: any(w["label"] == "difference:ssim" and w["value"] for w in s["widgets"]), "the statistics")
        window.move(3, 3)  # no explanation over the bar
        self.save(window, "difference", small=True)

    def grid(self):
        window = self.open("fog.png", "--op", "clahe", "--set", "clip_limit=2")
        window.key("7")
        window.wait(lambda s: all(c["shown"] for c in s.get("grid", {}).get("cells") or [{"shown": False}]), "the results")
        window.move(3, 3)
        self.save(window, "grid")

    def sheet(self):
        window = self.open("fog.png", "--op", "clahe")
        window.key("7")
        for label in ("Row parameter", "Row parameter:Tile size", "Panes", "Panes:7", "Rows", "Rows:6", "Pane figure",
                      "Pane figure:Noise gain"):
            window.click(label)

        def is_done(state):
            return all(c["shown"] and c["figure"] is not None for c in state.get("grid", {}).get("cells") or [{"shown": False}])

        window.wait(is_done, "the results and their figures")
        window.double_click("row 6:Tile size")
        window.type("256")
        window.key("Return")
        window.wait(lambda s: s["grid"]["rows"]["values"][-1] == "256" and is_done(s), "those of the last row")
        window.move(3, 3)
        self.save(window, "sheet")

    def region(self):
        window = self.open("radiograph.png", "--op", "clahe", "--set", "clip_limit=4")
        window.key("5")
        window.click("Region and mask")
        window.hold("Shift_L", True)
        window.drag(self.place(window, "view:after", 0.3, 0.1), self.place(window, "view:after", 0.7, 0.5))
        window.hold("Shift_L", False)
        window.key("s", "Alt_L")
        window.wait(lambda s: s["part"]["region"], "the region")
        window.wheel(*window.center("Clip limit"), -20)
        window.double_click("Feather")
        window.type("24")
        window.key("Return")
        window.settle()
        window.move(3, 3)
        self.save(window, "region", small=True)

    def figures(self):
        window = self.open("fog.png", "--op", "clahe")
        self.show_figures(window)
        window.move(3, 3)
        self.save(window, "figures", small=True)

    def suggestions(self):
        window = self.open("fog.png", "--op", "clahe")
        mark = "Clip limit suggestion 1"
        window.wait(lambda s: any(w["label"] == mark for w in s["widgets"]), "the suggestions")
        window.move(*window.center(mark))
        window.wait(lambda s: any(w["label"] == "tooltip" for w in s["widgets"]), "the curve")
        self.save(window, "suggestions", small=True)

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

    def source(self):
        window = self.open("fog.png", "--op", "clahe", "--backend", "cpu")
        window.key("u", "Control_L")
        window.click("Source of")
        window.click("Source of:Padded prefix sum")
        for _ in range(3):
            window.key("F8")
        window.move(3, 3)
        self.save(window, "source", small=True)

    def histograms(self):
        window = self.open("night.png", "--op", "he")
        window.key("2")
        window.key("h")
        window.click("Clipped pixels")
        window.click("bar:undo")  # leaves the keys to the views
        window.key("c")
        window.key("s")
        window.drag(self.place(window, "view:after", 0.35, 0.55), self.place(window, "view:after", 0.7, 0.9))
        window.wait(lambda s: s["histogram"]["region"] and not s["busy"], "the selected rectangle")
        self.save(window, "histograms")

    def numbers(self):
        window = self.open("radiograph.png", "--op", "clahe")
        window.wheel(*self.place(window, "view:before", 0.45, 0.4), 21)
        window.wait(lambda s: s["view"]["zoom"] > 30 and s["numbers"]["after"]["values"], "the numbers")
        self.save(window, "numbers")

    def palette(self):
        window = self.open("balloons.jpg", "--op", "kuwahara")
        window.key("p", "Control_L", "Shift_L")
        window.widget("Command")
        window.type("view")
        self.save(window, "palette")

    def loupe(self):
        window = self.open("balloons.jpg", "--op", "kuwahara", "--set", "radius=5")
        window.key("1")
        window.wheel(*self.place(window, "view:before", 0.45, 0.4), 5)
        self.at(window, "view:before", 0.66, 0.38)
        window.hold("l", True)
        window.wait(lambda s: any(w["label"] == "loupe:after" for w in s["widgets"]), "the loupe")
        self.save(window, "loupe", small=True, held=["l"])

    def pinned(self):
        window = self.open("fog.png", "--op", "he")
        window.key("p")
        window.wait(lambda s: s["compared_with"], "the pinned result")
        window.click("Operator")
        window.click("Operator:CLAHE")
        window.wait(lambda s: s["document"]["operator"] == "clahe", "CLAHE")
        window.settle()
        window.move(3, 3)
        self.save(window, "pinned", small=True)

    def exact(self):
        window = self.open("radiograph.png", "--op", "clahe", "--backend", "cpu")
        window.key("p")
        window.wait(lambda s: s["compared_with"], "the pinned result")
        window.key("6")
        window.click("difference:false color")
        window.click("Tables:exact")
        window.settle()
        window.wait(lambda s: any(w["label"] == "difference:ssim" and w["value"] for w in s["widgets"]), "the statistics")
        window.move(3, 3)
        self.save(window, "exact", small=True)

    def presets(self):
        window = self.open("radiograph.png", "--op", "clahe", "--set", "clip_limit=6.5", "--set", "tile_size=32",
                           env={"XDG_CONFIG_HOME": os.path.join(self.folder, "config")})
        for name in ("fine bones", "soft tissue"):
            window.key("p", "Control_L")
            window.widget("Preset name")
            window.type(name)
            window.key("Return")
            window.wait(lambda s, name=name: name in s["presets"], name)
            window.key("Escape")
            window.click("Clip limit", fraction=0.2)
        window.key("p", "Control_L")
        window.widget("Preset name")
        window.wait(lambda s: not s["notices"], "the messages to go")
        self.save(window, "presets", small=True)

    def batch(self):
        photos = os.path.join(self.folder, "photos")
        os.makedirs(photos, exist_ok=True)
        for i in range(90):
            shutil.copy(os.path.join(ROOT, "assets", "balloons.jpg"), os.path.join(photos, f"balloons-{i:02}.jpg"))
        with open(os.path.join(photos, "balloons-03.jpg"), "r+b") as file:
            file.truncate(100)
        window = Window(self.binary, self.display, "--op", "clahe", "--set", "clip_limit=4", os.path.join(photos, "balloons-00.jpg"), size=SIZE)
        window.settle()
        window.key("b", "Control_L")
        window.click("Images of the batch:a folder")
        window.click("button:Start batch")
        window.wait(lambda s: any(w["label"] == "batch" and "1 failed" in w["value"] for w in s["widgets"]), "a failure")
        window.move(3, 3)
        self.save(window, "batch", small=True)

    def reference(self):
        exported = os.path.join(self.folder, "exports")
        os.makedirs(exported, exist_ok=True)
        subprocess.run([self.binary, "--headless", "--set", "tiles=grid", "--set", "clip_limit=2", "-i", os.path.join(ROOT, "assets", "fog.png"),
                        "-o", os.path.join(exported, "fog.png")], check=True)
        window = self.open("fog.png", "--reference", os.path.join(exported, "fog.png"), "--set", "clip_limit=1.5", "--set", "tile_size=256")
        window.key("3")
        window.widget("view:wipe")
        self.show_figures(window)
        window.wait(lambda s: any(w["label"] == "figure:ssim" and w["value"] for w in s["widgets"]), "the last figure")
        window.move(3, 3)
        self.save(window, "reference", small=True)

    def settings(self):
        window = self.open("balloons.jpg", "--op", "kuwahara", "--set", "radius=6")
        window.key("F10")
        window.click("Interface size")
        window.widget("Interface size:150 %")
        self.save(window, "settings", small=True)

    def presentation(self):
        window = self.open("fog.png", "--op", "clahe", "--set", "clip_limit=5")
        window.key("F9")
        window.key("3")
        window.key("t")
        window.key("t")
        self.at(window, "view:wipe", 0.7, 0.6)
        self.save(window, "presentation", small=True)

    def light(self):
        window = self.open("page.png", "--op", "clahe")
        window.key("F10")
        window.click("Theme:light")
        window.key("Escape")
        window.move(3, 3)
        self.save(window, "light", small=True)

    def colors(self):
        """Not the window: what the command line writes, side by side."""
        image = os.path.join(ROOT, "assets", "night.png")
        paths = {"original": image}
        for color in ("luma", "ratio", "value", "lab", "channels", "gray"):
            paths[color] = os.path.join(self.folder, f"{color}.png")
            subprocess.run([self.binary, "--headless", "--op", "he", "--set", f"color={color}", "-i", image, "-o", paths[color]], check=True)
        order = ("original", "luma", "ratio", "value", "lab", "channels", "gray")
        width, label = 420, 18
        with Image.open(image) as original:
            height = original.height * width // original.width
        columns = 4
        sheet = Image.new("RGB", (columns * (width + 4) - 4, 2 * (height + label)), "#202124")
        for number, name in enumerate(order):
            x, y = number % columns * (width + 4), number // columns * (height + label)
            with Image.open(paths[name]) as one:
                sheet.paste(one.convert("RGB").resize((width, height), Image.Resampling.LANCZOS), (x, y + label))
            ImageDraw.Draw(sheet).text((x + 4, y + 3), name, fill="#e8eaed")
        sheet.save(os.path.join(ROOT, "docs", "images", "guide-colors.jpg"), quality=90, subsampling=0, optimize=True)


PICTURES = ("start", "side-by-side", "wipe", "difference", "grid", "sheet", "region", "figures", "suggestions", "explain-clahe", "explain-he", "explain-kuwahara", "source", "histograms", "exact", "numbers",
            "palette", "loupe", "pinned", "presets", "batch", "reference", "settings", "presentation", "light", "colors")


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
