// A round trip: from an image in host memory, in any memory mode, to the result in host memory.
#pragma once

#include <stop_token>

#include "gpu/core/backend.h"
#include "gpu/cuda/session/mode_transfer.h"
#include "gpu/cuda/session/runner.h"

namespace tonescope {

/// The mode in which a variant runs: its own, where it fixes one.
inline MemoryMode memory_mode(const RunSpec& spec) {
    return spec.variant->memory.value_or(spec.memory);
}

/// The CUDA backend. For one thread at a time. Keeps its memory from run to run.
class RoundTrip final : public Backend {
  public:
    /// -1: the first device. Throws DeviceError.
    explicit RoundTrip(int device) : runner_(device) {}

    BackendKind kind() const override { return BackendKind::cuda; }
    std::string device_name() const override { return runner_.device.name; }
    int64_t lanes() const override {
        return int64_t{runner_.device.multiprocessors} * runner_.device.threads_per_multiprocessor;
    }
    /// Throws also DeviceMemoryError where the mode is not to be had, and UserError when the variant refuses the image.
    RunResult run(const ImageView& input, const RunSpec& spec, std::stop_token stop) override {
        return run(input, spec, stop, nullptr);
    }
    /// The same for a window that waits for the result.
    LiveResult run_live(const ImageView& input, const RunSpec& spec, std::stop_token stop);

  private:
    /// `live_histogram`, where a window waits for the result, gets that of the image that the operator makes.
    RunResult run(const ImageView& input, const RunSpec& spec, std::stop_token stop, DisplayHistogram* live_histogram);
    RunResult run_once(const ImageView& input, const RunSpec& spec, std::stop_token stop,
                       DisplayHistogram* live_histogram);

    Runner runner_;
    bool is_a_first_ = false;  // Runner::was_a_first() of the last run
    ModeTransfer transfer_{runner_.device, runner_.stream, runner_.stages};
};

}  // namespace tonescope
