"""Image files, written and read without a library."""

import struct
import zlib


def write_ppm(path, width, height, pixel):
    """pixel(x, y) -> (r, g, b)"""
    with open(path, "wb") as file:
        file.write(f"P6 {width} {height} 255\n".encode())
        file.write(bytes(v for y in range(height) for x in range(width) for v in pixel(x, y)))


def write_large_ppm(path, width, height):
    """A photograph-like file written fast: shifted copies of one noisy row."""
    row = bytearray()
    value = 12345
    for x in range(width * 3 + height):
        value = (value * 1103515245 + 12345) & 0x7FFFFFFF
        row.append(min(255, (x * 97 // width + (value >> 16) % 64)))
    with open(path, "wb") as file:
        file.write(f"P6 {width} {height} 255\n".encode())
        for y in range(height):
            file.write(row[y:y + width * 3])


def write_png(path, width, height, rows, bits=8, gray=False):
    """rows: the bytes of each, samples of 16 bits with the high byte first."""
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">2I5B", width, height, bits, 0 if gray else 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 1)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def write_tiff(path, pages, bits=8):
    """pages: of each its rows of gray samples."""
    data, at = bytearray(b"II*\0\0\0\0\0"), 4
    for rows in pages:
        begin = len(data)
        for row in rows:
            data += struct.pack(f"<{len(row)}{'BH'[bits // 16]}", *row)
        size = len(data) - begin
        data += bytes(len(data) % 2)
        tags = [(256, 4, len(rows[0])), (257, 4, len(rows)), (258, 3, bits), (259, 3, 1), (262, 3, 1), (273, 4, begin), (277, 3, 1),
                (278, 4, len(rows)), (279, 4, size)]
        data[at:at + 4] = struct.pack("<I", len(data))
        data += struct.pack("<H", len(tags)) + b"".join(struct.pack("<2HII", tag, kind, 1, value) for tag, kind, value in tags)
        at = len(data)
        data += bytes(4)
    with open(path, "wb") as file:
        file.write(data)


def write_dicom(path, rows, **texts):
    """rows: gray samples of 8 bits. texts: gray's kind, and center and width of the window."""
    def element(group, number, kind, value):
        value += b" " * (len(value) % 2)
        return struct.pack("<2H2sH", group, number, kind, len(value)) + value

    def number(place, value):
        return element(0x28, place, b"US", struct.pack("<H", value))

    syntax = element(2, 0x10, b"UI", b"1.2.840.10008.1.2.1\0")
    data = element(0x28, 4, b"CS", texts["gray"].encode()) + number(0x10, len(rows)) + number(0x11, len(rows[0]))
    data += number(0x100, 8) + number(0x101, 8) + number(0x102, 7) + number(0x103, 0)
    data += element(0x28, 0x1050, b"DS", texts["center"].encode()) + element(0x28, 0x1051, b"DS", texts["width"].encode())
    pixels = b"".join(bytes(row) for row in rows)
    pixels += bytes(len(pixels) % 2)
    with open(path, "wb") as file:
        file.write(bytes(128) + b"DICM" + element(2, 0, b"UL", struct.pack("<I", len(syntax))) + syntax + data +
                   struct.pack("<2H2s2xI", 0x7FE0, 0x10, b"OB", len(pixels)) + pixels)


def read_ppm(path):
    """Rows of (r, g, b)."""
    with open(path, "rb") as file:
        header, size, _, data = file.read().split(b"\n", 3)
    assert header == b"P6"
    width, height = map(int, size.split())
    return [[tuple(data[i:i + 3]) for i in range(y * width * 3, (y + 1) * width * 3, 3)] for y in range(height)]


def png_size(path):
    with open(path, "rb") as file:
        return struct.unpack(">II", file.read(24)[16:])


def paeth(left, above, corner):
    estimate = left + above - corner
    return min((left, above, corner), key=lambda v: abs(estimate - v))


def read_png(path):
    """Rows of (r, g, b), of 8-bit gray or color without a palette; alpha is left out."""
    with open(path, "rb") as file:
        data = file.read()
    (width, height, bits, kind), at, packed = struct.unpack(">2I2B", data[16:26]), 8, b""
    channels = {0: 1, 2: 3, 6: 4}[kind]
    assert bits == 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    samples, above, rows = zlib.decompress(packed), bytes(width * channels), []
    for begin in range(0, len(samples), width * channels + 1):
        filter_type, row = samples[begin], bytearray(samples[begin + 1:begin + 1 + width * channels])
        for i in range(len(row) if filter_type else 0):
            left = row[i - channels] if i >= channels else 0
            corner = above[i - channels] if i >= channels else 0
            row[i] = (row[i] + (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[filter_type]) & 255
        rows.append([tuple(row[i:i + 3]) if channels > 1 else (row[i],) * 3 for i in range(0, len(row), channels)])
        above = row
    return rows
