// The copying presenter in a real OpenGL context: pixels that arrive in textures, tiles, mipmaps, budgets.
#include "gpu/present/presenter.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "gpu/present/textures.h"
#include "tests/present/gl_fixture.h"

namespace tonescope {
namespace {

using PresentTest = GlTest;

std::vector<uint8_t> texture_pixels(unsigned texture, int level, PixelFormat format, int& width, int& height) {
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, level, GL_TEXTURE_WIDTH, &width);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, level, GL_TEXTURE_HEIGHT, &height);
    std::vector<uint8_t> pixels(size_t(width * height * bytes_per_pixel(format)));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    const PixelType type = pixel_type(format);
    glGetTexImage(GL_TEXTURE_2D, level, type.order, type.sample, pixels.data());
    return pixels;
}

/// Every pixel of every tile's level 0 is the image's.
void expect_picture(const Picture& picture, const HostImage& image) {
    const int size = bytes_per_pixel(image.spec().format);
    int64_t covered = 0;
    for (const Tile& tile : picture.tiles) {
        int width = 0, height = 0;
        const std::vector<uint8_t> pixels = texture_pixels(tile.texture, 0, image.spec().format, width, height);
        ASSERT_EQ(width, tile.rect.width);
        ASSERT_EQ(height, tile.rect.height);
        covered += int64_t{width} * height;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                for (int c = 0; c < size; ++c)
                    ASSERT_EQ(pixels[size_t((y * width + x) * size + c)],
                              image.view().pixel(tile.rect.x + x, tile.rect.y + y)[c])
                        << x << ", " << y << " of the tile at " << tile.rect.x << ", " << tile.rect.y;
    }
    EXPECT_EQ(covered, image.spec().pixels());
}

TEST_F(PresentTest, PixelsArriveWholeAndInTiles) {
    for (PixelFormat format : {PixelFormat::gray8, PixelFormat::rgba8, PixelFormat::gray16, PixelFormat::rgba16}) {
        for (int max_tile_px : {0, 64}) {
            for (const auto& [width, height] : {std::pair{1, 1}, {300, 201}, {64, 128}, {65, 3}}) {
                Presenter presenter("test", max_tile_px);
                const auto image = shared_noise(width, height, format);
                presenter.show(PictureRole::after, make_pyramid(image, 2), 5);
                while (presenter.step(10'000)) {
                }
                const Picture& picture = presenter.picture(PictureRole::after);
                EXPECT_EQ(picture.serial, 5u);
                EXPECT_EQ(picture.tiles.size() > 1, max_tile_px == 64 && (width > 64 || height > 64));
                expect_picture(picture, *image);
            }
        }
    }
}

TEST_F(PresentTest, TheOldPictureStaysUntilTheNewOneIsComplete) {
    Presenter presenter("test");
    const auto first = shared_noise(200, 100, PixelFormat::rgba8), second = shared_noise(200, 100, PixelFormat::gray8);
    presenter.show(PictureRole::after, make_pyramid(first, 1), 1);
    while (presenter.step(1 << 20)) {
    }
    presenter.show(PictureRole::after, make_pyramid(second, 1), 2);
    EXPECT_TRUE(presenter.step(1000));
    EXPECT_EQ(presenter.picture(PictureRole::after).serial, 1u);
    expect_picture(presenter.picture(PictureRole::after), *first);
    int steps = 0;
    while (presenter.step(1000)) ++steps;
    EXPECT_GT(steps, 10);
    EXPECT_EQ(presenter.picture(PictureRole::after).serial, 2u);
    expect_picture(presenter.picture(PictureRole::after), *second);
}

TEST_F(PresentTest, ALargePictureThatOpensAnEmptyRoleIsFirstShownInAFrameWithoutCopies) {
    Presenter presenter("test", 4096);
    const auto image = shared_noise(2600, 1700, PixelFormat::rgba8);
    for (uint64_t serial : {1, 2}) {
        presenter.show(PictureRole::before, make_pyramid(image, 1), serial);
        while (presenter.step(4 << 20) && !presenter.rests()) {
        }
        EXPECT_EQ(presenter.rests(), serial == 1);
        EXPECT_EQ(presenter.picture(PictureRole::before).serial, serial == 1 ? 0u : 2u);
        EXPECT_FALSE(presenter.step(4 << 20));
        EXPECT_EQ(presenter.rests(), serial == 1);
        EXPECT_EQ(presenter.picture(PictureRole::before).serial, serial);
    }
    expect_picture(presenter.picture(PictureRole::before), *image);
}

TEST_F(PresentTest, ANewerPictureReplacesAnUnfinishedOne) {
    Presenter presenter("test");
    const auto first = shared_noise(200, 100, PixelFormat::rgba8), second = shared_noise(120, 90, PixelFormat::rgba8);
    presenter.show(PictureRole::before, make_pyramid(first, 1), 1);
    EXPECT_TRUE(presenter.step(1000));
    presenter.show(PictureRole::before, make_pyramid(second, 1), 2);
    while (presenter.step(1 << 20)) {
    }
    EXPECT_EQ(presenter.picture(PictureRole::before).serial, 2u);
    expect_picture(presenter.picture(PictureRole::before), *second);
    presenter.clear(PictureRole::before);
    EXPECT_TRUE(presenter.picture(PictureRole::before).empty());
}

TEST_F(PresentTest, UnderAStreamOfPicturesThoseThatHaveBegunBecomeCompleteAndTheNewestIsLast) {
    Presenter presenter("test");
    std::vector<uint64_t> seen;
    std::shared_ptr<const HostImage> image;
    uint64_t serial = 0;
    const auto step = [&] {
        const bool more = presenter.step(20'000);
        const uint64_t shown = presenter.picture(PictureRole::after).serial;
        if (shown != 0 && (seen.empty() || seen.back() != shown)) seen.push_back(shown);
        return more;
    };
    for (int k = 0; k < 20; ++k) {
        image = shared_noise(200, 100, PixelFormat::rgba8, uint32_t(k));
        presenter.show(PictureRole::after, make_pyramid(image, 1), ++serial);
        step();
    }
    EXPECT_GT(seen.size(), 2u) << "though each takes six steps";
    while (step()) {
    }
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_EQ(seen.back(), serial);
    expect_picture(presenter.picture(PictureRole::after), *image);
}

/// Puts another function in the place of one of OpenGL's.
template <class F>
class Replaced {
  public:
    Replaced(F& function, F other) : function_(function), usual_(std::exchange(function, other)) {}
    ~Replaced() { function_ = usual_; }
    Replaced(const Replaced&) = delete;
    Replaced& operator=(const Replaced&) = delete;

  private:
    F& function_;
    F usual_;
};

class RefusedPictures {
  public:
    RefusedPictures() {
        presenter_.show(PictureRole::after, make_pyramid(first_, 1), 1);
        copy();
        presenter_.show(PictureRole::after, make_pyramid(second_, 1), 2);
    }
    /// While OpenGL refuses something.
    void expect_refusal() {
        copy();
        EXPECT_TRUE(presenter_.lacks_picture());
        EXPECT_NE(presenter_.take_problem(), "");
        presenter_.retry();
        copy();
        EXPECT_TRUE(presenter_.lacks_picture());
        EXPECT_EQ(presenter_.take_problem(), "");
        EXPECT_EQ(presenter_.picture(PictureRole::after).serial, 1u);
        expect_picture(presenter_.picture(PictureRole::after), *first_);
    }
    void expect_second() {
        presenter_.retry();
        copy();
        EXPECT_FALSE(presenter_.lacks_picture());
        EXPECT_EQ(presenter_.picture(PictureRole::after).serial, 2u);
        expect_picture(presenter_.picture(PictureRole::after), *second_);
    }

  private:
    void copy() {
        while (presenter_.step(1000)) {
        }
    }

    Presenter presenter_{"test"};
    std::shared_ptr<const HostImage> first_ = shared_noise(90, 70, PixelFormat::rgba8, 1),
                                     second_ = shared_noise(80, 60, PixelFormat::rgba8, 2);
};

TEST_F(PresentTest, APictureWithoutAMappedBufferIsToldAndComesWithALaterTry) {
    RefusedPictures pictures;
    {
        const Replaced map(
            glad_glMapBufferRange, +[](GLenum, GLintptr, GLsizeiptr, GLbitfield) -> void* { return nullptr; });
        pictures.expect_refusal();
    }
    pictures.expect_second();
}

TEST_F(PresentTest, APictureWhoseBufferIsLostIsToldAndComesWithALaterTry) {
    RefusedPictures pictures;
    {
        static PFNGLUNMAPBUFFERPROC unmap;
        unmap = glad_glUnmapBuffer;
        const Replaced lose(
            glad_glUnmapBuffer, +[](GLenum target) {
                unmap(target);
                return GLboolean{GL_FALSE};
            });
        pictures.expect_refusal();
    }
    pictures.expect_second();
}

TEST_F(PresentTest, ALowerResolutionForLackOfMemoryIsTold) {
    static PFNGLGENTEXTURESPROC generate;
    static int left;
    generate = glad_glGenTextures;
    left = 1;
    const Replaced lack(
        glad_glGenTextures, +[](GLsizei count, GLuint* names) {
            if (left-- > 0)
                std::fill_n(names, count, 0);
            else
                generate(count, names);
        });
    const auto image = shared_noise(64, 64, PixelFormat::rgba8);
    Presenter presenter("test");
    presenter.show(PictureRole::after, make_pyramid(image, 1), 1);
    while (presenter.step(1 << 20)) {
    }
    EXPECT_NE(presenter.take_problem(), "");
    EXPECT_EQ(presenter.picture(PictureRole::after).tiles.size(), 1u);
}

int texture_count() {
    int count = 0;
    for (GLuint name = 1; name < 1000; ++name) count += glIsTexture(name);
    return count;
}

/// The driver may take longer for all at once than a frame may.
TEST_F(PresentTest, TexturesOfTilesAreMadeAndFreedOneByOne) {
    Presenter presenter("test", 64);
    const auto first = shared_noise(300, 201, PixelFormat::rgba16), second = shared_noise(100, 201, PixelFormat::gray8);
    for (const auto& [image, tiles] : {std::pair(first, 20), {second, 8}, {first, 20}}) {
        presenter.show(PictureRole::before, make_pyramid(image, 1), uint64_t(tiles));
        int before = texture_count();
        while (presenter.step(100)) {
            const int now = texture_count();
            EXPECT_LE(std::abs(now - before), 1);
            before = now;
        }
        expect_picture(presenter.picture(PictureRole::before), *image);
        EXPECT_EQ(texture_count(), tiles);
    }
}

TEST_F(PresentTest, ALaterTileThatLacksMemoryLowersTheResolution) {
    static PFNGLGENTEXTURESPROC generate;
    static int until;
    generate = glad_glGenTextures;
    until = 5;
    const Replaced lack(
        glad_glGenTextures, +[](GLsizei count, GLuint* names) {
            if (--until == 0)
                std::fill_n(names, count, 0);
            else
                generate(count, names);
        });
    const auto image = shared_noise(300, 201, PixelFormat::rgba8);
    Presenter presenter("test", 64);
    presenter.show(PictureRole::after, make_pyramid(image, 1), 1);
    while (presenter.step(1 << 20)) {
    }
    EXPECT_NE(presenter.take_problem(), "");
    EXPECT_EQ(presenter.picture(PictureRole::after).tiles.size(), 6u) << "150 x 100";
    EXPECT_EQ(texture_count(), 6);
}

TEST_F(PresentTest, DroppedPicturesLeaveTheirTexturesToTheNextOnes) {
    Presenter presenter("test");
    const auto image = shared_noise(200, 100, PixelFormat::rgba8);
    for (uint64_t serial = 1; serial <= 12; ++serial) {
        for (int again = 0; again < 3; ++again) presenter.show(PictureRole::after, make_pyramid(image, 1), serial);
        while (presenter.step(1 << 20)) {
        }
        // A mark that textures keep: names alone are given away again.
        glBindTexture(GL_TEXTURE_2D, presenter.picture(PictureRole::after).tiles[0].texture);
        if (serial <= 2) glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
        GLint wrap = 0;
        glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, &wrap);
        EXPECT_EQ(wrap, GL_REPEAT) << serial;
    }
}

TEST_F(PresentTest, MipmapsAreTheMeansOfTwoByTwo) {
    for (PixelFormat format : {PixelFormat::gray8, PixelFormat::rgba8, PixelFormat::gray16, PixelFormat::rgba16}) {
        Presenter presenter("test");
        const auto image = shared_noise(30, 21, format);
        presenter.show(PictureRole::before, make_pyramid(image, 1), 1);
        while (presenter.step(1 << 20)) {
        }
        HostImage half({15, 10, format, false, image->spec().max_sample});
        int width = 0, height = 0;
        std::ranges::copy(
            texture_pixels(presenter.picture(PictureRole::before).tiles[0].texture, 1, format, width, height),
            half.data());
        ASSERT_EQ(width, 15);
        ASSERT_EQ(height, 10);
        const ImageView v = image->view();
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                for (int c = 0; c < (is_gray(format) ? 1 : 4); ++c)
                    ASSERT_EQ(half.view().sample(x, y, c),
                              (v.sample(2 * x, 2 * y, c) + v.sample(2 * x + 1, 2 * y, c) +
                               v.sample(2 * x, 2 * y + 1, c) + v.sample(2 * x + 1, 2 * y + 1, c) + 2) /
                                  4);
    }
}

}  // namespace
}  // namespace tonescope
