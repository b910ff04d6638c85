// Thumbnails: size, box filter, alpha, the scaled decoding of JPEG, and the memory that they take.
#include <charls/charls.h>
#include <gtest/gtest.h>
#include <openjpeg.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "app/image_io/image_io.h"
#include "app/sandbox/confinement.h"
#include "gpu/core/error.h"
#include "tests/image_io/sample_files.h"

namespace tonescope::test {
namespace {

TEST(Thumbnail, FitsAndKeepsTheAspect) {
    const TemporaryFolder folder;
    const auto size = [&](int width, int height, int side) {
        save_image(folder.path("a.png"), noise_image(width, height, PixelFormat::gray8, false, 2).view());
        const HostImage thumbnail = load_thumbnail(folder.path("a.png"), side);
        return std::pair(thumbnail.width(), thumbnail.height());
    };
    EXPECT_EQ(size(200, 100, 50), std::pair(50, 25));
    EXPECT_EQ(size(100, 201, 50), std::pair(25, 50));
    EXPECT_EQ(size(1000, 1, 50), std::pair(50, 1));
    EXPECT_EQ(size(20, 10, 50), std::pair(20, 10));
    EXPECT_EQ(size(20, 10, 0), std::pair(1, 1));
}

TEST(Thumbnail, IsTheMeanOfEachBox) {
    const TemporaryFolder folder;
    const HostImage image = noise_image(60, 36, PixelFormat::gray8, false, 12);
    save_image(folder.path("a.png"), image.view());
    const HostImage thumbnail = load_thumbnail(folder.path("a.png"), 10);
    for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 10; ++x) {
            int sum = 0;
            for (int i = 0; i < 36; ++i) sum += *image.view().pixel(6 * x + i % 6, 6 * y + i / 6);
            ASSERT_EQ(*thumbnail.view().pixel(x, y), (sum + 18) / 36);
        }
}

TEST(Thumbnail, TransparentPixelsLendNoColor) {
    const TemporaryFolder folder;
    const auto path = folder.write("a.png", make_png(2, 1, 8, 6, {0, 200, 100, 50, 255, 7, 7, 7, 0}));
    const HostImage thumbnail = load_thumbnail(path, 1);
    EXPECT_EQ(thumbnail.data()[0], 200);
    EXPECT_EQ(thumbnail.data()[1], 100);
    EXPECT_EQ(thumbnail.data()[2], 50);
    EXPECT_EQ(thumbnail.data()[3], 128);
    EXPECT_TRUE(thumbnail.spec().has_alpha);
}

TEST(Thumbnail, OfJpegIsNearTheReducedImage) {
    const TemporaryFolder folder;
    const HostImage image = ramp_image(801, 603, PixelFormat::rgba8);
    save_image(folder.path("a.jpg"), image.view());
    save_image(folder.path("a.png"), image.view());
    for (const int side : {16, 99, 100, 101, 400, 800, 801, 2000}) {
        const HostImage from_jpeg = load_thumbnail(folder.path("a.jpg"), side);
        const HostImage exact = load_thumbnail(folder.path("a.png"), side);
        ASSERT_EQ(from_jpeg.width(), exact.width()) << side;
        ASSERT_NEAR(from_jpeg.height(), exact.height(), 1) << side;
        for (int y = 0; y < std::min(from_jpeg.height(), exact.height()); ++y)
            for (int x = 0; x < exact.width(); ++x)
                for (int c = 0; c < 4; ++c)
                    ASSERT_NEAR(from_jpeg.view().pixel(x, y)[c], exact.view().pixel(x, y)[c], 12)
                        << side << " at " << x << ", " << y;
    }
}

/// 12 bits of 16, and one pixel far above: the others fill the thumbnail's levels.
TEST(Thumbnail, OfDeepImagesAreSeenThroughTheWindowOfNearlyAllSamples) {
    const TemporaryFolder folder;
    for (const int side_px : {100, 400}) {
        HostImage image({side_px, side_px, PixelFormat::gray16, false, 65535});
        for (int y = 0; y < side_px; ++y)
            for (int x = 0; x < side_px; ++x)
                set_sample(image.mutable_view().pixel(x, y), PixelFormat::gray16, 0, 1000 + 2000 * x / (side_px - 1));
        set_sample(image.mutable_view().pixel(0, 0), PixelFormat::gray16, 0, 65535);
        for (const char* name : {"a.png", "a.tiff", "a.pgm"}) {
            save_image(folder.path(name), image.view());
            const HostImage thumbnail = load_thumbnail(folder.path(name), 100);
            EXPECT_EQ(thumbnail.spec().format, PixelFormat::gray8);
            for (int x = 0; x < thumbnail.width(); ++x)
                ASSERT_NEAR(*thumbnail.view().pixel(x, 50), 255 * x / (thumbnail.width() - 1), 4)
                    << name << " of " << side_px << " pixels";
        }
    }
}

/// A GIF whose canvas has this size, behind whose header nothing is right.
Bytes gif_header(int width, int height) {
    Bytes bytes(size_t{1} << 16, 0);
    const Bytes head = {
        'G', 'I', 'F', '8', '9', 'a', uint8_t(width), uint8_t(width >> 8), uint8_t(height), uint8_t(height >> 8)};
    std::ranges::copy(head, bytes.begin());
    return bytes;
}

/// As the kernel counts it: "VmRSS" is in use now, "VmHWM" the most that was.
[[maybe_unused]] uint64_t memory_of_process(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (uint64_t kilobytes = 0; word == name + ":" && status >> kilobytes) return kilobytes << 10;
    return 0;
}

TEST(Thumbnail, TakesNoMoreThanItsShareOfMemory) {
    const TemporaryFolder folder;
    const auto too_large = folder.write("large.gif", gif_header(5000, 5000));
    try {
        load_thumbnail(too_large, 64);
        FAIL() << "25 million pixels of a GIF take more than 64 MB";
    } catch (const MemoryError& error) {
        EXPECT_STREQ(error.what(),
                     ("cannot open " + too_large + ": it needs 325 MB of memory, and it may take 64 MB").c_str());
    }
    // The same image may be opened: what is wrong with it is another matter.
    try {
        load_image(too_large);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_EQ(dynamic_cast<const MemoryError*>(&error), nullptr) << error.what();
    }
}

constexpr int kThumbnailSide_px = 128;

/// 128 squares across and down, each a level brighter than the one before it, and half a row of squares more.
HostImage squares(int square_px) {
    HostImage image({kThumbnailSide_px * square_px, kThumbnailSide_px * square_px + 1, PixelFormat::gray8, false});
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); x += square_px)
            std::fill_n(image.mutable_view().pixel(x, y), square_px, uint8_t(x / square_px + y / square_px));
    return image;
}

/// That of squares(), in no more than its share of memory.
void expect_small_thumbnail(const std::string& path) {
#ifdef __GLIBC__
    malloc_trim(0);  // what was freed counts as taken
#endif
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins anew
    [[maybe_unused]] const uint64_t before_bytes = memory_of_process("VmRSS");
    const HostImage thumbnail = load_thumbnail(path, kThumbnailSide_px);
#ifndef TONESCOPE_SANITIZED  // whose own memory counts too
    EXPECT_LE(memory_of_process("VmHWM"), before_bytes + kThumbnail_bytes + (8 << 20)) << path;
#endif
    ASSERT_EQ(std::pair(thumbnail.width(), thumbnail.height()), std::pair(kThumbnailSide_px, kThumbnailSide_px));
    for (int y = 0; y < kThumbnailSide_px; ++y)
        for (int x = 0; x < kThumbnailSide_px; ++x)
            ASSERT_NEAR(*thumbnail.view().pixel(x, y), x + y, 2) << path << " " << x << " " << y;
}

TEST(Thumbnail, OfALargeFileIsReducedRowByRow) {
    // One row too high for the share of memory.
    const TemporaryFolder folder;
    HostImage image = squares(64);
    ASSERT_GT(image.size_bytes(), kThumbnail_bytes);
    constexpr const char* kNames[] = {"a.png", "a.tiff", "a.jpg", "a.webp"};
    for (const char* name : kNames) save_image(folder.path(name), image.view(), {}, nullptr, {{"quality", 90}});
    image = {};
    for (const char* name : kNames) expect_small_thumbnail(folder.path(name));
}

/// A frame as DICOM's RLE packs it, in one segment.
Bytes pack_runs(const HostImage& image) {
    Bytes packed;
    put_le(packed, 1, 4);
    put_le(packed, 64, 4);
    packed.resize(64);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0, end = 0; x < image.width(); x = end) {
            while (end < image.width() && end - x < 128 && *image.view().pixel(end, y) == *image.view().pixel(x, y))
                ++end;
            const int count = end - x;
            packed.insert(packed.end(), {uint8_t(count == 1 ? 0 : 257 - count), *image.view().pixel(x, y)});
        }
    return packed;
}

Bytes pack_jpeg(const HostImage& image) {
    const TemporaryFolder folder;
    save_image(folder.path("a.jpg"), image.view(), {}, nullptr, {{"quality", 90}});
    std::ifstream file(folder.path("a.jpg"), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Without loss, as the next one.
Bytes pack_jpeg_ls(const HostImage& image) {
    Bytes packed(image.size_bytes() + 1000);
    size_t size = 0;
    const charls_frame_info info{uint32_t(image.width()), uint32_t(image.height()), 8, 1};
    charls_jpegls_encoder* const encoder = charls_jpegls_encoder_create();
    EXPECT_EQ(charls_jpegls_encoder_set_frame_info(encoder, &info), charls_jpegls_errc::success);
    EXPECT_EQ(charls_jpegls_encoder_set_destination_buffer(encoder, packed.data(), packed.size()),
              charls_jpegls_errc::success);
    EXPECT_EQ(charls_jpegls_encoder_encode_from_buffer(encoder, image.data(), image.size_bytes(),
                                                       uint32_t(image.pitch_bytes())),
              charls_jpegls_errc::success);
    EXPECT_EQ(charls_jpegls_encoder_get_bytes_written(encoder, &size), charls_jpegls_errc::success);
    charls_jpegls_encoder_destroy(encoder);
    packed.resize(size);
    return packed;
}

struct Jpeg2000Output {
    Bytes bytes = {};
    size_t at = 0;
};

Bytes pack_jpeg_2000(const HostImage& image) {
    opj_image_cmptparm_t component{};
    component.dx = component.dy = 1;
    component.w = OPJ_UINT32(image.width());
    component.h = OPJ_UINT32(image.height());
    component.prec = 8;
    opj_image_t* const from = opj_image_create(1, &component, OPJ_CLRSPC_GRAY);
    from->x1 = component.w;
    from->y1 = component.h;
    for (int y = 0; y < image.height(); ++y)
        std::copy_n(image.view().row(y), image.width(), from->comps[0].data + size_t(y) * size_t(image.width()));
    opj_cparameters_t parameters;
    opj_set_default_encoder_parameters(&parameters);
    parameters.tcp_numlayers = parameters.cp_disto_alloc = 1;
    Jpeg2000Output to;
    opj_stream_t* const stream = opj_stream_create(size_t{1} << 16, OPJ_FALSE);
    opj_stream_set_user_data(stream, &to, nullptr);
    opj_stream_set_write_function(stream, [](void* data, OPJ_SIZE_T count, void* self) {
        auto& [bytes, at] = *static_cast<Jpeg2000Output*>(self);
        bytes.resize(std::max(bytes.size(), at + count));
        std::copy_n(static_cast<const uint8_t*>(data), count, bytes.data() + at);
        at += count;
        return count;
    });
    opj_stream_set_seek_function(stream, [](OPJ_OFF_T to_byte, void* self) {
        static_cast<Jpeg2000Output*>(self)->at = size_t(to_byte);
        return OPJ_BOOL{OPJ_TRUE};
    });
    opj_stream_set_skip_function(stream, [](OPJ_OFF_T count, void* self) {
        static_cast<Jpeg2000Output*>(self)->at += size_t(count);
        return count;
    });
    opj_codec_t* const codec = opj_create_compress(OPJ_CODEC_J2K);
    EXPECT_TRUE(opj_setup_encoder(codec, &parameters, from) && opj_start_compress(codec, from, stream) &&
                opj_encode(codec, stream) && opj_end_compress(codec, stream));
    opj_stream_destroy(stream);
    opj_destroy_codec(codec);
    opj_image_destroy(from);
    return std::move(to.bytes);
}

TEST(Thumbnail, OfALargeDicomFile) {
    const TemporaryFolder folder;
    {
        const HostImage image = squares(64);
        DicomImage dicom{.width = image.width(), .height = image.height()};
        Bytes pixels;
        for (int y = 0; y < image.height(); ++y)
            pixels.insert(pixels.end(), image.view().row(y), image.view().row(y) + image.width());
        folder.write("plain.dcm", make_dicom(dicom, pixels));
        dicom.allocated = dicom.stored = 16;
        dicom.more = {dicom_text(0x28, 0x1050, "DS", "128"), dicom_text(0x28, 0x1051, "DS", "256")};
        Bytes words(2 * pixels.size());
        for (size_t i = 0; i < pixels.size(); ++i) words[2 * i] = pixels[i];
        folder.write("words.dcm", make_dicom(dicom, words));
    }
    for (const char* name : {"plain.dcm", "words.dcm"}) expect_small_thumbnail(folder.path(name));
}

/// What is packed is unpacked as a whole, beside the packed bytes.
struct Packing {
    const char *name, *syntax;
    Bytes (*pack)(const HostImage&);
    int square_px, too_large_px;  // of the greatest squares() that have a thumbnail, nearly, and of some that have none
};

class PackedDicom : public testing::TestWithParam<Packing> {};

TEST_P(PackedDicom, ThumbnailOfALargeFile) {
    const auto& [name, syntax, pack, square_px, too_large_px] = GetParam();
    const TemporaryFolder folder;
    const auto write = [&, pack = pack, syntax = syntax](int side_px, size_t more_bytes) {
        const HostImage image = squares(side_px);
        DicomImage dicom{.width = image.width(), .height = image.height()};
        dicom.syntax = syntax;
        Bytes packed = pack(image);
        packed.resize((packed.size() + 1) / 2 * 2 + more_bytes);
        return folder.write("a.dcm", make_dicom(dicom, std::vector<Bytes>{packed}));
    };
    expect_small_thumbnail(write(square_px, 0));
    EXPECT_THROW(load_thumbnail(write(square_px, size_t{16} << 20), kThumbnailSide_px), MemoryError)
        << "where much comes behind the pixels";
    EXPECT_THROW(load_thumbnail(write(too_large_px, 0), kThumbnailSide_px), MemoryError);
}

INSTANTIATE_TEST_SUITE_P(Codecs, PackedDicom,
                         testing::Values(Packing{"runs", "1.2.840.10008.1.2.5", pack_runs, 56, 64},
                                         Packing{"jpeg", "1.2.840.10008.1.2.4.50", pack_jpeg, 32, 40},
                                         Packing{"jpeg_ls", "1.2.840.10008.1.2.4.80", pack_jpeg_ls, 56, 64},
                                         Packing{"jpeg_2000", "1.2.840.10008.1.2.4.90", pack_jpeg_2000, 26, 28}),
                         [](const auto& codec) { return std::string(codec.param.name); });

}  // namespace
}  // namespace tonescope::test
