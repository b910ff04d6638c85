// --headless --compare: the variant benchmark on one image.
#include <iostream>

#include "app/benchmark/measurement.h"
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

/// The runs that the options ask for: of one variant those that it is compared with too.
std::vector<RunSpec> runs_of(const Options& options) {
    const OperatorInfo& op = *find_operator(options.op);
    std::vector<RunSpec> all;
    for (const VariantInfo* variant : variants_of(options.op)) all.push_back(spec_for_variant(options, op, *variant));
    const VariantInfo* const only = find_variant(options.op, options.variant);
    if (options.memory_modes) return runs_by_memory_mode(all, only);
    if (only != nullptr)
        std::erase_if(all, [&](const RunSpec& run) {
            return run.variant != only && run.variant != basis_of(*only) && !run.variant->reference;
        });
    return all;
}

VariantBenchmark compare(const Options& options, std::stop_token stop) {
    const auto loaded = std::make_shared<const LoadedImage>(load_image(options.inputs[0], stop));
    const BenchmarkJob job{.input = options.inputs[0],
                           .notice = notice_of(loaded->details),
                           .image = {loaded, &loaded->image},
                           .runs = runs_of(options),
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

}  // namespace

int run_compare(const Options& options) {
    const std::string output = plan_outputs(options)[0];
    InterruptGuard interrupt;
    try {
        const VariantBenchmark benchmark = compare(options, interrupt.token());
        write_benchmark(output, benchmark, interrupt.token());
        if (!options.report.empty())
            write_text_file(options.report, to_text(benchmark_json(benchmark)), interrupt.token());
        print_line("written to " + output);
        for (const BenchmarkRow& row : benchmark.rows) {
            if (!row.ran() || row.differences == 0 || row.variant->wrong_by_design) continue;
            throw UserError(benchmark.input + ": variant " + std::string(row.variant->id) + " gives a wrong result: " +
                            row.result_text(benchmark.op->makes_bins) + " from the reference; please report this");
        }
    } catch (const Canceled&) {
    }
    interrupt.finish();
    return 0;
}

}  // namespace tonescope
