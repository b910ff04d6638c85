"""--list: the exact structure that scripts rely on, and the table for people."""
import os

import harness
from harness import Case

OPERATORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../gpu/ops")

PARAMETER_KEYS = {"id", "kind", "min", "max", "step", "values", "default", "unit", "help"}
VARIANT_KEYS = {"id", "name", "source", "backend", "available", "memory", "builds_on", "same_kernels_as", "parameters", "idea",
                "cost", "flaw", "wrong_by_design"}


def operator_folders():
    return sorted(entry.name for entry in os.scandir(OPERATORS) if entry.is_dir())


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
        self.assertEqual(set(listing), {"memory_modes", "operators", "experiments", "usage", "options"})
        self.assertEqual(sorted(op["id"] for op in listing["operators"]), operator_folders())
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
                self.assertIn(variant["builds_on"], [None] + ids)
                self.assertIn(variant["same_kernels_as"], [None] + ids)
                for text in ("name", "idea", "cost", "flaw"):
                    self.assertTrue(variant[text], (op["id"], variant["id"], text))
                for parameter in variant["parameters"]:
                    self.check_parameter(parameter)

    def test_experiments(self):
        listing = harness.listing()
        variants = {op["id"]: {variant["id"] for variant in op["variants"]} for op in listing["operators"]}
        experiments = listing["experiments"]
        self.assertEqual({experiment["report"] for experiment in experiments}, {"A", "B", "C", "D", "E", None})
        self.assertEqual(len({experiment["id"] for experiment in experiments}), len(experiments))
        for experiment in experiments:
            self.assertTrue(experiment["title"] and experiment["shows"] and experiment["sizes"], experiment)
            self.assertLessEqual(set(experiment["variants"]), variants[experiment["operator"]])
        teams = next(experiment for experiment in experiments if experiment["id"] == "a-teams")
        self.assertEqual((teams["variants"], teams["sweep"]), (["split"], "teams=2,4,8,16,32,64"))
        self.assertIn("tile_size=16", teams["parameters"])


class Table(Case):
    def test_names_everything(self):
        text = self.good("--list").out
        for op in harness.listing()["operators"]:
            for entry in [op] + op["parameters"] + op["variants"]:
                self.assertIn(entry["id"], text)
        for experiment in harness.listing()["experiments"]:
            self.assertIn(experiment["id"], text)
            self.assertIn(experiment["shows"], text)
        self.assertLess(len(text.splitlines()), 400)


if __name__ == "__main__":
    harness.main()
