// For variants that overlap copies with kernels themselves.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string_view>

namespace tonescope {

/// Rows whose copy is queued on `stream`.
struct Band {
    int first_row = 0, rows = 0;
    cudaStream_t stream = nullptr;
};
using BandVisit = std::function<void(const Band&)>;

/// Moves a run's pixels in bands, in turns on two streams: while one band travels, kernels work on another. Both wait
/// for the end. Throw DeviceError.
class BandTransfer {
  public:
    virtual ~BandTransfer() = default;
    /// Behind what the job's stream has been given. `visit` queues what reads a band, behind its copy. Adds the stages
    /// "upload", up to the arrival of the last band, and `stage` (a string literal), what `visit` queued that is not
    /// done by then.
    virtual void bring_in(std::string_view stage, const BandVisit& visit) = 0;
    /// `visit` queues what writes a band, before its copy. Adds `stage`, up to the end of the first band, and
    /// "download", the rest.
    virtual void take_out(std::string_view stage, const BandVisit& visit) = 0;
};

}  // namespace tonescope
