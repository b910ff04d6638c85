// Sums over boxes of (radius + 1)^2 pixels on the integer matrix units, exact in 32 bits and at the same cost for every
// radius up to 16 (32, 48, 64).
//
// A plane holds one byte a pixel: V, the low and the high byte of V^2, R, G, B. A row of a plane times a band matrix,
// whose column m has ones in the rows m to m + radius, is the row of all sums over radius + 1 neighbours. The
// accumulators keep a box per column: the row that enters at the bottom is multiplied by the band, the one that leaves
// at the top by its negative, and both are added.
#pragma once

#include <cstdint>

namespace tonescope {

// A warp's lane is 4 g + q with g in 0 to 7 and q in 0 to 3, as the matrix instructions count. The warp covers 8 chunks
// of neighbouring columns. Chunk g / 2 + 4 (g % 2) of a row is what the lanes of g load: pixels 4 q to 4 q + 3 of each
// 16 columns. The sums of chunks q and q + 4 arrive at the lanes of q: columns 2 g and 2 g + 1 of each 16.
inline constexpr int kChunks = 8;
inline constexpr int kTiles = 2;  // of 16 columns in a chunk
inline constexpr int kTileColumns = 16, kChunkColumns = kTiles * kTileColumns, kStripColumns = kChunks * kChunkColumns;
inline constexpr int kSlots = 4 * kTiles;  // columns whose sums a lane gets

template <class Pixel>
struct PlanesOf;
template <>
struct PlanesOf<uchar4> {
    using Word = uint32_t;  // a pixel
    using Quad = uint4;     // four
    static constexpr int kPlanes = 6;
};
template <>
struct PlanesOf<uint8_t> {
    using Word = uint8_t;
    using Quad = uint32_t;
    static constexpr int kPlanes = 3;
};
enum Plane { kValue, kSquareLow, kSquareHigh, kRed, kGreen, kBlue };

/// Keeps the compiler from working out `x` again at every use.
template <class T>
__device__ __forceinline__ void keep(T& x) {
    if constexpr (sizeof(T) == 8) {
        asm volatile("" : "+l"(x));
    } else {
        asm volatile("" : "+r"(x));
    }
}

/// V^2 of four bytes V, split into low and high bytes.
__device__ __forceinline__ void split_squares(uint32_t v, uint32_t& low, uint32_t& high) {
    const uint32_t v0 = v & 0xff, v1 = v & 0xff00, v2 = __byte_perm(v, 0, 0x4442), v3 = __byte_perm(v, 0, 0x4434);
    const uint32_t squares01 = v1 * v1 + v0 * v0, squares23 = v3 * v3 + v2 * v2;
    low = __byte_perm(squares01, squares23, 0x6420);
    high = __byte_perm(squares01, squares23, 0x7531);
}

__device__ __forceinline__ void split_planes(uint4 p, uint32_t (&out)[6], uint32_t& alpha) {
    const uint32_t rg01 = __byte_perm(p.x, p.y, 0x5140), rg23 = __byte_perm(p.z, p.w, 0x5140);
    const uint32_t ba01 = __byte_perm(p.x, p.y, 0x7362), ba23 = __byte_perm(p.z, p.w, 0x7362);
    const uint32_t r = __byte_perm(rg01, rg23, 0x5410), g = __byte_perm(rg01, rg23, 0x7632);
    const uint32_t b = __byte_perm(ba01, ba23, 0x5410);
    // The greatest of 16 bits has the greatest upper byte: V of pixels 1 and 3, and shifted of pixels 0 and 2.
    const uint32_t odd = __vimax3_u16x2(r, g, b), even = __vimax3_u16x2(r << 8, g << 8, b << 8);
    out[kValue] = __byte_perm(even, odd, 0x7351);
    split_squares(out[kValue], out[kSquareLow], out[kSquareHigh]);
    out[kRed] = r;
    out[kGreen] = g;
    out[kBlue] = b;
    alpha = __byte_perm(ba01, ba23, 0x7632);
}
__device__ __forceinline__ void split_planes(uint32_t p, uint32_t (&out)[3], uint32_t& alpha) {
    out[kValue] = p;
    split_squares(p, out[kSquareLow], out[kSquareHigh]);
    alpha = 0;
}

/// sums += left (16 x 16, signed) x right (16 x 8, unsigned).
__device__ __forceinline__ void multiply_add(int (&sums)[4], const uint32_t (&left)[2], uint32_t right) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(left[0]), "r"(left[1]), "r"(right));
#else
    for (int half = 0; half < 2; ++half)
        asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
            : "+r"(sums[2 * half]), "+r"(sums[2 * half + 1])
            : "r"(left[half]), "r"(right));
#endif
}

/// The same with twice the depth: 16 x 32, 32 x 8.
__device__ __forceinline__ void multiply_add(int (&sums)[4], const uint32_t (&left0)[2], const uint32_t (&left1)[2],
                                             uint32_t right0, uint32_t right1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(left0[0]), "r"(left0[1]), "r"(left1[0]), "r"(left1[1]), "r"(right0), "r"(right1));
#else
    multiply_add(sums, left0, right0);
    multiply_add(sums, left1, right1);
#endif
}

/// What a lane holds of a row's planes and its alpha: `of[tile][plane]`, four bytes each.
template <class Pixel>
struct RowPlanes {
    uint32_t of[kTiles][PlanesOf<Pixel>::kPlanes], alpha[kTiles];
};

/// The boxes of a strip: `of[plane][tile][2 * odd column + upper four chunks]`. kReach: 16-column pieces that a tile's
/// boxes touch, 1 + radius / 16 rounded up.
template <class Pixel>
struct BoxSums {
    int of[PlanesOf<Pixel>::kPlanes][kTiles][4];
};

template <class Pixel, int kReach>
class BoxBand {
  public:
    __device__ BoxBand(int radius, int lane) {
        const int g = lane / 4, q = lane % 4, chunk = g / 2 + 4 * (g % 2), next = (chunk + 1) % kChunks;
        next_lane_ = 4 * (2 * (next % 4) + next / 4) + q;
        next_lane_ = __shfl_sync(0xffffffff, next_lane_, lane);  // else it would be worked out again at every use
        for (int piece = 0; piece < kReach; ++piece)
            for (int odd = 0; odd < 2; ++odd) {
                uint32_t ones = 0;
                for (int i = 0; i < 4; ++i) {
                    const int distance = kTileColumns * piece + 4 * q + i - (2 * g + odd);
                    ones |= uint32_t(distance >= 0 && distance <= radius) << (8 * i);
                }
                keep(ones);
                ones_[piece][odd] = ones;
            }
    }

    /// Adds a row to the boxes (weight 1), takes it away (255) or does nothing (0). What a strip's last
    /// 16 (kReach - 1) columns get is of no use: their boxes reach into the next strip.
    __device__ __forceinline__ void add(BoxSums<Pixel>& sums, const RowPlanes<Pixel>& row, uint32_t weight) const {
        constexpr int kPieces = kTiles + kReach - 1;
        uint32_t band[kReach][2];
#pragma unroll
        for (int piece = 0; piece < kReach; ++piece)
            for (int odd = 0; odd < 2; ++odd) band[piece][odd] = ones_[piece][odd] * weight;
#pragma unroll
        for (int plane = 0; plane < PlanesOf<Pixel>::kPlanes; ++plane) {
            uint32_t bytes[kPieces];
#pragma unroll
            for (int piece = 0; piece < kPieces; ++piece)
                bytes[piece] =
                    piece < kTiles ? row.of[piece][plane] : __shfl_sync(0xffffffff, bytes[piece - kTiles], next_lane_);
#pragma unroll
            for (int tile = 0; tile < kTiles; ++tile) {
                int(&to)[4] = sums.of[plane][tile];
#pragma unroll
                for (int piece = 0; piece + 1 < kReach; piece += 2)
                    multiply_add(to, band[piece], band[piece + 1], bytes[tile + piece], bytes[tile + piece + 1]);
                if constexpr (kReach % 2 != 0) multiply_add(to, band[kReach - 1], bytes[tile + kReach - 1]);
            }
        }
    }

  private:
    int next_lane_;  // that has the next chunk
    uint32_t ones_[kReach][2];
};

/// Brings the alpha of a row to the lanes that have the sums: the row times the unit matrix.
class AlphaCarrier {
  public:
    __device__ explicit AlphaCarrier(int lane) {
        const int g = lane / 4, q = lane % 4;
        for (int odd = 0; odd < 2; ++odd) {
            unit_[odd] = q == g / 2 ? 1u << (16 * (g % 2) + 8 * odd) : 0;
            keep(unit_[odd]);
        }
    }
    /// alpha[tile]: as a BoxSums has a tile. Not for gray pixels.
    __device__ __forceinline__ void carry(const RowPlanes<uchar4>& row, int (&alpha)[kTiles][4]) const {
#pragma unroll
        for (int tile = 0; tile < kTiles; ++tile) multiply_add(alpha[tile], unit_, row.alpha[tile]);
    }
    __device__ __forceinline__ void carry(const RowPlanes<uint8_t>&, int (&)[kTiles][4]) const {}

  private:
    uint32_t unit_[2];
};

}  // namespace tonescope
