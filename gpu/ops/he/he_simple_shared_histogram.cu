// Histogram equalization: a histogram in shared memory for each block, a table by one block, one thread a pixel applies
// it.
#include <algorithm>

#include "gpu/ops/color_param.h"
#include "gpu/ops/he/he.h"
#include "gpu/ops/he/he_stages.cuh"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/counted_range.cuh"
#endif

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
constexpr int kThreads = 256;                 // one a bin
constexpr int kSimpleBlocksPerProcessor = 8;  // fills a multiprocessor's 2048 threads

/// Counts every plane's values. d_histograms: Map::kPlanes x 256, zero before.
template <class Map>
__global__ void he_simple_histogram_kernel(PitchedSource<typename Map::In> source, int width, int height,
                                           uint32_t* d_histograms) {
    __shared__ uint32_t s_histograms[Map::kPlanes * 256];
    block_clear(s_histograms, Map::kPlanes * 256);
    for_each_pixel(width, height, [&](int x, int y) {
        const typename Map::In pixel = source.load(x, y);
        for (int plane = 0; plane < Map::kPlanes; ++plane)
            atomicAdd(&s_histograms[plane * 256 + Map::value(pixel, plane)], 1u);
    });
    block_flush(s_histograms, Map::kPlanes * 256, d_histograms);
}

/// One thread looks one pixel up. d_tables: Map::kPlanes x 256.
template <class Map, class Sink>
__global__ void he_simple_apply_kernel(PitchedSource<typename Map::In> source, Sink sink, int width, int height,
                                       ColorMixing mixed, const uint8_t* __restrict__ d_tables) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const typename Map::In pixel = source.load(x, y);
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane) values[plane] = d_tables[plane * 256 + Map::value(pixel, plane)];
    sink.store(x, y, Map::result(pixel, values, mixed));
}

ColorMixing mixing_of(const CudaJob& job) {
    return {job.input_spec, job.params.as<Params>().change()};
}

template <class Map>
void run_simple(CudaJob& job) {
    const int width = job.input_spec.width, height = job.input_spec.height;
    uint32_t* d_histograms = nullptr;
    {
        const auto stage = job.stage("histogram");
        d_histograms = cleared_histograms<Map>(job);
        const int blocks = std::min(height, job.device.multiProcessorCount * kSimpleBlocksPerProcessor);
        he_simple_histogram_kernel<Map><<<unsigned(blocks), kThreads, 0, job.stream>>>(source_of<typename Map::In>(job),
                                                                                       width, height, d_histograms);
        TONESCOPE_LAUNCHED("he_simple_histogram_kernel");
    }
    const uint8_t* d_tables = tables_by_kernel<Map>(job, d_histograms);
    const auto stage = job.stage("apply");
    with_sink<typename Map::Out>(job.output, [&](auto sink) {
        const PixelGrid grid(width, height);
        he_simple_apply_kernel<Map><<<grid.grid, grid.block, 0, job.stream>>>(source_of<typename Map::In>(job), sink,
                                                                              width, height, mixing_of(job), d_tables);
        TONESCOPE_LAUNCHED("he_simple_apply_kernel");
    });
}

// Of images of any depth and range: up to 65,536 counters, in global memory, and as many entries.
constexpr int kAllValues = 65536;
constexpr int kDeepTableThreads = 1024;

/// d_histograms: Map::kPlanes x kAllValues, zero before.
template <class Map>
__global__ void he_simple_deep_histogram_kernel(PitchedSource<typename Map::In> source, int width, int height,
                                                uint32_t* d_histograms) {
    for_each_pixel(width, height, [&](int x, int y) {
        const typename Map::In pixel = source.load(x, y);
        for (int plane = 0; plane < Map::kPlanes; ++plane)
            atomicAdd(&d_histograms[plane * kAllValues + Map::value(pixel, plane)], 1u);
    });
}

/// Block plane, of kDeepTableThreads threads: from the histogram to the table, as many values at a time as there are
/// threads. The value `left_out`, or kNothingLeftOut, has no count and stays as it is. `all`: pixels of the image.
__global__ void he_simple_deep_table_kernel(const uint32_t* d_histograms, uint32_t all, RangeSource source,
                                            int32_t left_out, uint16_t* d_tables) {
    __shared__ uint32_t s_warp_sums[32];
    __shared__ uint32_t s_first_count;
    const ValueRange range = source.get();
    const uint32_t* d_histogram = d_histograms + blockIdx.x * kAllValues;
    const uint32_t pixels = left_out == kNothingLeftOut ? all : all - d_histogram[left_out];
    uint32_t before = 0;  // pixels below the values at hand
    for (int first = range.lo; first <= range.hi; first += kDeepTableThreads) {
        const int value = first + int(threadIdx.x);
        const uint32_t count = value <= range.hi && value != left_out ? d_histogram[value] : 0;
        const uint32_t cdf = before + block_inclusive_scan(count, s_warp_sums);
        if (count > 0 && cdf == count) s_first_count = count;
        before = before + block_sum(count, s_warp_sums);
        if (value > range.hi || value == left_out) continue;
        const uint64_t rest = before > 0 ? pixels - s_first_count : 1;
        uint32_t entry = uint32_t(range.lo);
        if (rest == 0)
            entry = uint32_t(value);  // an image of one value stays as it is
        else if (cdf > 0)
            entry +=
                uint32_t((2 * uint64_t(uint32_t(range.hi - range.lo)) * (cdf - s_first_count) + rest) / (2 * rest));
        d_tables[blockIdx.x * kAllValues + value] = uint16_t(entry);
    }
    if (threadIdx.x == 0 && left_out != kNothingLeftOut)
        d_tables[blockIdx.x * kAllValues + left_out] = uint16_t(left_out);
}

template <class Map, class Sink>
__global__ void he_simple_deep_apply_kernel(PitchedSource<typename Map::In> source, Sink sink, int width, int height,
                                            ColorMixing mixed, const uint16_t* __restrict__ d_tables) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const typename Map::In pixel = source.load(x, y);
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane)
        values[plane] = d_tables[plane * kAllValues + Map::value(pixel, plane)];
    sink.store(x, y, Map::result(pixel, values, mixed));
}

template <class Map>
void run_simple_deep(CudaJob& job, const RangeSource& range) {
    const ImageSpec& spec = job.input_spec;
    constexpr size_t kEntries = size_t{kAllValues} * Map::kPlanes;
    auto* d_histograms = job.scratch.get<uint32_t>("he deep histograms", kEntries);
    auto* d_tables = job.scratch.get<uint16_t>("he deep tables", kEntries);
    {
        const auto stage = job.stage("histogram");
        TONESCOPE_CUDA(cudaMemsetAsync(d_histograms, 0, kEntries * sizeof(uint32_t), job.stream));
        const int blocks = std::min(spec.height, job.device.multiProcessorCount * kSimpleBlocksPerProcessor);
        he_simple_deep_histogram_kernel<Map><<<unsigned(blocks), kThreads, 0, job.stream>>>(
            source_of<typename Map::In>(job), spec.width, spec.height, d_histograms);
        TONESCOPE_LAUNCHED("he_simple_deep_histogram_kernel");
    }
    {
        const auto stage = job.stage("table");
        he_simple_deep_table_kernel<<<Map::kPlanes, kDeepTableThreads, 0, job.stream>>>(
            d_histograms, uint32_t(spec.pixels()), range, job.params.as<Params>().left_out(spec), d_tables);
        TONESCOPE_LAUNCHED("he_simple_deep_table_kernel");
    }
    const auto stage = job.stage("apply");
    with_sink<typename Map::Out>(job.output, [&](auto sink) {
        const PixelGrid grid(spec.width, spec.height);
        he_simple_deep_apply_kernel<Map><<<grid.grid, grid.block, 0, job.stream>>>(
            source_of<typename Map::In>(job), sink, spec.width, spec.height, mixing_of(job), d_tables);
        TONESCOPE_LAUNCHED("he_simple_deep_apply_kernel");
    });
}

void run_simple(CudaJob& job) {
    const auto params = job.params.as<Params>();
    const int32_t left_out = params.left_out(job.input_spec);
    if (takes_bytes(job) && left_out == kNothingLeftOut)
        return with_map(job, [&]<class Map>(Map) { run_simple<Map>(job); });
    const RangeSource range = find_counted_range(job, params.range_choice(), params.color, left_out);
    with_any_color_map(job.input_spec, params.color, [&]<class Map>(Map) { run_simple_deep<Map>(job, range); });
}
#endif

const VariantRegistration simple_shared_histogram_variant({
    .op = "he",
    .id = "simple",
    .name = "Simple CUDA",
    .follows = "one-thread",
    .any_depth = true,
    .every_value_of = "no_data",
    .idea = "Each block counts its pixels in shared memory and adds 256 sums to global memory; one block turns them "
            "into the table; then one thread a pixel looks it up.",
    .cost = "The image is read twice and written once, a pixel at a time.",
    .flaw = "Gray pixels are read one byte a thread, and the warps that count them wait for their loads 86 % of the "
            "time (counted on an H200).",
    .work =
        [](const WorkCase& whole) {
            return work_by_lightness<Params>(whole, [](const WorkCase& c) {
                const int32_t color = c.params.as<Params>().color;
                const double planes = plane_count(c.image, color);
                return Work{{"histogram", c.pixels() * (planes * addition_by_value(c) +
                                                        Amounts{.bytes = double(bytes_per_pixel(c.image.format)),
                                                                .operations = by_color(c, color, 13.4, 19.7, 14.2)}) +
                                              planes * Amounts{.operations = 14e6}},
                            {"apply", c.pixels() * Amounts{.bytes = bytes_per_pixel(c.image.format) +
                                                                    color_output_bytes<Params>(c),
                                                           .operations = by_color(c, color, 36, 52, 48)}}};
            });
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_simple>),
});

}  // namespace
}  // namespace tonescope::he
