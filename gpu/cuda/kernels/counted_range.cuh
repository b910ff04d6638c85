// The least and the greatest sample of an image where a value is left out of the histograms, found on the device and
// left there.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/value_range.cuh"

namespace tonescope {

/// d_words: three, zero before and after. d_range: the result, `none` where no sample counts.
template <class Map>
__global__ void counted_range_kernel(PitchedSource<typename Map::In> source, int width, int height, int32_t left_out,
                                     ValueRange none, uint32_t* d_words, ValueRange* d_range) {
    __shared__ uint32_t s_below, s_above;  // 65,535 less the least sample, and the greatest one, each with 1 more
    if (threadIdx.x == 0) s_below = s_above = 0;
    __syncthreads();
    uint32_t below = 0, above = 0;
    const auto add = [&](uint32_t sample) {
        below = max(below, 65536 - sample);
        above = max(above, sample + 1);
    };
    for (int y = int(blockIdx.x); y < height; y += int(gridDim.x)) {
        for (int x = int(threadIdx.x); x < width; x += int(blockDim.x)) {
            const typename Map::In pixel = source.load(x, y);
            for (int plane = 0; plane < Map::kPlanes; ++plane) {
                const int value = Map::value(pixel, plane);
                if (value == left_out) continue;
                if constexpr (Map::kPlanes == 3 || sizeof(pixel) <= 2) {
                    add(uint32_t(value));
                } else {
                    add(pixel.x);
                    add(pixel.y);
                    add(pixel.z);
                }
            }
        }
    }
    atomicMax(&s_below, below);
    atomicMax(&s_above, above);
    __syncthreads();
    if (threadIdx.x != 0) return;
    atomicMax(&d_words[0], s_below);
    atomicMax(&d_words[1], s_above);
    if (add_in_order(&d_words[2], 1) != gridDim.x - 1) return;
    const uint32_t all_below = __ldcg(&d_words[0]), all_above = __ldcg(&d_words[1]);
    *d_range = all_above == 0 ? none : ValueRange{int32_t(65536 - all_below), int32_t(all_above) - 1};
    d_words[0] = d_words[1] = d_words[2] = 0;
}

/// find_range() of the samples that count under `color`: all but those of pixels whose value is `left_out`, where each
/// channel is equalized alone all but those samples.
inline RangeSource find_counted_range(CudaJob& job, int32_t range, int32_t color, int32_t left_out) {
    const ImageSpec& spec = job.input_spec;
    if (left_out < 0 || !takes_used_values(spec, range)) return find_range(job, range);
    const auto stage = job.stage("range");
    auto* d_range = job.scratch.get<ValueRange>("value range", 1);
    uint32_t* d_words = job.scratch.keep<ZeroedWords>("value range words").get(3, job.stream);
    with_any_color_map(spec, color, [&]<class Map>(Map) {
        const int blocks = std::min(spec.height, job.device.multiProcessorCount * 8);
        counted_range_kernel<Map><<<unsigned(blocks), 256, 0, job.stream>>>(
            source_of<typename Map::In>(job), spec.width, spec.height, left_out, full_values(spec), d_words, d_range);
        TONESCOPE_LAUNCHED("counted_range_kernel");
    });
    return {full_values(spec), d_range};
}

}  // namespace tonescope
