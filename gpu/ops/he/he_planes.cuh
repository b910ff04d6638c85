// The image as the kernels of reports B and C take it: gray planes of bytes. A gray image is such a plane as it is. The
// reports have no colors: stages of their own split a color image into planes before the report's stages and join the
// results afterwards. Without nvcc this header is empty, so that the variants' files include it plainly.
#pragma once

#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include <span>

#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {

/// One byte a pixel, in and out; both may be the same memory.
struct Plane {
    const uint8_t* d_in;
    size_t in_pitch;  // bytes from row to row
    uint8_t* d_out;
    size_t out_pitch;
    int width, height;

    size_t size_bytes() const { return size_t(width) * size_t(height); }
    /// Some of its rows.
    Plane rows(int first, int count) const {
        return {d_in + size_t(first) * in_pitch, in_pitch, d_out + size_t(first) * out_pitch, out_pitch, width, count};
    }
};

/// Where the planes' pixels lie: d_planes + plane * plane_bytes.
struct PlaneMemory {
    uint8_t* d_planes;
    size_t pitch, plane_bytes;
    __device__ uint8_t& at(int plane, int x, int y) const {
        return d_planes[size_t(plane) * plane_bytes + size_t(y) * pitch + size_t(x)];
    }
};

template <class Map>
__global__ void he_split_kernel(PitchedSource<typename Map::In> source, int width, int height, PlaneMemory planes) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const typename Map::In pixel = source.load(x, y);
    for (int plane = 0; plane < Map::kPlanes; ++plane) planes.at(plane, x, y) = uint8_t(Map::value(pixel, plane));
}

template <class Map, class Sink>
__global__ void he_join_kernel(PitchedSource<typename Map::In> source, int width, int height, int first_row,
                               PlaneMemory planes, Sink sink) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane) values[plane] = planes.at(plane, x, y);
    sink.store(x, first_row + y, Map::result(source.load(x, y), values));
}

/// The planes of a job's image: one, or three where red, green and blue are equalized each alone.
class Planes {
  public:
    explicit Planes(CudaJob& job) : job_(job), count_(plane_count(job.input_spec, color())) {
        const int width = job.input_spec.width, height = job.input_spec.height;
        const bool gray = job.input_spec.format == PixelFormat::gray8;
        is_whole_ = gray && job.output.surface == 0;
        if (!is_whole_) {
            memory_.pitch = aligned_pitch_bytes({width, height, PixelFormat::gray8, false});
            memory_.plane_bytes = memory_.pitch * size_t(height);
            memory_.d_planes = job.scratch.get<uint8_t>("he planes", size_t(count_) * memory_.plane_bytes);
        }
        for (int k = 0; k < count_; ++k) {
            uint8_t* const d_plane = is_whole_ ? job.output.d_data : memory_.d_planes + size_t(k) * memory_.plane_bytes;
            planes_[k] = {.d_in = gray ? job.d_input : d_plane,
                          .in_pitch = gray ? job.input_pitch_bytes : memory_.pitch,
                          .d_out = d_plane,
                          .out_pitch = is_whole_ ? job.output.pitch_bytes : memory_.pitch,
                          .width = width,
                          .height = height};
        }
    }

    std::span<const Plane> all() const { return {planes_, size_t(count_)}; }
    size_t size_bytes() const { return size_t(count_) * planes_[0].size_bytes(); }

    /// Stage "split colors", of color images.
    void split() const {
        if (job_.input_spec.format == PixelFormat::gray8) return;
        const auto stage = job_.stage("split colors", job_.input_bytes() + size_bytes());
        split_rows(0, job_.input_spec.height, job_.stream);
    }
    /// Stage "join colors", of color images and of textures.
    void join() const {
        if (is_whole_) return;
        const auto stage = job_.stage("join colors", job_.input_bytes() + size_bytes() + job_.output_bytes());
        join_rows(0, job_.input_spec.height, job_.stream);
    }
    /// The same for some rows, on any stream, without a stage.
    void split_rows(int first, int count, cudaStream_t stream) const {
        if (job_.input_spec.format == PixelFormat::gray8) return;
        with_color_map(job_.input_spec, color(), [&]<class Map>(Map) {
            const PixelGrid grid(job_.input_spec.width, count);
            he_split_kernel<Map><<<grid.grid, grid.block, 0, stream>>>(source_from<Map>(first), job_.input_spec.width,
                                                                       count, memory_from(first));
            TONESCOPE_LAUNCHED("he_split_kernel");
        });
    }
    void join_rows(int first, int count, cudaStream_t stream) const {
        if (is_whole_) return;
        with_color_map(job_.input_spec, color(), [&]<class Map>(Map) {
            with_sink<typename Map::Out>(job_.output, [&](auto sink) {
                const PixelGrid grid(job_.input_spec.width, count);
                he_join_kernel<Map><<<grid.grid, grid.block, 0, stream>>>(
                    source_from<Map>(first), job_.input_spec.width, count, first, memory_from(first), sink);
                TONESCOPE_LAUNCHED("he_join_kernel");
            });
        });
    }

  private:
    int32_t color() const { return job_.params.as<Params>().color; }
    template <class Map>
    PitchedSource<typename Map::In> source_from(int first_row) const {
        return {job_.d_input + size_t(first_row) * job_.input_pitch_bytes, job_.input_pitch_bytes};
    }
    PlaneMemory memory_from(int first_row) const {
        return {memory_.d_planes + size_t(first_row) * memory_.pitch, memory_.pitch, memory_.plane_bytes};
    }

    CudaJob& job_;
    int count_;
    bool is_whole_;  // the image and the result are the plane
    PlaneMemory memory_ = {};
    Plane planes_[3] = {};
};

/// Calls equalize(planes), which queues a report's stages, between splitting and joining.
template <class Equalize>
void with_planes(CudaJob& job, Equalize&& equalize) {
    const Planes planes(job);
    planes.split();
    equalize(planes);
    planes.join();
}

}  // namespace tonescope::he
#endif
