"""What the command line does where there is a GPU. Exit status 77, which ctest shows as skipped, where there is none."""
import sys

import harness
from harness import Case


class Gpu(Case):
    def test_auto_takes_cuda_and_bytes_agree(self):
        for op in ("he", "clahe", "kuwahara"):
            for name in ("a.pgm", "c.ppm"):
                run = ("--headless", "-i", name, "--op", op, "-o")
                self.good(*run, "auto.pnm", "--report", "r.json")
                self.good(*run, "cpu.pnm", "--backend", "cpu")
                image = self.read_json("r.json")["images"][0]
                self.assertEqual(image["backend"], "cuda")
                self.assertIn("upload", [stage["stage"] for stage in image["stages"]])
                self.assertEqual(harness.read_pnm(self.path("auto.pnm")), harness.read_pnm(self.path("cpu.pnm")))

    def test_every_memory_mode(self):
        self.good("--headless", "-i", "c.ppm", "-o", "cpu.pnm", "--backend", "cpu")
        for mode in harness.listing()["memory_modes"]:
            self.good("--headless", "-i", "c.ppm", "-o", "out.pnm", "--backend", "cuda", "--memory", mode, "--report",
                      "r.json")
            self.assertEqual(self.read_json("r.json")["memory"], mode)
            self.assertEqual(harness.read_pnm(self.path("out.pnm")), harness.read_pnm(self.path("cpu.pnm")))

    def test_kernels_of_every_variant(self):
        for op in (op["id"] for op in harness.listing()["operators"]):
            for variant in harness.variants(op):
                self.good("--headless", "-i", "c.ppm", "-o", "out.png", "--op", op, "--variant", variant["id"], "--report",
                          "r.json")
                kernels = self.read_json("r.json")["images"][0]["kernels"]
                self.assertEqual(bool(kernels), variant["backend"] == "cuda", variant["id"])
                for kernel in kernels:
                    self.assertTrue(kernel["kernel"].endswith("_kernel"), kernel)
                    self.assertGreater(kernel["registers"], 0)
                    self.assertTrue(0 < kernel["occupancy_percent"] <= 100, kernel)

    def test_device(self):
        self.good("--headless", "-i", "a.pgm", "-o", "out.png", "--backend", "cuda", "--device", "0")
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "out.jpg", "--device", "999", says="--device 999")


if __name__ == "__main__":
    if not harness.has_cuda():
        sys.exit(harness.SKIPPED)
    harness.main()
