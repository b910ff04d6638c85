#include "gpu/cuda/runtime/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/pages.h"
#include "gpu/core/parallel.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/run_tracer.h"

namespace tonescope {
namespace {

thread_local uint64_t allocation_count = 0;

/// More do not make memory faster.
int memory_threads() {
    constexpr int kMost = 8;
    return std::min(default_cpu_threads(), kMost);
}

/// Large pages that many threads write for the first time and the driver then locks: a quarter of the time that the
/// driver takes to allocate as much. Null where that is not to be had.
void* register_pages(size_t bytes) {
    constexpr size_t kLargePage_bytes = size_t{1} << 21, kSmallPage_bytes = 4096;
    const size_t pages = (bytes + kLargePage_bytes - 1) / kLargePage_bytes;
    void* const data = std::aligned_alloc(kLargePage_bytes, pages * kLargePage_bytes);
    if (data == nullptr) return nullptr;
    prefer_large_pages(data, pages * kLargePage_bytes);
    parallel_for(memory_threads(), int64_t(pages), 1, [&](int64_t page) {
        volatile uint8_t* const first = static_cast<uint8_t*>(data) + size_t(page) * kLargePage_bytes;
        for (size_t i = 0; i < kLargePage_bytes; i += kSmallPage_bytes) first[i] = 0;
    });
    if (cudaHostRegister(data, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable) == cudaSuccess) return data;
    cudaGetLastError();
    std::free(data);
    return nullptr;
}

cudaError_t allocate(MemoryKind kind, void** data, size_t bytes) {
    switch (kind) {
        case MemoryKind::device:
            return cudaMalloc(data, bytes);
        case MemoryKind::pinned:
            return cudaHostAlloc(data, bytes, cudaHostAllocMapped | cudaHostAllocPortable);
        case MemoryKind::managed:
            return cudaMallocManaged(data, bytes, cudaMemAttachGlobal);
    }
    return cudaErrorInvalidValue;
}

}  // namespace

size_t free_device_bytes() {
    size_t free_bytes = 0, total_bytes = 0;
    TONESCOPE_CUDA(cudaMemGetInfo(&free_bytes, &total_bytes));
    return free_bytes;
}

uint64_t allocations() {
    return allocation_count;
}

template <MemoryKind kind>
void Buffer<kind>::reserve(size_t bytes) {
    if (bytes <= size_bytes()) return;
    release();
    if constexpr (kind == MemoryKind::pinned) {
        try {
            check_memory(bytes);
        } catch (const MemoryError& error) {
            throw DeviceMemoryError(std::string("not enough pinned memory: ") + error.what());
        }
    }
    // More managed memory than the card has free can hang it.
    if (kind == MemoryKind::managed && bytes > free_device_bytes() / 10 * 9)
        throw DeviceMemoryError("managed memory: " + memory_text(bytes) + " wanted, " +
                                memory_text(free_device_bytes()) +
                                " free on the GPU; take a smaller image or another --memory");
    ++allocation_count;
    void* data = nullptr;
    if (kind == MemoryKind::pinned && bytes >= kManyPages_bytes) data = register_pages(bytes);
    const bool is_registered = data != nullptr;
    const cudaError_t status = is_registered ? cudaSuccess : allocate(kind, &data, bytes);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        if (kind == MemoryKind::pinned)
            throw DeviceMemoryError("not enough pinned memory: " + memory_text(bytes) + " wanted");
        throw DeviceMemoryError("not enough GPU memory: " + memory_text(bytes) + " wanted, " +
                                memory_text(free_device_bytes()) + " free; take a smaller image or the CPU backend");
    }
    TONESCOPE_CUDA(status);
    data_ = {data, Free{is_registered}};
    size_bytes_ = bytes;
}

template <MemoryKind kind>
void Buffer<kind>::Free::operator()(void* data) const noexcept {
    if (is_registered) {
        const cudaError_t status = cudaHostUnregister(data);
        if (status == cudaErrorHostMemoryNotRegistered)  // the device was reset meanwhile
            cudaGetLastError();
        else
            TONESCOPE_CUDA_LOG(status);
        std::free(data);
    } else if constexpr (kind == MemoryKind::pinned) {
        TONESCOPE_CUDA_LOG(cudaFreeHost(data));
    } else {
        TONESCOPE_CUDA_LOG(cudaFree(data));
    }
}

template class Buffer<MemoryKind::device>;
template class Buffer<MemoryKind::pinned>;
template class Buffer<MemoryKind::managed>;

bool is_pinned(const void* h_data) {
    cudaPointerAttributes attributes{};
    TONESCOPE_CUDA(cudaPointerGetAttributes(&attributes, h_data));
    return attributes.type == cudaMemoryTypeHost;
}

uint8_t* mapped_pointer(const uint8_t* h_data) {
    void* d_pointer = nullptr;
    TONESCOPE_CUDA(cudaHostGetDevicePointer(&d_pointer, const_cast<uint8_t*>(h_data), 0));
    return static_cast<uint8_t*>(d_pointer);
}

size_t aligned_pitch_bytes(const ImageSpec& spec) {
    return (spec.row_bytes() + kPitchAlignment_bytes - 1) / kPitchAlignment_bytes * kPitchAlignment_bytes;
}

void copy_rows(const uint8_t* from, size_t from_pitch_bytes, uint8_t* to, size_t to_pitch_bytes, size_t row_bytes,
               int rows) {
    constexpr size_t kPiece_bytes = size_t{1} << 18;
    const size_t all = size_t(rows), grain = std::max<size_t>(kPiece_bytes / row_bytes, 1);
    const bool is_tight = from_pitch_bytes == row_bytes && to_pitch_bytes == row_bytes;
    const auto copy = [&](int64_t piece) {
        const size_t first = size_t(piece) * grain, end = std::min(all, first + grain);
        if (is_tight) {
            std::memcpy(to + first * row_bytes, from + first * row_bytes, (end - first) * row_bytes);
            return;
        }
        for (size_t y = first; y < end; ++y)
            std::memcpy(to + y * to_pitch_bytes, from + y * from_pitch_bytes, row_bytes);
    };
    RunTracer::on_host(TraceSpan::Kind::staging, row_bytes * all,
                       [&] { parallel_for(memory_threads(), int64_t((all + grain - 1) / grain), 1, copy); });
}

void DeviceImage::reshape(const ImageSpec& new_spec) {
    const size_t new_pitch_bytes = aligned_pitch_bytes(new_spec);
    const size_t bytes = new_pitch_bytes * size_t(new_spec.height);
    if (memory.size_bytes() < bytes) {
        memory.release();
        // Kernels may read what pads the rows: no run depends on bytes that nobody wrote.
        DeviceMemory written(bytes);
        TONESCOPE_CUDA(cudaMemset(written.as<void>(), 0, bytes));
        TONESCOPE_CUDA(cudaStreamSynchronize(nullptr));  // other streams do not wait for the default one
        memory = std::move(written);
    }
    pitch_bytes = new_pitch_bytes;
    spec = new_spec;
}

}  // namespace tonescope
