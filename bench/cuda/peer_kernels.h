// CUB's histogram, and what a HE made of a library's parts needs between them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tonescope::bench {

/// "CUB 3.0.1".
std::string cub_name();
/// Bytes of device memory that cub_histogram() needs besides. Throws DeviceError.
size_t cub_scratch_bytes(int64_t pixels);
/// Counts 256 values of `pixels` bytes without gaps. Throws DeviceError.
void cub_histogram(const uint8_t* d_pixels, int64_t pixels, uint32_t* d_counts, void* d_scratch, size_t scratch_bytes,
                   cudaStream_t stream);
/// From 256 counts to HE's table. Throws DeviceError.
void make_he_table(const uint32_t* d_counts, uint32_t pixels, uint8_t* d_table, cudaStream_t stream);

}  // namespace tonescope::bench
