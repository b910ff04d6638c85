// Kuwahara filter, after report E: evaluated boxes stay on the chip. Of the boxes at x - radius and x, the one with the
// lower variance is the best of the lower half of pixel (x, y) and of the upper half of pixel (x, y + radius): a thread
// keeps its halves for `radius` rows in shared memory, and chooses between two as soon as it has the lower one. There
// is one kernel, and nothing but pixels passes through memory. Above radius 16 there is no room for the halves; there
// the kernels are those of `inner-strips`.
#include "gpu/ops/kuwahara/color_frame.cuh"
#ifdef __CUDACC__
#include "gpu/ops/kuwahara/steps/running_columns.cuh"
#endif

namespace tonescope::kuwahara {
namespace {

constexpr int kMaxKeptRadius = 16;

#ifdef __CUDACC__
constexpr uint32_t kIsRight = 1u << 24;  // beside a half's mean: which of its two boxes it is

/// Block (strip across, strip down) of kColumns threads. Pixels are written in all but the first and last `radius`
/// columns of a strip. Shared memory: a box for each thread and `radius` rows.
template <bool kPacked>
__global__ void __launch_bounds__(kColumns)
    kuwahara_kept_boxes_kernel(const __grid_constant__ Boxes<uint32_t> boxes, int strip_rows) {
    extern __shared__ Box<uint32_t> s_kept[];
    __shared__ ColumnRow<kPacked> s_rows[kBatchRows];
    __shared__ Box<uint32_t> s_boxes[kBatchRows][kColumns];
    const ColorTask& t = boxes.task;
    const int thread = int(threadIdx.x), radius = t.radius;
    const int strip_x = int(blockIdx.x) * (kColumns - 2 * radius) - radius;
    const int x = strip_x + thread;  // of the column, the box and the pixel
    const int y_begin = int(blockIdx.y) * strip_rows, y_end = min(y_begin + strip_rows, t.height);
    const bool has_box = thread < kColumns - radius && x < t.width, has_pixel = thread >= radius && has_box;

    RunningColumn column(t, x, y_begin - radius);
    Box<uint32_t>* s_half = s_kept + thread;  // of the row, `radius` rows ago
    const auto walk_down = [&]<bool kInside>(std::bool_constant<kInside>) {
        const auto pixels = [&](const Box<uint32_t>& half, int y) {
            return boxes.template pixels<kInside>(half.mean & kIsRight ? x : x - radius, y);
        };
        for (int first_y = y_begin - radius; first_y < y_end; first_y += kBatchRows) {
#pragma unroll
            for (int i = 0; i < kBatchRows; ++i) column.store_and_slide<kInside>(first_y + i, s_rows[i]);
            __syncthreads();
            const int rows = min(kBatchRows, y_end - first_y);
            for (int i = 0; i < rows && has_box; ++i)
                s_boxes[i][thread] = boxes.template evaluated<kInside>(x, first_y + i, s_rows[i].box(radius));
            __syncthreads();
            for (int i = 0; i < rows && has_pixel; ++i) {
                const int y = first_y + i;
                Box<uint32_t> half = s_boxes[i][thread - radius], right = s_boxes[i][thread];
                right.mean |= kIsRight;
                if (is_lower(right, pixels(right, y), half, pixels(half, y))) half = right;
                if (y >= y_begin) {
                    const Box<uint32_t> upper = *s_half;
                    const bool lower_wins = is_lower(half, pixels(half, y), upper, pixels(upper, y - radius));
                    const uint8_t alpha = t.d_in[size_t(y) * t.in_pitch + size_t(x)].w;
                    t.d_out[size_t(y) * t.out_pitch + size_t(x)] = color_of(lower_wins ? half.mean : upper.mean, alpha);
                }
                *s_half = half;
                s_half += kColumns;
                if (s_half == s_kept + thread + radius * kColumns) s_half = s_kept + thread;
            }
        }
    };
    if (is_inside(t, strip_x, y_begin - radius, y_end - y_begin + radius)) {
        walk_down(std::true_type());
    } else {
        walk_down(std::false_type());
    }
}

void run_kept_boxes(CudaJob& job) {
    if (job.params.as<Params>().radius > kMaxKeptRadius) return filter_by_running_sums</*kKnowsInside=*/true>(job);
    run_on_colors(job, [&](const ColorTask& t) {
        const Boxes<uint32_t> boxes{t, nullptr, 0, 0, by_2_whole(t)};
        const int pixel_columns = kColumns - 2 * t.radius, across = (t.width + pixel_columns - 1) / pixel_columns;
        const size_t shared_bytes = size_t(t.radius) * kColumns * sizeof(Box<uint32_t>);
        const auto stage = job.stage("filter");
        const auto kernel =
            t.radius <= kMaxPackedRadius ? &kuwahara_kept_boxes_kernel<true> : &kuwahara_kept_boxes_kernel<false>;
        const LaunchShape shape{.threads = kColumns, .shared_bytes = shared_bytes};
        const int strip_rows = rows_of_strip(job, across, t.height, resident_blocks(job.device, shape, kernel));
        const dim3 grid(unsigned(across), unsigned((t.height + strip_rows - 1) / strip_rows));
        kernel<<<grid, kColumns, shared_bytes, job.stream>>>(boxes, strip_rows);
        TONESCOPE_LAUNCHED("kuwahara_kept_boxes_kernel");
    });
}
#endif

const VariantRegistration kept_boxes_variant({
    .op = "kuwahara",
    .id = "kept-boxes",
    .name = "Boxes kept on the chip",
    .follows = "inner-strips",
    .builds_on = "inner-strips",
    .idea = "Evaluated boxes never leave the chip: a thread keeps the better one of each pair for as many rows as the "
            "radius, and one kernel sums, evaluates and chooses.",
    .cost =
        "8 bytes of shared memory for each column and row of the radius; each strip first evaluates as many rows of "
        "boxes. Above radius 16 the kernels are those of the variant before.",
    .flaw = "Sums are added one after the other by ordinary instructions, and every batch of rows waits at two "
            "barriers.",
    .work =
        [](const WorkCase& c) {
            if (c.params.as<Params>().radius > kMaxKeptRadius) return inner_strips_work(c);
            return color_work(c, {{"filter",
                                   {.bytes = 8,
                                    .shared_bytes = QuadrantCost{0, 19.8, 38}.at(c),
                                    .operations = QuadrantCost{0, 14.3, 199}.at(c)}}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_kept_boxes),
});

}  // namespace
}  // namespace tonescope::kuwahara
