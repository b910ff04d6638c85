// Times CUDA variants, copies and peers at kernel level: pixels are where the kernels reach them before a run begins.
#pragma once

#include <memory>

#include "bench/options.h"
#include "bench/results.h"

namespace tonescope::bench {

class GpuBench {
  public:
    virtual ~GpuBench() = default;

    /// "gpu" (its name), "cuda" (the runtime's version) and "l2_bytes".
    virtual Json facts() const = 0;
    /// The image of the following measurements, which must outlive them. Times a copy of as many bytes.
    virtual Rows begin(const HostImage& image) = 0;
    /// Throws UserError where the variant refuses the image, and DeviceError.
    virtual Rows time_variant(const RunSpec& spec, const RunResult& expected, const Subject& subject) = 0;
    /// What other libraries make of the same, where they do and were found.
    virtual Rows time_peers(const RunSpec& spec, const RunResult& expected) = 0;
    /// The 256-bin histogram by itself: ours and theirs. Gray images only.
    virtual Rows time_histograms() = 0;
    /// Copies between host and device: plain ones, and as the program does them.
    virtual Rows time_transfers() = 0;
};

/// Throws DeviceError that says why there is no GPU to use.
std::unique_ptr<GpuBench> make_gpu_bench(const Options& options);

}  // namespace tonescope::bench
