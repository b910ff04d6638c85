// Batches of the window, without one.
#include "app/viewer/window_batch.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/image_io/image_io.h"
#include "tests/app/temporary_folder.h"
#include "tests/app/workers.h"

namespace tonescope {
namespace {

using State = ui::BatchModel::State;

class WindowBatchTest : public testing::Test {
  protected:
    WindowBatchTest() {
        const OperatorInfo* op = find_operator("he");
        run_ = {default_run(*op, preferred_variant("he", BackendKind::cpu)), -1, "HE"};
        for (int i = 0; i < kFiles; ++i) paths_.push_back(image(i));
        setup_ = {true, folder_.file("in"), folder_.file("out/{stem}.png"), {}};
    }
    std::string image(int i) {
        HostImage made({40 + i, 30, PixelFormat::gray8});
        for (int k = 0; k < int(made.size_bytes()); ++k) made.data()[k] = uint8_t(k % (50 + i));
        std::filesystem::create_directory(folder_.file("in"));
        const std::string path = folder_.file("in/" + std::to_string(i) + ".pgm");
        save_image(path, made.view());
        return path;
    }
    bool wait(State state) {
        return workers_.wait([&] {
            batch_.update();
            return model_.state == state;
        });
    }
    size_t results() const {
        if (!std::filesystem::exists(folder_.file("out"))) return 0;
        size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder_.file("out")))
            count += entry.path().extension() == ".png" ? 1 : 0;
        return count;
    }

    static constexpr int kFiles = 7;
    TemporaryFolder folder_;
    std::vector<std::string> paths_;
    WindowBatch::Run run_;
    ui::BatchSetup setup_;
    ui::BatchModel model_;
    Workers workers_;
    WindowBatch batch_{model_, workers_.tasks, workers_.notices, [] {}};
};

TEST_F(WindowBatchTest, DoesAFolder) {
    batch_.start(setup_, {}, run_);
    EXPECT_EQ(model_.state, State::looking);
    ASSERT_TRUE(wait(State::done));
    EXPECT_EQ(model_.done, size_t{kFiles});
    EXPECT_EQ(model_.failed, 0U);
    EXPECT_EQ(results(), size_t{kFiles});
    const auto backend = make_cpu_backend();
    const HostImage before = load_image(paths_[3]).image;
    EXPECT_EQ(count_different_pixels(backend->run(before.view(), run_.spec).image.view(),
                                     load_image(folder_.file("out/3.png")).image.view()),
              0);
}

TEST_F(WindowBatchTest, TakesTheOpenImagesAndNeverWritesOntoThem) {
    setup_.is_folder = false;
    setup_.output = folder_.file("in/{stem}.pgm");
    batch_.start(setup_, {paths_[0], paths_[1]}, run_);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(model_.state, State::idle);
    EXPECT_NE(model_.problem.find("it would overwrite the input"), std::string::npos) << model_.problem;
    setup_.output = folder_.file("out/{stem}.tiff");
    batch_.start(setup_, {paths_[0], paths_[1]}, run_);
    ASSERT_TRUE(wait(State::done));
    EXPECT_EQ(model_.files, 2U);
    EXPECT_EQ(model_.problem, "");
}

TEST_F(WindowBatchTest, SaysWhatCannotBeDone) {
    for (const char* output : {"out/{stem}", "out/{stem}.csv", "out/one.png"}) {
        setup_.output = folder_.file(output);
        batch_.start(setup_, {}, run_);
        ASSERT_TRUE(workers_.finish());
        EXPECT_EQ(model_.state, State::idle) << output;
        EXPECT_NE(model_.problem, "") << output;
    }
    EXPECT_EQ(results(), 0U);
}

TEST_F(WindowBatchTest, ListsFailures) {
    folder_.write("in/bad.pgm", "P5\n9 9\n255\n");
    batch_.start(setup_, {}, run_);
    ASSERT_TRUE(wait(State::done));
    EXPECT_EQ(model_.done, size_t{kFiles + 1});
    EXPECT_EQ(model_.failed, 1U);
    ASSERT_EQ(model_.failures.size(), 1U);
    EXPECT_NE(model_.failures[0].find("bad.pgm"), std::string::npos);
}

TEST_F(WindowBatchTest, AsksBeforeItReplacesFiles) {
    std::filesystem::create_directory(folder_.file("out"));
    const std::string own = folder_.write("out/2.png", "somebody's own");
    using Kind = ui::AnswerBatch::Kind;
    for (const Kind kind : {Kind::cancel, Kind::leave_out, Kind::replace}) {
        batch_.start(setup_, {}, run_);
        ASSERT_TRUE(wait(State::asks));
        EXPECT_EQ(model_.existing, kind == Kind::replace ? size_t{kFiles} : 1U);
        batch_.answer(kind);
        ASSERT_TRUE(wait(kind == Kind::cancel ? State::idle : State::done));
        EXPECT_EQ(TemporaryFolder::read(own) == "somebody's own", kind != Kind::replace);
        EXPECT_EQ(results(), kind == Kind::cancel ? 1U : size_t{kFiles});
    }
}

TEST_F(WindowBatchTest, PausesAndStops) {
    for (int i = kFiles; i < 300; ++i) image(i);
    batch_.start(setup_, {}, run_);
    ASSERT_TRUE(wait(State::running));
    batch_.pause(true);
    EXPECT_EQ(model_.state, State::paused);
    batch_.pause(false);
    batch_.stop();
    ASSERT_TRUE(wait(State::done));
    EXPECT_TRUE(model_.was_stopped);
    EXPECT_EQ(results(), model_.done);
    EXPECT_LT(model_.done, 300U);
}

}  // namespace
}  // namespace tonescope
