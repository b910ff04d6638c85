// Kuwahara filter, after report E: sums slide down (McDonnell 1981). A thread has a column of pixels and keeps the sums
// of the radius + 1 pixels from a row on: for the next row it subtracts the pixel that leaves them and adds the one
// that enters. A box is the sum of radius + 1 such columns, which its thread finds in shared memory, so that the time
// grows with the radius and no longer with its square. A block walks down a strip in batches of rows, for a barrier has
// to stand between writing the columns' sums and adding them up.
#include "gpu/ops/kuwahara/color_frame.cuh"
#ifdef __CUDACC__
#include "gpu/ops/kuwahara/steps/boxes.cuh"
#endif

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
constexpr int kColumns = 256;    // of a strip, one a thread; boxes begin in all but the last `radius`
constexpr int kBatchRows = 4;    // between two barriers
constexpr int kStripRows = 128;  // of boxes

/// Block (strip across, strip down) of kColumns threads. kPacked: two sums of a column share a word, which their sums
/// over a box fit up to radius 15.
template <class Scaled, bool kPacked>
__global__ void __launch_bounds__(kColumns) kuwahara_running_boxes_kernel(const __grid_constant__ Boxes<Scaled> boxes) {
    constexpr int kWords = kPacked ? 3 : 5;
    __shared__ uint32_t s_sums[kBatchRows][kWords][kColumns];
    const ColorTask& t = boxes.task;
    const int box_columns = kColumns - t.radius;
    const int x = int(blockIdx.x) * box_columns - t.radius + int(threadIdx.x);  // of the column, and of the box
    const int y_begin = int(blockIdx.y) * kStripRows - t.radius, y_end = min(y_begin + kStripRows, t.height);
    const bool has_column = x >= 0 && x < t.width, has_box = int(threadIdx.x) < box_columns && x < t.width;
    const auto load = [&](int y) {
        WordSums pixel;
        if (has_column && y >= 0 && y < t.height) pixel.add(pixel_word(t.d_in[size_t(y) * t.in_pitch + size_t(x)]));
        return pixel;
    };

    WordSums column;  // of the rows y to y + radius - 1
    for (int y = y_begin; y < y_begin + t.radius; ++y) column.add(load(y));
    for (int first_y = y_begin; first_y < y_end; first_y += kBatchRows) {
#pragma unroll
        for (int i = 0; i < kBatchRows; ++i) {
            column.add(load(first_y + i + t.radius));
            uint32_t(*s_words)[kColumns] = s_sums[i];
            if constexpr (kPacked) {
                s_words[0][threadIdx.x] = column.red | column.green << 16;
                s_words[1][threadIdx.x] = column.blue | column.value << 16;
                s_words[2][threadIdx.x] = column.value_squared;
            } else {
                s_words[0][threadIdx.x] = column.red;
                s_words[1][threadIdx.x] = column.green;
                s_words[2][threadIdx.x] = column.blue;
                s_words[3][threadIdx.x] = column.value;
                s_words[4][threadIdx.x] = column.value_squared;
            }
            column.subtract(load(first_y + i));
        }
        __syncthreads();
        for (int i = 0; i < kBatchRows && has_box && first_y + i < y_end; ++i) {
            uint32_t words[kWords] = {};
            for (int k = int(threadIdx.x); k <= int(threadIdx.x) + t.radius; ++k)
#pragma unroll
                for (int word = 0; word < kWords; ++word) words[word] += s_sums[i][word][k];
            WordSums sums;
            if constexpr (kPacked) {
                sums.red = words[0] & 0xffff;
                sums.green = words[0] >> 16;
                sums.blue = words[1] & 0xffff;
                sums.value = words[1] >> 16;
                sums.value_squared = words[2];
            } else {
                sums.red = words[0];
                sums.green = words[1];
                sums.blue = words[2];
                sums.value = words[3];
                sums.value_squared = words[4];
            }
            boxes.store(x, first_y + i, sums);
        }
        __syncthreads();
    }
}

void run_running_sums(CudaJob& job) {
    run_on_boxes(job, [&]<class Scaled>(const Boxes<Scaled>& boxes) {
        constexpr int kMaxPackedRadius = 15;  // 16 * 16 * 255 is below 2^16
        const int box_columns = kColumns - boxes.task.radius;
        const dim3 grid(unsigned((boxes.columns + box_columns - 1) / box_columns),
                        unsigned((boxes.rows + kStripRows - 1) / kStripRows));
        const auto kernel = boxes.task.radius <= kMaxPackedRadius ? &kuwahara_running_boxes_kernel<Scaled, true>
                                                                  : &kuwahara_running_boxes_kernel<Scaled, false>;
        kernel<<<grid, kColumns, 0, job.stream>>>(boxes);
        TONESCOPE_LAUNCHED("kuwahara_running_boxes_kernel");
    });
}
#endif

const VariantRegistration running_sums_variant({
    .op = "kuwahara",
    .id = "running-sums",
    .name = "Running sums",
    .follows = "boxes-once",
    .builds_on = "boxes-once",
    .idea = "Sums of columns slide down the image: each row adds the pixels that enter and subtracts those that leave, "
            "and a box adds up radius + 1 columns.",
    .cost = "Each strip first sums up `radius` rows, and strips overlap by `radius` columns.",
    .flaw = "Evaluated boxes pass through memory between the two kernels, and a box still adds up its columns one by "
            "one.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_running_sums),
});

}  // namespace
}  // namespace tonescope::kuwahara
