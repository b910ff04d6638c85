// Builds without the CUDA toolkit.
#include "bench/cuda_lab.h"
#include "gpu/core/error.h"

namespace tonescope::bench {

struct CudaLab::State {};

CudaLab::CudaLab(const Options&) {
    throw DeviceError("this build has no CUDA backend (it was made without the CUDA toolkit)");
}
CudaLab::~CudaLab() = default;
std::string CudaLab::device_name() const {
    return {};
}
std::string CudaLab::cuda_version() const {
    return {};
}
size_t CudaLab::l2_bytes() const {
    return 0;
}
Measured CudaLab::begin(const HostImage&) {
    return {};
}
std::vector<Timing> CudaLab::time_rung(const RunSpec&, const Answer&) {
    return {};
}
std::vector<Measured> CudaLab::time_peers(const RunSpec&, const Answer&) {
    return {};
}
std::vector<Measured> CudaLab::time_histograms() {
    return {};
}
std::vector<Measured> CudaLab::time_transfers() {
    return {};
}

}  // namespace tonescope::bench
