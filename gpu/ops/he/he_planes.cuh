// The image as the kernels of reports B and C take it: gray planes of bytes. A gray image is such a plane as it is. The
// reports have no colors: stages of their own split a color image into planes before the report's stages and join the
// results afterwards. Without nvcc this header is empty, so that the variants' files include it plainly.
#pragma once

#include "gpu/core/registry.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {

/// `stages`: what they take for each pixel of a plane.
inline Work plane_work(const WorkCase& c, Work stages) {
    const int32_t color = c.params.as<Params>().color;
    const double planes = plane_count(c.image, color), in = bytes_per_pixel(c.image.format);
    for (StageWork& stage : stages) stage.amounts = c.pixels() * stage.amounts;
    return work_on_planes(
        c, int(planes), !c.is_gray(), {.bytes = in + planes, .operations = by_color(c, color, 0, 41, 42)},
        {.bytes = in + planes + color_output_bytes<Params>(c), .operations = by_color(c, color, 0, 60, 53)}, stages);
}

}  // namespace tonescope::he

#ifdef __CUDACC__
#include <span>

#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/memory.h"
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
    sink.store(x, first_row + y, Map::result(source.load(x, y), values, ColorMixing()));
}

/// The planes of a job's image: one, or three where red, green and blue are equalized each alone.
struct Planes {
    explicit Planes(CudaJob& job) {
        const int width = job.input_spec.width, height = job.input_spec.height;
        count = plane_count(job.input_spec, job.params.as<Params>().color);
        is_color = job.input_spec.format != PixelFormat::gray8;
        is_result = !is_color && job.output.surface == 0;
        if (!is_result) {
            memory.pitch = aligned_pitch_bytes({width, height, PixelFormat::gray8, false});
            memory.plane_bytes = memory.pitch * size_t(height);
            memory.d_planes = job.scratch.get<uint8_t>("he planes", size_t(count) * memory.plane_bytes);
        }
        for (int k = 0; k < count; ++k) {
            uint8_t* const d_plane = is_result ? job.output.d_data : memory.d_planes + size_t(k) * memory.plane_bytes;
            planes[k] = {.d_in = is_color ? d_plane : job.d_input,
                         .in_pitch = is_color ? memory.pitch : job.input_pitch_bytes,
                         .d_out = d_plane,
                         .out_pitch = is_result ? job.output.pitch_bytes : memory.pitch,
                         .width = width,
                         .height = height};
        }
    }
    std::span<const Plane> all() const { return {planes, size_t(count)}; }
    size_t size_bytes() const { return size_t(count) * planes[0].size_bytes(); }
    PlaneMemory from_row(int first) const {
        return {memory.d_planes + size_t(first) * memory.pitch, memory.pitch, memory.plane_bytes};
    }

    int count;
    bool is_color, is_result;  // the image is split into them; they are the result, and nothing is left to be joined
    PlaneMemory memory = {};
    Plane planes[3] = {};
};

template <class Map>
PitchedSource<typename Map::In> source_from_row(const CudaJob& job, int first) {
    return {job.d_input + size_t(first) * job.input_pitch_bytes, job.input_pitch_bytes};
}

/// Splits some rows of a color image.
inline void split_rows(const CudaJob& job, const Planes& planes, int first, int rows, cudaStream_t stream) {
    const int width = job.input_spec.width;
    if (!planes.is_color) return;
    with_color_map(job.input_spec, job.params.as<Params>().color, [&]<class Map>(Map) {
        const PixelGrid grid(width, rows);
        he_split_kernel<Map><<<grid.grid, grid.block, 0, stream>>>(source_from_row<Map>(job, first), width, rows,
                                                                   planes.from_row(first));
        TONESCOPE_LAUNCHED("he_split_kernel");
    });
}

/// Joins some rows of a color image, and brings those of a gray one to a texture.
inline void join_rows(const CudaJob& job, const Planes& planes, int first, int rows, cudaStream_t stream) {
    const int width = job.input_spec.width;
    if (planes.is_result) return;
    with_color_map(job.input_spec, job.params.as<Params>().color, [&]<class Map>(Map) {
        with_sink<typename Map::Out>(job.output, [&](auto sink) {
            const PixelGrid grid(width, rows);
            he_join_kernel<Map><<<grid.grid, grid.block, 0, stream>>>(source_from_row<Map>(job, first), width, rows,
                                                                      first, planes.from_row(first), sink);
            TONESCOPE_LAUNCHED("he_join_kernel");
        });
    });
}

/// Calls equalize(planes), which queues a report's stages, between stages "split colors" and "join colors" where there
/// is something to split or to join.
template <class Equalize>
void with_planes(CudaJob& job, Equalize&& equalize) {
    const Planes planes(job);
    if (planes.is_color) {
        const auto stage = job.stage("split colors");
        split_rows(job, planes, 0, job.input_spec.height, job.stream);
    }
    equalize(planes);
    if (planes.is_result) return;
    const auto stage = job.stage("join colors");
    join_rows(job, planes, 0, job.input_spec.height, job.stream);
}

}  // namespace tonescope::he
#endif
