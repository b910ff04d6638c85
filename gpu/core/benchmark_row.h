// What the variant benchmark knows of one variant: whether its result is right, and how long it takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/registry.h"
#include "gpu/core/statistics.h"
#include "gpu/core/timing.h"

namespace tonescope {

/// How many times as fast as others; empty where there is no such other one. A variant whose results are wrong is never
/// the best.
struct SpeedUps {
    std::optional<double> reference;      // plain loops on the CPU
    std::optional<double> previous;       // the last one before it on the same backend
    std::optional<double> best_previous;  // the fastest one before it on the same backend
    std::optional<double> first_gpu;      // the naive CUDA variant
};

struct BenchmarkTime {
    TimeSummary time;
    SpeedUps speed_up;
};

struct BenchmarkStage {
    std::string_view stage;
    TimeSummary time;
    uint64_t bytes = 0;  // memory it reads and writes at least; 0 where that says nothing
};

/// "identical", "12 pixels differ"; of an operator that makes bins, "12 bins differ".
inline std::string difference_text(int64_t differences, bool bins, bool by_design) {
    if (differences == 0) return "identical";
    return std::to_string(differences) + (bins ? " bin" : " pixel") + (differences == 1 ? " differs" : "s differ") +
           (by_design ? " by design" : "");
}

struct BenchmarkRow {
    enum class State : uint8_t { waiting, running, done, not_run };
    const VariantInfo* variant = nullptr;
    State state = State::done;
    std::string reason;       // why there are no numbers, one line; empty where there are
    bool available = true;    // false: its backend is not there or was left out
    int64_t differences = 0;  // pixels or bins that are not the reference's
    int runs = 0;
    BenchmarkTime total;           // all stages, copies included
    BenchmarkTime compute;         // without copies between host and device
    std::optional<double> amdahl;  // bound of its backend's speed-up against the reference
    std::vector<BenchmarkStage> stages;
    std::vector<KernelResources> kernels;  // empty on the CPU
    std::optional<MemoryMode> memory;      // empty on the CPU

    /// Amdahl's law counts threads alone: vector instructions, caches and less work can lead past its bound. A little
    /// more than the bound may be noise.
    bool passes_bound(const BenchmarkTime& time) const {
        return identical() && amdahl && time.speed_up.reference && *time.speed_up.reference > 1.02 * *amdahl;
    }
    bool ran() const { return state == State::done; }
    bool identical() const { return differences == 0; }
    void fail(std::string why) {
        state = State::not_run;
        reason = std::move(why);
    }
    std::string result_text(bool bins) const { return difference_text(differences, bins, variant->wrong_by_design); }
};

/// Throughput; 0 where no time is known.
inline double mpixel_s(const ImageSpec& image, double ms) {
    return ms > 0 ? double(image.pixels()) / 1000 / ms : 0;
}

}  // namespace tonescope
