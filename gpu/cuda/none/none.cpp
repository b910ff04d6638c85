// Builds without the CUDA toolkit: the CUDA backend says that it is not there.
#include "gpu/core/backend.h"
#include "gpu/core/error.h"

namespace tonescope {

std::unique_ptr<Backend> make_cuda_backend(int) {
    throw DeviceError(kNoCudaReason);
}

double measure_cuda_copy_gb_s(int, std::stop_token) {
    throw DeviceError(kNoCudaReason);
}

std::unique_ptr<LiveSession> make_cuda_session(std::function<void()>, ResultTextures*, int) {
    throw DeviceError(kNoCudaReason);
}

}  // namespace tonescope
