#include "app/compare.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <new>

#include "app/headless_backend.h"
#include "app/headless_interrupt.h"
#include "app/headless_output.h"
#include "app/image_io.h"
#include "app/report_file.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

// A rung is timed for about this long, and a slow one only until it has passed the limit.
constexpr double kBudget_ms = 1500, kLimit_ms = 4000;
constexpr int kLeastRuns = 5, kMostRuns = 300;

int64_t count_different_bins(const BinsResult& a, const BinsResult& b) {
    int64_t different = 0;
    for (size_t i = 0; i < a.bins.size(); ++i) {
        const bool same =
            i < b.bins.size() && a.bins[i] == b.bins[i] && i < b.counts.size() && a.counts[i] == b.counts[i];
        different += same ? 0 : 1;
    }
    return different;
}

int64_t count_differences(const RunResult& reference, const RunResult& result) {
    if (reference.bins) return count_different_bins(*reference.bins, result.bins.value());
    return count_different_pixels(reference.image.view(), result.image.view());
}

bool is_copy(std::string_view stage) {
    return stage == "upload" || stage == "download" || stage == "copy in" || stage == "copy out";
}

/// Collects the runs of one rung.
class Sampler {
  public:
    /// `wall_ms` by the host's clock: stages that overlap cannot take longer than that together.
    void add(const StageTimes& stages, double wall_ms) {
        double compute_ms = 0;
        std::map<std::string_view, double> by_stage;
        for (const StageTime& stage : stages) {
            if (!is_copy(stage.stage)) compute_ms += stage.ms;
            by_stage[stage.stage] += stage.ms;
        }
        for (const auto& [stage, ms] : by_stage) by_stage_ms_[stage].push_back(ms);
        const double total_ms = stages.empty() ? wall_ms : std::min(sum_ms(stages), wall_ms);
        total_ms_.push_back(total_ms);
        compute_ms_.push_back(stages.empty() ? wall_ms : std::min(compute_ms, total_ms));
        stages_ = stages;
    }
    void clear() { *this = {}; }
    int runs() const { return int(total_ms_.size()); }
    void fill(ComparisonRow& row) const {
        row.runs = runs();
        row.total = spread_of(total_ms_);
        row.compute = spread_of(compute_ms_);
        for (const StageTime& stage : stages_) {
            const auto known = std::ranges::find(row.stages, stage.stage, &StageTime::stage);
            if (known != row.stages.end()) {
                known->bytes += stage.bytes;
            } else {
                row.stages.push_back({stage.stage, spread_of(by_stage_ms_.at(stage.stage)).median_ms, stage.bytes});
            }
        }
    }

  private:
    std::vector<double> total_ms_, compute_ms_;
    std::map<std::string_view, std::vector<double>> by_stage_ms_;
    StageTimes stages_;
};

class Measurement {
  public:
    Measurement(const Options& options, const OperatorInfo& op, const ImageView& image, std::stop_token stop)
        : options_(options), op_(op), image_(image), stop_(stop), cpu_(make_cpu_backend()) {
        if (options.backend != BackendChoice::cpu) cuda_ = try_cuda_backend(options, &cuda_reason_);
        if (options.backend == BackendChoice::cuda && cuda_ == nullptr)
            throw UserError("--backend cuda, which is not there: " + cuda_reason_);
        const RungInfo& reference = reference_of(op.id);
        reference_ = cpu_->run(image, spec_for_rung(options, op, reference), stop);
    }

    ComparisonRow measure(const RungInfo& rung) {
        ComparisonRow row;
        row.rung = &rung;
        row.not_run = reason_against(rung);
        if (!row.ran()) return row;
        const RunSpec spec = spec_for_rung(options_, op_, rung);
        if (rung.backend == BackendKind::cuda) row.memory = spec.memory;
        try {
            time(rung.backend == BackendKind::cpu ? *cpu_ : *cuda_, spec, row);
        } catch (const UserError& error) {
            row.not_run = error.what();
        } catch (const std::bad_alloc&) {
            row.not_run = "not enough memory";
        }
        return row;
    }

    std::string cpu_name() const { return cpu_->device_name(); }
    std::string cuda_name() const { return cuda_ ? cuda_->device_name() : ""; }

  private:
    std::string reason_against(const RungInfo& rung) const {
        if (rung.backend == BackendKind::cpu)
            return options_.backend == BackendChoice::cuda && !rung.reference ? "left out by --backend cuda" : "";
        if (options_.backend == BackendChoice::cpu) return "left out by --backend cpu";
        return cuda_ ? "" : cuda_reason_;
    }

    void time(Backend& backend, const RunSpec& spec, ComparisonRow& row) {
        using Clock = std::chrono::steady_clock;
        Sampler samples;
        const auto run = [&] {
            const Clock::time_point begin = Clock::now();
            RunResult result = backend.run(image_, spec, stop_);
            const std::chrono::duration<double, std::milli> wall_ms = Clock::now() - begin;
            samples.add(result.stages, wall_ms.count());
            row.differences = std::max(row.differences, count_differences(reference_, result));
            return wall_ms.count();
        };
        // The first run warms up and does not count, unless it took so long that there is no second one.
        if (run() >= kLimit_ms) {
            samples.fill(row);
            return;
        }
        samples.clear();
        const Clock::time_point begin = Clock::now();
        const auto spent_ms = [&] { return std::chrono::duration<double, std::milli>(Clock::now() - begin).count(); };
        while (samples.runs() == 0 || (spent_ms() < kLimit_ms && samples.runs() < kMostRuns &&
                                       (spent_ms() < kBudget_ms || samples.runs() < kLeastRuns)))
            run();
        samples.fill(row);
    }

    const Options& options_;
    const OperatorInfo& op_;
    ImageView image_;
    std::stop_token stop_;
    std::unique_ptr<Backend> cpu_, cuda_;
    std::string cuda_reason_;
    RunResult reference_;
};

void print_row(const Comparison& comparison, const ComparisonRow& row) {
    std::cout << row.rung->id << " (" << to_string(row.rung->backend) << "): ";
    if (row.ran()) {
        std::cout << row.result_text(comparison.op->makes_bins) << ", " << number_text(row.total.median_ms) << " ms ("
                  << number_text(row.total.p10_ms) << " to " << number_text(row.total.p90_ms) << "), "
                  << number_text(comparison.mpixel_s(row.total.median_ms)) << " MPixel/s, " << row.runs << " runs";
    } else {
        std::cout << "not run: " << row.not_run;
    }
    std::cout << std::endl;
}

void write_comparison(const std::string& path, const Comparison& comparison) {
    const std::string extension = extension_of(path);
    if (extension == ".csv") {
        write_text_file(path, comparison_csv(comparison));
    } else if (extension == ".json") {
        write_text_file(path, to_text(comparison_json(comparison)));
    } else if (extension == ".md") {
        write_text_file(path, comparison_markdown(comparison));
    } else {
        save_image(path, comparison_chart(comparison).view());
    }
}

Comparison compare(const Options& options, std::stop_token stop) {
    const LoadedImage loaded = load_image(options.inputs[0], stop);
    Comparison comparison;
    comparison.op = find_operator(options.op);
    comparison.input = options.inputs[0];
    comparison.size = loaded.image.spec();
    comparison.params = spec_for_rung(options, *comparison.op, reference_of(options.op)).params;
    if (loaded.details.reduced_to_8_bit)
        comparison.notice = std::to_string(loaded.details.bits_per_channel) + "-bit samples were scaled to 8 bits";
    std::cout << comparison.input << ": " << comparison.op->id << ", " << comparison.size.width << "x"
              << comparison.size.height << (comparison.notice.empty() ? "" : " (" + comparison.notice + ")")
              << std::endl;
    Measurement measurement(options, *comparison.op, loaded.image.view(), stop);
    comparison.cpu_name = measurement.cpu_name();
    comparison.cuda_name = measurement.cuda_name();
    for (const RungInfo* rung : rungs_of(options.op)) {
        if (!options.variant.empty() && rung->id != options.variant && !rung->reference) continue;
        comparison.rows.push_back(measurement.measure(*rung));
        print_row(comparison, comparison.rows.back());
    }
    add_speed_ups(comparison);
    return comparison;
}

}  // namespace

Spread spread_of(std::vector<double> values_ms) {
    std::ranges::sort(values_ms);
    const auto percentile = [&](double p) {
        const double at = p * double(values_ms.size() - 1);
        const size_t below = size_t(at), above = std::min(below + 1, values_ms.size() - 1);
        return values_ms[below] + (at - double(below)) * (values_ms[above] - values_ms[below]);
    };
    return {percentile(0.5), percentile(0.1), percentile(0.9)};
}

void add_speed_ups(Comparison& comparison) {
    const ComparisonRow *reference = nullptr, *first_gpu = nullptr;
    for (const ComparisonRow& row : comparison.rows) {
        if (!row.ran()) continue;
        if (row.rung->reference) reference = &row;
        if (row.rung->backend == BackendKind::cuda && first_gpu == nullptr) first_gpu = &row;
    }
    const ComparisonRow* previous = nullptr;
    for (ComparisonRow& row : comparison.rows) {
        if (!row.ran()) continue;
        const auto fill = [&](SpeedUps& speed_ups, Spread ComparisonRow::*time) {
            const auto against = [&](const ComparisonRow* other) {
                const double own_ms = (row.*time).median_ms;
                return other == nullptr || own_ms <= 0 ? std::nullopt
                                                       : std::optional((other->*time).median_ms / own_ms);
            };
            const bool same_ladder = previous != nullptr && previous->rung->backend == row.rung->backend;
            speed_ups = {against(reference), against(same_ladder ? previous : nullptr), against(first_gpu)};
        };
        fill(row.total_speed_up, &ComparisonRow::total);
        fill(row.compute_speed_up, &ComparisonRow::compute);
        previous = &row;
    }
}

int run_compare(const Options& options) {
    const std::string output = plan_outputs(options)[0];
    InterruptGuard interrupt;
    try {
        const Comparison comparison = compare(options, interrupt.token());
        write_comparison(output, comparison);
        if (!options.report.empty()) write_text_file(options.report, to_text(comparison_json(comparison)));
        std::cout << "written to " << output << "\n";
        for (const ComparisonRow& row : comparison.rows) {
            if (!row.ran() || row.differences == 0 || row.rung->wrong_by_design) continue;
            throw UserError(comparison.input + ": variant " + std::string(row.rung->id) + " is not right: " +
                            row.result_text(comparison.op->makes_bins) + " from the reference; please report this");
        }
    } catch (const Cancelled&) {
        interrupt.finish();
    }
    interrupt.finish();
    return 0;
}

}  // namespace tonescope
