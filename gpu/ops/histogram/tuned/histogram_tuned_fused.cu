// Histogram lab: words that nobody writes down, counted and clamped in one kernel (gpu/cuda/kernels/count.cuh).
//
// A pixel becomes its word in a register (for RGBA in one instruction) and is counted there and then: the image is all
// that is read, a quarter of the words' bytes or as many. A gray image has 256 different words, the multiples of 4, and
// counts only those.
#include "gpu/ops/histogram/histogram_stages.cuh"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/count.cuh"
#include "gpu/cuda/kernels/job.h"
#endif

namespace tonescope::histogram {
namespace {

#ifdef __CUDACC__
/// Entry v of a gray image is bin 4 v; the three bins behind it stay empty.
struct GrayBins {
    uint8_t* d_bins;
    __device__ void operator()(unsigned entry, uint32_t total) const {
        reinterpret_cast<uchar4*>(d_bins)[entry] = make_uchar4(uint8_t(min(total, 255u)), 0, 0, 0);
    }
};

struct ColorBins {
    uint8_t* d_bins;
    __device__ void operator()(unsigned entry, uint32_t total) const { d_bins[entry] = uint8_t(min(total, 255u)); }
};

void run_tuned(CudaJob& job) {
    if (is_deep(job.input_spec.format)) return run_simple(job);
    const auto stage = job.stage("histogram", job.input_bytes());
    auto& counters = job.scratch.keep<ZeroedWords>("histogram counters");
    const ImageSpec& spec = job.input_spec;
    if (spec.format == PixelFormat::gray8) {
        launch_count_gray(job.d_input, job.input_pitch_bytes, spec.width, spec.height, GrayBins{job.d_bins}, counters,
                          job.device, job.stream);
    } else {
        const PitchedVectors<uchar4> image(job.d_input, job.input_pitch_bytes, spec.width, spec.height);
        launch_count<CountHistogramWords>(image, ColorBins{job.d_bins}, counters, job.device, job.stream);
    }
}
#endif

const VariantRegistration tuned_fused_variant({
    .op = "histogram",
    .id = "tuned",
    .name = "Tuned: one fused kernel (8 bits)",
    .follows = "simple",
    .builds_on = "simple",
    .preferred = true,
    .any_depth = true,
    .idea = "A pixel's word is made in a register and counted in shared memory, with 32 copies of each counter for the "
            "lanes of a warp, or 4 where there are 1024; the last block to add to a bin clamps it, and blocks that "
            "wait for the kernel before ask the L2 cache for their first pixels. Deep images run the kernels of the "
            "simple variant.",
    .cost = "The image is read once, 16 bytes a load, and each block clears and sums 32 or 16 KiB of counters.",
    .flaw = "On small images clearing, summing and the launch cost more than the counting.",
    .work =
        [](const WorkCase& c) {
            const double turns = c.is_gray() ? 1.0 : 3.6;
            return Work{{"histogram", c.pixels() * Amounts{.bytes = double(bytes_per_pixel(c.image.format)),
                                                           .shared_bytes = 4 * turns + 2,
                                                           .operations = c.is_gray() ? 6.4 : 14.9,
                                                           .shared_atomics = turns}}};
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_tuned),
});

}  // namespace
}  // namespace tonescope::histogram
