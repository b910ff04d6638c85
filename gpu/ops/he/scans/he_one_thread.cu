// Report C, the third way of running: the whole sequential algorithm by one thread of the GPU. It shows what a GPU is
// not made for: the thread runs at a lower clock than the host's and without its large caches and its prediction of
// branches. The report measured 50 s at 2560x1707 pixels where its parallel version took 1.2 ms.
//
// A display that shares the GPU ends kernels that run for seconds, so a launch takes a bounded number of pixels, and
// between launches the run can be given up. Larger images than the report's largest are refused; in a window, those
// that would take more than a second, as some of their own pixels show first.
#include <algorithm>
#include <cstdio>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {
namespace {

constexpr int64_t kOfferedPixels = 2560 * 1707;

#ifdef __CUDACC__
constexpr uint32_t kPixelsPerLaunch = 65536;
// In a window
constexpr uint32_t kSamplePixels = 16384;
constexpr double kMaxMs = 1000;

/// The pixels from `begin` to before `end`, counted row by row.
__global__ void he_one_thread_histogram_kernel(const uint8_t* d_in, size_t pitch, int width, uint32_t begin,
                                               uint32_t end, uint32_t* d_histogram) {
    for (uint32_t i = begin; i < end; ++i) {
        const uint32_t x = i % unsigned(width), y = i / unsigned(width);
        ++d_histogram[d_in[y * pitch + x]];
    }
}

__global__ void he_one_thread_table_kernel(const uint32_t* d_histogram, uint32_t pixels, uint8_t* d_table) {
    uint32_t cdf = 0, first_count = 0;
    for (int v = 0; v < 256; ++v) {
        const uint32_t count = d_histogram[v];
        if (first_count == 0) first_count = count;
        cdf += count;
        d_table[v] = equalized(cdf, first_count, pixels, v);
    }
}

__global__ void he_one_thread_apply_kernel(const uint8_t* d_in, size_t in_pitch, uint8_t* d_out, size_t out_pitch,
                                           int width, uint32_t begin, uint32_t end, const uint8_t* d_table) {
    for (uint32_t i = begin; i < end; ++i) {
        const uint32_t x = i % unsigned(width), y = i / unsigned(width);
        d_out[y * out_pitch + x] = d_table[d_in[y * in_pitch + x]];
    }
}

/// Calls launch(begin, end) for the image in pieces. Throws Canceled between them once the job is stopped.
template <class Launch>
void in_pieces(const CudaJob& job, uint32_t pixels, Launch&& launch) {
    for (uint32_t begin = 0; begin < pixels; begin += kPixelsPerLaunch) {
        launch(begin, std::min(begin + kPixelsPerLaunch, pixels));
        if (!job.stop.stop_possible()) continue;
        TONESCOPE_CUDA(cudaStreamSynchronize(job.stream));
        if (job.stop.stop_requested()) throw Canceled{};
    }
}

/// Both passes over some pixels.
struct Passes {
    CudaJob& job;
    const Planes& planes;
    uint32_t* d_histograms = job.scratch.get<uint32_t>("he histograms", 3 * 256);
    uint8_t* d_tables = job.scratch.get<uint8_t>("he tables", 3 * 256);

    void clear() const {
        TONESCOPE_CUDA(cudaMemsetAsync(d_histograms, 0, planes.all().size() * 256 * sizeof(uint32_t), job.stream));
    }
    void count(uint32_t begin, uint32_t end) const {
        for (size_t k = 0; k < planes.all().size(); ++k) {
            const Plane& plane = planes.all()[k];
            he_one_thread_histogram_kernel<<<1, 1, 0, job.stream>>>(plane.d_in, plane.in_pitch, plane.width, begin, end,
                                                                    d_histograms + k * 256);
            TONESCOPE_LAUNCHED("he_one_thread_histogram_kernel");
        }
    }
    void make_tables(uint32_t pixels) const {
        for (size_t k = 0; k < planes.all().size(); ++k) {
            he_one_thread_table_kernel<<<1, 1, 0, job.stream>>>(d_histograms + k * 256, pixels, d_tables + k * 256);
            TONESCOPE_LAUNCHED("he_one_thread_table_kernel");
        }
    }
    void apply(uint32_t begin, uint32_t end) const {
        for (size_t k = 0; k < planes.all().size(); ++k) {
            const Plane& plane = planes.all()[k];
            he_one_thread_apply_kernel<<<1, 1, 0, job.stream>>>(
                plane.d_in, plane.in_pitch, plane.d_out, plane.out_pitch, plane.width, begin, end, d_tables + k * 256);
            TONESCOPE_LAUNCHED("he_one_thread_apply_kernel");
        }
    }
};

/// Stage "estimate": times the first pixels and waits for them. Throws UserError when all of them would take too long
/// for a window.
void refuse_slow(CudaJob& job, const Planes& planes) {
    const auto stage = job.stage("estimate");
    const auto pixels = uint32_t(job.input_spec.pixels()), sample = std::min(kSamplePixels, pixels);
    const Passes passes{job, planes};
    passes.clear();
    const Event begin(Event::Kind::timed), end(Event::Kind::timed);
    for (int round = 0; round < 2; ++round) {  // the first one loads the kernels and wakes the GPU
        begin.record(job.stream);
        passes.count(0, sample);
        passes.make_tables(sample);
        passes.apply(0, sample);
        end.record(job.stream);
    }
    end.synchronize();
    const double ms = end.ms_since(begin), all_ms = ms * pixels / sample;
    if (all_ms <= kMaxMs) return;
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.2f", all_ms / 1000);
    throw UserError("he one-thread: one GPU thread would take about " + std::string(seconds) + " s for " +
                    std::to_string(pixels) + " pixels; the window runs it for a second, which here is about " +
                    std::to_string(int64_t(kMaxMs / ms * sample)) + " pixels: take a smaller image or another variant");
}

/// Throws UserError when the image would keep the GPU busy for too long.
void refuse_large(const CudaJob& job) {
    if (job.input_spec.pixels() <= kOfferedPixels) return;
    throw UserError("he one-thread: one GPU thread would take too long for " + std::to_string(job.input_spec.pixels()) +
                    " pixels; it is offered up to " + std::to_string(kOfferedPixels) +
                    ": take a smaller image or another variant");
}

void run_one_thread(CudaJob& job) {
    refuse_large(job);
    with_planes(job, [&](const Planes& planes) {
        if (job.live) {
            refuse_slow(job, planes);
            split_rows(job, planes, 0, job.input_spec.height, job.stream);  // the estimate has looked up in place
        }
        const auto pixels = uint32_t(job.input_spec.pixels());
        const Passes passes{job, planes};
        {
            const auto stage = job.stage("histogram");
            passes.clear();
            in_pieces(job, pixels, [&](uint32_t begin, uint32_t end) { passes.count(begin, end); });
        }
        {
            const auto stage = job.stage("table");
            passes.make_tables(pixels);
        }
        const auto stage = job.stage("apply");
        in_pieces(job, pixels, [&](uint32_t begin, uint32_t end) { passes.apply(begin, end); });
    });
}
#endif

const VariantRegistration one_thread_variant({
    .op = "he",
    .id = "one-thread",
    .name = "One GPU thread",
    .source = "C one-thread",
    .follows = "scan-conflict-free",
    .builds_on = "cpu",
    .max_pixels = kOfferedPixels,
    .idea = "The sequential algorithm as it stands, run by a single thread of the GPU.",
    .cost = "Every load is waited for, one pixel after the other.",
    .flaw = "All but one of the GPU's tens of thousands of threads have nothing to do.",
    .work =
        [](const WorkCase& c) {
            return plane_work(
                c, {{"histogram", {.bytes = 1, .operations = 19.5}}, {"apply", {.bytes = 2, .operations = 23.5}}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_one_thread),
});

}  // namespace
}  // namespace tonescope::he
