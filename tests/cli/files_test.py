"""Image files that other programs have made, sample by sample: tifffile, Pillow and libtiff's tools write and read them."""
import itertools
import os
import shutil
import subprocess

import harness

harness.require("numpy", "tifffile", "PIL")

import numpy  # noqa: E402
import tifffile  # noqa: E402
from harness import Case  # noqa: E402
from PIL import Image  # noqa: E402

WIDTH, HEIGHT = 83, 59  # no multiples of tiles, strips and bytes
RANDOM = numpy.random.default_rng(17)


def noise(*channels, most=255, dtype=numpy.uint8, sides=(HEIGHT, WIDTH)):
    """Noise on a ramp, from 0 to `most`."""
    shape, width = (*sides, *channels), sides[1]
    ramp = numpy.broadcast_to(numpy.arange(width).reshape((1, width) + (1,) * len(channels)), shape)
    values = ramp * most // (2 * width) + RANDOM.integers(0, most // 2, shape)
    values[0, 0], values[-1, -1] = 0, most
    return values.astype(dtype)


def in_8_bits(samples, most):
    return ((255 * samples.astype(numpy.uint64) + most // 2) // most).astype(numpy.uint8)


def write_bytes(content):
    def write(path):
        with open(path, "wb") as file:
            file.write(content)
    return write


def read_pam(path):
    """Samples, and the greatest that they may be."""
    with open(path, "rb") as file:
        head, data = file.read().split(b"ENDHDR\n", 1)
    fields = dict(line.split(None, 1) for line in head.decode().splitlines()[1:])
    depth, most = int(fields["DEPTH"]), int(fields["MAXVAL"])
    shape = (int(fields["HEIGHT"]), int(fields["WIDTH"])) + (() if depth == 1 else (depth,))
    return numpy.frombuffer(data, ">u2" if most > 255 else numpy.uint8).reshape(shape), most


class Files(Case):
    def setUp(self):
        super().setUp()
        self.expected = {}
        os.mkdir(self.path("out"))

    def add(self, name, expected, write):
        """`write` makes the file of this name; `expected`: its samples, with the greatest possible one where that is not 255."""
        write(self.path(name))
        self.expected[name] = expected if isinstance(expected, tuple) else (expected, 255)

    def add_tiff(self, name, samples, expected=None, **options):
        options.setdefault("metadata", None)
        self.add(name + ".tif", samples if expected is None else expected,
                 lambda path: tifffile.imwrite(path, samples, **options))

    def add_copy(self, name, source, *options):
        """What tiffcp makes of a file."""
        def copy(path):
            subprocess.run(["tiffcp", *options, self.path(source), path], check=True, stderr=subprocess.PIPE)
        self.add(name, self.expected[source], copy)

    def convert(self, name, out, *options):
        return self.good("--headless", "--op", "none", "-i", name, "-o", out, *options)

    def check(self, output, expected, most):
        got, got_most = read_pam(self.path("out", output))
        self.assertEqual((got.shape, got_most), (expected.shape, most), output)
        self.assertTrue(numpy.array_equal(got, expected), output)

    def check_all(self):
        lines = self.good("--headless", "--op", "none", "-i", *self.expected, "-o", "out/{stem}.pam").out.splitlines()
        for name, expected in self.expected.items():
            self.check(os.path.splitext(name)[0] + ".pam", *expected)
        return {name: line for name in self.expected for line in lines if line.startswith(name + " ->")}

    def test_tiff_by_tifffile(self):
        gray, color, deep = noise(), noise(3), noise(3, most=65535, dtype=numpy.uint16)
        gray16 = noise(most=65535, dtype=numpy.uint16)
        for order in ("<", ">"):
            mark = "little" if order == "<" else "big"
            self.add_tiff(f"gray-{mark}", gray, byteorder=order)
            self.add_tiff(f"deep-{mark}", gray16, (gray16, 65535), byteorder=order)
            self.add_tiff(f"color-{mark}", deep, (deep, 65535), byteorder=order, photometric="rgb")
            self.add_tiff(f"large-{mark}", gray16, (gray16, 65535), byteorder=order, bigtiff=True)
            floats = (gray16.astype(numpy.float32) - 1000) / 300
            self.add_tiff(f"float-{mark}", floats, (gray16, 65535), byteorder=order)
            self.add_tiff(f"double-{mark}", floats.astype(numpy.float64), (gray16, 65535), byteorder=order)
            wide = gray16.astype(numpy.uint32) * 60000
            self.add_tiff(f"wide-{mark}", wide, (gray16, 65535), byteorder=order)
            signed = (gray16.astype(numpy.int64) - 32768).astype(numpy.int16)
            self.add_tiff(f"signed-{mark}", signed, (gray16, 65535), byteorder=order)
        half = noise(most=2000, dtype=numpy.uint16).astype(numpy.float16)
        mapped = numpy.floor(half.astype(numpy.float64) / 2000 * 65535 + 0.5).astype(numpy.uint16)
        self.add_tiff("half", half, (mapped, 65535))
        self.add_tiff("signed8", (gray.astype(numpy.int16) - 128).astype(numpy.int8), gray)
        self.add_tiff("tiles", gray, tile=(32, 16))
        self.add_tiff("strips", color, photometric="rgb", rowsperstrip=7)
        self.add_tiff("color-tiles", color, photometric="rgb", tile=(16, 48))
        planes = numpy.moveaxis(color, 2, 0)
        self.add_tiff("planes", planes, color, photometric="rgb", planarconfig="separate")
        self.add_tiff("plane-tiles", planes, color, photometric="rgb", planarconfig="separate", tile=(16, 16))
        rgba = noise(4)
        self.add_tiff("alpha", rgba, photometric="rgb", extrasamples=["unassalpha"])
        self.add_tiff("alpha-planes", numpy.moveaxis(rgba, 2, 0), rgba, photometric="rgb", planarconfig="separate",
                      extrasamples=["unassalpha"])
        self.add_tiff("unknown-fourth", rgba, rgba[:, :, :3], photometric="rgb", extrasamples=["unspecified"])
        two = noise(2)
        self.add_tiff("gray-alpha", two, numpy.dstack([two[:, :, 0]] * 3 + [two[:, :, 1]]), photometric="minisblack",
                      planarconfig="contig", extrasamples=["unassalpha"])
        associated = rgba.copy()
        associated[:, :, :3] = numpy.minimum(associated[:, :, :3], associated[:, :, 3:])
        alpha = associated[:, :, 3:].astype(numpy.uint32)
        divided = (associated[:, :, :3].astype(numpy.uint32) * 255 + alpha // 2) // numpy.maximum(alpha, 1)
        self.add_tiff("associated", associated, numpy.dstack([divided, alpha]).astype(numpy.uint8), photometric="rgb",
                      extrasamples=["assocalpha"])
        self.add_tiff("white", gray, 255 - gray, photometric="miniswhite")
        self.add_tiff("deep-white", gray16, (65535 - gray16, 65535), photometric="miniswhite")
        twelve = noise(most=4095, dtype=numpy.uint16)
        self.add_tiff("twelve", twelve, (twelve, 4095), extratags=[(281, "H", 1, 4095, True)])
        lie = noise(most=5000, dtype=numpy.uint16)
        self.add_tiff("lie", lie, (lie, 65535), extratags=[(281, "H", 1, 4095, True)])
        pages = RANDOM.integers(0, 256, (3, HEIGHT, WIDTH), numpy.uint8)
        self.add_tiff("pages", pages, pages[0], photometric="minisblack")
        map16 = RANDOM.integers(0, 65536, (3, 256), numpy.uint16)
        self.add_tiff("palette", gray, numpy.dstack([(map16[c] >> 8).astype(numpy.uint8)[gray] for c in range(3)]),
                      photometric="palette", colormap=map16)
        for orientation in range(1, 9):
            turned = {1: gray, 2: gray[:, ::-1], 3: gray[::-1, ::-1], 4: gray[::-1], 5: gray.T, 6: gray.T[:, ::-1],
                      7: gray[::-1, ::-1].T, 8: gray.T[::-1]}[orientation]
            self.add_tiff(f"turned-{orientation}", gray, turned, extratags=[(274, "H", 1, orientation, True)])
        lines = self.check_all()
        self.assertIn("(page 1 of 3)", lines["pages.tif"])
        for page in (2, 3):
            self.assertIn(f"(page {page} of 3)", self.convert("pages.tif", "out/page.pam", "--page", page).out)
            self.assertTrue(numpy.array_equal(read_pam(self.path("out", "page.pam"))[0], pages[page - 1]))
        result = self.good("--headless", "--op", "none", "-i", "pages.tif", "gray-big.tif", "-o", "out/all-{stem}-{page}.pam", "--page",
                           "all", "--report", "r.json")
        self.assertEqual(len(result.out.splitlines()), 4)
        self.assertEqual([image["page"] for image in self.read_json("r.json")["images"]], [1, 2, 3, 1])
        for page in (1, 2, 3):
            self.assertTrue(numpy.array_equal(read_pam(self.path("out", f"all-pages-{page}.pam"))[0], pages[page - 1]))
        self.good("--headless", "--backend", "cpu", "-i", "pages.tif", "-o", "out", "--page", "all")
        self.assertTrue({"pages-1.png", "pages-2.png", "pages-3.png"} <= set(self.files("out")))
        self.convert("pages.tif", "out/{stem}-at-{page}.pam", "--page", "2")
        self.assertIn("pages-at-2.pam", self.files("out"))
        self.bad(2, "--headless", "-i", "pages.tif", "-o", "x.png", "--page", "all", says="put {page} into the name")
        for stem in ("pages", "gray-big"):
            result = self.good("--headless", "--op", "none", "-i", f"{stem}.tif", "-o", "out/one-{stem}.tiff", "--page", "all",
                               "--report", "r.json")
            with tifffile.TiffFile(self.path("out", f"one-{stem}.tiff")) as file:
                written = [page.asarray() for page in file.pages]
            expected = pages if stem == "pages" else [gray]
            self.assertTrue(numpy.array_equal(written, expected), stem)
            self.assertEqual(len(result.out.splitlines()), len(expected))
            self.assertEqual([image["status"] for image in self.read_json("r.json")["images"]], ["done"] * len(expected))
        os.rename(self.path("pages.tif"), self.path("p2.tif"))
        result = self.run_here("--headless", "--op", "none", "-i", "p2.tif", "-o", "p{page}.tif", "--page", "all")
        self.assertEqual((result.status, "it would overwrite the input" in result.err), (1, True), result.err)
        self.assertTrue({"p1.tif", "p3.tif"} <= set(self.files()))
        shutil.copy(self.path("p2.tif"), self.path("torn.tif"))
        with tifffile.TiffFile(self.path("torn.tif"), mode="r+b") as file:
            file.pages[2].tags["StripOffsets"].overwrite(1 << 30)
        self.bad(1, "--headless", "--op", "none", "-i", "torn.tif", "-o", "torn.tiff", "--page", "all", "--report", "r.json",
                 says="cannot open torn.tif")
        self.assertNotIn("torn.tiff", self.files())
        self.assertEqual([image["status"] for image in self.read_json("r.json")["images"]], ["failed"] * 3)
        os.rename(self.path("p2.tif"), self.path("pages.tif"))
        self.bad(1, "--headless", "--op", "none", "-i", "pages.tif", "-o", "x.png", "--page", "4",
                 says="pages.tif: it has no page 4; there are 3")
        self.bad(1, "--headless", "-i", "a.pgm", "-o", "x.png", "--page", "2", says="it has no page 2; there is 1")
        self.bad(2, "--headless", "-i", "a.pgm", "-o", "x.png", "--page", "0", says="--page 0")
        self.assertNotIn("(", lines["deep-big.tif"])
        result = self.convert("deep-big.tif", "deep.bmp")
        self.assertIn("(16 bits a channel, reduced to 8)", result.out)
        shown = numpy.asarray(Image.open(self.path("deep.bmp")))
        self.assertTrue(numpy.array_equal(shown, in_8_bits(gray16, 65535)))
        self.assertIn("samples from -3.33333 to 215.117", lines["float-big.tif"])
        self.assertNotIn("(", lines["gray-big.tif"])

    def test_tiff_crossed(self):
        """Each type of samples, layout, byte order, size of offsets and compression with all the others: the pages of four files."""
        packings = {"none": {}, "zlib": {"compression": "zlib"}, "predicted": {"compression": "zlib", "predictor": True}}
        try:
            tifffile.imwrite(self.path("packed.tif"), noise(), **packings["predicted"])
        except (ImportError, ValueError):  # later versions than Debian's leave even zlib to imagecodecs
            packings = {"none": {}}
            print("tifffile packs nothing without imagecodecs: tiffcp's files alone show compressions")
        expected = {}
        for order, big in itertools.product("<>", (False, True)):
            stem = f"{'big' if order == '>' else 'little'}{'8' * big}"
            pages = expected[stem] = []
            with tifffile.TiffWriter(self.path(stem + ".tif"), byteorder=order, bigtiff=big) as file:
                for kind, channels, planar, tiled, packing in itertools.product(
                        ("u1", "u2", "u4", "i2", "f4"), ((), (3,), (4,)), (False, True), (False, True), packings):
                    if planar and not channels or channels == (4,) and kind not in ("u1", "u2"):
                        continue
                    most = 255 if kind == "u1" else 65535
                    # More than one tile and strip, and not whole ones.
                    page = noise(*channels, most=most, dtype=numpy.uint16, sides=(21, 35))
                    stored = {"u1": page, "u2": page, "u4": page.astype(numpy.int64) * 60000,
                              "i2": page.astype(numpy.int64) - 32768, "f4": page.astype(numpy.int64) / 4 - 100}[kind].astype(kind)
                    options = dict(packings[packing])
                    if kind == "f4":
                        options.pop("predictor", None)  # that of floats is tiffcp's
                    options |= {"tile": (16, 32)} if tiled else {"rowsperstrip": 13}
                    if channels:
                        options |= {"photometric": "rgb", "planarconfig": "separate" if planar else "contig"}
                    else:
                        options["photometric"] = "minisblack"
                    if channels == (4,):
                        options["extrasamples"] = ["unassalpha"]
                    file.write(numpy.moveaxis(stored, -1, 0) if planar else stored, metadata=None, **options)
                    what = f"{kind}, {len(channels) and channels[0]}{' planar' * planar}{' tiles' * tiled} {packing}"
                    pages.append((page.astype("u1") if kind == "u1" else page, most, what))
        self.good("--headless", "--op", "none", "-i", *(stem + ".tif" for stem in expected), "-o", "out/{stem}-{page}.pam", "--page", "all")
        for stem, pages in expected.items():
            for k, (page, most, what) in enumerate(pages, 1):
                with self.subTest(what, file=stem):
                    self.check(f"{stem}-{k}.pam", page, most)

    def test_tiff_by_libtiff(self):
        gray16, color, rgba = noise(most=65535, dtype=numpy.uint16), noise(3), noise(4)
        self.add_tiff("gray16", gray16, (gray16, 65535))
        self.add_tiff("color", color, photometric="rgb")
        self.add_tiff("rgba", rgba, photometric="rgb", extrasamples=["unassalpha"])
        floats = gray16.astype(numpy.float32) / 7
        self.add_tiff("float", floats, (gray16, 65535))
        bits = (noise() > 127).astype(numpy.uint8)
        self.add("bits.tif", bits * 255, lambda path: Image.fromarray(bits * 255).convert("1").save(path))
        for source in ("gray16.tif", "color.tif", "rgba.tif"):
            for packing in ("lzw", "lzw:2", "zip", "zip:2", "packbits", "none", "zstd", "lzma"):
                self.add_copy(f"{packing.replace(':', '-')}-{source}", source, "-c", packing)
            self.add_copy(f"tiles-{source}", source, "-c", "lzw:2", "-t", "-w", "32", "-l", "48")
            if source != "gray16.tif":
                self.add_copy(f"planes-{source}", source, "-c", "zip:2", "-p", "separate")
            self.add_copy(f"big-{source}", source, "-B", "-c", "zip:2", "-8")
        self.add_copy("zip-float.tif", "float.tif", "-c", "zip:3")
        for packing in ("g3:1d", "g3:2d", "g4", "packbits", "lzw"):
            self.add_copy(f"{packing.replace(':', '-')}-bits.tif", "bits.tif", "-c", packing)
            self.add_copy(f"{packing.replace(':', '-')}-bits-filled.tif", "bits.tif", "-c", packing, "-f", "lsb2msb")
        self.check_all()

    def test_tiff_of_jpegs_is_near(self):
        smooth = numpy.dstack([numpy.add.outer(numpy.arange(HEIGHT), 2 * numpy.arange(WIDTH)).astype(numpy.uint8)] * 3)
        self.add_tiff("smooth", smooth, photometric="rgb")
        for options in (["jpeg:95"], ["jpeg:r:95"]):
            subprocess.run(["tiffcp", "-c", *options, self.path("smooth.tif"), self.path("jpeg.tif")], check=True)
            self.convert("jpeg.tif", "out/jpeg.pam")
            difference = read_pam(self.path("out", "jpeg.pam"))[0].astype(int) - smooth
            self.assertLess(numpy.abs(difference).max(), 12, options)

    def test_few_bits(self):
        for bits in (1, 2, 3, 4, 5, 6, 7, 10, 12, 14):
            most = 2 ** bits - 1
            samples = RANDOM.integers(0, most + 1, (HEIGHT, WIDTH)).astype(numpy.uint32)
            rows = (samples[:, :, None] >> numpy.arange(bits - 1, -1, -1) & 1).reshape(HEIGHT, -1).astype(numpy.uint8)
            packed = numpy.packbits(rows, axis=1)

            def write(path, packed=packed, bits=bits):
                # tifffile packs nothing itself: the bytes of each row as an image, and the tags that say what they are.
                tifffile.imwrite(path, packed, metadata=None)
                with tifffile.TiffFile(path, mode="r+b") as file:
                    file.pages[0].tags["ImageWidth"].overwrite(WIDTH)
                    file.pages[0].tags["BitsPerSample"].overwrite(bits)
            self.add(f"bits-{bits}.tif", in_8_bits(samples, most) if bits <= 8 else (samples, most), write)
        self.check_all()

    def test_other_formats(self):
        color, rgba, gray = noise(3), noise(4), noise()
        self.add("lossless.webp", color, lambda path: Image.fromarray(color).save(path, lossless=True))
        self.add("alpha.webp", rgba, lambda path: Image.fromarray(rgba).save(path, lossless=True, exact=True))
        frames = [Image.fromarray(noise(3)) for _ in range(3)]
        self.add("frames.webp", numpy.asarray(frames[0]), lambda path: frames[0].save(
            path, save_all=True, append_images=frames[1:], lossless=True))
        bits = noise() > 127
        self.add("four.pbm", bits * numpy.uint8(255), lambda path: Image.fromarray(bits).save(path, "PPM"))
        text = "P1 # bits\n%d %d\n%s" % (WIDTH, HEIGHT, "".join("01"[1 - b] for b in bits.ravel().astype(int)))
        self.add("one.pbm", bits * numpy.uint8(255), write_bytes(text.encode()))
        text3 = "P3\n%d %d 255\n%s\n" % (WIDTH, HEIGHT, " ".join(map(str, color.ravel())))
        self.add("three.ppm", color, write_bytes(text3.encode()))
        for kind, samples in (("GRAYSCALE", gray), ("RGB", color), ("RGB_ALPHA", rgba)):
            depth = 1 if samples.ndim == 2 else samples.shape[2]
            head = f"P7\n# PAM\nWIDTH {WIDTH}\nHEIGHT {HEIGHT}\nDEPTH {depth}\nMAXVAL 255\nTUPLTYPE {kind}\nENDHDR\n"
            self.add(f"{kind}.pam", samples, write_bytes(head.encode() + samples.tobytes()))
        lines = self.check_all()
        self.assertIn("the first of 3 frames", lines["frames.webp"])

    def test_what_is_written_is_read_by_others(self):
        for name, samples in (("gray", noise()), ("color", noise(3)), ("alpha", noise(4))):
            Image.fromarray(samples).save(self.path("in.png"))
            for end in ("tiff", "webp"):
                self.convert("in.png", f"{name}.{end}", *(["--quality", "100"] if end == "webp" else []))
                image = Image.open(self.path(f"{name}.{end}"))
                shown = numpy.dstack([samples] * 3) if end == "webp" and name == "gray" else samples
                self.assertTrue(numpy.array_equal(numpy.asarray(image), shown), f"{name}.{end}")
            with tifffile.TiffFile(self.path(f"{name}.tiff")) as file:
                page = file.pages[0]
                self.assertEqual((page.compression.name, page.predictor.name), ("ADOBE_DEFLATE", "HORIZONTAL"))
                self.assertTrue(numpy.array_equal(page.asarray(), samples))
            self.convert(f"{name}.tiff", f"{name}.webp", "--quality", "80")
            self.assertLess(os.path.getsize(self.path(f"{name}.webp")), os.path.getsize(self.path(f"{name}.tiff")))

    def test_deep_samples_are_written_as_they_were(self):
        gray, color, alpha = (noise(*channels, most=4095, dtype=numpy.uint16) for channels in ((), (3,), (4,)))
        for name, samples, kind in (("gray", gray, None), ("color", color, "RGB"), ("alpha", alpha, "RGB_ALPHA")):
            depth = 1 if samples.ndim == 2 else samples.shape[2]
            head = f"P7\nWIDTH {WIDTH}\nHEIGHT {HEIGHT}\nDEPTH {depth}\nMAXVAL 4095\nENDHDR\n"
            write_bytes(head.encode() + samples.astype(">u2").tobytes())(self.path("in.pam"))
            self.convert("in.pam", f"{name}.tiff")
            with tifffile.TiffFile(self.path(f"{name}.tiff")) as file:
                self.assertEqual(set(numpy.atleast_1d(file.pages[0].tags["MaxSampleValue"].value)), {4095})
                self.assertTrue(numpy.array_equal(file.pages[0].asarray(), samples), name)
            self.add(f"back-{name}.tif", (samples, 4095), lambda path: os.rename(self.path(f"{name}.tiff"), path))
            scaled = (65535 * samples.astype(numpy.uint64) + 2047) // 4095
            self.convert("in.pam", f"{name}.png")
            self.add(f"scaled-{name}.png", (scaled, 65535), lambda path: os.rename(self.path(f"{name}.png"), path))
        self.convert("in.pam", "alpha.ppm")
        with open(self.path("alpha.ppm"), "rb") as file:
            self.assertEqual(file.readline() + file.readline() + file.readline(), b"P6\n%d %d\n4095\n" % (WIDTH, HEIGHT))
            self.assertEqual(file.read(), alpha[:, :, :3].astype(">u2").tobytes())
        self.check_all()
        with Image.open(self.path("scaled-gray.png")) as image:
            self.assertTrue(numpy.array_equal(numpy.asarray(image), (65535 * gray.astype(numpy.uint64) + 2047) // 4095))

    def test_what_cannot_be_opened_is_said_in_a_line(self):
        tifffile.imwrite(self.path("complex.tif"), noise().astype(numpy.complex64))
        tifffile.imwrite(self.path("good.tif"), noise())
        with open(self.path("good.tif"), "rb") as file:
            whole = file.read()
        with open(self.path("cut.tif"), "wb") as file:
            file.write(whole[:len(whole) // 2])
        with open(self.path("type.pam"), "wb") as file:
            file.write(b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\n1")
        # libtiff would hand out the differences to neighbors as samples.
        predicted = {"PackBits": 32773, "LERC": 34887, "None": 1}
        for packing, number in predicted.items():
            subprocess.run(["tiffcp", "-c", "zip:2", self.path("good.tif"), self.path(packing + ".tif")], check=True)
            with tifffile.TiffFile(self.path(packing + ".tif"), mode="r+") as file:
                file.pages[0].tags["Compression"].overwrite(number)
        for name, words in (("complex.tif", "complex numbers"), ("cut.tif", "damaged or cut off"),
                            ("type.pam", "pixels of the kind CMYK"),
                            *((f"{packing}.tif", "a predictor under compression " + packing) for packing in predicted)):
            result = self.bad(1, "--headless", "-i", name, "-o", "x.png")
            self.assertEqual(len(result.err.splitlines()), 1)
            self.assertIn(words, result.err)


if __name__ == "__main__":
    harness.main()
