// What the kernels of `tuned` share: pixels in words of four bytes, values taken out of them in one instruction, and
// divisions by what is known before the launch as one multiplication.
//
// dp4a multiplies four bytes with four bytes and adds the products to a word. With one factor 4, the others 0 and the
// address of a table as the summand, one instruction leads from a packed pixel to the address of its entry.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "gpu/cuda/kernels/packed_color.cuh"
#include "gpu/cuda/kernels/vector_walk.cuh"
#include "gpu/ops/clahe/clahe_tiles.cuh"

namespace tonescope::clahe {

/// summand + factor * (byte `byte` of `word`).
__device__ inline uint32_t byte_times(uint32_t word, int byte, uint32_t factor, uint32_t summand) {
    return __dp4a(word, factor << (8 * byte), summand);
}

/// Reads and counts by addresses within shared memory, which byte_times makes: a pointer would cost an addition. What
/// others stored is there after a barrier.
__device__ inline uint32_t shared_address(const void* s_pointer) {
    return uint32_t(__cvta_generic_to_shared(s_pointer));
}
__device__ inline uint32_t load_shared(uint32_t address) {
    uint32_t word;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
    return word;
}
__device__ inline void count_shared(uint32_t address) {
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address) : "memory");
}

/// A value in 0 to 255: a byte of a word.
struct PackedValue {
    uint32_t word;
    int byte;
};

/// The value of plane `plane` at pixel `pixel` of a vector, or of one pixel alone in words[0].
template <class Map>
__device__ inline PackedValue packed_value(const uint32_t* words, int pixel, int plane) {
    if constexpr (sizeof(typename Map::In) == 1)
        return {words[pixel / 4], pixel % 4};
    else if constexpr (Map::kPlanes == 1)
        return {packed_luma(words[pixel]), 1};
    else
        return {words[pixel], plane};
}

/// One pixel, as packed_value takes it.
template <class Map>
__device__ inline uint32_t load_pixel(const uint8_t* d_row, int x) {
    return sizeof(typename Map::In) == 1 ? d_row[x] : reinterpret_cast<const uint32_t*>(d_row)[x];
}

/// One word of the bytes kByte of four.
template <int kByte>
__device__ inline uint32_t pack_bytes_at(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    constexpr uint32_t kBoth = kByte | (4 + kByte) << 4;
    return __byte_perm(__byte_perm(a, b, kBoth), __byte_perm(c, d, kBoth), 0x5410);
}

/// The result of a vector. values: of every plane and pixel, each in byte kByte of its word.
template <class Map, int kByte, int kPixels>
__device__ inline typename VectorResult<Map>::type packed_result(const uint32_t (&words)[4],
                                                                 const uint32_t (&values)[Map::kPlanes][kPixels]) {
    const auto& v = values[0];
    if constexpr (kPixels == 16) {
        uint32_t out[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) out[i] = pack_bytes_at<kByte>(v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]);
        return make_uint4(out[0], out[1], out[2], out[3]);
    } else if constexpr (sizeof(typename Map::Out) == 1) {
        return pack_bytes_at<kByte>(v[0], v[1], v[2], v[3]);
    } else {
        uint32_t out[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const uint32_t rgba = words[i];
            if constexpr (Map::kPlanes == 3) {
                const uint32_t red_green = __byte_perm(v[i], values[1][i], kByte | (4 + kByte) << 4);
                out[i] = __byte_perm(red_green, __byte_perm(values[2][i], rgba, kByte | 0x70), 0x5410);
            } else if constexpr (std::is_same_v<Map, ColorLuma>) {  // as Packed<ColorLuma>::apply
                const uint32_t delta = __byte_perm(v[i], 0, 0x4440 | kByte) - (packed_luma(rgba) >> 8);
                constexpr uint32_t kBytes = 0x00ff00ffu;
                const uint32_t red_blue = __viaddmin_s16x2_relu(rgba & kBytes, __byte_perm(delta, 0, 0x1010), kBytes);
                const uint32_t green_alpha = __viaddmin_s16x2_relu((rgba >> 8) & kBytes, delta & 0xffffu, kBytes);
                out[i] = __byte_perm(red_blue, green_alpha, 0x6240);
            } else {
                out[i] = __byte_perm(v[i], rgba, 0x7000 | 0x111 * kByte);
            }
        }
        return make_uint4(out[0], out[1], out[2], out[3]);
    }
}

/// Round-half-up of times * n / divisor, 0 to 255, in floating point, exactly: the smallest factor above times /
/// divisor lifts ties, and it is close enough to leave every other quotient, which is at least `distance` away from
/// one, on its side. n arrives as the bits of an integer below 2^23, which as a float are a denormal: n / 2^149.
class FloatQuotient {
  public:
    static constexpr float kLift = 0x1p100f;  // n / 2^149 to n / 2^49: into the normal range, without rounding

    FloatQuotient() = default;
    FloatQuotient(double times, double divisor, double distance) {
        float factor = float(times / divisor);
        while (double(factor) * divisor <= times) factor = std::nextafterf(factor, HUGE_VALF);
        const double relative_error = double(factor) * divisor / times - 1;
        exact_ = relative_error * 256 < distance;
        factor_ = factor * 0x1p49f;
    }
    bool exact() const { return exact_; }
    /// The quotient is the lowest byte. n: lifted, below 2^24 before.
    __device__ uint32_t divide(float n) const { return __float_as_uint(fmaf(n, factor_, 0x1p23f)); }

  private:
    float factor_ = 0;
    bool exact_ = false;
};

/// floor(n / divisor) below 256, for divisors from 2 to 2^23. With 2^s < divisor <= 2^(s + 1), the multiplier
/// m = ceil(2^(32 + s) / divisor) fits a word, and m divisor = 2^(32 + s) + e with e < divisor. n m / 2^(32 + s)
/// exceeds n / divisor by n e / 2^(32 + s) / divisor, which is below 1 / divisor, as n e < 2^8 divisor^2 <= 2^(2 s +
/// 10) and s <= 22: floor(n / divisor) stays what it is. s may be 16 as well where m fits a word and n e < 2^48: then
/// the quotient is a byte of the product.
class WordQuotient {
  public:
    static constexpr uint64_t kMaxDivisor = 1 << 23;
    static constexpr int kByte = 2;  // of the product, where it is in_byte()

    explicit WordQuotient(uint32_t divisor) : divisor_(divisor) {
        while ((uint64_t{2} << shift_) < divisor) ++shift_;
        const auto multiplier = [&](unsigned s) { return ((uint64_t{1} << (32 + s)) + divisor - 1) / divisor; };
        const uint64_t by_byte = multiplier(16), excess = by_byte * divisor - (uint64_t{1} << 48);
        in_byte_ = by_byte >> 32 == 0 && excess * divisor < uint64_t{1} << 40;
        multiplier_ = uint32_t(in_byte_ ? by_byte : multiplier(shift_));
    }
    bool in_byte() const { return in_byte_; }
    __device__ uint32_t product(uint32_t n) const { return __umulhi(n, multiplier_); }
    __device__ uint32_t divide(uint32_t n) const { return product(n) >> shift_; }  // where it is not in_byte()
    __device__ uint32_t divisor() const { return divisor_; }

  private:
    uint32_t divisor_, multiplier_ = 0;
    unsigned shift_ = 0;  // s
    bool in_byte_ = false;
};

}  // namespace tonescope::clahe
