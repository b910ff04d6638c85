// What the variant benchmark knows of one variant: whether its result is right, and how long it takes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/core/benchmark/bootstrap.h"
#include "gpu/core/benchmark/report.h"
#include "gpu/core/image.h"
#include "gpu/core/limits/limit.h"
#include "gpu/core/registry.h"
#include "gpu/core/statistics.h"
#include "gpu/core/timing.h"
#include "gpu/core/trace.h"

namespace tonescope {

/// How many times as fast as others; empty where there is no such other one.
struct SpeedUps {
    std::optional<Ratio> basis;      // the row that this one is compared with (BenchmarkRow::basis)
    std::optional<Ratio> first_gpu;  // the naive CUDA variant
    std::optional<Ratio> reference;  // plain loops on the CPU
};

struct BenchmarkTime {
    TimeSummary time;
    std::optional<Interval> interval = {};  // of the median; empty where there are too few runs for one
    SpeedUps speed_up = {};
};

/// "1.90×", "1.01×, no difference measured".
std::string ratio_text(const Ratio& ratio, std::string (*text_of)(double));

struct BenchmarkStage {
    std::string_view stage;
    TimeSummary time;
    std::optional<Ratio> basis = {};  // against the same stage of the row that this one is compared with
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
    // A run's time has three parts, which add up to `total`: kernels, the host, and copies. On the CPU everything is
    // computing, which stands under `kernels`.
    BenchmarkTime total;                    // all stages, copies included
    BenchmarkTime compute;                  // the stages without copies between host and device
    BenchmarkTime kernels;                  // while the device computes, by runs that are traced
    double host_ms = 0;                     // between kernels: the host makes a table, waits, starts kernels
    double copies_ms = 0;                   // the rest: pixels travel or are staged, and no kernel runs
    double traced_ms = 0;                   // the total of the traced runs; 0 on the CPU
    std::optional<double> amdahl;           // bound of its backend's speed-up against the reference
    std::shared_ptr<const RunTrace> trace;  // of a traced run whose time is near their median; null: there is none
    std::vector<BenchmarkStage> stages;
    std::vector<KernelResources> kernel_resources;  // empty on the CPU
    std::optional<MemoryMode> memory;               // empty on the CPU
    bool is_memory_mode = false;                    // the rows are one variant in several memory modes
    std::vector<ClaimFinding> claims;               // what reports say of its variant
    std::string basis = {};  // name() of the row that this one is compared with; mostly not empty
    Work work = {};          // of a run, as the variant declares it
    Limit limit = {};        // what limits its kernels; unknown until the roofs of its backend are
    /// Percent of the highest clock that was seen, where it stayed below that; 0 where it did not.
    double low_clock_percent = 0;

    /// Unique among the rows.
    std::string id() const {
        return is_memory_mode && memory ? std::string(kMemoryModeIds[size_t(*memory)]) : std::string(variant->id);
    }
    std::string name() const {
        return is_memory_mode && memory ? std::string(kMemoryModeIds[size_t(*memory)]) : std::string(variant->name);
    }
    /// The stage, other than copies, that differs most from that of the row compared with; null where none is known to
    /// differ.
    const BenchmarkStage* changed_stage() const;
    /// "kernels 1.35×, total 1.06×; 1.90× on histogram": against the row compared with; empty where there is none.
    /// `text_of` writes a figure.
    std::string step_text(std::string (*text_of)(double)) const;

    /// Amdahl's law counts threads alone: vector instructions, caches and less work can lead past its bound. `passed`
    /// where the whole interval of the speed-up against the reference lies above it; `too_few_runs` where the speed-up
    /// does, but has no interval.
    enum class Bound : uint8_t { kept, passed, too_few_runs };
    Bound bound_by(const BenchmarkTime& time) const;
    /// "16.0", "16.0, passed", "16.0, too few runs"; empty where there is no bound.
    std::string bound_text(const BenchmarkTime& time, std::string (*text_of)(double)) const;
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
