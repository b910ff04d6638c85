// What --compare makes of its measurements.
#include "app/compare.h"

#include <gtest/gtest.h>

#include "gpu/core/error.h"
#include "ui/font_data.h"

namespace tonescope {
namespace {

RungInfo rung(std::string_view id, std::string_view name, BackendKind backend) {
    RungInfo made;
    made.op = "x";
    made.id = id;
    made.name = name;
    made.backend = backend;
    made.reference = id == "cpu";
    made.wrong_by_design = id == "wrong";
    return made;
}

OperatorInfo example_operator() {
    OperatorInfo made;
    made.id = "x";
    made.name = "Operator";
    return made;
}

const RungInfo kReference = rung("cpu", "Plain loops", BackendKind::cpu);
const RungInfo kParallel = rung("parallel", "All cores", BackendKind::cpu);
const RungInfo kFirst = rung("naive", "Naive", BackendKind::cuda);
const RungInfo kLost = rung("lost", "Lost", BackendKind::cuda);
const RungInfo kWrong = rung("wrong", "Fast, \"wrong\"", BackendKind::cuda);
const OperatorInfo kOperator = example_operator();

ComparisonRow row(const RungInfo& info, double total_ms, double compute_ms) {
    ComparisonRow made;
    made.rung = &info;
    made.runs = 5;
    made.total = {total_ms, total_ms * 0.9, total_ms * 1.2};
    made.compute = {compute_ms, compute_ms, compute_ms};
    made.stages = {{"upload", total_ms - compute_ms, 10}, {"apply", compute_ms, 20}};
    return made;
}

Comparison example() {
    Comparison comparison;
    comparison.op = &kOperator;
    comparison.input = "folder/image.png";
    comparison.size = {1000, 500, PixelFormat::gray8, false};
    comparison.cpu_name = "CPU, 2 threads";
    comparison.cuda_name = "GPU";
    comparison.rows = {row(kReference, 80, 80), row(kParallel, 40, 40), row(kFirst, 10, 2), row(kLost, 1, 1),
                       row(kWrong, 5, 0.5)};
    comparison.rows[3].not_run = "out of memory, twice";
    comparison.rows[4].differences = 3;
    add_speed_ups(comparison);
    return comparison;
}

TEST(Compare, spread) {
    const Spread spread = spread_of({5, 1, 2, 4, 3, 6, 7, 8, 9, 10, 11});
    EXPECT_EQ(spread.median_ms, 6);
    EXPECT_EQ(spread.p10_ms, 2);
    EXPECT_EQ(spread.p90_ms, 10);
    EXPECT_EQ(spread_of({4, 2}).median_ms, 3);
    EXPECT_EQ(spread_of({4}).p90_ms, 4);
}

TEST(Compare, speed_ups) {
    const Comparison comparison = example();
    const auto& rows = comparison.rows;
    EXPECT_EQ(rows[0].total_speed_up.reference, 1);
    EXPECT_EQ(rows[0].total_speed_up.previous, std::nullopt);
    EXPECT_EQ(rows[1].total_speed_up.previous, 2);
    EXPECT_EQ(rows[1].total_speed_up.first_gpu, 0.25);
    EXPECT_EQ(rows[2].total_speed_up.reference, 8);
    EXPECT_EQ(rows[2].total_speed_up.previous, std::nullopt) << "the first GPU rung follows no GPU rung";
    EXPECT_EQ(rows[2].compute_speed_up.reference, 40);
    EXPECT_EQ(rows[3].total_speed_up.reference, std::nullopt) << "it did not run";
    EXPECT_EQ(rows[4].total_speed_up.previous, 2) << "against the last rung that ran";
    EXPECT_EQ(rows[4].compute_speed_up.first_gpu, 4);
    EXPECT_EQ(comparison.mpixel_s(10), 50);
}

TEST(Compare, csv_quotes_its_cells) {
    const std::string csv = comparison_csv(example());
    EXPECT_NE(csv.find("\nlost,Lost,,cuda,,\"not run: out of memory, twice\",,"), std::string::npos) << csv;
    EXPECT_NE(csv.find("\nwrong,\"Fast, \"\"wrong\"\"\",,cuda,,different,3,5,5.00,"), std::string::npos) << csv;
    EXPECT_NE(csv.find("upload=8.00; apply=2.00\n"), std::string::npos) << csv;
}

TEST(Compare, result_text) {
    const Comparison comparison = example();
    EXPECT_EQ(comparison.rows[0].result_text(false), "identical");
    EXPECT_EQ(comparison.rows[4].result_text(false), "3 pixels differ by design");
    EXPECT_EQ(comparison.rows[4].result_text(true), "3 bins differ by design");
}

/// Pixels of a color on the chart.
int64_t count_color(const HostImage& image, int r, int g, int b) {
    int64_t count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const uint8_t* pixel = image.view().pixel(x, y);
            count += pixel[0] == r && pixel[1] == g && pixel[2] == b ? 1 : 0;
        }
    return count;
}

TEST(Compare, chart_draws_a_bar_for_each_row_that_ran) {
    if (ui::regular_font_data().empty()) {
        EXPECT_THROW(comparison_chart(example()), UserError);
        return;
    }
    Comparison comparison = example();
    const HostImage all = comparison_chart(comparison);
    const int64_t gpu = count_color(all, 58, 130, 196);
    EXPECT_GT(count_color(all, 150, 163, 178), gpu) << "the CPU's bars are the longer ones";
    comparison.rows[4].not_run = "gone";
    EXPECT_LT(count_color(comparison_chart(comparison), 58, 130, 196), gpu);
}

TEST(Compare, chart_of_nothing) {
    if (ui::regular_font_data().empty()) GTEST_SKIP() << "no font";
    Comparison comparison = example();
    for (ComparisonRow& lost : comparison.rows) lost.not_run = "gone";
    EXPECT_FALSE(comparison_chart(comparison).empty());
}

TEST(Report, numbers) {
    EXPECT_EQ(number_text(0), "0");
    EXPECT_EQ(number_text(0.01234), "0.0123");
    EXPECT_EQ(number_text(12.34), "12.3");
    EXPECT_EQ(number_text(12345.6), "12346");
}

}  // namespace
}  // namespace tonescope
