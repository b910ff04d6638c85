// What each kind of file decodes to, from bytes made by hand.
#include <gtest/gtest.h>

#include <tuple>

#include "app/image_io/image_io.h"
#include "tests/image_io/sample_files.h"

namespace tonescope::test {
namespace {

LoadedImage load_bytes(const std::string& name, const Bytes& bytes, const LoadRequest& request = {}) {
    const TemporaryFolder folder;
    LoadedImage loaded = load_image(folder.write(name, bytes), {}, nullptr, request);
    EXPECT_EQ(loaded.details.file_bytes, bytes.size());
    return loaded;
}

Bytes pixels_of(const HostImage& image) {
    Bytes bytes;
    for (int y = 0; y < image.height(); ++y)
        bytes.insert(bytes.end(), image.view().row(y), image.view().row(y) + image.spec().row_bytes());
    return bytes;
}

void expect_image(const LoadedImage& loaded, const ImageSpec& spec, const Bytes& pixels) {
    EXPECT_EQ(loaded.image.width(), spec.width);
    EXPECT_EQ(loaded.image.height(), spec.height);
    EXPECT_EQ(int(loaded.image.spec().format), int(spec.format));
    EXPECT_EQ(loaded.image.spec().has_alpha, spec.has_alpha);
    EXPECT_EQ(pixels_of(loaded.image), pixels);
}

constexpr PixelFormat kGray = PixelFormat::gray8, kRgba = PixelFormat::rgba8;

uint8_t defined_8_bit(uint64_t v, uint64_t max) {
    return uint8_t((255 * v + max / 2) / max);
}

TEST(Png, GrayOfFewBitsIsWidened) {
    expect_image(load_bytes("a.png", make_png(4, 1, 1, 0, {0, 0b01010000})), {4, 1, kGray, false}, {0, 255, 0, 255});
    expect_image(load_bytes("a.png", make_png(4, 1, 2, 0, {0, 0b00011011})), {4, 1, kGray, false}, {0, 85, 170, 255});
    expect_image(load_bytes("a.png", make_png(4, 1, 4, 0, {0, 0x01, 0x7F})), {4, 1, kGray, false}, {0, 17, 119, 255});
}

TEST(Png, EveryGray16ValueIsScaledAsDefined) {
    // 256 x 128 values a file: what is stored raw has to stay below 64 KiB in one block.
    for (uint32_t first = 0; first < 65536; first += 16384) {
        Bytes raw, expected;
        for (uint32_t y = 0; y < 64; ++y) {
            raw.push_back(0);
            for (uint32_t x = 0; x < 256; ++x) {
                put_be(raw, first + 256 * y + x, 2);
                expected.push_back(defined_8_bit(first + 256 * y + x, 65535));
            }
        }
        const LoadedImage loaded = load_bytes("a.png", make_png(256, 64, 16, 0, raw));
        expect_image(loaded, {256, 64, kGray, false}, expected);
        EXPECT_TRUE(loaded.details.reduced_to_8_bit);
        EXPECT_EQ(loaded.details.bits_per_channel, 16);
    }
}

TEST(Png, ColorAndAlpha16) {
    const Bytes deep = {0x00, 0x80, 0x7F, 0x7F, 0xFF, 0xFF, 0x01, 0x81};
    const Bytes narrow = {0, defined_8_bit(0x7F7F, 65535), 255, defined_8_bit(0x0181, 65535)};
    Bytes raw = {0};
    append(raw, deep);
    expect_image(load_bytes("a.png", make_png(1, 1, 16, 6, raw)), {1, 1, kRgba, true}, narrow);
    expect_image(load_bytes("a.png", make_png(1, 1, 16, 2, {0, 0x00, 0x80, 0x7F, 0x7F, 0xFF, 0xFF})),
                 {1, 1, kRgba, false}, {0, narrow[1], 255, 255});
    const LoadedImage gray_alpha = load_bytes("a.png", make_png(1, 1, 16, 4, {0, 0x7F, 0x7F, 0x01, 0x81}));
    expect_image(gray_alpha, {1, 1, kRgba, true}, {narrow[1], narrow[1], narrow[1], narrow[3]});
    EXPECT_EQ(gray_alpha.details.file_channels, 2);
}

TEST(Png, EightBitKinds) {
    expect_image(load_bytes("a.png", make_png(1, 1, 8, 2, {0, 9, 8, 7})), {1, 1, kRgba, false}, {9, 8, 7, 255});
    expect_image(load_bytes("a.png", make_png(1, 1, 8, 4, {0, 9, 8})), {1, 1, kRgba, true}, {9, 9, 9, 8});
    expect_image(load_bytes("a.png", make_png(1, 1, 8, 6, {0, 9, 8, 7, 6})), {1, 1, kRgba, true}, {9, 8, 7, 6});
}

TEST(Png, PaletteIsColor) {
    const PngChunk palette{"PLTE", {10, 10, 10, 1, 2, 3}};
    const LoadedImage plain = load_bytes("a.png", make_png(2, 1, 8, 3, {0, 0, 1}, {palette}));
    expect_image(plain, {2, 1, kRgba, false}, {10, 10, 10, 255, 1, 2, 3, 255});
    EXPECT_EQ(plain.details.file_channels, 3);
    const LoadedImage clear = load_bytes("a.png", make_png(2, 1, 8, 3, {0, 0, 1}, {palette, {"tRNS", {7}}}));
    expect_image(clear, {2, 1, kRgba, true}, {10, 10, 10, 7, 1, 2, 3, 255});
}

TEST(Png, TransparentColor) {
    expect_image(load_bytes("a.png", make_png(2, 1, 8, 0, {0, 5, 6}, {{"tRNS", {0, 6}}})), {2, 1, kRgba, true},
                 {5, 5, 5, 255, 6, 6, 6, 0});
    expect_image(load_bytes("a.png", make_png(4, 1, 2, 0, {0, 0b00011011}, {{"tRNS", {0, 2}}})), {4, 1, kRgba, true},
                 {0, 0, 0, 255, 85, 85, 85, 255, 170, 170, 170, 0, 255, 255, 255, 255});
    expect_image(load_bytes("a.png", make_png(2, 1, 8, 2, {0, 1, 2, 3, 1, 2, 4}, {{"tRNS", {0, 1, 0, 2, 0, 3}}})),
                 {2, 1, kRgba, true}, {1, 2, 3, 0, 1, 2, 4, 255});
    // Only equal in all 16 bits counts.
    expect_image(load_bytes("a.png", make_png(2, 1, 16, 0, {0, 1, 2, 1, 3}, {{"tRNS", {1, 2}}})), {2, 1, kRgba, true},
                 {1, 1, 1, 0, 1, 1, 1, 255});
}

TEST(Png, Interlaced) {
    for (const Sample& sample : all_samples()) {
        if (sample.name != "interlaced.png") continue;
        Bytes expected;
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 5; ++x) expected.push_back(uint8_t(16 * y + x));
        expect_image(load_bytes("a.png", sample.bytes), {5, 3, kGray, false}, expected);
    }
    // 2x2, 16 bits: pass 1 brings (0, 0), pass 6 (1, 0), pass 7 the second row.
    const Bytes raw = {0, 0x10, 0, 0, 0x20, 0, 0, 0x30, 0, 0x40, 0};
    expect_image(load_bytes("a.png", make_png(2, 2, 16, 0, raw, {}, true)), {2, 2, kGray, false},
                 {0x10, 0x20, 0x30, 0x40});
}

TEST(Pnm, EveryMaxvalIsScaledAsDefined) {
    for (uint32_t max : {1u,   2u,   3u,   7u,   15u,   31u,   100u,  127u,  128u,   200u,   254u,
                         255u, 256u, 257u, 511u, 1000u, 1023u, 4095u, 4096u, 10000u, 65534u, 65535u}) {
        const uint32_t width = std::min(max + 1, 16384u), height = (max + width) / width;
        Bytes binary =
            text_bytes("P5 " + std::to_string(width) + " " + std::to_string(height) + " " + std::to_string(max) + "\n");
        std::string text = "P2 " + std::to_string(width) + " " + std::to_string(height) + " " + std::to_string(max);
        Bytes expected;
        for (uint32_t i = 0; i < width * height; ++i) {
            const uint32_t v = std::min(i, max);
            put_be(binary, v, max > 255 ? 2 : 1);
            text += (i % 10 == 0 ? "\n" : " ") + std::to_string(v);
            expected.push_back(defined_8_bit(v, max));
        }
        const ImageSpec spec{int(width), int(height), kGray, false};
        for (const Bytes& bytes : {binary, text_bytes(text)}) {
            const LoadedImage loaded = load_bytes("a.pgm", bytes);
            expect_image(loaded, spec, expected);
            EXPECT_EQ(loaded.details.reduced_to_8_bit, max > 255) << max;
        }
    }
}

TEST(Pnm, ColorAndSpacing) {
    Bytes deep = text_bytes("P6#kind\n# a comment\n 1\t2\r\n#another\n512\n");
    append(deep, {0, 0, 1, 0, 2, 0, 0, 1, 0, 2, 0, 3});
    append(deep, text_bytes("what follows the pixels is not read"));
    const LoadedImage loaded = load_bytes("a.ppm", deep);
    expect_image(loaded, {1, 2, kRgba, false},
                 {0, 128, 255, 255, defined_8_bit(1, 512), defined_8_bit(2, 512), defined_8_bit(3, 512), 255});
    EXPECT_EQ(loaded.details.format, "PNM (P6)");
    EXPECT_EQ(loaded.details.bits_per_channel, 10);
    // A pixel may have the value of a white space: exactly one stands between maxval and pixels.
    expect_image(load_bytes("a.pgm", text_bytes("P5 2 1 255\n\n ")), {2, 1, kGray, false}, {'\n', ' '});
    expect_image(load_bytes("a.pgm", text_bytes("P2 2 1 9 #comment\n9#comment\n0 ")), {2, 1, kGray, false}, {255, 0});
}

TEST(Pnm, OneIsBlackInABitmap) {
    const LoadedImage packed = load_bytes("a.pbm", text_bytes("P4\n9 2\n\x55\x40\xAA\x80"));
    expect_image(packed, {9, 2, kGray, false},
                 {255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0});
    EXPECT_EQ(packed.details.bits_per_channel, 1);
    // Digits need nothing between them.
    expect_image(load_bytes("a.pbm", text_bytes("P1\n2 2\n01#comment\n1 0")), {2, 2, kGray, false}, {255, 0, 0, 255});
    expect_image(load_bytes("a.ppm", text_bytes("P3 1 2 100 0 50 100 1 2 3 ")), {1, 2, kRgba, false},
                 {0, 128, 255, 255, 3, 5, 8, 255});
}

Bytes pam(const std::string& header, const Bytes& raster) {
    Bytes bytes = text_bytes("P7\n" + header + "\nENDHDR\n");
    append(bytes, raster);
    return bytes;
}

TEST(Pam, EveryTupleType) {
    const std::string size = "WIDTH 2\n# a comment\n\n HEIGHT 1 \n";
    expect_image(load_bytes("a.pam", pam(size + "DEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE", {0, 1})),
                 {2, 1, kGray, false}, {0, 255});
    expect_image(load_bytes("a.pam", pam(size + "DEPTH 1\nMAXVAL 512\nTUPLTYPE GRAYSCALE", {0, 1, 2, 0})),
                 {2, 1, kGray, false}, {defined_8_bit(1, 512), 255});
    expect_image(load_bytes("a.pam", pam(size + "DEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA", {9, 8, 7, 6})),
                 {2, 1, kRgba, true}, {9, 9, 9, 8, 7, 7, 7, 6});
    expect_image(load_bytes("a.pam", pam(size + "DEPTH 3\nMAXVAL 255", {9, 8, 7, 6, 5, 4})), {2, 1, kRgba, false},
                 {9, 8, 7, 255, 6, 5, 4, 255});
    expect_image(load_bytes("a.pam", pam(size + "DEPTH 4\nMAXVAL 100\nTUPLTYPE RGB_ALPHA", {0, 1, 2, 3, 4, 5, 6, 100})),
                 {2, 1, kRgba, true}, {0, 3, 5, 8, 10, 13, 15, 255});
}

/// `values` are the samples; `max` the greatest possible one.
void expect_deep(const LoadedImage& loaded, int max, const std::vector<uint16_t>& values) {
    EXPECT_EQ(loaded.image.spec().max_sample, max);
    ASSERT_EQ(loaded.image.size_bytes(), 2 * values.size());
    const auto* const samples = reinterpret_cast<const uint16_t*>(loaded.image.data());
    EXPECT_EQ(std::vector<uint16_t>(samples, samples + values.size()), values);
    EXPECT_FALSE(loaded.details.reduced_to_8_bit);
}

TEST(Deep, SamplesStayAsTheyAre) {
    const LoadRequest deep{.keeps_depth = true};
    expect_deep(load_bytes("a.png", make_png(1, 1, 16, 4, {0, 0x12, 0x34, 0xAB, 0xCD}), deep), 65535,
                {0x1234, 0x1234, 0x1234, 0xABCD});
    expect_deep(load_bytes("a.ppm", text_bytes("P3 1 1 1000 1 20 300"), deep), 1000, {1, 20, 300, 1000});
    expect_deep(load_bytes("a.psd", make_psd(2, 1, 1, 16, {0x1234, 7}, true, 1), deep), 65535, {0x1234, 7});
    const auto twelve = [](int photometric, int max) {
        return make_tiff(2, 1, {{258, 3, {12}}, {262, 3, {uint32_t(photometric)}}, {281, 3, {uint32_t(max)}}},
                         {0x12, 0x37, 0x89});
    };
    expect_deep(load_bytes("a.tif", twelve(1, 4095), deep), 4095, {0x123, 0x789});
    expect_deep(load_bytes("a.tif", twelve(1, 2000), deep), 2000, {0x123, 0x789});
    expect_deep(load_bytes("a.tif", twelve(0, 2000), deep), 2000, {2000 - 0x123, 2000 - 0x789});
    // Samples above what the file says is the greatest.
    expect_deep(load_bytes("a.tif", twelve(0, 1000), deep), 4095, {4095 - 0x123, 4095 - 0x789});
    expect_deep(load_bytes("a.tif", make_tiff(2, 1, {{258, 3, {16}}, {339, 3, {2}}}, {0, 0x80, 0xFF, 0x7F}), deep),
                65535, {0, 65535});
    // 8 bits are no others.
    EXPECT_EQ(load_bytes("a.pgm", text_bytes("P2 1 1 100 50"), deep).image.spec(), (ImageSpec{1, 1, kGray, false}));
}

TEST(Tiff, SamplesOfEveryKind) {
    expect_image(load_bytes("a.tif", make_tiff(3, 1, {{258, 3, {4}}}, {0x1F, 0x70})), {3, 1, kGray, false},
                 {17, 255, 119});
    expect_image(load_bytes("a.tif", make_tiff(3, 1, {{258, 3, {4}}, {262, 3, {0}}}, {0x1F, 0x70})),
                 {3, 1, kGray, false}, {238, 0, 136});
    const LoadedImage twelve = load_bytes("a.tif", make_tiff(2, 1, {{258, 3, {12}}}, {0xFF, 0xF8, 0x00}));
    expect_image(twelve, {2, 1, kGray, false}, {255, defined_8_bit(2048, 4095)});
    EXPECT_EQ(twelve.details.bits_per_channel, 12);
    EXPECT_TRUE(twelve.details.reduced_to_8_bit);
    expect_image(load_bytes("a.tif", make_tiff(2, 1, {{258, 3, {8}}, {339, 3, {2}}}, {0x80, 0x7F})),
                 {2, 1, kGray, false}, {0, 255});
    // The least and the greatest finite number are black and white; what is no number is black.
    Bytes floats;
    for (const uint32_t bits : {0xC0000000u, 0x40C00000u, 0x40000000u, 0x7F800000u, 0xFF800000u, 0x7FC00000u})
        put_be(floats, bits, 4);  // -2, 6, 2, infinity, -infinity, not a number
    const LoadedImage mapped = load_bytes("a.tif", make_tiff(6, 1, {{258, 3, {32}}, {339, 3, {3}}}, floats, true));
    expect_image(mapped, {6, 1, kGray, false}, {0, 255, 128, 255, 0, 0});
    EXPECT_EQ(notice_of(mapped.details),
              "samples from -2 to 6, stretched to the whole range; 32 bits a channel, reduced to 8");
    // A constant has no range to be stretched.
    expect_image(load_bytes("a.tif", make_tiff(1, 1, {{258, 3, {32}}}, {1, 2, 3, 4})), {1, 1, kGray, false}, {0});
}

TEST(Tiff, Alpha) {
    const std::vector<TiffTag> rgb = {{258, 3, {8, 8, 8, 8}}, {262, 3, {2}}, {277, 3, {4}}};
    const Bytes pixels = {100, 50, 0, 128, 9, 9, 9, 0};
    const auto with = [&](uint32_t kind) {
        std::vector<TiffTag> tags = rgb;
        tags.push_back({338, 3, {kind}});
        return load_bytes("a.tif", make_tiff(2, 1, tags, pixels));
    };
    expect_image(with(2), {2, 1, kRgba, true}, pixels);
    expect_image(with(1), {2, 1, kRgba, true}, {199, 100, 0, 128, 9, 9, 9, 0});
    const LoadedImage unknown = with(0);
    expect_image(unknown, {2, 1, kRgba, false}, {100, 50, 0, 255, 9, 9, 9, 255});
    EXPECT_EQ(notice_of(unknown.details), "channels without a color are left out: 1");
    expect_image(load_bytes("a.tif", make_tiff(2, 1, rgb, pixels)), {2, 1, kRgba, true}, pixels);
}

TEST(Tiff, ChannelsThatAreLeftOut) {
    const auto tags = [](uint32_t channels, uint32_t bits) {
        return std::vector<TiffTag>{{258, 3, std::vector<uint32_t>(channels, bits)}, {277, 3, {channels}}};
    };
    std::vector<TiffTag> late_alpha = tags(7, 8);
    late_alpha.push_back({262, 3, {2}});
    late_alpha.push_back({338, 3, {0, 0, 0, 2}});
    const Bytes colors = {1, 2, 3, 9, 9, 9, 200, 4, 5, 6, 9, 9, 9, 100};
    const LoadedImage loaded = load_bytes("a.tif", make_tiff(2, 1, late_alpha, colors));
    expect_image(loaded, {2, 1, kRgba, true}, {1, 2, 3, 200, 4, 5, 6, 100});
    EXPECT_EQ(notice_of(loaded.details), "channels without a color are left out: 3");
    const Bytes twelve = {0xAB, 0xC1, 0x11, 0x22, 0x23, 0x33, 0x44, 0x4D, 0xEF, 0x55, 0x56, 0x66, 0x77, 0x78, 0x88};
    expect_deep(load_bytes("a.tif", make_tiff(2, 1, tags(5, 12), twelve), {.keeps_depth = true}), 4095, {0xABC, 0xDEF});
    expect_image(load_bytes("a.tif", make_tiff(2, 1, tags(9, 1), {0, 0x40, 0})), {2, 1, kGray, false}, {0, 255});
    std::vector<TiffTag> numbers = tags(5, 32);
    numbers.push_back({339, 3, {3}});
    Bytes floats(40, 0x42);  // 48.6
    for (const size_t at : {0, 20}) std::fill_n(floats.begin() + long(at), 4, uint8_t(0));
    floats[20] = 0x3F, floats[21] = 0x80;  // 1
    expect_image(load_bytes("a.tif", make_tiff(2, 1, numbers, floats, true)), {2, 1, kGray, false}, {0, 255});
}

TEST(Tiff, TextsAndPalette) {
    std::vector<uint32_t> map(12);
    for (size_t i = 0; i < map.size(); ++i) map[i] = uint32_t(i << 8 | 0x7F);
    std::vector<TiffTag> tags = {{258, 3, {2}}, {262, 3, {3}}, {320, 3, map}};
    expect_image(load_bytes("a.tif", make_tiff(2, 1, tags, {0b01100000})), {2, 1, kRgba, false},
                 {1, 5, 9, 255, 2, 6, 10, 255});
    for (uint32_t& color : tags[2].values) color >>= 8;  // as some programs write it
    expect_image(load_bytes("a.tif", make_tiff(2, 1, tags, {0b01100000})), {2, 1, kRgba, false},
                 {1, 5, 9, 255, 2, 6, 10, 255});
}

TEST(Tiff, ColorsOfPrintersAreLeftToLibtiff) {
    const LoadedImage cmyk =
        load_bytes("a.tif", make_tiff(1, 1, {{258, 3, {8, 8, 8, 8}}, {262, 3, {5}}, {277, 3, {4}}}, {0, 155, 255, 51}));
    expect_image(cmyk, {1, 1, kRgba, false}, {204, 80, 0, 255});
    EXPECT_EQ(cmyk.details.file_channels, 4);
}

const LoadRequest kDeepDicom{.max_side_px = 0, .page = 0, .keeps_depth = true};

DicomImage gray_dicom(int width, int height, int bits, const std::string& syntax = "1.2.840.10008.1.2.1") {
    DicomImage image;
    image.width = width;
    image.height = height;
    image.allocated = bits == 1 ? 1 : bits > 16 ? 32 : bits > 8 ? 16 : 8;
    image.stored = bits;
    image.syntax = syntax;
    return image;
}

TEST(Dicom, GrayOfEveryKind) {
    expect_image(load_bytes("a.dcm", make_dicom(gray_dicom(2, 1, 8), Bytes{9, 200})), {2, 1, kGray, false}, {9, 200});
    expect_image(load_bytes("a.dcm", make_dicom(gray_dicom(3, 3, 1), Bytes{0b01010101, 1})), {3, 3, kGray, false},
                 {255, 0, 255, 0, 255, 0, 255, 0, 255});
    DicomImage deep = gray_dicom(2, 1, 12);
    // What stands above the bits that are stored is none of the sample.
    expect_deep(load_bytes("a.dcm", make_dicom(deep, Bytes{0x34, 0xF2, 0xFF, 0x0F}), kDeepDicom), 4095, {0x234, 4095});
    deep.is_signed = true;
    const LoadedImage shifted = load_bytes("a.dcm", make_dicom(deep, Bytes{0xFF, 0x0F, 0x00, 0x08}), kDeepDicom);
    expect_deep(shifted, 4095, {2047, 0});
    ASSERT_TRUE(shifted.details.scale);
    EXPECT_EQ(shifted.details.scale->shift, 2048);
    EXPECT_EQ(shifted.details.scale->intercept, -2048);
    EXPECT_FALSE(shifted.details.window);
    deep.unused = 3;
    deep.is_signed = false;
    Bytes high = make_dicom(deep, Bytes{0x18, 0x00, 0xF8, 0x7F});
    expect_deep(load_bytes("a.dcm", high, kDeepDicom), 4095, {3, 4095});
    // Numbers of 32 bits are stretched.
    const LoadedImage stretched =
        load_bytes("a.dcm", make_dicom(gray_dicom(3, 1, 32), Bytes{0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0}), kDeepDicom);
    expect_deep(stretched, 65535, {0, 32768, 65535});
    EXPECT_EQ(notice_of(stretched.details), "samples from 65536 to 196608, stretched to the whole range");
    EXPECT_DOUBLE_EQ(stretched.details.scale->slope * 65535 + stretched.details.scale->intercept, 196608);
}

TEST(Dicom, WindowAndScale) {
    DicomImage image = gray_dicom(2, 1, 12);
    image.is_signed = true;
    image.color = "MONOCHROME1";
    image.more = {dicom_text(0x28, 0x1050, "DS", "40\\90"), dicom_text(0x28, 0x1051, "DS", "401\\1"),
                  dicom_text(0x28, 0x1052, "DS", "-1024"),  dicom_text(0x28, 0x1053, "DS", "2"),
                  dicom_text(0x28, 0x1054, "LO", "HU"),     dicom_text(0x10, 0x10, "PN", "Somebody")};
    const Bytes bytes = make_dicom(image, Bytes{0, 0, 0x64, 0});
    const LoadedImage loaded = load_bytes("a.dcm", bytes, kDeepDicom);
    // Samples stay what they are; the window is inverse.
    expect_deep(loaded, 4095, {2048, 2148});
    EXPECT_EQ(loaded.details.scale, (SampleScale{2, -1024 - 2 * 2048, 2048, "HU"}));
    // 39.5 HU is (39.5 + 1024) / 2 stored; the ends are 400 HU apart.
    const SampleWindow window{range_around(257975, 20000), true};
    EXPECT_EQ(loaded.details.window, window);
    for (const auto& [label, value] : loaded.details.exif) EXPECT_EQ(value.find("Somebody"), std::string::npos);
    // In 8 bits it is seen through the window.
    const LoadedImage narrow = load_bytes("a.dcm", bytes);
    expect_image(narrow, {2, 1, kGray, false}, {255, 255});
    EXPECT_FALSE(narrow.details.window);
    EXPECT_EQ(notice_of(narrow.details),
              "seen through the file's window, center 2579.75, width 200, inverse; 12 bits a channel, reduced to 8");
    // Nothing is divided by zero or beyond what numbers hold.
    for (const char* slope : {"0", "1e308", "-1e-308", "nan", "x"})
        for (const char* width : {"0", "-1", "1e308", "1"}) {
            image.more = {dicom_text(0x28, 0x1050, "DS", "-1e308"), dicom_text(0x28, 0x1051, "DS", width),
                          dicom_text(0x28, 0x1052, "DS", "1e308"), dicom_text(0x28, 0x1053, "DS", slope)};
            load_bytes("a.dcm", make_dicom(image, Bytes(4)), kDeepDicom);
            load_bytes("a.dcm", make_dicom(image, Bytes(4)));
        }
}

TEST(Dicom, Colors) {
    DicomImage image = gray_dicom(2, 1, 8);
    image.samples = 3;
    image.color = "RGB";
    const Bytes pixels = {1, 2, 3, 4, 5, 6};
    expect_image(load_bytes("a.dcm", make_dicom(image, pixels)), {2, 1, kRgba, false}, {1, 2, 3, 255, 4, 5, 6, 255});
    image.in_planes = true;
    expect_image(load_bytes("a.dcm", make_dicom(image, pixels)), {2, 1, kRgba, false}, {1, 3, 5, 255, 2, 4, 6, 255});
    image.in_planes = false;
    image.color = "YBR_FULL";
    expect_image(load_bytes("a.dcm", make_dicom(image, Bytes{100, 128, 128, 100, 0, 255})), {2, 1, kRgba, false},
                 {100, 100, 100, 255, 255, 53, 0, 255});
    image.color = "YBR_FULL_422";
    expect_image(load_bytes("a.dcm", make_dicom(image, Bytes{100, 50, 128, 128})), {2, 1, kRgba, false},
                 {100, 100, 100, 255, 50, 50, 50, 255});
    DicomImage palette = gray_dicom(3, 1, 8);
    palette.color = "PALETTE COLOR";
    for (int c = 0; c < 3; ++c) {
        palette.more.push_back({0x28, 0x1101 + c, "US", {2, 0, 5, 0, 16, 0}});
        palette.more.push_back({0x28, 0x1201 + c, "OW", {1, uint8_t(c), 2, 3}});
    }
    // Indices below and above the palette mean its ends.
    expect_deep(load_bytes("a.dcm", make_dicom(palette, Bytes{0, 5, 9}), kDeepDicom), 65535,
                {1, 257, 513, 65535, 1, 257, 513, 65535, 770, 770, 770, 65535});
}

TEST(Dicom, PackedPixels) {
    const std::string syntax = "1.2.840.10008.1.2.";
    const auto load = [&](const DicomImage& image, const std::vector<Bytes>& fragments, int page = 0) {
        LoadRequest request = kDeepDicom;
        request.page = page;
        return load_bytes("a.dcm", make_dicom(image, fragments), request);
    };
    Bytes run_lengths(64, 0);
    run_lengths[0] = 2, run_lengths[4] = 64, run_lengths[8] = 66;
    append(run_lengths, {0xFE, 7, 2, 1, 2, 3});
    DicomImage image = gray_dicom(3, 1, 16, syntax + "5");
    image.frames = 2;
    const LoadedImage packed = load(image, {Bytes(64), run_lengths}, 1);
    expect_deep(packed, 65535, {0x701, 0x702, 0x703});
    EXPECT_EQ(packed.details.pages, 2);
    EXPECT_EQ(notice_of(packed.details), "page 2 of 2");
    EXPECT_EQ(packed.details.format, "DICOM (RLE Lossless)");
    // A frame may stand in several fragments.
    const Bytes jpeg = dicom_stream(DicomStreamKind::lossless_jpeg);
    const LoadedImage lossless = load(gray_dicom(3, 2, 12, syntax + "4.70"),
                                      {Bytes(jpeg.begin(), jpeg.begin() + 30), Bytes(jpeg.begin() + 30, jpeg.end())});
    expect_deep(lossless, 4095, {5, 736, 1467, 2198, 2929, 3660});
    const LoadedImage lossy = load(gray_dicom(3, 2, 12, syntax + "4.51"), {dicom_stream(DicomStreamKind::lossy_jpeg)});
    for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(reinterpret_cast<const uint16_t*>(lossy.image.data())[i], 731 * i + 5, 8) << i;
    for (const auto& [stream, name, side] :
         {std::tuple{DicomStreamKind::jpeg_2000, "4.90", 32}, {DicomStreamKind::jpeg_ls, "4.80", 8}}) {
        const LoadedImage quarters = load(gray_dicom(side, side, 12, syntax + name), {dicom_stream(stream)});
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x)
                ASSERT_EQ(reinterpret_cast<const uint16_t*>(quarters.image.data())[y * side + x],
                          (2 * y / side) * 3000 + (2 * x / side) * 1000 + 5)
                    << name << ' ' << x << ' ' << y;
    }
    DicomImage color = gray_dicom(8, 8, 8, syntax + "4.80");
    color.samples = 3;
    color.color = "RGB";
    const LoadedImage planes = load(color, {dicom_stream(DicomStreamKind::jpeg_ls_planes)});
    EXPECT_EQ(pixels_of(planes.image).size(), 256u);
    EXPECT_EQ(std::vector<uint8_t>(planes.image.view().pixel(5, 6), planes.image.view().pixel(5, 6) + 4),
              (std::vector<uint8_t>{101, 103, 7, 255}));
}

TEST(Dicom, TilesOfJpeg2000TakeNoMoreMemoryThanTheyMay) {
    Bytes stream = dicom_stream(DicomStreamKind::jpeg_2000);
    const auto load = [&](const Bytes& fragment) {
        LoadRequest request = kDeepDicom;
        request.max_side_px = 16;  // in 64 MB
        const DicomImage image = gray_dicom(32, 32, 12, "1.2.840.10008.1.2.4.90");
        return load_bytes("a.dcm", make_dicom(image, std::vector<Bytes>{fragment}), request);
    };
    EXPECT_EQ(load(stream).image.width(), 16);
    // The same in the boxes of a file, also of one whose length has 64 bits.
    for (const Bytes& box :
         {Bytes{0, 0, 0, 0, 'j', 'p', '2', 'c'}, Bytes{0, 0, 0, 1, 'j', 'p', '2', 'c', 0, 0, 0, 0, 0, 0, 0, 0}}) {
        Bytes file = {0, 0, 0, 12, 'j', 'P', ' ', ' ', 0x0D, 0x0A, 0x87, 0x0A};
        append(file, box);
        append(file, stream);
        EXPECT_EQ(load(file).image.width(), 16) << box.size();
    }
    for (const size_t side : {24, 28})  // of a tile: a pixel
        for (size_t i = 0; i < 4; ++i) stream[side + i] = i == 3;
    stream[10] = 0xFF;  // of the image's width: 65,312 more columns
    EXPECT_THROW(load(stream), MemoryError);
}

TEST(Dicom, WhatIsRefusedIsNamed) {
    const auto expect_words = [](const Bytes& bytes, const std::string& words, int page = 0) {
        try {
            LoadRequest request = kDeepDicom;
            request.page = page;
            load_bytes("a.dcm", bytes, request);
            ADD_FAILURE() << words;
        } catch (const UserError& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    const std::string syntax = "1.2.840.10008.1.2.";
    const std::vector<Bytes> one = {Bytes(64, 1)};
    expect_words(make_dicom(gray_dicom(1, 1, 8, syntax + "4.100"), one), "MPEG2 Main Profile @ Main Level");
    expect_words(make_dicom(gray_dicom(1, 1, 8, syntax + "4.201"), one), syntax + "4.201");
    expect_words(make_dicom(gray_dicom(1, 1, 8, syntax + "4.90"), one), "JPEG 2000");
    expect_words(make_dicom(gray_dicom(1, 1, 8, syntax + "4.80"), one), "JPEG-LS");
    expect_words(make_dicom(gray_dicom(1, 1, 8, syntax + "4.50"), one), "JPEG");
    expect_words(make_dicom(gray_dicom(2, 2, 12, syntax + "4.70"),
                            std::vector<Bytes>{dicom_stream(DicomStreamKind::lossless_jpeg)}),
                 "another size");
    // The length of the stream's first table, and bits of a difference: one more than there may be.
    for (const auto& [kind, length, bits, last] : {std::tuple{DicomStreamKind::lossy_jpeg, 0x14, 16, "4.51"},
                                                   std::tuple{DicomStreamKind::lossless_jpeg, 0x16, 17, "4.70"}}) {
        Bytes stream = dicom_stream(kind);
        const uint8_t table[] = {0xFF, 0xC4, 0x00, uint8_t(length), 0x00};
        const auto at = std::ranges::search(stream, table).begin();
        ASSERT_NE(at, stream.end()) << last;
        at[21] = uint8_t(bits);
        expect_words(make_dicom(gray_dicom(3, 2, 12, syntax + last), std::vector<Bytes>{stream}), "Huffman");
    }
    DicomImage odd = gray_dicom(1, 1, 8);
    odd.color = "CMYK";
    expect_words(make_dicom(odd, Bytes{1, 2}), "CMYK");
    odd.samples = 4;
    expect_words(make_dicom(odd, Bytes{1, 2, 3, 4}), "4 samples a pixel");
    expect_words(make_dicom(gray_dicom(2, 2, 8), Bytes{1, 2}), "too");
    expect_words(make_dicom(gray_dicom(1, 1, 8), Bytes{1, 2}), "no page 2", 1);
    // Sequences within sequences, as deep as nobody means them.
    DicomImage nested = gray_dicom(1, 1, 8);
    Bytes items;
    for (int i = 0; i < 200'000; ++i)
        append(items,
               {0xFE, 0xFF, 0, 0xE0, 0xFF, 0xFF, 0xFF, 0xFF, 9, 0, 1, 0x10, 'S', 'Q', 0, 0, 0xFF, 0xFF, 0xFF, 0xFF});
    nested.more = {{9, 0x1001, "SQ", items}};
    expect_words(make_dicom(nested, Bytes{1, 2}), "damaged");
}

TEST(Webp, LosslessIsExactAndLossyNear) {
    const HostImage noise = noise_image(31, 17, kRgba, false, 5);
    expect_image(load_bytes("a.webp", make_webp(noise.view(), true)), noise.spec(), pixels_of(noise));
    const HostImage ramp = ramp_image(64, 40, kRgba);
    const LoadedImage loaded = load_bytes("a.webp", make_webp(ramp.view(), false));
    ASSERT_EQ(loaded.image.spec(), ramp.spec());
    for (size_t i = 0; i < ramp.size_bytes(); ++i) ASSERT_NEAR(loaded.image.data()[i], ramp.data()[i], 8) << i;
}

TEST(Bmp, PaletteTrueColorAndMasks) {
    expect_image(load_bytes("a.bmp", make_bmp(2, 2, 24, 0, {}, {1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0})),
                 {2, 2, kRgba, false}, {9, 8, 7, 255, 12, 11, 10, 255, 3, 2, 1, 255, 6, 5, 4, 255});
    // Rows from the top where the height is negative.
    expect_image(load_bytes("a.bmp", make_bmp(1, -2, 24, 0, {}, {1, 2, 3, 0, 4, 5, 6, 0})), {1, 2, kRgba, false},
                 {3, 2, 1, 255, 6, 5, 4, 255});
    expect_image(load_bytes("a.bmp", make_bmp(3, 1, 4, 0, {0, 0, 0, 0, 3, 2, 1, 0}, {0x10, 0x10, 0, 0})),
                 {3, 1, kRgba, false}, {1, 2, 3, 255, 0, 0, 0, 255, 1, 2, 3, 255});
    // A palette of grays is a gray image.
    expect_image(load_bytes("a.bmp", make_bmp(4, 1, 1, 0, {9, 9, 9, 0, 200, 200, 200, 0}, {0x50, 0, 0, 0})),
                 {4, 1, kGray, false}, {9, 200, 9, 200});
    Bytes masks;
    for (uint32_t mask : {0xF800u, 0x07E0u, 0x001Fu}) put_le(masks, mask, 4);
    expect_image(load_bytes("a.bmp", make_bmp(2, 1, 16, 3, masks, {0x20, 0x08, 0xFF, 0xFF})), {2, 1, kRgba, false},
                 {8, 4, 0, 255, 255, 255, 255, 255});
    // 10 bits a channel and 2 of alpha, which is named.
    Bytes deep;
    for (uint32_t mask : {0x3FF00000u, 0xFFC00u, 0x3FFu, 0xC0000000u}) put_le(deep, mask, 4);
    Bytes pixel;
    put_le(pixel, 1u << 30 | 1023u << 20 | 512u << 10 | 1u, 4);
    const LoadedImage loaded = load_bytes("a.bmp", make_bmp(1, 1, 32, 6, deep, pixel));
    expect_image(loaded, {1, 1, kRgba, true}, {255, defined_8_bit(512, 1023), 0, 85});
    EXPECT_TRUE(loaded.details.reduced_to_8_bit);
    EXPECT_EQ(loaded.details.bits_per_channel, 10);
}

TEST(Bmp, Os2) {
    Bytes bmp = {'B', 'M', 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0, 12, 0, 0, 0, 2, 0, 1, 0, 1, 0, 1, 0};
    append(bmp, {1, 2, 3, 4, 5, 6, 0x40, 0, 0, 0});
    expect_image(load_bytes("a.bmp", bmp), {2, 1, kRgba, false}, {3, 2, 1, 255, 6, 5, 4, 255});
}

TEST(Tga, Kinds) {
    const Bytes two_by_two = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    expect_image(load_bytes("a.tga", make_tga(2, 2, 2, 24, 0x20, {}, 0, two_by_two)), {2, 2, kRgba, false},
                 {3, 2, 1, 255, 6, 5, 4, 255, 9, 8, 7, 255, 12, 11, 10, 255});
    expect_image(load_bytes("a.tga", make_tga(2, 2, 2, 24, 0, {}, 0, two_by_two)), {2, 2, kRgba, false},
                 {9, 8, 7, 255, 12, 11, 10, 255, 3, 2, 1, 255, 6, 5, 4, 255});
    expect_image(load_bytes("a.tga", make_tga(2, 1, 3, 8, 0x30, {}, 0, {1, 2})), {2, 1, kGray, false}, {2, 1});
    expect_image(load_bytes("a.tga", make_tga(1, 1, 2, 32, 0x28, {}, 0, {1, 2, 3, 0})), {1, 1, kRgba, true},
                 {3, 2, 1, 0});
    // No alpha bits counted and all zero: the fourth byte is filler.
    expect_image(load_bytes("a.tga", make_tga(1, 1, 2, 32, 0x20, {}, 0, {1, 2, 3, 0})), {1, 1, kRgba, false},
                 {3, 2, 1, 255});
    expect_image(load_bytes("a.tga", make_tga(3, 1, 1, 8, 0x20, {1, 2, 3, 4, 5, 6}, 24, {1, 0, 1})),
                 {3, 1, kRgba, false}, {6, 5, 4, 255, 3, 2, 1, 255, 6, 5, 4, 255});
    expect_image(load_bytes("a.tga", make_tga(4, 1, 11, 8, 0x20, {}, 0, {0x82, 7, 0x00, 9})), {4, 1, kGray, false},
                 {7, 7, 7, 9});
    // Told by content where the name says nothing.
    expect_image(load_bytes("a", make_tga(2, 1, 3, 8, 0x20, {}, 0, {1, 2})), {2, 1, kGray, false}, {1, 2});
}

TEST(Bmp, RunLengths) {
    Bytes palette;
    for (int i = 0; i < 16; ++i) append(palette, {uint8_t(i), uint8_t(i), uint8_t(i), 0});
    // The bottom row: a run of 3, 3 literal pixels and a byte to fill up, and two pixels too many. Then a jump, one
    // pixel, and the end.
    const Bytes rows8 = {3, 7, 0, 3, 1, 2, 3, 0, 2, 5, 0, 0, 0, 2, 2, 0, 1, 9, 0, 1};
    Bytes palette8 = palette;
    palette8.resize(1024, 0);
    expect_image(load_bytes("a.bmp", make_bmp(6, 2, 8, 1, palette8, rows8)), {6, 2, kGray, false},
                 {0, 0, 9, 0, 0, 0, 7, 7, 7, 1, 2, 3});
    const Bytes rows4 = {5, 0x12, 0, 0, 0, 5, 0x34, 0x56, 0x70, 0, 0, 1};
    expect_image(load_bytes("a.bmp", make_bmp(5, 2, 4, 2, palette, rows4)), {5, 2, kGray, false},
                 {3, 4, 5, 6, 7, 1, 2, 1, 2, 1});
}

TEST(Psd, GrayIndexedAndCmyk) {
    expect_image(load_bytes("a.psd", make_psd(2, 1, 1, 8, {1, 2}, true, 1)), {2, 1, kGray, false}, {1, 2});
    const LoadedImage deep = load_bytes("a.psd", make_psd(2, 1, 1, 16, {0x7F7F, 65535}, true, 1));
    expect_image(deep, {2, 1, kGray, false}, {defined_8_bit(0x7F7F, 65535), 255});
    expect_image(load_bytes("a.psd", make_psd(1, 1, 2, 8, {9, 255}, false, 1)), {1, 1, kRgba, true}, {9, 9, 9, 255});
    Bytes palette(768, 0);
    palette[5] = 1, palette[256 + 5] = 2, palette[512 + 5] = 3;
    expect_image(load_bytes("a.psd", make_psd(2, 1, 1, 8, {5, 0}, false, 2, palette)), {2, 1, kRgba, false},
                 {1, 2, 3, 255, 0, 0, 0, 255});
    // Inks are stored inverted: 255 is none.
    const LoadedImage cmyk = load_bytes("a.psd", make_psd(1, 1, 4, 8, {255, 100, 0, 51}, false, 4));
    expect_image(cmyk, {1, 1, kRgba, false}, {51, 20, 0, 255});
    EXPECT_EQ(cmyk.details.file_channels, 4);
}

TEST(Psd, WhiteIsTakenOutOfHalfTransparentPixels) {
    // Red 200 at alpha 128 on white is 227. Minus one layer says that the alpha is transparency.
    const Bytes plain = make_psd(1, 1, 4, 8, {227, 127, 0, 128}, false);
    expect_image(load_bytes("a.psd", plain), {1, 1, kRgba, true}, {227, 127, 0, 128});
    Bytes layered(plain.begin(), plain.end() - 10);
    append(layered, {0, 0, 0, 6, 0, 0, 0, 2, 0xFF, 0xFF});
    layered.insert(layered.end(), plain.end() - 6, plain.end());
    expect_image(load_bytes("a.psd", layered), {1, 1, kRgba, true}, {199, 0, 0, 128});
}

TEST(Psd, RawPackedAndDeep) {
    expect_image(load_bytes("a.psd", make_psd(2, 1, 3, 8, {1, 2, 3, 4, 5, 6}, false)), {2, 1, kRgba, false},
                 {1, 3, 5, 255, 2, 4, 6, 255});
    expect_image(load_bytes("a.psd", make_psd(2, 1, 4, 8, {1, 2, 3, 4, 5, 6, 255, 0}, true)), {2, 1, kRgba, true},
                 {1, 3, 5, 255, 2, 4, 6, 0});
    const LoadedImage deep = load_bytes("a.psd", make_psd(1, 1, 3, 16, {128, 0x7F7F, 65535}, false));
    expect_image(deep, {1, 1, kRgba, false}, {0, defined_8_bit(0x7F7F, 65535), 255, 255});
    EXPECT_TRUE(deep.details.reduced_to_8_bit);
}

TEST(Gif, FirstFrame) {
    const std::vector<uint32_t> palette = {0x010203, 0x0A0B0C, 0xFF8000};
    expect_image(load_bytes("a.gif", make_gif(3, 1, {0, 1, 2}, palette, -1)), {3, 1, kRgba, false},
                 {1, 2, 3, 255, 10, 11, 12, 255, 255, 128, 0, 255});
    expect_image(load_bytes("a.gif", make_gif(2, 1, {0, 1}, palette, 1)), {2, 1, kRgba, true},
                 {1, 2, 3, 255, 0, 0, 0, 0});
}

TEST(Jpeg, GrayColorAndProgressiveAreNearTheImage) {
    for (const JpegKind kind : {JpegKind::gray, JpegKind::color, JpegKind::progressive}) {
        const HostImage image = ramp_image(61, 47, kind == JpegKind::gray ? kGray : kRgba);
        const LoadedImage loaded = load_bytes("a.jpg", make_jpeg(image.view(), kind));
        ASSERT_EQ(loaded.image.spec(), image.spec());
        EXPECT_EQ(loaded.details.file_channels, image.spec().channels());
        for (size_t i = 0; i < image.size_bytes(); ++i) ASSERT_NEAR(loaded.image.data()[i], image.data()[i], 8) << i;
        for (size_t i = 3; kind != JpegKind::gray && i < image.size_bytes(); i += 4)
            ASSERT_EQ(loaded.image.data()[i], 255);
    }
}

TEST(Jpeg, Cmyk) {
    HostImage inks({8, 8, kRgba, false});
    for (size_t i = 0; i < inks.size_bytes(); i += 4) {
        const uint8_t ink[] = {200, 100, 0, 51};
        std::copy(ink, ink + 4, inks.data() + i);
    }
    const auto near = [&](JpegKind kind, int r, int g, int b) {
        const LoadedImage loaded = load_bytes("a.jpg", make_jpeg(inks.view(), kind));
        EXPECT_EQ(loaded.details.file_channels, 4);
        EXPECT_FALSE(loaded.image.spec().has_alpha);
        const uint8_t* p = loaded.image.view().pixel(4, 4);
        EXPECT_NEAR(p[0], r, 2);
        EXPECT_NEAR(p[1], g, 2);
        EXPECT_NEAR(p[2], b, 2);
        EXPECT_EQ(p[3], 255);
    };
    near(JpegKind::cmyk, 55 * 204 / 255, 155 * 204 / 255, 204);
    near(JpegKind::adobe_cmyk, 200 * 51 / 255, 100 * 51 / 255, 0);
}

TEST(Content, DecidesAndNotTheName) {
    expect_image(load_bytes("a.jpg", make_png(1, 1, 8, 2, {0, 9, 8, 7})), {1, 1, kRgba, false}, {9, 8, 7, 255});
    expect_image(load_bytes("picture.tga", text_bytes("P5 1 1 255\nx")), {1, 1, kGray, false}, {'x'});
}

}  // namespace
}  // namespace tonescope::test
