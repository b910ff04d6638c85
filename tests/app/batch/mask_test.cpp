// Masks of images: one for all, or one each.
#include "app/batch/mask.h"

#include <gtest/gtest.h>

#include "app/batch/output_names.h"
#include "gpu/core/error.h"
#include "tests/app/temporary_folder.h"

namespace tonescope {
namespace {

TEST(PatternFrom, TheStemThatStandsByItself) {
    EXPECT_EQ(pattern_from("/m/a.mask.png", "/in/a.jpg"), "/m/{stem}.mask.png");
    EXPECT_EQ(pattern_from("/a/mask-a.png", "a.jpg"), "/a/mask-{stem}.png") << "not the folder, and not within a word";
    EXPECT_EQ(pattern_from("a_b", "a_b.jpg"), "{stem}");
    EXPECT_EQ(pattern_from("/m/mask.png", "/in/a.jpg"), "/m/mask.png");
    EXPECT_EQ(pattern_from("/m/a1.png", "/in/a.jpg"), "/m/a1.png");
    EXPECT_EQ(pattern_from("/m/\u00e4a.png", "/in/a.jpg"), "/m/\u00e4a.png");
    EXPECT_EQ(pattern_from("/m/mask.png", ""), "/m/mask.png");
}

TEST(PartOfImage, HasTheMaskOfTheImageOrOfAll) {
    const TemporaryFolder folder;
    const std::string own = folder.write("a.mask.pgm", std::string("P5\n1 1\n255\n\x07", 12));
    ResultPart part{.feather_px = 3, .mask_path = folder.file("{stem}.mask.pgm"), .mask_inverse = true};
    ASSERT_TRUE(has_mask_of_each(part));
    read_mask(part);
    EXPECT_EQ(part.mask, nullptr);
    const ResultPart of_a = part_of_image(part, "elsewhere/a.png");
    ASSERT_NE(of_a.mask, nullptr);
    EXPECT_EQ(of_a.mask->view().sample(0, 0, 0), 7);
    EXPECT_EQ(of_a.mask_path, own);
    EXPECT_TRUE(of_a.mask_inverse);
    EXPECT_EQ(of_a.feather_px, 3);
    try {
        part_of_image(part, "elsewhere/b.png");
        FAIL() << "there is no such mask";
    } catch (const UserError& error) {
        EXPECT_EQ(std::string(error.what()).find("elsewhere/b.png: its mask: "), 0U) << error.what();
        EXPECT_NE(std::string(error.what()).find("b.mask.pgm"), std::string::npos) << error.what();
    }
    ResultPart one{.mask_path = own};
    ASSERT_FALSE(has_mask_of_each(one));
    read_mask(one);
    EXPECT_EQ(part_of_image(one, "b.png").mask, one.mask) << "it is read once";
    EXPECT_EQ(mask_of({}, "b.png"), "");
    EXPECT_EQ(mask_of({.mask_path = folder.file("")}, "b.png"), folder.file("b.png"));
}

}  // namespace
}  // namespace tonescope
