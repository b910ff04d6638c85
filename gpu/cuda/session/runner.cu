#include "gpu/cuda/session/runner.h"

#include <string>

#include "gpu/core/error.h"
#include "gpu/cuda/kernels/count.cuh"
#include "gpu/cuda/kernels/deep_counts.cuh"
#include "gpu/cuda/kernels/put_back.cuh"

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

void Runner::launch(const RunSpec& spec, const DevicePixels& input, const DevicePixels& mask,
                    const DeviceOutput& output, bool live, const HostPixels& host, std::stop_token stop) {
    if (spec.variant->run_cuda == nullptr)
        throw DeviceError(std::string(spec.op->id) + " " + std::string(spec.variant->id) +
                          " does not run on the CUDA backend");
    check_takes(spec, input.spec);
    allocations_before_ = allocations();
    if (spec.op != scratch_op_) scratch_.clear();  // another operator's buffers, which may be large
    scratch_op_ = spec.op;
    seen_ = input;
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
    all_or_nothing([&] { queue_run(spec, mask, job); });
}

void Runner::queue_run(const RunSpec& spec, const DevicePixels& mask, CudaJob& job) {
    const ResultPart& part = spec.part;
    if (part.is_whole()) return spec.variant->run_cuda(job);
    const DevicePixels image = seen_;
    const DeviceOutput output = job.output;
    if (part.has_region()) cut_out(filtered_rect(part, image.spec), job);
    if (spec.op->makes_bins) return spec.variant->run_cuda(job);
    made_.reshape(spec.op->output_spec(job.input_spec, spec.params));
    job.output = {made_.d_data(), made_.pitch_bytes, 0, made_.spec};
    spec.variant->run_cuda(job);
    const DeviceOutput made = job.output;
    job.d_input = image.d_data;
    job.input_pitch_bytes = image.pitch_bytes;
    job.input_spec = image.spec;
    job.output = output;
    launch_put_back(job, RegionWeights(part, image.spec), {mask.d_data, mask.pitch_bytes, part.mask_inverse}, made);
}

/// Makes the rectangle the job's input: rows of their own, which begin where variants need them to.
void Runner::cut_out(const Rect& rect, CudaJob& job) {
    region_.reshape(filtered_spec({.region = rect}, job.input_spec));
    const size_t left_bytes = size_t(rect.x) * size_t(bytes_per_pixel(region_.spec.format));
    const uint8_t* const d_corner = job.d_input + size_t(rect.y) * job.input_pitch_bytes + left_bytes;
    const auto stage = job.stage("cut out");
    TONESCOPE_CUDA(cudaMemcpy2DAsync(region_.d_data(), region_.pitch_bytes, d_corner, job.input_pitch_bytes,
                                     region_.spec.row_bytes(), size_t(rect.height), cudaMemcpyDefault, stream));
    seen_ = {region_.d_data(), region_.pitch_bytes, region_.spec};
    job.d_input = seen_.d_data;
    job.input_pitch_bytes = seen_.pitch_bytes;
    job.input_spec = seen_.spec;
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

void Runner::count_words() {
    all_or_nothing([&] { queue_words(seen_); });
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
