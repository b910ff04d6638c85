// The device memory's bandwidth, by copying within it on a stream of its own.
#include <algorithm>

#include "gpu/core/backend.h"
#include "gpu/cuda/runtime/device.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stream.h"

namespace tonescope {
namespace {

constexpr size_t kMin_bytes = size_t{64} << 20;
constexpr int kRuns = 10;

}  // namespace

double measure_cuda_copy_gb_s(int device, std::stop_token stop) {
    const size_t bytes = std::max(kMin_bytes, 4 * select_device(device).l2_bytes);
    const DeviceMemory from(bytes), to(bytes);
    const Stream stream;
    const Event begin(Event::Kind::timed), end(Event::Kind::timed);
    TONESCOPE_CUDA(cudaMemsetAsync(from.as<void>(), 0, bytes, stream));
    double best_ms = 1e9;
    for (int run = 0; run < kRuns; ++run) {
        if (stop.stop_requested()) return 0;
        begin.record(stream);
        TONESCOPE_CUDA(cudaMemcpyAsync(to.as<void>(), from.as<void>(), bytes, cudaMemcpyDeviceToDevice, stream));
        end.record(stream);
        end.synchronize();
        best_ms = std::min(best_ms, end.ms_since(begin));
    }
    return 2.0 * double(bytes) / best_ms * 1e-6;
}

}  // namespace tonescope
