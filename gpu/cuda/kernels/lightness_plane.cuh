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
#include "gpu/cuda/kernels/lightness.cuh"
#include "gpu/cuda/kernels/packed_color.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/kernels/reciprocal.cuh"
#include "gpu/cuda/runtime/memory.h"

namespace tonescope {

/// Calls use(table, entries) for each of the tables.
void for_each_table(Lab<uint8_t>& lab, auto&& use) {
    use(lab.light, 256);
    use(lab.roots, Lab<uint8_t>::kRoots);
    use(lab.steps, Lab<uint8_t>::kSteps);
}
void for_each_table(Lab<uint16_t>& lab, auto&& use) {
    use(lab.linear, size_t(lab.max_sample) + 1);
    use(lab.roots, kLabNodes + 4);
    use(lab.encoded, kLabNodes + 4);
}

/// The tables of gpu/core/color/lab.h in device memory, one behind the other. For ScratchArena::keep.
template <class Sample>
class DeviceLab {
  public:
    /// For what is queued on `stream` next. Throws DeviceError.
    Lab<Sample> get(int32_t max_sample, cudaStream_t stream) {
        Lab<Sample> lab = lab_tables<Sample>(max_sample).colors();
        const auto place_bytes = [](const auto* table, size_t entries) {
            return (entries * sizeof *table + 15) / 16 * 16;
        };
        const bool is_new = max_sample_ != max_sample;
        if (is_new) {
            size_t bytes = 0;
            for_each_table(lab, [&](const auto* table, size_t entries) { bytes += place_bytes(table, entries); });
            memory_.reserve(bytes);
        }
        auto* d_next = memory_.template as<uint8_t>();
        for_each_table(lab, [&]<class Entry>(const Entry*& table, size_t entries) {
            if (is_new)
                TONESCOPE_CUDA(cudaMemcpyAsync(d_next, table, entries * sizeof *table, cudaMemcpyHostToDevice, stream));
            const size_t bytes = place_bytes(table, entries);
            table = reinterpret_cast<const Entry*>(d_next);
            d_next += bytes;
        });
        max_sample_ = max_sample;
        return lab;
    }

  private:
    DeviceMemory memory_;
    int32_t max_sample_ = 0;
};
template <class Sample>
Lab<Sample> device_lab(const CudaJob& job) {
    return job.scratch.keep<DeviceLab<Sample>>(sizeof(Sample) == 2 ? "deep lab" : "lab")
        .get(job.input_spec.max_sample, job.stream);
}

constexpr int kLabThreads = 1024;  // of a block, one on each multiprocessor

/// The colors of a kernel's pixels, with tables in device memory.
template <class Sample, bool kInBlock>
class LabPixels {
  public:
    static constexpr size_t shared_bytes(bool) { return 0; }
    __device__ LabPixels(const Lab<Sample>& tables, bool) : lab_(tables) {}
    __device__ uint32_t lightness(ColorPixel<Sample> pixel) const {
        return uint32_t(lab_.lightness(pixel.x, pixel.y, pixel.z));
    }
    __device__ ColorPixel<Sample> relit(ColorPixel<Sample> pixel, int lightness) const {
        int rgb[3] = {pixel.x, pixel.y, pixel.z};
        lab_.relight(rgb, lightness);
        return {Sample(rgb[0]), Sample(rgb[1]), Sample(rgb[2]), pixel.w};
    }

  private:
    Lab<Sample> lab_;
};
/// With all tables in shared memory.
template <>
class LabPixels<uint8_t, true> {
  public:
    static constexpr size_t shared_bytes(bool encodes) { return BlockLab::bytes(encodes); }
    __device__ LabPixels(const Lab<uint8_t>& tables, bool encodes) : lab_(shared(tables, encodes)) {}
    __device__ uint32_t lightness(uchar4 pixel) const { return lab_.lightness(word_of(pixel)) & 255; }
    __device__ uchar4 relit(uchar4 pixel, int lightness) const {
        const uint32_t rgba = lab_.relit(word_of(pixel), [&](uint32_t before) {
            return BlockLab::shift(before, BlockLab::kNoLightness | uint32_t(lightness));
        });
        uchar4 result;
        memcpy(&result, &rgba, sizeof result);
        return result;
    }

  private:
    static __device__ uint32_t word_of(uchar4 pixel) {
        uint32_t word;
        memcpy(&word, &pixel, sizeof word);
        return word;
    }
    static __device__ BlockLab shared(const Lab<uint8_t>& tables, bool encodes) {
        extern __shared__ __align__(16) uint8_t s_lab[];
        BlockLab::fill(s_lab, tables, encodes);
        __syncthreads();
        return BlockLab(s_lab);
    }
    BlockLab lab_;
};
/// With roots and encoded samples in shared memory, and light in device memory.
template <>
class LabPixels<uint16_t, true> : public LabPixels<uint16_t, false> {
  public:
    static constexpr size_t shared_bytes(bool encodes) {
        return (encodes ? 2 : 1) * (kLabNodes + 4) * sizeof(uint32_t);
    }
    __device__ LabPixels(const Lab<uint16_t>& tables, bool encodes)
        : LabPixels<uint16_t, false>(shared(tables, encodes), encodes) {}

  private:
    static __device__ Lab<uint16_t> shared(Lab<uint16_t> tables, bool encodes) {
        extern __shared__ __align__(16) uint8_t s_lab[];
        auto* s_next = reinterpret_cast<uint32_t*>(s_lab);
        const auto place = [&](const uint32_t*& table) {
            for (int i = int(threadIdx.x); i < kLabNodes + 4; i += kLabThreads) s_next[i] = table[i];
            table = s_next;
            s_next += kLabNodes + 4;
        };
        place(tables.roots);
        if (encodes) place(tables.encoded);
        __syncthreads();
        return tables;
    }
};

/// A thread's pixels at once, next to each other in a row: those of 16 bytes of the image.
template <class Sample>
struct LabVector {
    static constexpr int kCount = 16 / int(sizeof(ColorPixel<Sample>));
    ColorPixel<Sample> colors[kCount];
};
/// Where a thread's pixels are; all but the last ones of a row are whole.
struct LabPlace {
    int x, y, count;
};
template <class Sample>
struct LabImage {
    static constexpr int kCount = LabVector<Sample>::kCount;
    PitchedSource<ColorPixel<Sample>> source;
    int width, height;
    uint32_t across;  // vectors
    Reciprocal<uint32_t> by_across;

    LabImage(const PitchedSource<ColorPixel<Sample>>& from, int width_px, int height_px)
        : source(from),
          width(width_px),
          height(height_px),
          across(uint32_t(width_px + kCount - 1) / kCount),
          by_across(across) {}
    __device__ LabPlace place(uint32_t index) const {
        const uint32_t y = by_across.divide(index), x = (index - y * across) * kCount;
        return {int(x), int(y), min(kCount, width - int(x))};
    }
    __device__ LabVector<Sample> load(const LabPlace& at) const {
        LabVector<Sample> pixels;
        if (at.count == kCount) {
            const uint8_t* d_pixels =
                source.d_data + size_t(at.y) * source.pitch_bytes + size_t(at.x) * sizeof(ColorPixel<Sample>);
            const uint4 vector = __ldcs(reinterpret_cast<const uint4*>(d_pixels));
            memcpy(&pixels, &vector, sizeof pixels);
        } else {
            for (int i = 0; i < kCount; ++i)
                pixels.colors[i] = i < at.count ? source.load(at.x + i, at.y) : ColorPixel<Sample>{};
        }
        return pixels;
    }
    /// Calls use(place, pixels) for what is the thread's. The next pixels are under way meanwhile.
    template <class Use>
    __device__ void for_each(Use&& use) const {
        const uint32_t end = across * uint32_t(height), step = gridDim.x * kLabThreads;
        uint32_t index = blockIdx.x * kLabThreads + threadIdx.x;
        if (index >= end) return;
        LabPlace at = place(index);
        LabVector<Sample> pixels = load(at);
        while (true) {
            index += step;
            const LabPlace next_at = index < end ? place(index) : LabPlace{0, 0, 0};
            const LabVector<Sample> next = load(next_at);
            use(at, pixels);
            if (index >= end) return;
            at = next_at;
            pixels = next;
        }
    }
};

/// Samples of the plane next to each other: four of 8 bits, two of 16. Where the row has fewer, its padding is not
/// read, which nobody may have written.
template <class Sample>
__device__ uint32_t load_lightness(const uint8_t* d_plane, size_t pitch_bytes, const LabPlace& at) {
    constexpr int kCount = LabVector<Sample>::kCount;
    const auto* d_samples = reinterpret_cast<const Sample*>(d_plane + size_t(at.y) * pitch_bytes) + at.x;
    if (at.count == kCount) return __ldcs(reinterpret_cast<const uint32_t*>(d_samples));
    uint32_t word = 0;
    for (int i = 0; i < at.count; ++i) word |= uint32_t(d_samples[i]) << (32 / kCount * i);
    return word;
}

/// The rows of the plane are at least a multiple of four samples long.
template <class Sample, bool kInBlock>
__global__ void __launch_bounds__(kLabThreads, 1)
    split_lightness_kernel(LabImage<Sample> image, const Lab<Sample> tables, uint8_t* d_plane, size_t pitch_bytes) {
    const LabPixels<Sample, kInBlock> lab(tables, false);
    image.for_each([&](const LabPlace& at, const LabVector<Sample>& pixels) {
        constexpr int kCount = LabVector<Sample>::kCount;
        uint32_t word = 0;  // four samples of 8 bits, two of 16
#pragma unroll
        for (int i = 0; i < kCount; ++i) word |= lab.lightness(pixels.colors[i]) << (32 / kCount * i);
        *reinterpret_cast<uint32_t*>(d_plane + size_t(at.y) * pitch_bytes + size_t(at.x) * sizeof(Sample)) = word;
    });
}

template <class Sample, bool kInBlock, class Sink>
__global__ void __launch_bounds__(kLabThreads, 1)
    join_lightness_kernel(LabImage<Sample> image, Sink sink, const Lab<Sample> tables, ColorMixing mixed,
                          const uint8_t* d_plane, size_t pitch_bytes) {
    const LabPixels<Sample, kInBlock> lab(tables, true);
    image.for_each([&](const LabPlace& at, const LabVector<Sample>& pixels) {
        constexpr int kCount = LabVector<Sample>::kCount;
        const uint32_t word = load_lightness<Sample>(d_plane, pitch_bytes, at);
        LabVector<Sample> results;
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            const ColorPixel<Sample> pixel = pixels.colors[i],
                                     relit = lab.relit(pixel, Sample(word >> (32 / kCount * i)));
            results.colors[i] = mixed(pixel, relit.x, relit.y, relit.z);
        }
        if (at.count == kCount) {
            uint4 vector;
            memcpy(&vector, &results, sizeof vector);
            store_result(sink, uint32_t(at.x), uint32_t(at.y), vector);
        } else {
#pragma unroll
            for (int i = 0; i < kCount; ++i)
                if (i < at.count) sink.store(at.x + i, at.y, results.colors[i]);
        }
    });
}

/// The lightness of a job's colors as an image of its own, before and after. Params: the operator's parameters.
template <class Sample, class Params>
class LightnessPlane {
  public:
    /// Takes memory. The job outlives it.
    explicit LightnessPlane(CudaJob& job)
        : job_(job),
          spec_(plane_spec(job.input_spec)),
          pitch_bytes_(aligned_pitch_bytes(spec_)),
          d_before_(job.scratch.get<uint8_t>("lightness before", pitch_bytes_ * size_t(spec_.height))),
          d_after_(job.scratch.get<uint8_t>("lightness after", pitch_bytes_ * size_t(spec_.height))),
          tables_(device_lab<Sample>(job)),
          image_(source_of<ColorPixel<Sample>>(job), spec_.width, spec_.height),
          in_block_(LabPixels<Sample, true>::shared_bytes(true) <= job.device.sharedMemPerBlockOptin) {}

    /// Stage "split colors": makes the image.
    void split() const {
        const auto stage = job_.stage("split colors");
        launch(false, in_block_ ? &split_lightness_kernel<Sample, true> : &split_lightness_kernel<Sample, false>,
               image_, tables_, d_before_, pitch_bytes_);
        // Behind a copy no kernel starts early, and those of the variant may read its image right away.
        auto* d_word = job_.scratch.get<uint32_t>("lightness word", 1);
        TONESCOPE_CUDA(cudaMemsetAsync(d_word, 0, sizeof *d_word, job_.stream));
    }
    /// The job with this image, in memory.
    CudaJob job() const {
        CudaJob of_plane = job_;
        of_plane.d_input = d_before_;
        of_plane.input_pitch_bytes = pitch_bytes_;
        of_plane.input_spec = spec_;
        of_plane.output = {d_after_, pitch_bytes_, 0, spec_};
        auto params = job_.params.template as<Params>();
        params.no_data.leave_out(params.left_out(job_.input_spec));
        params.amount = 100;
        of_plane.params = ParamBlock(params);
        return of_plane;
    }
    /// Stage "join colors": makes colors of its result.
    void join() const {
        const auto stage = job_.stage("join colors");
        const ColorMixing mixed(job_.input_spec, job_.params.template as<Params>().change());
        with_sink<ColorPixel<Sample>>(job_.output, [&]<class Sink>(Sink sink) {
            launch(true,
                   in_block_ ? &join_lightness_kernel<Sample, true, Sink> : &join_lightness_kernel<Sample, false, Sink>,
                   image_, sink, tables_, mixed, static_cast<const uint8_t*>(d_after_), pitch_bytes_);
        });
    }

  private:
    static ImageSpec plane_spec(ImageSpec spec) {
        spec.format = sizeof(Sample) == 2 ? PixelFormat::gray16 : PixelFormat::gray8;
        spec.has_alpha = false;
        return spec;
    }
    void launch(bool encodes, auto* kernel, auto... arguments) const {
        const LaunchShape shape{.blocks = unsigned(job_.device.multiProcessorCount),
                                .threads = kLabThreads,
                                .shared_bytes = in_block_ ? LabPixels<Sample, true>::shared_bytes(encodes) : 0,
                                .stream = job_.stream};
        allow_shared_memory(job_.device, shape, kernel);
        TONESCOPE_CUDA(queue_launch(shape, nullptr, 0, kernel, arguments...));
    }

    CudaJob& job_;
    ImageSpec spec_;
    size_t pitch_bytes_;
    uint8_t *d_before_, *d_after_;
    Lab<Sample> tables_;
    LabImage<Sample> image_;
    bool in_block_;  // older GPUs have too little shared memory for the tables
};

/// A variant's launch function kRun, with the lightness as its image where the parameters ask for it.
template <class Params, CudaRun kRun>
void run_by_lightness(CudaJob& job) {
    if (is_gray(job.input_spec.format) || job.params.as<Params>().color != color_lab) return kRun(job);
    const auto run = [&]<class Sample>(Sample) {
        const LightnessPlane<Sample, Params> plane(job);
        plane.split();
        CudaJob of_plane = plane.job();
        kRun(of_plane);
        plane.join();
    };
    is_deep(job.input_spec.format) ? run(uint16_t{}) : run(uint8_t{});
}

}  // namespace tonescope
