// Files that are written while disks are slow, questions are open and the user quits.
#include "app/viewer/files/saves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "gpu/core/error.h"
#include "tests/app/temporary_folder.h"
#include "tests/app/workers.h"

namespace tonescope {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<const HostImage> image(int width) {
    return std::make_shared<const HostImage>(ImageSpec{width, 1, PixelFormat::gray8, false});
}

Saves::Pixels ready(std::shared_ptr<const HostImage> pixels) {
    std::promise<std::shared_ptr<const HostImage>> promise;
    promise.set_value(std::move(pixels));
    return promise.get_future().share();
}

/// A disk in memory. Pictures are told apart by their width.
class SavesTest : public testing::Test {
  protected:
    ~SavesTest() override {
        asking_.open();
        writing_.open();
    }

    Obstacle look(const std::string& path, const std::vector<OpenFile>& open) {
        if (path.starts_with("/slow/") && !was_asked_.exchange(true)) asking_.pass();
        if (path.starts_with("/dead/")) throw UserError("Input/output error");
        const std::lock_guard lock(mutex_);
        Obstacle obstacle{std::ranges::any_of(files_, [&](const auto& file) { return file.first == path; }), {}, {}};
        for (const OpenFile& file : open)
            if (file.path == path) obstacle.originals.push_back(path);
        if (obstacle.exists) obstacle.free_path = path + "-2";
        return obstacle;
    }
    void write(const std::string& path, const ImageView& view, const std::stop_token& stop, FileProgress* progress) {
        progress->set(0.5);
        progress_ = progress;
        if (holds_) writing_.pass();
        if (stop.stop_requested()) throw Canceled{};
        if (path.starts_with("/full/")) throw UserError(path + ": disk full\nand more");
        const std::lock_guard lock(mutex_);
        files_.emplace_back(path, view.spec.width);
    }
    /// Until nothing is asked, pending or written any more.
    bool finish() {
        return workers_.wait([&] {
            saves_.update();
            return !saves_.busy() && workers_.tasks.open_jobs() == 0;
        });
    }
    /// Whether the program ends within this time, at which is looked as often as the window does.
    bool leaves_after(std::chrono::milliseconds time) {
        now_ = std::max(now_, Saves::Clock::now());
        for (const auto end = now_ + time; now_ < end;)
            if (saves_.leaves(now_ += 20ms)) return true;
        return false;
    }
    using Files = std::vector<std::pair<std::string, int>>;

    std::mutex mutex_;
    Files files_;  // in the order in which they were written
    Gate asking_, writing_;
    std::atomic<bool> holds_ = false, was_asked_ = false;
    std::atomic<FileProgress*> progress_ = nullptr;  // of the last file
    Saves::Clock::time_point now_;
    bool is_held_ = false, computes_ = false;
    std::vector<std::string> written_;
    std::vector<OpenFile> open_;
    std::vector<std::pair<std::string, Replacing>> replacing_;
    std::vector<std::string> held_;
    Workers workers_;
    Saves saves_{workers_.tasks,
                 workers_.notices,
                 {[this](const std::string& path, const auto& open) { return look(path, open); },
                  [this](const std::string& path, const ImageView& view, const Saves::Form&, std::stop_token stop,
                         FileProgress* progress) { write(path, view, stop, progress); },
                  [this] { return open_; },
                  [this](const std::vector<std::string>& originals, Replacing how) {
                      for (const std::string& path : originals) replacing_.emplace_back(path, how);
                  },
                  [this](const std::vector<std::string>& originals) { held_ = originals; },
                  [this](const std::vector<std::string>& originals) { return held_ == originals && is_held_; },
                  [this](const std::string& path) { written_.push_back(path); }, [this] { return computes_; }}};
};

TEST_F(SavesTest, WritesAndTells) {
    saves_.save("/a.png", ready(image(3)));
    saves_.copy(ready(image(4)));
    ASSERT_TRUE(finish());
    EXPECT_EQ(std::set(files_.begin(), files_.end()), (std::set<Files::value_type>{{"", 4}, {"/a.png", 3}}));
    EXPECT_EQ(std::set(written_.begin(), written_.end()), (std::set<std::string>{"", "/a.png"}));
    const std::vector<std::string> texts = workers_.texts();
    EXPECT_EQ(std::set(texts.begin(), texts.end()),
              (std::set<std::string>{"Copied the result to the clipboard", "Saved /a.png"}));
}

TEST_F(SavesTest, NamesOfNoFormatAreRefused) {
    EXPECT_TRUE(saves_.can_save("/a.JPG"));
    EXPECT_TRUE(workers_.notices.all().empty());
    EXPECT_FALSE(saves_.can_save("/a.docx"));
    ASSERT_EQ(workers_.texts().size(), 1U);
    EXPECT_EQ(workers_.texts()[0].find("cannot save /a.docx: the name must end in"), 0U);
}

TEST_F(SavesTest, AFileInTheWayIsAskedAbout) {
    files_ = {{"/a.png", 1}, {"/b.png", 1}};
    saves_.save("/a.png", ready(image(3)));
    ASSERT_TRUE(finish());
    saves_.save("/b.png", ready(image(4)));
    ASSERT_TRUE(finish());
    EXPECT_EQ(saves_.question().path, "/a.png") << "the oldest question first";
    saves_.answer(Saves::Answer::cancel);
    EXPECT_EQ(saves_.question().path, "/b.png");
    saves_.answer(Saves::Answer::replace);
    EXPECT_EQ(saves_.question().path, "");
    ASSERT_TRUE(finish());
    EXPECT_EQ(files_, (Files{{"/a.png", 1}, {"/b.png", 1}, {"/b.png", 4}}));
    saves_.answer(Saves::Answer::replace);  // of no question
    EXPECT_TRUE(finish());
    EXPECT_EQ(files_.size(), 3U);
}

TEST_F(SavesTest, TheFileOfAnOpenImageIsTheOriginal) {
    files_ = {{"/a.png", 1}, {"/b.png", 1}};
    open_ = {{"/a.png", {}}};
    saves_.save("/b.png", ready(image(3)));
    ASSERT_TRUE(finish());
    EXPECT_FALSE(saves_.question().is_original);
    saves_.answer(Saves::Answer::replace);
    ASSERT_TRUE(finish());
    EXPECT_TRUE(replacing_.empty());

    saves_.save("/a.png", ready(image(4)));
    ASSERT_TRUE(finish());
    EXPECT_TRUE(saves_.question().is_original);
    EXPECT_EQ(held_, std::vector<std::string>{"/a.png"}) << "its pixels are to be read";
    EXPECT_FALSE(saves_.question().is_held);
    is_held_ = true;
    EXPECT_TRUE(saves_.question().is_held);
    EXPECT_EQ(saves_.question().free_path, "/a.png-2");
    saves_.answer(Saves::Answer::save_beside);
    ASSERT_TRUE(finish());
    EXPECT_EQ(files_.back(), Files::value_type("/a.png-2", 4));
    EXPECT_EQ(saves_.question().path, "");

    saves_.save("/a.png", ready(image(5)));
    ASSERT_TRUE(finish());
    saves_.answer(Saves::Answer::save_beside);
    ASSERT_TRUE(finish());
    EXPECT_EQ(saves_.question().path, "/a.png-2") << "the free name has been taken meanwhile";
    saves_.answer(Saves::Answer::cancel);

    saves_.save("/a.png", ready(image(6)));
    ASSERT_TRUE(finish());
    saves_.answer(Saves::Answer::replace);
    ASSERT_TRUE(finish());
    EXPECT_EQ(files_.back(), Files::value_type("/a.png", 6));
    EXPECT_EQ(replacing_, (std::vector<std::pair<std::string, Replacing>>{{"/a.png", Replacing::begins},
                                                                          {"/a.png", Replacing::done}}));
}

TEST_F(SavesTest, AFileThatIsOpenedWhileTheQuestionStandsIsAskedAboutAgain) {
    files_ = {{"/a.png", 1}};
    saves_.save("/a.png", ready(image(3)));
    ASSERT_TRUE(finish());
    ASSERT_EQ(saves_.question().path, "/a.png");
    ASSERT_FALSE(saves_.question().is_original);
    open_ = {{"/a.png", {}}};
    saves_.answer(Saves::Answer::replace);
    ASSERT_TRUE(finish());
    EXPECT_EQ(files_.size(), 1U) << "nothing is written yet";
    EXPECT_EQ(saves_.question().path, "/a.png");
    EXPECT_TRUE(saves_.question().is_original);
    saves_.answer(Saves::Answer::replace);
    ASSERT_TRUE(finish());
    EXPECT_EQ(files_.back(), Files::value_type("/a.png", 3));
}

TEST_F(SavesTest, AnOriginalIsKeptFromTheAnswerOnUntilItsSaveIsGivenUp) {
    files_ = {{"/a.png", 1}};
    open_ = {{"/a.png", {}}};
    std::promise<std::shared_ptr<const HostImage>> late;
    saves_.save("/a.png", late.get_future().share());
    ASSERT_TRUE(workers_.finish());
    saves_.answer(Saves::Answer::replace);
    ASSERT_EQ(replacing_.size(), 1U) << "although its pixels are still on their way";
    EXPECT_EQ(replacing_[0].second, Replacing::begins);
    EXPECT_TRUE(saves_.cancel());
    ASSERT_EQ(replacing_.size(), 2U);
    EXPECT_EQ(replacing_[1].second, Replacing::failed);
    saves_.save("/a.png", ready(nullptr));
    ASSERT_TRUE(finish());
    saves_.answer(Saves::Answer::replace);
    ASSERT_TRUE(finish());
    ASSERT_EQ(replacing_.size(), 4U);
    EXPECT_EQ(replacing_[3].second, Replacing::failed) << "there was no result";
}

TEST_F(SavesTest, AnOriginalThatCannotBeWrittenIsNotReplaced) {
    files_ = {{"/full/a.png", 1}};
    open_ = {{"/full/a.png", {}}};
    saves_.save("/full/a.png", ready(image(3)));
    ASSERT_TRUE(finish());
    saves_.answer(Saves::Answer::replace);
    ASSERT_TRUE(finish());
    ASSERT_EQ(replacing_.size(), 2U);
    EXPECT_EQ(replacing_[1].second, Replacing::failed);
}

TEST(Obstacles, AreKnownByWhateverName) {
    namespace fs = std::filesystem;
    const TemporaryFolder folder;
    const std::string original = folder.write("photo.png", "pixels"), other = folder.write("other.png", "pixels");
    fs::create_directory(folder.file("sub"));
    fs::create_symlink("../photo.png", folder.file("sub/link.png"));
    fs::create_hard_link(original, folder.file("hard.png"));
    const std::vector<OpenFile> open = {{original, file_stamp(original)}, {folder.file("gone.png"), {}}};
    for (const char* name : {"photo.png", "sub/link.png", "hard.png", "sub/../photo.png"}) {
        const Obstacle found = find_obstacle(folder.file(name), open);
        EXPECT_TRUE(found.exists) << name;
        EXPECT_EQ(found.originals, std::vector{original}) << name;
    }
    EXPECT_EQ(find_obstacle(original, open).free_path, folder.file("photo-2.png"));
    std::vector<OpenFile> remounted = open;
    ++remounted[0].stamp->device;
    EXPECT_EQ(find_obstacle(original, remounted).originals, std::vector{original}) << "its disk has another number now";
    EXPECT_TRUE(find_obstacle(other, open).originals.empty());
    EXPECT_FALSE(find_obstacle(folder.file("new.png"), open).exists);
    fs::remove(folder.file("hard.png"));
    fs::rename(original, folder.file("renamed.png"));
    EXPECT_EQ(find_obstacle(folder.file("renamed.png"), open).originals, std::vector{original})
        << "renamed since it was read";
}

TEST(Obstacles, FreeNamesCountOn) {
    const TemporaryFolder folder;
    const std::string first = folder.write("a.png", "");
    EXPECT_EQ(free_path_beside(first), folder.file("a-2.png"));
    std::filesystem::create_symlink("nowhere", folder.file("a-2.png"));
    EXPECT_EQ(free_path_beside(first), folder.file("a-3.png"));
    EXPECT_EQ(free_path_beside(folder.file("a-2.png")), folder.file("a-3.png"));
    EXPECT_EQ(free_path_beside(folder.file("2024-05.png")), folder.file("2024-05-2.png"));
    EXPECT_EQ(free_path_beside(folder.file("2024-05-16.png")), folder.file("2024-05-16-2.png")) << "a date";
    EXPECT_EQ(free_path_beside(folder.file("IMG-1234.jpg")), folder.file("IMG-1234-2.jpg")) << "a camera's number";
    EXPECT_EQ(free_path_beside(folder.file("-7.png")), folder.file("-7-2.png"));
}

TEST_F(SavesTest, TheNewestSaveWinsThoughAnOlderOnesPixelsComeLate) {
    std::promise<std::shared_ptr<const HostImage>> late;
    const auto names_are_free = [&] { return !workers_.tasks.looks_up(Saves::kSaving); };
    saves_.save("/a.png", late.get_future().share());
    ASSERT_TRUE(workers_.wait(names_are_free));
    saves_.save("/a.png", ready(image(4)));
    ASSERT_TRUE(workers_.wait(names_are_free));
    saves_.update();
    EXPECT_TRUE(files_.empty()) << "files of one name are written one after the other";
    late.set_value(image(3));
    ASSERT_TRUE(finish());
    EXPECT_EQ(files_, (Files{{"/a.png", 3}, {"/a.png", 4}})) << "no question about the program's own file";
}

TEST_F(SavesTest, AnOlderSaveWhoseDiskAnswersLateIsDropped) {
    saves_.save("/slow/a.png", ready(image(3)));
    ASSERT_TRUE(workers_.wait([&] { return was_asked_.load(); }));
    saves_.save("/slow/a.png", ready(image(4)));
    ASSERT_TRUE(workers_.wait([&] {
        saves_.update();
        return !written_.empty();
    })) << "a disk that hangs holds up no other job";
    EXPECT_TRUE(workers_.tasks.looks_up(Saves::kSaving));
    asking_.open();
    ASSERT_TRUE(finish());
    EXPECT_EQ(files_, (Files{{"/slow/a.png", 4}}));
    EXPECT_EQ(saves_.question().path, "") << "the file in the way is the program's own";
}

TEST_F(SavesTest, ErrorsAreToldInOneLine) {
    saves_.save("/full/a.png", ready(image(3)));
    saves_.save("/dead/b.png", ready(image(3)));
    saves_.save("/c.png", ready(nullptr));
    saves_.copy(ready(nullptr));
    ASSERT_TRUE(finish());
    const std::vector<std::string> texts = workers_.texts();
    EXPECT_EQ(std::set(texts.begin(), texts.end()),
              (std::set<std::string>{"/full/a.png: disk full", "cannot save /dead/b.png: Input/output error",
                                     "/c.png was not saved: the result was gone before it could be read",
                                     "nothing was copied: the result was gone before it could be read"}));
    for (const ui::Notice& notice : workers_.notices.all()) EXPECT_EQ(notice.severity, ui::Severity::error);
    EXPECT_TRUE(files_.empty());
}

TEST_F(SavesTest, CancelingStopsWritingAndWhatWaits) {
    EXPECT_FALSE(saves_.cancel());
    holds_ = true;
    saves_.save("/a.png", ready(image(3)));
    ASSERT_TRUE(workers_.wait([&] {
        saves_.update();
        return saves_.progress() == 0.5;
    }));
    saves_.save("/a.png", ready(image(4)));
    ASSERT_TRUE(workers_.wait([&] {
        saves_.update();
        return !workers_.tasks.looks_up(Saves::kSaving);
    }));
    EXPECT_EQ(saves_.progress(), -1) << "of what waits nothing is known";
    EXPECT_TRUE(saves_.cancel());
    EXPECT_FALSE(saves_.busy());
    EXPECT_EQ(saves_.canceled_jobs(), 1) << "it may hang on a dead disk";
    writing_.open();
    ASSERT_TRUE(finish());
    EXPECT_EQ(saves_.canceled_jobs(), 0);
    EXPECT_TRUE(files_.empty());
    EXPECT_EQ(workers_.texts(), std::vector<std::string>{"Saving was canceled: /a.png"});
    holds_ = false;
    saves_.save("/a.png", ready(image(5)));
    ASSERT_TRUE(finish());
    EXPECT_EQ(files_, (Files{{"/a.png", 5}})) << "later saves are not canceled";
}

TEST_F(SavesTest, APictureOfTheViewsIsTakenOnce) {
    EXPECT_FALSE(saves_.wants_view());
    saves_.save_view("/view.png");
    EXPECT_TRUE(saves_.wants_view());
    saves_.take_view(image(7));
    EXPECT_FALSE(saves_.wants_view());
    ASSERT_TRUE(finish());
    EXPECT_EQ(files_, (Files{{"/view.png", 7}}));
}

TEST_F(SavesTest, QuittingWaitsForWhatIsWritten) {
    EXPECT_FALSE(saves_.leaves()) << "nobody has asked to quit";
    holds_ = true;
    saves_.save("/a.png", ready(image(3)));
    saves_.quit();
    EXPECT_FALSE(saves_.leaves()) << "the disk has not been asked yet";
    ASSERT_TRUE(workers_.wait([&] {
        saves_.update();
        return progress_ != nullptr;
    }));
    for (int row = 1; row < 100; ++row) {
        progress_.load()->set(row / 100.0);
        EXPECT_FALSE(leaves_after(300ms)) << "a file that gets on is waited for";
    }
    EXPECT_EQ(workers_.texts(), std::vector<std::string>{});
    writing_.open();
    ASSERT_TRUE(finish());
    EXPECT_TRUE(saves_.leaves());
    EXPECT_TRUE(saves_.unsaved().empty());
}

TEST_F(SavesTest, AFileThatDoesNotGetOnIsNotWaitedForLong) {
    holds_ = true;
    saves_.save("/a.png", ready(image(3)));
    ASSERT_TRUE(workers_.wait([&] {
        saves_.update();
        return progress_ != nullptr;
    }));
    saves_.quit();
    EXPECT_FALSE(leaves_after(1s));
    EXPECT_EQ(workers_.texts(), std::vector<std::string>{
                                    "No answer from disk, GPU or clipboard: the program ends without saving /a.png"});
    EXPECT_TRUE(leaves_after(1s));
    EXPECT_LT(saves_.stood_still(), kEndPatience);
    EXPECT_EQ(saves_.unsaved(), std::vector<std::string>{"not saved: /a.png: no answer from disk, GPU or clipboard"});
}

TEST_F(SavesTest, ADiskThatDoesNotAnswerIsNotWaitedForLong) {
    saves_.save("/slow/a.png", ready(image(3)));
    saves_.quit();
    EXPECT_TRUE(saves_.quits());
    EXPECT_FALSE(leaves_after(1s));
    EXPECT_TRUE(leaves_after(1s));
    EXPECT_EQ(saves_.unsaved(),
              std::vector<std::string>{"not saved: what was asked for: no answer from disk, GPU or clipboard"});
}

TEST_F(SavesTest, PixelsAreWaitedForAsLongAsTheyAreComputed) {
    std::promise<std::shared_ptr<const HostImage>> pixels;
    saves_.save("/a.png", pixels.get_future().share());
    ASSERT_TRUE(workers_.wait([&] { return saves_.busy() && workers_.tasks.open_jobs() == 0; }));
    computes_ = true;
    saves_.quit();
    EXPECT_FALSE(leaves_after(60s));
    computes_ = false;
    EXPECT_TRUE(leaves_after(2s));
    EXPECT_EQ(saves_.unsaved(), std::vector<std::string>{"not saved: /a.png: no answer from disk, GPU or clipboard"});
}

TEST_F(SavesTest, AMachineThatStoodStillIsNoDeadDisk) {
    saves_.save("/slow/a.png", ready(image(3)));
    saves_.quit();
    EXPECT_FALSE(saves_.leaves(Saves::Clock::now() + 1h));
}

TEST_F(SavesTest, NobodyIsAskedWhereNobodyCanAnswer) {
    files_ = {{"/a.png", 1}};
    saves_.save("/a.png", ready(image(3)));
    saves_.save("/full/b.png", ready(image(3)));
    saves_.quit();
    saves_.quit(true);
    ASSERT_TRUE(finish());
    EXPECT_TRUE(saves_.leaves());
    EXPECT_EQ(saves_.unsaved(),
              (std::vector<std::string>{"/full/b.png: disk full", "not saved: /a.png: there is such a file"}));
    EXPECT_EQ(files_, (Files{{"/a.png", 1}}));
}

TEST_F(SavesTest, AQuestionThatComesUpWhileQuittingKeepsTheWindow) {
    files_ = {{"/a.png", 1}};
    saves_.save("/a.png", ready(image(3)));
    saves_.quit();
    ASSERT_TRUE(finish());
    EXPECT_FALSE(saves_.leaves());
    EXPECT_FALSE(saves_.quits());
    EXPECT_EQ(saves_.question().path, "/a.png");
    saves_.quit();
    EXPECT_TRUE(saves_.leaves()) << "who quits with the question on screen has answered it";
    EXPECT_EQ(saves_.unsaved(), std::vector<std::string>{"not saved: /a.png: there is such a file"});
}

TEST_F(SavesTest, AnErrorWhileQuittingKeepsTheWindow) {
    saves_.save("/full/a.png", ready(image(3)));
    saves_.quit();
    ASSERT_TRUE(finish());
    EXPECT_FALSE(saves_.leaves());
    EXPECT_FALSE(saves_.quits());
}

}  // namespace
}  // namespace tonescope
