// The quick way through plain PNG files gives what libspng gives, or leaves the file to it.
#include <gtest/gtest.h>
#include <libdeflate.h>
#include <spng.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>

#include "app/image_io/image_io.h"
#include "app/image_io/internal.h"
#include "gpu/core/error.h"
#include "tests/image_io/sample_files.h"

namespace tonescope::test {
namespace {

constexpr int kColorType[] = {0, 0, 0, 2, 6};  // by samples a pixel

/// `bits`: 8 or 16 a sample.
ImageSpec spec_of(int width, int height, int samples, int bits) {
    const bool deep = bits == 16;
    return {width, height,
            samples == 1 ? (deep ? PixelFormat::gray16 : PixelFormat::gray8)
                         : (deep ? PixelFormat::rgba16 : PixelFormat::rgba8),
            samples == 4, uint16_t(deep ? 65535 : 255)};
}

Bytes bytes_of(const ImageView& image) {
    return Bytes(image.data, image.data + image.spec.row_bytes() * size_t(image.spec.height));
}

/// The pixels as libspng alone reads them; nothing where it refuses.
std::optional<Bytes> by_libspng(const Bytes& png, bool gray, int bits = 8) {
    const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> context(spng_ctx_new(0), spng_ctx_free);
    spng_set_png_buffer(context.get(), png.data(), png.size());
    const int format = bits == 16 ? (gray ? SPNG_FMT_PNG : SPNG_FMT_RGBA16) : (gray ? SPNG_FMT_G8 : SPNG_FMT_RGBA8);
    size_t size = 0;
    if (spng_decoded_image_size(context.get(), format, &size) != 0 || size > 1 << 20) return {};
    Bytes pixels(size);
    if (spng_decode_image(context.get(), pixels.data(), size, format, 0) != 0) return {};
    if (spng_decode_chunks(context.get()) != 0) return {};
    return pixels;
}

Bytes deflated(const Bytes& raw) {
    const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> packer(
        libdeflate_alloc_compressor(9), libdeflate_free_compressor);
    Bytes stream(libdeflate_zlib_compress_bound(packer.get(), raw.size()));
    stream.resize(libdeflate_zlib_compress(packer.get(), raw.data(), raw.size(), stream.data(), stream.size()));
    return stream;
}

/// Rows of any bytes are valid filtered rows. `filter` 0 to 4; 5: each row another.
Bytes random_rows(int width, int height, int sample_bytes, int filter, std::minstd_rand& random) {
    Bytes rows;
    for (int y = 0; y < height; ++y) {
        rows.push_back(uint8_t(filter < 5 ? unsigned(filter) : random() / 64 % 5));
        for (int i = 0; i < width * sample_bytes; ++i) rows.push_back(uint8_t(random() >> 8));
    }
    return rows;
}

/// Whether the quick way reads the file; its pixels are libspng's then.
bool is_plain(const Bytes& png, int width, int height, int samples, int bits = 8) {
    const TemporaryFolder folder;
    image_io::FileReader file(folder.write("a.png", png), {});
    HostImage image(spec_of(width, height, samples, bits));
    const bool plain = image_io::read_plain_png(file, samples, image.mutable_view());
    if (plain) {
        EXPECT_EQ(bytes_of(image.view()), by_libspng(png, samples == 1, bits));
    }
    return plain;
}

TEST(PlainPng, EveryFilterAndWidth) {
    const TemporaryFolder folder;
    const image_io::FileReader unused(folder.write("any", {1}), {});
    std::minstd_rand random(5);
    const auto check = [&](int samples, int bits, int width, int filter) {
        const int height = 1 + (width + filter) % 19;
        Bytes rows = random_rows(width, height, samples * bits / 8, filter, random);
        const Bytes png = make_png(uint32_t(width), uint32_t(height), bits, kColorType[samples], rows);
        const auto expected = by_libspng(png, samples == 1, bits);
        rows.insert(rows.end(), 2, 0);
        for (const bool avx2 : {false, cpu_has_avx2()}) {
            HostImage image(spec_of(width, height, samples, bits));
            ASSERT_TRUE(image_io::undo_png_filters(rows.data(), samples, image.mutable_view(), unused, avx2));
            ASSERT_EQ(bytes_of(image.view()), expected) << samples << " samples of " << bits << " bits, " << width
                                                        << "x" << height << ", filter " << filter << ", AVX2 " << avx2;
        }
    };
    for (int samples : {1, 3, 4})
        for (int bits : {8, 16})
            for (int width = 1; width <= 67; ++width)
                for (int filter = 0; filter <= 5; ++filter) check(samples, bits, width, filter);
}

TEST(PlainPng, UnknownFilter) {
    const TemporaryFolder folder;
    const image_io::FileReader unused(folder.write("any", {1}), {});
    HostImage image(spec_of(1, 3, 1, 8));
    EXPECT_FALSE(image_io::undo_png_filters(Bytes{0, 9, 1, 9, 5, 9, 0, 0}.data(), 1, image.mutable_view(), unused));
}

/// A picture of 9x7 pixels with three samples, whose chunks each test arranges.
struct Parts {
    PngChunk header{"IHDR", png_header(9, 7, 8, 2)}, first{"IDAT", {}}, second{"IDAT", {}}, end{"IEND", {}};
    PngChunk text{"tEXt", text_bytes(std::string("Comment\0gray", 12))};

    Parts() {
        std::minstd_rand random(7);
        const Bytes stream = deflated(random_rows(9, 7, 3, 5, random));
        first.data.assign(stream.begin(), stream.begin() + 20);
        second.data.assign(stream.begin() + 20, stream.end());
    }
};

TEST(PlainPng, WhatIsPlain) {
    const Parts p;
    const auto plain = [](const std::vector<PngChunk>& chunks) { return is_plain(make_png(chunks), 9, 7, 3); };
    EXPECT_TRUE(plain({p.header, p.first, p.second, p.end}));
    EXPECT_TRUE(plain({p.header, p.text, p.first, {"IDAT", {}}, p.second, p.text, {"tIME", {1}}, p.end}));
    EXPECT_FALSE(plain({p.header, p.first, p.text, p.second, p.end}));
    EXPECT_FALSE(plain({p.header, p.first, p.end}));
    EXPECT_FALSE(plain({p.header, p.first, p.second, p.second, p.end}));
    EXPECT_FALSE(plain({p.header, p.first, p.second, {"eXIf", make_exif(6, true)}, p.end}));
    EXPECT_FALSE(plain({p.header, p.first, p.second, {"NEXT", {}}, p.end}));
    EXPECT_FALSE(plain({p.header, p.first, p.second, {"IEND", {1}}}));
    EXPECT_FALSE(plain({p.header, p.first, p.second}));
    EXPECT_FALSE(is_plain(make_png({p.header, p.first, p.second, p.end}), 9, 6, 3));
    EXPECT_FALSE(is_plain(make_png({p.header, p.first, p.second, p.end}), 9, 8, 3));
}

TEST(PlainPng, SixteenBitsArePlain) {
    std::minstd_rand random(9);
    for (int samples : {1, 3, 4}) {
        const Bytes rows = random_rows(40, 33, 2 * samples, 5, random);
        EXPECT_TRUE(is_plain(make_png(40, 33, 16, kColorType[samples], rows), 40, 33, samples, 16)) << samples;
    }
}

TEST(PlainPng, ExifBehindThePixelsIsRead) {
    const Parts p;
    const TemporaryFolder folder;
    const std::string path =
        folder.write("a.png", make_png({p.header, p.first, p.second, {"eXIf", make_exif(6, true)}, p.end}));
    EXPECT_EQ(load_image(path).details.orientation, 6);
}

TEST(PlainPng, EveryDamagedByteIsSeenAsLibspngSeesIt) {
    const Parts p;
    const TemporaryFolder folder;
    const Bytes png = make_png({p.header, p.first, p.second, p.text, p.end});
    int opened = 0, refused = 0;
    for (size_t at = 0; at < png.size(); ++at)
        for (int change = 0; change < 8; ++change) {
            Bytes damaged = png;
            damaged[at] = uint8_t(damaged[at] ^ (change < 4 ? 1 << 2 * change : 0xFF >> (change - 4)));
            if (change % 2 == 1) fix_png_crc(damaged);
            const auto expected = by_libspng(damaged, damaged[25] == 0);
            std::optional<Bytes> pixels;
            try {
                pixels = bytes_of(load_image(folder.write("a.png", damaged)).image.view());
            } catch (const UserError&) {
            }
            ASSERT_EQ(pixels, expected) << "byte " << at << ", change " << change;
            ++(pixels ? opened : refused);
        }
    EXPECT_GT(opened, 0);
    EXPECT_GT(refused, 0);
}

TEST(PlainPng, EveryShorterFileIsRefused) {
    const Parts p;
    const TemporaryFolder folder;
    Bytes png = make_png({p.header, p.first, p.second, p.text, p.end});
    EXPECT_TRUE(is_plain(png, 9, 7, 3));
    while (png.size() > 8) {
        png.pop_back();
        EXPECT_FALSE(is_plain(png, 9, 7, 3)) << png.size();
        EXPECT_THROW(load_image(folder.write("a.png", png)), UserError) << png.size();
    }
}

}  // namespace
}  // namespace tonescope::test
