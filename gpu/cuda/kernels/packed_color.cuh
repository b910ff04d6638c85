// The maps of color.cuh on 16-byte vectors, in packed arithmetic: what they count, and how new values go back.
//
// A plane's values are looked up in a table of PrivatizedCounters, whose entries hold what a pixel needs once its value
// is known: entry(value, new value). Counters and tables have Map::kPlanes times 256 entries, plane after plane.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/cuda/kernels/byte_permute.cuh"
#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/kernels/privatized_counters.cuh"

namespace tonescope {

/// 77, 150, 29 and 0, for the bytes of an RGBA pixel from the lowest up.
inline constexpr uint32_t kLumaWeights = 77u | 150u << 8 | 29u << 16;

/// Bits 8 to 15 are the luma of an RGBA pixel (gpu/core/luma.h), in one instruction.
__device__ inline uint32_t packed_luma(uint32_t rgba) {
    return __dp4a(rgba, kLumaWeights, 128u);
}

/// One word of four bytes from the lowest bytes of four.
__device__ inline uint32_t pack_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, bytes::both(0, 0)), __byte_perm(c, d, bytes::both(0, 0)), bytes::kLowerHalves);
}

/// Packed<Map>::count(word, planes) and ::apply(word, planes) take 4 bytes of a vector and the PrivatizedCounters of
/// every plane; apply gives the new pixels of Map::Out in the low bytes.
template <class Map>
struct Packed;

template <>
struct Packed<GrayPixels> {
    __device__ static uint32_t entry(int, uint8_t value) { return value; }
    template <class Words>
    __device__ static void count(uint32_t word, const Words (&planes)[1]) {
        planes[0].count_bytes(word);
    }
    template <class Words>
    __device__ static uint32_t apply(uint32_t word, const Words (&planes)[1]) {
        const Words& table = planes[0];
        return pack_bytes(table.template at<0, 8>(word), table.template at<8, 8>(word), table.template at<16, 8>(word),
                          table.template at<24, 8>(word));
    }
};

/// What the three maps of luma share.
struct PackedLuma {
    template <class Words>
    __device__ static void count(uint32_t rgba, const Words (&planes)[1]) {
        planes[0].template count<8, 8>(packed_luma(rgba));
    }
    template <class Words>
    __device__ static uint32_t look_up(uint32_t rgba, const Words (&planes)[1]) {
        return planes[0].template at<8, 8>(packed_luma(rgba));
    }
};

template <>
struct Packed<ColorLuma> : PackedLuma {
    /// The difference, in both halves.
    __device__ static uint32_t entry(int value, uint8_t new_value) {
        return uint32_t(uint16_t(new_value - value)) * 0x10001u;
    }
    /// R with B, then G with alpha, whose difference is 0: two halves at a time are added and clamped to 0 ... 255.
    template <class Words>
    __device__ static uint32_t apply(uint32_t rgba, const Words (&planes)[1]) {
        const uint32_t delta = look_up(rgba, planes);
        constexpr uint32_t kBytes = 0x00ff00ffu;
        const uint32_t red_blue = __viaddmin_s16x2_relu(rgba & kBytes, delta, kBytes);
        const uint32_t green_alpha = __viaddmin_s16x2_relu((rgba >> 8) & kBytes, delta & 0xffffu, kBytes);
        return red_blue | green_alpha << 8;
    }
};

template <>
struct Packed<ColorToGrayWithAlpha> : PackedLuma {
    __device__ static uint32_t entry(int, uint8_t value) { return value * 0x010101u; }
    template <class Words>
    __device__ static uint32_t apply(uint32_t rgba, const Words (&planes)[1]) {
        return look_up(rgba, planes) | (rgba & 0xff000000u);
    }
};

template <>
struct Packed<ColorToGray> : PackedLuma {
    __device__ static uint32_t entry(int, uint8_t value) { return value; }
    template <class Words>
    __device__ static uint32_t apply(uint32_t rgba, const Words (&planes)[1]) {
        return look_up(rgba, planes);
    }
};

template <>
struct Packed<ColorChannels> {
    __device__ static uint32_t entry(int, uint8_t value) { return value; }
    template <class Words>
    __device__ static void count(uint32_t rgba, const Words (&planes)[3]) {
        planes[0].template count<0, 8>(rgba);
        planes[1].template count<8, 8>(rgba);
        planes[2].template count<16, 8>(rgba);
    }
    template <class Words>
    __device__ static uint32_t apply(uint32_t rgba, const Words (&planes)[3]) {
        return pack_bytes(planes[0].template at<0, 8>(rgba), planes[1].template at<8, 8>(rgba),
                          planes[2].template at<16, 8>(rgba), rgba >> 24);
    }
};

/// The result of 16 input bytes: 16 bytes, or 4 where color becomes gray.
template <class Map>
using VectorResult = std::conditional_t<std::is_same_v<Map, ColorToGray>, uint32_t, uint4>;

template <class Map, class Words>
__device__ void count_vector(uint4 vector, const Words (&planes)[Map::kPlanes]) {
    Packed<Map>::count(vector.x, planes);
    Packed<Map>::count(vector.y, planes);
    Packed<Map>::count(vector.z, planes);
    Packed<Map>::count(vector.w, planes);
}

/// The first `pixels` of a vector alone.
template <class Map, class Words>
__device__ void count_pixels(uint4 vector, uint32_t pixels, const Words (&planes)[Map::kPlanes]) {
    const uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
    constexpr uint32_t kInWord = 4 / sizeof(typename Map::In);
#pragma unroll
    for (uint32_t i = 0; i < 4 * kInWord; ++i) {
        if (i >= pixels) return;
        if constexpr (kInWord == 1)
            Packed<Map>::count(words[i], planes);
        else
            planes[0].template count<0, 8>(words[i / kInWord] >> (i % kInWord * 8));
    }
}

template <class Map, class Words>
__device__ VectorResult<Map> apply_to_vector(uint4 vector, const Words (&planes)[Map::kPlanes]) {
    const uint32_t x = Packed<Map>::apply(vector.x, planes), y = Packed<Map>::apply(vector.y, planes);
    const uint32_t z = Packed<Map>::apply(vector.z, planes), w = Packed<Map>::apply(vector.w, planes);
    if constexpr (sizeof(VectorResult<Map>) == 16)
        return make_uint4(x, y, z, w);
    else
        return pack_bytes(x, y, z, w);
}

/// Writes the pixels of a vector's result from pixel x on; x is a multiple of the pixels in 16 input bytes. Nobody
/// reads them again soon, so that the caches need not keep them.
template <class Pixel, class Result>
__device__ void store_result(const PitchedSink<Pixel>& sink, uint32_t x, uint32_t y, Result result) {
    __stcs(reinterpret_cast<Result*>(sink.d_data + y * sink.pitch_bytes + x * sizeof(Pixel)), result);
}
template <class Pixel, class Result>
__device__ void store_result(const SurfaceSink<Pixel>& sink, uint32_t x, uint32_t y, Result result) {
    surf2Dwrite(result, sink.surface, int(x * sizeof(Pixel)), int(y));
}

/// The first `pixels` of a vector's result alone.
template <class Sink, class Result>
__device__ void store_pixels(const Sink& sink, uint32_t x, uint32_t y, Result result, uint32_t pixels) {
    using Pixel = typename Sink::Pixel;
    constexpr uint32_t kInWord = 4 / sizeof(Pixel), kWords = sizeof(Result) / 4;
    uint32_t words[kWords];
    if constexpr (kWords == 4) {
        words[0] = result.x, words[1] = result.y, words[2] = result.z, words[3] = result.w;
    } else {
        words[0] = result;
    }
#pragma unroll
    for (uint32_t i = 0; i < kWords * kInWord; ++i) {
        if (i >= pixels) return;
        const uint32_t word = words[i / kInWord];
        if constexpr (kInWord == 1)
            sink.store(int(x + i), int(y), make_uchar4(word & 255, word >> 8 & 255, word >> 16 & 255, word >> 24));
        else
            sink.store(int(x + i), int(y), Pixel(word >> (i % kInWord * 8)));
    }
}

}  // namespace tonescope
