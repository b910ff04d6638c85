"""--list: the exact structure that scripts rely on, and the table for people."""
import harness
from harness import Case

PARAMETER_KEYS = {"id", "kind", "min", "max", "step", "values", "default", "unit", "help"}
VARIANT_KEYS = {"id", "name", "source", "backend", "available", "memory", "parameters", "idea", "cost", "flaw"}


class Json(Case):
    def check_parameter(self, parameter):
        self.assertLessEqual(PARAMETER_KEYS, parameter.keys())
        numbers = [parameter[key] for key in ("min", "max", "step")]
        self.assertIsInstance(parameter["unit"], str)
        self.assertTrue(parameter["help"])
        if parameter["kind"] == "choice":
            self.assertEqual(numbers, [None, None, None])
            self.assertIn(parameter["default"], parameter["values"])
            return
        self.assertIn(parameter["kind"], ("int", "decimal"))
        self.assertIsNone(parameter["values"])
        self.assertTrue(parameter["min"] <= parameter["default"] <= parameter["max"])
        self.assertGreater(parameter["step"], 0)
        for number in numbers + [parameter["default"]]:
            self.assertIsInstance(number, int if parameter["kind"] == "int" else float)

    def test_structure(self):
        listing = harness.listing()
        self.assertEqual(set(listing), {"memory_modes", "operators"})
        self.assertEqual([op["id"] for op in listing["operators"]], ["he", "clahe", "kuwahara", "histogram"])
        for op in listing["operators"]:
            self.assertLessEqual({"id", "parameters", "variants"}, op.keys())
            for parameter in op["parameters"]:
                self.check_parameter(parameter)
            ids = [variant["id"] for variant in op["variants"]]
            self.assertEqual(len(ids), len(set(ids)))
            self.assertEqual([v["reference"] for v in op["variants"]].count(True), 1)
            for variant in op["variants"]:
                self.assertLessEqual(VARIANT_KEYS, variant.keys())
                self.assertIn(variant["backend"], ("cpu", "cuda"))
                self.assertIs(type(variant["available"]), bool)
                self.assertTrue(variant["available"] or variant["backend"] == "cuda")
                self.assertIn(variant["memory"], [None] + listing["memory_modes"])
                for text in ("name", "idea", "cost", "flaw"):
                    self.assertTrue(variant[text], (op["id"], variant["id"], text))
                for parameter in variant["parameters"]:
                    self.check_parameter(parameter)

    def test_parameters_of_the_design(self):
        tables = {op["id"]: {p["id"]: p for p in op["parameters"]} for op in harness.listing()["operators"]}
        self.assertEqual(set(tables["he"]), {"color"})
        self.assertEqual(tables["he"]["color"]["values"], ["luma", "channels", "gray"])
        self.assertEqual(tables["histogram"], {})

        def numbers(op, name):
            parameter = tables[op][name]
            return tuple(parameter[key] for key in ("kind", "min", "max", "step", "default"))
        self.assertEqual(numbers("clahe", "tile_size"), ("int", 8, 1024, 1, 64))
        self.assertEqual(numbers("clahe", "grid_columns"), ("int", 1, 64, 1, 8))
        self.assertEqual(numbers("clahe", "grid_rows"), ("int", 1, 64, 1, 8))
        self.assertEqual(numbers("clahe", "clip_limit"), ("decimal", 0.0, 256.0, 0.01, 3.0))
        self.assertEqual(numbers("clahe", "clip_count"), ("int", 0, 2**30, 1, 40))
        self.assertEqual(numbers("kuwahara", "radius"), ("int", 1, 64, 1, 4))
        for name, values in (("tiles", ["size", "grid"]), ("clip_unit", ["slope", "count"]),
                             ("excess", ["spread", "drop"]), ("color", ["luma", "channels", "gray"])):
            self.assertEqual((tables["clahe"][name]["values"], tables["clahe"][name]["default"]), (values, values[0]))


class Table(Case):
    def test_names_everything(self):
        text = self.good("--list").out
        for op in harness.listing()["operators"]:
            for entry in [op] + op["parameters"] + op["variants"]:
                self.assertIn(entry["id"], text)
        self.assertLess(len(text.splitlines()), 400)


if __name__ == "__main__":
    harness.main()
