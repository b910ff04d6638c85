// EXIF: all orientations, and what the details panel shows.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/image_io/image_io.h"
#include "tests/image_io/sample_files.h"

namespace tonescope::test {
namespace {

/// Where the pixel of the turned image comes from, in words of the EXIF standard: what row 0 and column 0 of the file
/// are on screen.
struct Place {
    int x, y;
};
Place source_of(int orientation, int x, int y, int file_width, int file_height) {
    const int right = file_width - 1, bottom = file_height - 1;
    switch (orientation) {
        case 2:
            return {right - x, y};  // row 0 top, column 0 right
        case 3:
            return {right - x, bottom - y};  // bottom, right
        case 4:
            return {x, bottom - y};  // bottom, left
        case 5:
            return {y, x};  // left, top
        case 6:
            return {y, bottom - x};  // right, top
        case 7:
            return {right - y, bottom - x};  // right, bottom
        case 8:
            return {right - y, x};  // left, bottom
        default:
            return {x, y};
    }
}

void expect_turned(const HostImage& turned, const HostImage& plain, int orientation) {
    const bool swapped = orientation >= 5;
    ASSERT_EQ(turned.width(), swapped ? plain.height() : plain.width()) << orientation;
    ASSERT_EQ(turned.height(), swapped ? plain.width() : plain.height()) << orientation;
    const size_t bytes = size_t(bytes_per_pixel(plain.spec().format));
    for (int y = 0; y < turned.height(); ++y)
        for (int x = 0; x < turned.width(); ++x) {
            const Place from = source_of(orientation, x, y, plain.width(), plain.height());
            ASSERT_TRUE(std::equal(turned.view().pixel(x, y), turned.view().pixel(x, y) + bytes,
                                   plain.view().pixel(from.x, from.y)))
                << "orientation " << orientation << " at " << x << ", " << y;
        }
}

TEST(Exif, AllOrientationsOfJpeg) {
    const TemporaryFolder folder;
    for (const JpegKind kind : {JpegKind::gray, JpegKind::color}) {
        const HostImage image =
            noise_image(70, 41, kind == JpegKind::gray ? PixelFormat::gray8 : PixelFormat::rgba8, false, 7);
        const Bytes jpeg = make_jpeg(image.view(), kind);
        const HostImage plain = load_image(folder.write("plain.jpg", jpeg)).image;
        for (int orientation = 1; orientation <= 8; ++orientation)
            for (const bool big_endian : {false, true}) {
                const std::string path =
                    folder.write("turned.jpg", with_exif(jpeg, make_exif(orientation, big_endian)));
                const LoadedImage loaded = load_image(path);
                EXPECT_EQ(loaded.details.orientation, orientation);
                expect_turned(loaded.image, plain, orientation);
                const HostImage thumbnail = load_thumbnail(path, 10);
                EXPECT_EQ(thumbnail.width(), orientation >= 5 ? 6 : 10);
                EXPECT_EQ(thumbnail.height(), orientation >= 5 ? 10 : 6);
            }
    }
}

TEST(Exif, OrientationOutOfRangeIsIgnored) {
    const TemporaryFolder folder;
    const HostImage image = ramp_image(20, 10, PixelFormat::rgba8);
    for (const int orientation : {0, 9, 255, 65535}) {
        const Bytes jpeg = with_exif(make_jpeg(image.view(), JpegKind::color), make_exif(orientation, true));
        const LoadedImage loaded = load_image(folder.write("a.jpg", jpeg));
        EXPECT_EQ(loaded.details.orientation, 1);
        EXPECT_EQ(loaded.image.width(), 20);
    }
}

TEST(Exif, PngTurnsToo) {
    const TemporaryFolder folder;
    const LoadedImage loaded =
        load_image(folder.write("a.png", make_png(2, 1, 8, 0, {0, 10, 20}, {{"eXIf", make_exif(6, false)}})));
    ASSERT_EQ(loaded.image.width(), 1);
    ASSERT_EQ(loaded.image.height(), 2);
    EXPECT_EQ(loaded.image.data()[0], 10);
    EXPECT_EQ(loaded.image.data()[1], 20);
}

TEST(Exif, ListNamesCameraAndExposure) {
    const TemporaryFolder folder;
    const HostImage image = ramp_image(20, 10, PixelFormat::rgba8);
    const Bytes jpeg = with_exif(make_jpeg(image.view(), JpegKind::color), make_exif(1, false));
    const auto exif = load_image(folder.write("a.jpg", jpeg)).details.exif;
    const auto value = [&](const std::string& label) {
        for (const auto& [name, text] : exif)
            if (name == label) return text;
        return std::string();
    };
    EXPECT_EQ(value("Camera"), "Lochkam.");
    EXPECT_EQ(value("Exposure"), "1/250 sec.");
}

TEST(Exif, TextIsOneLineOfUtf8) {
    const TemporaryFolder folder;
    const HostImage image = ramp_image(20, 10, PixelFormat::rgba8);
    Bytes exif = make_exif(1, false);
    const Bytes nasty = {0xFF, '\n', 0xC3, 0xA4, 0xE0, 0x80, 0x80, 'x'};
    const Bytes name = text_bytes("Lochkam.");
    std::copy(nasty.begin(), nasty.end(), std::search(exif.begin(), exif.end(), name.begin(), name.end()));
    const auto list =
        load_image(folder.write("a.jpg", with_exif(make_jpeg(image.view(), JpegKind::color), exif))).details.exif;
    ASSERT_FALSE(list.empty());
    EXPECT_EQ(list[0].first, "Camera");
    EXPECT_EQ(list[0].second, "? \xC3\xA4???x");
}

}  // namespace
}  // namespace tonescope::test
