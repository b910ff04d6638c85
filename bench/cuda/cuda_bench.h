#pragma once

#include <functional>
#include <map>
#include <optional>

#include "bench/cuda/buffers.h"
#include "bench/cuda/npp.h"
#include "bench/cuda/timer.h"
#include "bench/gpu_bench.h"
#include "gpu/cuda/kernels/job.h"

namespace tonescope::bench {

/// What is timed, and how its results are checked.
struct Work {
    Subject subject;
    size_t buffers = 1;  // past the L2 cache
    double bytes = 0;    // that a run moves at least
    Enqueue enqueue;
    const Ring* results = nullptr;  // filled with `poison` before the samples; null: nothing is checked
    uint8_t poison = 0;
    std::function<int64_t(size_t i)> differences = {};  // pixels or bins of buffer `i` that are not as expected
    const VariantInfo* variant = nullptr;
    bool bins = false;
};

struct CudaBench final : GpuBench {
    explicit CudaBench(const Options& given);

    Json facts() const override;
    Rows begin(const HostImage& next_image) override;
    Rows time_variant(const RunSpec& spec, const RunResult& expected, const Subject& subject) override;
    Rows time_peers(const RunSpec& spec, const RunResult& expected) override;
    Rows time_histograms() override;
    Rows time_transfers() override;

    /// A row for every cache state that was asked for, and every way to launch (`any_launch`: also those that were
    /// not).
    Rows time(const Work& work, bool any_launch = false);
    /// Puts the image in every buffer of the input ring, unless it is there.
    void load_input(MemoryMode mode, size_t buffers);
    size_t input_bytes() const { return input_pitch_bytes * size_t(image->height()); }
    int64_t different_pixels(size_t i, size_t pitch_bytes, const HostImage& expected) const;
    std::vector<StageTimes> run_with_stages(const Row& row, const Enqueue& enqueue);

    Options options;
    DeviceProperties device;
    CudaTimer timer;
    StageRecorder stages;
    ScratchArena scratch;
    Ring input, output;  // pitched
    const HostImage* image = nullptr;
    size_t input_pitch_bytes = 0;
    MemoryMode loaded_mode = MemoryMode::pinned;
    size_t loaded_buffers = 0;                // 0: the input ring does not hold the image
    std::map<std::string, double> copy_gb_s;  // by cache state: the faster way to launch
    std::optional<Npp> npp;
};

}  // namespace tonescope::bench
