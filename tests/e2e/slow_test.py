"""End-to-end tests of a window that waits for something: a disk that does not answer, a clipboard whose owner hangs."""

import os
import shlex
import subprocess
import sys
import time

from Xlib import X, display
from Xlib.ext import xtest
from Xlib.protocol import event

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import BINARY, PATIENCE_S, SMALL, FolderTest, WindowTest, colorful, main, stays, wait_until, write_ppm  # noqa: E402
from image_files import png_size  # noqa: E402
from slow_disk import SlowDisk  # noqa: E402


class SlowDisks(FolderTest):
    size = SMALL

    def setUp(self):
        super().setUp()
        self.disk = SlowDisk(self.dir)
        self.slow, self.hold, self.stall, self.go_on = self.disk.folder, self.disk.hold, self.disk.stall, self.disk.go_on
        for name in ("a.ppm", "b.ppm", "c.ppm", "d.ppm", "e.ppm"):
            write_ppm(self.path("slow", name), 120 if name == "a.ppm" else 90, 60, colorful)

    def open(self, *args):
        return super().open(*args, **self.disk.environment)

    def open_beside_an_older_result(self):
        window = self.open(self.path("slow", "a.ppm"))
        window.settle()
        target = self.path("slow", "a-clahe.png")
        with open(target, "w") as file:
            file.write("older")
        return window, target

    def works(self, window):
        """It shows that something takes long, and yet does what it is asked to."""
        window.wait(lambda s: any(w["label"] == "progress" for w in s["widgets"]), "the progress")
        for key, mode in (("5", "single"), ("1", "side-by-side")):
            window.key(key)
            window.wait(lambda s: s["view"]["mode"] == mode, "the mode " + mode)

    def test_the_next_image(self):
        window = self.open(self.path("slow", "a.ppm"))
        window.settle()
        self.stall()
        window.key("Down")
        self.works(window)
        window.key("Escape")
        window.wait(lambda s: not s["busy"], "the search to end")
        self.go_on()
        stays(lambda: window.state()["document"]["image"] == self.path("slow", "a.ppm"), "the image stays", 0.3)
        window.key("Down")
        window.wait(lambda s: s["document"]["width"] == 90, "another image")  # not always the next: a held key repeats

    def test_a_step_is_not_lost_where_the_image_between_is_broken(self):
        with open(self.path("slow", "b.ppm"), "w") as file:
            file.write("P6 broken")
        window = self.open(self.path("slow", "a.ppm"))
        window.settle()
        with open(self.hold + ".crawl", "w"):
            pass
        window.key("Down")
        window.key("Down")
        window.wait(lambda s: s["document"]["image"] == self.path("slow", "d.ppm"), "the second image after it")

    def test_the_state_of_the_last_run(self):
        self.disk.environment["TONESCOPE_STATE"] = self.path("slow", "state.json")
        self.stall()
        window = self.open(self.image)
        self.go_on()
        self.assertRegex(window.notice("state"), "does not answer$")
        window.settle()
        window.close()
        self.assertFalse(os.path.exists(self.path("slow", "state.json")))

    def test_recent_files_on_a_disk_that_does_not_answer(self):
        window = self.open(self.path("slow", "a.ppm"))
        window.settle()
        self.stall()
        for i in range(5):  # one more than workers that list folders
            name = os.path.join(window.folder.name, f"{i}.ppm")
            write_ppm(name, 30 + i, 20, colorful)
            window.drop(name)
            window.wait(lambda s: s["document"]["width"] == 30 + i and s["up_to_date"], name)
        window.key("o", "Control_L")
        window.widget("entry:4.ppm")

    def test_opening_and_dropping(self):
        window = self.open(self.image)
        window.settle()
        self.stall()
        window.drop(self.slow)
        self.works(window)
        window.key("Escape")
        window.wait(lambda s: not s["busy"], "the search to end")
        window.drop(self.slow)
        self.works(window)
        self.go_on()
        window.wait(lambda s: len(s["document"]["images"]) == 6 and s["document"]["width"] == 120, "the dropped folder")

    def test_a_folder_that_cannot_be_listed(self):
        window = self.open(self.image)
        window.settle()
        with open(self.hold + ".broken", "w"):
            pass
        window.drop(self.slow)
        window.notice("cannot list " + self.slow)

    def test_saving_where_a_file_may_be_in_the_way(self):
        window, target = self.open_beside_an_older_result()
        window.key("s", "Control_L")
        window.widget("entry:a.ppm")
        self.stall()
        window.click("button:Save")
        self.works(window)
        window.key("Escape")
        window.notice("Saving was canceled")
        self.go_on()
        window.key("s", "Control_L")
        window.click("button:Save")
        window.widget("button:Replace")
        self.stall(".write")
        window.click("button:Replace")
        self.works(window)
        self.assertEqual(next(w["value"] for w in window.state()["widgets"] if w["label"] == "busy"), "Saving")
        window.key("Escape")
        window.wait(lambda s: not s["busy"], "the window to wait no longer")
        self.go_on(".write")
        window.notice("canceled")
        with open(target) as file:
            self.assertEqual(file.read(), "older")
        self.assertEqual(sorted(os.listdir(self.slow)), ["a-clahe.png"] + [name + ".ppm" for name in "abcde"])

    def save(self, window, *modifiers):
        window.key("s", "Control_L", *modifiers)
        window.click("button:Save")
        window.wait(lambda s: not any(w["label"] == "File name" for w in s["widgets"]), "the browser to close")

    def test_what_was_on_screen_is_saved(self):
        window = self.open(self.path("slow", "a.ppm"), self.image)
        window.settle()
        self.stall()
        self.save(window)
        window.key("Down")
        window.wait(lambda s: s["document"]["width"] == 160 and s["up_to_date"], "the other image")
        self.go_on()
        window.notice("Saved")
        self.assertEqual(png_size(self.path("slow", "a-clahe.png")), (120, 60))

    def test_of_two_saves_under_one_name_the_newer_stays(self):
        window = self.open(self.path("slow", "a.ppm"), "--set", "tile_size=16")
        window.settle()
        target, elsewhere = self.path("slow", "a-clahe.png"), self.path("elsewhere")
        os.mkdir(elsewhere)
        for switch, fraction in (("", 0.9), (".stat", 0.5)):
            self.stall(switch)
            self.save(window)
            window.drag(window.center("Clip limit", 0.1), window.center("Clip limit", fraction))
            command = window.wait(lambda s: s["up_to_date"], "the new limit")["command_line"]
            self.assertNotIn("clip_limit=3.00", command)
            self.save(window)
            if switch:
                self.answer_until_written(target)  # whichever of the two it is: for the other the file is there now
            self.go_on(switch)
            window.wait(lambda s: not s["busy"], "the saves to end")
            self.assertFalse(window.has_widget("button:Replace"))
            subprocess.run([BINARY, *shlex.split(command)[1:]], check=True, timeout=60, cwd=elsewhere, stdout=subprocess.DEVNULL)
            with open(os.path.join(elsewhere, "a-clahe.png"), "rb") as newer, open(target, "rb") as saved:
                self.assertEqual(saved.read(), newer.read())
            os.remove(target)

    def answer_until_written(self, path):
        """The disk answers one question after the other."""
        while not os.path.exists(path):
            self.stall(".next")
            wait_until(lambda: not os.path.exists(self.hold + ".next"), "a question")
            end = time.monotonic() + 1
            while not os.path.exists(path) and time.monotonic() < end:
                time.sleep(0.05)

    def test_quitting_waits_for_what_is_to_be_saved(self):
        window = self.open(self.path("slow", "a.ppm"))
        window.settle()
        self.stall()
        self.save(window)
        codes = [window._code(name) for name in ("Control_L", "q")]
        for kind, order in ((X.KeyPress, codes), (X.KeyRelease, codes[::-1])):
            for code in order:
                xtest.fake_input(window.x, kind, code)
        window.x.sync()
        stays(lambda: window.process.poll() is None, "the window waits", 0.3)
        self.go_on()
        self.assertEqual(window.process.wait(PATIENCE_S), 0)
        self.assertEqual(png_size(self.path("slow", "a-clahe.png")), (120, 60))

    def test_quitting_asks_about_a_file_that_turns_out_to_be_in_the_way(self):
        window, target = self.open_beside_an_older_result()
        for answer in ("button:Replace", None):
            self.stall()
            self.save(window)
            window.ask_to_close()
            stays(lambda: window.process.poll() is None, "the window waits", 0.3)
            self.go_on()
            window.widget("button:Replace")
            if answer:
                window.click(answer)
                window.notice("Saved")
                self.assertEqual(png_size(target), (120, 60))
                with open(target, "w") as file:
                    file.write("the user's")
        window.ask_to_close()
        self.assertEqual(window.process.wait(PATIENCE_S), 0)
        with open(target) as file:
            self.assertEqual(file.read(), "the user's")
        window.errors.seek(0)
        self.assertIn("not saved: " + target, window.errors.read())

    def test_two_files_in_the_way(self):
        window = self.open(self.path("slow", "a.ppm"))
        window.settle()
        result, view = self.path("slow", "a-clahe.png"), self.path("slow", "a-view.png")
        for target in (result, view):
            with open(target, "w") as file:
                file.write("older")
        self.stall()
        self.save(window)
        self.save(window, "Shift_L")
        self.go_on()
        told = set()
        for _ in range(2):
            window.click("button:Replace")
            told.add(window.notice("Saved"))
        self.assertEqual(told, {f"Saved {target}" for target in (result, view)})
        self.assertEqual(png_size(result), (120, 60))
        self.assertGreater(png_size(view)[0], 300)


class HangingClipboard(WindowTest):
    """Another program owns the clipboard."""

    size = SMALL

    def own(self, answer, kind="UTF8_STRING"):
        """Serves requests for the clipboard's text of this kind while the test runs step() and refuses others; None:
        takes no notice of them."""
        other = display.Display(self.display.name)
        self.addCleanup(other.close)
        window = other.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        window.set_selection_owner(other.intern_atom("CLIPBOARD"), X.CurrentTime)
        other.sync()

        def step():
            while other.pending_events():
                e = other.next_event()
                if e.type != X.SelectionRequest or answer is None:
                    continue
                is_served = e.target == other.intern_atom(kind)
                if is_served:
                    e.requestor.change_property(e.property, e.target, 8, answer)
                e.requestor.send_event(event.SelectionNotify(time=e.time, requestor=e.requestor, selection=e.selection,
                                                             target=e.target, property=e.property if is_served else X.NONE))
                other.flush()
        return step

    def palette(self):
        window = self.open()
        window.key("p", "Control_L", "Shift_L")
        window.widget("Command")
        return window

    def first_command(self, window):
        return next((w["label"] for w in window.state()["widgets"] if w["value"] == "current"), "")

    def test_pasting_text_does_not_wait_for_it(self):
        window = self.palette()
        self.own(None)
        window.key("v", "Control_L")
        window.key("Escape")
        window.wait(lambda s: not any(w["label"] == "Command" for w in s["widgets"]), "the palette to close")

    def test_pasted_text_arrives(self):
        self.paste(b"full scr", "UTF8_STRING")

    def test_text_of_an_older_program_arrives(self):
        self.paste(b"full scr", "STRING")

    def paste(self, text, kind):
        window = self.palette()
        step = self.own(text, kind)
        hold = [window._code(name) for name in ("Control_L", "v")]
        for code in hold:
            xtest.fake_input(window.x, X.KeyPress, code)
        window.x.sync()
        wait_until(lambda: step() or self.first_command(window) == "command:Full screen", "the command")
        for code in hold:
            xtest.fake_input(window.x, X.KeyRelease, code)
        window.x.sync()


if __name__ == "__main__":
    main()
