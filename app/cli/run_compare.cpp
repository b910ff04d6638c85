// --headless --compare: the variant benchmark on one image, or an experiment over many cases.
#include <algorithm>
#include <iostream>
#include <span>

#include "app/benchmark/experiments/claims.h"
#include "app/benchmark/experiments/experiment.h"
#include "app/benchmark/experiments/experiment_export.h"
#include "app/benchmark/experiments/named_experiments.h"
#include "app/benchmark/timeline.h"
#include "app/benchmark/variant_benchmark.h"
#include "app/cli/modes.h"
#include "app/image_io/image_io.h"
#include "app/system/ending.h"
#include "app/system/text_file.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

void print_row(const VariantBenchmark& benchmark, const BenchmarkRow& row) {
    std::cout << row.id() << " (" << to_string(row.variant->backend) << "): ";
    if (row.ran()) {
        std::cout << (row.identical() ? "identical to the reference" : row.result_text(benchmark.op->makes_bins))
                  << ", ";
        if (row.variant->backend == BackendKind::cuda)
            std::cout << number_text(row.kernels.time.median_ms) << " ms kernels, " << number_text(row.host_ms)
                      << " host, " << number_text(row.copies_ms) << " copies, ";
        std::cout << number_text(row.total.time.median_ms) << " ms in all";
        if (const auto& interval = row.total.interval)
            std::cout << " (" << number_text(interval->low) << " to " << number_text(interval->high) << ")";
        std::cout << ", " << row.runs << (row.runs == 1 ? " run" : " runs");
        if (const std::string step = row.step_text(number_text); !step.empty())
            std::cout << "; against " << row.basis << ": " << step;
    } else {
        std::cout << "not run: " << row.reason;
    }
    std::cout << std::endl;
}

/// Null: all are to be compared.
const VariantInfo* chosen_variant(const Options& options) {
    if (!options.timeline || !options.variant.empty()) return find_variant(options.op, options.variant);
    return preferred_variant(options.op, choose_backend(options).backend->kind());
}

/// The runs that the options ask for: of one variant those that it is compared with too.
std::vector<RunSpec> runs_of(const Options& options, const VariantInfo* only) {
    const OperatorInfo& op = *find_operator(options.op);
    std::vector<RunSpec> all;
    for (const VariantInfo* variant : variants_of(options.op)) all.push_back(spec_for_variant(options, op, *variant));
    if (options.memory_modes) return runs_by_memory_mode(all, only);
    if (only != nullptr)
        std::erase_if(all, [&](const RunSpec& run) {
            return run.variant != only && run.variant != basis_of(*only) && !run.variant->reference;
        });
    return all;
}

VariantBenchmark compare(const Options& options, std::stop_token stop) {
    const VariantInfo* const chosen = chosen_variant(options);
    const auto loaded =
        std::make_shared<const LoadedImage>(load_image(options.inputs[0], stop, nullptr, {.keeps_depth = true}));
    const BenchmarkJob job{.input = options.inputs[0],
                           .notice = notice_of(loaded->details),
                           .image = {loaded, &loaded->image},
                           .runs = runs_of(options, chosen),
                           .chosen = {.variant = chosen},
                           .by_memory_mode = options.memory_modes,
                           .backend = options.backend,
                           .device = options.device};
    VariantBenchmark benchmark = unmeasured(job);
    print_line(benchmark.input + ": " + std::string(benchmark.op->id) + ", " +
               size_text(benchmark.size.width, benchmark.size.height) +
               (benchmark.notice.empty() ? "" : " (" + benchmark.notice + ")"));
    BenchmarkMeasurement measurement(job);
    measurement.describe(benchmark);
    measurement.measure(benchmark, stop);
    for (const BenchmarkRow& row : benchmark.rows) print_row(benchmark, row);
    for (const std::string& sentence : {clock_text(benchmark), amdahl_text(benchmark)})
        if (!sentence.empty()) std::cout << sentence << std::endl;
    return benchmark;
}

/// Throws UsageError.
ExperimentPlan plan_of_cases(const Options& options) {
    ExperimentPlan plan{.runs = runs_of(options, find_variant(options.op, options.variant)),
                        .by_memory_mode = options.memory_modes,
                        .format = options.color_contents ? PixelFormat::rgba8 : PixelFormat::gray8,
                        .backend = options.backend,
                        .device = options.device};
    for (const std::string& input : options.inputs) plan.sources.push_back({.name = input, .is_file = true});
    for (const std::string& content : options.contents) plan.sources.push_back({.name = content});
    for (const std::string& name : options.image_sizes)
        for (const NamedSize& size : sizes_of(name, "--image-size")) plan.sizes.push_back(size);
    for (const std::string& sweep : options.sweeps) plan.sweeps.push_back(parse_sweep(sweep));
    return plan;
}

/// Those that have names, or that of the cases that the options name. Throws UsageError.
std::vector<Experiment> experiments_of(const Options& options) {
    std::vector<Experiment> experiments;
    for (const NamedExperiment* named : find_experiments(options.experiments))
        experiments.push_back(unmeasured(plan_of(*named, options.backend, options.device)));
    if (experiments.empty()) experiments.push_back(unmeasured(plan_of_cases(options)));
    return experiments;
}

/// The variants that should give the reference's result and do not.
std::vector<std::string> wrong_variants(const VariantBenchmark& benchmark) {
    std::vector<std::string> ids;
    for (const BenchmarkRow& row : benchmark.rows)
        if (row.ran() && row.differences > 0 && !row.variant->wrong_by_design) ids.push_back(row.id());
    return ids;
}

/// The variants that can run here and could not be measured all the same: "tuned (not enough memory)".
std::vector<std::string> failed_variants(const VariantBenchmark& benchmark) {
    std::vector<std::string> texts;
    for (const BenchmarkRow& row : benchmark.rows)
        if (row.available && row.state == BenchmarkRow::State::not_run)
            texts.push_back(row.id() + " (" + row.reason + ")");
    return texts;
}

/// "3 of 42: noise, 400 × 250: 12 rows measured, the fastest is tuned with 0.012 ms in all"
std::string line_of(const Experiment& experiment, size_t index) {
    const ExperimentPoint& point = experiment.points[index];
    std::string line =
        std::to_string(index + 1) + " of " + std::to_string(experiment.points.size()) + ": " + point.title + ": ";
    const BenchmarkRow* fastest = nullptr;
    int measured = 0;
    for (const BenchmarkRow& row : point.benchmark.rows) {
        if (!row.ran()) continue;
        ++measured;
        if (fastest == nullptr || row.total.time.median_ms < fastest->total.time.median_ms) fastest = &row;
    }
    if (fastest == nullptr) return line + "nothing could be measured";
    line += std::to_string(measured) + (measured == 1 ? " row" : " rows") + " measured, the fastest is " +
            fastest->id() + " with " + number_text(fastest->total.time.median_ms) + " ms in all";
    if (const auto wrong = wrong_variants(point.benchmark); !wrong.empty())
        line += "; WRONG RESULTS: " + spell_out(wrong);
    return line;
}

/// False where something of it failed. Throws UserError.
bool run_experiment(Experiment& experiment, const Options& options, std::span<const std::string> outputs,
                    std::stop_token stop) {
    bool ok = true;
    const auto tell = [&](const Experiment& all, size_t index) {
        const ExperimentPoint& point = all.points[index];
        const std::vector<std::string> failed = failed_variants(point.benchmark);
        if (!point.error.empty()) print_error(point.error);
        if (!failed.empty()) print_error(point.title + ": not measured: " + spell_out(failed));
        ok &= point.error.empty() && failed.empty() && wrong_variants(point.benchmark).empty();
        print_line(line_of(all, index));
    };
    try {
        measure(experiment, limits_of_case(), std::move(stop), {.point = tell});
    } catch (const Canceled&) {  // what was measured until then is written
    }
    if (!std::ranges::any_of(experiment.points, &ExperimentPoint::is_measured)) return ok;
    for (const ClaimInCases& result : claims_in(experiment))
        print_line("report " + std::string(result.report().id) + ": " + result.subject() + ": " + result.said_text() +
                   "; here " + result.here_text() + ": " + result.verdict_text());
    for (const std::string& output : outputs) write_experiment(output, experiment, ui::AxisKind(options.axes));
    if (!options.report.empty()) write_text_file(options.report, to_text(experiment_json(experiment)), {});
    std::vector<std::string> names{outputs[0]};  // which differ in their endings alone
    for (const std::string& output : outputs.subspan(1)) names.push_back("." + extension_of(output));
    print_line("written to " + spell_out(names));
    return ok;
}

/// One that fails does not hold up the others.
int run_experiments(const Options& options, const std::vector<std::string>& outputs) {
    std::vector<Experiment> experiments = experiments_of(options);
    const size_t count = experiments.size(), files = outputs.size() / count;
    InterruptGuard interrupt;
    bool ok = true;
    for (size_t i = 0; i < count && !interrupt.token().stop_requested(); ++i) {
        Experiment experiment = std::move(experiments[i]);
        const size_t cases = experiment.points.size();
        print_line((count > 1 ? "experiment " + std::to_string(i + 1) + " of " + std::to_string(count) + ": " : "") +
                   experiment.title() + ": " + std::to_string(cases) + (cases == 1 ? " case" : " cases"));
        try {
            ok &= run_experiment(experiment, options, std::span(outputs).subspan(i * files, files), interrupt.token());
        } catch (const UserError& error) {
            print_error(error.what());
            ok = false;
        }
    }
    interrupt.finish();
    return ok ? 0 : 1;
}

}  // namespace

int run_compare(const Options& options) {
    const std::vector<std::string> outputs = plan_outputs(options);
    if (options.is_experiment()) return run_experiments(options, outputs);
    const std::string& output = outputs[0];
    InterruptGuard interrupt;
    try {
        const VariantBenchmark benchmark = compare(options, interrupt.token());
        const auto write = options.timeline ? write_timeline : options.roofline ? write_roofline : write_benchmark;
        write(output, benchmark, interrupt.token());
        if (!options.report.empty())
            write_text_file(options.report, to_text(benchmark_json(benchmark)), interrupt.token());
        print_line("written to " + output);
        if (const auto wrong = wrong_variants(benchmark); !wrong.empty())
            throw UserError(benchmark.input + ": a wrong result, which differs from the reference: " +
                            spell_out(wrong) + "; please report this");
        if (const auto failed = failed_variants(benchmark); !failed.empty())
            throw UserError(benchmark.input + ": not measured: " + spell_out(failed));
    } catch (const Canceled&) {
    }
    interrupt.finish();
    return 0;
}

}  // namespace tonescope
