// What a variant does in a run, declared beside its kernels: what it is held against what the machine can do by.
#pragma once

#include <string_view>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/param.h"

namespace tonescope {

/// Numbers of bytes, instructions and additions. What a few threads do once a launch may be left out.
struct Amounts {
    /// To and from the memory that holds the images, on a GPU the device's: what a stage reads and writes there, each
    /// byte once a stage, whatever caches make of more accesses.
    double bytes = 0;
    /// On a GPU, that threads read from and write to shared memory, an atomic addition counted as 4.
    double shared_bytes = 0;
    /// On a GPU: instructions carried out, a warp's counted once for each of its threads that takes part, as nvcc 13
    /// makes them for compute capability 9.0. On the CPU: additions, multiplications, comparisons and other arithmetic
    /// on pixels and indices in the loops as they are written.
    double operations = 0;
    double shared_atomics = 0, global_atomics = 0;  // additions of single threads

    Amounts& operator+=(const Amounts& other) {
        bytes += other.bytes;
        shared_bytes += other.shared_bytes;
        operations += other.operations;
        shared_atomics += other.shared_atomics;
        global_atomics += other.global_atomics;
        return *this;
    }
    friend Amounts operator+(Amounts a, const Amounts& b) { return a += b; }
    friend Amounts operator*(double times, const Amounts& a) {
        return {times * a.bytes, times * a.shared_bytes, times * a.operations, times * a.shared_atomics,
                times * a.global_atomics};
    }
};

struct StageWork {
    std::string_view stage;  // as in StageTime
    Amounts amounts;
};
/// Of each stage that does something on the variant's backend, in their order. Copies between host and device are not
/// among them, nor what the host does between kernels.
using Work = std::vector<StageWork>;

inline Amounts total_of(const Work& work) {
    Amounts sum;
    for (const StageWork& stage : work) sum += stage.amounts;
    return sum;
}

/// What a run is made on.
struct WorkCase {
    ImageSpec image = {};
    ParamBlock params = {}, variant_params = {};
    double pixels() const { return double(image.pixels()); }
    bool is_gray() const { return image.format == PixelFormat::gray8; }
};

}  // namespace tonescope
