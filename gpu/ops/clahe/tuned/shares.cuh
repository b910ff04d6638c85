// Tables of larger tiles: all tiles' rows, one tile after the other, are one long list, of which every block counts an
// equal share. The block that adds a tile's last rows makes its table.
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/kernels/prefetch.cuh"
#include "gpu/cuda/kernels/privatized_counters.cuh"
#include "gpu/cuda/kernels/reciprocal.cuh"
#include "gpu/ops/clahe/tuned/warp_tables.cuh"

namespace tonescope::clahe {

/// What both policies have alike; all three were measured with
///     tonescope_bench --op clahe --variant tuned --format gray --size 4k,24m --set tiles=grid
///         --sweep grid_columns=2,4,8,16 --stages
struct SharePolicy {
    static constexpr int kVectorsInFlight = 2;  // loads of a thread, besides as many that are counted meanwhile
    /// Blocks are large where the image has so many pixels, and a tile too.
    static constexpr int64_t kLargeImage_px = 12'000'000, kLargeTile_px = 100'000;
};
/// Few large tiles: one large block on each multiprocessor, and a copy of each counter for every lane of a warp, so
/// that no two lanes meet in a bank.
struct LargeSharePolicy : SharePolicy {
    static constexpr int kThreads = 1024, kBlocks = 1;
    static constexpr int kReplicas = 32;  // copies of each counter
};
/// Everything else: smaller blocks, which wait for different things.
struct SmallSharePolicy : SharePolicy {
    static constexpr int kThreads = 256, kBlocks = 4;
    static constexpr int kReplicas = 8;
};

struct SharePlan {
    const uint8_t* d_input;
    size_t pitch_bytes;
    int width, height;  // of the image
    Geometry geometry;
    Reciprocal<uint64_t> by_pixels[4];  // 2 A, [2 * (last row) + (last column)]
    int share_rows, longer_shares;      // the first longer_shares blocks have a row more
    uint32_t *d_counters, *d_rows;      // 256 and 1 a block, for the tile that begins there and ends elsewhere
    uint8_t* d_tables;
    LeftOut left_out;

    __device__ int share_begin(int block) const { return block * share_rows + min(block, longer_shares); }
    __device__ int block_of(int row) const {
        const int longer = longer_shares * (share_rows + 1);
        return row < longer ? row / (share_rows + 1) : longer_shares + (row - longer) / max(share_rows, 1);
    }
};

/// A tile in the list of rows.
struct ListedTile {
    int plane, row, column, index;
    int begin, height;  // its first row in the list, and how many it has

    __device__ ListedTile(const Geometry& g, int list_row) {
        const int plane_rows = g.columns * g.padded_height;
        plane = list_row / plane_rows;
        const int in_plane = list_row - plane * plane_rows;
        row = min(in_plane / (g.columns * g.tile_height), g.rows - 1);
        const int row_begin = row * g.columns * g.tile_height;
        height = min(g.tile_height, g.padded_height - row * g.tile_height);
        column = (in_plane - row_begin) / height;
        begin = plane * plane_rows + row_begin + column * height;
        index = (plane * g.rows + row) * g.columns + column;
    }
};

/// Counts a block's part of a tile.
template <class Map, class Policy>
class ShareCounter {
  public:
    static constexpr int kThreads = Policy::kThreads, kReplicas = Policy::kReplicas;
    static constexpr int kPixels = kVector_bytes / int(sizeof(typename Map::In));

    __device__ ShareCounter(const SharePlan& plan, const ColorsOf<Map>& colors, uint32_t* s_words)
        : plan_(plan), colors_(colors), lane_address_(shared_address(s_words + threadIdx.x % kReplicas)) {}

    /// Counts `rows` rows from image row y_begin on between the columns x_begin and x_end, which may lie beyond the
    /// image.
    __device__ void count_area(int x_begin, int x_end, int y_begin, int rows, int plane) const {
        const int x_inside = max(min(x_end, plan_.width), x_begin);
        const int rows_inside = max(0, min(plan_.height - y_begin, rows));
        // Whole vectors, then what they leave at both ends, then what pads the image.
        const int first = min((x_begin + kPixels - 1) / kPixels * kPixels, x_inside);
        const int across = (x_inside - first) / kPixels, last = first + across * kPixels;
        if (across > 0 && rows_inside > 0) count_vectors(first, across, y_begin, rows_inside, plane);
        if (x_begin < first || last < x_inside)
            count_edges(x_begin, first, last, x_inside, y_begin, rows_inside, plane);
        count_padding(x_inside, x_end, y_begin, rows_inside, plane);
        count_padding(x_begin, x_end, y_begin + rows_inside, rows - rows_inside, plane);
    }

  private:
    __device__ void count(const uint32_t* words, int pixel, int plane) const {
        const PackedValue value = packed_value<Map>(colors_, words, pixel, plane);
        count_shared(byte_times(value.word, value.byte, kReplicas * 4, lane_address_));
    }
    __device__ void count_vector(uint4 vector, int plane) const {
        const uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
        for (int i = 0; i < kPixels; ++i) count(words, i, plane);
    }

    /// Counts what pads the image, mirrored pixels, between the columns x_begin and x_end in `rows` rows from y_begin
    /// on.
    __device__ void count_padding(int x_begin, int x_end, int y_begin, int rows, int plane) const {
        const int width = x_end - x_begin, pixels = width > 0 ? width * rows : 0;
        for (int i = int(threadIdx.x); i < pixels; i += kThreads) {
            const int row = i / width, x = x_begin + i - row * width;
            const uint8_t* d_row =
                plan_.d_input + size_t(mirror_index(y_begin + row, plan_.height)) * plan_.pitch_bytes;
            const uint32_t word = load_pixel<Map>(d_row, mirror_index(x, plan_.width));
            count(&word, 0, plane);
        }
    }

    /// Counts `across` whole vectors from column x on, in `rows` rows from y on.
    __device__ void count_vectors(int x, int across, int y, int rows, int plane) const {
        const int row = int(threadIdx.x) / across, step_rows = kThreads / across;
        const int step_columns = kThreads - step_rows * across;
        int column = int(threadIdx.x) - row * across;
        const uint8_t* d_next = plan_.d_input + size_t(y + row) * plan_.pitch_bytes +
                                size_t(x + column * kPixels) * sizeof(typename Map::In);
        const size_t step_bytes = size_t(step_rows) * plan_.pitch_bytes + size_t(step_columns) * kVector_bytes;
        const size_t wrap_bytes = plan_.pitch_bytes - size_t(across) * kVector_bytes;
        const auto load = [&] {
            const uint4 vector = __ldg(reinterpret_cast<const uint4*>(d_next));
            d_next += step_bytes;
            column += step_columns;
            if (column >= across) {
                column -= across;
                d_next += wrap_bytes;
            }
            return vector;
        };
        constexpr int kVectorsInFlight = Policy::kVectorsInFlight;
        int left = across * rows - int(threadIdx.x);  // vectors from the thread's first uncounted one on
        uint4 next[kVectorsInFlight];
#pragma unroll
        for (int i = 0; i < kVectorsInFlight; ++i)
            if (left > i * kThreads) next[i] = load();
        for (; left > (2 * kVectorsInFlight - 1) * kThreads; left -= kVectorsInFlight * kThreads) {
            uint4 now[kVectorsInFlight];
#pragma unroll
            for (int i = 0; i < kVectorsInFlight; ++i) now[i] = next[i];
#pragma unroll
            for (int i = 0; i < kVectorsInFlight; ++i) next[i] = load();
#pragma unroll
            for (int i = 0; i < kVectorsInFlight; ++i) count_vector(now[i], plane);
        }
        for (; left > 0; left -= kThreads) {
            count_vector(next[0], plane);
#pragma unroll
            for (int i = 1; i < kVectorsInFlight; ++i) next[i - 1] = next[i];
            if (left > kVectorsInFlight * kThreads) next[kVectorsInFlight - 1] = load();
        }
    }

    /// Counts what whole vectors leave of every row at both ends, columns `left` to left_end - 1 and `right` to
    /// right_end - 1, less than a vector each: a thread takes one end of a row.
    __device__ void count_edges(int left, int left_end, int right, int right_end, int y, int rows, int plane) const {
        for (int task = int(threadIdx.x); task < 2 * rows; task += kThreads) {
            const bool is_right = task >= rows;
            const int from = is_right ? right : left, to = is_right ? right_end : left_end;
            const int x = from / kPixels * kPixels;  // of the vector that they are part of
            const uint8_t* d_row = plan_.d_input + size_t(y + task - (is_right ? rows : 0)) * plan_.pitch_bytes;
            if (from < to && x + kPixels <= plan_.width) {
                const uint4 vector =
                    __ldg(reinterpret_cast<const uint4*>(d_row + size_t(x) * sizeof(typename Map::In)));
                const uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
                for (int i = 0; i < kPixels; ++i)
                    if (x + i >= from && x + i < to) count(words, i, plane);
            } else {  // what lies behind the image may never have been written
                for (int i = from; i < to; ++i) {
                    const uint32_t word = load_pixel<Map>(d_row, i);
                    count(&word, 0, plane);
                }
            }
        }
    }

    const SharePlan& plan_;
    const ColorsOf<Map>& colors_;
    uint32_t lane_address_;  // of the lane's copy of bin 0
};

/// Asks the L2 cache for the first rows of the block's share.
template <class Map>
__device__ inline void ask_ahead(const SharePlan& plan) {
    constexpr int kLine_bytes = 128, kLines = 192;
    const int begin = plan.share_begin(int(blockIdx.x));
    const ListedTile tile(plan.geometry, begin);
    const int tile_bytes = plan.geometry.tile_width * int(sizeof(typename Map::In));
    const int lines = tile_bytes / kLine_bytes + 1, row = int(threadIdx.x) / lines;
    const int y = tile.row * plan.geometry.tile_height + begin - tile.begin + row;
    const int x_bytes =
        tile.column * tile_bytes / kLine_bytes * kLine_bytes + (int(threadIdx.x) - row * lines) * kLine_bytes;
    if (int(threadIdx.x) < kLines && y < plan.height && size_t(x_bytes) < plan.pitch_bytes)
        prefetch_to_l2(plan.d_input + size_t(y) * plan.pitch_bytes + x_bytes);
}

/// Adds a block's sums to the tile's counters in device memory. True, for every thread, in the block that adds the
/// tile's last rows.
__device__ inline bool add_to_tile(const uint32_t* s_sums, uint32_t* d_counters, uint32_t* d_counted_rows, int rows,
                                   int tile_rows) {
    __shared__ bool s_complete;
    if (threadIdx.x < 256 && s_sums[threadIdx.x] != 0) atomicAdd(&d_counters[threadIdx.x], s_sums[threadIdx.x]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        s_complete = atomicAdd(d_counted_rows, uint32_t(rows)) + uint32_t(rows) == uint32_t(tile_rows);
    __syncthreads();
    return s_complete;
}

__device__ inline void set_bins(uint32_t (&bins)[8], uint4 low, uint4 high) {
    bins[0] = low.x, bins[1] = low.y, bins[2] = low.z, bins[3] = low.w;
    bins[4] = high.x, bins[5] = high.y, bins[6] = high.z, bins[7] = high.w;
}

/// Takes the lane's bins of a tile that several blocks counted; its counters become zero for the next run.
__device__ inline void take_tile_bins(uint32_t* d_counters, uint32_t* d_counted_rows, uint32_t (&bins)[8]) {
    __threadfence();
    auto* d_bins = reinterpret_cast<uint4*>(d_counters + first_bin());
    set_bins(bins, __ldcg(d_bins), __ldcg(d_bins + 1));
    d_bins[0] = d_bins[1] = make_uint4(0, 0, 0, 0);
    if (threadIdx.x == 0) *d_counted_rows = 0;
}

/// Blocks have 256 * Policy::kReplicas words and color_bytes of shared memory.
template <class Map, class Policy>
__global__ void __launch_bounds__(Policy::kThreads, Policy::kBlocks)
    clahe_tuned_share_kernel(const SharePlan plan, const ColorTables<Map> color_tables) {
    constexpr int kWords = 256 * Policy::kReplicas;
    extern __shared__ uint4 s_memory[];
    __shared__ __align__(16) uint32_t s_sums[256];
    auto* const s_words = reinterpret_cast<uint32_t*>(s_memory);
    const Geometry& g = plan.geometry;
    const ColorsOf<Map> colors = block_colors<Map>(s_words + kWords, color_tables, false);
    const ShareCounter<Map, Policy> counter(plan, colors, s_words);
    clear_words(s_words, kWords);
    ask_ahead<Map>(plan);
    pdl_wait_and_trigger();

    const int end = plan.share_begin(int(blockIdx.x) + 1);
    for (int list_row = plan.share_begin(int(blockIdx.x)); list_row < end;) {
        __syncthreads();
        const ListedTile tile(g, list_row);
        const int first = list_row - tile.begin, rows = min(tile.height - first, end - list_row);
        const int x_begin = tile.column * g.tile_width, x_end = min(x_begin + g.tile_width, g.padded_width);
        counter.count_area(x_begin, x_end, tile.row * g.tile_height + first, rows, tile.plane);
        for_each_sum<256, Policy::kReplicas>(s_words, [&](unsigned bin, uint32_t sum) { s_sums[bin] = sum; });
        __syncthreads();
        clear_words(s_words, kWords);

        const int slot = plan.block_of(tile.begin);
        uint32_t* const d_counters = plan.d_counters + size_t(slot) * 256;
        const bool is_whole = rows == tile.height;
        const bool is_complete = is_whole || add_to_tile(s_sums, d_counters, plan.d_rows + slot, rows, tile.height);
        if (is_complete && threadIdx.x < 32) {
            uint32_t bins[8];
            if (is_whole) {
                const auto* s_bins = reinterpret_cast<const uint4*>(s_sums + first_bin());
                set_bins(bins, s_bins[0], s_bins[1]);
            } else {
                take_tile_bins(d_counters, plan.d_rows + slot, bins);
            }
            const bool last_row = tile.row == g.rows - 1, last_column = tile.column == g.columns - 1;
            const Reciprocal<uint64_t> by_pixels = last_row ? (last_column ? plan.by_pixels[3] : plan.by_pixels[2])
                                                            : (last_column ? plan.by_pixels[1] : plan.by_pixels[0]);
            const uint32_t pixels = uint32_t(x_end - x_begin) * uint32_t(tile.height);
            uint8_t* const d_table = plan.d_tables + size_t(tile.index) * 256;
            if (plan.left_out.value == kNothingLeftOut)
                make_table(bins, g, uint32_t(g.clip), pixels, by_pixels, kNothingLeftOut, d_table);
            else
                make_counted_table(bins, g, pixels, plan.left_out, plan.d_tables, d_table);
        }
        list_row += rows;
    }
}

}  // namespace tonescope::clahe
