// What --compare makes of its measurements.
#include "app/benchmark/variant_benchmark.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gpu/core/canvas/canvas.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

VariantInfo variant(std::string_view id, std::string_view name, BackendKind backend) {
    VariantInfo made;
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

const VariantInfo kReference = variant("cpu", "Reference", BackendKind::cpu);
const VariantInfo kParallel = variant("parallel", "All cores", BackendKind::cpu);
const VariantInfo kFirst = variant("naive", "Naive", BackendKind::cuda);
const VariantInfo kLost = variant("lost", "Lost", BackendKind::cuda);
const VariantInfo kWrong = variant("wrong", "Fast, \"wrong\"", BackendKind::cuda);
const OperatorInfo kOperator = example_operator();

BenchmarkRow row(const VariantInfo& info, double total_ms, double compute_ms) {
    BenchmarkRow made;
    made.variant = &info;
    made.runs = 5;
    made.total.time = {total_ms, total_ms * 0.9, total_ms * 1.2};
    made.compute.time = {compute_ms, compute_ms, compute_ms};
    const double copy_ms = total_ms - compute_ms;
    made.stages = {{"upload", {copy_ms, copy_ms / 2, copy_ms * 2}, 10},
                   {"apply", {compute_ms, compute_ms, compute_ms}, 20}};
    return made;
}

VariantBenchmark example() {
    VariantBenchmark benchmark;
    benchmark.op = &kOperator;
    benchmark.input = "folder/image.png";
    benchmark.size = {1000, 500, PixelFormat::gray8, false};
    benchmark.cpu_name = "CPU, 2 threads";
    benchmark.cuda_name = "GPU";
    benchmark.rows = {row(kReference, 80, 80), row(kParallel, 40, 40), row(kFirst, 10, 2), row(kLost, 1, 1),
                      row(kWrong, 5, 0.5)};
    benchmark.rows[3].fail("out of memory, twice");
    benchmark.rows[4].differences = 3;
    benchmark.cpu_lanes = 2;
    benchmark.cuda_lanes = 1000;
    add_speed_ups(benchmark);
    return benchmark;
}

TEST(Compare, spread) {
    const TimeSummary spread = summarize({5, 1, 2, 4, 3, 6, 7, 8, 9, 10, 11});
    EXPECT_EQ(spread.median_ms, 6);
    EXPECT_EQ(spread.p10_ms, 2);
    EXPECT_EQ(spread.p90_ms, 10);
    EXPECT_EQ(summarize({4, 2}).median_ms, 3);
    EXPECT_EQ(summarize({4}).p90_ms, 4);
}

TEST(Compare, speed_ups) {
    const VariantBenchmark benchmark = example();
    const auto& rows = benchmark.rows;
    EXPECT_EQ(rows[0].total.speed_up.reference, 1);
    EXPECT_EQ(rows[0].total.speed_up.previous, std::nullopt);
    EXPECT_EQ(rows[1].total.speed_up.previous, 2);
    EXPECT_EQ(rows[1].total.speed_up.first_gpu, 0.25);
    EXPECT_EQ(rows[2].total.speed_up.reference, 8);
    EXPECT_EQ(rows[2].total.speed_up.previous, std::nullopt) << "the first GPU variant follows no GPU variant";
    EXPECT_EQ(rows[2].compute.speed_up.reference, 40);
    EXPECT_EQ(rows[3].total.speed_up.reference, std::nullopt) << "it did not run";
    EXPECT_EQ(rows[4].total.speed_up.previous, 2) << "against the last variant that ran";
    EXPECT_EQ(rows[4].compute.speed_up.first_gpu, 4);
    EXPECT_EQ(benchmark.mpixel_s(10), 50);
}

TEST(Compare, the_best_before_is_the_fastest_right_one) {
    VariantBenchmark benchmark = example();
    const auto best = [&](size_t k) { return benchmark.rows[k].total.speed_up.best_previous; };
    EXPECT_EQ(best(0), std::nullopt);
    EXPECT_EQ(best(1), 2);
    EXPECT_EQ(best(2), std::nullopt) << "nothing before it on its backend";
    benchmark.rows[3].state = BenchmarkRow::State::done;
    benchmark.rows[3].total.time = {20, 20, 20};
    add_speed_ups(benchmark);
    EXPECT_EQ(best(3), 0.5);
    EXPECT_EQ(best(4), 2) << "against 10 ms, not against the 20 ms right before it";
    benchmark.rows[2].differences = 1;
    add_speed_ups(benchmark);
    EXPECT_EQ(best(3), std::nullopt) << "wrong results are no measure";
    EXPECT_EQ(benchmark.rows[3].total.speed_up.previous, 0.5);
}

TEST(Compare, kernels) {
    VariantBenchmark benchmark = example();
    EXPECT_EQ(benchmark_markdown(benchmark).find("## Kernels"), std::string::npos);
    benchmark.rows[2].kernels = {{"apply", "he_apply_kernel", 3, 24, 768, 256, 4800, 8, 100}};
    benchmark.rows[3].kernels = benchmark.rows[2].kernels;  // of a variant that failed later
    const Json json = benchmark_json(benchmark);
    EXPECT_EQ(json["variants"][0]["kernels"], Json::array());
    EXPECT_EQ(json["variants"][2]["kernels"][0].dump(),
              R"({"stage":"apply","kernel":"he_apply_kernel","launches":3,"registers":24,"shared_bytes":768,)"
              R"("block_threads":256,"grid_blocks":4800,"blocks_per_multiprocessor":8,"occupancy_percent":100.0})");
    const std::string text = benchmark_markdown(benchmark);
    const std::string line = "| apply | he_apply_kernel | 3 | 4800 | 256 | 24 | 768 | 8 | 100 |\n";
    const size_t at = text.find(line);
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_EQ(text.find(line, at + 1), std::string::npos) << text;
}

TEST(Amdahl, bounds) {
    EXPECT_EQ(amdahl_bound(0, 8), 8);
    EXPECT_EQ(amdahl_bound(1, 8), 1);
    EXPECT_DOUBLE_EQ(amdahl_bound(0.1, 9), 1 / (0.1 + 0.9 / 9));
    EXPECT_EQ(amdahl_bound(0.25), 4);
    EXPECT_TRUE(std::isinf(amdahl_bound(0)));
}

TEST(Amdahl, share_from_the_stages_of_the_reference) {
    VariantBenchmark benchmark = example();
    EXPECT_EQ(benchmark.sequential, 0) << "the operator names no sequential stage";
    EXPECT_EQ(benchmark.rows[2].amdahl, 1000);
    EXPECT_EQ(benchmark.rows[3].amdahl, std::nullopt) << "it did not run";
    EXPECT_NE(amdahl_text(benchmark).find("no stage"), std::string::npos);
    OperatorInfo op = example_operator();
    op.sequential_stage = "table";
    benchmark.op = &op;
    benchmark.rows[0].stages = {{"histogram", {60, 60, 60}, 0}, {"table", {20, 20, 20}, 0}};
    add_speed_ups(benchmark);
    EXPECT_EQ(benchmark.sequential, 0.25);
    EXPECT_DOUBLE_EQ(benchmark.rows[1].amdahl.value(), 1 / (0.25 + 0.75 / 2));
    EXPECT_DOUBLE_EQ(benchmark.rows[2].amdahl.value(), 1 / (0.25 + 0.75 / 1000));
    const std::string text = amdahl_text(benchmark);
    EXPECT_NE(text.find("25.0 %"), std::string::npos) << text;
    EXPECT_NE(text.find("4.00\u00d7 on any machine"), std::string::npos) << text;
    const Json json = benchmark_json(benchmark);
    EXPECT_EQ(json["amdahl"]["limit"], 4);
    EXPECT_EQ(json["variants"][0]["passes_amdahl_bound"], false);
    EXPECT_EQ(json["variants"][1]["amdahl_bound"], 1.6);
    EXPECT_NE(benchmark_csv(benchmark).find(",1.60,4.00,0.250,"), std::string::npos) << benchmark_csv(benchmark);
    benchmark.rows[0].fail("gone");
    add_speed_ups(benchmark);
    EXPECT_EQ(benchmark.sequential, std::nullopt);
    EXPECT_EQ(amdahl_text(benchmark), "");
    EXPECT_EQ(benchmark_json(benchmark)["amdahl"]["limit"], Json());
}

TEST(Amdahl, what_is_past_the_bound_is_named) {
    VariantBenchmark benchmark = example();
    EXPECT_EQ(amdahl_text(benchmark).find("Past it"), std::string::npos) << "2.00 of 2.00, and a wrong one";
    benchmark.rows[1].compute.time = {10, 10, 10};
    add_speed_ups(benchmark);
    ASSERT_TRUE(benchmark.rows[1].amdahl && benchmark.rows[1].compute.speed_up.reference);
    ASSERT_GT(*benchmark.rows[1].compute.speed_up.reference, *benchmark.rows[1].amdahl);
    const std::string text = amdahl_text(benchmark);
    EXPECT_NE(
        text.find(
            "Past it, by what the law leaves out (vector instructions, caches, less work): All cores (8.00\u00d7)"),
        std::string::npos)
        << text;
    EXPECT_NE(benchmark_markdown(benchmark).find("2.00 (passed)"), std::string::npos);
    EXPECT_EQ(benchmark_json(benchmark)["variants"][1]["passes_amdahl_bound"], true);
}

TEST(Compare, csv_quotes_its_cells) {
    const std::string csv = benchmark_csv(example());
    EXPECT_NE(csv.find("\nlost,Lost,,cuda,,\"not run: out of memory, twice\",,"), std::string::npos) << csv;
    EXPECT_NE(csv.find("\nwrong,\"Fast, \"\"wrong\"\"\",,cuda,,different by design,3,5,5.00,"), std::string::npos)
        << csv;
    EXPECT_NE(csv.find("upload=8.00; apply=2.00,upload=4.00; apply=2.00,upload=16.0; apply=2.00\n"), std::string::npos)
        << csv;
}

TEST(Compare, result_text) {
    const VariantBenchmark benchmark = example();
    EXPECT_EQ(benchmark.rows[0].result_text(false), "identical");
    EXPECT_EQ(benchmark.rows[4].result_text(false), "3 pixels differ by design");
    EXPECT_EQ(benchmark.rows[4].result_text(true), "3 bins differ by design");
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
    if (!Canvas::has_font()) {
        EXPECT_THROW(benchmark_chart(example()), UserError);
        return;
    }
    VariantBenchmark benchmark = example();
    const HostImage all = benchmark_chart(benchmark);
    const int64_t gpu = count_color(all, 58, 130, 196);
    EXPECT_GT(gpu, 1000);
    EXPECT_GT(count_color(all, 230, 159, 0), 1000);
    benchmark.rows[4].fail("gone");
    EXPECT_LT(count_color(benchmark_chart(benchmark), 58, 130, 196), gpu);
}

TEST(Compare, chart_of_nothing) {
    if (!Canvas::has_font()) GTEST_SKIP() << "no font";
    VariantBenchmark benchmark = example();
    for (BenchmarkRow& lost : benchmark.rows) lost.fail("gone");
    EXPECT_FALSE(benchmark_chart(benchmark).empty());
}

TEST(Report, numbers) {
    EXPECT_EQ(number_text(0), "0");
    EXPECT_EQ(number_text(0.01234), "0.0123");
    EXPECT_EQ(number_text(12.34), "12.3");
    EXPECT_EQ(number_text(12345.6), "12346");
}

}  // namespace
}  // namespace tonescope
