// Counts that are not part of any variant: the panels' histograms, an image's 10-bit words, and a plain histogram. Each
// is one kernel (count.cuh) that sets every counter it is given.
//
// Rows of pitched memory start at multiples of kPitchAlignment_bytes, and what pads them may be read. `scratch` serves
// one stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gpu/core/histogram.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/kernels/zeroed_words.h"
#include "gpu/cuda/runtime/device.h"

namespace tonescope {

/// Counters of a display histogram on the device: red, green, blue, luma, 256 each.
inline constexpr int kDisplayCounters = 4 * 256;

/// Counts an image (pitched memory or a surface) into d_counts[kDisplayCounters]; of gray images luma alone, and zero
/// for the others. Does not wait. Throws DeviceError.
void count_display(const DeviceOutput& image, uint32_t* d_counts, ZeroedWords& scratch, const DeviceProperties& device,
                   cudaStream_t stream);

/// What counts[kDisplayCounters] of an image say.
DisplayHistogram display_histogram(const uint32_t* counts, const ImageSpec& spec);

/// Counts an image's words into d_counts[kFineBins]. Does not wait. Throws DeviceError.
void count_histogram_words(const uint8_t* d_data, size_t pitch_bytes, const ImageSpec& spec, uint32_t* d_counts,
                           ZeroedWords& scratch, const DeviceProperties& device, cudaStream_t stream);

/// The histogram of a gray image, 8 bits, at most 2^29 pixels, into d_counts[256]. Does not wait. Throws DeviceError.
void count_gray(const uint8_t* d_data, size_t pitch_bytes, int width, int height, uint32_t* d_counts,
                ZeroedWords& scratch, const DeviceProperties& device, cudaStream_t stream);

}  // namespace tonescope
