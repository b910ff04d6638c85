// NPP's histogram and table look-up, found when the program runs: the library is not part of every CUDA toolkit.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "gpu/cuda/runtime/device.h"

namespace tonescope::bench {

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

class Npp {
  public:
    /// Empty where the libraries are not installed.
    static std::optional<Npp> load(const DeviceProperties& device, cudaStream_t stream);

    /// "NPP 13".
    const std::string& name() const { return name_; }
    /// Bytes of device memory that histogram() needs besides. Throws DeviceError.
    size_t histogram_scratch_bytes(NppArea area) const;
    /// Counts 256 values of pixels on the device. Throws DeviceError.
    void histogram(const uint8_t* d_pixels, size_t pitch_bytes, NppArea area, uint32_t* d_counts,
                   uint8_t* d_scratch) const;
    /// Replaces each pixel by its entry in a table of 256 bytes on the device. Throws DeviceError.
    void look_up(const uint8_t* d_from, size_t from_pitch_bytes, uint8_t* d_to, size_t to_pitch_bytes, NppArea area,
                 const uint8_t* d_table) const;

  private:
    using ScratchBytes = int (*)(NppArea, int levels, size_t* bytes, NppStream);
    using Histogram = int (*)(const uint8_t*, int pitch, NppArea, int32_t*, int levels, int32_t lowest, int32_t end,
                              uint8_t* scratch, NppStream);
    using LookUp = int (*)(const uint8_t*, int pitch, uint8_t*, int to_pitch, NppArea, const uint8_t* table, int bits,
                           NppStream);

    std::string name_;
    ScratchBytes scratch_bytes_ = nullptr;
    Histogram histogram_ = nullptr;
    LookUp look_up_ = nullptr;
    NppStream stream_ = {};
};

}  // namespace tonescope::bench
