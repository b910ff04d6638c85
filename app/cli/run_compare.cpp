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
    std::cout << row.variant->id << " (" << to_string(row.variant->backend) << "): ";
    if (row.ran()) {
        std::cout << (row.identical() ? "identical to the reference" : row.result_text(benchmark.op->makes_bins))
                  << ", " << number_text(row.total.time.median_ms) << " ms (" << number_text(row.total.time.p10_ms)
                  << " to " << number_text(row.total.time.p90_ms) << "), "
                  << number_text(benchmark.mpixel_s(row.total.time.median_ms)) << " MPixel/s, " << row.runs << " runs";
    } else {
        std::cout << "not run: " << row.reason;
    }
    std::cout << std::endl;
}

VariantBenchmark compare(const Options& options, std::stop_token stop) {
    const auto loaded = std::make_shared<const LoadedImage>(load_image(options.inputs[0], stop));
    BenchmarkJob job{.input = options.inputs[0],
                     .notice = notice_of(loaded->details),
                     .image = {loaded, &loaded->image},
                     .backend = options.backend,
                     .device = options.device};
    for (const VariantInfo* variant : variants_of(options.op))
        if (options.variant.empty() || variant->id == options.variant || variant->reference)
            job.runs.push_back(spec_for_variant(options, *find_operator(options.op), *variant));
    VariantBenchmark benchmark = unmeasured(job);
    print_line(benchmark.input + ": " + std::string(benchmark.op->id) + ", " +
               size_text(benchmark.size.width, benchmark.size.height) +
               (benchmark.notice.empty() ? "" : " (" + benchmark.notice + ")"));
    BenchmarkMeasurement measurement(job);
    measurement.describe(benchmark);
    for (size_t i = 0; i < job.runs.size(); ++i) {
        if (benchmark.rows[i].available) benchmark.rows[i] = measurement.measure(job.runs[i], stop);
        print_row(benchmark, benchmark.rows[i]);
    }
    add_speed_ups(benchmark);
    if (const std::string amdahl = amdahl_text(benchmark); !amdahl.empty()) std::cout << amdahl << std::endl;
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
