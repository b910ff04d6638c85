// How an image gets from host memory to where kernels reach it, and its result back, in every memory mode.
#pragma once

#include <optional>
#include <string_view>

#include "gpu/core/image.h"
#include "gpu/core/registry.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/runtime/device.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stages.h"
#include "gpu/cuda/runtime/stream.h"
#include "gpu/cuda/session/runner.h"
#include "gpu/cuda/session/staged_copier.h"

namespace tonescope {

/// Keeps its buffers from run to run. Functions that copy add their stages and may wait. All throw DeviceError.
class ModeTransfer {
  public:
    /// All three outlive this.
    ModeTransfer(const DeviceProperties& device, const Stream& stream, StageRecorder& stages)
        : device_(device), stream_(stream), stages_(stages) {}

    /// Before a run: throws DeviceMemoryError where the device does not have this mode, or too little memory for it.
    void prepare(MemoryMode mode, const ImageSpec& input, const ImageSpec& output);
    /// Room for an input.
    DevicePixels place_input(MemoryMode mode, const ImageSpec& spec) { return place(in_, mode, spec); }
    /// The same with the input in it.
    DevicePixels bring_in(MemoryMode mode, const ImageView& input);
    DevicePixels place_output(MemoryMode mode, const ImageSpec& spec) { return place(out_, mode, spec); }
    /// What place_output() gave last. Returns when `to` is written, but for the mode `pageable`: then the stream has to
    /// be waited for.
    void take_out(MemoryMode mode, const MutableImageView& to);
    /// For a variant that moves the pixels itself, in the mode `overlapped`: between `input` and place_input(), and
    /// place_output() and `output`.
    BandTransfer bands(const ImageView& input, const MutableImageView& output);

    /// Frees everything. The stream is idle.
    void release() noexcept;

  private:
    /// Memory for the input or the output.
    struct Side {
        DeviceImage device;
        PinnedMemory pinned;
        ManagedMemory managed;
    };
    static DevicePixels place(Side& side, MemoryMode mode, const ImageSpec& spec);
    static std::optional<MutableImageView> on_host(Side& side, MemoryMode mode, const ImageSpec& spec);
    void copy_on_host(std::string_view name, const ImageView& from, const MutableImageView& to);
    void bring_in_bands(const ImageView& input, std::string_view stage, const BandVisit& visit);
    void take_out_bands(const ImageSpec& input, const MutableImageView& output, std::string_view stage,
                        const BandVisit& visit);
    StagedCopier& copier() { return copier_ ? *copier_ : copier_.emplace(); }

    const DeviceProperties& device_;
    const Stream& stream_;
    StageRecorder& stages_;
    std::optional<StagedCopier> copier_;
    Event begin_{Event::Kind::timed}, between_{Event::Kind::timed}, end_{Event::Kind::timed};
    Side in_, out_;
};

}  // namespace tonescope
