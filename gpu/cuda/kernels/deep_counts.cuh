// What panels and the histogram lab show of a deep image, counted plainly: 256 bins a curve, and the lab's words.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/core/histogram.h"
#include "gpu/core/luma.h"
#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/device.h"

namespace tonescope {

template <class Pixel_>
struct SurfaceSource {
    using Pixel = Pixel_;
    cudaSurfaceObject_t surface;
    __device__ Pixel load(int x, int y) const { return surf2Dread<Pixel>(surface, x * int(sizeof(Pixel)), y); }
};

/// Red, green, blue and luma, 256 bins each: floor(256 v / (M + 1)). Of a gray image luma alone.
struct DisplayBins {
    static constexpr int kEntries = 4 * 256;
    __device__ static void count(ushort4 pixel, uint32_t levels, uint32_t* s_counts) {
        const uint32_t values[4] = {pixel.x, pixel.y, pixel.z, uint32_t(luma(pixel.x, pixel.y, pixel.z))};
        for (uint32_t curve = 0; curve < 4; ++curve)
            atomicAdd(&s_counts[curve * 256 + 256 * values[curve] / levels], 1u);
    }
    __device__ static void count(uint16_t pixel, uint32_t levels, uint32_t* s_counts) {
        atomicAdd(&s_counts[3 * 256 + 256 * uint32_t{pixel} / levels], 1u);
    }
};

/// The histogram lab's words (gpu/core/histogram.h).
struct WordBins {
    static constexpr int kEntries = kFineBins;
    __device__ static void count(ushort4 pixel, uint32_t levels, uint32_t* s_counts) {
        atomicAdd(&s_counts[4 * (77u * pixel.x + 150u * pixel.y + 29u * pixel.z) / levels], 1u);
    }
    __device__ static void count(uint16_t pixel, uint32_t levels, uint32_t* s_counts) {
        atomicAdd(&s_counts[1024 * uint32_t{pixel} / levels], 1u);
    }
};

/// d_counts: zero before. `levels`: M + 1.
template <class Bins, class Source>
__global__ void deep_counts_kernel(Source source, int width, int height, uint32_t levels, uint32_t* d_counts) {
    __shared__ uint32_t s_counts[Bins::kEntries];
    block_clear(s_counts, Bins::kEntries);
    for_each_pixel(width, height, [&](int x, int y) { Bins::count(source.load(x, y), levels, s_counts); });
    block_flush(s_counts, Bins::kEntries, d_counts);
}

/// Queues counting an image in pitched memory or a surface into Bins::kEntries words. Throws DeviceError.
template <class Bins>
void launch_deep_counts(const DeviceOutput& image, uint32_t* d_counts, const DeviceProperties& device,
                        cudaStream_t stream) {
    constexpr int kBlocksOfMultiprocessor = 8;
    constexpr unsigned kThreads = 256;
    TONESCOPE_CUDA(cudaMemsetAsync(d_counts, 0, Bins::kEntries * sizeof(uint32_t), stream));
    const int width = image.spec.width, height = image.spec.height;
    const auto launch = [&](auto source) {
        const unsigned blocks = unsigned(std::min(height, device.multiProcessorCount * kBlocksOfMultiprocessor));
        deep_counts_kernel<Bins>
            <<<blocks, kThreads, 0, stream>>>(source, width, height, image.spec.max_sample + 1u, d_counts);
        TONESCOPE_LAUNCHED("deep_counts_kernel");
    };
    const auto launch_pixels = [&]<class Pixel>(Pixel) {
        if (image.surface != 0)
            launch(SurfaceSource<Pixel>{image.surface});
        else
            launch(PitchedSource<Pixel>{image.d_data, image.pitch_bytes});
    };
    if (is_gray(image.spec.format))
        launch_pixels(uint16_t{});
    else
        launch_pixels(ushort4{});
}

}  // namespace tonescope
