// Images that are opened, chosen, stepped through, read again and closed.
#include "app/viewer/files/images.h"

#include <gtest/gtest.h>

#include "app/system/clipboard.h"
#include "tests/app/temporary_folder.h"
#include "tests/app/workers.h"

namespace tonescope {
namespace {

TEST(OpenImages, AnImageThatComesBackIsNotLoading) {
    OpenImages images;
    OpenImage& first = images.add("a.png");
    images.select(0);
    first.image = std::make_shared<const HostImage>(ImageSpec{4, 3, PixelFormat::gray8, false});
    first.stamp.emplace();
    first.state = OpenImage::State::loading;  // once more
    const OpenImage kept = first;
    images.replace_current("b.png");
    EXPECT_TRUE(images.take_freed());
    EXPECT_FALSE(images.take_freed());
    images.put_back(kept);
    EXPECT_EQ(images.current()->path, "a.png");
    EXPECT_EQ(images.current()->state, OpenImage::State::ready);
    EXPECT_FALSE(images.current()->stamp) << "what is in the file now is not what was read";
}

TEST(OpenImages, PixelsOfThoseUsedLongAgoAreForgottenFirst) {
    OpenImages images;
    for (int k = 0; k < 3; ++k) {
        images.add("image").image = std::make_shared<const HostImage>(ImageSpec{100, 100, PixelFormat::gray8, false});
        images.select(k);
    }
    const size_t one_bytes = images.current()->image->size_bytes();
    images.select(0);
    images.trim(2 * one_bytes);
    EXPECT_TRUE(images.all()[0].image);
    EXPECT_FALSE(images.all()[1].image);
    EXPECT_TRUE(images.all()[2].image);
    images.trim(0);
    EXPECT_TRUE(images.all()[0].image) << "the current image stays";
    EXPECT_FALSE(images.all()[2].image);
}

class ImagesTest : public testing::Test {
  protected:
    std::string pgm(const std::string& name, int width = 1) {
        return folder_.write(name, "P5 " + std::to_string(width) + " 1 255\n" + std::string(size_t(width), 'x'));
    }
    bool finish() { return workers_.finish(); }
    int shown_width() const { return shown_ ? shown_->width() : 0; }
    std::string current() const { return images_.current() == nullptr ? "" : images_.current()->name(); }

    TemporaryFolder folder_;
    Workers workers_;
    std::shared_ptr<const HostImage> shown_;
    std::vector<std::string> presets_, sessions_, beside_sessions_;
    RecentFiles recent_{workers_.tasks};
    Images images_{workers_.tasks,
                   workers_.tasks,
                   workers_.notices,
                   recent_,
                   {[this](std::shared_ptr<const HostImage> image) { shown_ = std::move(image); },
                    [this](const std::vector<std::string>& paths) { presets_ = paths; },
                    [this](const std::vector<std::string>& paths, const std::vector<std::string>& images) {
                        sessions_ = paths;
                        beside_sessions_ = images;
                    }},
                   [] {}};
};

TEST_F(ImagesTest, TheFirstImageFoundIsShown) {
    pgm("b.pgm", 2);
    pgm("a.pgm", 1);
    folder_.write("note.txt", "no image");
    const std::string preset = folder_.write("strong.json", "{}");
    images_.open({folder_.file(""), preset});
    ASSERT_TRUE(finish());
    EXPECT_EQ(current(), "a.pgm");
    EXPECT_EQ(images_.list().all().size(), 2U);
    EXPECT_EQ(shown_width(), 1);
    EXPECT_EQ(recent_.paths(), std::vector{folder_.file("a.pgm")});
    EXPECT_EQ(presets_, std::vector{preset});
    images_.open({folder_.file("b.pgm")});
    ASSERT_TRUE(finish());
    EXPECT_EQ(current(), "b.pgm");
    EXPECT_EQ(images_.list().all().size(), 2U) << "it was open already";
    EXPECT_EQ(shown_width(), 2);
}

TEST_F(ImagesTest, ImagesBesideASessionAreOpenedBehindIt) {
    const std::string session = folder_.write("all.tonescope", "{}");
    images_.open({pgm("a.pgm"), session});
    ASSERT_TRUE(finish());
    EXPECT_EQ(sessions_, std::vector{session});
    EXPECT_EQ(beside_sessions_, std::vector{folder_.file("a.pgm")});
    EXPECT_TRUE(images_.list().all().empty());
}

TEST_F(ImagesTest, AListTakesThePlaceOfWhatIsOpen) {
    images_.open({pgm("a.pgm", 1), pgm("b.pgm", 2)});
    ASSERT_TRUE(finish());
    const auto pixels_of_a = images_.list().all()[0].image;
    images_.open_list({{pgm("c.pgm", 3)}, {folder_.file("gone.pgm"), {}, true}, {folder_.file("a.pgm")}}, 2);
    ASSERT_TRUE(finish());
    std::vector<std::string> names;
    for (const OpenImage& image : images_.list().all()) names.push_back(image.name());
    EXPECT_EQ(names, (std::vector<std::string>{"c.pgm", "gone.pgm", "a.pgm"}));
    EXPECT_EQ(current(), "a.pgm");
    EXPECT_EQ(images_.current()->image, pixels_of_a) << "it is not read again";
    EXPECT_EQ(shown_, pixels_of_a);
    const std::string line = folder_.file("gone.pgm") + ": no such file";
    EXPECT_EQ(workers_.texts(), std::vector{line});
    EXPECT_EQ(images_.failures(), std::vector{line});
    images_.step(-1);
    ASSERT_TRUE(finish());
    EXPECT_EQ(current(), "c.pgm") << "the missing one is stepped over";
}

TEST_F(ImagesTest, WhereTheCurrentImageIsMissingTheFirstOthersIsShown) {
    images_.open_list({{folder_.file("gone.pgm"), {}, true}, {pgm("b.pgm", 2)}, {pgm("c.pgm", 3)}}, 0);
    ASSERT_TRUE(finish());
    EXPECT_EQ(current(), "b.pgm");
    EXPECT_EQ(shown_width(), 2);
    images_.open_list({{folder_.file("gone.pgm"), {}, true}, {folder_.file("gone too.pgm"), {}, true}}, 1);
    ASSERT_TRUE(finish());
    EXPECT_EQ(current(), "gone too.pgm");
    EXPECT_EQ(shown_, nullptr);
    EXPECT_EQ(images_.failures().size(), 3U);
}

TEST_F(ImagesTest, AListLeavesWhatOnlyTheWindowHas) {
    images_.open({pgm("a.pgm", 1), pgm("b.pgm", 2)});
    ASSERT_TRUE(finish());
    images_.replacing({folder_.file("a.pgm")}, Replacing::done);
    images_.open_list({{pgm("c.pgm", 3)}}, 0);
    ASSERT_TRUE(finish());
    ASSERT_EQ(images_.list().all().size(), 2U);
    EXPECT_EQ(images_.list().all()[1].name(), "a.pgm") << "its file holds something else by now";
    EXPECT_TRUE(images_.list().all()[1].image);
}

/// Page k, from 0, is k + 1 pixels wide.
class PagesTest : public ImagesTest {
  protected:
    std::string tiff(const std::string& name, int pages) {
        const std::string path = folder_.file(name);
        save_pages(path, [&](const AddPage& add) {
            for (int width = 1; width <= pages; ++width) {
                HostImage image({width, 1, PixelFormat::gray8, false});
                std::fill_n(image.data(), image.size_bytes(), uint8_t(width));
                add(image.view(), pages);
            }
        });
        return path;
    }
    /// The page that is shown then, from 0.
    int show(int page) {
        images_.show_page(page);
        EXPECT_TRUE(finish());
        EXPECT_EQ(shown_width(), images_.current()->page + 1);
        EXPECT_EQ(images_.current()->page, images_.current()->wanted_page);
        return images_.current()->page;
    }
};

TEST_F(PagesTest, AnyPageIsShownAndNoneBeyondTheEnds) {
    images_.open({tiff("a.tiff", 5), pgm("b.pgm", 7)});
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 1);
    EXPECT_EQ(images_.current()->details.pages, 5);
    for (const auto& [asked, expected] : {std::pair{1, 1}, {4, 4}, {7, 4}, {-1, 0}, {0, 0}, {2, 2}})
        EXPECT_EQ(show(asked), expected);
    ui::ImagesModel model;
    images_.fill(model, Thumbnails([] {}, {}));
    EXPECT_EQ(ui::title_of(model.entries[0]), "a.tiff, page 3 of 5");
    EXPECT_EQ(ui::title_of(model.entries[1]), "b.pgm");
    ui::DetailsModel details;
    images_.fill(details);
    EXPECT_EQ(details.rows[0], (std::pair<std::string, std::string>{"Page", "3 of 5"}));
    images_.select(1);
    ASSERT_TRUE(finish());
    images_.show_page(1);
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 7) << "it has one page";
    images_.select(0);
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 3) << "the page that was shown";
    EXPECT_TRUE(workers_.texts().empty());
}

TEST_F(PagesTest, AListNamesPages) {
    const std::string path = tiff("a.tiff", 5);
    images_.open_list({{path, 3}, {pgm("b.pgm", 7)}}, 0);
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 4);
    images_.open_list({{path, 1}}, 0);
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 2);
    EXPECT_EQ(images_.current()->page, 1);
}

TEST_F(PagesTest, NeighborsAreDecodedAhead) {
    images_.open({tiff("a.tiff", 5)}, 2);
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 3);
    std::filesystem::remove(folder_.file("a.tiff"));
    images_.show_page(3);
    EXPECT_EQ(shown_width(), 4) << "at once";
    ASSERT_TRUE(finish());
    images_.show_page(2);
    EXPECT_EQ(shown_width(), 3) << "which was on screen";
    ASSERT_TRUE(finish());
    EXPECT_TRUE(workers_.texts().empty()) << "nobody has asked for what could not be read";
    EXPECT_EQ(show(1), 2) << "the page on screen stays";
    EXPECT_EQ(workers_.texts().size(), 1U);
}

TEST_F(PagesTest, AfterTheFileHasBeenReadAgainPagesReadBeforeAreNotShown) {
    images_.open({tiff("a.tiff", 3)});
    ASSERT_TRUE(finish());
    tiff("a.tiff", 2);
    images_.reload();
    ASSERT_TRUE(finish());
    EXPECT_EQ(show(2), 1);
    EXPECT_TRUE(workers_.texts().empty());
}

TEST_F(PagesTest, AFileThatTheProgramHasWrittenOntoKeepsItsPage) {
    images_.open({tiff("a.tiff", 5)});
    ASSERT_TRUE(finish());
    images_.replacing({folder_.file("a.tiff")}, Replacing::begins);
    images_.replacing({folder_.file("a.tiff")}, Replacing::done);
    EXPECT_EQ(show(4), 0);
    EXPECT_EQ(workers_.texts().size(), 2U);
    EXPECT_EQ(show(1), 1) << "it was decoded ahead";
}

TEST_F(PagesTest, ARecentFileIsOpenedAtItsPageWhereThatIsStillThere) {
    images_.open({tiff("a.tiff", 4)});
    ASSERT_TRUE(finish());
    EXPECT_EQ(show(3), 3);
    EXPECT_EQ(recent_.pages(), (std::map<std::string, int>{{folder_.file("a.tiff"), 3}}));
    images_.close(0);
    images_.open({folder_.file("a.tiff")});
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 4);
    images_.close(0);
    images_.open({folder_.file("a.tiff")}, 1);
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 2) << "this page was asked for";
    EXPECT_EQ(show(3), 3);
    images_.close(0);
    tiff("a.tiff", 2);
    images_.open({folder_.file("a.tiff")});
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 1);
    EXPECT_TRUE(recent_.pages().empty());
    EXPECT_TRUE(workers_.texts().empty());
}

TEST_F(PagesTest, APageThatIsAskedForAndNotThereIsAnError) {
    images_.open({tiff("a.tiff", 2)}, 2);
    ASSERT_TRUE(finish());
    ASSERT_EQ(images_.failures().size(), 1U);
    EXPECT_NE(images_.failures()[0].find("it has no page 3; there are 2"), std::string::npos);
}

/// A stand-in for xclip gives a picture, once the file "go" is there.
class PasteTest : public ImagesTest {
  protected:
    PasteTest() {
        ::unsetenv("WAYLAND_DISPLAY");
        save_image(folder_.file("held.png"), HostImage({3, 2, PixelFormat::gray8, false}).view());
        const std::string program =
            folder_.write("xclip", "#!/bin/sh\ncd " + folder_.file("") +
                                       "\nwhile [ ! -e go ]; do /bin/sleep 0.01; done\nexec /bin/cat held.png\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    }
    Environment path_{"PATH", folder_.file("")};
    Environment display_{"DISPLAY", ":0"};
    Environment cache_{"XDG_CACHE_HOME", folder_.file("cache")};
};

TEST_F(PasteTest, PastedFilesAreShownAndGoInTheEnd) {
    folder_.write("go", "");
    std::string pasted;
    {
        Images images(workers_.tasks, workers_.tasks, workers_.notices, recent_,
                      {[this](std::shared_ptr<const HostImage> image) { shown_ = std::move(image); }, {}, {}}, [] {});
        images.paste();
        EXPECT_EQ(workers_.tasks.oldest_look_up(), "Pasting");
        ASSERT_TRUE(finish());
        ASSERT_NE(images.current(), nullptr);
        EXPECT_EQ(shown_width(), 3);
        pasted = images.current()->path;
        EXPECT_TRUE(pasted.starts_with(clipboard_folder()));
        EXPECT_TRUE(std::filesystem::exists(pasted));
        EXPECT_TRUE(recent_.paths().empty());
        std::filesystem::remove(folder_.file("held.png"));
        images.paste();
        ASSERT_TRUE(finish());
        EXPECT_EQ(workers_.texts(), std::vector<std::string>{"there is no image on the clipboard"});
    }
    EXPECT_FALSE(std::filesystem::exists(pasted));
}

TEST_F(PasteTest, WhatWasAskedForLaterStaysOnScreen) {
    images_.paste();
    images_.open({pgm("a.pgm", 1)});
    ASSERT_TRUE(workers_.wait([&] { return shown_width() == 1; }));
    folder_.write("go", "");
    ASSERT_TRUE(finish());
    EXPECT_EQ(images_.list().all().size(), 2U);
    EXPECT_EQ(current(), "a.pgm");
}

TEST_F(ImagesTest, ProblemsAreNotices) {
    std::filesystem::create_directory(folder_.file("empty"));
    images_.open_now({folder_.file("empty"), folder_.file("none.pgm")});
    ASSERT_TRUE(finish());
    ASSERT_EQ(workers_.texts().size(), 2U);
    EXPECT_EQ(workers_.texts()[0], "no images in " + folder_.file("empty"));
    EXPECT_NE(workers_.texts()[1].find("none.pgm"), std::string::npos);
    ASSERT_EQ(images_.failures().size(), 1U);
    EXPECT_EQ(images_.current()->state, OpenImage::State::failed);
}

TEST_F(ImagesTest, AfterABrokenFileTheOneOnScreenIsTheCurrentOneAgain) {
    images_.open({pgm("a.pgm", 1)});
    ASSERT_TRUE(finish());
    images_.open({folder_.write("broken.pgm", "P5")});
    ASSERT_TRUE(finish());
    EXPECT_EQ(current(), "a.pgm");
    EXPECT_EQ(shown_width(), 1);
    ui::ImagesModel model;
    const Thumbnails thumbnails([] {}, {});
    images_.fill(model, thumbnails);
    ASSERT_EQ(model.entries.size(), 2U);
    EXPECT_EQ(model.entries[1].state, ui::ImageEntry::State::failed);
    EXPECT_FALSE(model.entries[1].error.empty());
    EXPECT_EQ(model.current, 0);
}

TEST_F(ImagesTest, StepsEndWhereTheListEnds) {
    images_.open_now({pgm("a.pgm", 1), pgm("b.pgm", 2), pgm("c.pgm", 3)});
    ASSERT_TRUE(finish());
    images_.step(-1);
    ASSERT_TRUE(finish());
    EXPECT_EQ(current(), "a.pgm");
    EXPECT_EQ(workers_.texts(), std::vector<std::string>{"a.pgm is the first image"});
    images_.step(5);
    ASSERT_TRUE(finish());
    EXPECT_EQ(current(), "c.pgm");
    EXPECT_EQ(shown_width(), 3);
}

TEST_F(ImagesTest, StepsPassOverWhatCannotBeReadOnceAndBothWays) {
    const auto broken = [&](const std::string& name) { return folder_.write(name, "P5"); };
    images_.open_now({pgm("a.pgm", 1), broken("b.pgm"), broken("c.pgm"), pgm("d.pgm", 4), broken("e.pgm")});
    ASSERT_TRUE(finish());
    const auto step = [&](int by) {
        images_.step(by);
        EXPECT_TRUE(finish());
        return current();
    };
    EXPECT_EQ(step(1), "d.pgm");
    EXPECT_EQ(shown_width(), 4);
    EXPECT_EQ(images_.failures().size(), 2U);
    EXPECT_EQ(step(1), "d.pgm") << "there is nothing behind";
    EXPECT_EQ(step(1), "d.pgm");
    EXPECT_EQ(images_.failures().size(), 3U) << "each is tried once";
    EXPECT_EQ(step(-1), "a.pgm");
    EXPECT_EQ(shown_width(), 1);
    EXPECT_EQ(step(1), "d.pgm");
    EXPECT_EQ(images_.failures().size(), 3U);
    images_.select(1);
    ASSERT_TRUE(finish());
    EXPECT_EQ(images_.failures().size(), 4U) << "who chooses it has it tried again";
    EXPECT_EQ(current(), "d.pgm");
}

TEST_F(ImagesTest, AnOriginalThatIsReplacedStaysOnScreenUntilItIsReadAgain) {
    const std::string path = pgm("a.pgm", 1);
    images_.open_now({path, pgm("b.pgm", 2)});
    ASSERT_TRUE(finish());
    ASSERT_EQ(images_.files().size(), 2U);
    EXPECT_EQ(images_.files()[0].path, path);
    images_.replacing({path}, Replacing::begins);
    EXPECT_TRUE(images_.list().all()[0].replaced);
    images_.replacing({path}, Replacing::failed);
    EXPECT_FALSE(images_.list().all()[0].replaced);
    images_.replacing({path}, Replacing::begins);
    pgm("a.pgm", 7);
    images_.replacing({path}, Replacing::done);
    EXPECT_EQ(images_.files().size(), 1U) << "what is in the file now is no original";
    images_.replacing({path}, Replacing::begins);
    images_.replacing({path}, Replacing::failed);
    EXPECT_TRUE(images_.list().all()[0].replaced) << "by the save before";
    images_.select(1);
    ASSERT_TRUE(finish());
    images_.select(0);
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 1);
    ui::ImagesModel model;
    images_.fill(model, Thumbnails([] {}, {}));
    EXPECT_TRUE(model.entries[0].replaced);
    images_.reload();
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 7);
    EXPECT_FALSE(images_.current()->replaced);
}

TEST_F(ImagesTest, AnOriginalThatIsReplacedComesBackAfterSteps) {
    const std::string path = pgm("a.pgm", 1);
    pgm("b.pgm", 2);
    images_.open_now({path});
    ASSERT_TRUE(finish());
    images_.replacing({path}, Replacing::begins);
    images_.step(1);  // while it is written
    ASSERT_TRUE(finish());
    EXPECT_EQ(current(), "b.pgm");
    pgm("a.pgm", 7);
    images_.replacing({path}, Replacing::done);
    ASSERT_NE(images_.pixels(path), nullptr);
    EXPECT_EQ(images_.pixels(path)->width(), 1);
    images_.step(-1);
    ASSERT_TRUE(finish());
    EXPECT_EQ(current(), "a.pgm");
    EXPECT_EQ(shown_width(), 1) << "the original, not the file";
    EXPECT_TRUE(images_.current()->replaced);
    images_.step(1);
    ASSERT_TRUE(finish());
    images_.open_now({path});
    ASSERT_TRUE(finish());
    EXPECT_EQ(images_.list().all().size(), 2U);
    EXPECT_EQ(shown_width(), 1) << "however its path comes again";
    images_.reload();
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 7);
    images_.close(1);
    images_.step(1);
    images_.open_now({path});
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 7) << "it is as any other again";
}

TEST_F(ImagesTest, AnOriginalComesBackWhereTheStepLeadsToNothing) {
    const std::string path = pgm("a.pgm", 1);
    folder_.write("b.pgm", "P5");
    images_.open_now({path});
    ASSERT_TRUE(finish());
    images_.replacing({path}, Replacing::begins);
    images_.step(1);
    ASSERT_TRUE(finish());
    EXPECT_EQ(current(), "a.pgm");
    images_.replacing({path}, Replacing::failed);
    EXPECT_FALSE(images_.current()->replaced);
    EXPECT_EQ(images_.files().size(), 1U);
}

TEST_F(ImagesTest, WhatIsBeingReadIsGivenUpWhereTheFileIsReplaced) {
    const std::string path = pgm("a.pgm", 1);
    images_.open_now({path});
    ASSERT_TRUE(finish());
    images_.reload();
    images_.replacing({path}, Replacing::begins);
    EXPECT_FALSE(images_.reads(path));
    ASSERT_TRUE(finish());
    EXPECT_TRUE(images_.current()->replaced) << "and not as it was read";
}

TEST_F(ImagesTest, OthersThanTheCurrentOneAreReadWhereTheyAreNeeded) {
    const std::string path = pgm("b.pgm", 2), broken = folder_.write("c.pgm", "P5");
    images_.open_now({pgm("a.pgm", 1), path, broken});
    ASSERT_TRUE(finish());
    EXPECT_EQ(images_.pixels(path), nullptr);
    images_.read(path);
    EXPECT_TRUE(images_.reads(path));
    ASSERT_NE(images_.loading(), nullptr);
    EXPECT_EQ(images_.loading()->path, path);
    EXPECT_TRUE(images_.cancel_loading());
    EXPECT_FALSE(images_.reads(path));
    EXPECT_EQ(images_.list().all().size(), 3U) << "it stays in the list";
    images_.read(path);
    images_.read(broken);
    images_.read("/not open");
    ASSERT_TRUE(finish());
    ASSERT_NE(images_.pixels(path), nullptr);
    EXPECT_EQ(images_.pixels(path)->width(), 2);
    EXPECT_EQ(images_.pixels(broken), nullptr);
    EXPECT_EQ(images_.failures().size(), 1U);
    EXPECT_EQ(current(), "a.pgm");
    EXPECT_EQ(shown_width(), 1);
    EXPECT_EQ(recent_.paths(), std::vector{folder_.file("a.pgm")}) << "the user has not opened it";
}

TEST_F(ImagesTest, ClosingShowsANeighborAndInTheEndNothing) {
    images_.open_now({pgm("a.pgm", 1), pgm("b.pgm", 2)});
    ASSERT_TRUE(finish());
    images_.close(7);
    EXPECT_EQ(images_.list().all().size(), 2U);
    EXPECT_FALSE(images_.take_freed());
    images_.close(0);
    ASSERT_TRUE(finish());
    EXPECT_EQ(shown_width(), 2);
    EXPECT_TRUE(images_.take_freed());
    images_.close(0);
    EXPECT_EQ(images_.current(), nullptr);
    EXPECT_EQ(shown_, nullptr);
}

TEST_F(ImagesTest, AFileThatTurnsBrokenLeavesThePixelsThatWereRead) {
    images_.open({pgm("a.pgm", 3)});
    ASSERT_TRUE(finish());
    folder_.write("a.pgm", "P5");
    images_.reload();
    ASSERT_TRUE(finish());
    EXPECT_EQ(images_.current()->state, OpenImage::State::ready);
    EXPECT_EQ(shown_width(), 3);
    EXPECT_EQ(workers_.texts().size(), 1U);
}

TEST_F(ImagesTest, ReadingIsGivenUp) {
    EXPECT_FALSE(images_.cancel_loading());
    images_.open({pgm("a.pgm", 1)});
    ASSERT_TRUE(finish());
    EXPECT_FALSE(images_.cancel_loading());
    images_.reload();
    EXPECT_TRUE(images_.cancel_loading());
    EXPECT_EQ(images_.current()->state, OpenImage::State::ready) << "it was read before";
    images_.open_now({pgm("b.pgm", 2)});
    EXPECT_TRUE(images_.cancel_loading());
    ASSERT_TRUE(finish());
    EXPECT_EQ(images_.list().all().size(), 1U) << "an image that was never read goes";
    EXPECT_EQ(current(), "a.pgm");
}

TEST_F(ImagesTest, DetailsAreTold) {
    ui::DetailsModel details;
    images_.fill(details);
    EXPECT_TRUE(details.rows.empty());
    images_.open_now({folder_.write("deep.pgm", std::string("P5 1 1 65535\n\1\2", 15))});
    ASSERT_TRUE(finish());
    images_.fill(details);
    EXPECT_EQ(details.rows[0], (std::pair<std::string, std::string>("Size", "1 \u00d7 1 px")));
    EXPECT_EQ(details.rows[3].second, "16 bits a channel");
    EXPECT_EQ(details.file_notice, "");
    EXPECT_EQ(images_.pixels(folder_.file("deep.pgm"))->view().sample(0, 0, 0), 258) << "samples stay as they are";
    images_.open_now({folder_.write("less.pgm", std::string("P5 1 1 4000\n\1\2", 14))});
    ASSERT_TRUE(finish());
    images_.fill(details);
    EXPECT_EQ(details.rows[3].second, "12 bits a channel, samples to 4000");
}

/// One image is open, and its folder is in the test's hands.
class FolderStepsTest : public testing::Test {
  protected:
    FolderStepsTest() {
        images_.add("/a").image = std::make_shared<const HostImage>(ImageSpec{1, 1, PixelFormat::gray8, false});
        images_.select(0);
    }
    ~FolderStepsTest() override { disk_.open(); }
    std::string neighbor(const std::string& path, int by, const FolderSteps::Skips& is_skipped) {
        asked_.emplace_back(path, by);
        if (holds_) disk_.pass();
        std::string next = path + std::to_string(by);
        while (is_skipped(next)) next += std::to_string(by);
        return ends_ ? "" : next;
    }
    /// The image that has been loaded last comes on screen.
    void arrive() {
        images_.find(images_.current()->id)->image =
            std::make_shared<const HostImage>(ImageSpec{2, 2, PixelFormat::gray8, false});
        steps_.arrived();
    }

    Gate disk_;
    std::atomic<bool> holds_ = false, ends_ = false;
    std::vector<std::pair<std::string, int>> asked_;
    std::vector<std::string> loaded_;
    Workers workers_;
    OpenImages images_;
    FolderSteps steps_{
        images_, workers_.tasks, workers_.notices, [this](OpenImage& image) { loaded_.push_back(image.path); },
        [this](const std::string& path, int by, const auto& skips) { return neighbor(path, by, skips); }};
};

TEST_F(FolderStepsTest, ANeighborComesInTheImagesPlace) {
    steps_.step(1);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(loaded_, std::vector<std::string>{"/a1"});
    EXPECT_EQ(images_.all().size(), 1U);
    EXPECT_EQ(images_.current()->path, "/a1");
}

TEST_F(FolderStepsTest, StepsThatComeWhileSearchingAreTakenTogether) {
    holds_ = true;
    steps_.step(1);
    ASSERT_TRUE(workers_.tasks.looks_up("Looking for the next image"));
    for (const int by : {1, 1, -1, 1}) steps_.step(by);
    disk_.open();
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(asked_, (std::vector<std::pair<std::string, int>>{{"/a", 1}, {"/a1", 2}}));
    EXPECT_EQ(images_.current()->path, "/a12");
}

TEST_F(FolderStepsTest, ACanceledSearchTakesItsStepsAlong) {
    holds_ = true;
    steps_.step(1);
    steps_.step(1);
    ASSERT_TRUE(workers_.wait([&] { return workers_.tasks.awaited_jobs() == 1; }));
    workers_.tasks.cancel_look_ups();
    disk_.open();
    ASSERT_TRUE(workers_.finish());
    EXPECT_TRUE(loaded_.empty());
    steps_.step(-1);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(loaded_, std::vector<std::string>{"/a-1"});
}

TEST_F(FolderStepsTest, ABrokenNeighborIsSteppedOverAndNotTriedAgain) {
    steps_.step(1);
    ASSERT_TRUE(workers_.finish());
    EXPECT_TRUE(steps_.go_back(true));
    EXPECT_EQ(images_.current()->path, "/a");
    EXPECT_TRUE(images_.current()->image);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(asked_.back(), (std::pair<std::string, int>("/a1", 1)));
    EXPECT_EQ(images_.current()->path, "/a11") << "by itself";
    arrive();
    EXPECT_FALSE(steps_.go_back(true)) << "what is on screen has nothing to go back to";
    steps_.step(-1);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(asked_.back(), (std::pair<std::string, int>("/a11", -1)));
}

TEST_F(FolderStepsTest, ABrokenFileAtTheEndIsTriedOnce) {
    steps_.step(1);
    ASSERT_TRUE(workers_.finish());
    ends_ = true;
    EXPECT_TRUE(steps_.go_back(true));
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(images_.current()->path, "/a");
    EXPECT_TRUE(workers_.texts().empty()) << "the error was told";
    ends_ = false;
    steps_.step(1);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(asked_.back(), (std::pair<std::string, int>("/a", 1))) << "from the one on screen";
    EXPECT_EQ(loaded_, (std::vector<std::string>{"/a1", "/a11"})) << "past the broken one";
}

TEST_F(FolderStepsTest, AtTheEndTheUserIsTold) {
    ends_ = true;
    steps_.step(1);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(workers_.texts(), std::vector<std::string>{"a is the last image"});
    EXPECT_EQ(images_.current()->path, "/a");
}

TEST_F(FolderStepsTest, OneThatIsGivenUpIsSteppedToAgain) {
    steps_.step(1);
    ASSERT_TRUE(workers_.finish());
    EXPECT_TRUE(steps_.go_back(false));
    steps_.step(1);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(asked_.back(), (std::pair<std::string, int>("/a", 1)));
}

TEST_F(FolderStepsTest, OfSeveralStepsTheLastOneOnScreenComesBack) {
    for (const bool failed : {false, true}) {
        steps_.step(1);
        ASSERT_TRUE(workers_.finish());
        steps_.step(1);  // before the first has been read
        ASSERT_TRUE(workers_.finish());
        EXPECT_EQ(images_.current()->path, "/a11");
        ends_ = failed;
        EXPECT_TRUE(steps_.go_back(failed));
        EXPECT_EQ(images_.current()->path, "/a");
        ASSERT_TRUE(workers_.finish());
        EXPECT_EQ(images_.current()->path, "/a");
    }
    EXPECT_EQ(asked_.back(), (std::pair<std::string, int>("/a11", 1))) << "the step goes on from what is broken";
}

TEST_F(FolderStepsTest, NothingHappensOnceAnotherImageIsOpen) {
    holds_ = true;
    steps_.step(1);
    images_.add("/b");
    disk_.open();
    ASSERT_TRUE(workers_.finish());
    EXPECT_TRUE(loaded_.empty());
}

}  // namespace
}  // namespace tonescope
