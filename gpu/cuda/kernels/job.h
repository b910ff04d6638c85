// What a CUDA variant gets.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <stop_token>
#include <string_view>

#include "gpu/core/image.h"
#include "gpu/core/param.h"
#include "gpu/cuda/runtime/device.h"
#include "gpu/cuda/runtime/scratch.h"
#include "gpu/cuda/runtime/stages.h"

namespace tonescope {

/// Where the result goes: a surface where there is one, else pitched memory. Variants reach it through sinks
/// (pixels.cuh).
struct DeviceOutput {
    uint8_t* d_data = nullptr;
    size_t pitch_bytes = 0;
    cudaSurfaceObject_t surface = 0;
    ImageSpec spec;  // the operator's output_spec
};

/// Rows whose copy is queued on `stream`.
struct Band {
    int first_row = 0, rows = 0;
    cudaStream_t stream = nullptr;
};
using BandVisit = std::function<void(const Band&)>;

/// Moves a run's pixels in bands, in turns on two streams: while one band travels, kernels work on another. Both wait
/// for the end. Throw DeviceError.
struct BandTransfer {
    using Move = std::function<void(std::string_view stage, const BandVisit& visit)>;
    /// Behind what the job's stream has been given. `visit` queues what reads a band, behind its copy. Adds the stages
    /// "upload", up to the arrival of the last band, and `stage` (a string literal), what `visit` queued that is not
    /// done by then.
    Move bring_in;
    /// `visit` queues what writes a band, before its copy. Adds `stage`, up to the end of the first band, and
    /// "download", the rest.
    Move take_out;
};

/// A variant launches its kernels on `stream` and returns without waiting for them; one with VariantInfo::max_pixels,
/// or with bands, may wait, for it never runs on the UI thread. Rows of pitched memory start at multiples of
/// kPitchAlignment_bytes. Input and output do not overlap.
class CudaJob {
  public:
    /// No kernel may have made it: kernels that start early (launch_pdl) read it with __ldg, which needs what does not
    /// change while the kernel runs, and before pdl_wait(). Copies and memsets may, since no kernel starts before them.
    const uint8_t* d_input = nullptr;
    size_t input_pitch_bytes = 0;
    ImageSpec input_spec;
    DeviceOutput output;        // empty for operators that make bins
    uint8_t* d_bins = nullptr;  // kFineBins counters, only for operators that make bins; contents undefined
    ParamBlock params;
    ParamBlock variant_params;
    cudaStream_t stream = nullptr;
    const DeviceProperties& device;
    ScratchArena& scratch;
    StageRecorder& stages;
    BandTransfer bands = {};  // only for variants that fix the memory mode `overlapped` and move the pixels themselves
    bool live = false;        // a window waits for the result: a variant may refuse what would take long
    std::stop_token stop = {};  // a variant that waits throws Canceled once it is set

    /// Times from here to the end of the scope: `const auto stage = job.stage("table");`
    StageRecorder::Scope stage(std::string_view name, uint64_t bytes = 0) { return stages.stage(name, bytes); }
    /// Stage `name` over the input as it comes in, band by band; over all of it, on `stream`, where it is there
    /// already.
    void bring_in(std::string_view name, const BandVisit& visit) {
        if (bands.bring_in) return bands.bring_in(name, visit);
        const auto all = stage(name, input_bytes());
        visit({0, input_spec.height, stream});
    }
    /// Stage `name` over the output, band by band before each leaves; over all of it where it stays.
    void take_out(std::string_view name, const BandVisit& visit) {
        if (bands.take_out) return bands.take_out(name, visit);
        const auto all = stage(name, input_bytes() + output_bytes());
        visit({0, output.spec.height, stream});
    }
    uint64_t input_bytes() const { return input_spec.size_bytes(); }
    uint64_t output_bytes() const { return output.spec.size_bytes(); }
};

}  // namespace tonescope
