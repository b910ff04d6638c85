// Report C, the third way of running: the whole sequential algorithm by one thread of the GPU.
//
// It shows what a GPU is not made for. One thread waits for every load before it goes on, at a lower clock than the
// host's and without its large caches and its prediction of branches, while tens of thousands of others could run
// meanwhile. The report measured 50 s at 2560x1707 pixels where its parallel version took 1.2 ms.
//
// A display that shares the GPU ends kernels that run for seconds, so a launch takes a bounded number of pixels, still
// with one thread, and launches follow each other. Larger images than the report's largest are refused; in a window,
// where the next change waits for this one, those that are estimated at more than a second.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/ops/he/he_formula.cuh"
#include "gpu/ops/he/he_kernels.cuh"
#endif

namespace tonescope {
namespace {

constexpr int64_t kOfferedPixels = 2560 * 1707;

#ifdef __CUDACC__

constexpr uint32_t kPixelsPerLaunch = 65536;
constexpr int64_t kClocksPerPixel = 1000;  // an estimate, for the bound in a window

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
            d_tables[plane * 256 + v] = he_equalized(cdf, first_count, pixels, v);
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

/// Calls launch(begin, end) for the image in pieces.
template <class Launch>
void in_pieces(uint32_t pixels, Launch&& launch) {
    for (uint32_t begin = 0; begin < pixels; begin += kPixelsPerLaunch)
        launch(begin, std::min(begin + kPixelsPerLaunch, pixels));
}

/// Throws UserError when the image would keep the GPU busy for too long.
void refuse_large(const CudaJob& job) {
    int64_t bound = kOfferedPixels;
    if (job.live) {
        int clock_khz = 0;
        TONESCOPE_CUDA(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, job.facts.device));
        bound = std::min(bound, int64_t{clock_khz} * 1000 / kClocksPerPixel);
    }
    if (job.input_spec.pixels() <= bound) return;
    throw UserError("he one-thread: one GPU thread would take too long for " + std::to_string(job.input_spec.pixels()) +
                    " pixels; it is offered up to " + std::to_string(bound) + (job.live ? " in the window" : "") +
                    ": take a smaller image or another variant");
}

template <class Map>
void run_with(CudaJob& job) {
    const auto source = source_of<typename Map::In>(job);
    const int width = job.input_spec.width;
    const auto pixels = uint32_t(job.input_spec.pixels());
    uint32_t* d_histograms = nullptr;
    auto* d_tables = job.scratch.get<uint8_t>("he tables", Map::kPlanes * 256);
    {
        const auto stage = job.stage("histogram", job.input_bytes());
        d_histograms = he_cleared_histograms<Map>(job);
        in_pieces(pixels, [&](uint32_t begin, uint32_t end) {
            he_one_thread_histogram_kernel<Map><<<1, 1, 0, job.stream>>>(source, width, begin, end, d_histograms);
            TONESCOPE_LAUNCHED("he_one_thread_histogram_kernel");
        });
    }
    {
        const auto stage = job.stage("table");
        he_one_thread_table_kernel<Map><<<1, 1, 0, job.stream>>>(d_histograms, pixels, d_tables);
        TONESCOPE_LAUNCHED("he_one_thread_table_kernel");
    }
    const auto stage = job.stage("apply", job.input_bytes() + job.output_bytes());
    with_sink<typename Map::Out>(job.output, [&](auto sink) {
        in_pieces(pixels, [&](uint32_t begin, uint32_t end) {
            he_one_thread_apply_kernel<Map><<<1, 1, 0, job.stream>>>(source, sink, width, begin, end, d_tables);
            TONESCOPE_LAUNCHED("he_one_thread_apply_kernel");
        });
    });
}

void run_he_one_thread(CudaJob& job) {
    refuse_large(job);
    he_with_color_map(job, [&]<class Map>(Map) { run_with<Map>(job); });
}

#endif

const RungRegistration registration({
    .op = "he",
    .id = "one-thread",
    .name = "One GPU thread",
    .source = "C one-thread",
    .backend = BackendKind::cuda,
    .order = 203,
    .max_pixels = kOfferedPixels,
    .idea = "The sequential algorithm as it stands, run by a single thread of the GPU.",
    .cost = "Every load is waited for, one pixel after the other.",
    .flaw = "All but one of the GPU's tens of thousands of threads have nothing to do.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_he_one_thread),
});

}  // namespace
}  // namespace tonescope
