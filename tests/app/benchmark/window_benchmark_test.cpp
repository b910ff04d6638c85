// The benchmark of variants in the window: when it starts, when its results are stale, what is exported.
#include "app/viewer/window_benchmark.h"

#include <gtest/gtest.h>

#include "app/viewer/benchmark_pages.h"
#include "tests/app/temporary_folder.h"
#include "tests/app/workers.h"
#include "ui/benchmark/page.h"

namespace tonescope {
namespace {

class WindowBenchmarkTest : public testing::Test {
  protected:
    WindowBenchmarkTest() { image_ = std::make_shared<const HostImage>(ImageSpec{40, 30, PixelFormat::rgba8, false}); }
    BenchmarkJob subject(const char* op = "he") const {
        std::vector<RunSpec> runs;
        for (const VariantInfo* variant : variants_of(op))
            runs.push_back({find_operator(op), variant, default_values(find_operator(op)->params),
                            default_values(variant->params), MemoryMode::pinned});
        return {.input = path_, .image = image_, .runs = runs, .backend = BackendChoice::cpu};
    }
    const ui::BenchmarkModel& model(const BenchmarkJob& subject) {
        benchmark_.fill(subject);
        return model_;
    }
    bool finish() {
        return workers_.wait([&] {
            benchmark_.update();
            return !benchmark_.running();
        });
    }

    std::string path_ = "/photos/hills.png";
    std::shared_ptr<const HostImage> image_;
    Workers workers_;
    ui::BenchmarkModel model_;
    WindowBenchmark benchmark_{model_, [] {}};
};

TEST_F(WindowBenchmarkTest, StartsOnceForTheSameSubject) {
    EXPECT_EQ(model(subject()).op, nullptr);
    benchmark_.show(subject());
    EXPECT_TRUE(benchmark_.running());
    ASSERT_TRUE(finish());
    ui::BenchmarkModel shown = model(subject());
    EXPECT_TRUE(shown.shown);
    EXPECT_EQ(shown.subject, "hills.png, 40 \u00d7 30");
    EXPECT_EQ(shown.stale, "");
    EXPECT_EQ(shown.done, shown.count);
    EXPECT_EQ(shown.suggested_path, "/photos/hills-he-comparison.csv");
    EXPECT_EQ(shown.variants.size(), variants_of("he").size());
    benchmark_.hide();
    EXPECT_FALSE(model(subject()).shown);
    benchmark_.show(subject());
    EXPECT_FALSE(benchmark_.running()) << "its results are there";
    EXPECT_TRUE(model(subject()).shown);
    benchmark_.show(subject("clahe"));
    EXPECT_TRUE(benchmark_.running());
    benchmark_.stop();
    EXPECT_TRUE(model(subject("clahe")).stopped);
}

TEST_F(WindowBenchmarkTest, WithoutAnImageThereIsNone) {
    image_.reset();
    benchmark_.show(subject());
    benchmark_.start(subject());
    EXPECT_FALSE(benchmark_.running());
    EXPECT_FALSE(model(subject()).shown);
}

TEST_F(WindowBenchmarkTest, SaysWhyResultsAreStale) {
    benchmark_.start(subject());
    benchmark_.stop();
    const auto stale = [&](const BenchmarkJob& of) { return model(of).stale; };
    EXPECT_NE(stale(subject("clahe")).find("another operator is chosen"), std::string::npos);
    BenchmarkJob other = subject();
    other.runs[0].params.set(find_operator("he")->params[0], 1);
    EXPECT_NE(stale(other).find("Parameters or the memory mode have changed"), std::string::npos);
    image_ = std::make_shared<const HostImage>(ImageSpec{40, 30, PixelFormat::rgba8, false});
    EXPECT_NE(stale(subject()).find("hills.png as it was before it was read again"), std::string::npos);
    path_ = "/photos/moon.png";
    EXPECT_NE(stale(subject()).find("hills.png: another image is open"), std::string::npos);
    path_.clear();  // none is open
    image_.reset();
    EXPECT_EQ(stale(subject()), "");
}

TEST_F(WindowBenchmarkTest, ResultsAreExportedWhenTheyAreComplete) {
    const TemporaryFolder folder;
    Saves saves(workers_.tasks, workers_.notices, {.write = {}, .written = [](const auto&) {}});
    benchmark_.start(subject());
    benchmark_.export_results(folder.file("a.docx"), saves, workers_.notices);
    benchmark_.export_results(folder.file("a.csv"), saves, workers_.notices);
    ASSERT_EQ(workers_.texts().size(), 2U);
    EXPECT_NE(workers_.texts()[0].find("must end in .csv, .json, .md, .svg or .png"), std::string::npos);
    EXPECT_NE(workers_.texts()[1].find("not finished yet"), std::string::npos);
    ASSERT_TRUE(finish());
    benchmark_.export_results(folder.file("a.csv"), saves, workers_.notices);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(workers_.texts().back(), "Saved " + folder.file("a.csv"));
    EXPECT_NE(TemporaryFolder::read(folder.file("a.csv")).find("identical"), std::string::npos);
}

TEST_F(WindowBenchmarkTest, EachPageHasItsWorkAndOnlyOtherRowsAreMeasuredAnew) {
    std::vector<std::string_view> shown, works;
    for (const ui::BenchmarkPageInfo& page : ui::benchmark_pages()) shown.push_back(page.id);
    for (const BenchmarkPageWork& page : benchmark_page_works()) works.push_back(page.id);
    EXPECT_EQ(shown, works);
    EXPECT_FALSE(benchmark_.show_page("variants"));
    EXPECT_TRUE(benchmark_.show_page("memory-modes"));
    EXPECT_TRUE(benchmark_.by_memory_mode());
    EXPECT_FALSE(benchmark_.show_page("memory-modes"));
    EXPECT_EQ(model(subject()).page, "memory-modes");
    EXPECT_TRUE(benchmark_.show_page("variants"));
}

}  // namespace
}  // namespace tonescope
