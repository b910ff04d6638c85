// What a variant does in a run, declared beside its kernels: what it is held against what the machine can do by.
#pragma once

#include <string_view>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/limits/value_spread.h"
#include "gpu/core/param.h"

namespace tonescope {

/// What is moved and done. What a few threads do once a launch may be left out.
struct Amounts {
    /// To and from the memory that holds the images, on a GPU the device's: what a stage reads and writes there, each
    /// byte once a stage, whatever caches make of more accesses.
    double bytes = 0;
    /// On a GPU: reads and writes of warps in the memory that holds the images, each of at most 32 bytes in a row.
    /// Where that is the host's memory, each goes over the bus by itself. Kernels whose warps read more in a row may
    /// leave them out.
    double requests = 0;
    /// On a GPU: of shared memory, 128 for each time that a warp keeps its 32 banks busy. Lanes that meet in a bank
    /// keep them busy as often as they take turns.
    double shared_bytes = 0;
    /// On a GPU: of the L1 cache, 128 for each time that loads of a warp keep it busy, counted where a kernel reads the
    /// same bytes again and again.
    double l1_bytes = 0;
    /// On a GPU: instructions carried out, a warp's counted once for each thread that takes part, as nvcc 13 makes them
    /// for compute capability 9.0. On the CPU: additions, multiplications, comparisons and other arithmetic on pixels
    /// and indices, as the loops are written.
    double operations = 0;
    /// On a GPU: atomic additions in shared memory, 32 for each time that a warp keeps its banks busy.
    double shared_atomics = 0;
    /// On a GPU: atomic additions that follow one another in the busiest KiB of device memory. A warp's to different
    /// words of one sector of 32 bytes are one; those to the same word follow one another.
    double global_atomics = 0;
    /// On a GPU: atomic additions to the one word of device memory that gets most of them.
    double word_atomics = 0;
    /// On a GPU: reads of constant memory, 32 for each address that a warp reads.
    double constant_reads = 0;
    /// On a GPU: blocks that are started. The launches say how many; variants do not declare them.
    double blocks = 0;

    friend constexpr Amounts operator+(const Amounts& a, const Amounts& b) {
        return {a.bytes + b.bytes,
                a.requests + b.requests,
                a.shared_bytes + b.shared_bytes,
                a.l1_bytes + b.l1_bytes,
                a.operations + b.operations,
                a.shared_atomics + b.shared_atomics,
                a.global_atomics + b.global_atomics,
                a.word_atomics + b.word_atomics,
                a.constant_reads + b.constant_reads,
                a.blocks + b.blocks};
    }
    friend constexpr Amounts operator*(double times, const Amounts& a) {
        return {times * a.bytes,          times * a.requests,       times * a.shared_bytes,   times * a.l1_bytes,
                times * a.operations,     times * a.shared_atomics, times * a.global_atomics, times * a.word_atomics,
                times * a.constant_reads, times * a.blocks};
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

/// What a run is made on.
struct WorkCase {
    ImageSpec image = {};
    ParamBlock params = {}, variant_params = {};
    ValueSpread values = {};
    double pixels() const { return double(image.pixels()); }
    bool is_gray() const { return tonescope::is_gray(image.format); }
};

/// An atomic addition in shared memory to a counter that the pixel's value chooses.
inline Amounts addition_by_value(const WorkCase& c) {
    return {.shared_bytes = 4 * c.values.turns, .shared_atomics = c.values.turns};
}

}  // namespace tonescope
