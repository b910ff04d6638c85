// Pixels as planes of bytes, the form in which the matrix units take them: V, the low and the high byte of V^2, R, G,
// B. A register holds the same byte of four neighbouring pixels.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/tuned/strip_layout.cuh"

namespace tonescope::kuwahara::tuned {

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

/// The bytes that a lane holds of a row.
template <class Pixel>
struct RowPlanes {
    uint32_t of[kSpans][PlanesOf<Pixel>::kPlanes], alpha[kSpans];
};

/// Selectors of __byte_perm(a, b, selector): digit i, counted from the lowest, names the byte that becomes byte i of
/// the result: a has bytes 0 to 3, b has bytes 4 to 7.
enum ByteSelector : uint32_t {
    kLowBytesInTurn = 0x5140,   // a0 b0 a1 b1
    kHighBytesInTurn = 0x7362,  // a2 b2 a3 b3
    kLowHalves = 0x5410,        // a0 a1 b0 b1
    kHighHalves = 0x7632,       // a2 a3 b2 b3
    kEvenBytes = 0x6420,        // a0 a2 b0 b2
    kOddBytes = 0x7531,         // a1 a3 b1 b3
    kOddBytesInTurn = 0x7351,   // a1 b1 a3 b3
    kThreeAndOne = 0x4210,      // a0 a1 a2 b0
    // With b = 0:
    kWidenLow = 0x4140,   // a0 0 a1 0
    kByte2 = 0x4442,      // a2 0 0 0
    kByte3Above = 0x4434  // 0 a3 0 0
};

/// V^2 of four bytes V, split into low and high bytes. Two squares share a word: that of a byte which stands one byte
/// up ends up two bytes up.
__device__ __forceinline__ void split_squares(uint32_t v, uint32_t& low, uint32_t& high) {
    const uint32_t v0 = v & 0xff, v1 = v & 0xff00;
    const uint32_t v2 = __byte_perm(v, 0, kByte2), v3 = __byte_perm(v, 0, kByte3Above);
    const uint32_t squares01 = v1 * v1 + v0 * v0, squares23 = v3 * v3 + v2 * v2;
    low = __byte_perm(squares01, squares23, kEvenBytes);
    high = __byte_perm(squares01, squares23, kOddBytes);
}

/// Four RGBA pixels: a transposition of 4 x 4 bytes, and V and V^2 from it.
__device__ __forceinline__ void split_planes(uint4 p, uint32_t (&out)[6], uint32_t& alpha) {
    const uint32_t rg01 = __byte_perm(p.x, p.y, kLowBytesInTurn), rg23 = __byte_perm(p.z, p.w, kLowBytesInTurn);
    const uint32_t ba01 = __byte_perm(p.x, p.y, kHighBytesInTurn), ba23 = __byte_perm(p.z, p.w, kHighBytesInTurn);
    const uint32_t r = __byte_perm(rg01, rg23, kLowHalves), g = __byte_perm(rg01, rg23, kHighHalves);
    const uint32_t b = __byte_perm(ba01, ba23, kLowHalves);
    // The greatest of three 16-bit numbers has the greatest upper byte: V of pixels 1 and 3, and of pixels 0 and 2 once
    // these are shifted up.
    const uint32_t odd = __vimax3_u16x2(r, g, b), even = __vimax3_u16x2(r << 8, g << 8, b << 8);
    out[kValue] = __byte_perm(even, odd, kOddBytesInTurn);
    split_squares(out[kValue], out[kSquareLow], out[kSquareHigh]);
    out[kRed] = r;
    out[kGreen] = g;
    out[kBlue] = b;
    alpha = __byte_perm(ba01, ba23, kHighHalves);
}
__device__ __forceinline__ void split_planes(uint32_t p, uint32_t (&out)[3], uint32_t& alpha) {
    out[kValue] = p;
    split_squares(p, out[kSquareLow], out[kSquareHigh]);
    alpha = 0;
}

}  // namespace tonescope::kuwahara::tuned
