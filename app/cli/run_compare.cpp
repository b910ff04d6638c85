// --headless --compare: the variant benchmark on one image.
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/benchmark/measurement.h"
#include "app/benchmark/variant_benchmark.h"
#include "app/cli/interrupt.h"
#include "app/cli/modes.h"
#include "app/cli/output_paths.h"
#include "app/image_io/image_io.h"
#include "app/system/text_file.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

void print_row(const Comparison& comparison, const ComparisonRow& row) {
    std::cout << row.variant->id << " (" << to_string(row.variant->backend) << "): ";
    if (row.ran()) {
        std::cout << row.result_text(comparison.op->makes_bins) << ", " << number_text(row.total.median_ms) << " ms ("
                  << number_text(row.total.p10_ms) << " to " << number_text(row.total.p90_ms) << "), "
                  << number_text(comparison.mpixel_s(row.total.median_ms)) << " MPixel/s, " << row.runs << " runs";
    } else {
        std::cout << "not run: " << row.not_run;
    }
    std::cout << std::endl;
}

Comparison compare(const Options& options, std::stop_token stop) {
    const auto loaded = std::make_shared<const LoadedImage>(load_image(options.inputs[0], stop));
    Comparison comparison;
    comparison.op = find_operator(options.op);
    comparison.input = options.inputs[0];
    comparison.size = loaded->image.spec();
    comparison.params = spec_for_variant(options, *comparison.op, reference_of(options.op)).params;
    comparison.notice = notice_of(loaded->details);
    std::cout << comparison.input << ": " << comparison.op->id << ", " << comparison.size.width << "x"
              << comparison.size.height << (comparison.notice.empty() ? "" : " (" + comparison.notice + ")")
              << std::endl;
    ComparisonJob job{comparison.op, {loaded, &loaded->image}, {}, options.backend, options.device};
    for (const VariantInfo* variant : variants_of(options.op))
        if (options.variant.empty() || variant->id == options.variant || variant->reference)
            job.runs.push_back(spec_for_variant(options, *comparison.op, *variant));
    ComparisonMeasurement measurement(job);
    measurement.describe(comparison);
    for (const RunSpec& spec : job.runs) {
        comparison.rows.push_back(measurement.measure(spec, stop));
        print_row(comparison, comparison.rows.back());
    }
    add_speed_ups(comparison);
    if (const std::string amdahl = amdahl_text(comparison); !amdahl.empty()) std::cout << amdahl << std::endl;
    return comparison;
}

}  // namespace

int run_compare(const Options& options) {
    const std::string output = plan_outputs(options)[0];
    InterruptGuard interrupt;
    try {
        const Comparison comparison = compare(options, interrupt.token());
        write_comparison(output, comparison);
        if (!options.report.empty()) write_text_file(options.report, to_text(comparison_json(comparison)));
        std::cout << "written to " << output << "\n";
        for (const ComparisonRow& row : comparison.rows) {
            if (!row.ran() || row.differences == 0 || row.variant->wrong_by_design) continue;
            throw UserError(comparison.input + ": variant " + std::string(row.variant->id) + " is not right: " +
                            row.result_text(comparison.op->makes_bins) + " from the reference; please report this");
        }
    } catch (const Cancelled&) {
        interrupt.finish();
    }
    interrupt.finish();
    return 0;
}

}  // namespace tonescope
