#include "gpu/cuda/counts.h"

#include "gpu/core/histogram.h"
#include "gpu/cuda/count.cuh"

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
struct GrayLabCounts {
    uint32_t* d_counts;
    __device__ void operator()(unsigned entry, uint32_t total) const {
        for (unsigned i = 0; i < 4; ++i) d_counts[4 * entry + i] = i == 0 ? total : 0;
    }
};

/// Calls launch(image) with what reads the image.
template <class Pixel, class Launch>
void with_vectors(const DeviceOutput& image, Launch&& launch) {
    const ImageSpec& spec = image.spec;
    if (image.surface != 0) {
        launch(SurfaceVectors<Pixel>(image.surface, spec.width, spec.height));
    } else {
        launch(PitchedVectors<Pixel>(image.d_data, image.pitch_bytes, spec.width, spec.height));
    }
}

}  // namespace

void count_display(const DeviceOutput& image, uint32_t* d_counts, ZeroedWords& scratch, const DeviceFacts& facts,
                   cudaStream_t stream) {
    if (image.spec.format == PixelFormat::gray8) {
        with_vectors<uint8_t>(image, [&](const auto& vectors) {
            launch_count<CountGray>(vectors, LumaCounts{d_counts}, scratch, facts, stream);
        });
    } else {
        with_vectors<uchar4>(image, [&](const auto& vectors) {
            launch_count<CountChannelsAndLuma>(vectors, Counts{d_counts}, scratch, facts, stream);
        });
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

void count_lab_words(const uint8_t* d_data, size_t pitch_bytes, const ImageSpec& spec, uint32_t* d_counts,
                     ZeroedWords& scratch, const DeviceFacts& facts, cudaStream_t stream) {
    if (spec.format == PixelFormat::gray8) {
        launch_count<CountGray>(PitchedVectors<uint8_t>(d_data, pitch_bytes, spec.width, spec.height),
                                GrayLabCounts{d_counts}, scratch, facts, stream);
    } else {
        launch_count<CountLabWords>(PitchedVectors<uchar4>(d_data, pitch_bytes, spec.width, spec.height),
                                    Counts{d_counts}, scratch, facts, stream);
    }
}

void count_gray(const uint8_t* d_data, size_t pitch_bytes, int width, int height, uint32_t* d_counts,
                ZeroedWords& scratch, const DeviceFacts& facts, cudaStream_t stream) {
    launch_count<CountGray>(PitchedVectors<uint8_t>(d_data, pitch_bytes, width, height), Counts{d_counts}, scratch,
                            facts, stream);
}

}  // namespace tonescope
