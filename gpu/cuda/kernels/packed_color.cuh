// The maps of color.cuh on 16-byte vectors, in packed arithmetic: what they count, and how new values go back.
//
// A plane's values are looked up in a table of PrivatizedCounters, whose entries hold what a pixel needs once its value
// is known: entry(value, new value). Counters and tables have Map::kPlanes times 256 entries, plane after plane.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/cuda/kernels/byte_permute.cuh"
#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/lightness.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/kernels/privatized_counters.cuh"

namespace tonescope {

/// 77, 150, 29 and 0, for the bytes of an RGBA pixel from the lowest up.
inline constexpr uint32_t kLumaWeights = 77u | 150u << 8 | 29u << 16;

/// Bits 8 to 15 are the luma of an RGBA pixel (gpu/core/luma.h), in one instruction.
__device__ inline uint32_t packed_luma(uint32_t rgba) {
    return __dp4a(rgba, kLumaWeights, 128u);
}

/// Bits 8 to 15 are max(R, G, B) of an RGBA pixel.
__device__ inline uint32_t packed_max(uint32_t rgba) {
    const uint32_t red = __byte_perm(rgba, 0, 0x4404), blue = __byte_perm(rgba, 0, 0x4424);
    return __vimax3_u32(red, rgba & 0xff00u, blue);
}

/// One word of four bytes from the lowest bytes of four.
__device__ inline uint32_t pack_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, bytes::both(0, 0)), __byte_perm(c, d, bytes::both(0, 0)), bytes::kLowerHalves);
}

// floor((2 channel new_value + value) / (2 value)), at most 255, for the channels of an RGBA pixel, in float: halves
// are at least 1 / 510 away from all other quotients. The factor new_value / value is a little too large, by 2^-20 of
// itself and a rounding, so that halves round up, and no other quotient below 256 does that should not. A word is a
// float of 2^23 plus an integer, which rounds the product that is added to it.

/// The factor; for value 0, of which each channel becomes new_value, 2^23 + new_value in its place.
__device__ inline uint32_t channel_factor(uint32_t value, uint32_t new_value) {
    const float factor = __fdividef(float(new_value) * (1 + 0x1p-20f), float(value));
    return value == 0 ? 0x4b000000u + new_value : __float_as_uint(factor);
}
__device__ inline uint32_t scaled_pixel(uint32_t rgba, bool is_zero, uint32_t channel_factor) {
    constexpr uint32_t kWord = 0x4b000000u;  // 2^23
    const float factor = is_zero ? 0 : __uint_as_float(channel_factor);
    const float summand = __uint_as_float(is_zero ? channel_factor : kWord);
    const auto scaled = [&](uint32_t selector) {
        const float channel = __uint_as_float(__byte_perm(rgba, kWord, selector)) - 0x1p23f;
        return __float_as_uint(fminf(__fmaf_rn(channel, factor, summand), 0x1p23f + 255));
    };
    const uint32_t red_green = __byte_perm(scaled(0x7440), scaled(0x7441), bytes::both(0, 0));
    const uint32_t blue_alpha = __byte_perm(scaled(0x7442), rgba, bytes::both(0, 3));
    return __byte_perm(red_green, blue_alpha, bytes::kLowerHalves);
}

/// floor((amount result + (100 - amount) input + 50) / 100) for four bytes: sums of at most 25,550, two in a word, of
/// which the product with 5243 / 2^19 is too large by less than 1/100.
__device__ inline uint32_t mixed_bytes(uint32_t result, uint32_t input, uint32_t amount) {
    constexpr uint32_t kEven = 0x00ff00ffu;
    const auto mixed = [&](uint32_t of_result, uint32_t of_input) {
        const uint32_t sums = of_result * amount + (of_input * (100 - amount) + 0x00320032u);
        return ((sums & 0xffffu) * 5243 >> 19) | ((sums >> 16) * 5243 >> 19) << 16;
    };
    return mixed(result & kEven, input & kEven) | mixed(result >> 8 & kEven, input >> 8 & kEven) << 8;
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
struct Packed<ColorRatio> : PackedLuma {
    __device__ static uint32_t entry(int value, uint8_t new_value) {
        return channel_factor(uint32_t(value), new_value);
    }
    template <class Words>
    __device__ static uint32_t apply(uint32_t rgba, const Words (&planes)[1]) {
        const uint32_t luma = packed_luma(rgba);
        return scaled_pixel(rgba, (luma & 0xff00u) == 0, planes[0].template at<8, 8>(luma));
    }
};

template <>
struct Packed<ColorValue> {
    __device__ static uint32_t entry(int value, uint8_t new_value) {
        return channel_factor(uint32_t(value), new_value);
    }
    template <class Words>
    __device__ static void count(uint32_t rgba, const Words (&planes)[1]) {
        planes[0].template count<8, 8>(packed_max(rgba));
    }
    template <class Words>
    __device__ static uint32_t apply(uint32_t rgba, const Words (&planes)[1]) {
        const uint32_t value = packed_max(rgba);
        return scaled_pixel(rgba, value == 0, planes[0].template at<8, 8>(value));
    }
};

/// Lightness (`lab`): its counters, or the shifts of the roots in their place, and the tables.
class LightnessWords {
  public:
    BlockLab lab;
    __device__ LightnessWords(const uint32_t* s_words, const uint8_t* s_tables)
        : lab(s_tables), words_(shared_address(s_words) + threadIdx.x % 32 * 4) {}
    /// The address of the lane's copy; of `lightness`, only the lowest byte counts.
    __device__ uint32_t at(uint32_t lightness) const { return __dp4a(lightness, 32 * 4u, words_); }

  private:
    uint32_t words_;
};
template <>
struct Packed<ColorLightness> {
    __device__ static uint32_t entry(int value, uint8_t new_value) { return BlockLab::shift(new_value - value); }
    __device__ static void count(uint32_t rgba, const LightnessWords (&planes)[1]) {
        count_shared(planes[0].at(planes[0].lab.lightness(rgba)));
    }
    __device__ static uint32_t apply(uint32_t rgba, const LightnessWords (&planes)[1]) {
        return planes[0].lab.relit(rgba, [&](uint32_t before) { return load_constant<0>(planes[0].at(before)); });
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

/// What the result of a word of the image is mixed with: the word, or where it is gray its luma.
template <class Map>
__device__ uint32_t mixed_with(uint32_t word) {
    if constexpr (std::is_same_v<Map, ColorToGrayWithAlpha>)
        return __byte_perm(packed_luma(word), word, bytes::thrice_under_highest(1));
    else
        return word;
}
/// `amount` percent of a vector's result and the rest of the vector.
template <class Map>
__device__ VectorResult<Map> mixed_vector(VectorResult<Map> result, const uint32_t (&words)[4], uint32_t amount) {
    if (amount == 100) return result;
    if constexpr (sizeof(VectorResult<Map>) == 16) {
        return make_uint4(mixed_bytes(result.x, mixed_with<Map>(words[0]), amount),
                          mixed_bytes(result.y, mixed_with<Map>(words[1]), amount),
                          mixed_bytes(result.z, mixed_with<Map>(words[2]), amount),
                          mixed_bytes(result.w, mixed_with<Map>(words[3]), amount));
    } else {
        return mixed_bytes(result,
                           pack_bytes(packed_luma(words[0]) >> 8, packed_luma(words[1]) >> 8,
                                      packed_luma(words[2]) >> 8, packed_luma(words[3]) >> 8),
                           amount);
    }
}

template <class Map, class Words>
__device__ VectorResult<Map> apply_to_vector(uint4 vector, const Words (&planes)[Map::kPlanes], uint32_t amount) {
    const uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
    const uint32_t x = Packed<Map>::apply(words[0], planes), y = Packed<Map>::apply(words[1], planes);
    const uint32_t z = Packed<Map>::apply(words[2], planes), w = Packed<Map>::apply(words[3], planes);
    if constexpr (sizeof(VectorResult<Map>) == 16)
        return mixed_vector<Map>(make_uint4(x, y, z, w), words, amount);
    else
        return mixed_vector<Map>(pack_bytes(x, y, z, w), words, amount);
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
