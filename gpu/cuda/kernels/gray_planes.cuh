// Gray planes for kernels that are there to be read: one byte a pixel, in and out, in plain memory, whatever the image
// and the output are. Color images are taken apart into planes and put together again in stages of their own, "split
// colors" and "join colors", and the latter writes surfaces too. A gray image in plain memory needs neither.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/memory.h"

namespace tonescope {

/// Which pixel of the image stands at a place in a plane as large as the image.
struct SamePlace {
    __device__ int x(int x) const { return x; }
    __device__ int y(int y) const { return y; }
};

/// One thread a pixel of the planes. What pads their rows up to a multiple of 16 pixels becomes zero, so that
/// kernels may read whole vectors.
template <class Map, class Place>
__global__ void split_planes_kernel(PitchedSource<typename Map::In> image, Place place, int width, int height,
                                    uint8_t* d_planes, size_t pitch_bytes) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= (width + 15) / 16 * 16 || y >= height) return;
    for (int plane = 0; plane < Map::kPlanes; ++plane) {
        const size_t row = size_t(plane) * size_t(height) + size_t(y);
        const int value = x < width ? Map::value(image.load(place.x(x), place.y(y)), plane) : 0;
        d_planes[row * pitch_bytes + size_t(x)] = uint8_t(value);
    }
}

/// One thread a pixel of the image. The planes may be larger.
template <class Map, class Sink>
__global__ void join_planes_kernel(PitchedSource<typename Map::In> image, Sink sink, int width, int height,
                                   ColorMixing mixed, const uint8_t* d_planes, size_t pitch_bytes, size_t plane_bytes) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane)
        values[plane] = d_planes[size_t(plane) * plane_bytes + size_t(y) * pitch_bytes + size_t(x)];
    sink.store(x, y, Map::result(image.load(x, y), values, mixed));
}

/// The planes of one run, each with a place for its result.
class GrayPlanes {
  public:
    /// `change.color` is a ColorMode, not color_lab. Planes of width x height pixels, no smaller than the image: the
    /// image itself where it is gray and as large, else stage "split colors".
    template <class Place = SamePlace>
    GrayPlanes(CudaJob& job, const ColorChange& change, int width, int height, Place place = {})
        : job_(job), change_(change), height_(height) {
        const bool same_size = width == job.input_spec.width && height == job.input_spec.height;
        const bool gray = job.input_spec.format == PixelFormat::gray8;
        scratch_pitch_ = aligned_pitch_bytes({width, height, PixelFormat::gray8, false});
        with_color_map(job.input_spec, change.color, [&]<class Map>(Map) {
            count_ = Map::kPlanes;
            if (gray && same_size) {
                d_in_ = job.d_input;
                in_pitch_ = job.input_pitch_bytes;
                return;
            }
            auto* d_planes = job.scratch.get<uint8_t>("gray planes in", scratch_bytes());
            d_in_ = d_planes;
            in_pitch_ = scratch_pitch_;
            const auto stage = job.stage("split colors");
            const PixelGrid grid((width + 15) / 16 * 16, height);
            split_planes_kernel<Map><<<grid.grid, grid.block, 0, job.stream>>>(source_of<typename Map::In>(job), place,
                                                                               width, height, d_planes, scratch_pitch_);
            TONESCOPE_LAUNCHED("split_planes_kernel");
        });
        joins_ = !gray || !same_size || job.output.surface != 0 || change.amount < 100;
        d_out_ = joins_ ? job.scratch.get<uint8_t>("gray planes out", scratch_bytes()) : job.output.d_data;
        out_pitch_ = joins_ ? scratch_pitch_ : job.output.pitch_bytes;
    }

    int count() const { return count_; }
    const uint8_t* d_in(int plane) const { return d_in_ + size_t(plane) * size_t(height_) * in_pitch_; }
    size_t in_pitch_bytes() const { return in_pitch_; }
    uint8_t* d_out(int plane) const { return d_out_ + size_t(plane) * size_t(height_) * out_pitch_; }
    size_t out_pitch_bytes() const { return out_pitch_; }

    /// Stage "join colors", where the results do not stand in the output yet.
    void join() const {
        if (!joins_) return;
        const int width = job_.input_spec.width, height = job_.input_spec.height;
        const auto stage = job_.stage("join colors");
        with_color_map(job_.input_spec, change_.color, [&]<class Map>(Map) {
            with_sink<typename Map::Out>(job_.output, [&](auto sink) {
                const PixelGrid grid(width, height);
                join_planes_kernel<Map><<<grid.grid, grid.block, 0, job_.stream>>>(
                    source_of<typename Map::In>(job_), sink, width, height, ColorMixing(job_.input_spec, change_),
                    d_out_, out_pitch_, size_t(height_) * out_pitch_);
                TONESCOPE_LAUNCHED("join_planes_kernel");
            });
        });
    }

  private:
    size_t scratch_bytes() const { return size_t(count_) * size_t(height_) * scratch_pitch_; }

    CudaJob& job_;
    ColorChange change_;
    int height_, count_ = 1;  // height_: of a plane
    size_t scratch_pitch_ = 0, in_pitch_ = 0, out_pitch_ = 0;
    const uint8_t* d_in_ = nullptr;
    uint8_t* d_out_ = nullptr;
    bool joins_ = false;
};

}  // namespace tonescope
