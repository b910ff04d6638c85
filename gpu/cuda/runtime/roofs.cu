#include "gpu/cuda/runtime/roofs.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "gpu/core/backend.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/clock.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stream.h"

namespace tonescope {
namespace {

constexpr int kThreads = 1024, kRounds = 5;

// Each kernel writes something that depends on all it did, so that nothing of it is left out.

__global__ void roof_empty_kernel() {}

/// A thread reads 16 bytes at a time.
__global__ void __launch_bounds__(kThreads) roof_shared_kernel(int steps, uint32_t* d_sums) {
    __shared__ uint4 s_words[kThreads];
    s_words[threadIdx.x] = make_uint4(threadIdx.x, 1, 2, 3);
    __syncthreads();
    uint32_t sum = 0;
    unsigned at = threadIdx.x;
    for (int step = 0; step < steps; step += 8) {
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) {
            const uint4 words = s_words[(at + 32 * k) % kThreads];
            sum ^= words.x ^ words.y ^ words.z ^ words.w;
        }
        at += sum & 32;  // whole warps move on, if at all: no two lanes meet in a bank
    }
    d_sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

/// The same from device memory, `d_words` having kThreads times 16 bytes, which each multiprocessor's L1 cache holds.
__global__ void __launch_bounds__(kThreads) roof_l1_kernel(int steps, const uint4* d_words, uint32_t* d_sums) {
    uint32_t sum = 0;
    unsigned at = threadIdx.x;
    for (int step = 0; step < steps; step += 8) {
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) {
            const uint4 words = __ldca(&d_words[(at + 32 * k) % kThreads]);
            sum ^= words.x ^ words.y ^ words.z ^ words.w;
        }
        at += sum & 32;
    }
    d_sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

/// 16 instructions a step, of which no more than two wait for each other.
__global__ void __launch_bounds__(kThreads) roof_operations_kernel(int steps, uint32_t factor, uint32_t* d_sums) {
    uint32_t a[8], b[8];
#pragma unroll
    for (uint32_t k = 0; k < 8; ++k) {
        a[k] = threadIdx.x + k;
        b[k] = threadIdx.x * k;
    }
    for (int step = 0; step < steps; step += 4) {
#pragma unroll
        for (int again = 0; again < 4; ++again) {
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                a[k] = a[k] * factor + b[k];
                b[k] ^= a[k];
            }
        }
    }
    uint32_t sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum ^= b[k];
    d_sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

__global__ void __launch_bounds__(kThreads) roof_shared_atomics_kernel(int steps, uint32_t* d_sums) {
    __shared__ uint32_t s_words[kThreads];
    s_words[threadIdx.x] = 0;
    __syncthreads();
    for (int step = 0; step < steps; step += 8) {
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) atomicAdd(&s_words[(threadIdx.x + 32 * k) % kThreads], 1u);
    }
    __syncthreads();
    d_sums[blockIdx.x * kThreads + threadIdx.x] = s_words[threadIdx.x];
}

/// d_words: 256 counters. Lanes add to words that lie `stride` apart.
__global__ void __launch_bounds__(kThreads) roof_global_atomics_kernel(int steps, unsigned stride, uint32_t* d_words) {
    for (int step = 0; step < steps; ++step)
        atomicAdd(&d_words[(stride * (threadIdx.x + 32 * (blockIdx.x + unsigned(step)))) % 256], 1u);
}

__constant__ uint32_t c_roof_words[256];

__global__ void __launch_bounds__(kThreads) roof_constant_kernel(int steps, uint32_t* d_sums) {
    uint32_t sum = 0;
    unsigned at = threadIdx.x;
    for (int step = 0; step < steps; step += 8) {
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) sum ^= c_roof_words[(at + 32 * k) % 256];
        at += 1 + (sum & 1);
    }
    d_sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

/// d_words: managed memory, `count` times 16 bytes.
__global__ void __launch_bounds__(kThreads) roof_pages_kernel(const uint4* d_words, unsigned count, uint32_t* d_sums) {
    uint32_t sum = 0;
    for (unsigned i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads) sum ^= d_words[i].x;
    d_sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

/// Copies an image in the host's memory, a thread a byte, so that a warp reads and writes 32 bytes in a row.
__global__ void roof_requests_kernel(const uint8_t* d_from, uint8_t* d_to, unsigned pitch) {
    const size_t at = size_t(blockIdx.y * blockDim.y + threadIdx.y) * pitch + blockIdx.x * blockDim.x + threadIdx.x;
    d_to[at] = d_from[at];
}

/// Copies `count` times 16 bytes, `steps` times, between places that the L2 cache holds.
__global__ void __launch_bounds__(kThreads)
    roof_cache_kernel(int steps, const uint4* d_from, uint4* d_to, unsigned count) {
    for (int step = 0; step < steps; ++step)
        for (unsigned i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads)
            __stcg(&d_to[i], __ldcg(&d_from[i]));
}

void do_nothing() {}

/// Times what is queued, all of it ready before it begins.
class Stopwatch {
  public:
    /// The shortest of several times, ms; 0 once `stop` is set. `prepare` is called before each.
    template <class Queue, class Prepare = void (*)()>
    double best_ms(const std::stop_token& stop, Queue&& queue, Prepare&& prepare = do_nothing) {
        double best = 1e9;
        for (int round = 0; round < kRounds; ++round) {
            if (stop.stop_requested()) return 0;
            prepare();
            gate_.close(stream_);
            begin_.record(stream_);
            queue(stream_);
            end_.record(stream_);
            gate_.open();
            end_.synchronize();
            best = std::min(best, double(end_.ms_since(begin_)));
        }
        return best;
    }

  private:
    Stream stream_;
    StreamGate gate_;
    Event begin_{Event::Kind::timed}, end_{Event::Kind::timed};
};

}  // namespace

Roofs measure_roofs(const DeviceProperties& device, std::stop_token stop) {
    constexpr size_t kBus_bytes = size_t{32} << 20;
    const unsigned blocks = unsigned(device.multiProcessorCount * device.maxThreadsPerMultiProcessor / kThreads);
    const double threads = double(blocks) * kThreads;
    const size_t part_bytes = std::max(size_t(device.l2CacheSize) / 8, size_t{1} << 20);
    const DeviceMemory words(size_t(threads) * sizeof(uint32_t)), memory(std::max(2 * part_bytes, kBus_bytes));
    auto* const d_words = words.as<uint32_t>();
    Stopwatch watch;
    /// 10^9 a second of what `queue` does `amount` of.
    const auto rate = [&](double amount, auto&&... queue) {
        const double ms = watch.best_ms(stop, queue...);
        return ms > 0 ? amount / ms * 1e-6 : 0;
    };

    Roofs roofs;
    const auto empty_ms = [&](unsigned count, unsigned size) {
        return watch.best_ms(stop, [&](cudaStream_t stream) {
            roof_empty_kernel<<<count, size, 0, stream>>>();
            TONESCOPE_LAUNCHED("roof_empty_kernel");
        });
    };
    constexpr unsigned kBlocks = 1 << 16;
    roofs.launch_ms = empty_ms(1, 1);
    if (const double ms = empty_ms(kBlocks, 256) - roofs.launch_ms; ms > 0) roofs.blocks_g_s = kBlocks / ms * 1e-6;
    constexpr int kSteps = 4096;
    roofs.shared_gb_s = rate(threads * kSteps * 16, [&](cudaStream_t stream) {
        roof_shared_kernel<<<blocks, kThreads, 0, stream>>>(kSteps, d_words);
        TONESCOPE_LAUNCHED("roof_shared_kernel");
    });
    roofs.l1_gb_s = rate(threads * kSteps * 16, [&](cudaStream_t stream) {
        roof_l1_kernel<<<blocks, kThreads, 0, stream>>>(kSteps, memory.as<uint4>(), d_words);
        TONESCOPE_LAUNCHED("roof_l1_kernel");
    });
    roofs.operations_g_s = rate(threads * kSteps * 16, [&](cudaStream_t stream) {
        roof_operations_kernel<<<blocks, kThreads, 0, stream>>>(kSteps, 0x9e3779b1u, d_words);
        TONESCOPE_LAUNCHED("roof_operations_kernel");
    });
    roofs.shared_atomics_g_s = rate(threads * kSteps, [&](cudaStream_t stream) {
        roof_shared_atomics_kernel<<<blocks, kThreads, 0, stream>>>(kSteps, d_words);
        TONESCOPE_LAUNCHED("roof_shared_atomics_kernel");
    });
    const auto additions_g_s = [&](double amount, int steps, unsigned stride, uint32_t* d_counters) {
        return rate(amount * threads * steps, [&](cudaStream_t stream) {
            roof_global_atomics_kernel<<<blocks, kThreads, 0, stream>>>(steps, stride, d_counters);
            TONESCOPE_LAUNCHED("roof_global_atomics_kernel");
        });
    };
    roofs.global_atomics_g_s = 1e9;
    for (size_t place = 0; place < 8; ++place)
        roofs.global_atomics_g_s = std::min(
            roofs.global_atomics_g_s,
            additions_g_s(1 / 8.0, 64, 1, memory.as<uint32_t>() + place * (kBus_bytes / 8 / sizeof(uint32_t))));
    roofs.word_atomics_g_s = additions_g_s(1, 8, 0, d_words);
    roofs.constant_g_s = rate(threads * 512 * 32, [&](cudaStream_t stream) {
        roof_constant_kernel<<<blocks, kThreads, 0, stream>>>(512, d_words);
        TONESCOPE_LAUNCHED("roof_constant_kernel");
    });
    constexpr int kCopies = 16;
    roofs.cache_bytes = device.l2CacheSize;
    roofs.cache_gb_s = rate(2.0 * kCopies * double(part_bytes), [&](cudaStream_t stream) {
        auto* const d_from = memory.as<uint4>();
        const size_t count = part_bytes / sizeof(uint4);
        roof_cache_kernel<<<blocks, kThreads, 0, stream>>>(kCopies, d_from, d_from + count, unsigned(count));
        TONESCOPE_LAUNCHED("roof_cache_kernel");
    });
    PinnedMemory host;
    host.reserve(kBus_bytes);
    roofs.bus_gb_s = rate(double(kBus_bytes), [&](cudaStream_t stream) {
        TONESCOPE_CUDA(cudaMemcpyAsync(memory.as<void>(), host.as<void>(), kBus_bytes, cudaMemcpyHostToDevice, stream));
    });
    if (device.canMapHostMemory) {
        constexpr unsigned kPitch = 4096, kRows = kBus_bytes / 2 / kPitch;
        constexpr dim3 kBlock{32, 8}, kGrid{kPitch / kBlock.x, kRows / kBlock.y};
        void* d_rows = nullptr;
        TONESCOPE_CUDA(cudaHostGetDevicePointer(&d_rows, host.as<void>(), 0));
        auto* const d_from = static_cast<uint8_t*>(d_rows);
        roofs.bus_requests_g_s = rate(2.0 * kPitch / 32 * kRows, [&](cudaStream_t stream) {
            roof_requests_kernel<<<kGrid, kBlock, 0, stream>>>(d_from, d_from + kPitch * kRows, kPitch);
            TONESCOPE_LAUNCHED("roof_requests_kernel");
        });
    }
    if (device.has_managed_memory()) {
        const ManagedMemory pages(kBus_bytes);
        const auto queue = [&](cudaStream_t stream) {
            roof_pages_kernel<<<blocks, kThreads, 0, stream>>>(pages.as<uint4>(), kBus_bytes / sizeof(uint4), d_words);
            TONESCOPE_LAUNCHED("roof_pages_kernel");
        };
        roofs.pages_gb_s = rate(double(kBus_bytes), queue, [&] { std::memset(pages.as<void>(), 1, kBus_bytes); });
    }
    roofs.memory_gb_s = measure_cuda_copy_gb_s(device.index, stop);
    return roofs;
}

}  // namespace tonescope
