// CLAHE with `tables` = `exact` on a GPU: what windows count, the entry that a window's sums make, and the order of a
// run, whatever counts the windows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/counted_range.cuh"
#include "gpu/cuda/kernels/short_quotient.cuh"
#include "gpu/ops/clahe/clahe_tiles.cuh"

namespace tonescope::clahe {

/// What the limit leaves of a window's counts.
struct KeptCounts {
    uint32_t all = 0;   // in all bins
    uint32_t upto = 0;  // in the bins up to and with the pixel's
    uint32_t own = 0;   // in that one
};

/// Bins and limit, once a kernel can read the range.
struct WindowLevels {
    ValueRange range;
    uint32_t bins;    // B
    uint32_t clip;    // no bin keeps more; a window's pixels where there is no limit
    uint32_t no_bin;  // in a bin's place for pixels that do not count
};

/// The windows around `rows` rows of pixels, in one plane of an image, and the entries that they make.
struct WindowPlane {
    int width, rows;
    int columns;  // of a row of bins, which reaches as far as the windows do
    Geometry window;
    uint32_t pixels;  // A
    RangeSource range;
    int32_t wanted_bins;            // B is this or R, whichever is less
    int32_t left_out;               // the value that does not count, or kNothingLeftOut
    ShortQuotient by_twice_pixels;  // 2 A
    uint16_t* d_bins;               // the window of pixel (x, y) begins at column x of row y
    uint16_t* d_places;             // place_in_bin() - 1 of each pixel; null where each value has a bin of its own
    uint16_t* d_entries;            // of each pixel

    __device__ const uint16_t* bins_at(int x, int y) const { return d_bins + size_t(y) * size_t(columns) + x; }
    __device__ uint32_t bin_of_pixel(int x, int y) const {
        return *bins_at(x + window.tile_width / 2, y + window.tile_height / 2);
    }
    __device__ WindowLevels levels() const {
        const ValueRange values = range.get();
        const int bins = min(wanted_bins, values.size());
        // Where all words name bins, each value has its own, and only pixels that do not count have that of `left_out`.
        const uint32_t no_bin = bins > UINT16_MAX ? uint32_t(left_out) : UINT16_MAX;
        return {values, uint32_t(bins), window.clips ? uint32_t(min(window.clip_at(bins), int64_t{pixels})) : pixels,
                no_bin};
    }
    /// The limit in a window of whose pixels so many count.
    __device__ uint32_t clip_of(const WindowLevels& levels, uint32_t counted) const {
        if (!window.clips) return pixels;
        return uint32_t(min(window.clip_at(int(levels.bins), counted, pixels), int64_t{pixels}));
    }
    /// Writes the entry of a pixel's value. `counted`: pixels of its window that count; all where none is left out.
    template <bool kLeavesOut>
    __device__ void store_entry(const WindowLevels& levels, uint32_t counted, const KeptCounts& kept, uint32_t bin,
                                int x, int y) const {
        const size_t pixel = size_t(y) * size_t(width) + size_t(x);
        if (kLeavesOut && bin == levels.no_bin) {
            d_entries[pixel] = uint16_t(left_out);
            return;
        }
        const uint32_t excess = counted - kept.all, lift = excess / levels.bins, rest = excess - lift * levels.bins;
        const uint32_t gains = gains_up_to(bin, levels.bins, rest, window.excess);
        const uint32_t upto = kept.upto + lift * (bin + 1) + gains;
        const auto top = uint32_t(levels.range.hi - levels.range.lo);
        uint32_t entry;
        if (d_places == nullptr) {
            const uint64_t numerator = 2 * uint64_t{top} * upto + counted;
            entry = kLeavesOut ? uint32_t(numerator / (2 * counted)) : by_twice_pixels.divide(numerator);
        } else {
            const uint32_t gains_before = bin == 0 ? 0 : gains_up_to(bin - 1, levels.bins, rest, window.excess);
            const uint32_t own = kept.own + lift + gains - gains_before;
            const InterpolatedEntry e(upto - own, upto, uint32_t(d_places[pixel]) + 1, levels.range, counted);
            entry = uint32_t(e.numerator / e.denominator);
        }
        d_entries[pixel] = uint16_t(uint32_t(levels.range.lo) + min(entry, top));
    }
};

/// One thread a bin of a plane, in steps of the grid downwards.
template <class Map>
__global__ void clahe_window_bins_kernel(PitchedSource<typename Map::In> source, int width, int height, int y_begin,
                                         int plane, WindowPlane windows) {
    const int column = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (column >= windows.columns) return;
    const WindowLevels levels = windows.levels();
    const ValueRange range = levels.range;
    const auto bins = int(levels.bins);
    const int x = column - windows.window.tile_width / 2, half_height = windows.window.tile_height / 2;
    const int source_x = mirror_around(x, width), reached = windows.rows + windows.window.tile_height - 1;
    for (int row = int(blockIdx.y * blockDim.y + threadIdx.y); row < reached; row += int(gridDim.y * blockDim.y)) {
        const int y = row - half_height;
        const int value = Map::value(source.load(source_x, mirror_around(y_begin + y, height)), plane);
        const int bin = value == windows.left_out ? int(levels.no_bin)
                        : bins == range.size()    ? value - range.lo
                                                  : bin_of(value, range, bins);
        windows.d_bins[size_t(row) * size_t(windows.columns) + size_t(column)] = uint16_t(bin);
        if (windows.d_places != nullptr && x >= 0 && x < width && y >= 0 && y < windows.rows)
            windows.d_places[size_t(y) * size_t(width) + size_t(x)] =
                uint16_t(place_in_bin(value, range, bins, bin) - 1);
    }
}

/// One thread a pixel, in the rows from y_begin on. d_entries: plane by plane, plane_entries apart.
template <class Map, class Sink>
__global__ void clahe_window_result_kernel(PitchedSource<typename Map::In> source, Sink sink, int width, int rows,
                                           int y_begin, ColorMixing mixed, const uint16_t* d_entries,
                                           size_t plane_entries) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || row >= rows) return;
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane)
        values[plane] = d_entries[size_t(plane) * plane_entries + size_t(row) * size_t(width) + size_t(x)];
    const int y = y_begin + row;
    sink.store(x, y, Map::result(source.load(x, y), values, mixed));
}

/// Stages "bins", "windows" (where count(job, plane, most_bins) launches what calls store_entry() for each pixel) and
/// "pixels", in bands of rows where planes would take too much memory, and for each plane of the image.
template <class Count>
void map_planes_by_windows(CudaJob& job, Count&& count) {
    constexpr size_t kBand_bytes = size_t{1} << 30;
    const auto params = job.params.as<Params>();
    const ImageSpec& spec = job.input_spec;
    const Geometry window = make_geometry(spec, params);
    const int32_t most_bins = make_levels(spec, params, full_values(spec)).bins;
    const bool interpolates = most_bins <= spec.max_sample;
    const int32_t left_out = params.left_out(spec);
    const RangeSource range = find_counted_range(job, params.range_choice(), params.color, left_out);
    with_any_color_map(spec, params.color, [&]<class Map>(Map) {
        const int columns = spec.width + window.tile_width - 1;
        const size_t row_bytes = 2 * (size_t(columns) + size_t(spec.width) * (Map::kPlanes + (interpolates ? 1 : 0)));
        const size_t reach_bytes = 2 * size_t(columns) * size_t(window.tile_height - 1);
        // Rows below and above a band are read again with the next one.
        const int64_t affordable = int64_t((std::max(kBand_bytes, reach_bytes) - reach_bytes) / row_bytes);
        const int most_rows = int(std::clamp<int64_t>(affordable, std::min(spec.height, 1024), spec.height));
        const size_t entries = size_t(spec.width) * size_t(most_rows);
        const size_t bins = size_t(columns) * (size_t(most_rows) + size_t(window.tile_height) - 1);
        auto* const d_entries = job.scratch.get<uint16_t>("clahe window entries", entries * Map::kPlanes);
        WindowPlane plane{
            .width = spec.width,
            .rows = most_rows,
            .columns = columns,
            .window = window,
            .pixels = uint32_t(window.tile_pixels()),
            .range = range,
            .wanted_bins = is_deep(spec.format) ? kLeastBins << params.bins : 1 << 16,
            .left_out = left_out,
            .by_twice_pixels = ShortQuotient(uint32_t(2 * window.tile_pixels())),
            .d_bins = job.scratch.get<uint16_t>("clahe window bins", bins),
            .d_places = interpolates ? job.scratch.get<uint16_t>("clahe window places", entries) : nullptr,
            .d_entries = d_entries};
        const auto source = source_of<typename Map::In>(job);
        for (int y = 0; y < spec.height; y += most_rows) {
            plane.rows = std::min(most_rows, spec.height - y);
            for (int k = 0; k < Map::kPlanes; ++k) {
                plane.d_entries = d_entries + size_t(k) * entries;
                {
                    const auto stage = job.stage("bins");
                    PixelGrid grid(columns, plane.rows + window.tile_height - 1);
                    grid.grid.y = std::min(grid.grid.y, 65535u);
                    clahe_window_bins_kernel<Map>
                        <<<grid.grid, grid.block, 0, job.stream>>>(source, spec.width, spec.height, y, k, plane);
                    TONESCOPE_LAUNCHED("clahe_window_bins_kernel");
                }
                const auto stage = job.stage("windows");
                count(job, plane, most_bins);
            }
            const auto stage = job.stage("pixels");
            with_sink<typename Map::Out>(job.output, [&](auto sink) {
                const PixelGrid grid(spec.width, plane.rows);
                clahe_window_result_kernel<Map><<<grid.grid, grid.block, 0, job.stream>>>(
                    source, sink, spec.width, plane.rows, y, mixing_of(job), d_entries, entries);
                TONESCOPE_LAUNCHED("clahe_window_result_kernel");
            });
        }
    });
}

}  // namespace tonescope::clahe
