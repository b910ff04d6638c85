// Small pictures of files, and what becomes of them when there are many.
#include "app/viewer/files/thumbnails.h"

#include <gtest/gtest.h>

#include "tests/app/temporary_folder.h"
#include "tests/app/workers.h"

namespace tonescope {
namespace {

class ThumbnailsTest : public testing::Test {
  protected:
    std::string pgm(const std::string& name) { return folder_.write(name, "P5 2 2 255\nabcd"); }
    bool finish() {
        return workers_.wait([&] {
            thumbnails_.update();
            return !thumbnails_.busy();
        });
    }

    TemporaryFolder folder_;
    Workers workers_;
    unsigned made_ = 0;
    std::vector<unsigned> removed_;
    ThumbnailTextures textures_{[this](const Pyramid& pyramid) {
                                    Picture picture;
                                    picture.spec = pyramid.image->spec();
                                    picture.tiles.push_back({++made_, {}});
                                    return picture;
                                },
                                [this](std::vector<Tile>& tiles) { removed_.push_back(tiles[0].texture); }};
    Thumbnails thumbnails_{[] {}, textures_, 3};
};

TEST_F(ThumbnailsTest, AreMadeOnceForEachFile) {
    const std::string a = pgm("a.pgm");
    EXPECT_TRUE(thumbnails_.of(a).empty());
    const uint64_t before = thumbnails_.revision();
    thumbnails_.want(a);
    thumbnails_.want(a);
    ASSERT_TRUE(finish());
    EXPECT_EQ(made_, 1U);
    EXPECT_EQ(thumbnails_.of(a).spec.width, 2);
    EXPECT_NE(thumbnails_.revision(), before);
    thumbnails_.want(a);
    EXPECT_FALSE(thumbnails_.busy());
}

TEST_F(ThumbnailsTest, AFileThatTakesTooMuchMemoryHasNoneAndIsKnown) {
    std::string text("GIF89a\x88\x13\x88\x13", 10);  // 5000 x 5000 pixels
    text.resize(size_t{1} << 16);
    const std::string large = folder_.write("large.gif", text), damaged = folder_.write("damaged.gif", "GIF89a");
    thumbnails_.want({large, damaged});
    ASSERT_TRUE(finish());
    EXPECT_EQ(made_, 0U);
    EXPECT_TRUE(thumbnails_.of(large).empty());
    EXPECT_TRUE(thumbnails_.is_too_large(large));
    EXPECT_FALSE(thumbnails_.is_too_large(damaged));
    thumbnails_.keep_only({});
    EXPECT_FALSE(thumbnails_.is_too_large(large));
}

TEST_F(ThumbnailsTest, AFileThatCannotBeReadIsNotAskedForAgain) {
    const std::string broken = folder_.write("broken.pgm", "P5 nonsense");
    thumbnails_.want(broken);
    ASSERT_TRUE(finish());
    EXPECT_TRUE(thumbnails_.of(broken).empty());
    pgm("broken.pgm");
    thumbnails_.want(broken);
    EXPECT_FALSE(thumbnails_.busy());
}

TEST_F(ThumbnailsTest, OfAFileThatWasWrittenANewOneIsMade) {
    const std::string a = pgm("a.pgm");
    thumbnails_.written(a);
    EXPECT_FALSE(thumbnails_.busy()) << "nobody wants it";
    thumbnails_.want(a);
    ASSERT_TRUE(finish());
    const uint64_t before = thumbnails_.revision();
    folder_.write("a.pgm", "P5 3 1 255\nabc");
    thumbnails_.written(a);
    EXPECT_EQ(thumbnails_.of(a).spec.width, 2) << "the old one stays until the new one is there";
    ASSERT_TRUE(finish());
    EXPECT_EQ(thumbnails_.of(a).spec.width, 3);
    EXPECT_NE(thumbnails_.revision(), before);
    EXPECT_EQ(removed_, std::vector{1U});
}

TEST_F(ThumbnailsTest, ManyAreDroppedButForThoseOnScreen) {
    const std::string a = pgm("a.pgm"), b = pgm("b.pgm"), c = pgm("c.pgm");
    for (const std::string& path : {a, b}) thumbnails_.want(path);
    ASSERT_TRUE(finish());
    EXPECT_FALSE(thumbnails_.has_many());
    thumbnails_.want(c);
    ASSERT_TRUE(finish());
    ASSERT_TRUE(thumbnails_.has_many());
    const unsigned texture_of_b = thumbnails_.of(b).tiles[0].texture;
    const uint64_t before = thumbnails_.revision();
    thumbnails_.keep_only({a, c, "/no/thumbnail"});
    EXPECT_EQ(removed_, std::vector{texture_of_b});
    EXPECT_TRUE(thumbnails_.of(b).empty());
    EXPECT_FALSE(thumbnails_.of(a).empty());
    EXPECT_NE(thumbnails_.revision(), before) << "lists must not show the texture that is gone";
    EXPECT_FALSE(thumbnails_.has_many()) << "twice as many as are on screen, or they would be dropped all the time";
    thumbnails_.want(b);
    ASSERT_TRUE(finish());
    EXPECT_FALSE(thumbnails_.of(b).empty()) << "what was dropped is made again when it is wanted";
}

TEST(Thumbnails, TexturesGoWithThem) {
    const TemporaryFolder folder;
    const std::string a = folder.write("a.pgm", "P5 2 2 255\nabcd");
    int removed = 0;
    Workers workers;
    {
        Thumbnails thumbnails([] {}, {[](const Pyramid&) {
                                          return Picture{{}, 0, {{1, {}}}};
                                      },
                                      [&](std::vector<Tile>&) { ++removed; }});
        thumbnails.want(a);
        ASSERT_TRUE(workers.wait([&] {
            thumbnails.update();
            return !thumbnails.busy();
        }));
        EXPECT_EQ(removed, 0);
    }
    EXPECT_EQ(removed, 1);
}

}  // namespace
}  // namespace tonescope
