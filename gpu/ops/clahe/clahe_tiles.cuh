// What `simple` and `tuned` share: a tile's pixels, the limit, an entry of a table, the plain blend, and the order of a
// run, for any kind of image. Without nvcc this header is empty, so that the variants' files include it plainly.
#pragma once

#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/color_param.h"

namespace tonescope::clahe {

/// `tables`, `blend`: for a pixel and a tile of all planes together, beyond the bytes of pixels and tables.
inline Work pixel_work(const WorkCase& c, StageAmounts tables, StageAmounts blend) {
    const int32_t color = c.params.as<Params>().color;
    const double planes = plane_count(c.image, color), in = bytes_per_pixel(c.image.format);
    tables.pixel.bytes = in;
    tables.pixel = tables.pixel + planes * addition_by_value(c);
    blend.pixel.bytes = in + color_output_bytes<Params>(c);
    tables.tile.bytes = blend.tile.bytes = 256 * (planes - 1);  // beside the 256 of one plane
    return tile_work(c, 1, tables, blend);
}

}  // namespace tonescope::clahe

#ifdef __CUDACC__
#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/lightness_plane.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/kernels/value_range.cuh"
#include "gpu/cuda/runtime/check.h"

namespace tonescope::clahe {

/// Whether the stages of run_stages serve: those for 256 values, spread over all of 0 to 255.
inline bool takes_bytes(const CudaJob& job) {
    return !is_deep(job.input_spec.format) &&
           !takes_used_values(job.input_spec, job.params.as<Params>().range_choice());
}

/// Any image and range, with or without a value that is left out, but not the lightness of colors: the stages of
/// `simple` that keep sums of counts.
void run_by_sums(CudaJob& job, const RangeSource& range);

inline ColorMixing mixing_of(const CudaJob& job) {
    return {job.input_spec, job.params.as<Params>().change()};
}

/// Some rows of tiles, and the rows of the image that need no other tiles.
struct TileBand {
    int first_row, rows;
    int y_begin, y_end;
};

/// Calls run(band) for bands of at most `most_rows` rows of tiles (2 or more), which make up the image. Neighboring
/// bands share a row of tiles.
template <class Run>
void for_each_band(const Geometry& g, int height, int most_rows, Run&& run) {
    // The center of a row of tiles: from there on, pixels need the row behind it.
    const auto center = [&](int row) { return std::min(int((2 * int64_t{row} + 1) * g.tile_height + 1) / 2, height); };
    for (int first = 0;; first += most_rows - 1) {
        const bool is_last = first + most_rows >= g.rows;
        const TileBand band{first, is_last ? g.rows - first : most_rows, first == 0 ? 0 : center(first),
                            is_last ? height : center(first + most_rows - 1)};
        if (band.y_begin < band.y_end) run(band);
        if (is_last) return;
    }
}

/// floor((2 (hi - lo) (c0 R + (c1 - c0) g) + A R) / (2 A R)), what an interpolated entry lies above lo, as its
/// numerator and its denominator. c0 and c1: sum0 and sum1; g: place.
struct InterpolatedEntry {
    uint64_t numerator, denominator;
    __device__ InterpolatedEntry(uint32_t sum0, uint32_t sum1, uint32_t place, ValueRange range, uint32_t pixels) {
        const uint64_t size = uint32_t(range.size()), all = pixels * size;
        numerator = 2 * uint64_t(uint32_t(range.hi - range.lo)) * (sum0 * size + uint64_t{sum1 - sum0} * place) + all;
        denominator = 2 * all;
    }
};

/// The image and, in grid mode, what pads it: the image mirrored.
template <class Map>
struct PaddedImage {
    PitchedSource<typename Map::In> source;
    int width, height;  // of the image itself

    __device__ int value(int x, int y, int plane) const {
        if (x >= width) x = mirror_index(x, width);
        if (y >= height) y = mirror_index(y, height);
        return Map::value(source.load(x, y), plane);
    }
};

/// The part of the padded image that a tile covers.
struct TileArea {
    int x, y;
    uint32_t width, height, pixels;  // pixels: A, below 2^30
};
__device__ inline TileArea tile_area(const Geometry& geometry, int tile) {
    const int x = tile % geometry.columns * geometry.tile_width;
    const int y = tile / geometry.columns * geometry.tile_height;
    const uint32_t width = uint32_t(min(geometry.tile_width, geometry.padded_width - x));
    const uint32_t height = uint32_t(min(geometry.tile_height, geometry.padded_height - y));
    return {x, y, width, height, width * height};
}

/// The threads of a block count a tile together, each into the histogram in shared memory that it names. Ends with a
/// barrier.
template <class Map>
__device__ void count_tile(const PaddedImage<Map>& image, const TileArea& tile, int plane, uint32_t* s_histogram) {
    for (uint32_t i = threadIdx.x; i < tile.pixels; i += blockDim.x) {
        const int x = tile.x + int(i % tile.width), y = tile.y + int(i / tile.width);
        atomicAdd(&s_histogram[image.value(x, y, plane)], 1u);
    }
    __syncthreads();
}

/// How many of the bins up to this one gain 1 of the rest of the excess, which is less than `bins`.
__device__ inline uint32_t gains_up_to(uint32_t bin, uint32_t bins, uint32_t rest, Excess excess) {
    if (rest == 0 || excess == excess_drop) return 0;
    if (excess == excess_evenly) return (bin + 1) * rest / bins;
    return min(rest, bin / max(bins / rest, 1u) + 1);
}

/// Clips one tile's histogram and spreads the excess. Every thread of the block calls; threads from 256 on have no bin
/// and pass 0. Returns the thread's bin afterwards. s_warp_sums: 32 words, free again on return.
__device__ inline uint32_t clip_bin(uint32_t count, const Geometry& geometry, uint32_t* s_warp_sums) {
    if (!geometry.clips) return count;
    const uint32_t clip = uint32_t(geometry.clip);
    const uint32_t excess = block_sum(count > clip ? count - clip : 0, s_warp_sums);
    const unsigned bin = threadIdx.x;
    if (bin >= 256) return 0;
    count = min(count, clip) + excess / 256;
    const uint32_t before = bin == 0 ? 0 : gains_up_to(bin - 1, 256, excess % 256, geometry.excess);
    return count + gains_up_to(bin, 256, excess % 256, geometry.excess) - before;
}

/// The entry that the inclusive sum `cdf` makes in the table of a tile of `pixels`.
__device__ inline uint8_t table_entry(uint64_t cdf, uint32_t pixels) {
    return uint8_t(min((510 * cdf + pixels) / (2 * uint64_t(pixels)), uint64_t(255)));
}

/// Tables stand plane by plane, tile by tile.
__device__ inline size_t table_offset(const Geometry& geometry, int plane, int tile) {
    return (size_t(plane) * size_t(geometry.columns) * size_t(geometry.rows) + size_t(tile)) * 256;
}

/// Which two tables a coordinate lies between along one axis; `weight` of the second one, in parts of 2 * tile_px.
struct Between {
    int first, second;
    uint32_t weight;
};
__device__ inline Between between(int position, int tile_px, int tiles) {
    const uint32_t shifted = 2 * uint32_t(position) + uint32_t(tile_px);  // u + 2 T: never negative
    const int second = int(shifted / (2 * uint32_t(tile_px)));
    return {max(second - 1, 0), min(second, tiles - 1), shifted % (2 * uint32_t(tile_px))};
}

/// One thread a pixel. Wide holds 255 * 4 Tx Ty + 2 Tx Ty.
template <class Map, class Wide, class Sink>
__global__ void clahe_blend_kernel(PitchedSource<typename Map::In> source, Sink sink, int width, int height,
                                   ColorMixing mixed, Geometry geometry, const uint8_t* __restrict__ d_tables) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const Between bx = between(x, geometry.tile_width, geometry.columns);
    const Between by = between(y, geometry.tile_height, geometry.rows);
    const Wide width2 = 2 * Wide(geometry.tile_width), height2 = 2 * Wide(geometry.tile_height);
    const Wide right = bx.weight, left = width2 - right, bottom = by.weight, top = height2 - bottom;
    const size_t columns = size_t(geometry.columns);
    const size_t row1 = by.first * columns, row2 = by.second * columns;

    const typename Map::In pixel = source.load(x, y);
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane) {
        const uint8_t* d_entry = d_tables + table_offset(geometry, plane, 0) + Map::value(pixel, plane);
        const Wide sum =
            d_entry[(row1 + bx.first) * 256] * (left * top) + d_entry[(row1 + bx.second) * 256] * (right * top) +
            d_entry[(row2 + bx.first) * 256] * (left * bottom) + d_entry[(row2 + bx.second) * 256] * (right * bottom);
        values[plane] = int((sum + width2 * height2 / 2) / (width2 * height2));
    }
    sink.store(x, y, Map::result(pixel, values, mixed));
}

/// What the two stages of a run get.
template <class Map>
struct Step {
    CudaJob& job;
    Geometry geometry;
    PaddedImage<Map> image;
    uint8_t* d_tables;

    /// A block for each tile and plane. Tiles may number millions: only a grid's x holds that many.
    dim3 tile_grid() const { return {unsigned(geometry.columns) * unsigned(geometry.rows), Map::kPlanes}; }
};

template <class Map>
void launch_blend(const Step<Map>& step, dim3 block) {
    const CudaJob& job = step.job;
    const PaddedImage<Map>& image = step.image;
    with_sink<typename Map::Out>(job.output, [&]<class Sink>(Sink sink) {
        const PixelGrid grid(image.width, image.height, block);
        const bool narrow = (255 * 4 + 2) * step.geometry.tile_pixels() <= int64_t{UINT32_MAX};
        const auto kernel =
            narrow ? &clahe_blend_kernel<Map, uint32_t, Sink> : &clahe_blend_kernel<Map, uint64_t, Sink>;
        kernel<<<grid.grid, grid.block, 0, job.stream>>>(image.source, sink, image.width, image.height, mixing_of(job),
                                                         step.geometry, step.d_tables);
        TONESCOPE_LAUNCHED("clahe_blend_kernel");
    });
}

/// The two stages of a run: tables(step) fills step.d_tables, blend(step) writes the output.
template <class Tables, class Blend>
void run_stages(CudaJob& job, Tables&& tables, Blend&& blend) {
    const auto params = job.params.as<Params>();
    with_color_map(job.input_spec, params.color, [&]<class Map>(Map) {
        const Geometry geometry = make_geometry(job.input_spec, params);
        const size_t table_bytes = size_t(Map::kPlanes) * size_t(geometry.columns) * size_t(geometry.rows) * 256;
        const Step<Map> step{.job = job,
                             .geometry = geometry,
                             .image = {source_of<typename Map::In>(job), job.input_spec.width, job.input_spec.height},
                             .d_tables = job.scratch.get<uint8_t>("clahe tables", table_bytes)};
        {
            const auto stage = job.stage("tables");
            tables(step);
        }
        const auto stage = job.stage("blend");
        blend(step);
    });
}

}  // namespace tonescope::clahe
#endif
