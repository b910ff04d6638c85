// CLAHE: one block makes the table of one tile, then one thread a pixel blends four tables.
#include "gpu/ops/clahe/clahe_tiles.cuh"
#include "gpu/ops/clahe/exact/windows.h"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/counted_range.cuh"
#endif

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
constexpr int kThreadsOfTile = 256;  // one a bin
constexpr int kThreadsOfLargeTile = 1024;
constexpr int kLargeTile_px = 256 * 256;

/// Block (tile, plane) makes a table.
template <class Map>
__global__ void clahe_table_simple_kernel(PaddedImage<Map> image, Geometry geometry, uint8_t* d_tables) {
    __shared__ uint32_t s_histogram[256];
    __shared__ uint32_t s_warp_sums[32];
    const int index = int(blockIdx.x), plane = int(blockIdx.y);
    const TileArea tile = tile_area(geometry, index);
    block_clear(s_histogram, 256);
    count_tile(image, tile, plane, s_histogram);

    uint32_t count = threadIdx.x < 256 ? s_histogram[threadIdx.x] : 0;
    count = clip_bin(count, geometry, s_warp_sums);
    const uint32_t cdf = block_inclusive_scan(count, s_warp_sums);
    if (threadIdx.x < 256) d_tables[table_offset(geometry, plane, index) + threadIdx.x] = table_entry(cdf, tile.pixels);
}

// Of images of any depth and range: the histogram of a tile and its sums stand in global memory, and a pixel makes its
// four entries from sums.

constexpr size_t kSums_bytes = size_t{512} << 20;  // that the sums of a band of tiles may take

/// Where the sums of tiles lie: of each tile, plane by plane, word b + 1 is the sum of bin b and those before it, and
/// the last word how many pixels count.
struct TileSums {
    uint32_t* d_sums;
    size_t stride, tiles;  // words of a tile; tiles of a plane
    int first_row;
    int32_t wanted_bins;  // B is this or R, whichever is less
    int32_t left_out;     // the value that does not count, or kNothingLeftOut

    __device__ uint32_t* of(int plane, size_t tile) const { return d_sums + (size_t(plane) * tiles + tile) * stride; }
    __device__ uint32_t& counted(int plane, size_t tile) const { return of(plane, tile)[stride - 1]; }
};

/// Block (tile, plane) makes the sums of a tile.
template <class Map>
__global__ void clahe_simple_sums_kernel(PaddedImage<Map> image, Geometry geometry, RangeSource source, TileSums sums) {
    __shared__ uint32_t s_warp_sums[32];
    const int plane = int(blockIdx.y);
    const TileArea tile = tile_area(geometry, sums.first_row * geometry.columns + int(blockIdx.x));
    const ValueRange range = source.get();
    const uint32_t bins = uint32_t(min(sums.wanted_bins, range.size()));
    uint32_t *const d_sums = sums.of(plane, blockIdx.x), *const d_bins = d_sums + 1;
    for (uint32_t bin = threadIdx.x; bin < bins; bin += blockDim.x) d_bins[bin] = 0;
    if (threadIdx.x == 0) d_sums[0] = 0;
    __syncthreads();
    uint32_t left_out = 0;
    for (uint32_t i = threadIdx.x; i < tile.pixels; i += blockDim.x) {
        const int value = image.value(tile.x + int(i % tile.width), tile.y + int(i / tile.width), plane);
        if (value == sums.left_out)
            ++left_out;
        else
            atomicAdd(&d_bins[bin_of(value, range, int(bins))], 1u);
    }
    __syncthreads();
    const uint32_t counted =
        sums.left_out == kNothingLeftOut ? tile.pixels : tile.pixels - block_sum(left_out, s_warp_sums);
    if (threadIdx.x == 0) sums.counted(plane, blockIdx.x) = counted;

    // Each thread has some neighboring bins.
    const uint32_t share = (bins + blockDim.x - 1) / blockDim.x;
    const uint32_t begin = min(threadIdx.x * share, bins), end = min(begin + share, bins);
    const uint32_t clip = geometry.clips
                              ? uint32_t(min(geometry.clip_at(int(bins), counted, tile.pixels), int64_t{UINT32_MAX}))
                              : UINT32_MAX;
    uint32_t kept = 0;
    for (uint32_t bin = begin; bin < end; ++bin) kept += min(__ldcg(d_bins + bin), clip);
    const uint32_t excess = counted - block_sum(kept, s_warp_sums);
    uint32_t sum = block_inclusive_scan(kept, s_warp_sums) - kept;
    const uint32_t lift = excess / bins, rest = excess % bins;
    for (uint32_t bin = begin; bin < end; ++bin) {
        sum += min(__ldcg(d_bins + bin), clip);
        d_bins[bin] = sum + lift * (bin + 1) + gains_up_to(bin, bins, rest, geometry.excess);
    }
}

/// One thread a pixel, in the rows from y_begin to y_end.
template <class Map, class Sink>
__global__ void clahe_simple_sums_blend_kernel(PitchedSource<typename Map::In> source, Sink sink, int width,
                                               int y_begin, int y_end, ColorMixing mixed, Geometry geometry,
                                               RangeSource range_source, TileSums sums) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = y_begin + int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= y_end) return;
    const ValueRange range = range_source.get();
    const int bins = min(sums.wanted_bins, range.size());
    const Between bx = between(x, geometry.tile_width, geometry.columns);
    const Between by = between(y, geometry.tile_height, geometry.rows);
    const uint64_t width2 = 2 * uint64_t(geometry.tile_width), height2 = 2 * uint64_t(geometry.tile_height);
    const uint64_t right = bx.weight, left = width2 - right, bottom = by.weight, top = height2 - bottom;
    const typename Map::In pixel = source.load(x, y);
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane) {
        const int value = Map::value(pixel, plane);
        values[plane] = value;
        if (value == sums.left_out) continue;
        const int bin = bin_of(value, range, bins);
        const uint32_t place = uint32_t(place_in_bin(value, range, bins, bin));
        const auto entry = [&](int row, int column) {
            const auto of_band = [&](int tile) { return size_t(tile - sums.first_row * geometry.columns); };
            const auto counted = [&](int tile) { return sums.counted(plane, of_band(tile)); };
            int tile = row * geometry.columns + column;
            if (sums.left_out != kNothingLeftOut) tile = tile_for(geometry, tile, counted);
            const uint32_t* d_sums = sums.of(plane, of_band(tile)) + bin;
            const InterpolatedEntry e(d_sums[0], d_sums[1], place, range, counted(tile));
            return range.lo + min(e.numerator / e.denominator, uint64_t(uint32_t(range.hi - range.lo)));
        };
        const uint64_t sum = entry(by.first, bx.first) * left * top + entry(by.first, bx.second) * right * top +
                             entry(by.second, bx.first) * left * bottom + entry(by.second, bx.second) * right * bottom;
        values[plane] = int((sum + width2 * height2 / 2) / (width2 * height2));
    }
    sink.store(x, y, Map::result(pixel, values, mixed));
}

template <class Map>
void run_simple_deep(CudaJob& job, const RangeSource& range) {
    const auto params = job.params.as<Params>();
    const ImageSpec& spec = job.input_spec;
    const Geometry g = make_geometry(spec, params);
    const int32_t most_bins = make_levels(spec, params, full_values(spec)).bins;
    const size_t stride = size_t(most_bins) + 2,
                 row_bytes = stride * sizeof(uint32_t) * size_t(g.columns) * Map::kPlanes;
    const int most_rows = int(std::clamp<size_t>(kSums_bytes / row_bytes, 2, size_t(g.rows) + 1));
    // A tile that counts nothing takes the table of a neighbor, which may lie a row above or below the band.
    const int32_t left_out = params.left_out(spec);
    const int beside = left_out == kNothingLeftOut ? 0 : 1;
    const size_t tiles = size_t(g.columns) * size_t(std::min(most_rows + 2 * beside, g.rows));
    auto* d_sums = job.scratch.get<uint32_t>("clahe simple sums", tiles * stride * Map::kPlanes);
    const PaddedImage<Map> image{source_of<typename Map::In>(job), spec.width, spec.height};
    for_each_band(g, spec.height, most_rows, [&](const TileBand& band) {
        const int first_row = std::max(band.first_row - beside, 0),
                  rows = std::min(band.first_row + band.rows + beside, g.rows) - first_row;
        const TileSums sums{
            d_sums, stride, tiles, first_row, is_deep(spec.format) ? kLeastBins << params.bins : 1 << 16, left_out};
        {
            const auto stage = job.stage("tables");
            const dim3 grid(unsigned(g.columns * rows), Map::kPlanes);
            clahe_simple_sums_kernel<<<grid, kThreadsOfLargeTile, 0, job.stream>>>(image, g, range, sums);
            TONESCOPE_LAUNCHED("clahe_simple_sums_kernel");
        }
        const auto stage = job.stage("blend");
        with_sink<typename Map::Out>(job.output, [&](auto sink) {
            const PixelGrid grid(spec.width, band.y_end - band.y_begin);
            clahe_simple_sums_blend_kernel<Map><<<grid.grid, grid.block, 0, job.stream>>>(
                image.source, sink, spec.width, band.y_begin, band.y_end, mixing_of(job), g, range, sums);
            TONESCOPE_LAUNCHED("clahe_simple_sums_blend_kernel");
        });
    });
}

void run_simple(CudaJob& job) {
    const auto params = job.params.as<Params>();
    if (params.tables == tables_exact) return run_exact_by_pixels(job);
    const int32_t left_out = params.left_out(job.input_spec);
    if (!takes_bytes(job) || left_out != kNothingLeftOut)
        return run_by_sums(job, find_counted_range(job, params.range_choice(), params.color, left_out));
    run_stages(
        job,
        [](const auto& step) {
            const int threads = step.geometry.tile_pixels() < kLargeTile_px ? kThreadsOfTile : kThreadsOfLargeTile;
            clahe_table_simple_kernel<<<step.tile_grid(), unsigned(threads), 0, step.job.stream>>>(
                step.image, step.geometry, step.d_tables);
            TONESCOPE_LAUNCHED("clahe_table_simple_kernel");
        },
        [](const auto& step) { launch_blend(step, dim3(32, 8)); });
}
#endif

const VariantRegistration simple_block_per_tile_variant({
    .op = "clahe",
    .id = "simple",
    .name = "Simple CUDA",
    .follows = "branch-free",
    .any_depth = true,
    .every_value_of = "tables no_data",
    .idea = "One block a tile: its threads count the tile into shared memory, clip, and add up the bins with a "
            "parallel prefix sum; then one thread a pixel blends the four tables around it (with tables=exact, a block "
            "moves a window from pixel to pixel).",
    .cost =
        "The image is read twice and written once; a pixel costs four table look-ups and a division for each value.",
    .flaw = "A few large tiles keep only a few blocks busy, and look-ups in four tables are scattered over memory; "
            "with tables=exact, the threads of a block wait for each other twice at every pixel.",
    .work =
        [](const WorkCase& whole) {
            return work_by_lightness<Params>(whole, [](const WorkCase& c) {
                const int32_t color = c.params.as<Params>().color;
                const double planes = plane_count(c.image, color);
                const auto params = c.params.as<Params>();
                if (params.tables == tables_exact) {
                    const double column = make_geometry(c.image, params).tile_height;
                    return exact_cuda_work(
                        c, {.operations = 30 * column + 4000, .shared_atomics = 4 * column * c.values.turns});
                }
                return pixel_work(c,
                                  {{.operations = by_color(c, color, 40.4, 47.2, 130)},
                                   {.shared_bytes = 23400 * planes, .operations = 70900 * planes}},
                                  {{.operations = by_color(c, color, 129, 142, 202)}, {}});
            });
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_simple>),
});

}  // namespace

#ifdef __CUDACC__
void run_by_sums(CudaJob& job, const RangeSource& range) {
    with_any_color_map(job.input_spec, job.params.as<Params>().color,
                       [&]<class Map>(Map) { run_simple_deep<Map>(job, range); });
}
#endif

}  // namespace tonescope::clahe
