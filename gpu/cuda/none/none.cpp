// Builds without the CUDA toolkit: the CUDA backend says that it is not there.
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/present/presenter.h"

namespace tonescope {
namespace {
constexpr const char* kReason = "this build has no CUDA backend (it was made without the CUDA toolkit)";
}

std::unique_ptr<Backend> make_cuda_backend(int) {
    throw DeviceError(kReason);
}

double measure_cuda_copy_gb_s(int, std::stop_token) {
    throw DeviceError(kReason);
}

std::unique_ptr<LiveSession> make_cuda_session(std::function<void()>, Presenter&, int) {
    throw DeviceError(kReason);
}

std::unique_ptr<Presenter> make_interop_presenter(int, std::string* reason) {
    *reason = kReason;
    return nullptr;
}

}  // namespace tonescope
