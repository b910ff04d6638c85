"""Drives the real window: a virtual display, X events through XTEST, and what --ui-state says of the window.

Needs Xvfb and python3-xlib.
"""

import contextlib
import json
import os
import subprocess
import tempfile
import time
from urllib.parse import quote

from Xlib import XK, X, display, error
from Xlib.ext import xtest
from Xlib.protocol import event

PATIENCE_S = 90  # for what must come at last; a machine with other work may stand still for long


class Failed(AssertionError):
    pass


def wait_until(condition, what, patience_s=PATIENCE_S):
    """What condition() returned when it was true."""
    end = time.monotonic() + patience_s
    late = False
    while not (value := condition()):
        if late:
            raise Failed(f"waited {patience_s} s in vain for {what}")
        late = time.monotonic() >= end
        time.sleep(0.02)
    return value


def stays(condition, what, for_s):
    """Fails as soon as condition() is false within this time."""
    end = time.monotonic() + for_s
    while time.monotonic() < end:
        if not condition():
            raise Failed(f"not for {for_s} s: {what}")
        time.sleep(0.02)


class Display:
    """A virtual X display of our own, or the one that TONESCOPE_E2E_DISPLAY names."""

    window_class = "tonescope"  # of the X window in which the program shows

    def __init__(self, size="1600x1000"):
        self.name, self.process, self.kept = os.environ.get("TONESCOPE_E2E_DISPLAY"), None, None
        if self.name:
            self.kept = display.Display(self.name)  # a server without clients may reset itself, just when one comes
            return
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "+extension", "GLX", "-noreset",
             "-r"],  # a key that a busy machine holds for long is still one key
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            self.name = ":" + pipe.readline().strip()
        if self.name == ":":
            raise Failed("Xvfb did not start")

    def environment(self):
        """What a program needs that is to show here."""
        return {"DISPLAY": self.name}

    def find_inset(self, window):
        """Where the contents of a Window begin in its X window."""
        return 0, 0

    def close(self):
        if self.kept:
            self.kept.close()
        if self.process:
            self.process.terminate()
            self.process.wait()


class WaylandDisplay(Display):
    """Weston in a window of a virtual X display. Its kiosk shell gives the program all of it, so that places are known, and its
    seat has the X server's pointer and keyboard."""

    window_class = "weston-1"

    def __init__(self, size):
        super().__init__(size)
        self.compositor, self.folder = None, tempfile.TemporaryDirectory(prefix="tonescope-weston-")
        width, height = self.size = [int(side) for side in size.split("x")]
        self.log = os.path.join(self.folder.name, "weston.log")
        self.compositor = subprocess.Popen(
            ["weston", "--backend=x11-backend.so", "--shell=kiosk-shell.so", "--use-pixman", "--no-config", "--idle-time=0",
             f"--width={width}", f"--height={height}", "--socket=wayland-test", f"--log={self.log}"],
            env=dict(os.environ, DISPLAY=self.name, XDG_RUNTIME_DIR=self.folder.name), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: self.compositor.poll() is not None or os.path.exists(os.path.join(self.folder.name, "wayland-test")),
                       "Weston's socket")
            if self.compositor.poll() is not None:
                with open(self.log) as log:
                    raise Failed(f"Weston ended with {self.compositor.returncode}: {log.read()}")
        except Failed:
            self.close()
            raise

    def environment(self):
        return {"WAYLAND_DISPLAY": "wayland-test", "XDG_RUNTIME_DIR": self.folder.name}

    def find_inset(self, window):
        """GLFW draws a frame around the contents, and how Weston places that is its own affair: the pointer tells."""
        x, y = (side // 2 for side in self.size)
        sent_at = 0

        def places(state):
            nonlocal sent_at
            if time.monotonic() > sent_at + 1:  # Weston has no pointer for a window that it is just placing
                for step in (1, 0):
                    xtest.fake_input(window.x, X.MotionNotify, x=x - step, y=y)
                window.x.sync()
                sent_at = time.monotonic()
            found = x - int(state["input"]["x"]), y - int(state["input"]["y"])
            return found if 0 <= found[0] < 40 and 0 <= found[1] < 40 else None

        window.inset = places(window.wait(places, "the pointer"))
        window.wait(lambda s: s["resting"], "the first frames")
        window.inset = places(window.state()) or window.inset
        window.click_at(x - window.inset[0], y - window.inset[1])  # Weston may give the keyboard to nobody before
        return window.inset

    def close(self):
        self.compositor.terminate()
        self.compositor.wait()
        super().close()
        self.folder.cleanup()


class Window:
    """tonescope in a window on a Display."""

    def __init__(self, binary, on, *args, size="1280x800", drawn=True, env=None):
        """Not drawn: software OpenGL does all but compute pixels, which takes a third of the time."""
        self.folder = tempfile.TemporaryDirectory(prefix="tonescope-e2e-")
        self.state_path = os.path.join(self.folder.name, "state.json")
        self.version = self.last_state = None  # of the file as it was read last
        self.drawn = drawn
        self.errors = open(os.path.join(self.folder.name, "stderr"), "w+")
        # LP_NUM_THREADS: software OpenGL draws where it is called, since another test runs on the next core.
        # MESA_SHADER_CACHE_DIR: every window has the same shaders; compiling them takes longer than many frames.
        environment = dict(os.environ, HOME=self.folder.name, LP_NUM_THREADS="0", MESA_SHADER_CACHE_DIR=os.path.expanduser("~/.cache"))
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            environment.pop(name, None)
        environment.update(on.environment())
        if not drawn:
            environment["LP_NO_RAST"] = "true"
        for name in ("CONFIG", "STATE", "CACHE"):
            environment[f"XDG_{name}_HOME"] = os.path.join(self.folder.name, ".xdg", name.lower())
        environment.update(env or {})
        self.process = subprocess.Popen([binary, "--ui-state", self.state_path, "--size", size, *args], env=environment,
                                        stderr=self.errors, cwd=self.folder.name)
        self.x = display.Display(on.name)
        self.window, self.window_class, self.inset = None, on.window_class, (0, 0)
        self.keys_down, self.buttons_down = 0, 0
        self.last_notice = -1  # id of the last notice that was waited for
        self.wait(lambda s: s["widgets"], "the first frame")
        self._find_window()
        self.inset = on.find_inset(self)

    def close(self):
        if self.errors.closed:
            return
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        with contextlib.suppress(error.ConnectionClosedError):  # its display may be gone
            self.x.close()
        self.errors.close()
        self.folder.cleanup()

    # What the window says

    def state(self):
        """What --ui-state says; None before the first frame."""
        try:
            found = os.stat(self.state_path)
            if (version := (found.st_ino, found.st_mtime_ns)) != self.version:
                with open(self.state_path) as file:
                    self.last_state = json.load(file)
                self.version = version
        except FileNotFoundError:
            return None
        return self.last_state

    def wait(self, condition, what, patience_s=PATIENCE_S):
        """Waits until condition(state) is true and returns that state."""
        end = time.monotonic() + patience_s
        late = False
        while not late:  # looks once more after the end: this program may have stood still itself
            late = time.monotonic() >= end
            if self.process.poll() is not None:
                self.errors.seek(0)
                raise Failed(f"the program ended with {self.process.returncode} while waiting for {what}: {self.errors.read()}")
            state = self.state()
            if state is not None and condition(state):
                return state
            time.sleep(0.02)
        summary = {k: v for k, v in (state or {}).items() if k not in ("widgets", "frame")}
        labels = [w["label"] for w in (state or {}).get("widgets", [])]
        raise Failed(f"waited {patience_s} s in vain for {what}: {json.dumps(summary)}; widgets {labels}")

    def settle(self):
        """Waits until the newest result is on screen."""
        return self.wait(lambda s: not s["busy"] and s["up_to_date"] and s["document"]["width"] > 0, "the result")

    def cpu_s(self):
        """Processor time that the program has used: what it does to the machine, however much else that has to do."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            user, system = file.read().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def notice(self, text):
        """Waits for a notice with this in it that is newer than the last one that was waited for; it may have gone since."""
        def newer(state):
            return next((n for n in state["recent_notices"] if n["id"] > self.last_notice and text in n["text"]), None)
        found = newer(self.wait(newer, f"the notice {text!r}"))
        self.last_notice = found["id"]
        return found["text"]

    def rest(self, patience_s=2):
        """Waits until no further frame is due, or for a while where frames keep coming."""
        end = time.monotonic() + patience_s
        while time.monotonic() < end and self.process.poll() is None and not self.state()["resting"]:
            time.sleep(0.01)

    def widget(self, label):
        """Rectangle (x, y, width, height) of a widget, window pixels."""
        def rect(state):
            return next((w["rect"] for w in state["widgets"] if w["label"] == label), None)
        self.wait(rect, f"widget {label!r}")
        self.rest()
        return rect(self.state()) or rect(self.wait(rect, f"widget {label!r}"))

    def has_widget(self, label):
        return any(w["label"] == label for w in self.state()["widgets"])

    # Input

    def _find_window(self):
        def walk(window):
            name = window.get_wm_class()
            if name and self.window_class in name:
                return window
            for child in window.query_tree().children:
                inner = walk(child)
                if inner is not None:
                    return inner
            return None
        self.window = walk(self.x.screen().root)
        if self.window is None:
            raise Failed("no window of the program on the display")
        self.window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.x.sync()

    def _seen(self, condition, what):
        """Waits until a frame has seen the input that was sent."""
        self.x.sync()
        if self.process.poll() is None:
            try:
                self.wait(lambda s: condition(s["input"]), f"{what} to be seen")
            except Failed:
                if self.process.poll() is None:
                    raise

    def _root(self, x, y):
        at = self.window.translate_coords(self.x.screen().root, 0, 0)
        left, top = self.inset
        return int(x) + left - at.x, int(y) + top - at.y

    def move(self, x, y):
        def is_there(given):
            return (given["x"], given["y"]) == (int(x), int(y))
        for near in (0, 1):  # a window that is just being moved or mapped anew is told nothing: then once more, from beside
            rx, ry = self._root(x, y)
            for step in (near, 0):
                xtest.fake_input(self.x, X.MotionNotify, x=rx + step, y=ry)
            self.x.sync()
            end = time.monotonic() + 3
            while near == 0 and time.monotonic() < end and self.process.poll() is None:
                if is_there(self.state()["input"]):
                    return
                time.sleep(0.01)
        self._seen(is_there, f"the pointer at {int(x)}, {int(y)}")

    def _button(self, button, down):
        bit = {1: 1, 3: 2, 2: 4}[button]
        self.buttons_down = self.buttons_down | bit if down else self.buttons_down & ~bit
        xtest.fake_input(self.x, X.ButtonPress if down else X.ButtonRelease, button)
        self._seen(lambda i: i["buttons"] == self.buttons_down, f"button {button}")

    def press(self, button=1):
        self._button(button, True)

    def release(self, button=1):
        self._button(button, False)
        self.rest()

    def click_at(self, x, y, button=1):
        self.move(x, y)
        self.press(button)
        self.release(button)

    def center(self, label, fraction=0.5):
        x, y, w, h = self.widget(label)
        return x + w * fraction, y + h / 2

    def click(self, label, button=1, fraction=0.5):
        self.click_at(*self.center(label, fraction), button)

    def double_click(self, label):
        self.move(*self.center(label))
        presses = self.state()["input"]["presses"] + 2
        for down in (True, False, True, False):  # at once: the two must not lie far apart
            xtest.fake_input(self.x, X.ButtonPress if down else X.ButtonRelease, 1)
        self._seen(lambda i: i["presses"] == presses and i["buttons"] == 0, "the double click")
        self.rest()

    def drag(self, start, end, steps=12, button=1, each=None):
        self.move(*start)
        self.press(button)
        for i in range(1, steps + 1):
            self.move(start[0] + (end[0] - start[0]) * i / steps, start[1] + (end[1] - start[1]) * i / steps)
            if each:
                each()
        self.release(button)

    def wheel(self, x, y, clicks):
        """Positive turns zoom in."""
        self.move(x, y)
        turns = self.state()["input"]["turns"] + clicks
        for _ in range(abs(clicks)):
            for kind in (X.ButtonPress, X.ButtonRelease):
                xtest.fake_input(self.x, kind, 4 if clicks > 0 else 5)
        self._seen(lambda i: i["turns"] == turns, "the wheel")
        self.rest()

    def _code(self, name):
        if name == "AltGr":  # its symbol is also on a key that no keyboard has
            return 108
        symbol = XK.string_to_keysym(name)
        return self.x.keysym_to_keycode(symbol)

    def _key(self, code, down):
        self.keys_down += 1 if down else -1
        xtest.fake_input(self.x, X.KeyPress if down else X.KeyRelease, code)
        self._seen(lambda i: i["keys"] == self.keys_down, "the key")

    def strike(self, name, *modifiers):
        """As key(), but from the press on as fast as it goes, the modifiers released first: that may be one frame."""
        codes = [self._code(n) for n in (*modifiers, name)]
        for code in codes[:-1]:
            self._key(code, True)
        strokes = self.state()["input"]["strokes"] + 1
        xtest.fake_input(self.x, X.KeyPress, codes[-1])
        for code in codes:
            xtest.fake_input(self.x, X.KeyRelease, code)
        self.keys_down -= len(modifiers)
        self._seen(lambda i: i["strokes"] >= strokes and i["keys"] == self.keys_down, f"the key {name}")

    def key(self, name, *modifiers):
        """key("o", "Control_L"), key("F11")."""
        codes = [self._code(n) for n in (*modifiers, name)]
        for code in codes[:-1]:
            self._key(code, True)
        strokes = self.state()["input"]["strokes"] + 1
        for down in (True, False):  # at once: a key held down while frames are slow would repeat
            xtest.fake_input(self.x, X.KeyPress if down else X.KeyRelease, codes[-1])
        self._seen(lambda i: i["strokes"] >= strokes and i["keys"] == self.keys_down, f"the key {name}")
        for code in reversed(codes[:-1]):
            self._key(code, False)
        self.rest()

    def use_layout(self, name):
        """Of the whole display, by setxkbmap."""
        subprocess.run(["setxkbmap", "-display", self.x.get_display_name(), name], check=True, capture_output=True)
        self.x.refresh_keyboard_mapping(event.MappingNotify(request=X.MappingKeyboard, first_keycode=8, count=248))

    def hold(self, name, down):
        """Presses a key, or lets it go."""
        self._key(self._code(name), down)

    def type(self, text):
        """Letters, digits and . / - _ : and blanks, as fast as they go: a frame may see several."""
        names = {".": "period", "/": "slash", "-": "minus", "_": "minus", ":": "semicolon", " ": "space"}
        strokes = self.state()["input"]["strokes"]

        def seen():
            self._seen(lambda i: i["strokes"] >= strokes and i["keys"] == self.keys_down, f"the text {text!r}")

        before = []
        for letter in text:
            codes = [self._code("Shift_L")] if letter.isupper() or letter in "_:" else []
            codes.append(self._code(names.get(letter, letter.lower())))
            if set(codes) & set(before):  # GLFW takes a key that comes back at once for one that is held
                seen()
            for code in codes:
                xtest.fake_input(self.x, X.KeyPress, code)
            for code in reversed(codes):
                xtest.fake_input(self.x, X.KeyRelease, code)
            self.x.sync()
            time.sleep(0.002)  # it takes a second press of a key within a millisecond for the same one
            strokes += len(codes)
            before = codes
        seen()
        self.rest()

    def clipboard_text(self):
        """As another program gets it."""
        clipboard, utf8, place = (self.x.intern_atom(name) for name in ("CLIPBOARD", "UTF8_STRING", "TONESCOPE_TEST"))
        asker = self.x.screen().root.create_window(0, 0, 10, 10, 0, X.CopyFromParent)
        asker.convert_selection(clipboard, utf8, place, X.CurrentTime)
        self.x.flush()
        answer = wait_until(lambda: next((e for e in (self.x.next_event() for _ in range(self.x.pending_events()))
                                          if e.type == X.SelectionNotify and e.requestor == asker), None),
                            "an answer for the clipboard")
        text = asker.get_full_property(place, X.AnyPropertyType).value if answer.property else b""
        asker.destroy()
        return text.decode()

    # Pixels

    def pixels(self, x, y, width, height):
        """Rows of (r, g, b) of a part of the window, which must be drawn."""
        if not self.drawn:
            raise Failed("a window that is not drawn has no pixels; open it with drawn=True")
        width, height = int(width), int(height)
        left, top = self.inset
        image = self.window.get_image(int(x) + left, int(y) + top, width, height, X.ZPixmap, 0xFFFFFFFF)
        data = image.data
        return [[(data[i + 2], data[i + 1], data[i]) for i in range(row * width * 4, (row + 1) * width * 4, 4)]
                for row in range(height)]

    # Drag and drop (XDND), as a file manager does it

    def ask_to_close(self):
        """As a window manager does for the button in the window's frame."""
        atom = self.x.intern_atom
        self.window.send_event(event.ClientMessage(window=self.window, client_type=atom("WM_PROTOCOLS"),
                                                   data=(32, [atom("WM_DELETE_WINDOW"), X.CurrentTime, 0, 0, 0])))
        self.x.sync()

    def drop(self, *paths, at=None):
        """`at`: a place in the window; where it is left out, one in which files are opened, not compared with."""
        d = self.x
        atom = d.intern_atom
        source = d.screen().root.create_window(0, 0, 10, 10, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
        uris = "".join(f"file://{quote(path)}\r\n" for path in paths).encode()
        uri_list = atom("text/uri-list")
        selection = atom("XdndSelection")
        source.set_selection_owner(selection, X.CurrentTime)
        source.change_property(atom("XdndTypeList"), 4, 32, [uri_list])
        size = self.state()["window"]
        rx, ry = self._root(*(at or (size["width"] * 0.6, size["height"] * 0.75)))

        def send(name, data):
            self.window.send_event(event.ClientMessage(window=self.window, client_type=atom(name), data=(32, data)))
            d.flush()

        send("XdndEnter", [source.id, 5 << 24, uri_list, 0, 0])
        send("XdndPosition", [source.id, 0, rx << 16 | ry, X.CurrentTime, atom("XdndActionCopy")])
        end = time.monotonic() + PATIENCE_S
        dropped = False
        while time.monotonic() < end:
            while d.pending_events():
                e = d.next_event()
                if e.type == X.ClientMessage and e.client_type == atom("XdndStatus") and not dropped:
                    send("XdndDrop", [source.id, 0, X.CurrentTime, 0, 0])
                    dropped = True
                elif e.type == X.ClientMessage and e.client_type == atom("XdndFinished"):
                    source.destroy()
                    return
                elif e.type == X.SelectionRequest:
                    e.requestor.change_property(e.property, e.target, 8, uris)
                    e.requestor.send_event(event.SelectionNotify(time=e.time, requestor=e.requestor, selection=e.selection,
                                                                 target=e.target, property=e.property))
                    d.flush()
            time.sleep(0.01)
        raise Failed("the window did not take the drop")
