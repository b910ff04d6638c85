// Pixels in words of four bytes: values taken out of them in one instruction, and results put together from bytes.
//
// dp4a multiplies four bytes with four bytes and adds the products to a word. With one factor 4, the others 0 and the
// address of a table as the summand, one instruction leads from a packed pixel to the address of its entry.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/cuda/kernels/packed_color.cuh"
#include "gpu/cuda/kernels/shared_memory.cuh"
#include "gpu/cuda/kernels/vector_walk.cuh"

namespace tonescope::clahe {

/// summand + factor * (byte `byte` of `word`).
__device__ inline uint32_t byte_times(uint32_t word, int byte, uint32_t factor, uint32_t summand) {
    return __dp4a(word, factor << (8 * byte), summand);
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
    else if constexpr (std::is_same_v<Map, ColorValue>)
        return {packed_max(words[pixel]), 1};
    else if constexpr (Map::kPlanes == 1)
        return {packed_luma(words[pixel]), 1};
    else
        return {words[pixel], plane};
}

/// What the lightness of colors is computed with; other values need nothing but the pixels.
template <class Map>
using ColorsOf = std::conditional_t<std::is_same_v<Map, ColorLightness>, BlockLab, NoColorTables>;

/// Of shared memory, for whole blocks: what ColorsOf keeps there. `encodes`: it also makes colors.
template <class Map>
constexpr size_t color_bytes(bool encodes) {
    return std::is_same_v<Map, ColorLightness> ? BlockLab::bytes(encodes) : 0;
}
/// Whole blocks call. `s_tables`: color_bytes, from a 16-byte boundary on.
template <class Map>
__device__ inline ColorsOf<Map> block_colors(void* s_tables, const ColorTables<Map>& tables, bool encodes) {
    if constexpr (std::is_same_v<Map, ColorLightness>) {
        BlockLab::fill(static_cast<uint8_t*>(s_tables), tables, encodes);
        __syncthreads();
        return BlockLab(static_cast<uint8_t*>(s_tables));
    } else {
        return {};
    }
}
template <class Map>
__device__ inline PackedValue packed_value(const ColorsOf<Map>& colors, const uint32_t* words, int pixel, int plane) {
    if constexpr (std::is_same_v<Map, ColorLightness>)
        return {colors.lightness(words[pixel]), 0};
    else
        return packed_value<Map>(words, pixel, plane);
}

/// One pixel, as packed_value takes it.
template <class Map>
__device__ inline uint32_t load_pixel(const uint8_t* d_row, int x) {
    return sizeof(typename Map::In) == 1 ? d_row[x] : reinterpret_cast<const uint32_t*>(d_row)[x];
}

/// Packs byte kByte of four words into one.
template <int kByte>
__device__ inline uint32_t pack_bytes_at(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    constexpr uint32_t kBoth = bytes::both(kByte, kByte);
    return __byte_perm(__byte_perm(a, b, kBoth), __byte_perm(c, d, kBoth), bytes::kLowerHalves);
}

/// The result of a vector, from the values of every plane and pixel, each in byte kByte of its word.
template <class Map, int kByte, int kPixels>
__device__ inline VectorResult<Map> packed_result(const uint32_t (&words)[4],
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
                const uint32_t red_green = __byte_perm(v[i], values[1][i], bytes::both(kByte, kByte));
                const uint32_t blue_alpha = __byte_perm(values[2][i], rgba, bytes::both(kByte, 3));
                out[i] = __byte_perm(red_green, blue_alpha, bytes::kLowerHalves);
            } else if constexpr (std::is_same_v<Map, ColorLuma>) {  // as Packed<ColorLuma>::apply
                const uint32_t delta = __byte_perm(v[i], 0, bytes::alone(kByte)) - (packed_luma(rgba) >> 8);
                constexpr uint32_t kBytes = 0x00ff00ffu;
                const uint32_t red_blue =
                    __viaddmin_s16x2_relu(rgba & kBytes, __byte_perm(delta, 0, bytes::kLowerHalfTwice), kBytes);
                const uint32_t green_alpha = __viaddmin_s16x2_relu((rgba >> 8) & kBytes, delta & 0xffffu, kBytes);
                out[i] = __byte_perm(red_blue, green_alpha, bytes::kInterleaveEven);
            } else if constexpr (std::is_same_v<Map, ColorRatio> || std::is_same_v<Map, ColorValue>) {
                const uint32_t before = packed_value<Map>(words, i, 0).word >> 8 & 255;
                const uint32_t after = __byte_perm(v[i], 0, bytes::alone(kByte));
                out[i] = scaled_pixel(rgba, before == 0, channel_factor(before, after));
            } else {
                out[i] = __byte_perm(v[i], rgba, bytes::thrice_under_highest(kByte));
            }
        }
        return make_uint4(out[0], out[1], out[2], out[3]);
    }
}

}  // namespace tonescope::clahe
