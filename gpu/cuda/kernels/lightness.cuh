// Lightness of 8-bit colors in kernels: gpu/core/color/lab.h with its tables in a block's shared memory.
//
// A pixel with another lightness costs three samples' light, three roots and three samples, ten look-ups in all with
// its new lightness. Each lane has its own copy of every table, so that no two lanes meet in a bank: lines of 8 bytes,
// which half a warp reads at a time, have 16 copies, the rest has 32, and an entry is 128 bytes away from the next one.
#pragma once

#include <cuda_runtime_api.h>

#include <bit>
#include <cstdint>
#include <type_traits>

#include "gpu/core/color/lab.h"
#include "gpu/cuda/kernels/byte_permute.cuh"
#include "gpu/cuda/kernels/shared_memory.cuh"

namespace tonescope {

/// The map (color.cuh) of color images whose lightness changes. It has no functions of its own: see BlockLab.
struct ColorLightness {
    using In = uchar4;
    using Out = uchar4;
    static constexpr int kPlanes = 1;
};

/// The calling lane's view of the tables.
class BlockLab {
    using Lab8 = Lab<uint8_t>;

  public:
    /// Of shared memory, from a 16-byte boundary on.
    static constexpr size_t bytes(bool encodes) { return encodes ? kEnd : kStepsFrom; }
    /// Each thread of the block copies its part. A barrier is to follow.
    static __device__ void fill(uint8_t* s_tables, const Lab8& lab, bool encodes) {
        auto* const s_vectors = reinterpret_cast<uint4*>(s_tables);
        constexpr unsigned kVectors = kEntryBytes / 16;
        for (unsigned i = threadIdx.x; i < kRootsFrom / 16; i += blockDim.x) {
            const uint32_t light = __float_as_uint(lab.light[i / kVectors]);
            s_vectors[i] = make_uint4(light, light, light, light);
        }
        for (unsigned i = threadIdx.x; i < Lab8::kRoots * kVectors; i += blockDim.x) {
            const Lab8::Line line = lab.roots[i / kVectors];
            const auto at_0 = uint32_t(line), slope = uint32_t(line >> 32);
            s_vectors[kRootsFrom / 16 + i] = make_uint4(at_0, slope, at_0, slope);
        }
        if (!encodes) return;
        for (unsigned i = threadIdx.x; i < Lab8::kSteps * kVectors; i += blockDim.x) {
            const uint32_t step = lab.steps[i / kVectors];
            s_vectors[kStepsFrom / 16 + i] = make_uint4(step, step, step, step);
        }
    }

    __device__ explicit BlockLab(const uint8_t* s_tables)
        : words_(shared_address(s_tables) + threadIdx.x % 32 * 4),
          lines_(shared_address(s_tables) + threadIdx.x % 16 * 8) {}

    static constexpr auto kNoLightness = std::bit_cast<uint32_t>(Lab8::kWhole);
    /// The lightness in the lowest byte of kNoLightness.
    __device__ uint32_t lightness(uint32_t rgba) const {
        return __float_as_uint(Lab8::lightness_of<kFused>(root(xyz(rgba).y)));
    }
    /// By how much the roots are shifted for so many steps of lightness: the bits of a float.
    static __device__ uint32_t shift(int steps) { return __float_as_uint(Lab8::shift<kFused>(float(steps))); }
    /// From one lightness to another, both in the lowest byte of kNoLightness.
    static __device__ uint32_t shift(uint32_t before, uint32_t after) {
        return __float_as_uint(Lab8::shift<kFused>(__uint_as_float(after) - __uint_as_float(before)));
    }
    /// The pixel with another lightness; shift_of(lightness before) is the shift.
    template <class ShiftOf>
    __device__ uint32_t relit(uint32_t rgba, ShiftOf&& shift_of) const {
        const Lab8::Xyz lifted = xyz(rgba), before = {root(lifted.x), root(lifted.y), root(lifted.z)};
        const uint32_t shift = shift_of(__float_as_uint(Lab8::lightness_of<kFused>(before.y)));
        float after[3];
        Lab8::relit<kFused>(before, __uint_as_float(shift), after);
        uint32_t samples[3];  // from bit 16 on
#pragma unroll
        for (int c = 0; c < 3; ++c) {
            constexpr int kFrom = int(kStepsFrom) - int(Lab8::kFirstStep * kEntryBytes);
            samples[c] = __float_as_uint(after[c]) + load_constant<kFrom>(entry(after[c], words_));
        }
        return __byte_perm(__byte_perm(samples[0], samples[1], bytes::both(2, 2)),
                           __byte_perm(samples[2], rgba, bytes::both(2, 3)), bytes::kLowerHalves);
    }

  private:
    static constexpr Fused kFused = Fused::kInstruction;
    static constexpr uint32_t kEntryBytes = 128;
    static constexpr size_t kRootsFrom = 256 * kEntryBytes, kStepsFrom = kRootsFrom + Lab8::kRoots * kEntryBytes,
                            kEnd = kStepsFrom + Lab8::kSteps * kEntryBytes;

    /// The address of what the upper half of a float chooses from a table that begins with entry 0 at the lane's.
    static __device__ uint32_t entry(float n, uint32_t lane) {
        return __dp2a_hi(__float_as_uint(n), kEntryBytes << 24, lane);
    }
    template <int kChannel>
    __device__ float light(uint32_t rgba) const {
        return __uint_as_float(load_constant<0>(__dp4a(rgba, kEntryBytes << (8 * kChannel), words_)));
    }
    __device__ Lab8::Xyz xyz(uint32_t rgba) const {
        return Lab8::xyz<kFused>(light<0>(rgba), light<1>(rgba), light<2>(rgba));
    }
    __device__ float root(float lifted) const {
        constexpr int kFrom = int(kRootsFrom) - int(Lab8::kFirstRoot * kEntryBytes);
        const uint2 line = load_constant_pair<kFrom>(entry(lifted, lines_));
        return Lab8::on_line<kFused>(__uint_as_float(line.x), __uint_as_float(line.y), lifted);
    }

    uint32_t words_, lines_;
};

/// What a kernel gets to know of the colors that a map makes: for lightness, the tables in device memory.
struct NoColorTables {};
template <class Map>
using ColorTables = std::conditional_t<std::is_same_v<Map, ColorLightness>, Lab<uint8_t>, NoColorTables>;

}  // namespace tonescope
