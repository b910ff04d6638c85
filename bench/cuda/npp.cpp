#include "bench/cuda/npp.h"

#include <dlfcn.h>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"

namespace tonescope::bench {
namespace {

constexpr int kLevels = 257;            // ends of 256 bins
constexpr int kThreadsPerBlock = 1024;  // of every GPU from sm_20 on

void check(int status, const char* function) {
    if (status != 0) throw DeviceError("NPP: " + std::string(function) + " answers " + std::to_string(status));
}

template <class Function>
bool find(void* library, const char* name, Function& function) {
    function = library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

void* open(const char* library, const char* version) {
    return dlopen(("lib" + std::string(library) + ".so." + version).c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

std::optional<Npp> Npp::load(const DeviceProperties& device, cudaStream_t stream) {
    for (const char* version : {"13", "12"}) {
        // The libraries stay loaded: they hold state of the device.
        void* statistics = open("nppist", version);
        void* colors = open("nppicc", version);
        Npp npp;
        if (!find(statistics, "nppiHistogramEvenGetBufferSize_8u_C1R_Ctx", npp.scratch_bytes_) ||
            !find(statistics, "nppiHistogramEven_8u_C1R_Ctx", npp.histogram_) ||
            !find(colors, "nppiLUTPalette_8u_C1R_Ctx", npp.look_up_))
            continue;
        npp.name_ = "NPP " + std::string(version);
        npp.stream_ = {.stream = stream,
                       .device = device.index,
                       .multiprocessors = device.multiprocessors,
                       .threads_per_multiprocessor = device.threads_per_multiprocessor,
                       .threads_per_block = kThreadsPerBlock,
                       .shared_bytes_per_block = device.shared_per_block_bytes,
                       .compute_major = device.compute_major,
                       .compute_minor = device.compute_minor,
                       .stream_flags = cudaStreamNonBlocking,
                       .reserved = 0};
        return npp;
    }
    return {};
}

size_t Npp::histogram_scratch_bytes(NppArea area) const {
    size_t bytes = 0;  // some versions write an int: zero before
    check(scratch_bytes_(area, kLevels, &bytes, stream_), "nppiHistogramEvenGetBufferSize");
    return bytes;
}

void Npp::histogram(const uint8_t* d_pixels, size_t pitch_bytes, NppArea area, uint32_t* d_counts,
                    uint8_t* d_scratch) const {
    check(histogram_(d_pixels, int(pitch_bytes), area, reinterpret_cast<int32_t*>(d_counts), kLevels, 0, 256, d_scratch,
                     stream_),
          "nppiHistogramEven");
}

void Npp::look_up(const uint8_t* d_from, size_t from_pitch_bytes, uint8_t* d_to, size_t to_pitch_bytes, NppArea area,
                  const uint8_t* d_table) const {
    check(look_up_(d_from, int(from_pitch_bytes), d_to, int(to_pitch_bytes), area, d_table, 8, stream_),
          "nppiLUTPalette");
}

}  // namespace tonescope::bench
