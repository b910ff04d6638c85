// What results are compared with: pinned results and other images, as the user goes from image to image.
#include "app/viewer/live/comparison.h"

#include <gtest/gtest.h>

#include "tests/app/workers.h"

namespace tonescope {
namespace {

using Pixels = std::shared_ptr<const HostImage>;

Pixels blank(int width) {
    auto image = std::make_shared<HostImage>(ImageSpec{width, 4, PixelFormat::gray8, false});
    std::fill_n(image->data(), image->size_bytes(), uint8_t(width));
    return image;
}

/// Pictures that would be on screen.
struct Screen {
    static Picture picture_of(const Pixels& pixels) {
        Picture picture;
        if (!pixels) return picture;
        picture.spec = pixels->spec();
        picture.tiles.emplace_back();
        return picture;
    }
    void show(const std::string& path, Pixels pixels, int page = -1) {
        path_ = path;
        page_ = page;
        image_ = std::move(pixels);
        before_ = after_ = picture_of(image_);
        basis_ = {};
    }
    bool up_to_date() const { return true; }
    int device() const { return -1; }
    const Picture& before() const { return before_; }
    const Picture& after() const { return after_; }
    const Picture& basis() const { return basis_; }
    const Pixels& image() const { return image_; }
    std::pair<std::string, int> image_place() const { return {path_, page_}; }
    ui::PictureSubject subject_of(const Picture& picture) const { return {.path = path_, .size = picture.spec}; }
    std::future<Pixels> download() {
        std::promise<Pixels> promise;
        promise.set_value(result_);
        return promise.get_future();
    }
    void set_basis(const Pixels& pixels) {
        compared_ = pixels;
        basis_ = picture_of(pixels);
    }

    std::string path_;
    int page_ = -1;
    Pixels image_, result_, compared_;
    Picture before_, after_, basis_;
};

class ComparisonTest : public testing::Test {
  protected:
    ComparisonTest() {
        spec_ = default_run(*find_operator("he"), preferred_variant("he", BackendKind::cpu));
        screen_.show("/a", blank(8));
        update();
    }
    bool update() { return comparison_.update(spec_); }
    /// As if the image were read in no time.
    void arrive(const std::string& path, Pixels pixels) {
        reading_.clear();
        open_[path] = std::move(pixels);
    }
    void pin(Pixels result) {
        screen_.result_ = std::move(result);
        comparison_.pin();
        update();
    }
    void go_to(const std::string& path, int width, int page = -1) {
        screen_.show(path, blank(width), page);
        screen_.compared_ = nullptr;
        update();
    }
    ui::Basis basis() const {
        ui::ViewsModel model;
        comparison_.fill(model);
        return model.basis;
    }
    ui::PictureSubject subject() const {
        ui::ViewsModel model;
        comparison_.fill(model);
        return model.before_subject;
    }

    Workers workers_;
    Screen screen_;
    RunSpec spec_;
    std::map<std::string, Pixels> open_;
    std::string reading_;            // path
    std::vector<std::string> read_;  // paths
    std::vector<std::string> told_;
    BasicComparison<Screen> comparison_{screen_,
                                        workers_.tasks,
                                        {[this](const std::string& path) { return open_[path]; },
                                         [this](const std::string& path) {
                                             read_.push_back(path);
                                             reading_ = path;
                                         },
                                         [this](const std::string& path) { return path == reading_; }},
                                        [this](const std::string& text) { told_.push_back(text); },
                                        2 * blank(8)->size_bytes()};
};

TEST_F(ComparisonTest, APinnedResultComesBackWithItsImage) {
    const Pixels result = blank(8);
    pin(result);
    EXPECT_EQ(screen_.compared_, result);
    EXPECT_EQ(basis(), ui::Basis::pinned);
    go_to("/b", 8);
    EXPECT_EQ(basis(), ui::Basis::image);
    go_to("/a", 8);
    EXPECT_EQ(screen_.compared_, result);
    comparison_.compare_with_image();
    EXPECT_EQ(screen_.compared_, nullptr);
    go_to("/b", 8);
    go_to("/a", 8);
    EXPECT_EQ(basis(), ui::Basis::image);
    EXPECT_TRUE(told_.empty());
}

TEST_F(ComparisonTest, APinnedResultBelongsToItsPage) {
    go_to("/pages", 8, 0);
    pin(blank(8));
    go_to("/pages", 8, 1);
    EXPECT_EQ(basis(), ui::Basis::image);
    go_to("/pages", 8, 0);
    EXPECT_EQ(basis(), ui::Basis::pinned);
}

TEST_F(ComparisonTest, APinOfAnImageWithAnotherSizeIsReleased) {
    pin(blank(8));
    go_to("/b", 8);
    go_to("/a", 9);
    EXPECT_EQ(basis(), ui::Basis::image);
    EXPECT_EQ(told_, std::vector<std::string>{"a has another size now: its pinned result was released"});
    go_to("/a", 8);
    EXPECT_EQ(basis(), ui::Basis::image);
    EXPECT_EQ(told_.size(), 1U);
}

TEST_F(ComparisonTest, OfManyPinsTheOldestAreReleased) {
    pin(blank(8));
    go_to("/b", 8);
    pin(blank(8));
    go_to("/c", 8);
    pin(blank(8));
    EXPECT_TRUE(told_.empty()) << "that of the image on screen does not count";
    go_to("/a", 8);  // used again
    EXPECT_TRUE(told_.empty());
    go_to("/d", 8);
    EXPECT_EQ(told_, std::vector<std::string>{
                         "The pinned result of b was released: those of other images take too much memory"});
    go_to("/b", 8);
    EXPECT_EQ(basis(), ui::Basis::image);
    go_to("/a", 8);
    EXPECT_EQ(basis(), ui::Basis::pinned);
}

TEST_F(ComparisonTest, AResultThatComesAfterItsImageHasGoneIsNotPinned) {
    screen_.result_ = blank(8);
    comparison_.pin();
    go_to("/b", 8);
    update();
    EXPECT_EQ(basis(), ui::Basis::image);
    screen_.result_ = nullptr;
    comparison_.pin();
    update();
    EXPECT_EQ(basis(), ui::Basis::image) << "nor one that is gone";
    EXPECT_FALSE(comparison_.busy());
}

TEST_F(ComparisonTest, AnotherImageThatIsInMemoryIsNotRead) {
    open_["/b"] = blank(8);
    comparison_.compare_with("/b", false);
    EXPECT_TRUE(update());
    EXPECT_EQ(screen_.compared_, open_["/b"]);
    EXPECT_EQ(basis(), ui::Basis::reference);
    EXPECT_EQ(subject().path, "/b");
    EXPECT_FALSE(update()) << "nothing is new";
    // The program has the newest pixels: read again, or the original of a file that is replaced.
    open_["/b"] = blank(8);
    EXPECT_TRUE(update());
    EXPECT_EQ(screen_.compared_, open_["/b"]);
    const Pixels shown = std::exchange(open_["/b"], nullptr);  // forgotten, since others need the memory
    EXPECT_FALSE(update());
    EXPECT_EQ(screen_.compared_, shown);
    open_["/b"] = blank(8);
    go_to("/c", 8);
    EXPECT_EQ(basis(), ui::Basis::image);
    go_to("/a", 8);
    EXPECT_EQ(screen_.compared_, open_["/b"]);
    EXPECT_TRUE(read_.empty());
}

TEST_F(ComparisonTest, AnotherImageIsReadOnce) {
    comparison_.compare_with("/b", false);
    for (int frames = 0; frames < 3; ++frames) update();
    EXPECT_EQ(read_, std::vector<std::string>{"/b"});
    EXPECT_EQ(basis(), ui::Basis::image);
    arrive("/b", blank(8));
    update();
    EXPECT_EQ(basis(), ui::Basis::reference);
    // One that cannot be read, or that the user does not wait for, ends the comparison.
    comparison_.compare_with("/c", false);
    update();
    arrive("/c", nullptr);
    update();
    EXPECT_EQ(basis(), ui::Basis::image);
    open_["/c"] = blank(8);
    update();
    EXPECT_EQ(basis(), ui::Basis::image);
    EXPECT_EQ(read_.size(), 2U);
    EXPECT_TRUE(told_.empty()) << "whoever reads it tells";
}

TEST_F(ComparisonTest, ImagesOfOtherSizesAreRefused) {
    open_["/b"] = blank(9);
    comparison_.compare_with("/b", false);
    update();
    EXPECT_EQ(basis(), ui::Basis::image);
    EXPECT_EQ(told_, std::vector<std::string>{"b is 9 \u00d7 4 and this image 8 \u00d7 4: only images of the same size "
                                              "can be compared"});
}

TEST_F(ComparisonTest, WhatTheFilterMakesOfAnotherImageFollowsIt) {
    open_["/b"] = blank(8);
    comparison_.compare_with("/b", true);
    const auto finish = [&] {
        update();
        EXPECT_TRUE(workers_.finish());
        update();
    };
    finish();
    EXPECT_EQ(subject().run, spec_);
    const Pixels first = screen_.compared_;
    ASSERT_NE(first, nullptr);
    EXPECT_NE(first, open_["/b"]);
    open_["/b"] = blank(8);
    finish();
    EXPECT_NE(screen_.compared_, first) << "it has been read again";
    // What fails says why, also for want of memory or of a GPU.
    spec_.variant = find_variant("he", "simple");
    ASSERT_NE(spec_.variant, nullptr);
    spec_.variant_params = default_values(spec_.variant->params);
    if (spec_.variant->run_cuda != nullptr) return;
    finish();
    EXPECT_EQ(basis(), ui::Basis::image);
    ASSERT_EQ(told_.size(), 1U);
    EXPECT_TRUE(told_[0].starts_with("cannot compare with b: ")) << told_[0];
}

TEST_F(ComparisonTest, ReferencesAreKnownAndSetByTheImagesPlace) {
    comparison_.set_reference({"/b", 2}, Reference{"/other", false});
    EXPECT_EQ(comparison_.reference_of({"/b", 2}), (Reference{"/other", false}));
    EXPECT_EQ(comparison_.reference_of({"/b", 1}), std::nullopt);
    EXPECT_TRUE(read_.empty()) << "it is read when its image is shown";
    open_["/other"] = blank(8);
    go_to("/b", 8, 2);
    EXPECT_EQ(basis(), ui::Basis::reference);
    EXPECT_EQ(screen_.compared_, open_["/other"]);
    comparison_.set_reference({"/b", 2}, std::nullopt);
    update();
    EXPECT_EQ(basis(), ui::Basis::image);
    EXPECT_EQ(screen_.compared_, nullptr);
}

/// As where the last image is closed.
TEST_F(ComparisonTest, WithoutAnImageNothingIsComparedAndTheReferenceComesBackWithIt) {
    open_["/b"] = blank(8);
    comparison_.compare_with("/b", false);
    update();
    EXPECT_EQ(basis(), ui::Basis::reference);
    screen_.show("/a", nullptr);
    for (int frames = 0; frames < 3; ++frames) update();
    EXPECT_TRUE(read_.empty());
    EXPECT_EQ(basis(), ui::Basis::image);
    go_to("/a", 8);
    EXPECT_EQ(basis(), ui::Basis::reference);
    EXPECT_TRUE(told_.empty());
}

TEST_F(ComparisonTest, AReferenceOfTheImageOnScreenIsShownAtOnce) {
    pin(blank(8));
    EXPECT_EQ(basis(), ui::Basis::pinned);
    EXPECT_EQ(comparison_.reference_of({"/a", -1}), std::nullopt) << "a pinned result is none";
    open_["/other"] = blank(8);
    comparison_.set_reference({"/a", -1}, Reference{"/other", false});
    update();
    EXPECT_EQ(basis(), ui::Basis::reference);
    EXPECT_EQ(subject().path, "/other");
}

}  // namespace
}  // namespace tonescope
