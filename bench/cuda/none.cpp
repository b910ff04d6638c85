// Builds without the CUDA toolkit.
#include "bench/gpu_bench.h"
#include "gpu/core/error.h"

namespace tonescope::bench {

std::unique_ptr<GpuBench> make_gpu_bench(const Options&) {
    throw DeviceError(kNoCudaReason);
}

}  // namespace tonescope::bench
