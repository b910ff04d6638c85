#include "app/benchmark/measurement.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/parallel.h"

namespace tonescope {
namespace {

// A run behind which the clock is low is made again after a rest, this often at most.
constexpr int kRepeats = 3;
constexpr auto kRest = std::chrono::milliseconds(50);

void rest_for_a_moment(std::stop_token stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, kRest, [] { return false; });
}

/// Rows that are equal, as nearly all are, are compared as a whole, by all threads of the machine: for large images it
/// takes no longer than a run.
int64_t count_different_pixels_of_rows(const ImageView& a, const ImageView& b) {
    constexpr int64_t kPiece_bytes = 1 << 18;
    const auto row_of = [](const ImageView& image, int64_t y) {
        ImageView row = image;
        row.data = image.row(int(y));
        row.spec.height = 1;
        return row;
    };
    std::atomic<int64_t> count = 0;
    const size_t row_bytes = a.spec.row_bytes();
    const int64_t grain = std::max<int64_t>(1, kPiece_bytes / int64_t(row_bytes));
    parallel_for(default_cpu_threads(), a.spec.height, grain, [&](int64_t y) {
        if (std::memcmp(a.row(int(y)), b.row(int(y)), row_bytes) != 0)
            count += count_different_pixels(row_of(a, y), row_of(b, y));
    });
    return count;
}

int64_t count_differences(const RunResult& reference, const RunResult& result) {
    if (!reference.bins) return count_different_pixels_of_rows(reference.image.view(), result.image.view());
    const BinsResult &a = *reference.bins, &b = result.bins.value();
    int64_t different = 0;
    for (size_t i = 0; i < a.bins.size(); ++i)
        different += a.bins[i] != b.bins.at(i) || a.counts.at(i) != b.counts.at(i) ? 1 : 0;
    return different;
}

}  // namespace

/// A row that is measured.
struct BenchmarkMeasurement::Entry {
    size_t row;
    const RunSpec* spec;
    Backend* backend;
    Samples* samples;
    double spent_ms = 0;  // with all that goes with runs
    double runs_ms = 0;   // what runs that count have taken
    double best_mhz = 0;
    bool is_open = true;
    std::vector<double> traced_ms = {};  // whole runs, in ascending order
    RunTrace resident = {};              // managed memory: with all pages on the device
};

/// On the CPU, tracing costs nothing, and the run that is timed is traced.
RunKind BenchmarkMeasurement::kind_of(const Entry& entry) {
    return entry.spec->variant->backend == BackendKind::cpu ? RunKind::traced : RunKind::plain;
}

std::vector<RunSpec> runs_by_memory_mode(const std::vector<RunSpec>& all, const VariantInfo* variant) {
    const std::string_view op = all.front().op->id;
    if (variant == nullptr || variant->backend == BackendKind::cpu || variant->memory)
        variant = preferred_variant(op, BackendKind::cuda);
    const auto run_of = [&](const VariantInfo* wanted) { return *std::ranges::find(all, wanted, &RunSpec::variant); };
    std::vector<RunSpec> runs{run_of(&reference_of(op))};
    for (size_t mode = 0; mode < std::size(kMemoryModeIds); ++mode) {
        runs.push_back(run_of(variant));
        runs.back().memory = MemoryMode(mode);
    }
    return runs;
}

int row_of(const VariantBenchmark& benchmark, const RunSpec& run) {
    const auto found = std::ranges::find_if(benchmark.rows, [&](const BenchmarkRow& row) {
        return row.variant == run.variant && (!row.is_memory_mode || !row.memory || *row.memory == run.memory_mode());
    });
    return found == benchmark.rows.end() ? -1 : int(found - benchmark.rows.begin());
}

VariantBenchmark unmeasured(const BenchmarkJob& job) {
    return unmeasured(job, job.image->spec());
}

VariantBenchmark unmeasured(const BenchmarkJob& job, const ImageSpec& size) {
    const RunSpec& first = job.runs.front();
    VariantBenchmark benchmark;
    benchmark.op = first.op;
    benchmark.input = job.input;
    benchmark.size = size;
    benchmark.notice = job.notice;
    benchmark.params = first.params;
    benchmark.by_memory_mode = job.by_memory_mode;
    for (const RunSpec& spec : job.runs) {
        BenchmarkRow& row = benchmark.rows.emplace_back();
        row.variant = spec.variant;
        if (spec.variant->backend == BackendKind::cuda) row.memory = spec.memory_mode();
        row.is_memory_mode = job.by_memory_mode;
        row.state = BenchmarkRow::State::waiting;
        row.reason = "not measured";
    }
    benchmark.chosen = row_of(benchmark, job.chosen);
    benchmark.samples.resize(benchmark.rows.size());
    return benchmark;
}

BenchmarkMeasurement::BenchmarkMeasurement(BenchmarkJob job)
    : BenchmarkMeasurement(std::move(job), BenchmarkLimits()) {}

BenchmarkMeasurement::BenchmarkMeasurement(BenchmarkJob job, BenchmarkLimits limits)
    : job_(std::move(job)), limits_(std::move(limits)), cpu_(make_cpu_backend()) {
    if (!limits_.rest) limits_.rest = rest_for_a_moment;
    if (job_.backend != BackendChoice::cpu) cuda_ = try_cuda_backend(job_.device, &cuda_reason_);
    if (job_.backend == BackendChoice::cuda && cuda_ == nullptr)
        throw UserError("--backend cuda, which is not there: " + cuda_reason_);
}

BenchmarkMeasurement::BenchmarkMeasurement(BenchmarkJob job, std::unique_ptr<Backend> cpu,
                                           std::unique_ptr<Backend> cuda, BenchmarkLimits limits)
    : job_(std::move(job)), limits_(std::move(limits)), cpu_(std::move(cpu)), cuda_(std::move(cuda)) {}

void BenchmarkMeasurement::take(BenchmarkJob job) {
    const RunSpec before = reference_spec();
    const bool same_image = job.image == job_.image;
    job_ = std::move(job);
    if (!same_image) inputs_.clear();
    if (!same_image || reference_spec() != before) reference_.reset();
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
        if (reason.empty()) reason = refusal(*benchmark.op, *row.variant, benchmark.params, benchmark.size);
        row.available = reason.empty();
        if (!row.available) row.fail(reason);
    }
}

void BenchmarkMeasurement::measure(VariantBenchmark& benchmark, std::stop_token stop, const BenchmarkWatch& watch) {
    std::vector<Entry> entries;
    const ValueSpread values = spread_of(job_.image->view());
    for (size_t i = 0; i < benchmark.rows.size(); ++i) {
        const RunSpec& spec = job_.runs[i];
        benchmark.rows[i].work = spec.variant->work({benchmark.size, spec.params, spec.variant_params, values});
        if (!benchmark.rows[i].available) continue;
        const bool on_cpu = benchmark.rows[i].variant->backend == BackendKind::cpu;
        entries.push_back({i, &job_.runs[i], on_cpu ? cpu_.get() : cuda_.get(), &benchmark.samples[i]});
    }
    const auto show = [&] {
        benchmark.best_cuda_mhz = best_cuda_mhz_;
        benchmark.nominal_cuda_mhz = nominal_cuda_mhz_;
        add_figures(benchmark);
        if (watch.rows) watch.rows(benchmark);
    };
    const auto tell_progress = [&] {
        double sum = 0;
        for (const Entry& entry : entries) sum += entry.is_open ? progress_of(entry) : 1;
        if (watch.progress) watch.progress(sum / double(std::max<size_t>(entries.size(), 1)));
    };
    try {
        for (size_t round = 0; std::ranges::any_of(entries, &Entry::is_open); ++round) {
            for (Entry& entry : entries) {
                if (!entry.is_open) continue;
                BenchmarkRow& row = benchmark.rows[entry.row];
                if (round == 0) {
                    row.state = BenchmarkRow::State::running;
                    show();
                }
                try {
                    const double begin_ms = limits_.now_ms();
                    if (round == 0) first_run(entry, row, stop);
                    if (entry.is_open) run_round(entry, round, row, stop);
                    // What the first run takes that only warms up does not count.
                    if (round > 0 || !entry.is_open) entry.spent_ms += limits_.now_ms() - begin_ms;
                    row.state = BenchmarkRow::State::done;
                    if (is_enough(entry)) entry.is_open = false;
                } catch (const UserError& error) {
                    row.fail(error.what());
                } catch (const std::bad_alloc&) {
                    row.fail("not enough memory");
                }
                if (!row.ran()) entry.is_open = false;
                tell_progress();
            }
            if (round == 0) measure_roofs(benchmark, stop);
            // Intervals cost some processor time: they are made anew each time there are twice as many rounds.
            if (std::has_single_bit(round + 1)) show();
        }
    } catch (const Canceled&) {
        for (BenchmarkRow& row : benchmark.rows)
            if (row.state == BenchmarkRow::State::running) row.state = BenchmarkRow::State::waiting;
        show();
        throw;
    }
    show();
}

/// Throws Canceled. Roofs of a GPU that fails stay unknown: its rows say why.
void BenchmarkMeasurement::measure_roofs(VariantBenchmark& benchmark, std::stop_token stop) {
    benchmark.cpu_roofs = cpu_->roofs(stop);
    try {
        if (cuda_) benchmark.cuda_roofs = cuda_->roofs(stop);
    } catch (const DeviceError&) {
    }
    if (stop.stop_requested()) throw Canceled{};
}

/// Warms up; where that takes so long that there is to be no second run, it counts.
void BenchmarkMeasurement::first_run(Entry& entry, BenchmarkRow& row, std::stop_token stop) {
    if (!entry.spec->variant->reference) {
        const Timed run = verified_run(entry, kind_of(entry), row, stop);
        entry.is_open = run.wall_ms < limits_.limit_ms;
        if (!entry.is_open) add_sample(entry, 0, run, row, false, stop);
    } else if (const Timed& run = reference(stop); run.wall_ms >= limits_.limit_ms) {
        entry.is_open = false;
        add_sample(entry, 0, run, row, false, stop);
    }
}

void BenchmarkMeasurement::run_round(Entry& entry, size_t round, BenchmarkRow& row, std::stop_token stop) {
    for (int repeats = 0;; ++repeats) {
        const Timed run = verified_run(entry, kind_of(entry), row, stop);
        if (add_sample(entry, round, run, row, repeats < kRepeats, stop)) return;
        if (limits_.rest) limits_.rest(stop);
    }
}

/// Behind a run that is not traced: traces one on the GPU, and takes both if the clock is not low. `may_refuse`: else
/// it takes them anyway.
bool BenchmarkMeasurement::add_sample(Entry& entry, size_t round, const Timed& plain, BenchmarkRow& row,
                                      bool may_refuse, std::stop_token stop) {
    const bool on_cpu = entry.spec->variant->backend == BackendKind::cpu;
    std::optional<Timed> traced;
    if (!on_cpu) traced = verified_run(entry, RunKind::traced, row, stop);
    if (!on_cpu && entry.spec->memory_mode() == MemoryMode::managed && entry.resident.spans.empty())
        entry.resident = verified_run(entry, RunKind::resident, row, stop).result.trace;
    const auto [mhz, nominal_mhz] = entry.backend->clock();
    if (!on_cpu) nominal_cuda_mhz_ = nominal_mhz;
    // The multiprocessors of a GPU have one clock for all variants; a core's depends on how many others work.
    double& best_mhz = on_cpu ? entry.best_mhz : best_cuda_mhz_;
    best_mhz = std::max(best_mhz, mhz);
    if (may_refuse && mhz < kLeastClock * best_mhz) return false;
    const auto total_ms = [](const Timed& run, bool with_copies) {
        return sum_ms(run.result.stages, with_copies, run.wall_ms);
    };
    const double compute_ms = total_ms(plain, false);
    const TimeParts parts = traced ? parts_of(traced->result.trace) : TimeParts{compute_ms, 0, 0};
    keep_trace(entry, traced ? traced->result.trace : plain.result.trace, row);
    entry.runs_ms += plain.wall_ms + (traced ? traced->wall_ms : 0);
    entry.samples->add(round, plain.result.stages,
                       {.total = total_ms(plain, true),
                        .compute = compute_ms,
                        .traced = traced ? total_ms(*traced, true) : 0,
                        .kernels = parts.kernels_ms,
                        .host = parts.host_ms,
                        .mhz = mhz});
    return true;
}

/// The run stays in place of the one before it where it lies nearer to the median of those so far: all traces together
/// would take too much memory.
void BenchmarkMeasurement::keep_trace(Entry& entry, const RunTrace& trace, BenchmarkRow& row) {
    std::vector<double>& all = entry.traced_ms;
    all.insert(std::ranges::upper_bound(all, trace.end_ms), trace.end_ms);
    const double median_ms = (all[all.size() / 2] + all[(all.size() - 1) / 2]) / 2;
    const auto distance = [&](const RunTrace& run) { return std::abs(run.end_ms - median_ms); };
    if (row.trace != nullptr && distance(trace) >= distance(*row.trace)) return;
    RunTrace kept = trace;
    add_migrations(kept, entry.resident);
    row.trace = std::make_shared<const RunTrace>(std::move(kept));
}

BenchmarkMeasurement::Timed BenchmarkMeasurement::verified_run(const Entry& entry, RunKind kind, BenchmarkRow& row,
                                                               std::stop_token stop) {
    const RunResult& right = reference(stop).result;
    const ImageView input = input_of(entry);
    const double begin_ms = limits_.now_ms();
    RunResult result = entry.backend->run(input, *entry.spec, stop, kind);
    const double wall_ms = limits_.now_ms() - begin_ms;
    row.differences = std::max(row.differences, count_differences(right, result));
    row.kernel_resources = std::move(result.resources);
    result.image = {};  // its memory is for the next run
    return {std::move(result), wall_ms};
}

ImageView BenchmarkMeasurement::input_of(const Entry& entry) {
    if (entry.spec->variant->backend == BackendKind::cpu) return job_.image->view();
    const MemoryMode mode = entry.spec->memory_mode();
    const auto [place, is_new] = inputs_.try_emplace(mode);
    HostImage& image = place->second;
    if (is_new) {
        image = entry.backend->make_image(job_.image->spec(), mode);
        for (int y = 0; y < image.height(); ++y)
            std::memcpy(image.mutable_view().row(y), job_.image->view().row(y), image.spec().row_bytes());
    }
    return image.empty() ? job_.image->view() : image.view();
}

bool BenchmarkMeasurement::is_enough(const Entry& entry) const {
    const int runs = entry.samples->runs();
    const bool has_its_share = entry.spent_ms >= limits_.budget_ms && runs >= limits_.min_runs;
    const bool takes_too_long =
        entry.runs_ms >= limits_.limit_ms || entry.spent_ms >= limits_.most_limits * limits_.limit_ms;
    return has_its_share || takes_too_long || runs >= limits_.max_runs;
}

double BenchmarkMeasurement::progress_of(const Entry& entry) const {
    const double runs = entry.samples->runs();
    const double share = std::min(entry.spent_ms / limits_.budget_ms, runs / limits_.min_runs);
    return std::clamp(std::max({share, entry.runs_ms / limits_.limit_ms,
                                entry.spent_ms / (limits_.most_limits * limits_.limit_ms), runs / limits_.max_runs}),
                      0.0, 1.0);
}

const RunSpec& BenchmarkMeasurement::reference_spec() const {
    const VariantInfo& variant = reference_of(job_.runs.front().op->id);
    return *std::ranges::find(job_.runs, &variant, &RunSpec::variant);
}

const BenchmarkMeasurement::Timed& BenchmarkMeasurement::reference(std::stop_token stop) {
    if (!reference_) {
        const double begin_ms = limits_.now_ms();
        RunResult result = cpu_->run(job_.image->view(), reference_spec(), stop, RunKind::traced);
        reference_ = {std::move(result), limits_.now_ms() - begin_ms};
    }
    return *reference_;
}

}  // namespace tonescope
