// The kernel of `tuned` for deep images. A block walks down a strip of columns, a batch of rows at a time:
//
//   slide     a thread has a column of pixels and adds the row that enters the boxes, less the one that leaves them
//   evaluate  a warp has a row of the batch; each lane slides a box along eight columns and evaluates it at each
//   choose    a thread has a column of pixels again: of the two boxes beside it, the better one is the better one below
//             this pixel and above the one `radius` rows further down, for which a ring keeps it
//
// Sums of columns, and in their place evaluated boxes, pass through shared memory.
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/ops/kuwahara/tuned/deep_boxes.cuh"

namespace tonescope::kuwahara::tuned {

struct DeepStripPolicy {
    static constexpr int kRows = 8;  // of a batch
    static constexpr int kThreads = 32 * kRows;
    static constexpr int min_blocks(bool color) { return color ? 2 : 3; }  // what bounds registers
    static constexpr int kAtOnce = 4;  // rows whose boxes are chosen without waiting for each other
    static constexpr int kMostRadius = 64;
};
static_assert(DeepStripPolicy::kThreads == 32 * ColumnPlaces::kRun);

/// A strip has kThreads columns of pixels from `radius` before the first that it writes; boxes begin in all but the
/// last `radius`, and pixels have both boxes in all but the last `radius` of these. Strips are cut into segments, a
/// block each. Those of the first and the last strip are shorter, since the image cuts boxes off there, and come first.
struct DeepStripPlan {
    const uint8_t* d_input;
    uint32_t pitch_bytes;
    int width, height, radius;
    int strips, outer_strips;  // across
    int outer_segments, outer_rows, inner_segments, inner_rows;
    BoxMean whole;    // of a box that nothing cuts off
    uint8_t* d_kept;  // rings of all blocks, where they do not fit shared memory

    __host__ __device__ static int box_columns(int radius) {
        return (DeepStripPolicy::kThreads - radius) / ColumnPlaces::kRun * ColumnPlaces::kRun;
    }
    __host__ __device__ static int pixel_columns(int radius) { return box_columns(radius) - radius; }
    int blocks() const { return outer_strips * outer_segments + (strips - outer_strips) * inner_segments; }
    /// Columns or rows of a box from `begin` on that the image has.
    __device__ int inside(int begin, int side) const { return min(begin + radius, side - 1) - max(begin, 0) + 1; }
};

/// What a batch's sums take of shared memory, and a slot of a ring of that or of device memory.
template <class Pixel, bool kWide>
constexpr size_t deep_rows_bytes() {
    return DeepStripPolicy::kRows * DeepSums<sizeof(Pixel) == 8, kWide>::kRow_bytes;
}
template <class Pixel, bool kWide>
constexpr size_t deep_slot_bytes() {
    return DeepBox<sizeof(Pixel) == 8, kWide>::kKept_bytes * DeepStripPolicy::kThreads;
}

/// What a block writes: rows y_begin to y_end - 1 of a strip whose boxes begin at column x.
struct DeepSegment {
    int x, y_begin, y_end;

    __device__ DeepSegment(const DeepStripPlan& plan, int block) {
        const int outer = plan.outer_strips * plan.outer_segments;
        const bool is_outer = block < outer;
        const int segments = is_outer ? plan.outer_segments : plan.inner_segments,
                  rows = is_outer ? plan.outer_rows : plan.inner_rows, index = is_outer ? block : block - outer;
        const int strip = index / segments;
        x = (is_outer ? strip * (plan.strips - 1) : strip + 1) * DeepStripPlan::pixel_columns(plan.radius) -
            plan.radius;
        y_begin = (index - strip * segments) * rows;
        y_end = min(y_begin + rows, plan.height);
    }
};

/// Shared memory: a batch's rows of DeepSums, then the ring where kSharedRing. The ring has `radius` slots of
/// DeepBox::kKept_bytes for each thread.
template <class Pixel, bool kWide, bool kSharedRing, class Sink>
__global__ void __launch_bounds__(DeepStripPolicy::kThreads, DeepStripPolicy::min_blocks(sizeof(Pixel) == 8))
    kuwahara_deep_kernel(const Sink sink, const __grid_constant__ DeepStripPlan plan) {
    constexpr bool kColor = sizeof(Pixel) == 8;
    using Sums = DeepSums<kColor, kWide>;
    using Box = DeepBox<kColor, kWide>;
    constexpr int kRows = DeepStripPolicy::kRows, kThreads = DeepStripPolicy::kThreads, kRun = ColumnPlaces::kRun,
                  kStride = ColumnPlaces::kStride;
    constexpr int kRowLongs = int(Sums::kRow_bytes / 8);
    constexpr uint32_t kSlot_bytes = deep_slot_bytes<Pixel, kWide>();
    extern __shared__ uint4 s_memory[];
    auto* const s_rows = reinterpret_cast<uint64_t*>(s_memory);
    const int radius = plan.radius, width = plan.width, height = plan.height;
    const int column = int(threadIdx.x), lane = column % 32, warp = column / 32;
    const DeepSegment segment(plan, int(blockIdx.x));
    uint8_t* const ring = kSharedRing ? reinterpret_cast<uint8_t*>(s_rows + kRows * kRowLongs)
                                      : plan.d_kept + size_t(blockIdx.x) * (uint32_t(radius) * kSlot_bytes);
    // As a thread that slides and chooses: of the pixel that stands between the boxes of this column.
    const int x_in = segment.x + column, x = x_in + radius, place = ColumnPlaces::of(column);
    const int right_place = ColumnPlaces::of((column + radius) % kThreads);
    const int left_columns = min(x, radius) + 1, right_columns = min(width - 1 - x, radius) + 1;
    const bool has_pixel = column < DeepStripPlan::pixel_columns(radius) && x < width;
    // As a lane that evaluates.
    const bool has_boxes = lane * kRun < DeepStripPlan::box_columns(radius);
    const int run_x = segment.x + lane * kRun;
    const bool is_whole_run = run_x >= 0 && run_x + kRun - 1 + radius < width;

    __shared__ BoxMean s_means[DeepStripPolicy::kMostRadius + 2];  // of boxes of so many columns and radius + 1 rows
    if (column <= radius) s_means[column + 1] = BoxMean(uint32_t((column + 1) * (radius + 1)));

    const bool has_column = x_in >= 0 && x_in < width;
    const uint8_t* const d_column = plan.d_input + ptrdiff_t{x_in} * int(sizeof(Pixel));
    const auto load = [&](int y) -> Pixel {
        if (!has_column || uint32_t(y) >= uint32_t(height)) return Pixel{};
        return *reinterpret_cast<const Pixel*>(d_column + uint64_t(uint32_t(y)) * plan.pitch_bytes);
    };
    // The pixel that the thread writes: for its alpha.
    const auto own = [&](int y) -> Pixel {
        if constexpr (!kColor) return Pixel{};
        return reinterpret_cast<const Pixel*>(d_column + uint64_t(uint32_t(y)) * plan.pitch_bytes)[radius];
    };
    // The rows from y on; those outside the image are black.
    const auto load_rows = [&](int y, Pixel(&pixels)[kRows]) {
        if (y >= 0 && y + kRows <= height && has_column) {
            const uint8_t* const d_first = d_column + uint64_t(uint32_t(y)) * plan.pitch_bytes;
#pragma unroll
            for (int i = 0; i < kRows; ++i)
                pixels[i] = *reinterpret_cast<const Pixel*>(d_first + uint32_t(i) * uint64_t{plan.pitch_bytes});
        } else {
#pragma unroll
            for (int i = 0; i < kRows; ++i) pixels[i] = load(y + i);
        }
    };
    pdl_wait();
    int first_row = segment.y_begin - radius;
    Pixel entering[kRows];
    load_rows(first_row + radius, entering);
    Sums sums;
#pragma unroll 4
    for (int y = first_row - 1; y < segment.y_begin; ++y) sums.slide(load(y), Pixel{});
    uint32_t slot = 0;  // of the ring, in bytes
    for (; first_row < segment.y_end; first_row += kRows) {
        {
            Pixel leaving[kRows];
            load_rows(first_row - 1, leaving);
#pragma unroll
            for (int i = 0; i < kRows; ++i) {
                sums.slide(entering[i], leaving[i]);
                sums.store(s_rows + i * kRowLongs, place);
            }
        }
        if (first_row + kRows < segment.y_end) load_rows(first_row + kRows + radius, entering);
        __syncthreads();
        const int box_row = first_row + warp;
        if (box_row < segment.y_end) {
            uint64_t* const s_row = s_rows + warp * kRowLongs;
            Box boxes[kRun];
            const auto slide_box = [&](auto&& evaluated) {
                Sums box;
                int place_of_run = lane;
                for (int k = (radius + 1) / kRun; k > 0; --k, ++place_of_run)
#pragma unroll
                    for (int i = 0; i < kRun; ++i) box.add(Sums::load(s_row, place_of_run + i * kStride));
#pragma unroll
                for (int i = 0; i < kRun - 1; ++i)
                    if (i < (radius + 1) % kRun) box.add(Sums::load(s_row, place_of_run + i * kStride));
#pragma unroll
                for (int i = 0; i < kRun; ++i) {
                    boxes[i] = evaluated(box, run_x + i);
                    if (i == kRun - 1) break;
                    box.add(Sums::load(s_row, lane + ColumnPlaces::of(i + 1 + radius)));
                    box.subtract(Sums::load(s_row, lane + i * kStride));
                }
            };
            const int rows = plan.inside(box_row, height);
            if (has_boxes && rows == radius + 1) {
                slide_box([&](const Sums& box, int box_x) {
                    BoxMean mean = plan.whole;
                    if (!is_whole_run) mean = s_means[max(plan.inside(box_x, width), 1)];
                    return Box::evaluated(box, mean.n, [&](uint32_t sum) { return mean.of(sum); });
                });
            } else if (has_boxes) {
                slide_box([&](const Sums& box, int box_x) {
                    const uint32_t n = uint32_t(max(plan.inside(box_x, width), 1) * rows);
                    return Box::evaluated(box, n, [&](uint32_t sum) { return rounded_mean(sum, n); });
                });
            }
            __syncwarp();
            if (has_boxes) {
#pragma unroll
                for (int i = 0; i < kRun; ++i) boxes[i].store(s_row, lane + i * kStride);
            }
        }
        __syncthreads();
        // choose_half(left, right) and choose_whole(upper, lower, y) put the better box into the first.
        const auto choose = [&](auto&& choose_half, auto&& choose_whole) {
            constexpr int kAtOnce = DeepStripPolicy::kAtOnce;
#pragma unroll 1
            for (int group = 0; group < kRows; group += kAtOnce) {
                Box halves[kAtOnce];
#pragma unroll
                for (int i = 0; i < kAtOnce; ++i) {
                    const uint64_t* const s_row = s_rows + (group + i) * kRowLongs;
                    halves[i] = Box::load(s_row, place);
                    choose_half(halves[i], Box::load(s_row, right_place));
                }
#pragma unroll
                for (int i = 0; i < kAtOnce; ++i) {
                    const int y = first_row + group + i;
                    if (y >= segment.y_end) break;
                    if (y >= segment.y_begin) {
                        Box best = Box::load_kept(ring + slot, column, kThreads);
                        choose_whole(best, halves[i], y);
                        sink.store(x, y, best.result(own(y)));
                    }
                    halves[i].keep(ring + slot, column, kThreads);
                    slot += kSlot_bytes;
                    if (slot == uint32_t(radius) * kSlot_bytes) slot = 0;
                }
            }
        };
        const bool cuts_rows = first_row < radius || first_row + kRows + radius > height;
        if (has_pixel && left_columns == right_columns && !cuts_rows) {
            choose([](Box& left, const Box& right) { left.keep_below(right); },
                   [](Box& upper, const Box& lower, int) { upper.keep_below(lower); });
        } else if (has_pixel) {
            choose(
                [&](Box& left, const Box& right) {
                    if (!right.is_below(uint32_t(right_columns), left, uint32_t(left_columns))) return;
                    left = right;
                    if (left_columns != right_columns) left.key |= Box::kRight;
                },
                [&](Box& upper, const Box& lower, int y) {
                    const auto pixels = [&](const Box& box, int rows) {
                        return uint32_t(((box.key & Box::kRight) != 0 ? right_columns : left_columns) * rows);
                    };
                    if (lower.is_below(pixels(lower, min(height - 1 - y, radius) + 1), upper,
                                       pixels(upper, min(y, radius) + 1)))
                        upper = lower;
                });
        }
        __syncthreads();
    }
}

}  // namespace tonescope::kuwahara::tuned
