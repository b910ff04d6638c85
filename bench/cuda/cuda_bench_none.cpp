// Builds without the CUDA toolkit.
#include "bench/cuda/cuda_bench.h"
#include "gpu/core/error.h"

namespace tonescope::bench {

struct CudaBench::State {};

CudaBench::CudaBench(const Options&) {
    throw DeviceError("this build has no CUDA backend (it was made without the CUDA toolkit)");
}
CudaBench::~CudaBench() = default;
std::string CudaBench::device_name() const {
    return {};
}
std::string CudaBench::cuda_version() const {
    return {};
}
size_t CudaBench::l2_bytes() const {
    return 0;
}
Measured CudaBench::begin(const HostImage&) {
    return {};
}
std::vector<Timing> CudaBench::time_variant(const RunSpec&, const Answer&) {
    return {};
}
std::vector<Measured> CudaBench::time_peers(const RunSpec&, const Answer&) {
    return {};
}
std::vector<Measured> CudaBench::time_histograms() {
    return {};
}
std::vector<Measured> CudaBench::time_transfers() {
    return {};
}

}  // namespace tonescope::bench
