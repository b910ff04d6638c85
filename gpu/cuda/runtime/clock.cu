#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/clock.h"

namespace tonescope {
namespace {

constexpr uint64_t kMeasured_ns = 50000, kLongest_ns = 50000;

struct ClockReading {
    uint64_t cycles, ns;
};

__device__ uint64_t global_ns() {
    uint64_t ns = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

__global__ void clock_kernel(ClockReading* reading) {
    const uint64_t begin_ns = global_ns();
    uint64_t first_ns = begin_ns;
    while (first_ns == begin_ns) first_ns = global_ns();  // some GPUs count in steps of a microsecond
    const auto first = uint64_t(clock64());
    uint64_t ns = first_ns;
    while (ns - first_ns < kMeasured_ns) ns = global_ns();
    *reading = {uint64_t(clock64()) - first, ns - first_ns};
}

__global__ void gate_kernel(const volatile unsigned* opened, unsigned number) {
    const uint64_t begin_ns = global_ns();
    while (int(*opened - number) < 0 && global_ns() - begin_ns < kLongest_ns) __nanosleep(200);
}

}  // namespace

double DeviceClock::mhz(cudaStream_t stream) {
    measured_.reserve(sizeof(ClockReading));
    auto* const reading = measured_.as<ClockReading>();
    *reading = {};
    clock_kernel<<<1, 1, 0, stream>>>(reinterpret_cast<ClockReading*>(mapped_pointer(measured_.as<uint8_t>())));
    TONESCOPE_LAUNCHED("clock_kernel");
    TONESCOPE_CUDA(cudaStreamSynchronize(stream));
    return reading->ns == 0 ? 0 : double(reading->cycles) * 1000 / double(reading->ns);
}

double DeviceClock::nominal_mhz(int device) {
    int khz = 0;
    TONESCOPE_CUDA(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device));
    return khz / 1000.0;
}

void StreamGate::close(cudaStream_t stream) {
    if (opened_.size_bytes() == 0) {
        opened_.reserve(sizeof(unsigned));
        *opened_.as<unsigned>() = 0;
    }
    gate_kernel<<<1, 1, 0, stream>>>(reinterpret_cast<const unsigned*>(mapped_pointer(opened_.as<uint8_t>())),
                                     ++closed_);
    TONESCOPE_LAUNCHED("gate_kernel");
}

void StreamGate::open() noexcept {
    if (opened_.size_bytes() > 0) *static_cast<volatile unsigned*>(opened_.as<unsigned>()) = closed_;
}

}  // namespace tonescope
