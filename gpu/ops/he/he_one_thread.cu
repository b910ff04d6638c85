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
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

constexpr int64_t kOfferedPixels = 2560 * 1707;

#ifdef __CUDACC__
constexpr uint32_t kPixelsPerLaunch = 65536;
// In a window
constexpr uint32_t kSamplePixels = 16384;
constexpr double kMaxMs = 1000;

/// The pixels from `begin` to before `end`, counted row by row.
template <class Map>
__global__ void he_one_thread_histogram_kernel(PitchedSource<typename Map::In> source, int width, uint32_t begin,
                                               uint32_t end, uint32_t* d_histograms) {
    for (uint32_t i = begin; i < end; ++i) {
        const typename Map::In pixel = source.load(int(i % unsigned(width)), int(i / unsigned(width)));
        for (int plane = 0; plane < Map::kPlanes; ++plane) ++d_histograms[plane * 256 + Map::value(pixel, plane)];
    }
}

template <class Map>
__global__ void he_one_thread_table_kernel(const uint32_t* d_histograms, uint32_t pixels, uint8_t* d_tables) {
    for (int plane = 0; plane < Map::kPlanes; ++plane) {
        uint32_t cdf = 0, first_count = 0;
        for (int v = 0; v < 256; ++v) {
            const uint32_t count = d_histograms[plane * 256 + v];
            if (first_count == 0) first_count = count;
            cdf += count;
            d_tables[plane * 256 + v] = equalized(cdf, first_count, pixels, v);
        }
    }
}

template <class Map, class Sink>
__global__ void he_one_thread_apply_kernel(PitchedSource<typename Map::In> source, Sink sink, int width, uint32_t begin,
                                           uint32_t end, const uint8_t* d_tables) {
    for (uint32_t i = begin; i < end; ++i) {
        const int x = int(i % unsigned(width)), y = int(i / unsigned(width));
        const typename Map::In pixel = source.load(x, y);
        int values[Map::kPlanes];
        for (int plane = 0; plane < Map::kPlanes; ++plane)
            values[plane] = d_tables[plane * 256 + Map::value(pixel, plane)];
        sink.store(x, y, Map::result(pixel, values));
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
template <class Map>
struct Passes {
    CudaJob& job;
    PitchedSource<typename Map::In> source = source_of<typename Map::In>(job);
    int width = job.input_spec.width;
    uint32_t* d_histograms = cleared_histograms<Map>(job);
    uint8_t* d_tables = job.scratch.get<uint8_t>("he tables", Map::kPlanes * 256);

    void count(uint32_t begin, uint32_t end) const {
        he_one_thread_histogram_kernel<Map><<<1, 1, 0, job.stream>>>(source, width, begin, end, d_histograms);
        TONESCOPE_LAUNCHED("he_one_thread_histogram_kernel");
    }
    void make_tables(uint32_t pixels) const {
        he_one_thread_table_kernel<Map><<<1, 1, 0, job.stream>>>(d_histograms, pixels, d_tables);
        TONESCOPE_LAUNCHED("he_one_thread_table_kernel");
    }
    void apply(uint32_t begin, uint32_t end) const {
        with_sink<typename Map::Out>(job.output, [&](auto sink) {
            he_one_thread_apply_kernel<Map><<<1, 1, 0, job.stream>>>(source, sink, width, begin, end, d_tables);
            TONESCOPE_LAUNCHED("he_one_thread_apply_kernel");
        });
    }
};

/// Stage "estimate": times the first pixels and waits for them. Throws UserError when all of them would take too long
/// for a window.
template <class Map>
void refuse_slow(CudaJob& job) {
    const auto stage = job.stage("estimate");
    const auto pixels = uint32_t(job.input_spec.pixels()), sample = std::min(kSamplePixels, pixels);
    const Passes<Map> passes{job};
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

template <class Map>
void run_in_one_thread(CudaJob& job) {
    if (job.live) refuse_slow<Map>(job);
    const auto pixels = uint32_t(job.input_spec.pixels());
    const Passes<Map> passes{job};
    {
        const auto stage = job.stage("histogram", job.input_bytes());
        in_pieces(job, pixels, [&](uint32_t begin, uint32_t end) { passes.count(begin, end); });
    }
    {
        const auto stage = job.stage("table");
        passes.make_tables(pixels);
    }
    const auto stage = job.stage("apply", job.input_bytes() + job.output_bytes());
    in_pieces(job, pixels, [&](uint32_t begin, uint32_t end) { passes.apply(begin, end); });
}

void run_one_thread(CudaJob& job) {
    refuse_large(job);
    with_map(job, [&]<class Map>(Map) { run_in_one_thread<Map>(job); });
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
    .run_cuda = TONESCOPE_CUDA_RUN(run_one_thread),
});

}  // namespace
}  // namespace tonescope::he
