// The lists that offer files: recent ones, samples, a folder.
#include <gtest/gtest.h>

#include "app/viewer/files/folder_listing.h"
#include "app/viewer/files/recent_files.h"
#include "tests/app/temporary_folder.h"
#include "tests/app/workers.h"

namespace tonescope {
namespace {

using Paths = std::vector<std::string>;

class RecentFilesTest : public testing::Test {
  protected:
    ui::StartPageModel model() const {
        ui::StartPageModel model;
        recent_.fill(model, thumbnails_);
        return model;
    }

    TemporaryFolder samples_, folder_;
    std::string sample_ = samples_.write("fog.png", "");
    Environment assets_{"TONESCOPE_ASSETS", samples_.file("")};
    Workers workers_;
    Thumbnails thumbnails_{[] {}};
    RecentFiles recent_{workers_.tasks};
};

TEST_F(RecentFilesTest, TheNewestComesFirstAndEachOnce) {
    recent_.set({"/b", "/c"});
    recent_.remember("/a");
    recent_.remember("/c");
    EXPECT_EQ(recent_.paths(), (Paths{"/c", "/a", "/b"}));
    for (int k = 0; k < 50; ++k) recent_.remember("/" + std::to_string(k));
    EXPECT_EQ(recent_.paths().size(), 24U);
    EXPECT_EQ(recent_.paths()[0], "/49");
    recent_.set({});
    EXPECT_TRUE(model().recent.empty());
}

TEST_F(RecentFilesTest, FoldersOfDialogsComeBeforeThoseOfFiles) {
    recent_.set({"/a/1.png", "/a/2.png", "/b/1.png"});
    recent_.set_folders({"/d", "/b"});
    recent_.remember_folder("/c");
    EXPECT_EQ(recent_.folders(), (Paths{"/c", "/d", "/b", "/a"}));
    recent_.remember_folder("/b");
    EXPECT_EQ(recent_.used_folders(), (Paths{"/b", "/c", "/d"}));
    for (int k = 0; k < 50; ++k) recent_.remember_folder("/" + std::to_string(k));
    EXPECT_EQ(recent_.folders().size(), 12U);
}

TEST_F(RecentFilesTest, MissingOnesAreMarkedAndNotOffered) {
    const std::string here = folder_.write("here.png", ""), gone = folder_.file("gone.png");
    recent_.set({here, gone});
    EXPECT_FALSE(model().recent[1].missing) << "nobody has looked yet";
    ASSERT_TRUE(workers_.finish());
    ASSERT_EQ(model().recent.size(), 2U);
    EXPECT_FALSE(model().recent[0].missing);
    EXPECT_TRUE(model().recent[1].missing);
    EXPECT_EQ(model().recent[1].name, "gone.png");
    EXPECT_EQ(model().recent[1].folder + "/gone.png", gone);
    EXPECT_EQ(recent_.offered(), (Paths{sample_, here}));
    folder_.write("gone.png", "");
    recent_.remember(here);
    ASSERT_TRUE(workers_.finish());
    EXPECT_FALSE(model().recent[1].missing) << "it has come back";
}

TEST_F(RecentFilesTest, WhatIsRememberedDuringASearchIsLookedForToo) {
    recent_.set({folder_.file("gone.png")});
    recent_.remember(folder_.file("gone too.png"));
    ASSERT_TRUE(workers_.finish());
    EXPECT_TRUE(model().recent[0].missing);
    EXPECT_TRUE(model().recent[1].missing);
}

TEST_F(RecentFilesTest, SamplesComeByThemselves) {
    ASSERT_TRUE(workers_.finish());
    ASSERT_EQ(model().samples.size(), 1U);
    EXPECT_EQ(model().samples[0].name, "fog.png");
}

class FolderListingTest : public testing::Test {
  protected:
    Paths names() {
        Paths names;
        for (const ui::BrowserEntry& entry : model_.entries) names.push_back(entry.name);
        return names;
    }

    TemporaryFolder folder_;
    Workers workers_;
    ui::BrowserModel model_;
    FolderListing listing_{model_, workers_.tasks};
};

TEST_F(FolderListingTest, ShowsImagesOrPresets) {
    folder_.write("b.png", "");
    folder_.write("a.json", "");
    std::filesystem::create_directory(folder_.file("sub"));
    listing_.browse({folder_.file("") + "/."});
    EXPECT_TRUE(model_.loading);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(names(), (Paths{"sub", "b.png"}));
    EXPECT_FALSE(model_.loading);
    EXPECT_EQ(listing_.paths(), (Paths{folder_.file("sub"), folder_.file("b.png")}));
    listing_.browse({folder_.file(""), ui::kPresetFiles});
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(names(), (Paths{"sub", "a.json"}));
    folder_.write("a.tonescope", "");
    listing_.browse({folder_.file(""), ui::kImageFiles | ui::kSessionFiles});
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(names(), (Paths{"sub", "a.tonescope", "b.png"}));
}

TEST_F(FolderListingTest, AFileThatIsNamedIsChosenInItsFolder) {
    folder_.write("b.png", "");
    const std::string hidden = folder_.write(".scan", "");
    listing_.browse({hidden});
    const uint64_t visit = model_.visit;
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(model_.folder + "/.scan", hidden);
    EXPECT_EQ(model_.chosen, ".scan");
    EXPECT_EQ(names(), (Paths{".scan", "b.png"}));
    EXPECT_NE(model_.visit, visit) << "the dialog has to look again";
    listing_.browse({folder_.file("")});
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(model_.chosen, "");
    EXPECT_EQ(names(), Paths{"b.png"});
}

TEST_F(FolderListingTest, ADialogMayStartAboveAFolderThatIsGone) {
    listing_.browse({folder_.file("gone/far"), ui::kImageFiles, true});
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(model_.folder + "/", folder_.file(""));
    EXPECT_EQ(model_.error, "");
    listing_.browse({folder_.file(std::string(300, 'n')), ui::kImageFiles, true});  // which no folder can be called
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(model_.folder + "/", folder_.file(""));
    EXPECT_EQ(model_.error, "");
}

TEST_F(FolderListingTest, ADialogSaysWhyItCannotStart) {
    const std::string loop = folder_.file("loop");
    std::filesystem::create_symlink(loop, loop);
    listing_.browse({loop, ui::kImageFiles, true});
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(model_.folder, loop);
    EXPECT_EQ(model_.error, "cannot list " + loop + ": Too many levels of symbolic links");
}

TEST_F(FolderListingTest, AFileThatWasWrittenAppears) {
    const std::string path = folder_.file("new.png");
    listing_.browse({std::filesystem::path(path).parent_path()});
    ASSERT_TRUE(workers_.finish());
    EXPECT_TRUE(names().empty());
    folder_.write("new.png", "");
    listing_.written("/elsewhere/new.png");
    EXPECT_EQ(workers_.tasks.open_jobs(), 0);
    listing_.written(path);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(names(), Paths{"new.png"});
}

TEST_F(FolderListingTest, OfSeveralFoldersTheLastOneIsShown) {
    folder_.write("a.png", "");
    listing_.browse({folder_.file("none")});
    listing_.browse({folder_.file("")});
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(names(), Paths{"a.png"});
    EXPECT_EQ(model_.error, "");
    listing_.browse({folder_.file("none")});
    ASSERT_TRUE(workers_.finish());
    EXPECT_TRUE(names().empty());
    EXPECT_NE(model_.error.find("cannot list"), std::string::npos);
}

}  // namespace
}  // namespace tonescope
