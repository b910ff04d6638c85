"""DICOM files: those that come with pydicom, and others that pydicom and DCMTK make, sample by sample."""
import io
import os
import subprocess
import warnings

import harness

harness.require("numpy", "pydicom", "tifffile")

import numpy  # noqa: E402
import pydicom  # noqa: E402
import tifffile  # noqa: E402
from harness import Case  # noqa: E402
from pydicom.dataset import Dataset, FileMetaDataset  # noqa: E402
from pydicom.pixel_data_handlers.util import apply_color_lut, convert_color_space  # noqa: E402

pydicom.config.logger.disabled = True

FOLDER = os.path.join(os.path.dirname(pydicom.__file__), "data")
RANDOM = numpy.random.default_rng(5)
LOSSY = {"1.2.840.10008.1.2.4." + end for end in ("50", "51", "81", "91")}


def files_of_pydicom():
    for folder, _, names in sorted(os.walk(FOLDER)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                if file.read(132)[128:] == b"DICM":
                    yield path


def pixels_of(data):
    """What pydicom makes of the file; None where it lacks the codec or the file holds no image."""
    try:
        pixels = data.pixel_array
    except Exception:  # of many kinds, depending on what is missing
        return None
    color = data.PhotometricInterpretation
    if color == "PALETTE COLOR":
        pixels = apply_color_lut(pixels, data)
    elif color.startswith("YBR_FULL") and int(pydicom.__version__.split(".")[0]) < 3:  # later ones have done so
        pixels = convert_color_space(pixels, color, "RGB")
    return pixels


def as_stored(pixels, data):
    """As Tonescope keeps them: signed samples shifted up, few bits in 8, many stretched to 16."""
    bits = data.BitsStored
    pixels = pixels.astype(numpy.int64)
    if data.PixelRepresentation == 1:
        pixels = pixels + (1 << (bits - 1))
    if data.PhotometricInterpretation == "PALETTE COLOR":
        return pixels
    if bits < 8:
        return pixels * 255 // ((1 << bits) - 1)
    if bits > 16:
        least, most = pixels.min(), pixels.max()
        return numpy.floor((pixels - least) / (most - least) * 65535 + 0.5).astype(numpy.int64)
    return pixels


class Dicom(Case):
    def setUp(self):
        super().setUp()
        warnings.simplefilter("ignore")  # pydicom's, of its own files

    def write(self, path, page=1):
        result = harness.run("--headless", "--op", "none", "-i", path, "-o", self.path("x.tiff"), "--page", page)
        if result.status != 0:
            self.assertRegex(result.err, r"\Atonescope: cannot open [^\n]+\n\Z")
            self.assertEqual(result.status, 1)
            return None, result.err
        return tifffile.imread(self.path("x.tiff")).astype(numpy.int64), ""

    def check_frames(self, path, data, pixels):
        frames = int(data.get("NumberOfFrames") or 1)
        tolerance = 3 if data.file_meta.get("TransferSyntaxUID") in LOSSY else 0
        for page in sorted({1, frames}):
            expected = as_stored(pixels[page - 1] if frames > 1 else pixels, data)
            written, error = self.write(path, page)
            self.assertIsNotNone(written, error)
            self.assertEqual(written.shape, expected.shape)
            difference = numpy.abs(written - expected)
            self.assertLessEqual(difference.max(), tolerance)
            self.assertLess(difference.mean(), 0.25)

    def test_every_file_of_pydicom(self):
        compared = opened = 0
        for path in files_of_pydicom():
            with self.subTest(path=path):
                data = pydicom.dcmread(path)
                pixels = pixels_of(data)
                if pixels is not None:
                    self.check_frames(path, data, pixels)
                    compared += 1
                    continue
                written, error = self.write(path)
                opened += written is not None
                if written is None and "PixelData" not in data:
                    self.assertRegex(error, "holds no image|floating-point pixels|does not say|too early")
                elif written is None:
                    self.assertRegex(error, "JPEG|too early|does not say|transfer syntax")
        self.assertGreaterEqual(compared, 60)
        self.assertGreaterEqual(compared + opened, 90)  # pydicom lacks some codecs, which ones depends on what is installed

    def make(self, name, pixels, bits, color="MONOCHROME2", syntax=pydicom.uid.ExplicitVRLittleEndian, **more):
        data = Dataset()
        data.file_meta = FileMetaDataset()
        data.file_meta.TransferSyntaxUID = syntax
        data.file_meta.MediaStorageSOPClassUID = data.SOPClassUID = pydicom.uid.SecondaryCaptureImageStorage
        data.file_meta.MediaStorageSOPInstanceUID = data.SOPInstanceUID = "1.2.3"
        data.PatientName = "Somebody^Secret"
        data.PatientID = "4711-0815"
        data.is_little_endian = syntax != pydicom.uid.ExplicitVRBigEndian
        data.is_implicit_VR = syntax == pydicom.uid.ImplicitVRLittleEndian
        frames = pixels.ndim == (4 if color != "MONOCHROME2" and pixels.shape[-1] == 3 else 3) and pixels.shape[-1] != 3
        data.Rows, data.Columns = pixels.shape[1:3] if frames else pixels.shape[:2]
        if frames:
            data.NumberOfFrames = pixels.shape[0]
        data.SamplesPerPixel = 3 if pixels.shape[-1] == 3 else 1
        if data.SamplesPerPixel == 3:
            data.PlanarConfiguration = 0
        data.PhotometricInterpretation = color
        data.BitsAllocated = 8 * pixels.itemsize
        data.BitsStored, data.HighBit = bits, bits - 1
        data.PixelRepresentation = 1 if pixels.dtype.kind == "i" else 0
        for key, value in more.items():
            setattr(data, key, value)
        stored = pixels if data.is_little_endian else pixels.byteswap()
        data.PixelData = stored.tobytes()
        path = self.path(name + ".dcm")
        data.save_as(path, write_like_original=False)
        return path, data

    def convert(self, path, program, *options):
        to = path.replace(".dcm", f"-{program}{''.join(options)}.dcm")
        subprocess.run([program, *options, path, to], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return to

    def test_bits_signs_and_byte_orders(self):
        for bits in (8, 10, 12, 16):
            for kind in "ui":
                low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind == "i" else (0, (1 << bits) - 1)
                pixels = RANDOM.integers(low, high, (13, 17), endpoint=True).astype(f"{kind}{1 if bits == 8 else 2}")
                pixels[0, 0], pixels[0, 1] = low, high
                for color in ("MONOCHROME1", "MONOCHROME2"):
                    for syntax in (pydicom.uid.ExplicitVRLittleEndian, pydicom.uid.ImplicitVRLittleEndian,
                                   pydicom.uid.ExplicitVRBigEndian, pydicom.uid.DeflatedExplicitVRLittleEndian):
                        with self.subTest(bits=bits, kind=kind, color=color, syntax=syntax.name):
                            if syntax == pydicom.uid.ExplicitVRBigEndian and bits == 8:
                                continue  # pydicom writes bytes, whose order is not that of words
                            path, data = self.make("a", pixels, bits, color, syntax)
                            self.check_frames(path, data, pixels)

    def test_what_dcmtk_packs(self):
        frames = RANDOM.integers(0, 4095, (3, 21, 19), endpoint=True).astype(numpy.uint16)
        smooth = numpy.add.outer(numpy.arange(40) * 30, numpy.arange(30) * 50).astype(numpy.uint16)
        color = RANDOM.integers(0, 255, (21, 19, 3), endpoint=True).astype(numpy.uint8)
        for name, pixels, bits, interpretation in (("frames", frames, 12, "MONOCHROME2"), ("color", color, 8, "RGB")):
            path, data = self.make(name, pixels, bits, interpretation)
            for program, *options in (("dcmcrle",), ("dcmcjpeg", "+e1"), ("dcmcjpeg", "+el"), ("dcmcjpls", "+el"),
                                      ("dcmcjpeg", "+e1", "+fs", "1")):
                with self.subTest(name=name, program=program, options=options):
                    self.check_frames(self.convert(path, program, *options), data, pixels)
        for bits, pixels, option in ((12, smooth, "+ee"), (8, (smooth >> 4).astype(numpy.uint8), "+eb")):
            with self.subTest(option=option):
                path, _ = self.make("lossy", pixels, bits)
                packed = self.convert(path, "dcmcjpeg", option)
                decoded = pydicom.dcmread(self.convert(packed, "dcmdjpeg"))
                written, error = self.write(packed)
                self.assertIsNotNone(written, error)
                numpy.testing.assert_array_equal(written, decoded.pixel_array)

    def test_nothing_of_the_patient_is_kept(self):
        path, _ = self.make("a", RANDOM.integers(0, 255, (9, 9)).astype(numpy.uint8), 8)
        for name in ("x.png", "x.tiff", "x.jpg"):
            result = harness.run("--headless", "--backend", "cpu", "--op", "he", "-i", path, "-o", self.path(name),
                                 "--report", self.path("r.json"))
            self.assertEqual(result.status, 0, result.err)
            for file in (name, "r.json"):
                with open(self.path(file), "rb") as stream:
                    content = stream.read()
                self.assertNotIn(b"Secret", content)
                self.assertNotIn(b"4711", content)
            self.assertNotIn("Secret", result.out + result.err)
        # Nor where the file is damaged.
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) - 9)
        result = harness.run("--headless", "--op", "none", "-i", path, "-o", self.path("x.png"))
        self.assertEqual(result.status, 1)
        self.assertNotIn("Secret", result.err)

    def test_a_table_of_frames(self):
        # Two frames in three fragments.
        path, data = self.make("a", RANDOM.integers(0, 255, (2, 8, 8)).astype(numpy.uint8), 8)
        packed = pydicom.dcmread(self.convert(path, "dcmcjpeg", "+e1"))
        first, second = pydicom.encaps.generate_pixel_data_frame(packed.PixelData, 2)
        half = len(first) // 2 & ~1
        for table in (b"", b"\0\0\0\0" + (len(first) + 16).to_bytes(4, "little")):
            stream = io.BytesIO()
            for fragment in (table, first[:half], first[half:], second):
                stream.write(b"\xFE\xFF\x00\xE0" + len(fragment).to_bytes(4, "little") + fragment)
            packed.PixelData = stream.getvalue()
            packed.save_as(self.path("b.dcm"))
            if table:
                self.check_frames(self.path("b.dcm"), data, data.pixel_array)
            else:
                self.assertIn("where its frames begin", self.write(self.path("b.dcm"))[1])


if __name__ == "__main__":
    harness.main()
