// CLAHE with `tables` = `exact` on a GPU: which kernel counts the windows.
#include "gpu/ops/clahe/exact/windows.h"

#ifdef __CUDACC__
#include "gpu/ops/clahe/exact/pixel_moves.cuh"
#include "gpu/ops/clahe/exact/window_steps.cuh"

namespace tonescope::clahe {

void run_exact_by_pixels(CudaJob& job) {
    map_planes_by_windows(job, launch_pixel_moves);
}

void run_exact_by_steps(CudaJob& job) {
    map_planes_by_windows(job, [](CudaJob& run, const WindowPlane& plane, int32_t most_bins) {
        if (!launch_window_steps(run, plane, most_bins)) launch_pixel_moves(run, plane, most_bins);
    });
}

}  // namespace tonescope::clahe
#endif
