// Verifies and times the variants of an operator, one after the other.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/benchmark/variant_benchmark.h"

namespace tonescope {

/// What is measured.
struct BenchmarkJob {
    std::string input = {}, notice = {};  // the image's path, and what is to be said of its pixels
    std::shared_ptr<const HostImage> image = {};
    std::vector<RunSpec> runs = {};  // one a variant of the operator, in the ladder's order
    BackendChoice backend = BackendChoice::automatic;
    int device = -1;
};

/// What is known of a job beforehand: a row that waits for each run.
VariantBenchmark unmeasured(const BenchmarkJob& job);

/// Has backends of its own, so that it may run on any one thread beside a live session.
class BenchmarkMeasurement {
  public:
    /// Throws UserError where the forced backend is not there.
    explicit BenchmarkMeasurement(BenchmarkJob job);

    /// Names and lanes of the backends; and for each row whether its variant can run here, or why not.
    void describe(VariantBenchmark& benchmark) const;
    /// Verifies and times one of the runs that can run here. `progress` (may be empty) is told 0 to 1 now and then.
    /// Throws Canceled.
    BenchmarkRow measure(const RunSpec& spec, std::stop_token stop, const std::function<void(double)>& progress = {});

  private:
    struct Reference {
        RunResult result;
        double wall_ms = 0;
    };

    void time(Backend& backend, const RunSpec& spec, std::stop_token stop, const std::function<void(double)>& progress,
              BenchmarkRow& row);
    const Reference& reference(std::stop_token stop);

    BenchmarkJob job_;
    std::unique_ptr<Backend> cpu_, cuda_;
    std::string cuda_reason_;
    std::optional<Reference> reference_;
};

}  // namespace tonescope
