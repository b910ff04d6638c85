// A round trip: from an image in host memory, in any memory mode, to the result in host memory.
#pragma once

#include <stop_token>

#include "gpu/core/backend.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/runtime/device.h"
#include "gpu/cuda/runtime/launch_log.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stages.h"
#include "gpu/cuda/runtime/stream.h"
#include "gpu/cuda/session/mode_transfer.h"

namespace tonescope {

/// The mode in which a variant runs: its own, where it fixes one.
inline MemoryMode memory_mode(const RunSpec& spec) {
    return spec.variant->memory.value_or(spec.memory);
}

/// For one thread at a time. Keeps its memory from run to run.
class RoundTrip {
  public:
    /// -1: the first device. Throws DeviceError.
    explicit RoundTrip(int device) : device_(select_device(device)) {}

    const DeviceProperties& device() const { return device_; }
    /// Runs the variant and waits. `live`: a window waits for the result. `histogram`, where not null and the operator
    /// makes an image, gets the result's. Throws DeviceMemoryError where the mode is not to be had, DeviceError when
    /// the device fails, UserError when the variant refuses the image, and Cancelled when `stop` was set.
    RunResult run(const ImageView& input, const RunSpec& spec, std::stop_token stop, bool live = false,
                  DisplayHistogram* histogram = nullptr);

  private:
    RunResult run_once(const ImageView& input, const RunSpec& spec, std::stop_token stop, bool live,
                       DisplayHistogram* histogram);
    BinsResult fetch_bins(const DevicePlace& from, const ImageSpec& spec);
    void fetch_histogram(const DeviceOutput& output, DisplayHistogram& histogram);
    void release() noexcept;

    DeviceProperties device_;  // first: it makes the device the thread's
    Stream stream_;
    StageRecorder stages_{stream_};
    LaunchLog launches_;
    bool is_a_first_ = false;  // the last run's times hold what happens once: kernels loaded, memory allocated
    ScratchArena scratch_;
    DeviceMemory d_bins_;
    ModeTransfer transfer_{device_, stream_, stages_};
};

}  // namespace tonescope
