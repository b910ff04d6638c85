#include "gpu/ops/kuwahara/kuwahara_cpu_loops.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gpu/core/cpu_dispatch.h"

namespace tonescope {
namespace {

static_assert(std::endian::native == std::endian::little, "RGBA pixels are read as words with R in the lowest byte");

TONESCOPE_HOT_LOOP uint32_t load_word(const uint8_t* pixel) {
    uint32_t word;
    std::memcpy(&word, pixel, 4);
    return word;
}

struct Pixel {
    int32_t r, g, b, v, q;  // q = v^2
};

template <bool kGray>
TONESCOPE_HOT_LOOP Pixel load_pixel(const uint8_t* row, int x) {
    if constexpr (kGray) {
        const int32_t v = row[x];
        return {0, 0, 0, v, v * v};
    } else {
        const uint32_t word = load_word(row + 4 * x);
        const int32_t r = word & 255, g = word >> 8 & 255, b = word >> 16 & 255;
        const int32_t v = std::max(std::max(r, g), b);
        return {r, g, b, v, v * v};
    }
}

/// Adds the pixels of `added` to the sums over columns and takes away those of `removed`. Sums over a column or a box
/// are fields of 64-bit words. `colors`: R, G and B in 21 bits each (at most 65 * 65 * 255 < 2^21); `values`: the sum
/// of V^2 in the lower half (at most 65 * 65 * 65025 < 2^29), that of V in the upper. Words are added and subtracted
/// whole: borrows between fields cancel, as the fields of every sum fit.
template <bool kGray, bool kAdd, bool kRemove>
TONESCOPE_HOT_LOOP void slide_columns(const uint8_t* added, const uint8_t* removed, int count,
                                      uint64_t* __restrict colors, uint64_t* __restrict values) {
    for (int i = 0; i < count; ++i) {
        Pixel change{};
        if constexpr (kAdd) change = load_pixel<kGray>(added, i);
        if constexpr (kRemove) {
            const Pixel old = load_pixel<kGray>(removed, i);
            change = {change.r - old.r, change.g - old.g, change.b - old.b, change.v - old.v, change.q - old.q};
        }
        if constexpr (!kGray)
            colors[i] +=
                uint64_t(int64_t{change.r}) + (uint64_t(int64_t{change.g}) << 21) + (uint64_t(int64_t{change.b}) << 42);
        values[i] += uint64_t(int64_t{change.q}) + (uint64_t(int64_t{change.v}) << 32);
    }
}

template <bool kGray>
TONESCOPE_HOT_LOOP void slide_columns(const uint8_t* added, const uint8_t* removed, int count, uint64_t* colors,
                                      uint64_t* values) {
    if (added != nullptr && removed != nullptr)
        slide_columns<kGray, true, true>(added, removed, count, colors, values);
    else if (added != nullptr)
        slide_columns<kGray, true, false>(added, removed, count, colors, values);
    else if (removed != nullptr)
        slide_columns<kGray, false, true>(added, removed, count, colors, values);
}

/// Slides a box over the columns: out[i] = sum of columns[i - reach + 1 ... i], continued from `sum`.
TONESCOPE_HOT_LOOP uint64_t slide_box(const uint64_t* columns, int reach, int count, uint64_t sum,
                                      uint64_t* __restrict out) {
    for (int i = 0; i < count; ++i) out[i] = sum += columns[i] - columns[i - reach];
    return sum;
}

/// Means are floor((2 sum + n) / (2 n)) = floor((sum + n / 2 + 1/4) / n), in float: the quotient with 1/4 lies at least
/// 1 / (4 n) from every integer, which is above 2^-14.1 for n up to 4225, and float is off by less than 2^-14.9 below
/// 256.
template <bool kGray>
TONESCOPE_HOT_LOOP void finish_boxes(const uint64_t* colors, const uint64_t* values, const uint32_t* n,
                                     const float* inverse, const float* half, int count,
                                     KuwaharaBox* __restrict boxes) {
    for (int i = 0; i < count; ++i) {
        const uint32_t s = uint32_t(values[i] >> 32), q = uint32_t(values[i]);
        const uint64_t spread = uint64_t{n[i]} * q - uint64_t{s} * s;
        const auto mean = [&](uint32_t sum) { return uint32_t(int32_t((float(int32_t(sum)) + half[i]) * inverse[i])); };
        uint32_t means;
        if constexpr (kGray) {
            means = mean(s);
        } else {
            constexpr uint32_t kField = (1 << 21) - 1;
            means = mean(uint32_t(colors[i]) & kField) | mean(uint32_t(colors[i] >> 21) & kField) << 8 |
                    mean(uint32_t(colors[i] >> 42)) << 16;
        }
        boxes[i] = KuwaharaBox(spread << 24 | means);
    }
}

/// Pixels whose four quadrants hold the same number of pixels. With all mean bits set, a box is less than another one
/// only if its spread is less: on a tie the earlier one stays.
template <bool kGray>
TONESCOPE_HOT_LOOP void pick_inside(const KuwaharaBox* top, const KuwaharaBox* bottom, int radius, int count,
                                    const uint8_t* in, uint8_t* __restrict out) {
    for (int i = 0; i < count; ++i) {
        KuwaharaBox best = top[i];
        best = (top[i + radius] | kKuwaharaMeanBits) < best ? top[i + radius] : best;
        best = (bottom[i] | kKuwaharaMeanBits) < best ? bottom[i] : best;
        best = (bottom[i + radius] | kKuwaharaMeanBits) < best ? bottom[i + radius] : best;
        if constexpr (kGray) {
            out[i] = uint8_t(best);
        } else {
            const uint32_t word = uint32_t(best & kKuwaharaMeanBits) | (load_word(in + 4 * i) & 0xff000000);
            std::memcpy(out + 4 * i, &word, 4);
        }
    }
}

/// The loops above, compiled for one instruction set.
template <bool kGray>
struct Plain {
    static void slide(const uint8_t* a, const uint8_t* r, int n, uint64_t* c, uint64_t* v) {
        slide_columns<kGray>(a, r, n, c, v);
    }
    static uint64_t box(const uint64_t* c, int r, int n, uint64_t s, uint64_t* o) { return slide_box(c, r, n, s, o); }
    static void finish(const uint64_t* c, const uint64_t* v, const uint32_t* n, const float* i, const float* h, int k,
                       KuwaharaBox* b) {
        finish_boxes<kGray>(c, v, n, i, h, k, b);
    }
    static void pick(const KuwaharaBox* t, const KuwaharaBox* b, int r, int n, const uint8_t* in, uint8_t* out) {
        pick_inside<kGray>(t, b, r, n, in, out);
    }
    static constexpr KuwaharaLoops loops{slide, box, finish, pick};
};

template <bool kGray>
struct Avx2 {
    TONESCOPE_AVX2 static void slide(const uint8_t* a, const uint8_t* r, int n, uint64_t* c, uint64_t* v) {
        slide_columns<kGray>(a, r, n, c, v);
    }
    TONESCOPE_AVX2 static uint64_t box(const uint64_t* c, int r, int n, uint64_t s, uint64_t* o) {
        return slide_box(c, r, n, s, o);
    }
    TONESCOPE_AVX2 static void finish(const uint64_t* c, const uint64_t* v, const uint32_t* n, const float* i,
                                      const float* h, int k, KuwaharaBox* b) {
        finish_boxes<kGray>(c, v, n, i, h, k, b);
    }
    TONESCOPE_AVX2 static void pick(const KuwaharaBox* t, const KuwaharaBox* b, int r, int n, const uint8_t* in,
                                    uint8_t* out) {
        pick_inside<kGray>(t, b, r, n, in, out);
    }
    static constexpr KuwaharaLoops loops{slide, box, finish, pick};
};

}  // namespace

const KuwaharaLoops& kuwahara_loops(bool gray) {
    if (cpu_has_avx2()) return gray ? Avx2<true>::loops : Avx2<false>::loops;
    return gray ? Plain<true>::loops : Plain<false>::loops;
}

}  // namespace tonescope
