#include "gpu/cuda/session/runner.h"

#include <string>

#include "gpu/core/error.h"
#include "gpu/cuda/kernels/blend_part.cuh"
#include "gpu/cuda/kernels/count.cuh"
#include "gpu/cuda/kernels/deep_counts.cuh"

namespace tonescope {
namespace {

struct WholeCounts {
    uint32_t* d_counts;
    __device__ void operator()(unsigned entry, uint32_t total) const { d_counts[entry] = total; }
};

/// Of a gray image luma is counted alone.
struct LumaCounts {
    uint32_t* d_counts;
    __device__ void operator()(unsigned entry, uint32_t total) const {
        for (unsigned plane = 0; plane < 3; ++plane) d_counts[plane * 256 + entry] = 0;
        d_counts[3 * 256 + entry] = total;
    }
};

/// Word 4 v is the only one that a gray value v makes.
struct GrayWordCounts {
    uint32_t* d_counts;
    __device__ void operator()(unsigned entry, uint32_t total) const {
        for (unsigned i = 0; i < 4; ++i) d_counts[4 * entry + i] = i == 0 ? total : 0;
    }
};

}  // namespace

void Runner::launch(const RunSpec& spec, const DevicePixels& input, const DeviceOutput& output, bool live,
                    const HostPixels& host, std::stop_token stop) {
    if (spec.variant->run_cuda == nullptr)
        throw DeviceError(std::string(spec.op->id) + " " + std::string(spec.variant->id) +
                          " does not run on the CUDA backend");
    check_takes(spec, input.spec);
    allocations_before_ = allocations();
    if (spec.op != scratch_op_) scratch_.clear();  // another operator's buffers, which may be large
    scratch_op_ = spec.op;
    CudaJob job{.d_input = input.d_data,
                .input_pitch_bytes = input.pitch_bytes,
                .input_spec = input.spec,
                .output = output,
                .d_bins = on_device().bins,
                .params = spec.params,
                .variant_params = spec.variant_params,
                .stream = stream,
                .device = device,
                .scratch = scratch_,
                .stages = stages,
                .h_input = host.h_input,
                .h_output = host.h_output,
                .live = live,
                .stop = stop};
    const LaunchLog::Scope log(launches_);
    all_or_nothing([&] { queue_run(spec, job); });
}

void Runner::queue_run(const RunSpec& spec, CudaJob& job) {
    // A variant that moves the pixels itself has copied its result to the host by then.
    if (spec.op->makes_bins || spec.part.is_whole() || job.h_output.data != nullptr) return spec.variant->run_cuda(job);
    const uint8_t* const d_mask = mask_on_device(spec.part);
    const DeviceOutput output = job.output;
    const size_t pitch = aligned_pitch_bytes(output.spec);
    d_part_.reserve(pitch * size_t(output.spec.height));
    job.output = {d_part_.as<uint8_t>(), pitch, 0, output.spec};
    spec.variant->run_cuda(job);
    launch_blend_part(job, spec.part, d_mask, job.output, output);
}

/// Its rows without gaps; null where there is none.
const uint8_t* Runner::mask_on_device(const ResultPart& part) {
    if (part.mask == nullptr) return nullptr;
    if (part.mask != mask_) {
        const ImageView mask = part.mask->view();
        const size_t width = size_t(mask.spec.width), height = size_t(mask.spec.height);
        mask_.reset();
        d_mask_.reserve(width * height);
        TONESCOPE_CUDA(cudaMemcpy2DAsync(d_mask_.as<uint8_t>(), width, mask.data, mask.pitch_bytes, width, height,
                                         cudaMemcpyHostToDevice, stream));
        mask_ = part.mask;
    }
    return d_mask_.as<uint8_t>();
}

void Runner::count_image(const DeviceOutput& image) {
    all_or_nothing([&] { queue_counts(image); });
    fetch(on_device().display, on_host().display);
}

void Runner::queue_counts(const DeviceOutput& image) {
    const int width = image.spec.width, height = image.spec.height;
    const bool is_surface = image.surface != 0;
    if (is_deep(image.spec.format)) return launch_deep_counts<DisplayBins>(image, on_device().display, device, stream);
    if (image.spec.format == PixelFormat::gray8) {
        const LumaCounts counts{on_device().display};
        if (is_surface)
            launch_count<CountGray>(SurfaceVectors<uint8_t>(image.surface, width, height), counts, counting_, device,
                                    stream);
        else
            launch_count_gray(image.d_data, image.pitch_bytes, width, height, counts, counting_, device, stream);
    } else {
        const WholeCounts counts{on_device().display};
        if (is_surface)
            launch_count<CountChannelsAndLuma>(SurfaceVectors<uchar4>(image.surface, width, height), counts, counting_,
                                               device, stream);
        else
            launch_count<CountChannelsAndLuma>(PitchedVectors<uchar4>(image.d_data, image.pitch_bytes, width, height),
                                               counts, counting_, device, stream);
    }
}

DisplayHistogram Runner::histogram(const ImageSpec& image) const {
    DisplayHistogram histogram;
    histogram.has_color = !is_gray(image.format);
    const uint32_t* counts = on_host().display;
    for (size_t v = 0; v < 256; ++v) {
        for (size_t c = 0; c < 3; ++c) histogram.rgb[c][v] = counts[c * 256 + v];
        histogram.luma[v] = counts[3 * 256 + v];
    }
    return histogram;
}

void Runner::fetch_bins() {
    fetch(on_device().bins, on_host().bins);
}

void Runner::count_words(const DevicePixels& input) {
    all_or_nothing([&] { queue_words(input); });
    fetch(on_device().words, on_host().words);
}

void Runner::queue_words(const DevicePixels& input) {
    const ImageSpec& spec = input.spec;
    uint32_t* d_counts = on_device().words;
    if (is_deep(spec.format)) {
        const DeviceOutput image{const_cast<uint8_t*>(input.d_data), input.pitch_bytes, 0, spec};  // is only read
        return launch_deep_counts<WordBins>(image, d_counts, device, stream);
    }
    if (spec.format == PixelFormat::gray8)
        launch_count_gray(input.d_data, input.pitch_bytes, spec.width, spec.height, GrayWordCounts{d_counts}, counting_,
                          device, stream);
    else
        launch_count<CountHistogramWords>(
            PitchedVectors<uchar4>(input.d_data, input.pitch_bytes, spec.width, spec.height), WholeCounts{d_counts},
            counting_, device, stream);
}

BinsResult Runner::bins() const {
    const Counts& counts = on_host();
    return {{counts.bins, counts.bins + kFineBins}, {counts.words, counts.words + kFineBins}};
}

void count_gray(const uint8_t* d_data, size_t pitch_bytes, int width, int height, uint32_t* d_counts,
                ZeroedWords& scratch, const DeviceProperties& device, cudaStream_t stream) {
    launch_count_gray(d_data, pitch_bytes, width, height, WholeCounts{d_counts}, scratch, device, stream);
}

}  // namespace tonescope
