// Batches of the window, without one.
#include "app/viewer/window_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>

#include "app/batch/mask.h"
#include "app/image_io/image_io.h"
#include "tests/app/temporary_folder.h"
#include "tests/app/workers.h"

namespace tonescope {
namespace {

using State = ui::BatchModel::State;
using AnswerKind = ui::AnswerBatch::Kind;

/// A run that takes a tenth of a second or so for an image of 200 x 100.
RunSpec slow_spec() {
    const OperatorInfo* op = find_operator("kuwahara");
    RunSpec spec = default_run(*op, &reference_of("kuwahara"));
    spec.params.set(*find_param(op->params, "radius"), 20);
    return spec;
}

class WindowBatchTest : public testing::Test {
  protected:
    WindowBatchTest() {
        const OperatorInfo* op = find_operator("he");
        run_ = {default_run(*op, preferred_variant("he", BackendKind::cpu)), -1, "HE"};
        std::filesystem::create_directory(folder_.file("in"));
        for (int i = 0; i < kFiles; ++i) paths_.push_back(image(std::to_string(i), 40 + i));
    }
    /// A gray image in the folder of inputs.
    std::string image(const std::string& stem, int width, int height = 30) const {
        HostImage made({width, height, PixelFormat::gray8});
        for (int k = 0; k < int(made.size_bytes()); ++k) made.data()[k] = uint8_t(k % (width + 10));
        const std::string path = folder_.file("in/" + stem + ".pgm");
        save_image(path, made.view());
        return path;
    }
    std::string own(const std::string& name) const {
        std::filesystem::create_directory(folder_.file("out"));
        return folder_.write("out/" + name, "somebody's own");
    }
    static bool is_own(const std::string& path) { return TemporaryFolder::read(path) == "somebody's own"; }
    template <class Condition>
    bool wait(Condition condition) {
        return workers_.wait([&] {
            batch_.update(true);
            return condition();
        });
    }
    bool wait(State state) {
        return wait([&] { return model_.state == state; });
    }
    bool run_to_end() {
        batch_.start(setup_, run_);
        return wait(State::done);
    }
    /// Names in the folder of results, hidden ones too, with what the files hold.
    std::map<std::string, std::string> results() const {
        std::map<std::string, std::string> all;
        if (!std::filesystem::exists(folder_.file("out"))) return all;
        for (const auto& entry : std::filesystem::directory_iterator(folder_.file("out")))
            all[entry.path().filename().string()] = TemporaryFolder::read(entry.path().string());
        return all;
    }

    static constexpr int kFiles = 7;
    TemporaryFolder folder_;
    std::vector<std::string> paths_;
    WindowBatch::Run run_;
    ui::BatchSetup setup_{true, folder_.file("in"), folder_.file("out/{stem}.png"), {}};
    ui::BatchModel model_;
    Workers workers_;
    std::vector<WindowBatch::Source> open_;
    std::vector<std::string> written_;
    WindowBatch batch_{
        model_,
        workers_.tasks,
        workers_.notices,
        {.open_images = [this] { return open_; }, .written = [this](const auto& paths) { written_ = paths; }}};
};

TEST_F(WindowBatchTest, DoesAFolder) {
    batch_.start(setup_, run_);
    EXPECT_EQ(model_.state, State::looking);
    ASSERT_TRUE(wait(State::done));
    EXPECT_EQ(model_.done, size_t{kFiles});
    EXPECT_EQ(model_.failed, 0U);
    EXPECT_EQ(results().size(), size_t{kFiles});
    EXPECT_EQ(written_.size(), size_t{kFiles});
    EXPECT_TRUE(model_.under_way.empty());
    const auto backend = make_cpu_backend();
    const HostImage before = load_image(paths_[3]).image;
    EXPECT_EQ(count_different_pixels(backend->run(before.view(), run_.spec).image.view(),
                                     load_image(folder_.file("out/3.png")).image.view()),
              0);
    ASSERT_EQ(workers_.texts().size(), 1U);
    EXPECT_EQ(workers_.texts()[0], "Batch: 7 images done, in " + folder_.file("out"));
}

TEST_F(WindowBatchTest, AMaskForEachImageOfAFolder) {
    // The masks lie among the images: they are no images of the batch.
    for (int i = 0; i < kFiles; ++i)
        if (i != 2) image(std::to_string(i) + ".mask", i == 4 ? 9 : 40 + i);
    run_.spec.part.mask_path = folder_.file("in/{stem}.mask.pgm");
    ASSERT_TRUE(run_to_end());
    EXPECT_EQ(model_.files, size_t{kFiles});
    EXPECT_EQ(results().size(), size_t{kFiles - 2});
    ASSERT_EQ(model_.failures.size(), 2U);
    EXPECT_NE(model_.failures[0].find("2.mask.pgm"), std::string::npos) << model_.failures[0];
    EXPECT_NE(model_.failures[1].find("the mask " + folder_.file("in/4.mask.pgm") + " has 9"), std::string::npos)
        << model_.failures[1];
    RunSpec alone = run_.spec;
    alone.part.mask_path = folder_.file("in/3.mask.pgm");
    read_mask(alone.part);
    const HostImage before = load_image(paths_[3]).image;
    EXPECT_TRUE(same_pixels(make_cpu_backend()->run(before.view(), alone).image.view(),
                            load_image(folder_.file("out/3.png")).image.view()));
    setup_.output = folder_.file("in/{stem}.mask.pgm");
    batch_.start(setup_, run_);
    ASSERT_TRUE(wait(State::idle));
    EXPECT_NE(model_.problem.find("it would overwrite the input"), std::string::npos) << model_.problem;
}

TEST_F(WindowBatchTest, AMaskForAllImages) {
    run_.spec.part.mask_path = image("mask", 42);
    setup_.is_folder = false;
    open_ = {{paths_[2]}, {paths_[3]}};
    ASSERT_TRUE(run_to_end());
    EXPECT_EQ(model_.failed, 1U);
    EXPECT_TRUE(results().contains("2.png"));
    run_.spec.part.mask_path = folder_.file("none.pgm");
    batch_.start(setup_, run_);
    ASSERT_TRUE(wait([&] { return model_.state == State::asks; }));
    batch_.answer(AnswerKind::overwrite);
    ASSERT_TRUE(wait(State::idle));
    EXPECT_NE(model_.problem.find("none.pgm: no such file"), std::string::npos) << model_.problem;
}

TEST_F(WindowBatchTest, AFolderStandsForPngFilesInIt) {
    setup_.output = folder_.file("out/");
    ASSERT_TRUE(run_to_end());
    EXPECT_TRUE(results().contains("0.png"));
}

TEST_F(WindowBatchTest, TakesTheOpenPagesAndNeverWritesOntoOpenFiles) {
    setup_.is_folder = false;
    setup_.output = folder_.file("in/{stem}.pgm");
    open_ = {{paths_[0]}, {paths_[1]}};
    batch_.start(setup_, run_);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(model_.state, State::idle);
    EXPECT_NE(model_.problem.find("it would overwrite the input"), std::string::npos) << model_.problem;
    const std::string file = folder_.file("pages.tiff");
    save_pages(file,
               [&](const AddPage& add) {
                   for (const std::string& path : paths_) add(load_image(path).image.view(), kFiles);
               },
               {}, {});
    open_ = {{paths_[0]}, {file, 3}};
    setup_.output = folder_.file("out/{stem}-{page}.tiff");
    ASSERT_TRUE(run_to_end());
    EXPECT_EQ(model_.files, 2U);
    EXPECT_EQ(load_image(folder_.file("out/pages-4.tiff")).image.spec().width, 43);
    EXPECT_EQ(load_image(folder_.file("out/0-1.tiff")).image.spec().width, 40);

    open_ = {{paths_[0]}, {folder_.file("out/0-1.tiff")}};
    setup_.is_folder = true;
    batch_.start(setup_, run_);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(model_.problem, folder_.file("out/0-1.tiff") + " is an open image: close it, or choose another name");
}

TEST_F(WindowBatchTest, SaysWhatCannotBeDone) {
    const auto expect_problem = [&](const char* part) {
        batch_.start(setup_, run_);
        ASSERT_TRUE(workers_.wait([&] { return batch_.update(true) || !batch_.busy(); }));
        ASSERT_TRUE(wait([&] { return !batch_.busy(); }));
        EXPECT_EQ(model_.state, State::idle) << part;
        EXPECT_NE(model_.problem.find(part), std::string::npos) << model_.problem;
        EXPECT_EQ(model_.problem.find('\n'), std::string::npos);
    };
    setup_.output = folder_.file("out/{stem}");
    expect_problem("must end in");
    setup_.output = folder_.file("out/{stem}.csv");
    expect_problem("must end in");
    setup_.output = folder_.file("out/one.png");
    expect_problem("must contain {stem}");
    setup_.output = folder_.file("in/0.pgm/{stem}.png");
    expect_problem("0.pgm");
    setup_.folder = folder_.file("nowhere");
    expect_problem("is no folder");
    std::filesystem::create_directory(folder_.file("empty"));
    setup_.folder = folder_.file("empty");
    expect_problem("no images are in");
    setup_.is_folder = false;
    expect_problem("no image is open");
    EXPECT_TRUE(results().empty());
}

TEST_F(WindowBatchTest, ListsFailuresAndDoesTheOthers) {
    folder_.write("in/bad.pgm", "P5\n9 9\n255\n");
    ASSERT_TRUE(run_to_end());
    EXPECT_EQ(model_.done, size_t{kFiles + 1});
    EXPECT_EQ(model_.failed, 1U);
    EXPECT_EQ(results().size(), size_t{kFiles});
    ASSERT_EQ(model_.failures.size(), 1U);
    EXPECT_NE(model_.failures[0].find("bad.pgm"), std::string::npos);
    EXPECT_NE(workers_.texts().at(0).find("1 failed"), std::string::npos);
}

TEST_F(WindowBatchTest, AsksOnceAboutFilesThatAreInTheWay) {
    const std::string path = own("2.png");
    image("2-2", 50);
    const auto answer = [&](AnswerKind kind, size_t existing) {
        batch_.start(setup_, run_);
        ASSERT_TRUE(wait(State::asks));
        EXPECT_EQ(model_.existing, existing);
        EXPECT_EQ(model_.obstacles.size(), existing);
        batch_.answer(kind);
        EXPECT_TRUE(model_.obstacles.empty());
        ASSERT_TRUE(wait(kind == AnswerKind::cancel ? State::idle : State::done));
        EXPECT_TRUE(model_.failures.empty());
    };
    answer(AnswerKind::cancel, 1);
    EXPECT_EQ(results().size(), 1U);
    answer(AnswerKind::skip, 1);
    EXPECT_EQ(results().size(), size_t{kFiles + 1});
    EXPECT_TRUE(is_own(path));
    EXPECT_EQ(model_.files, size_t{kFiles});

    for (const auto& [name, content] : results())
        if (name != "2.png") std::filesystem::remove(folder_.file("out/" + name));
    batch_.start(setup_, run_);
    ASSERT_TRUE(wait(State::asks));
    EXPECT_EQ(model_.obstacles[0].path, path);
    EXPECT_EQ(model_.obstacles[0].free_name, "2-3.png") << "2-2.png is the result of another image";
    batch_.answer(AnswerKind::rename);
    ASSERT_TRUE(wait(State::done));
    EXPECT_TRUE(is_own(path));
    EXPECT_TRUE(results().contains("2-3.png"));
    EXPECT_EQ(results().size(), size_t{kFiles + 2});

    answer(AnswerKind::overwrite, kFiles + 1);
    EXPECT_FALSE(is_own(path));
    EXPECT_EQ(results().at("2.png"), results().at("2-3.png"));

    batch_.start(setup_, run_);
    ASSERT_TRUE(wait(State::asks));
    batch_.answer(AnswerKind::skip);
    EXPECT_EQ(model_.state, State::idle);
    EXPECT_EQ(model_.problem, "all results are there already");
}

TEST_F(WindowBatchTest, NeverWritesOntoWhatCameLater) {
    const std::string replaced = own("2.png");
    batch_.start(setup_, run_);
    ASSERT_TRUE(wait(State::asks));
    const std::string planted = own("5.png");
    open_ = {{replaced}};  // the user opens it while the question stands
    batch_.answer(AnswerKind::overwrite);
    ASSERT_TRUE(wait(State::done));
    EXPECT_TRUE(is_own(replaced));
    EXPECT_TRUE(is_own(planted));
    ASSERT_EQ(model_.failures.size(), 2U);
    EXPECT_EQ(model_.failures[0], replaced + ": not written, since it has been opened meanwhile");
    EXPECT_EQ(model_.failures[1], "cannot save " + planted + ": there is such a file by now");
    EXPECT_EQ(results().size(), size_t{kFiles});
}

TEST_F(WindowBatchTest, PausesGoesOnAndStops) {
    constexpr size_t kMany = 400;
    for (size_t i = kFiles; i < kMany; ++i) image(std::to_string(i), 200, 100);
    run_.spec = slow_spec();
    batch_.start(setup_, run_);
    ASSERT_TRUE(wait([&] { return model_.state == State::running && model_.done > 0; }));
    batch_.pause(true);
    EXPECT_EQ(model_.state, State::paused);
    // Images that are under way go on; afterwards nothing moves.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ASSERT_TRUE(wait([&] { return model_.under_way.empty(); }));
    const size_t count = results().size();
    const double seconds = model_.seconds;
    EXPECT_LT(count, kMany);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_EQ(results().size(), count);
    batch_.update(true);
    EXPECT_EQ(model_.seconds, seconds);
    EXPECT_EQ(model_.done, count);

    batch_.pause(false);
    EXPECT_EQ(model_.state, State::running);
    ASSERT_TRUE(wait([&] { return model_.done > count; }));
    batch_.pause(true);
    batch_.stop();  // also while it is paused
    ASSERT_TRUE(wait(State::done));
    EXPECT_TRUE(model_.was_stopped);
    EXPECT_LT(model_.done, kMany);
    EXPECT_EQ(results().size(), model_.done);
    for (const auto& [name, content] : results()) {
        EXPECT_TRUE(name.ends_with(".png")) << name;
        EXPECT_TRUE(content.ends_with("IEND\xae\x42\x60\x82")) << name;
    }
}

TEST_F(WindowBatchTest, PausesAtAnyMomentWithoutHanging) {
    for (int i = kFiles; i < 60; ++i) image(std::to_string(i), 60);
    batch_.start(setup_, run_);
    bool pauses = false;
    ASSERT_TRUE(wait([&] {
        for (int k = 0; k < 10; ++k) batch_.pause(pauses = !pauses);
        return model_.state == State::done;
    }));
    EXPECT_EQ(results().size(), 60U);
    // Before it has begun, too. These images take seconds.
    for (int i = kFiles; i < 60; ++i) image(std::to_string(i), 200, 200);
    run_.spec = slow_spec();
    setup_.output = folder_.file("later/{stem}.png");
    batch_.start(setup_, run_);
    ASSERT_TRUE(wait(State::running));
    batch_.pause(true);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    batch_.update(true);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_EQ(model_.state, State::paused);
    batch_.pause(false);
    ASSERT_TRUE(wait(State::running));
    batch_.stop();
    ASSERT_TRUE(wait(State::done));
    EXPECT_LT(model_.done, 60U);
}

TEST_F(WindowBatchTest, StopsWithinAnImage) {
    image("large", 4000, 3000);
    std::filesystem::rename(folder_.file("in/large.pgm"), folder_.file("in/0.pgm"));
    run_.spec = slow_spec();
    batch_.start(setup_, run_);
    ASSERT_TRUE(wait([&] {
        return std::ranges::any_of(model_.under_way, [](const auto& file) { return file.step == "filtering"; });
    }));
    const auto begin = std::chrono::steady_clock::now();
    batch_.stop();
    ASSERT_TRUE(wait(State::done));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << "it takes minutes to its end";
    EXPECT_FALSE(results().contains("0.png"));
    EXPECT_EQ(results().size(), model_.done);
}

TEST_F(WindowBatchTest, TheWindowClosesWhenAskedTwice) {
    EXPECT_TRUE(batch_.may_quit());
    for (int i = kFiles; i < 300; ++i) image(std::to_string(i), 200, 100);
    run_.spec = slow_spec();
    batch_.start(setup_, run_);
    EXPECT_EQ(batch_.left(), "");
    ASSERT_TRUE(wait([&] { return model_.done > 0; }));
    EXPECT_FALSE(batch_.may_quit());
    EXPECT_TRUE(model_.asks_to_quit);
    batch_.keep();
    EXPECT_FALSE(model_.asks_to_quit);
    EXPECT_FALSE(model_.was_stopped);
    EXPECT_FALSE(batch_.may_quit());
    EXPECT_TRUE(batch_.may_quit());
    EXPECT_TRUE(model_.was_stopped);
    EXPECT_NE(batch_.left().find(" of 300 images were done"), std::string::npos) << batch_.left();
    ASSERT_TRUE(wait(State::done));
    EXPECT_EQ(batch_.left(), "");
}

TEST(WindowBatch, EndsWithItsWindow) {
    TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("in"));
    HostImage image({200, 100, PixelFormat::gray8});
    std::fill_n(image.data(), image.size_bytes(), uint8_t{7});
    for (int i = 0; i < 200; ++i) save_image(folder.file("in/" + std::to_string(i) + ".pgm"), image.view());
    ui::BatchModel model;
    Workers workers;
    {
        WindowBatch batch(model, workers.tasks, workers.notices, {});
        batch.start({true, folder.file("in"), folder.file("out/{stem}.png"), {}}, {slow_spec(), -1, "Kuwahara"});
        ASSERT_TRUE(workers.wait([&] {
            batch.update(true);
            return model.done > 0;
        }));
    }
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("out"))) {
        EXPECT_EQ(entry.path().extension(), ".png");
        ++count;
    }
    EXPECT_LT(count, 200U);
}

}  // namespace
}  // namespace tonescope
