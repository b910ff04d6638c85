// CUB and NPP on the device, timed as the variants are, and the 256-bin histogram beside theirs.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cub/device/device_histogram.cuh>
#include <cub/version.cuh>
#include <string>
#include <vector>

#include "bench/cuda/cuda_bench.h"
#include "gpu/core/error.h"
#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/scratch.h"
#include "gpu/cuda/session/runner.h"
#include "gpu/ops/he/he_stages.cuh"
#include "gpu/ops/he/tuned/deep.cuh"

namespace tonescope::bench {
namespace {

using Counts = std::array<uint32_t, 256>;
constexpr size_t kDeepCounts = 65536;
constexpr int kLevels = 257;  // ends of 256 bins
constexpr const char* kNoNpp = "libnppist and libnppicc were not found";

/// NPP's description of a stream. Layout as NPP 12 and 13 document NppStreamContext.
struct NppStream {
    cudaStream_t stream;
    int device;
    int multiprocessors;
    int threads_per_multiprocessor;
    int threads_per_block;
    size_t shared_bytes_per_block;
    int compute_major;
    int compute_minor;
    unsigned stream_flags;
    int reserved;
};

struct NppArea {
    int width, height;  // pixels
};

void check_npp(int status, const char* function) {
    if (status != 0) throw DeviceError("NPP: " + std::string(function) + " answers " + std::to_string(status));
}

template <class Function>
bool find(const char* library, const std::string& version, const char* name, Function& function) {
    // The libraries stay loaded: they hold state of the device.
    void* handle = dlopen(("lib" + std::string(library) + ".so." + version).c_str(), RTLD_NOW | RTLD_LOCAL);
    function = handle == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
}

/// One block, a thread a bin: from 256 counts to HE's table.
__global__ void peer_table_kernel(const uint32_t* d_counts, uint32_t pixels, uint8_t* d_table) {
    __shared__ uint32_t s_warp_sums[32];
    __shared__ uint32_t s_first_count;
    const uint32_t count = d_counts[threadIdx.x];
    const uint32_t cdf = block_inclusive_scan(count, s_warp_sums);
    if (count > 0 && cdf == count) s_first_count = count;
    __syncthreads();
    d_table[threadIdx.x] = he::equalized(cdf, s_first_count, pixels, int(threadIdx.x));
}

Counts count_on_host(const HostImage& image) {
    Counts counts{};
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) ++counts[image.view().row(y)[x]];
    return counts;
}

/// Times `count`, which counts the image in buffer `i`.
Rows time_counting(CudaBench& bench, const Subject& subject, size_t buffers,
                   const std::function<void(size_t i, uint32_t* d_counts)>& count) {
    Ring results;
    results.reshape(MemoryMode::pinned, buffers, sizeof(Counts));
    const auto d_counts = [&](size_t i) { return reinterpret_cast<uint32_t*>(results.at(i)); };
    const Counts expected = count_on_host(*bench.image);
    const auto differences = [&](size_t i) {
        Counts got;
        TONESCOPE_CUDA(cudaMemcpy(got.data(), d_counts(i), sizeof(got), cudaMemcpyDefault));
        int64_t different = 0;
        for (size_t v = 0; v < got.size(); ++v) different += got[v] != expected[v];
        return different;
    };
    return bench.time({subject, buffers, double(bench.image->spec().pixels()), [&](size_t i) { count(i, d_counts(i)); },
                       &results, 0xA5, differences, nullptr, true});
}

std::string cub_name() {
    return "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
           std::to_string(CUB_SUBMINOR_VERSION);
}

Rows time_cub(CudaBench& bench, const Subject& subject, size_t buffers) {
    // CUB is fastest on rows without gaps between them.
    const int pixels = int(bench.image->spec().pixels());
    const Stream& stream = bench.timer.stream();
    Ring input;
    input.reshape(MemoryMode::pinned, buffers, size_t(pixels));
    load_image(input, bench.image->view(), size_t(bench.image->width()), stream);
    size_t scratch_bytes = 0;
    const auto count = [&](void* d_scratch, const uint8_t* d_pixels, uint32_t* d_counts) {
        TONESCOPE_CUDA(cub::DeviceHistogram::HistogramEven(d_scratch, scratch_bytes, d_pixels, d_counts, kLevels, 0,
                                                           256, pixels, stream));
    };
    count(nullptr, nullptr, nullptr);  // sets scratch_bytes
    const DeviceMemory scratch(std::max(scratch_bytes, size_t{1}));
    return time_counting(bench, subject, buffers,
                         [&](size_t i, uint32_t* d_counts) { count(scratch.as<void>(), input.at(i), d_counts); });
}

}  // namespace

/// NPP's histogram and table look-up, found when the program runs: the library is not part of every CUDA toolkit.
struct Npp {
    std::string name;  // "NPP 13"
    NppStream stream;
    int (*scratch_bytes)(NppArea, int levels, size_t* bytes, NppStream) = nullptr;
    int (*histogram)(const uint8_t*, int pitch, NppArea, int32_t*, int levels, int32_t lowest, int32_t end,
                     uint8_t* scratch, NppStream) = nullptr;
    int (*look_up)(const uint8_t*, int pitch, uint8_t*, int to_pitch, NppArea, const uint8_t* table, int bits,
                   NppStream) = nullptr;

    DeviceMemory make_scratch(NppArea area) const {
        size_t bytes = 0;  // some versions write an int: zero before
        check_npp(scratch_bytes(area, kLevels, &bytes, stream), "nppiHistogramEvenGetBufferSize");
        return DeviceMemory(std::max(bytes, size_t{1}));
    }
    /// Counts 256 values of the bench's input.
    void count(const CudaBench& bench, size_t i, NppArea area, uint32_t* d_counts, const DeviceMemory& scratch) const {
        check_npp(histogram(bench.input.at(i), int(bench.input_pitch_bytes), area, reinterpret_cast<int32_t*>(d_counts),
                            kLevels, 0, 256, scratch.as<uint8_t>(), stream),
                  "nppiHistogramEven");
    }
};

std::shared_ptr<const Npp> load_npp(const DeviceProperties& device, cudaStream_t stream) {
    constexpr int kThreadsPerBlock = 1024;  // of every GPU from sm_20 on
    for (const char* version : {"13", "12"}) {
        Npp npp{.name = "NPP " + std::string(version),
                .stream = {.stream = stream,
                           .device = device.index,
                           .multiprocessors = device.multiProcessorCount,
                           .threads_per_multiprocessor = device.maxThreadsPerMultiProcessor,
                           .threads_per_block = kThreadsPerBlock,
                           .shared_bytes_per_block = device.sharedMemPerBlock,
                           .compute_major = device.major,
                           .compute_minor = device.minor,
                           .stream_flags = cudaStreamNonBlocking,
                           .reserved = 0}};
        if (find("nppist", version, "nppiHistogramEvenGetBufferSize_8u_C1R_Ctx", npp.scratch_bytes) &&
            find("nppist", version, "nppiHistogramEven_8u_C1R_Ctx", npp.histogram) &&
            find("nppicc", version, "nppiLUTPalette_8u_C1R_Ctx", npp.look_up))
            return std::make_shared<const Npp>(npp);
    }
    return nullptr;
}

/// HE of NPP's histogram, a kernel that makes the table, and NPP's look-up.
Rows CudaBench::time_peers(const RunSpec& spec, const RunResult& expected) {
    if (spec.op->id != "he" || image->spec().format != PixelFormat::gray8) return {};
    const Subject subject{"he", "peer", (npp ? npp->name : "NPP") + " histogram + LUT", "cuda"};
    if (!npp) return {{subject, kNoNpp}};
    return attempt(subject, [&] {
        const NppArea area{image->width(), image->height()};
        const int pitch_bytes = int(input_pitch_bytes);
        const size_t buffers = buffers_past_cache(2 * input_bytes(), device.l2CacheSize);
        load_input(MemoryMode::pinned, buffers);
        output.reshape(MemoryMode::pinned, buffers, input_bytes());
        const DeviceMemory npp_scratch = npp->make_scratch(area), counts(sizeof(Counts)), table(256);
        const Enqueue enqueue = [&](size_t i) {
            npp->count(*this, i, area, counts.as<uint32_t>(), npp_scratch);
            peer_table_kernel<<<1, 256, 0, timer.stream()>>>(counts.as<uint32_t>(), uint32_t(image->spec().pixels()),
                                                             table.as<uint8_t>());
            TONESCOPE_LAUNCHED("peer_table_kernel");
            check_npp(npp->look_up(input.at(i), pitch_bytes, output.at(i), pitch_bytes, area, table.as<uint8_t>(), 8,
                                   npp->stream),
                      "nppiLUTPalette");
        };
        return time({subject, buffers, least_bytes(*image, expected), enqueue, &output, poison_for(expected),
                     [&](size_t i) { return different_pixels(i, input_pitch_bytes, expected.image); }});
    });
}

Rows CudaBench::time_deep_histograms() {
    const ImageSpec& spec = image->spec();
    const size_t bins = spec.max_sample + size_t{1}, buffers = buffers_past_cache(input_bytes(), device.l2CacheSize);
    const std::string op = "histogram" + std::to_string(bins);
    load_input(MemoryMode::pinned, buffers);
    std::vector<uint32_t> expected(bins);
    for (int y = 0; y < image->height(); ++y)
        for (int x = 0; x < image->width(); ++x)
            ++expected[size_t(sample_at(image->view().pixel(x, y), spec.format, 0))];
    Ring results;
    results.reshape(MemoryMode::pinned, buffers, kDeepCounts * sizeof(uint32_t));
    const auto d_counts = [&](size_t i) { return reinterpret_cast<uint32_t*>(results.at(i)); };
    const auto differences = [&](size_t i) {
        std::vector<uint32_t> got(bins);
        TONESCOPE_CUDA(cudaMemcpy(got.data(), d_counts(i), bins * sizeof(uint32_t), cudaMemcpyDefault));
        int64_t different = 0;
        for (size_t v = 0; v < bins; ++v) different += got[v] != expected[v];
        return different;
    };
    const auto time_count = [&](const Subject& subject, const Enqueue& count) {
        return time({subject, buffers, double(spec.pixels()) * sizeof(uint16_t), count, &results, 0xA5, differences,
                     nullptr, true});
    };
    scratch.clear();
    Rows all = time_count({op, "variant", "Tonescope", "cuda"}, [&](size_t i) {
        CudaJob job{.d_input = input.at(i),
                    .input_pitch_bytes = input_pitch_bytes,
                    .input_spec = spec,
                    .output = {},
                    .d_bins = nullptr,
                    .params = {},
                    .variant_params = {},
                    .stream = timer.stream(),
                    .device = device,
                    .scratch = scratch,
                    .stages = stages};
        he::count_values<GrayPixelsOf<uint16_t>>(job, he::deep_memory(job, 1, kNothingLeftOut, d_counts(i)));
    });
    if (!options.peers) return all;
    // CUB is fastest on rows without gaps between them.
    Ring packed;
    packed.reshape(MemoryMode::pinned, buffers, spec.row_bytes() * size_t(spec.height));
    load_image(packed, image->view(), spec.row_bytes(), timer.stream());
    size_t scratch_bytes = 0;
    const auto count_by_cub = [&](void* d_scratch, size_t i) {
        TONESCOPE_CUDA(cub::DeviceHistogram::HistogramEven(
            d_scratch, scratch_bytes, reinterpret_cast<const uint16_t*>(packed.at(i)), d_counts(i), int(bins) + 1, 0,
            int(bins), int(spec.pixels()), timer.stream()));
    };
    count_by_cub(nullptr, 0);  // sets scratch_bytes
    const DeviceMemory cub_scratch(std::max(scratch_bytes, size_t{1}));
    for (const Row& row :
         time_count({op, "peer", cub_name(), "cuda"}, [&](size_t i) { count_by_cub(cub_scratch.as<void>(), i); }))
        all.push_back(row);
    return all;
}

Rows CudaBench::time_histograms() {
    if (image->spec().format == PixelFormat::gray16) return time_deep_histograms();
    if (image->spec().format != PixelFormat::gray8) return {};
    const NppArea area{image->width(), image->height()};
    const size_t buffers = buffers_past_cache(input_bytes(), device.l2CacheSize);
    load_input(MemoryMode::pinned, buffers);
    ZeroedWords words;
    Rows all = time_counting(*this, {std::string(kHistogram256), "variant", "Tonescope", "cuda"}, buffers,
                             [&](size_t i, uint32_t* d_counts) {
                                 count_gray(input.at(i), input_pitch_bytes, area.width, area.height, d_counts, words,
                                            device, timer.stream());
                             });
    if (!options.peers) return all;
    const auto add = [&](const std::string& name, const auto& measure) {
        const Subject subject{std::string(kHistogram256), "peer", name, "cuda"};
        for (const Row& row : attempt(subject, [&] { return measure(subject); })) all.push_back(row);
    };
    add(cub_name(), [&](const Subject& subject) { return time_cub(*this, subject, buffers); });
    add(npp ? npp->name : "NPP", [&](const Subject& subject) {
        if (!npp) return Rows{{subject, kNoNpp}};
        const DeviceMemory npp_scratch = npp->make_scratch(area);
        return time_counting(*this, subject, buffers,
                             [&](size_t i, uint32_t* d_counts) { npp->count(*this, i, area, d_counts, npp_scratch); });
    });
    return all;
}

}  // namespace tonescope::bench
