// What is left of the image in a result that takes the place of a part of it (gpu/core/part/result_part.h), on the
// device.
#pragma once

#include <cstdint>

#include "gpu/core/part/result_part.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/check.h"

namespace tonescope {

/// The mask on the device, rows without gaps; null: there is none.
struct PartMask {
    const uint8_t* d_mask;
    int width;
    __device__ int at(int weight, int x, int y) const {
        return d_mask == nullptr ? weight
                                 : RegionWeights::masked(weight, d_mask[size_t(y) * size_t(width) + size_t(x)]);
    }
};

/// The result's pixel blended with the image's, whose luma stays where the result is gray alone.
template <class Pixel>
__device__ Pixel blended_pixel(Pixel result, Pixel image, int weight) {
    if constexpr (sizeof(Pixel) <= 2) {
        return Pixel(blended_sample(result, image, weight));
    } else {
        using Sample = decltype(result.x);
        return {Sample(blended_sample(result.x, image.x, weight)), Sample(blended_sample(result.y, image.y, weight)),
                Sample(blended_sample(result.z, image.z, weight)), result.w};
    }
}
template <class Gray, class Color>
__device__ Gray blended_pixel(Gray result, Color image, int weight) {
    return Gray(blended_sample(result, luma(image.x, image.y, image.z), weight));
}

/// One thread a pixel.
template <class Image, class Result, class Sink>
__global__ void blend_part_kernel(PitchedSource<Image> image, PitchedSource<Result> result, Sink sink, int width,
                                  int height, RegionWeights weights, PartMask mask) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const int weight = mask.at(weights.at(x, y), x, y);
    sink.store(x, y, blended_pixel(result.load(x, y), image.load(x, y), weight));
}

/// Blends `d_result`, the job's result in pitched memory, into `output`.
inline void launch_blend_part(CudaJob& job, const ResultPart& part, const uint8_t* d_mask, const DeviceOutput& made,
                              const DeviceOutput& output) {
    const auto stage = job.stage("region");
    const ImageSpec& spec = job.input_spec;
    const auto launch = [&]<class Image, class Result>(PitchedSource<Image> image, Result) {
        with_sink<Result>(output, [&](auto sink) {
            const PixelGrid grid(spec.width, spec.height);
            blend_part_kernel<<<grid.grid, grid.block, 0, job.stream>>>(
                image, PitchedSource<Result>{made.d_data, made.pitch_bytes}, sink, spec.width, spec.height,
                RegionWeights(part, spec), PartMask{d_mask, spec.width});
            TONESCOPE_LAUNCHED("blend_part_kernel");
        });
    };
    with_any_source(job, [&]<class Image>(PitchedSource<Image> image) {
        if constexpr (sizeof(Image) > 2) {
            using Gray = std::remove_reference_t<decltype(Image{}.x)>;
            if (is_gray(made.spec.format)) return launch(image, Gray{});
        }
        launch(image, Image{});
    });
}

}  // namespace tonescope
