// What --compare makes of its measurements.
#include "app/benchmark/variant_benchmark.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gpu/core/canvas/canvas.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

VariantInfo variant(std::string_view id, std::string_view name, BackendKind backend, std::string_view builds_on = {}) {
    VariantInfo made;
    made.builds_on = builds_on;
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
const VariantInfo kParallel = variant("parallel", "All cores", BackendKind::cpu, "cpu");
const VariantInfo kFirst = variant("naive", "Naive", BackendKind::cuda);
const VariantInfo kLost = variant("lost", "Lost", BackendKind::cuda, "naive");
const VariantInfo kWrong = variant("wrong", "Fast, \"wrong\"", BackendKind::cuda, "naive");
const OperatorInfo kOperator = example_operator();

BenchmarkRow row(const VariantInfo& info, double total_ms, double compute_ms) {
    BenchmarkRow made;
    made.variant = &info;
    made.runs = 5;
    made.total.time = {total_ms, total_ms * 0.9, total_ms * 1.2};
    made.compute.time = {compute_ms, compute_ms, compute_ms};
    made.kernels.time = {compute_ms * 0.75, compute_ms * 0.5, compute_ms};
    made.host_ms = compute_ms * 0.25;
    made.copies_ms = total_ms - compute_ms;
    const double copy_ms = total_ms - compute_ms;
    made.stages = {{"upload", {copy_ms, copy_ms / 2, copy_ms * 2}}, {"apply", {compute_ms, compute_ms, compute_ms}}};
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
    add_figures(benchmark);
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

std::optional<double> value_of(const std::optional<Ratio>& ratio) {
    return ratio ? std::optional(ratio->value) : std::nullopt;
}

TEST(Compare, speed_ups) {
    const VariantBenchmark benchmark = example();
    const auto& rows = benchmark.rows;
    EXPECT_EQ(value_of(rows[0].total.speed_up.reference), 1);
    EXPECT_EQ(rows[0].total.speed_up.basis, std::nullopt) << "it builds on nothing";
    EXPECT_EQ(rows[1].total.speed_up.basis, (Ratio{2, std::nullopt})) << "without samples there is no interval";
    EXPECT_EQ(rows[1].basis, "Reference");
    EXPECT_EQ(value_of(rows[1].total.speed_up.first_gpu), 0.25);
    EXPECT_EQ(value_of(rows[2].total.speed_up.reference), 8);
    EXPECT_EQ(value_of(rows[2].compute.speed_up.reference), 40);
    EXPECT_EQ(rows[3].total.speed_up.reference, std::nullopt) << "it did not run";
    EXPECT_EQ(value_of(rows[4].total.speed_up.basis), 2);
    EXPECT_EQ(value_of(rows[4].kernels.speed_up.basis), 4);
    EXPECT_EQ(value_of(rows[4].compute.speed_up.first_gpu), 4);
    EXPECT_EQ(rows[4].basis, "Naive");
    EXPECT_EQ(benchmark.mpixel_s(10), 50);
}

/// Claims about the variants of the example, in tables that live as long as the program.
constexpr ReportClaim kClaims[] = {
    {.variant = "wrong", .against = "naive", .times = 1.5, .says = "it is faster"},
    {.variant = "wrong", .against = "naive", .faster = false, .says = "it is slower"},
    {.variant = "wrong", .against = "naive", .time = ReportClaim::Time::total, .says = "the whole run is faster"},
    {.variant = "wrong",
     .against = "naive",
     .time = ReportClaim::Time::compute,
     .without = "words",
     .says = "it is faster but for the words"},
    {.variant = "wrong", .against = "naive", .max_pixels = 499'999, .says = "it is faster on smaller images"},
    {.variant = "wrong", .against = "naive", .times = 5, .says = "it is much faster"},
    {.variant = "lost", .against = "naive", .says = "what did not run is faster"},
    {.variant = "wrong", .against = "nobody", .says = "it is faster than nobody"},
};
const ReportRegistration kReport({.id = "X", .title = "A report", .op = "x", .claims = kClaims});

/// Rounds of a variant whose kernels take so long, and whose stage "words" takes 3 ms.
Samples rounds_of(double kernels_ms, double total_ms, int rounds = 8) {
    Samples samples;
    for (int round = 0; round < rounds; ++round) {
        const double noise = 1 + 0.01 * (round % 3);
        samples.add(
            size_t(round), {{"words", 3}, {"apply", kernels_ms}},
            {.total = total_ms + 0.5 * (round % 2), .compute = kernels_ms * noise + 3, .kernels = kernels_ms * noise});
    }
    return samples;
}

TEST(Compare, claims_of_reports_stand_beside_what_was_measured) {
    VariantBenchmark benchmark = example();
    benchmark.samples.resize(benchmark.rows.size());
    benchmark.samples[2] = rounds_of(4, 10);
    benchmark.samples[4] = rounds_of(2, 10);
    add_figures(benchmark);
    using Verdict = ClaimFinding::Verdict;
    const std::vector<ClaimFinding>& found = benchmark.rows[4].claims;
    ASSERT_EQ(found.size(), 5);
    EXPECT_EQ(found[0].verdict(), Verdict::holds);
    EXPECT_NEAR(found[0].here.value, 2, 0.05);
    EXPECT_EQ(found[1].verdict(), Verdict::does_not_hold);
    EXPECT_EQ(found[2].verdict(), Verdict::no_difference);
    EXPECT_NEAR(found[3].here.value, 2, 0.05) << "with the words it would be 7 / 5";
    EXPECT_EQ(found[4].verdict(), Verdict::in_direction_only) << "2 is below the square root of 5";
    EXPECT_TRUE(benchmark.rows[2].claims.empty());
    EXPECT_TRUE(benchmark.rows[3].claims.empty());
    EXPECT_EQ(found[0].text([](double value) { return std::to_string(int(std::lround(value * 10))); }),
              "Report X: it is faster (15\u00d7). Here 20\u00d7 (20 to 20): holds");
    const std::string markdown = benchmark_markdown(benchmark);
    EXPECT_NE(markdown.find("| X | wrong | naive | it is slower |  | "), std::string::npos) << markdown;
    EXPECT_NE(markdown.find("| does not hold |"), std::string::npos) << markdown;
    EXPECT_EQ(benchmark_json(benchmark)["variants"][4]["claims"][2]["verdict"], "no difference measured");

    benchmark.samples[4] = rounds_of(2, 10, 3);
    add_figures(benchmark);
    EXPECT_EQ(benchmark.rows[4].claims.at(0).verdict(), Verdict::too_few_runs);
}

TEST(Compare, stages_are_compared_with_the_same_ones) {
    const VariantBenchmark benchmark = example();
    EXPECT_EQ(benchmark.rows[2].stages[1].basis, std::nullopt);
    ASSERT_EQ(benchmark.rows[4].stages[1].stage, "apply");
    EXPECT_EQ(value_of(benchmark.rows[4].stages[1].basis), 4);
    EXPECT_EQ(benchmark.rows[4].changed_stage(), nullptr) << "nobody knows how sure that is";
}

/// Two rows with samples: naive, and one that builds on it and takes half as long in one stage of two.
VariantBenchmark sampled(double second_ms) {
    VariantBenchmark benchmark = example();
    benchmark.rows = {row(kReference, 80, 80), row(kFirst, 0, 0), row(kWrong, 0, 0)};
    benchmark.samples.resize(3);
    for (size_t round = 0; round < 20; ++round) {
        const double noise = 0.1 * double(round * 7 % 20);
        const auto add = [&](Samples& samples, double histogram_ms) {
            const double ms = histogram_ms + noise;
            samples.add(
                round, {{"upload", 3}, {"histogram", ms}, {"apply", 2}},
                {.total = ms + 5, .compute = ms + 2, .traced = ms + 6, .kernels = ms + 1, .host = 2, .mhz = 1000});
        };
        add(benchmark.samples[1], 8);
        add(benchmark.samples[2], second_ms);
    }
    add_figures(benchmark);
    return benchmark;
}

TEST(Compare, samples_give_medians_intervals_and_steps) {
    const VariantBenchmark benchmark = sampled(4);
    const BenchmarkRow& step = benchmark.rows[2];
    EXPECT_EQ(step.runs, 20);
    EXPECT_NEAR(step.total.time.median_ms, 3 + 4 + 0.95 + 2, 1e-9);
    EXPECT_NEAR(step.compute.time.median_ms, 4 + 0.95 + 2, 1e-9);
    EXPECT_NEAR(step.kernels.time.median_ms, 5.95, 1e-9);
    EXPECT_NEAR(step.host_ms, 1, 1e-9);
    EXPECT_NEAR(step.copies_ms, 3, 1e-9);
    EXPECT_NEAR(step.traced_ms, 3 + 4 + 0.95 + 3, 1e-9);
    EXPECT_NEAR(step.kernels.time.median_ms + step.host_ms + step.copies_ms, step.total.time.median_ms, 1e-9);
    ASSERT_TRUE(step.total.interval);
    EXPECT_LT(step.total.interval->low, step.total.time.median_ms);
    EXPECT_GT(step.total.interval->high, step.total.time.median_ms);
    ASSERT_TRUE(step.total.speed_up.basis && step.total.speed_up.basis->interval);
    EXPECT_FALSE(step.total.speed_up.basis->is_no_difference());
    ASSERT_NE(step.changed_stage(), nullptr);
    EXPECT_EQ(step.changed_stage()->stage, "histogram");
    EXPECT_GT(step.changed_stage()->basis->value, step.total.speed_up.basis->value) << "the whole dilutes the step";
    const std::string text = benchmark_markdown(benchmark);
    EXPECT_NE(text.find("| histogram 1.81 ("), std::string::npos) << text;
    EXPECT_EQ(text.find(", no difference measured |"), std::string::npos) << text;
}

/// Of a variant whose kernels run while pixels travel, the stages that compute hold less than its kernels.
TEST(Compare, kernels_behind_copies_are_split_by_the_trace) {
    VariantBenchmark benchmark = example();
    benchmark.rows = {row(kReference, 80, 80), row(kFirst, 0, 0)};
    benchmark.samples.resize(2);
    for (size_t round = 0; round < 5; ++round)
        benchmark.samples[1].add(round, {{"upload", 8}, {"apply", 1}},
                                 {.total = 9, .compute = 1, .traced = 9, .kernels = 4, .host = 2, .mhz = 0});
    add_figures(benchmark);
    EXPECT_DOUBLE_EQ(benchmark.rows[1].host_ms, 2);
    EXPECT_DOUBLE_EQ(benchmark.rows[1].copies_ms, 3);
}

TEST(Compare, no_difference_is_said_everywhere) {
    const VariantBenchmark benchmark = sampled(8);
    const BenchmarkRow& step = benchmark.rows[2];
    ASSERT_TRUE(step.total.speed_up.basis);
    EXPECT_TRUE(step.total.speed_up.basis->is_no_difference());
    EXPECT_EQ(step.changed_stage(), nullptr);
    EXPECT_NE(benchmark_markdown(benchmark).find("| 1.00 (1.00 to 1.00), no difference measured |"), std::string::npos);
    const Json json = benchmark_json(benchmark)["variants"][2];
    EXPECT_EQ(json["basis"], "Naive");
    EXPECT_EQ(json["total"]["against_basis"]["no_difference"], true);
    EXPECT_EQ(json["stages"][1]["against_basis"]["interval"], Json({1.0, 1.0}));
}

TEST(Compare, a_split_stands_in_every_table) {
    const VariantBenchmark benchmark = example();
    const Json json = benchmark_json(benchmark)["variants"][2];
    EXPECT_EQ(json["kernels"]["median_ms"], 1.5);
    EXPECT_EQ(json["host_ms"], 0.5);
    EXPECT_EQ(json["copies_ms"], 8);
    EXPECT_NE(benchmark_markdown(benchmark).find("| identical | 1.50 | 0.500 | 8.00 | 10.0 | 50.0 |"),
              std::string::npos)
        << benchmark_markdown(benchmark);
    const std::string csv = benchmark_csv(benchmark);
    EXPECT_NE(csv.find(",host_ms,copies_ms,"), std::string::npos);
    EXPECT_NE(csv.find(",0.500,8.00,,"), std::string::npos) << csv;
}

TEST(Compare, kernels) {
    VariantBenchmark benchmark = example();
    EXPECT_EQ(benchmark_markdown(benchmark).find("## Kernels"), std::string::npos);
    benchmark.rows[2].kernel_resources = {{"apply", "he_apply_kernel", 3, 24, 768, 256, 4800, 8, 100}};
    benchmark.rows[3].kernel_resources = benchmark.rows[2].kernel_resources;  // of a variant that failed later
    const Json json = benchmark_json(benchmark);
    EXPECT_EQ(json["variants"][0]["kernel_resources"], Json::array());
    EXPECT_EQ(
        json["variants"][2]["kernel_resources"][0].dump(),
        R"({"stage":"apply","kernel":"he_apply_kernel","launches":3,"registers":24,"shared_bytes":768,)"
        R"("spilled_bytes":0,"block_threads":256,"grid_blocks":4800,"blocks_per_multiprocessor":8,"occupancy_percent":100.0,"occupancy":null})");
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
    benchmark.rows[0].stages = {{"histogram", {60, 60, 60}}, {"table", {20, 20, 20}}};
    add_figures(benchmark);
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
    add_figures(benchmark);
    EXPECT_EQ(benchmark.sequential, std::nullopt);
    EXPECT_EQ(amdahl_text(benchmark), "");
    EXPECT_EQ(benchmark_json(benchmark)["amdahl"]["limit"], Json());
}

TEST(Amdahl, what_is_past_the_bound_is_named) {
    VariantBenchmark benchmark = example();
    EXPECT_EQ(amdahl_text(benchmark).find("Past it"), std::string::npos) << "2.00 of 2.00, and a wrong one";
    benchmark.rows[1].compute.time = {10, 10, 10};
    add_figures(benchmark);
    using Bound = BenchmarkRow::Bound;
    EXPECT_EQ(benchmark.rows[1].bound_by(benchmark.rows[1].compute), Bound::too_few_runs) << "8.00 of 2.00";
    EXPECT_EQ(amdahl_text(benchmark).find("Past it"), std::string::npos);
    EXPECT_NE(benchmark_markdown(benchmark).find("2.00, too few runs"), std::string::npos);
    EXPECT_EQ(benchmark_json(benchmark)["variants"][1]["passes_amdahl_bound"], Json());

    BenchmarkTime& compute = benchmark.rows[1].compute;
    compute.speed_up.reference->interval = Interval{1.99, 9};
    EXPECT_EQ(benchmark.rows[1].bound_by(compute), Bound::kept) << "the interval holds the bound";
    compute.speed_up.reference->interval = Interval{7, 9};
    EXPECT_EQ(benchmark.rows[1].bound_by(compute), Bound::passed);
    const std::string text = amdahl_text(benchmark);
    EXPECT_NE(
        text.find(
            "Past it, by what the law leaves out (vector instructions, caches, less work): All cores (8.00\u00d7)"),
        std::string::npos)
        << text;
    EXPECT_NE(benchmark_markdown(benchmark).find("2.00, passed"), std::string::npos);
    EXPECT_EQ(benchmark_json(benchmark)["variants"][1]["passes_amdahl_bound"], true);
}

TEST(Compare, csv_quotes_its_cells) {
    const std::string csv = benchmark_csv(example());
    EXPECT_NE(csv.find("\nlost,Lost,,cuda,,,\"not run: out of memory, twice\",,"), std::string::npos) << csv;
    EXPECT_NE(csv.find("\nwrong,\"Fast, \"\"wrong\"\"\",,cuda,,Naive,different by design,3,5,5.00,"), std::string::npos)
        << csv;
    EXPECT_NE(csv.find("upload=8.00; apply=2.00,upload=4.00; apply=2.00,upload=16.0; apply=2.00,upload=; apply=\n"),
              std::string::npos)
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
