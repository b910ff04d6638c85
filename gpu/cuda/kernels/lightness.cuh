// Lightness of 8-bit colors in kernels: gpu/core/color/lab.h with its tables in a block's shared memory.
//
// A pixel with another lightness costs three samples' light, three roots and three encoded samples, ten look-ups in all
// with its new lightness, and about 90 instructions: as long as memory takes for it, where all multiprocessors are
// busy. Light is looked up without conflicts, because each lane has a copy; the other tables are too large for copies.
#pragma once

#include <cuda_runtime_api.h>

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
  public:
    /// Of shared memory, from a 16-byte boundary on.
    static constexpr size_t bytes(bool encodes) { return kEncodedFrom + (encodes ? kEncodedBytes : 0); }
    /// Each thread of the block copies its part. A barrier is to follow.
    static __device__ void fill(uint8_t* s_tables, const Lab<uint8_t>& lab, bool encodes) {
        auto* const s_words = reinterpret_cast<uint4*>(s_tables);
        for (unsigned i = threadIdx.x; i < kRootsFrom / 16; i += blockDim.x) {
            const uint32_t light = lab.linear[i * 4 / kCopies];
            s_words[i] = make_uint4(light, light, light, light);
        }
        for (unsigned i = threadIdx.x; i < (kEncodedFrom - kRootsFrom) / 16; i += blockDim.x)
            s_words[kRootsFrom / 16 + i] = reinterpret_cast<const uint4*>(lab.roots)[i];
        if (!encodes) return;
        auto* const s_encoded = reinterpret_cast<uint32_t*>(s_tables + kEncodedFrom);
        for (unsigned i = threadIdx.x; i < (kLabNodes + 4) / 4; i += blockDim.x) {
            const uint4 four = reinterpret_cast<const uint4*>(lab.encoded)[i];
            s_encoded[i] = four.x | four.y << 8 | four.z << 16 | four.w << 24;
        }
    }

    __device__ explicit BlockLab(const uint8_t* s_tables)
        : linear_(shared_address(s_tables) + threadIdx.x % kCopies * 4),
          roots_(shared_address(s_tables) + uint32_t(kRootsFrom)),
          encoded_(shared_address(s_tables) + uint32_t(kEncodedFrom)) {}

    /// How the roots are shifted for so many steps of lightness, in the upper half of a word, whose lower half is below
    /// 2^16 - 63.
    static __device__ uint32_t shift(int steps) {
        constexpr int kBits = 16 - LabScale<uint8_t>::kStep;
        return uint32_t(steps * (Lab<uint8_t>::kStep << kBits)) + (1u << 15);
    }

    __device__ uint32_t lightness(uint32_t rgba) const {
        int32_t light[3];
        look_up_light(rgba, light);
        return lightness_of(load_shared(roots_ + four_nodes<1>(light)));
    }
    /// The pixel with another lightness; shift_of(lightness before) is the shift.
    template <class ShiftOf>
    __device__ uint32_t relit(uint32_t rgba, ShiftOf&& shift_of) const {
        int32_t light[3];
        look_up_light(rgba, light);
        const uint32_t at_x = four_nodes<0>(light), at_y = four_nodes<1>(light), at_z = four_nodes<2>(light);
        const uint32_t root_x = load_shared(roots_ + at_x), root_y = load_shared(roots_ + at_y),
                       root_z = load_shared(roots_ + at_z);
        const uint32_t shift = shift_of(lightness_of(root_y));
        // The rests of cubes, below 64, do not carry into the roots.
        const auto change = [&](uint32_t root, uint32_t at) {
            return Lab<uint8_t>::cube(int32_t(root + shift) >> 16) - int32_t(at + (root & 0xffffu));
        };
        const int32_t x = change(root_x, at_x), y = change(root_y, at_y), z = change(root_z, at_z);
        const uint32_t red = encoded<0>(light, x, y, z), green = encoded<1>(light, x, y, z),
                       blue = encoded<2>(light, x, y, z);
        return __byte_perm(__byte_perm(red, green, bytes::both(0, 0)), __byte_perm(blue, rgba, bytes::both(0, 3)),
                           bytes::kLowerHalves);
    }

  private:
    static constexpr uint32_t kCopies = 32;
    static constexpr size_t kRootsFrom = 256 * kCopies * 4, kEncodedFrom = kRootsFrom + (kLabNodes + 4) * 4,
                            kEncodedBytes = (kLabNodes + 4 + 15) / 16 * 16;

    __device__ void look_up_light(uint32_t rgba, int32_t (&light)[3]) const {
#pragma unroll
        for (int c = 0; c < 3; ++c) light[c] = int32_t(load_shared(__dp4a(rgba, kCopies * 4 << (8 * c), linear_)));
    }
    /// Four times the node: its bytes in the table of the roots, and what its cube is about.
    template <int kRow>
    static __device__ uint32_t four_nodes(const int32_t (&light)[3]) {
        return uint32_t(Lab<uint8_t>::weighted<kRow>(light[0], light[1], light[2])) >> 14 & ~3u;
    }
    /// L* = 116 f - 16, of a word of the roots.
    static __device__ uint32_t lightness_of(uint32_t root) {
        constexpr uint32_t kOne = Lab<uint8_t>::kOne;
        return ((root >> 16) * (255u * 29) - 255u * 4 * kOne + 25 * (kOne / 2)) / kOne / 25;
    }
    template <int kRow>
    __device__ uint32_t encoded(const int32_t (&light)[3], int32_t x, int32_t y, int32_t z) const {
        const int32_t node = Lab<uint8_t>::encoded_node<kRow>(light[kRow], x, y, z);
        return load_shared_byte(encoded_ + uint32_t(__vimin_s32_relu(node, kLabNodes)));
    }

    uint32_t linear_, roots_, encoded_;
};

/// What a kernel gets to know of the colors that a map makes: for lightness, the tables in device memory.
struct NoColorTables {};
template <class Map>
using ColorTables = std::conditional_t<std::is_same_v<Map, ColorLightness>, Lab<uint8_t>, NoColorTables>;

}  // namespace tonescope
