// How an image gets from host memory to where kernels reach it, and its result back, in every memory mode.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "gpu/core/image.h"
#include "gpu/core/registry.h"
#include "gpu/cuda/kernels/band_transfer.h"
#include "gpu/cuda/runtime/device.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stages.h"
#include "gpu/cuda/runtime/stream.h"
#include "gpu/cuda/session/staged_copier.h"

namespace tonescope {

/// Pixels where kernels reach them.
struct DevicePlace {
    uint8_t* d_data = nullptr;
    size_t pitch_bytes = 0;
};

/// Keeps its buffers from run to run. Functions that copy add their stages and may wait. All throw DeviceError.
class ModeTransfer {
  public:
    /// All three outlive this.
    ModeTransfer(const DeviceProperties& device, const Stream& stream, StageRecorder& stages)
        : device_(device), stream_(stream), stages_(stages) {}

    /// Before a run: throws DeviceMemoryError where the device does not have this mode, or too little memory for it.
    void prepare(MemoryMode mode, const ImageSpec& input, const ImageSpec& output);
    DevicePlace bring_in(MemoryMode mode, const ImageView& input);
    DevicePlace place_output(MemoryMode mode, const ImageSpec& spec);
    /// Returns when `to` is written, but for the mode `pageable`: then the stream has to be waited for.
    void take_out(MemoryMode mode, const DevicePlace& from, const MutableImageView& to);

    /// Room for an input that a variant brings in itself, through bands().
    DevicePlace place_input(const ImageSpec& spec);
    /// Between `input` and place_input(), and place_output(overlapped) and `output`. Valid until the next call.
    BandTransfer& bands(const ImageView& input, const MutableImageView& output);

    /// Frees everything. The stream is idle.
    void release() noexcept;

  private:
    class Bands;
    void copy_on_host(std::string_view name, const ImageView& from, const MutableImageView& to);
    StagedCopier& copier();

    const DeviceProperties& device_;
    const Stream& stream_;
    StageRecorder& stages_;
    std::optional<StagedCopier> copier_;
    Event begin_{Event::Kind::timed}, between_{Event::Kind::timed}, end_{Event::Kind::timed};
    DeviceImage d_in_, d_out_;
    PinnedMemory h_in_, h_out_;
    ManagedMemory managed_in_, managed_out_;
    std::unique_ptr<BandTransfer> bands_;
};

}  // namespace tonescope
