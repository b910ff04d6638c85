// What a CUDA variant gets.
#pragma once

#include <cuda_runtime_api.h>

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

/// A variant launches its kernels on `stream` and returns without waiting for them; one with VariantInfo::max_pixels
/// may wait, for it never runs on the UI thread. Rows of pitched memory start at multiples of
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
    /// Pinned memory, for variants that fix the memory mode `overlapped`: they copy h_input to d_input and the output
    /// to h_output themselves. Empty where the pixels are on the device and stay there.
    ImageView h_input = {};
    MutableImageView h_output = {};
    bool live = false;          // a window waits for the result: a variant may refuse what would take long
    std::stop_token stop = {};  // a variant that waits throws Canceled once it is set

    /// Times from here to the end of the scope: `const auto stage = job.stage("table");`
    StageRecorder::Scope stage(std::string_view name) { return stages.stage(name); }
};

}  // namespace tonescope
