#include "gpu/cuda/counts.h"

#include <algorithm>

#include "gpu/core/histogram.h"
#include "gpu/core/luma.h"
#include "gpu/cuda/block.cuh"
#include "gpu/cuda/lab_words.cuh"
#include "gpu/cuda/pixels.cuh"

namespace tonescope {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocksPerProcessor = 8;

unsigned block_count(const ImageSpec& spec, const DeviceFacts& facts) {
    return unsigned(std::min(spec.height, facts.multiprocessors * kBlocksPerProcessor));
}

__device__ void count_pixel(uint8_t gray, uint32_t* s_counts) {
    atomicAdd(&s_counts[3 * 256 + gray], 1u);
}

__device__ void count_pixel(uchar4 pixel, uint32_t* s_counts) {
    atomicAdd(&s_counts[0 * 256 + pixel.x], 1u);
    atomicAdd(&s_counts[1 * 256 + pixel.y], 1u);
    atomicAdd(&s_counts[2 * 256 + pixel.z], 1u);
    atomicAdd(&s_counts[3 * 256 + luma(pixel.x, pixel.y, pixel.z)], 1u);
}

template <class Source>
__global__ void display_count_kernel(Source source, int width, int height, uint32_t* d_counts) {
    __shared__ uint32_t s_counts[kDisplayCounters];
    block_clear(s_counts, kDisplayCounters);
    for_each_pixel(width, height, [&](int x, int y) { count_pixel(source.load(x, y), s_counts); });
    block_flush(s_counts, kDisplayCounters, d_counts);
}

template <class Pixel>
__global__ void lab_count_kernel(PitchedSource<Pixel> source, int width, int height, uint32_t* d_counts) {
    __shared__ uint32_t s_counts[kLabBins];
    block_clear(s_counts, kLabBins);
    for_each_pixel(width, height, [&](int x, int y) { atomicAdd(&s_counts[lab_word(source.load(x, y))], 1u); });
    block_flush(s_counts, kLabBins, d_counts);
}

template <class Pixel>
void count_display_of(const DeviceOutput& image, uint32_t* d_counts, const DeviceFacts& facts, cudaStream_t stream) {
    const ImageSpec& spec = image.spec;
    const unsigned blocks = block_count(spec, facts);
    if (image.surface != 0) {
        display_count_kernel<<<blocks, kThreads, 0, stream>>>(SurfaceSource<Pixel>{image.surface}, spec.width,
                                                              spec.height, d_counts);
    } else {
        display_count_kernel<<<blocks, kThreads, 0, stream>>>(PitchedSource<Pixel>{image.d_data, image.pitch_bytes},
                                                              spec.width, spec.height, d_counts);
    }
    TONESCOPE_LAUNCHED("display_count_kernel");
}

}  // namespace

void count_display(const DeviceOutput& image, uint32_t* d_counts, const DeviceFacts& facts, cudaStream_t stream) {
    TONESCOPE_CUDA(cudaMemsetAsync(d_counts, 0, kDisplayCounters * sizeof(uint32_t), stream));
    if (image.spec.format == PixelFormat::gray8) {
        count_display_of<uint8_t>(image, d_counts, facts, stream);
    } else {
        count_display_of<uchar4>(image, d_counts, facts, stream);
    }
}

DisplayHistogram display_histogram(const uint32_t* counts, const ImageSpec& spec) {
    DisplayHistogram histogram;
    histogram.has_color = spec.format == PixelFormat::rgba8;
    for (size_t v = 0; v < 256; ++v) {
        for (size_t c = 0; c < 3; ++c) histogram.rgb[c][v] = counts[c * 256 + v];
        histogram.luma[v] = counts[3 * 256 + v];
    }
    return histogram;
}

void count_lab_words(const uint8_t* d_data, size_t pitch_bytes, const ImageSpec& spec, uint32_t* d_counts,
                     const DeviceFacts& facts, cudaStream_t stream) {
    TONESCOPE_CUDA(cudaMemsetAsync(d_counts, 0, kLabBins * sizeof(uint32_t), stream));
    const unsigned blocks = block_count(spec, facts);
    if (spec.format == PixelFormat::gray8) {
        lab_count_kernel<<<blocks, kThreads, 0, stream>>>(PitchedSource<uint8_t>{d_data, pitch_bytes}, spec.width,
                                                          spec.height, d_counts);
    } else {
        lab_count_kernel<<<blocks, kThreads, 0, stream>>>(PitchedSource<uchar4>{d_data, pitch_bytes}, spec.width,
                                                          spec.height, d_counts);
    }
    TONESCOPE_LAUNCHED("lab_count_kernel");
}

}  // namespace tonescope
