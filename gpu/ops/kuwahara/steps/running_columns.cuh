// Sums of columns that slide down the image (McDonnell 1981), and boxes made of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "gpu/ops/kuwahara/steps/boxes.cuh"
#include "gpu/ops/kuwahara/steps/pixel_words.cuh"

namespace tonescope::kuwahara {

inline constexpr int kColumns = 256;  // of a strip: as many as a block has threads
inline constexpr int kBatchRows = 4;  // between two barriers

/// Sums of the columns of one row of boxes, in shared memory. kPacked: two sums share a word, which their sums over a
/// box fit up to radius 15: 16 * 16 * 255 is below 2^16.
template <bool kPacked>
struct ColumnRow {
    uint32_t words[kPacked ? 3 : 5][kColumns];

    __device__ void store(const PixelSums& column) {
        if constexpr (kPacked) {
            words[0][threadIdx.x] = column.red | column.green << 16;
            words[1][threadIdx.x] = column.blue | column.value << 16;
            words[2][threadIdx.x] = column.value_squared;
        } else {
            words[0][threadIdx.x] = column.red;
            words[1][threadIdx.x] = column.green;
            words[2][threadIdx.x] = column.blue;
            words[3][threadIdx.x] = column.value;
            words[4][threadIdx.x] = column.value_squared;
        }
    }
    /// The sums of the box that begins at the thread's column.
    __device__ PixelSums box(int radius) const {
        uint32_t sums[kPacked ? 3 : 5] = {};
        for (int k = int(threadIdx.x); k <= int(threadIdx.x) + radius; ++k)
#pragma unroll
            for (int word = 0; word < (kPacked ? 3 : 5); ++word) sums[word] += words[word][k];
        if constexpr (kPacked)
            return {sums[1] >> 16, sums[2], sums[0] & 0xffff, sums[0] >> 16, sums[1] & 0xffff};
        else
            return {sums[3], sums[4], sums[0], sums[1], sums[2]};
    }
};
inline constexpr int kMaxPackedRadius = 15;

/// A thread's column of pixels and the sums of radius + 1 of them.
class RunningColumn {
  public:
    /// Sums up all but the last of the pixels from row `y` on. x may lie outside the image.
    __device__ RunningColumn(const ColorTask& task, int x, int y) : task_(task), x_(x) {
        for (int k = 0; k < task_.radius; ++k) sums_.add(load<false>(y + k));
    }
    /// Stores the sums from row `y` on and slides down by a row. kInside: all pixels lie inside the image.
    template <bool kInside, bool kPacked>
    __device__ void store_and_slide(int y, ColumnRow<kPacked>& s_row) {
        sums_.add(load<kInside>(y + task_.radius));
        s_row.store(sums_);
        sums_.subtract(load<kInside>(y));
    }

  private:
    template <bool kInside>
    __device__ WordSums load(int y) const {
        WordSums pixel;
        if (kInside || (x_ >= 0 && x_ < task_.width && y >= 0 && y < task_.height))
            pixel.add(pixel_word(task_.d_in[size_t(y) * task_.in_pitch + size_t(x_)]));
        return pixel;
    }

    const ColorTask& task_;
    int x_;
    WordSums sums_;
};

/// Whether all pixels that a strip's boxes need lie inside the image: from column x on, and for rows of boxes from y
/// on, made in whole batches.
__device__ inline bool is_inside(const ColorTask& task, int x, int y, int rows) {
    return task.holds(x, y, kColumns, (rows + kBatchRows - 1) / kBatchRows * kBatchRows + task.radius);
}

/// Rows of a strip: at most 128, fewer where multiprocessors, of which each holds so many blocks, would not have them.
inline int rows_of_strip(const CudaJob& job, int strips_across, int rows, int blocks) {
    constexpr int kMinRows = 16, kMaxRows = 128;
    const int strips_down = std::max(job.device.multiProcessorCount * blocks / strips_across, 1);
    return std::clamp((rows + strips_down - 1) / strips_down, kMinRows, kMaxRows);
}

/// Block (strip across, strip down) of kColumns threads. Boxes begin in all but the last `radius` columns of a strip.
/// kKnowsInside: strips inside the image, whose boxes are all whole, look neither for its borders nor for their pixels.
template <class Scaled, bool kPacked, bool kKnowsInside>
__global__ void __launch_bounds__(kColumns)
    kuwahara_running_boxes_kernel(const __grid_constant__ Boxes<Scaled> boxes, int strip_rows) {
    __shared__ ColumnRow<kPacked> s_rows[kBatchRows];
    const ColorTask& t = boxes.task;
    const int box_columns = kColumns - t.radius, strip_x = int(blockIdx.x) * box_columns - t.radius;
    const int x = strip_x + int(threadIdx.x);  // of the column, and of the box
    const int y_begin = int(blockIdx.y) * strip_rows - t.radius, y_end = min(y_begin + strip_rows, t.height);
    const bool has_box = int(threadIdx.x) < box_columns && x < t.width;

    RunningColumn column(t, x, y_begin);
    const auto walk_down = [&]<bool kInside>(std::bool_constant<kInside>) {
        for (int first_y = y_begin; first_y < y_end; first_y += kBatchRows) {
#pragma unroll
            for (int i = 0; i < kBatchRows; ++i) column.store_and_slide<kInside>(first_y + i, s_rows[i]);
            __syncthreads();
            for (int i = 0; i < kBatchRows && has_box && first_y + i < y_end; ++i)
                boxes.d_boxes[boxes.at(x, first_y + i)] =
                    boxes.template evaluated<kInside>(x, first_y + i, s_rows[i].box(t.radius));
            __syncthreads();
        }
    };
    if (kKnowsInside && is_inside(t, strip_x, y_begin, y_end - y_begin)) {
        walk_down(std::true_type());
    } else {
        walk_down(std::false_type());
    }
}

/// Stages "boxes" and "choose".
template <bool kKnowsInside>
void filter_by_running_sums(CudaJob& job) {
    run_on_colors(job, [&](const ColorTask& t) {
        filter_boxes(job, t, [&]<class Scaled>(const Boxes<Scaled>& boxes) {
            const int box_columns = kColumns - t.radius, across = (boxes.columns + box_columns - 1) / box_columns;
            const int strip_rows = rows_of_strip(job, across, boxes.rows, 8);
            const dim3 grid(unsigned(across), unsigned((boxes.rows + strip_rows - 1) / strip_rows));
            const auto kernel = t.radius <= kMaxPackedRadius
                                    ? &kuwahara_running_boxes_kernel<Scaled, true, kKnowsInside>
                                    : &kuwahara_running_boxes_kernel<Scaled, false, kKnowsInside>;
            kernel<<<grid, kColumns, 0, job.stream>>>(boxes, strip_rows);
            TONESCOPE_LAUNCHED("kuwahara_running_boxes_kernel");
        });
    });
}

}  // namespace tonescope::kuwahara
