// What the parts of CudaBench share.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "bench/cuda/buffers.h"
#include "bench/cuda/cuda_bench.h"
#include "bench/cuda/npp.h"
#include "bench/cuda/timer.h"
#include "gpu/cuda/kernels/job.h"

namespace tonescope::bench {

struct CudaBench::State {
    explicit State(const Options& options);

    /// Compares the results in the first `used` buffers with what is expected, after the samples.
    using Check = std::function<void(Timing& timing, size_t used)>;
    /// Times `enqueue` for every cache state that was asked for, and every way to launch (`any_launch`: also those that
    /// were not). `buffers` past the L2 cache; `bytes`: that a run moves at least.
    std::vector<Timing> time(size_t buffers, double bytes, const Enqueue& enqueue,
                             const std::function<void()>& before_samples, const Check& check, bool any_launch = false);
    /// Puts the image in every buffer of the input ring, unless it is there.
    void load_input(MemoryMode mode, size_t buffers);
    size_t input_bytes() const { return input_pitch_bytes * size_t(image->height()); }

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
