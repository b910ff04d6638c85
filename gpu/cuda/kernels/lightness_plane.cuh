// Lightness (`color` = `lab`) as a gray image of its own, L* / 100 in samples of the image: variants that read and
// write colors by themselves work on it as on any gray image, and what they make of it goes back into the colors. The
// stages are "split colors" and "join colors".
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "gpu/core/color/lab.h"
#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/memory.h"

namespace tonescope {

/// The tables of gpu/core/color/lab.h in device memory, one behind the other. For ScratchArena::keep.
template <class Sample>
class DeviceLab {
  public:
    /// For what is queued on `stream` next. Throws DeviceError.
    Lab<Sample> get(int32_t max_sample, cudaStream_t stream) {
        const LabTables<Sample>& tables = lab_tables<Sample>(max_sample);
        Lab<Sample> lab = tables.colors();
        const size_t linear_bytes = bytes(tables.linear), roots_bytes = bytes(tables.roots);
        if (max_sample_ != max_sample) {
            memory_.reserve(linear_bytes + roots_bytes + bytes(tables.encoded));
            copy(tables.linear, 0, stream);
            copy(tables.roots, linear_bytes, stream);
            copy(tables.encoded, linear_bytes + roots_bytes, stream);
            max_sample_ = max_sample;
        }
        const auto* d_memory = memory_.template as<const uint8_t>();
        lab.linear = reinterpret_cast<const uint32_t*>(d_memory);
        lab.roots = reinterpret_cast<decltype(lab.roots)>(d_memory + linear_bytes);
        lab.encoded = reinterpret_cast<decltype(lab.encoded)>(d_memory + linear_bytes + roots_bytes);
        return lab;
    }

  private:
    template <class Table>
    static size_t bytes(const Table& table) {
        return (table.size() * sizeof(table[0]) + 15) / 16 * 16;
    }
    template <class Table>
    void copy(const Table& table, size_t offset, cudaStream_t stream) {
        TONESCOPE_CUDA(cudaMemcpyAsync(memory_.template as<uint8_t>() + offset, table.data(),
                                       table.size() * sizeof(table[0]), cudaMemcpyHostToDevice, stream));
    }
    DeviceMemory memory_;
    int32_t max_sample_ = 0;
};

constexpr int kLabThreads = 512;
constexpr int kLabBlocks = 2;  // a multiprocessor

/// Of images of 8 bits each block has its tables in shared memory, the last one of them where it encodes.
template <class Sample>
constexpr size_t lab_shared_bytes(bool encodes) {
    if (sizeof(Sample) == 2) return 0;
    return 256 * sizeof(uint32_t) + (kLabNodes + 8) * (sizeof(uint16_t) + (encodes ? 1 : 0));
}
template <class Sample, bool kEncodes>
__device__ Lab<Sample> block_lab(const Lab<Sample>& lab) {
    if constexpr (sizeof(Sample) == 2) {
        return lab;
    } else {
        extern __shared__ __align__(16) uint8_t s_lab[];
        auto* const s_linear = reinterpret_cast<uint32_t*>(s_lab);
        auto* const s_roots = reinterpret_cast<uint16_t*>(s_linear + 256);
        auto* const s_encoded = reinterpret_cast<uint8_t*>(s_roots + kLabNodes + 8);
        for (int i = int(threadIdx.x); i < 256; i += kLabThreads) s_linear[i] = lab.linear[i];
        for (int i = int(threadIdx.x); i < kLabNodes / 2 + 2; i += kLabThreads)
            reinterpret_cast<uint32_t*>(s_roots)[i] = reinterpret_cast<const uint32_t*>(lab.roots)[i];
        if constexpr (kEncodes)
            for (int i = int(threadIdx.x); i < kLabNodes / 4 + 1; i += kLabThreads)
                reinterpret_cast<uint32_t*>(s_encoded)[i] = reinterpret_cast<const uint32_t*>(lab.encoded)[i];
        __syncthreads();
        return {s_linear, s_roots, kEncodes ? s_encoded : lab.encoded, lab.max_sample, lab.step};
    }
}

/// A thread's pixels at once, next to each other in a row: those of 16 bytes of the image.
template <class Sample>
struct LabPixels {
    static constexpr int kCount = 16 / int(sizeof(ColorPixel<Sample>));
    ColorPixel<Sample> colors[kCount];
};
/// Calls use(x, y, pixels) for what is the thread's: all but the last ones of a row are whole.
template <class Sample, class Use>
__device__ void for_each_lab_pixels(int width, int height, Use&& use) {
    constexpr int kCount = LabPixels<Sample>::kCount;
    const uint32_t across = uint32_t(width + kCount - 1) / kCount;
    for (uint32_t i = blockIdx.x * kLabThreads + threadIdx.x; i < across * uint32_t(height);
         i += gridDim.x * kLabThreads) {
        const uint32_t y = i / across, x = (i - y * across) * kCount;
        use(int(x), int(y), min(kCount, width - int(x)));
    }
}
template <class Sample>
__device__ LabPixels<Sample> load_lab_pixels(const PitchedSource<ColorPixel<Sample>>& source, int x, int y, int count) {
    LabPixels<Sample> pixels;
    if (count == LabPixels<Sample>::kCount) {
        const uint8_t* d_pixels =
            source.d_data + size_t(y) * source.pitch_bytes + size_t(x) * sizeof(ColorPixel<Sample>);
        const uint4 vector = __ldg(reinterpret_cast<const uint4*>(d_pixels));
        memcpy(&pixels, &vector, sizeof pixels);
    } else {
        for (int i = 0; i < LabPixels<Sample>::kCount; ++i)
            pixels.colors[i] = i < count ? source.load(x + i, y) : ColorPixel<Sample>{};
    }
    return pixels;
}

/// Samples of the plane next to each other: four of 8 bits, two of 16. Where the row has fewer, its padding is not
/// read, which nobody may have written.
template <class Sample>
__device__ uint32_t load_lightness(const uint8_t* d_plane, size_t pitch_bytes, int x, int y, int count) {
    constexpr int kCount = LabPixels<Sample>::kCount;
    const auto* d_samples = reinterpret_cast<const Sample*>(d_plane + size_t(y) * pitch_bytes) + x;
    if (count == kCount) return __ldcs(reinterpret_cast<const uint32_t*>(d_samples));
    uint32_t word = 0;
    for (int i = 0; i < count; ++i) word |= uint32_t(d_samples[i]) << (32 / kCount * i);
    return word;
}

/// The rows of the plane are at least a multiple of four samples long.
template <class Sample>
__global__ void __launch_bounds__(kLabThreads, kLabBlocks)
    split_lightness_kernel(PitchedSource<ColorPixel<Sample>> source, int width, int height, const Lab<Sample> tables,
                           uint8_t* d_plane, size_t pitch_bytes) {
    const Lab<Sample> lab = block_lab<Sample, false>(tables);
    for_each_lab_pixels<Sample>(width, height, [&](int x, int y, int count) {
        const LabPixels<Sample> pixels = load_lab_pixels<Sample>(source, x, y, count);
        constexpr int kCount = LabPixels<Sample>::kCount;
        uint32_t word = 0;  // four samples of 8 bits, two of 16
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            const ColorPixel<Sample> pixel = pixels.colors[i];
            word |= uint32_t(lab.lightness(pixel.x, pixel.y, pixel.z)) << (32 / kCount * i);
        }
        *reinterpret_cast<uint32_t*>(d_plane + size_t(y) * pitch_bytes + size_t(x) * sizeof(Sample)) = word;
    });
}

template <class Sample, class Sink>
__global__ void __launch_bounds__(kLabThreads, kLabBlocks)
    join_lightness_kernel(PitchedSource<ColorPixel<Sample>> source, Sink sink, int width, int height,
                          const Lab<Sample> tables, ColorMixing mixed, const uint8_t* d_plane, size_t pitch_bytes) {
    const Lab<Sample> lab = block_lab<Sample, true>(tables);
    for_each_lab_pixels<Sample>(width, height, [&](int x, int y, int count) {
        const LabPixels<Sample> pixels = load_lab_pixels<Sample>(source, x, y, count);
        constexpr int kCount = LabPixels<Sample>::kCount;
        const uint32_t word = load_lightness<Sample>(d_plane, pitch_bytes, x, y, count);
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            if (i >= count) break;
            const ColorPixel<Sample> pixel = pixels.colors[i];
            int rgb[3] = {pixel.x, pixel.y, pixel.z};
            lab.relight(rgb, Sample(word >> (32 / kCount * i)));
            sink.store(x + i, y, mixed(pixel, rgb[0], rgb[1], rgb[2]));
        }
    });
}

/// A variant's launch function kRun, with the lightness as its image where the parameters ask for it.
template <class Params, CudaRun kRun>
void run_by_lightness(CudaJob& job) {
    const auto params = job.params.as<Params>();
    const ImageSpec& spec = job.input_spec;
    if (is_gray(spec.format) || params.color != color_lab) return kRun(job);
    const auto run = [&]<class Sample>(Sample) {
        ImageSpec plane = spec;
        plane.format = sizeof(Sample) == 2 ? PixelFormat::gray16 : PixelFormat::gray8;
        plane.has_alpha = false;
        const size_t pitch = aligned_pitch_bytes(plane), bytes = pitch * size_t(plane.height);
        auto* d_before = job.scratch.get<uint8_t>("lightness before", bytes);
        auto* d_after = job.scratch.get<uint8_t>("lightness after", bytes);
        const Lab<Sample> lab = job.scratch.keep<DeviceLab<Sample>>(sizeof(Sample) == 2 ? "deep lab" : "lab")
                                    .get(spec.max_sample, job.stream);
        const auto source = source_of<ColorPixel<Sample>>(job);
        const auto launch = [&](bool encodes, auto* kernel, auto... arguments) {
            const LaunchShape shape{.blocks = unsigned(job.device.multiProcessorCount * kLabBlocks),
                                    .threads = kLabThreads,
                                    .shared_bytes = lab_shared_bytes<Sample>(encodes),
                                    .stream = job.stream};
            allow_shared_memory(job.device, shape, kernel);
            TONESCOPE_CUDA(queue_launch(shape, nullptr, 0, kernel, arguments...));
        };
        {
            const auto stage = job.stage("split colors");
            launch(false, &split_lightness_kernel<Sample>, source, spec.width, spec.height, lab, d_before, pitch);
            // Behind a copy no kernel starts early, and those of the variant may read its image right away.
            auto* d_word = job.scratch.get<uint32_t>("lightness word", 1);
            TONESCOPE_CUDA(cudaMemsetAsync(d_word, 0, sizeof *d_word, job.stream));
        }
        CudaJob of_plane = job;
        of_plane.d_input = d_before;
        of_plane.input_pitch_bytes = pitch;
        of_plane.input_spec = plane;
        of_plane.output = {d_after, pitch, 0, plane};
        Params plain = params;
        plain.amount = 100;
        plain.no_data.leave_out(params.left_out(spec));
        of_plane.params = ParamBlock(plain);
        kRun(of_plane);
        const auto stage = job.stage("join colors");
        with_sink<ColorPixel<Sample>>(job.output, [&]<class Sink>(Sink sink) {
            launch(true, &join_lightness_kernel<Sample, Sink>, source, sink, spec.width, spec.height, lab,
                   ColorMixing(spec, params.change()), static_cast<const uint8_t*>(d_after), pitch);
        });
    };
    is_deep(spec.format) ? run(uint16_t{}) : run(uint8_t{});
}

}  // namespace tonescope
