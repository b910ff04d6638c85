// Times CUDA variants, copies and peers at kernel level: pixels are where the kernels reach them before a run begins.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/answer.h"
#include "bench/options.h"

namespace tonescope::bench {

class CudaBench {
  public:
    /// Throws DeviceError that says why there is no GPU to use.
    explicit CudaBench(const Options& options);
    ~CudaBench();

    std::string device_name() const;
    std::string cuda_version() const;
    size_t l2_bytes() const;

    /// The image of the following measurements, which must outlive them. Times a copy of as many bytes.
    Measured begin(const HostImage& image);
    /// Throws UserError where the variant refuses the image, and DeviceError.
    std::vector<Timing> time_variant(const RunSpec& spec, const Answer& expected);
    /// What other libraries make of the same, where they do and were found.
    std::vector<Measured> time_peers(const RunSpec& spec, const Answer& expected);
    /// The 256-bin histogram by itself: ours and theirs. Gray images only.
    std::vector<Measured> time_histograms();
    /// Copies between host and device: plain ones, and as the program does them.
    std::vector<Measured> time_transfers();

    struct State;  // bench/cuda/state.h

  private:
    std::unique_ptr<State> state_;
};

}  // namespace tonescope::bench
