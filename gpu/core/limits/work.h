// What a variant does in a run, declared beside its kernels: what it is held against what the machine can do by.
#pragma once

#include <string_view>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/param.h"

namespace tonescope {

/// What is moved and done. What a few threads do once a launch may be left out.
struct Amounts {
    /// To and from the memory that holds the images, on a GPU the device's: what a stage reads and writes there, each
    /// byte once a stage, whatever caches make of more accesses.
    double bytes = 0;
    /// On a GPU: of shared memory, 128 for each time that a warp keeps its 32 banks busy. Lanes that meet in a bank
    /// keep them busy as often as they take turns.
    double shared_bytes = 0;
    /// On a GPU: instructions carried out, a warp's counted once for each thread that takes part, as nvcc 13 makes them
    /// for compute capability 9.0. On the CPU: additions, multiplications, comparisons and other arithmetic on pixels
    /// and indices, as the loops are written.
    double operations = 0;
    /// On a GPU: atomic additions in shared memory, 32 for each time that a warp keeps its banks busy.
    double shared_atomics = 0;
    /// On a GPU: atomic additions in device memory, counted in sectors: a warp that adds to 32 neighboring words
    /// reaches 4 sectors of 32 bytes, and lanes that go to words anywhere reach one each.
    double global_atomics = 0;

    friend constexpr Amounts operator+(const Amounts& a, const Amounts& b) {
        return {a.bytes + b.bytes, a.shared_bytes + b.shared_bytes, a.operations + b.operations,
                a.shared_atomics + b.shared_atomics, a.global_atomics + b.global_atomics};
    }
    friend constexpr Amounts operator*(double times, const Amounts& a) {
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
    for (const StageWork& stage : work) sum = sum + stage.amounts;
    return sum;
}

/// How often a warp takes turns where its lanes go to 256 words of shared memory by the values of an image. Counted by
/// ncu on noise.
inline constexpr double kTurns = 3.2;
/// Additions of that kind, for each of them.
inline constexpr Amounts kAdditionByValue{.shared_bytes = 4 * kTurns, .shared_atomics = kTurns};

/// What a run is made on.
struct WorkCase {
    ImageSpec image = {};
    ParamBlock params = {}, variant_params = {};
    double pixels() const { return double(image.pixels()); }
    bool is_gray() const { return image.format == PixelFormat::gray8; }
};

}  // namespace tonescope
