// The bytes of each format.
#include <cstdio>
#include <cstdlib>
#include <cstring>
// jpeglib.h needs stdio's types first.
#include <jpeglib.h>
#include <webp/encode.h>

#include <algorithm>

#include "tests/image_io/sample_files.h"

namespace tonescope::test {
namespace {

uint32_t crc32(const uint8_t* data, size_t size) {
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < size; ++i) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

void put_chunk(Bytes& png, const std::string& type, const Bytes& data) {
    put_be(png, data.size(), 4);
    const size_t begin = png.size();
    append(png, text_bytes(type));
    append(png, data);
    put_be(png, crc32(&png[begin], png.size() - begin), 4);
}

/// A zlib stream of one stored block; `raw` has at most 65535 bytes.
Bytes stored(const Bytes& raw) {
    Bytes stream = {0x78, 0x01, 0x01};
    put_le(stream, raw.size(), 2);
    put_le(stream, ~raw.size(), 2);
    append(stream, raw);
    uint32_t a = 1, b = 0;
    for (uint8_t byte : raw) {
        a = (a + byte) % 65521;
        b = (b + a) % 65521;
    }
    put_be(stream, b << 16 | a, 4);
    return stream;
}

void put_bits(Bytes& to, int& used, uint32_t code, int bits) {
    for (int i = 0; i < bits; ++i) {
        if (used % 8 == 0) to.push_back(0);
        to.back() = uint8_t(to.back() | ((code >> i & 1) << (used % 8)));
        ++used;
    }
}

}  // namespace

Bytes make_png(const std::vector<PngChunk>& chunks) {
    Bytes png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    for (const PngChunk& chunk : chunks) put_chunk(png, chunk.type, chunk.data);
    return png;
}

Bytes png_header(uint32_t width, uint32_t height, int bits, int color_type, bool interlaced) {
    Bytes header;
    put_be(header, width, 4);
    put_be(header, height, 4);
    append(header, {uint8_t(bits), uint8_t(color_type), 0, 0, uint8_t(interlaced)});
    return header;
}

Bytes make_png(uint32_t width, uint32_t height, int bits, int color_type, const Bytes& raw,
               const std::vector<PngChunk>& before, bool interlaced) {
    std::vector<PngChunk> chunks = {{"IHDR", png_header(width, height, bits, color_type, interlaced)}};
    chunks.insert(chunks.end(), before.begin(), before.end());
    chunks.push_back({"IDAT", stored(raw)});
    chunks.push_back({"IEND", {}});
    return make_png(chunks);
}

void fix_png_crc(Bytes& png) {
    for (size_t at = 8; at + 12 <= png.size();) {
        const size_t length =
            size_t{png[at]} << 24 | size_t{png[at + 1]} << 16 | size_t{png[at + 2]} << 8 | png[at + 3];
        if (length > png.size() - at - 12) return;
        const uint32_t crc = crc32(&png[at + 4], 4 + length);
        for (size_t i = 0; i < 4; ++i) png[at + 8 + length + i] = uint8_t(crc >> (24 - 8 * i));
        at += 12 + length;
    }
}

Bytes make_exif(int orientation, bool big_endian) {
    Bytes exif;
    const auto put = [&](uint64_t value, int bytes) {
        big_endian ? put_be(exif, value, bytes) : put_le(exif, value, bytes);
    };
    append(exif, text_bytes(big_endian ? "MM" : "II"));
    put(42, 2);
    put(8, 4);
    put(3, 2);                                         // entries, sorted by tag
    put(0x0110, 2), put(2, 2), put(9, 4), put(62, 4);  // Model: text
    put(0x0112, 2), put(3, 2), put(1, 4), put(uint64_t(orientation), 2), put(0, 2);
    put(0x8769, 2), put(4, 2), put(1, 4), put(72, 4);  // the EXIF directory
    put(0, 4);
    append(exif, Bytes(62 - exif.size(), 0));
    append(exif, text_bytes("Lochkam.\0"));
    exif.push_back(0);
    append(exif, Bytes(72 - exif.size(), 0));
    put(1, 2);
    put(0x829A, 2), put(5, 2), put(1, 4), put(90, 4);  // ExposureTime: a ratio
    put(0, 4);
    put(1, 4), put(250, 4);
    return exif;
}

Bytes with_exif(const Bytes& jpeg, const Bytes& exif) {
    Bytes out = {0xFF, 0xD8, 0xFF, 0xE1};
    put_be(out, exif.size() + 8, 2);
    append(out, {'E', 'x', 'i', 'f', 0, 0});
    append(out, exif);
    out.insert(out.end(), jpeg.begin() + 2, jpeg.end());
    return out;
}

Bytes make_jpeg(const ImageView& image, JpegKind kind) {
    jpeg_compress_struct cinfo{};
    jpeg_error_mgr errors{};
    cinfo.err = jpeg_std_error(&errors);
    jpeg_create_compress(&cinfo);
    unsigned char* data = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&cinfo, &data, &size);
    cinfo.image_width = JDIMENSION(image.spec.width);
    cinfo.image_height = JDIMENSION(image.spec.height);
    const bool cmyk = kind == JpegKind::cmyk || kind == JpegKind::adobe_cmyk;
    cinfo.input_components = kind == JpegKind::gray ? 1 : 4;
    cinfo.in_color_space = kind == JpegKind::gray ? JCS_GRAYSCALE : cmyk ? JCS_CMYK : JCS_EXT_RGBX;
    jpeg_set_defaults(&cinfo);
    jpeg_set_quality(&cinfo, 97, TRUE);
    if (cmyk) cinfo.write_Adobe_marker = kind == JpegKind::adobe_cmyk;
    if (kind == JpegKind::progressive) jpeg_simple_progression(&cinfo);
    const jpeg_scan_info separate[] = {{1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
    if (kind == JpegKind::separate_scans) {
        cinfo.scan_info = separate;
        cinfo.num_scans = 3;
    }
    jpeg_start_compress(&cinfo, TRUE);
    while (cinfo.next_scanline < cinfo.image_height) {
        JSAMPROW row = const_cast<uint8_t*>(image.row(int(cinfo.next_scanline)));
        jpeg_write_scanlines(&cinfo, &row, 1);
    }
    jpeg_finish_compress(&cinfo);
    jpeg_destroy_compress(&cinfo);
    const Bytes bytes(data, data + size);
    free(data);
    return bytes;
}

Bytes make_gif(int width, int height, const std::vector<uint8_t>& indices, const std::vector<uint32_t>& rgb_palette,
               int transparent) {
    Bytes gif = text_bytes("GIF89a");
    put_le(gif, uint64_t(width), 2);
    put_le(gif, uint64_t(height), 2);
    append(gif, {0xF7, 2, 0});  // a palette of 256; background color 2
    for (size_t i = 0; i < 256; ++i) put_be(gif, i < rgb_palette.size() ? rgb_palette[i] : 0, 3);
    if (transparent >= 0) append(gif, {0x21, 0xF9, 4, 1, 0, 0, uint8_t(transparent), 0});
    gif.push_back(0x2C);
    put_le(gif, 0, 4);
    put_le(gif, uint64_t(width), 2);
    put_le(gif, uint64_t(height), 2);
    append(gif, {0, 8});
    // Codes stay at 9 bits, because each run of 200 starts with a clear code.
    Bytes stream;
    int used = 0;
    for (size_t i = 0; i < indices.size(); ++i) {
        if (i % 200 == 0) put_bits(stream, used, 256, 9);
        put_bits(stream, used, indices[i], 9);
    }
    put_bits(stream, used, 257, 9);
    for (size_t at = 0; at < stream.size(); at += 255) {
        const size_t count = std::min<size_t>(255, stream.size() - at);
        gif.push_back(uint8_t(count));
        gif.insert(gif.end(), stream.begin() + long(at), stream.begin() + long(at + count));
    }
    append(gif, {0, 0x3B});
    return gif;
}

Bytes make_psd(uint32_t width, uint32_t height, int channels, int bits, const std::vector<uint16_t>& samples,
               bool packed, int mode, const Bytes& palette) {
    Bytes psd = text_bytes("8BPS");
    put_be(psd, 1, 2);
    put_be(psd, 0, 6);
    put_be(psd, uint64_t(channels), 2);
    put_be(psd, height, 4);
    put_be(psd, width, 4);
    put_be(psd, uint64_t(bits), 2);
    put_be(psd, uint64_t(mode), 2);
    put_be(psd, palette.size(), 4);
    append(psd, palette);
    put_be(psd, 5, 4);  // five bytes of resources
    append(psd, {1, 2, 3, 4, 5});
    put_be(psd, 0, 4);
    put_be(psd, packed, 2);
    // One run of literal bytes a row.
    const size_t rows = size_t(channels) * height, row_bytes = width * size_t(bits / 8);
    for (size_t i = 0; packed && i < rows; ++i) put_be(psd, row_bytes + 1, 2);
    for (size_t row = 0; row < rows; ++row) {
        if (packed) psd.push_back(uint8_t(row_bytes - 1));
        for (size_t x = 0; x < width; ++x) put_be(psd, samples[row * width + x], bits / 8);
    }
    return psd;
}

Bytes make_tga(int width, int height, int kind, int bits, int descriptor, const Bytes& color_map, int map_bits,
               const Bytes& pixels) {
    Bytes tga = {0, uint8_t(!color_map.empty()), uint8_t(kind), 0, 0};
    put_le(tga, color_map.empty() ? 0 : color_map.size() / (size_t(map_bits + 7) / 8), 2);
    append(tga, {uint8_t(map_bits), 0, 0, 0, 0});
    put_le(tga, uint64_t(width), 2);
    put_le(tga, uint64_t(height), 2);
    append(tga, {uint8_t(bits), uint8_t(descriptor)});
    append(tga, color_map);
    append(tga, pixels);
    return tga;
}

Bytes make_bmp(int width, int height, int bits, int compression, const Bytes& palette_or_masks, const Bytes& rows) {
    const size_t offset = 54 + palette_or_masks.size();
    Bytes bmp = {'B', 'M'};
    put_le(bmp, offset + rows.size(), 4);
    put_le(bmp, 0, 4);
    put_le(bmp, offset, 4);
    put_le(bmp, 40, 4);
    put_le(bmp, uint64_t(width), 4);
    put_le(bmp, uint64_t(height), 4);
    put_le(bmp, 1, 2);
    put_le(bmp, uint64_t(bits), 2);
    put_le(bmp, uint64_t(compression), 4);
    append(bmp, Bytes(20, 0));
    append(bmp, palette_or_masks);
    append(bmp, rows);
    return bmp;
}

Bytes make_tiff(uint32_t width, uint32_t height, std::vector<TiffTag> tags, const Bytes& strip, bool big_endian) {
    Bytes tiff;
    const auto put_to = [&](Bytes& to, uint64_t value, int bytes) {
        big_endian ? put_be(to, value, bytes) : put_le(to, value, bytes);
    };
    const TiffTag usual[] = {
        {256, 4, {width}}, {257, 4, {height}}, {258, 3, {8}},      {262, 3, {1}},
        {273, 4, {0}},     {277, 3, {1}},      {278, 4, {height}}, {279, 4, {uint32_t(strip.size())}}};
    for (const TiffTag& tag : usual)
        if (std::ranges::find(tags, tag.tag, &TiffTag::tag) == tags.end()) tags.push_back(tag);
    std::ranges::sort(tags, {}, &TiffTag::tag);
    const auto bytes_of = [](const TiffTag& tag) {
        return tag.values.size() * (tag.type == 1 ? 1 : tag.type == 3 ? 2 : 4);
    };
    size_t behind = 8 + 2 + 12 * tags.size() + 4, strip_at = behind;
    for (const TiffTag& tag : tags) strip_at += bytes_of(tag) > 4 ? bytes_of(tag) : 0;
    std::ranges::find(tags, 273, &TiffTag::tag)->values = {uint32_t(strip_at)};

    append(tiff, text_bytes(big_endian ? "MM" : "II"));
    put_to(tiff, 42, 2);
    put_to(tiff, 8, 4);
    put_to(tiff, tags.size(), 2);
    Bytes values;
    for (const TiffTag& tag : tags) {
        put_to(tiff, uint64_t(tag.tag), 2);
        put_to(tiff, uint64_t(tag.type), 2);
        put_to(tiff, tag.values.size(), 4);
        const bool is_long = bytes_of(tag) > 4;
        if (is_long) put_to(tiff, behind + values.size(), 4);
        const size_t begin = tiff.size();
        for (const uint32_t value : tag.values)
            put_to(is_long ? values : tiff, value, tag.type == 1 ? 1 : tag.type == 3 ? 2 : 4);
        if (!is_long) tiff.resize(begin + 4, 0);
    }
    put_to(tiff, 0, 4);  // no other page
    append(tiff, values);
    append(tiff, strip);
    return tiff;
}

Bytes make_webp(const ImageView& image, bool lossless) {
    uint8_t* data = nullptr;
    const int width = image.spec.width, height = image.spec.height, pitch = int(image.pitch_bytes);
    const size_t size = lossless ? WebPEncodeLosslessRGBA(image.data, width, height, pitch, &data)
                                 : WebPEncodeRGBA(image.data, width, height, pitch, 90, &data);
    const Bytes bytes(data, data + size);
    WebPFree(data);
    return bytes;
}

DicomElement dicom_number(int group, int element, int number) {
    return {group, element, "US", {uint8_t(number), uint8_t(number >> 8)}};
}

DicomElement dicom_text(int group, int element, const std::string& kind, const std::string& text) {
    Bytes value = text_bytes(text);
    if (value.size() % 2 != 0) value.push_back(kind == "UI" ? 0 : ' ');
    return {group, element, kind, value};
}

namespace {

void put_dicom_element(Bytes& to, const DicomElement& element) {
    put_le(to, uint64_t(element.group), 2);
    put_le(to, uint64_t(element.element), 2);
    append(to, text_bytes(element.kind));
    const bool is_long = element.kind[0] == 'O' || element.kind == "SQ" || element.kind == "UN";
    if (is_long) put_le(to, 0, 2);
    put_le(to, element.value.size(), is_long ? 4 : 2);
    append(to, element.value);
}

/// All before the pixels.
Bytes dicom_head(const DicomImage& image) {
    Bytes head(128, 0), syntax;
    append(head, text_bytes("DICM"));
    put_dicom_element(syntax, dicom_text(2, 0x10, "UI", image.syntax));
    Bytes length;
    put_le(length, syntax.size(), 4);
    put_dicom_element(head, {2, 0, "UL", length});
    append(head, syntax);
    std::vector<DicomElement> elements = {dicom_number(0x28, 2, image.samples),
                                          dicom_text(0x28, 4, "CS", image.color),
                                          dicom_number(0x28, 6, image.in_planes ? 1 : 0),
                                          dicom_text(0x28, 8, "IS", std::to_string(image.frames)),
                                          dicom_number(0x28, 0x10, image.height),
                                          dicom_number(0x28, 0x11, image.width),
                                          dicom_number(0x28, 0x100, image.allocated),
                                          dicom_number(0x28, 0x101, image.stored),
                                          dicom_number(0x28, 0x102, image.stored + image.unused - 1),
                                          dicom_number(0x28, 0x103, image.is_signed ? 1 : 0)};
    elements.insert(elements.end(), image.more.begin(), image.more.end());
    std::ranges::stable_sort(elements, {}, [](const DicomElement& e) { return e.group << 16 | e.element; });
    for (const DicomElement& element : elements) put_dicom_element(head, element);
    return head;
}

Bytes bytes_of_hex(const std::string& digits) {
    Bytes bytes;
    for (size_t i = 0; i < digits.size(); i += 2) bytes.push_back(uint8_t(std::stoi(digits.substr(i, 2), nullptr, 16)));
    return bytes;
}

}  // namespace

Bytes make_dicom(const DicomImage& image, const Bytes& pixels) {
    Bytes dicom = dicom_head(image);
    put_dicom_element(dicom, {0x7FE0, 0x10, image.allocated > 8 ? "OW" : "OB", pixels});
    return dicom;
}

Bytes make_dicom(const DicomImage& image, const std::vector<Bytes>& fragments) {
    Bytes dicom = dicom_head(image);
    append(dicom, {0xE0, 0x7F, 0x10, 0, 'O', 'B', 0, 0, 0xFF, 0xFF, 0xFF, 0xFF});
    append(dicom, {0xFE, 0xFF, 0, 0xE0, 0, 0, 0, 0});
    for (const Bytes& fragment : fragments) {
        append(dicom, {0xFE, 0xFF, 0, 0xE0});
        put_le(dicom, fragment.size() + fragment.size() % 2, 4);
        append(dicom, fragment);
        if (fragment.size() % 2 != 0) dicom.push_back(0);
    }
    append(dicom, {0xFE, 0xFF, 0xDD, 0xE0, 0, 0, 0, 0});
    return dicom;
}

Bytes dicom_stream(DicomStreamKind kind) {
    switch (kind) {
        case DicomStreamKind::jpeg_2000:
            return bytes_of_hex(
                "ff4fff5100290000000000200000002000000000000000000000002000000020000000000000000000010b0101ff5200"
                "0c00000001000504040001ff5c00134060686870686870686870686870686870ff640025000143726561746564206279"
                "204f70656e4a5045472076657273696f6e20322e352e32ff90000a0000000000a40001ff93cfe40c06c47fc3f6029fe0"
                "0c016a02c87fc1f98347f20e081361cdbc8f09a5d6ca2688d7c3f60b8fe430172c738273a80651c5967f0c7765c675a4"
                "1e47edc01f9fc3f6148fe454216e0d232e3216afbd76267cfc69a3805a68c09f00d4c0a160b132424c8392daf2c30f27"
                "444e090c47c1f987c7f22235f23faabd091600006019215d120f676aaaeff9d14f80182c5004a25d030907ffd9");
        case DicomStreamKind::jpeg_ls:
            return bytes_of_hex(
                "ffd8fff7000b0c0008000801011100ffda00080101000000004981040000000002f9d020820740f90788300000000188"
                "d842000000000a108440198710c420ffd9");
        case DicomStreamKind::jpeg_ls_planes:
            return bytes_of_hex(
                "ffd8fff70011070008000803011100021100031100ffda000801010000000077f7ff400000b5bfbeffda000801020000"
                "00001d8000016f775f3e3c71c718ffda000801030000000001dfdfff78ffd9");
        case DicomStreamKind::lossless_jpeg:
            return bytes_of_hex(
                "ffd8ffe000104a46494600010100000100010000ffc3000b100002000301011100ffc400160001010100000000000000"
                "0000000000000a0c0fffda0008010100010000c00116dadba2456dadbfffffd9");
        default:
            return bytes_of_hex(
                "ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304050805050404050a07"
                "0706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffc1000b0c0002"
                "000301011100ffc4001400010000000000000000000000000000000cffc40020100000020b0000000000000000000000"
                "000a0b00040507091b2a38495566ffda0008010100003f0058394b650701125bf40168a30eddb6b3b14ce2360bdca27f"
                "ffd9");
    }
}

}  // namespace tonescope::test
