// Verifies and times the variants of an operator, in rounds over all of them.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/benchmark/variant_benchmark.h"

namespace tonescope {

/// How long rows are measured. A row takes part in rounds until one of these says that it is enough.
struct BenchmarkLimits {
    double budget_ms = 1500;  // with all that goes with it, for at least `min_runs` ...
    double limit_ms = 4000;   // ... unless the runs alone take longer than this
    int min_runs = 5, max_runs = 300;
    /// With comparisons, rests and looks at the clock a row takes at most so many times `limit_ms`.
    double most_limits = 4;
    /// The host's clock.
    std::function<double()> now_ms = [] {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    /// Lets a processor that has slowed down rest. Returns early once the token is set.
    std::function<void(std::stop_token)> rest;
};

/// What is measured.
struct BenchmarkJob {
    std::string input = {}, notice = {};  // the image's path, and what is to be said of its pixels
    std::shared_ptr<const HostImage> image = {};
    std::vector<RunSpec> runs = {};  // a row each, in the ladder's order; the reference is among them
    RunSpec chosen = {};             // whose row a timeline shows
    bool by_memory_mode = false;     // the rows other than the reference are one variant in several memory modes
    BackendChoice backend = BackendChoice::automatic;
    int device = -1;
};

/// Of the runs of all variants: the reference's, and that of `variant` once for each memory mode. Of the preferred
/// variant, where that is null, does not run on the GPU, or in one mode only.
std::vector<RunSpec> runs_by_memory_mode(const std::vector<RunSpec>& all, const VariantInfo* variant);

/// Index of the run's row; -1: it has none.
int row_of(const VariantBenchmark& benchmark, const RunSpec& run);

/// What is known of a job beforehand: a row that waits for each run.
VariantBenchmark unmeasured(const BenchmarkJob& job);
/// The same before the job has its image, which will look like this.
VariantBenchmark unmeasured(const BenchmarkJob& job, const ImageSpec& size);

/// Whoever wants to know how far a measurement is. Called on its thread; both may be empty.
struct BenchmarkWatch {
    std::function<void(const VariantBenchmark&)> rows;  // rows have been measured, or measured better
    std::function<void(double)> progress;               // 0 to 1, behind each run
};

/// Has backends of its own, so that it may run on any one thread beside a live session.
class BenchmarkMeasurement {
  public:
    /// Throws UserError where the forced backend is not there.
    explicit BenchmarkMeasurement(BenchmarkJob job);
    /// The same with other limits.
    BenchmarkMeasurement(BenchmarkJob job, BenchmarkLimits limits);
    /// With other backends, for tests; `cuda` may be null.
    BenchmarkMeasurement(BenchmarkJob job, std::unique_ptr<Backend> cpu, std::unique_ptr<Backend> cuda,
                         BenchmarkLimits limits);

    /// Goes on to another job on the same backends. The reference's result stays where image and parameters do.
    void take(BenchmarkJob job);
    /// Names and lanes of the backends; and for each row whether its variant can run here, or why not.
    void describe(VariantBenchmark& benchmark) const;
    /// Verifies and times all rows that can run here, in rounds: each of them once, then each once more, so that what
    /// changes while it is measured changes for all. A row that is slow leaves earlier. Rows have figures from their
    /// first round on. Throws Canceled; what was measured until then stands in `benchmark`.
    void measure(VariantBenchmark& benchmark, std::stop_token stop, const BenchmarkWatch& watch = {});

  private:
    struct Entry;
    struct Timed {
        RunResult result;
        double wall_ms = 0;
    };
    void measure_roofs(VariantBenchmark& benchmark, std::stop_token stop);
    ImageView input_of(const Entry& entry);
    void first_run(Entry& entry, BenchmarkRow& row, std::stop_token stop);
    void run_round(Entry& entry, size_t round, BenchmarkRow& row, std::stop_token stop);
    bool add_sample(Entry& entry, size_t round, const Timed& plain, BenchmarkRow& row, bool may_refuse,
                    std::stop_token stop);
    static RunKind kind_of(const Entry& entry);
    static void keep_trace(Entry& entry, const RunTrace& trace, BenchmarkRow& row);
    Timed verified_run(const Entry& entry, RunKind kind, BenchmarkRow& row, std::stop_token stop);
    bool is_enough(const Entry& entry) const;
    double progress_of(const Entry& entry) const;
    const RunSpec& reference_spec() const;
    const Timed& reference(std::stop_token stop);

    BenchmarkJob job_;
    BenchmarkLimits limits_;
    std::unique_ptr<Backend> cpu_, cuda_;
    std::string cuda_reason_;
    /// The image in the memory that a mode takes it from, as if it had been read into it; of modes that have such.
    std::map<MemoryMode, HostImage> inputs_;
    std::optional<Timed> reference_;
    double best_cuda_mhz_ = 0, nominal_cuda_mhz_ = 0;
};

}  // namespace tonescope
