// A part of an image on the device: cut out before an operator filters it, and put back behind it
// (gpu/core/part/result_part.h).
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/core/part/result_part.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/check.h"

namespace tonescope {

/// The mask on the device. d_mask null: there is none.
struct PartMask {
    const uint8_t* d_mask;
    size_t pitch_bytes;
    bool inverse;
    __device__ int weight(int of_region, int x, int y) const {
        if (d_mask == nullptr || of_region == 0) return of_region;
        const int value = d_mask[size_t(y) * pitch_bytes + size_t(x)];
        return RegionWeights::masked(of_region, inverse ? RegionWeights::kWhole - value : value);
    }
};

/// What stands at a pixel of the image: of a color its luma where the result is gray.
template <class Result, class Image>
__device__ Result kept_pixel(Image image) {
    if constexpr (std::is_same_v<Result, Image>)
        return image;
    else
        return Result(luma(image.x, image.y, image.z));
}

template <class Pixel>
__device__ Pixel blended_pixel(Pixel result, Pixel image, int weight) {
    if constexpr (std::is_integral_v<Pixel>) {
        return Pixel(blended_sample(result, image, weight));
    } else {
        using Sample = decltype(result.x);
        return {Sample(blended_sample(result.x, image.x, weight)), Sample(blended_sample(result.y, image.y, weight)),
                Sample(blended_sample(result.z, image.z, weight)), result.w};
    }
}

/// One thread a pixel of the image. `made` begins at the region's corner.
template <class Image, class Result, class Sink>
__global__ void put_back_kernel(PitchedSource<Image> image, PitchedSource<Result> made, Sink sink, RegionWeights region,
                                PartMask mask) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= region.width || y >= region.height) return;
    const int weight = mask.weight(region.at(x, y), x, y);
    Result pixel;
    if (weight == RegionWeights::kWhole)
        pixel = made.load(x - region.left, y - region.top);
    else if (weight == 0)
        pixel = kept_pixel<Result>(image.load(x, y));
    else
        pixel = blended_pixel(made.load(x - region.left, y - region.top), kept_pixel<Result>(image.load(x, y)), weight);
    sink.store(x, y, pixel);
}

/// Queues `made`, what a variant made of the region of the job's input, into the job's output.
inline void launch_put_back(CudaJob& job, const RegionWeights& region, const PartMask& mask, const DeviceOutput& made) {
    const auto stage = job.stage("put back");
    with_any_source(job, [&]<class Image>(PitchedSource<Image> image) {
        const auto launch = [&]<class Result>(std::type_identity<Result>) {
            with_sink<Result>(job.output, [&](auto sink) {
                const PixelGrid grid(region.width, region.height);
                put_back_kernel<<<grid.grid, grid.block, 0, job.stream>>>(
                    image, PitchedSource<Result>{made.d_data, made.pitch_bytes}, sink, region, mask);
                TONESCOPE_LAUNCHED("put_back_kernel");
            });
        };
        if constexpr (!std::is_integral_v<Image>) {
            if (is_gray(made.spec.format)) return launch(std::type_identity<decltype(Image::x)>{});
        }
        launch(std::type_identity<Image>{});
    });
}

}  // namespace tonescope
