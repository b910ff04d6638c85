#include "app/benchmark/measurement.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <new>

#include "gpu/core/error.h"

namespace tonescope {
namespace {

using Clock = std::chrono::steady_clock;

// A variant is timed for about this long, and a slow one only until it has passed the limit.
constexpr double kBudget_ms = 1500, kLimit_ms = 4000;
constexpr int kMinRuns = 5, kMaxRuns = 300;

int64_t count_differences(const RunResult& reference, const RunResult& result) {
    if (!reference.bins) return count_different_pixels(reference.image.view(), result.image.view());
    const BinsResult &a = *reference.bins, &b = result.bins.value();
    int64_t different = 0;
    for (size_t i = 0; i < a.bins.size(); ++i)
        different += a.bins[i] != b.bins.at(i) || a.counts.at(i) != b.counts.at(i) ? 1 : 0;
    return different;
}

/// Collects the runs of one variant.
class Sampler {
  public:
    /// `wall_ms`: by the host's clock.
    void add(const StageTimes& stages, double wall_ms) {
        std::map<std::string_view, double> by_stage;
        for (const StageTime& stage : stages) by_stage[stage.stage] += stage.ms;
        for (const auto& [stage, ms] : by_stage) by_stage_ms_[stage].push_back(ms);
        total_ms_.push_back(sum_ms(stages, true, wall_ms));
        compute_ms_.push_back(sum_ms(stages, false, wall_ms));
        stages_ = stages;
    }
    int runs() const { return int(total_ms_.size()); }
    void fill(BenchmarkRow& row) const {
        row.runs = runs();
        row.total.time = summarize(total_ms_);
        row.compute.time = summarize(compute_ms_);
        for (const StageTime& stage : stages_) {
            const auto known = std::ranges::find(row.stages, stage.stage, &BenchmarkStage::stage);
            if (known != row.stages.end()) {
                known->bytes += stage.bytes;
            } else {
                row.stages.push_back({stage.stage, summarize(by_stage_ms_.at(stage.stage)), stage.bytes});
            }
        }
    }

  private:
    std::vector<double> total_ms_, compute_ms_;
    std::map<std::string_view, std::vector<double>> by_stage_ms_;
    StageTimes stages_;
};

}  // namespace

VariantBenchmark unmeasured(const BenchmarkJob& job) {
    const RunSpec& first = job.runs.front();
    VariantBenchmark benchmark;
    benchmark.op = first.op;
    benchmark.input = job.input;
    benchmark.size = job.image->spec();
    benchmark.notice = job.notice;
    benchmark.params = first.params;
    for (const RunSpec& spec : job.runs) {
        BenchmarkRow& row = benchmark.rows.emplace_back();
        row.variant = spec.variant;
        row.state = BenchmarkRow::State::waiting;
        row.reason = "not measured";
    }
    return benchmark;
}

BenchmarkMeasurement::BenchmarkMeasurement(BenchmarkJob job) : job_(std::move(job)), cpu_(make_cpu_backend()) {
    if (job_.backend != BackendChoice::cpu) cuda_ = try_cuda_backend(job_.device, &cuda_reason_);
    if (job_.backend == BackendChoice::cuda && cuda_ == nullptr)
        throw UserError("--backend cuda, which is not there: " + cuda_reason_);
}

void BenchmarkMeasurement::describe(VariantBenchmark& benchmark) const {
    benchmark.cpu_name = cpu_->device_name();
    benchmark.cpu_lanes = cpu_->lanes();
    benchmark.cuda_name = cuda_ ? cuda_->device_name() : "";
    benchmark.cuda_lanes = cuda_ ? cuda_->lanes() : 0;
    for (BenchmarkRow& row : benchmark.rows) {
        const bool on_cpu = row.variant->backend == BackendKind::cpu;
        std::string reason = on_cpu || cuda_ ? "" : cuda_reason_;
        if (!on_cpu && job_.backend == BackendChoice::cpu) reason = "left out by --backend cpu";
        if (on_cpu && job_.backend == BackendChoice::cuda && !row.variant->reference)
            reason = "left out by --backend cuda";
        row.available = reason.empty();
        if (!row.available) row.fail(reason);
    }
}

BenchmarkRow BenchmarkMeasurement::measure(const RunSpec& spec, std::stop_token stop,
                                           const std::function<void(double)>& progress) {
    BenchmarkRow row;
    row.variant = spec.variant;
    if (spec.variant->backend == BackendKind::cuda) row.memory = spec.memory;
    try {
        time(spec.variant->backend == BackendKind::cpu ? *cpu_ : *cuda_, spec, stop, progress, row);
    } catch (const UserError& error) {
        row.fail(error.what());
    } catch (const std::bad_alloc&) {
        row.fail("not enough memory");
    }
    return row;
}

const BenchmarkMeasurement::Reference& BenchmarkMeasurement::reference(std::stop_token stop) {
    if (!reference_) {
        const VariantInfo& variant = reference_of(job_.runs.front().op->id);
        const auto spec = std::ranges::find(job_.runs, &variant, &RunSpec::variant);
        const Clock::time_point begin = Clock::now();
        RunResult result = cpu_->run(job_.image->view(), *spec, stop);
        reference_ = {std::move(result), ms_since(begin)};
    }
    return *reference_;
}

void BenchmarkMeasurement::time(Backend& backend, const RunSpec& spec, std::stop_token stop,
                                const std::function<void(double)>& progress, BenchmarkRow& row) {
    const Reference& right = reference(stop);
    Sampler samples;
    const auto run = [&](bool counts) {
        const Clock::time_point begin = Clock::now();
        RunResult result = backend.run(job_.image->view(), spec, stop);
        const double wall_ms = ms_since(begin);
        if (counts || wall_ms >= kLimit_ms) samples.add(result.stages, wall_ms);
        row.differences = std::max(row.differences, count_differences(right.result, result));
        row.kernels = std::move(result.resources);
    };
    // The first run warms up and does not count, unless it took so long that there is no second one.
    if (!spec.variant->reference)
        run(false);
    else if (right.wall_ms >= kLimit_ms)
        samples.add(right.result.stages, right.wall_ms);
    const bool too_slow = samples.runs() > 0;
    const Clock::time_point begin = Clock::now();
    while (!too_slow) {
        const double spent_ms = ms_since(begin);
        const bool enough = spent_ms >= kBudget_ms && samples.runs() >= kMinRuns;
        if (samples.runs() > 0 && (enough || spent_ms >= kLimit_ms || samples.runs() >= kMaxRuns)) break;
        if (progress)
            progress(std::max({std::min(spent_ms / kBudget_ms, double(samples.runs()) / kMinRuns), spent_ms / kLimit_ms,
                               double(samples.runs()) / kMaxRuns}));
        run(true);
    }
    samples.fill(row);
}

}  // namespace tonescope
