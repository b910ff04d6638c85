// The least and the greatest sample of an image, found on the device and left there: what follows reads them without
// the host's help.
#pragma once

#include <cstdint>

#include "gpu/core/value_range.h"
#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/kernels/vector_walk.cuh"
#include "gpu/cuda/runtime/scratch.h"

namespace tonescope {

/// lo and hi: known before the launch, or in device memory once a kernel before this one has ended.
struct RangeSource {
    ValueRange full;
    const ValueRange* d_used = nullptr;

    __device__ ValueRange get() const {
        if (d_used == nullptr) return full;
        const int2 both = __ldcg(reinterpret_cast<const int2*>(d_used));
        return {both.x, both.y};
    }
};

/// Least and greatest samples of words of pixels, without alpha.
template <class Pixel>
class SampleExtremes {
  public:
    /// The word number `index` of a vector, or of a pixel.
    __device__ void add(uint32_t word, int index) {
        const uint32_t alpha = alpha_bits(index);
        if constexpr (kBytes == 2) {
            least_ = __vminu2(least_, word | alpha);
            greatest_ = __vmaxu2(greatest_, word & ~alpha);
        } else {
            least_ = __vminu4(least_, word | alpha);
            greatest_ = __vmaxu4(greatest_, word & ~alpha);
        }
    }
    __device__ void add(Pixel pixel) {
        if constexpr (sizeof(Pixel) == 8) {
            add(pixel.x | uint32_t(pixel.y) << 16, 0);
            add(pixel.z | uint32_t(pixel.w) << 16, 1);
        } else if constexpr (sizeof(Pixel) == 4) {
            add(pixel.x | uint32_t(pixel.y) << 8 | uint32_t(pixel.z) << 16, 0);
        } else {
            constexpr uint32_t kCopies = kBytes == 2 ? 0x10001u : 0x1010101u;
            add(pixel * kCopies, 0);
        }
    }
    __device__ uint32_t least() const {
        uint32_t least = kMask;
        for (int i = 0; i < 4 / kBytes; ++i) least = min(least, least_ >> (8 * kBytes * i) & kMask);
        return least;
    }
    __device__ uint32_t greatest() const {
        uint32_t greatest = 0;
        for (int i = 0; i < 4 / kBytes; ++i) greatest = max(greatest, greatest_ >> (8 * kBytes * i) & kMask);
        return greatest;
    }

  private:
    static constexpr int kBytes = sizeof(Pixel) == 8 || sizeof(Pixel) == 2 ? 2 : 1;  // of a sample
    static constexpr uint32_t kMask = kBytes == 2 ? 0xffffu : 0xffu;
    __device__ static uint32_t alpha_bits(int index) {
        if constexpr (sizeof(Pixel) == 8) return index % 2 == 1 ? 0xffff0000u : 0;
        return sizeof(Pixel) == 4 ? 0xff000000u : 0;
    }
    uint32_t least_ = ~0u, greatest_ = 0;
};

/// Where the blocks of a launch leave the range that they find together.
struct FoundRange {
    uint32_t* d_words = nullptr;  // three, zero before and after; null: none is looked for
    ValueRange* d_range = nullptr;
    // Where a run expects the range of the one before, which d_range keeps until the new one is found: not zero once
    // they differ.
    uint32_t* d_wrong = nullptr;

    /// Zeros at first, which no run expects.
    static FoundRange expecting(CudaJob& job) {
        uint32_t* const d_kept = job.scratch.keep<ZeroedWords>("expected value range").get(3, job.stream);
        return {job.scratch.keep<ZeroedWords>("value range words").get(3, job.stream),
                reinterpret_cast<ValueRange*>(d_kept), d_kept + 2};
    }
    /// Until add() has left another one. All values where the image cannot have the range of the run before.
    __device__ ValueRange expected(ValueRange full) const {
        const int2 both = __ldcg(reinterpret_cast<const int2*>(d_range));
        return both.y == 0 || both.y > full.hi ? full : ValueRange{both.x, both.y};
    }
    static FoundRange of(CudaJob& job) {
        return {job.scratch.keep<ZeroedWords>("value range words").get(3, job.stream),
                job.scratch.get<ValueRange>("value range", 1)};
    }
    /// Every thread of `blocks` blocks calls, with what it has found, and all values where there is d_wrong. Contains
    /// pdl_wait() and a barrier.
    template <class Pixel>
    __device__ void add(const SampleExtremes<Pixel>& extremes, uint32_t blocks, ValueRange full = {}) const {
        __shared__ uint32_t s_below[32], s_greatest[32];
        const uint32_t lane = threadIdx.x % 32, warps = blockDim.x / 32;
        uint32_t below = warp_max(65535 - extremes.least()), greatest = warp_max(extremes.greatest());
        if (lane == 0) {
            s_below[threadIdx.x / 32] = below;
            s_greatest[threadIdx.x / 32] = greatest;
        }
        __syncthreads();
        if (threadIdx.x >= 32) return;
        below = warp_max(lane < warps ? s_below[lane] : 0);
        greatest = warp_max(lane < warps ? s_greatest[lane] : 0);
        if (lane != 0) return;
        pdl_wait();  // the run before this one may still read d_range
        atomicMax(&d_words[0], below);
        atomicMax(&d_words[1], greatest);
        if (add_in_order(&d_words[2], 1) != blocks - 1) return;
        const ValueRange found{int32_t(65535 - __ldcg(&d_words[0])), int32_t(__ldcg(&d_words[1]))};
        if (d_wrong != nullptr) {
            const ValueRange counted = expected(full);
            *d_wrong = found.lo != counted.lo || found.hi != counted.hi;
        }
        *d_range = found;
        d_words[0] = d_words[1] = d_words[2] = 0;
    }
};

inline constexpr int kRangeThreads = 1024;  // of a block; one block a multiprocessor

template <class Image>
__global__ void __launch_bounds__(kRangeThreads, 1)
    value_range_kernel(Image image, PitchedSource<typename Image::Pixel> source, int width, int height,
                       FoundRange found) {
    using Pixel = typename Image::Pixel;
    pdl_trigger();
    const VectorShare share(image);
    SlotReader<4, Order::forwards, Reread::soon, Image> slots(image, share, 0, share.slots);
    slots.start();
    SampleExtremes<Pixel> extremes;
    slots.for_each([&](uint32_t, uint4 vector, const VectorWalk<Image>&) {
        extremes.add(vector.x, 0);
        extremes.add(vector.y, 1);
        extremes.add(vector.z, 2);
        extremes.add(vector.w, 3);
    });
    constexpr int kPixels = kVector_bytes / int(sizeof(Pixel));
    const int first_of_tail = width / kPixels * kPixels;
    for (int y = int(share.thread); y < height && first_of_tail < width; y += int(share.threads))
        for (int x = first_of_tail; x < width; ++x) extremes.add(source.load(x, y));

    found.add(extremes, gridDim.x);
}

/// Queues the search, as stage "range", where `range` (RangeChoice) asks for it.
inline RangeSource find_range(CudaJob& job, int32_t range) {
    const ImageSpec& spec = job.input_spec;
    RangeSource source{full_values(spec)};
    if (!takes_used_values(spec, range)) return source;
    const auto stage = job.stage("range");
    const FoundRange found = FoundRange::of(job);
    const auto launch = [&]<class Pixel>(PitchedSource<Pixel> pixels) {
        const auto queue = [&]<class Image>(const Image& image) {
            const LaunchShape shape{.blocks = image.blocks(kRangeThreads, job.device.multiProcessorCount),
                                    .threads = kRangeThreads,
                                    .stream = job.stream};
            launch_pdl(job.device, shape, &value_range_kernel<Image>, image, pixels, spec.width, spec.height, found);
        };
        if (LinearVectors<Pixel>::fits(job.input_pitch_bytes, spec.width))
            queue(LinearVectors<Pixel>(job.d_input, spec.width, spec.height));
        else
            queue(PitchedVectors<Pixel>(job.d_input, job.input_pitch_bytes, spec.width, spec.height));
    };
    with_any_source(job, launch);
    source.d_used = found.d_range;
    return source;
}

}  // namespace tonescope
