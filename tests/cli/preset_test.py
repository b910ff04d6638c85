"""--preset: by name and from a file, overridden by --set, refused where it is wrong."""
import json
import os

from harness import Case, main, read_pnm


class Presets(Case):
    def setUp(self):
        super().setUp()
        self.env = {**os.environ, "XDG_CONFIG_HOME": self.path("config")}
        self.folder = self.path("config", "tonescope", "presets")
        os.makedirs(self.folder)

    def write(self, path, **preset):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(preset, file)

    def result(self, *args):
        self.good("--headless", "-i", "a.pgm", "-o", "out.pgm", *args, env=self.env)
        return read_pnm(self.path("out.pgm"))

    def refuse(self, *args, says):
        result = self.run_here("--headless", "-i", "a.pgm", "-o", "none.pgm", *args, env=self.env)
        self.assertEqual(result.status, 2, result.err)
        self.assertRegex(result.err, r"\Atonescope: [^\n]+\n\Z")
        for text in says:
            self.assertIn(text, result.err)
        self.assertNotIn("none.pgm", self.files())

    def test_by_name_and_from_a_file_as_with_set(self):
        self.write(os.path.join(self.folder, "paint it.json"), operator="kuwahara", parameters={"radius": 2})
        self.write(self.path("p.json"), name="other", operator="clahe", parameters={"clip_limit": 2.25, "tile_size": 16})
        self.assertEqual(self.result("--preset", "paint it"), self.result("--op", "kuwahara", "--set", "radius=2"))
        self.assertEqual(self.result("--preset", "p.json"), self.result("--set", "clip_limit=2.25", "--set", "tile_size=16"))
        self.assertEqual(self.result("--preset", self.path("p.json")), self.result("--preset", "p.json"))

    def test_set_overrides_wherever_it_stands(self):
        self.write(self.path("p.json"), operator="kuwahara", parameters={"radius": 2})
        expected = self.result("--op", "kuwahara", "--set", "radius=5")
        self.assertNotEqual(expected, self.result("--preset", "p.json"))
        self.assertEqual(self.result("--set", "radius=5", "--preset", "p.json"), expected)
        self.assertEqual(self.result("--preset", "p.json", "--set", "radius=5", "--op", "kuwahara"), expected)

    def test_wrong_presets_are_refused(self):
        self.refuse("--preset", "gone", says=("--preset", "no presets"))
        self.write(os.path.join(self.folder, "soft.json"), operator="clahe", parameters={})
        self.refuse("--preset", "gone", says=("unknown preset", "soft"))
        self.refuse("--preset", "soft", "--op", "he", says=("is for clahe", "--op"))
        self.refuse("--preset", "gone.json", says=("gone.json", "no such file"))
        self.refuse("--preset", "", says=("--preset is empty",))
        for preset, why in (({}, "operator"), ({"operator": "x"}, "unknown operator x"),
                            ({"operator": "clahe", "parameters": {"radius": 1}}, "radius"),
                            ({"operator": "clahe", "parameters": {"tile_size": 4}}, "tile_size")):
            self.write(self.path("bad.json"), **preset)
            self.refuse("--preset", "bad.json", says=("bad.json", why))
        with open(self.path("bad.json"), "wb") as file:
            file.write(b"\x00\xff{")
        self.refuse("--preset", "bad.json", says=("bad.json", "JSON"))


if __name__ == "__main__":
    main()
