// Experiments in the window: what can be swept, when they stop, what stays, what a click on a point runs.
#include "app/viewer/window_experiment.h"

#include <gtest/gtest.h>

#include <chrono>

#include "app/image_io/image_io.h"
#include "tests/app/temporary_folder.h"
#include "tests/app/workers.h"
#include "tests/cpu_time.h"

namespace tonescope {
namespace {

using Along = ui::ExperimentSetup::Along;

class WindowExperimentTest : public testing::Test {
  protected:
    static BenchmarkJob job(const char* op, ImageSpec spec = {40, 30, PixelFormat::rgba8, false}) {
        std::vector<RunSpec> runs;
        for (const VariantInfo* variant : variants_of(op)) runs.push_back(default_run(*find_operator(op), variant));
        return {.input = "/photos/hills.png",
                .image = std::make_shared<const HostImage>(spec),
                .runs = runs,
                .backend = BackendChoice::cpu};
    }
    void set(const ui::ExperimentSetup& setup, const BenchmarkJob& now) {
        experiment_.set(setup);
        experiment_.fill(now);
    }
    bool finish() {
        return workers_.wait([&] {
            experiment_.update();
            return !experiment_.running();
        });
    }
    int measured() const {
        return int(std::ranges::count_if(model_.cases, [](const CaseRows& one) { return !one.rows.empty(); }));
    }

    Workers workers_;
    ui::ExperimentModel model_;
    WindowExperiment experiment_{model_, [] {}};
};

TEST_F(WindowExperimentTest, OffersTheParametersOfOperatorAndVariants) {
    const BenchmarkJob now = job("clahe");
    experiment_.fill(now);
    std::vector<std::string> ids;
    for (const ui::ExperimentEntry& entry : model_.params) {
        ids.push_back(entry.id);
        EXPECT_NE(entry.values.find(','), std::string::npos) << entry.id;
    }
    EXPECT_EQ(ids.front(), "tiles");
    EXPECT_NE(std::ranges::find(ids, "teams"), ids.end());
    EXPECT_EQ(model_.setup.param, ids.front()) << "the first one, until another one is chosen";
    const std::vector<ui::ExperimentEntry> offered = model_.params;
    for (const ui::ExperimentEntry& entry : offered) {
        set({.param = entry.id, .values = entry.values}, now);
        EXPECT_EQ(model_.problem, "") << entry.id;
    }
}

TEST_F(WindowExperimentTest, SaysWhyItCannotMeasure) {
    const auto problem = [&](const ui::ExperimentSetup& setup, const BenchmarkJob& now) {
        set(setup, now);
        return model_.problem;
    };
    const BenchmarkJob now = job("clahe");
    EXPECT_NE(problem({.param = "tile_size", .values = "8,4"}, now).find("8 to 1024"), std::string::npos);
    EXPECT_NE(problem({.param = "tile_size", .values = " , "}, now).find("name the values"), std::string::npos);
    EXPECT_NE(problem({.along = Along::sizes, .values = "4q"}, now).find("reports"), std::string::npos);
    EXPECT_NE(problem({.along = Along::contents, .values = "fog"}, now).find("noise"), std::string::npos);
    EXPECT_EQ(problem({.along = Along::contents, .values = "noise, ramp"}, now), "");
    BenchmarkJob none = now;
    none.image.reset();
    EXPECT_NE(problem({.param = "tile_size", .values = "8"}, none).find("open an image"), std::string::npos);
    EXPECT_EQ(problem({.experiment = "a-teams"}, none), "") << "it brings its own image";
    experiment_.set({.param = "tile_size", .values = "8,4"});
    experiment_.start(now);
    EXPECT_FALSE(experiment_.running());
}

TEST_F(WindowExperimentTest, MeasuresAllCasesAndExportsThem) {
    const TemporaryFolder folder;
    Saves saves(workers_.tasks, workers_.notices, {.write = {}, .written = [](const auto&) {}});
    const BenchmarkJob now = job("kuwahara");
    set({.param = "radius", .values = "1,2,3"}, now);
    experiment_.start(now);
    experiment_.export_results(folder.file("a.csv"), saves, workers_.notices);
    ASSERT_TRUE(finish());
    experiment_.export_results(folder.file("a.docx"), saves, workers_.notices);
    ASSERT_EQ(workers_.texts().size(), 2U);
    EXPECT_NE(workers_.texts()[0].find("not finished yet"), std::string::npos);
    EXPECT_NE(workers_.texts()[1].find("must end in .csv"), std::string::npos);
    EXPECT_EQ(model_.done, 3);
    EXPECT_EQ(measured(), 3);
    EXPECT_EQ(model_.error, "");
    EXPECT_EQ(model_.suggested_path, "/photos/hills-kuwahara-sweep.csv");
    experiment_.export_results(folder.file("a.csv"), saves, workers_.notices);
    ASSERT_TRUE(workers_.finish());
    EXPECT_NE(TemporaryFolder::read(folder.file("a.csv")).find("identical"), std::string::npos);
    ASSERT_NE(experiment_.run_of(2, 0), nullptr);
    const RunSpec& run = *experiment_.run_of(2, 0);
    EXPECT_EQ(run.params.get(*find_param(run.op->params, "radius")), 3);
    EXPECT_EQ(experiment_.file_of(2), "/photos/hills.png") << "which is open already";
    EXPECT_EQ(experiment_.run_of(3, 0), nullptr);
}

TEST_F(WindowExperimentTest, StopsWithinHalfASecondAndKeepsWhatWasMeasured) {
    // Large enough that all of it would take minutes.
    const BenchmarkJob now = job("kuwahara", {1200, 900, PixelFormat::rgba8, false});
    set({.param = "radius", .values = "1,64"}, now);
    experiment_.start(now);
    ASSERT_TRUE(workers_.wait([&] {
        experiment_.update();
        return model_.done == 1;
    }));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ASSERT_TRUE(experiment_.running()) << "radius 64 takes longer";
    const double begin_s = cpu_seconds();
    experiment_.stop();
    EXPECT_FALSE(experiment_.running());
    EXPECT_TRUE(model_.stopped);
    EXPECT_EQ(measured(), 1);
    // The worker is free for the next one.
    set({.along = Along::sizes, .values = "20x10"}, now);
    experiment_.start(now);
    ASSERT_TRUE(workers_.wait([&] {
        experiment_.update();
        return measured() == 1;
    }));
    EXPECT_LT(cpu_seconds() - begin_s, 0.5 * default_cpu_threads());
    ASSERT_TRUE(finish());
}

TEST_F(WindowExperimentTest, MakesTheImageOfACase) {
    const BenchmarkJob now = job("he");
    set({.along = Along::contents, .values = "noise,ramp"}, now);
    experiment_.start(now);
    ASSERT_TRUE(finish());
    EXPECT_EQ(experiment_.file_of(1), "");
    const std::string path = experiment_.image_maker(1)({});
    const HostImage image = load_image(path).image;
    EXPECT_EQ(image.width(), 40);
    EXPECT_EQ(image.height(), 30);
    EXPECT_NE(path.find("ramp-40x30"), std::string::npos);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace tonescope
