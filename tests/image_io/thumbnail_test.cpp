// Thumbnails: size, box filter, alpha, and the scaled decoding of JPEG.
#include <gtest/gtest.h>

#include "app/image_io/image_io.h"
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

}  // namespace
}  // namespace tonescope::test
