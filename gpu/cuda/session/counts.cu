#include "gpu/cuda/session/counts.h"

#include "gpu/core/histogram.h"
#include "gpu/cuda/kernels/count.cuh"

namespace tonescope {
namespace {

struct Counts {
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

void count_display(const DeviceOutput& image, uint32_t* d_counts, ZeroedWords& scratch, const DeviceProperties& device,
                   cudaStream_t stream) {
    const int width = image.spec.width, height = image.spec.height;
    const bool is_surface = image.surface != 0;
    if (image.spec.format == PixelFormat::gray8) {
        const LumaCounts counts{d_counts};
        if (is_surface)
            launch_count<CountGray>(SurfaceVectors<uint8_t>(image.surface, width, height), counts, scratch, device,
                                    stream);
        else
            launch_count_gray(image.d_data, image.pitch_bytes, width, height, counts, scratch, device, stream);
    } else {
        const Counts counts{d_counts};
        if (is_surface)
            launch_count<CountChannelsAndLuma>(SurfaceVectors<uchar4>(image.surface, width, height), counts, scratch,
                                               device, stream);
        else
            launch_count<CountChannelsAndLuma>(PitchedVectors<uchar4>(image.d_data, image.pitch_bytes, width, height),
                                               counts, scratch, device, stream);
    }
}

DisplayHistogram display_histogram(const uint32_t* counts, const ImageSpec& spec) {
    DisplayHistogram histogram;
    histogram.has_color = spec.format == PixelFormat::rgba8;
    for (size_t v = 0; v < 256; ++v) {
        for (size_t c = 0; c < 3; ++c) histogram.rgb[c][v] = counts[c * 256 + v];
        histogram.luma[v] = counts[3 * 256 + v];
    }
    return histogram;
}

void count_histogram_words(const uint8_t* d_data, size_t pitch_bytes, const ImageSpec& spec, uint32_t* d_counts,
                           ZeroedWords& scratch, const DeviceProperties& device, cudaStream_t stream) {
    if (spec.format == PixelFormat::gray8) {
        launch_count_gray(d_data, pitch_bytes, spec.width, spec.height, GrayWordCounts{d_counts}, scratch, device,
                          stream);
    } else {
        launch_count<CountHistogramWords>(PitchedVectors<uchar4>(d_data, pitch_bytes, spec.width, spec.height),
                                          Counts{d_counts}, scratch, device, stream);
    }
}

void count_gray(const uint8_t* d_data, size_t pitch_bytes, int width, int height, uint32_t* d_counts,
                ZeroedWords& scratch, const DeviceProperties& device, cudaStream_t stream) {
    launch_count_gray(d_data, pitch_bytes, width, height, Counts{d_counts}, scratch, device, stream);
}

}  // namespace tonescope
