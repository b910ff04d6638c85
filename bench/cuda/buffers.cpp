#include "bench/cuda/buffers.h"

#include <algorithm>

#include "gpu/cuda/runtime/check.h"

namespace tonescope::bench {
namespace {
constexpr size_t kMaxBuffers = 1024;
constexpr size_t kBufferAlignment_bytes = 512;
}  // namespace

void Ring::reshape(MemoryMode mode, size_t count, size_t bytes) {
    count_ = count;
    stride_bytes_ = (bytes + kBufferAlignment_bytes - 1) / kBufferAlignment_bytes * kBufferAlignment_bytes;
    const size_t total_bytes = count_ * stride_bytes_;
    switch (mode) {
        case MemoryMode::mapped:
            pinned_.reserve(total_bytes);
            d_base_ = mapped_pointer(pinned_);
            return;
        case MemoryMode::managed:
            managed_.reserve(total_bytes);
            d_base_ = managed_.as<uint8_t>();
            return;
        default:
            device_.reserve(total_bytes);
            d_base_ = device_.as<uint8_t>();
    }
}

void Ring::fill(uint8_t value, cudaStream_t stream) const {
    TONESCOPE_CUDA(cudaMemsetAsync(d_base_, value, count_ * stride_bytes_, stream));
}

size_t buffers_past_cache(size_t run_bytes, size_t l2_bytes) {
    return std::clamp((3 * l2_bytes + run_bytes - 1) / run_bytes, size_t{2}, kMaxBuffers);
}

void load_image(const Ring& ring, const ImageView& image, size_t pitch_bytes, cudaStream_t stream) {
    TONESCOPE_CUDA(cudaMemcpy2DAsync(ring.at(0), pitch_bytes, image.data, image.pitch_bytes, image.spec.row_bytes(),
                                     size_t(image.spec.height), cudaMemcpyDefault, stream));
    for (size_t i = 1; i < ring.count(); ++i)
        TONESCOPE_CUDA(cudaMemcpyAsync(ring.at(i), ring.at(0), ring.stride_bytes(), cudaMemcpyDefault, stream));
    TONESCOPE_CUDA(cudaStreamSynchronize(stream));
}

}  // namespace tonescope::bench
