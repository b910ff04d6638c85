#include "tests/image_io/sample_files.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "app/image_io/formats.h"
#include "gpu/core/error.h"

namespace tonescope::test {

std::vector<std::string> names_to_save(const ImageSpec& spec, bool exact) {
    std::vector<std::string> names;
    for (const image_io::Format& format : image_io::formats()) {
        if (format.save == nullptr) continue;
        if (exact && (format.is_lossy || (spec.has_alpha && !format.keeps_alpha) ||
                      (is_deep(spec.format) && !format.keeps_depth)))
            continue;
        for (const std::string_view extension : format.extensions) {
            try {
                image_io::check_savable(format, spec, extension);
                names.push_back("a." + std::string(extension));
            } catch (const UserError&) {
                continue;  // this extension is for other images
            }
        }
    }
    return names;
}

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tonescope-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const Bytes& bytes) const {
    // A file that is emptied and written again is flushed to the disk by ext4, which takes its time; a new one is not.
    std::filesystem::remove(path(name));
    std::ofstream file(path(name), std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + path(name));
    return path(name);
}

std::vector<std::string> TemporaryFolder::names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

Bytes read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(file), {});
}

Bytes text_bytes(const std::string& text) {
    return Bytes(text.begin(), text.end());
}

void append(Bytes& to, const Bytes& more) {
    to.insert(to.end(), more.begin(), more.end());
}

void put_le(Bytes& to, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to.push_back(uint8_t(value >> (8 * i)));
}

void put_be(Bytes& to, uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) to.push_back(uint8_t(value >> (8 * i)));
}

HostImage noise_image(int width, int height, PixelFormat format, bool has_alpha, uint32_t seed) {
    HostImage image({width, height, format, has_alpha});
    std::minstd_rand random(seed);
    for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = uint8_t(random() >> 8);
    if (format == PixelFormat::rgba8 && !has_alpha)
        for (size_t i = 3; i < image.size_bytes(); i += 4) image.data()[i] = 255;
    return image;
}

HostImage ramp_image(int width, int height, PixelFormat format) {
    HostImage image({width, height, format, false});
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            uint8_t* p = image.mutable_view().pixel(x, y);
            p[0] = uint8_t(40 + 160 * x / width);
            if (format == PixelFormat::gray8) continue;
            p[1] = uint8_t(30 + 180 * y / height);
            p[2] = uint8_t(220 - 100 * (x + y) / (width + height));
            p[3] = 255;
        }
    return image;
}

namespace {

Sample whole(std::string name, Bytes bytes) {
    const size_t size = bytes.size();
    return {std::move(name), std::move(bytes), size};
}

Bytes interlaced_rows() {
    // 5x3 pixels of 8-bit gray, value 16 y + x, in Adam7's order; passes without pixels have no rows.
    Bytes raw;
    const int first_x[] = {0, 4, 0, 2, 0, 1, 0}, step_x[] = {8, 8, 4, 4, 2, 2, 1};
    const int first_y[] = {0, 0, 4, 0, 2, 0, 1}, step_y[] = {8, 8, 8, 4, 4, 2, 2};
    for (int pass = 0; pass < 7; ++pass) {
        if (first_x[pass] >= 5) continue;
        for (int y = first_y[pass]; y < 3; y += step_y[pass]) {
            raw.push_back(0);
            for (int x = first_x[pass]; x < 5; x += step_x[pass]) raw.push_back(uint8_t(16 * y + x));
        }
    }
    return raw;
}

}  // namespace

std::vector<Sample> all_samples() {
    std::vector<Sample> samples;
    const HostImage gray = noise_image(9, 6, PixelFormat::gray8, false, 1);
    const HostImage color = ramp_image(19, 11, PixelFormat::rgba8);
    Bytes raw;
    for (int y = 0; y < 3; ++y) {
        raw.push_back(0);
        for (int i = 0; i < 4 * 8; ++i) raw.push_back(uint8_t(37 * i + y));
    }
    samples.push_back(whole("rgba16.png", make_png(4, 3, 16, 6, raw)));
    samples.push_back(whole("rgba.png", make_png(8, 3, 8, 6, raw)));
    samples.push_back(whole("gray.png", make_png(32, 3, 8, 0, raw)));
    samples.push_back(whole("exif.png", make_png(8, 3, 8, 6, raw, {{"eXIf", make_exif(6, true)}})));
    samples.push_back(whole(
        "palette.png",
        make_png(3, 1, 2, 3, {0, 0b00011000}, {{"PLTE", {1, 2, 3, 40, 50, 60, 200, 100, 0}}, {"tRNS", {255, 128}}})));
    samples.push_back(whole("interlaced.png", make_png(5, 3, 8, 0, interlaced_rows(), {}, true)));

    samples.push_back(whole("color.jpg", make_jpeg(color.view(), JpegKind::color)));
    samples.push_back(whole("gray.jpg", make_jpeg(gray.view(), JpegKind::gray)));
    samples.push_back(whole("progressive.jpg", make_jpeg(color.view(), JpegKind::progressive)));
    samples.push_back(whole("cmyk.jpg", make_jpeg(color.view(), JpegKind::adobe_cmyk)));
    samples.push_back(whole("exif.jpg", with_exif(make_jpeg(color.view(), JpegKind::color), make_exif(8, false))));

    samples.push_back(whole("text.pgm", text_bytes("P2\n# a comment\n3 2\n15\n0 1 2\n13 14 9")));
    samples.push_back(whole("deep.pgm", [] {
        Bytes bytes = text_bytes("P5 2 2 1000\n");
        for (int v : {0, 1, 500, 1000}) put_be(bytes, uint64_t(v), 2);
        return bytes;
    }()));
    samples.push_back(whole("color.ppm", [] {
        Bytes bytes = text_bytes("P6\n2 1\n255\n");
        append(bytes, {1, 2, 3, 250, 251, 252});
        return bytes;
    }()));

    samples.push_back(whole("bits.pnm", text_bytes("P4\n9 2\n\x55\x80\xAA\x7F")));
    samples.push_back(whole("text.pnm", text_bytes("P1 # bits\n3 2\n010 1\n10")));
    samples.push_back(whole("colors.ppm", text_bytes("P3 1 2 1000 1 2 3 4 999 5")));
    samples.push_back(whole("alpha.pam", [] {
        Bytes bytes = text_bytes("P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 1000\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n");
        for (int v : {1, 1000, 500, 0}) put_be(bytes, uint64_t(v), 2);
        return bytes;
    }()));

    samples.push_back(whole("gray.tiff", make_tiff(3, 2, {}, {1, 2, 3, 4, 5, 6})));
    samples.push_back(whole("deep.tif", make_tiff(3, 2, {{258, 3, {16, 16, 16}}, {262, 3, {2}}, {277, 3, {3}}},
                                                  Bytes(raw.begin(), raw.begin() + 36), true)));
    samples.push_back(whole("packed.tiff", make_tiff(4, 2, {{259, 3, {32773}}}, {0xFD, 7, 3, 1, 2, 3, 4})));
    samples.push_back(
        whole("twelve.tiff", make_tiff(2, 1, {{258, 3, {12, 12}}, {274, 3, {6}}, {277, 3, {2}}, {338, 3, {2}}},
                                       {0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC})));
    samples.push_back(
        whole("float.tiff", make_tiff(2, 2, {{258, 3, {32}}, {339, 3, {3}}}, Bytes(raw.begin(), raw.begin() + 16))));
    std::vector<uint32_t> map(3 * 4);
    for (size_t i = 0; i < map.size(); ++i) map[i] = uint32_t(5000 * i);
    samples.push_back(
        whole("palette.tiff", make_tiff(4, 1, {{258, 3, {2}}, {262, 3, {3}}, {320, 3, map}}, {0b00011011})));

    const auto dicom = [](int width, int height, int samples_a_pixel, int bits, const std::string& syntax = "1.2.1") {
        return DicomImage{.width = width,
                          .height = height,
                          .samples = samples_a_pixel,
                          .allocated = bits > 8 ? 16 : 8,
                          .stored = bits,
                          .color = samples_a_pixel == 1 ? "MONOCHROME2" : "RGB",
                          .syntax = "1.2.840.10008." + syntax};
    };
    const auto add_dicom = [&](const std::string& name, const DicomImage& image, auto pixels) {
        samples.push_back(whole(name, make_dicom(image, pixels)));
    };
    DicomImage seen = dicom(3, 2, 1, 12);
    seen.is_signed = true;
    seen.more = {dicom_text(0x28, 0x1050, "DS", "40"), dicom_text(0x28, 0x1051, "DS", "400"),
                 dicom_text(0x28, 0x1052, "DS", "-1024"), dicom_text(0x28, 0x1053, "DS", "0.5"),
                 dicom_text(0x10, 0x10, "PN", "Nobody")};
    add_dicom("seen.dcm", seen, Bytes(raw.begin(), raw.begin() + 12));
    DicomImage in_planes = dicom(2, 2, 3, 8);
    in_planes.in_planes = true;
    add_dicom("planes.dcm", in_planes, Bytes(raw.begin(), raw.begin() + 12));
    DicomImage in_palette = dicom(2, 1, 1, 8);
    in_palette.color = "PALETTE COLOR";
    for (int c = 0; c < 3; ++c) {
        in_palette.more.push_back({0x28, 0x1101 + c, "US", {2, 0, 0, 0, 16, 0}});
        in_palette.more.push_back({0x28, 0x1201 + c, "OW", {1, 2, 3, uint8_t(c)}});
    }
    add_dicom("palette.dcm", in_palette, Bytes{0, 1});
    DicomImage packed = dicom(4, 1, 1, 16, "1.2.5");
    packed.frames = 2;
    Bytes run_lengths(64, 0);
    run_lengths[0] = 2, run_lengths[4] = 64, run_lengths[8] = 66;
    append(run_lengths, {0xFD, 7, 3, 1, 2, 3, 4, 0});
    add_dicom("packed.dcm", packed, std::vector<Bytes>{run_lengths, run_lengths});
    add_dicom("color.dcm", dicom(19, 11, 3, 8, "1.2.4.50"),
              std::vector<Bytes>{make_jpeg(color.view(), JpegKind::color)});
    add_dicom("lossless.dcm", dicom(3, 2, 1, 12, "1.2.4.70"),
              std::vector<Bytes>{dicom_stream(DicomStreamKind::lossless_jpeg)});
    add_dicom("lossy.dcm", dicom(3, 2, 1, 12, "1.2.4.51"),
              std::vector<Bytes>{dicom_stream(DicomStreamKind::lossy_jpeg)});
    add_dicom("jpeg_ls.dcm", dicom(8, 8, 1, 12, "1.2.4.80"),
              std::vector<Bytes>{dicom_stream(DicomStreamKind::jpeg_ls)});
    add_dicom("jpeg_2000.dcm", dicom(32, 32, 1, 12, "1.2.4.90"),
              std::vector<Bytes>{dicom_stream(DicomStreamKind::jpeg_2000)});

    samples.push_back(whole("lossy.webp", make_webp(color.view(), false)));
    samples.push_back(whole("lossless.webp", make_webp(noise_image(5, 4, PixelFormat::rgba8, true, 3).view(), true)));

    samples.push_back(
        whole("bits.bmp", make_bmp(4, 2, 1, 0, {0, 0, 0, 0, 255, 255, 255, 0}, {0x50, 0, 0, 0, 0xA0, 0, 0, 0})));
    samples.back().needed_bytes -= 3;  // the padding of the last row
    samples.push_back(whole("true.bmp", make_bmp(2, 1, 24, 0, {}, {1, 2, 3, 4, 5, 6, 0, 0})));
    samples.back().needed_bytes -= 2;
    Bytes masks;
    for (uint32_t mask : {0xF800u, 0x07E0u, 0x001Fu}) put_le(masks, mask, 4);
    samples.push_back(whole("565.bmp", make_bmp(2, 1, 16, 3, masks, {0xFF, 0xFF, 0x01, 0x80})));

    samples.push_back(
        whole("packed.bmp", make_bmp(6, 2, 8, 1, Bytes(1024, 3), {4, 7, 0, 0, 0, 3, 1, 2, 3, 0, 0, 2, 1, 0, 0, 1})));
    samples.push_back(
        whole("packed4.bmp", make_bmp(5, 2, 4, 2, Bytes(64, 3), {5, 0x12, 0, 0, 0, 5, 0x12, 0x34, 0x50, 0, 0, 1})));

    samples.push_back(whole("true.tga", make_tga(2, 2, 2, 32, 8, {}, 0, raw)));
    samples.back().needed_bytes = 18 + 16;
    samples.push_back(
        whole("packed.tga", make_tga(5, 2, 10, 24, 0x20, {}, 0, {0x86, 1, 2, 3, 0x02, 9, 8, 7, 6, 5, 4, 3, 2, 1})));
    samples.push_back(whole("mapped.tga", make_tga(2, 2, 1, 8, 0x20, {1, 2, 3, 4, 5, 6}, 24, {0, 1, 1, 0})));

    std::vector<uint16_t> planes;
    for (int i = 0; i < 3 * 2 * 4; ++i) planes.push_back(uint16_t(10 * i));
    samples.push_back(whole("raw.psd", make_psd(3, 2, 3, 8, planes, false)));
    samples.push_back(whole("packed.psd", make_psd(3, 2, 4, 8, planes, true)));
    samples.push_back(whole("deep.psd", make_psd(3, 2, 3, 16, planes, false)));
    samples.push_back(whole("gray.psd", make_psd(4, 2, 1, 16, planes, true, 1)));
    samples.push_back(whole("cmyk.psd", make_psd(1, 4, 5, 8, planes, true, 4)));
    samples.push_back(whole("mapped.psd", make_psd(2, 2, 1, 8, planes, false, 2, Bytes(768, 9))));
    samples.push_back(whole("image.gif", make_gif(3, 2, {0, 1, 2, 2, 1, 0}, {0xFF0000, 0x00FF00, 0x0000FF, 0}, 1)));
    samples.back().needed_bytes -= 1;  // what ends the stream of frames
    return samples;
}

}  // namespace tonescope::test
