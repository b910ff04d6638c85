// Builds without the CUDA toolkit: there is no interop.
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/present/presenter.h"

namespace tonescope {

std::unique_ptr<Presenter> make_interop_presenter(int, std::string* reason, int) {
    *reason = kNoCudaReason;
    return nullptr;
}

void await_device(int) {
    throw DeviceError(kNoCudaReason);
}

}  // namespace tonescope
