// The blend of deep images: 16 pixels at a time in 32-bit integers where the processor has AVX2 or AVX-512 and the
// weights are short enough, else in double.
#include <algorithm>
#include <cstring>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/ops/clahe/clahe_cpu_deep.h"

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tonescope::clahe {
namespace {

/// D = 4 Tx Ty = width2 * height2.
struct BlendWeights {
    int32_t width2, height2, y_weight;  // the latter of the lower tables
};

/// The sum, with 1/2 more above the line, is at least 2^-33 of a level away from every integer, and double off by less
/// than 2^-35.
TONESCOPE_HOT_LOOP void blend_in_double(const FourEntries* four, const int32_t* x_weights, int count,
                                        const BlendWeights& w, uint16_t* __restrict out) {
    const double lower = w.y_weight, upper = w.height2 - w.y_weight;
    const double divisor = double(w.width2) * w.height2, factor = 1 / divisor, offset = divisor / 2 + 0.5;
    for (int i = 0; i < count; ++i) {
        const double right = x_weights[i], left = w.width2 - x_weights[i];
        const FourEntries entries = four[i] ^ kEntriesBias;
        const auto entry = [&](int k) { return int32_t(entries >> (16 * k) & 0xffff); };
        const double top = entry(0) * left + entry(1) * right, bottom = entry(2) * left + entry(3) * right;
        out[i] = uint16_t(int32_t((top * upper + bottom * lower + offset) * factor));
    }
}

#if defined(__GNUC__) && defined(__x86_64__)

/// Where the words of neighboring pixels come from: a row of them, or the tables.
struct WordsOfRow {
    const FourEntries* row;
    TONESCOPE_AVX2 __m256i four(int i) const { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + i)); }
    TONESCOPE_AVX512 __m512i eight(int i) const { return _mm512_loadu_si512(row + i); }
};
struct WordsOfTables {
    const FourEntries* packed;
    const uint16_t* values;
    TONESCOPE_AVX2 __m256i four(int i) const {
        const auto word = [&](int k) { return int64_t(packed[values[i + k]]); };
        return _mm256_set_epi64x(word(3), word(2), word(1), word(0));
    }
    /// A gather takes longer.
    TONESCOPE_AVX512 __m512i eight(int i) const {
        const auto word = [&](int k) { return int64_t(packed[values[i + k]]); };
        return __m512i{word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)};
    }
};

/// With entries from -32,768 on, s = (top * upper + bottom * lower) / D is between -32,768 and 32,767. In float it is
/// off by less than 2^-6, so that q = s - 1/16, rounded to the nearest integer, is floor(s + 1/2) or one less. What
/// s D + D / 2 - q D leaves, 0 to 2 D - 1, tells which; it is right in 32 bits though the products pass them.
struct BlendFactors {
    float upper, lower;  // of a level each
    uint32_t divisor, upper_weight, lower_weight;
    uint32_t last_rest;  // D - 1 less the D / 2 above

    explicit BlendFactors(const BlendWeights& w)
        : upper(float(w.height2 - w.y_weight) / (float(w.width2) * float(w.height2))),
          lower(float(w.y_weight) / (float(w.width2) * float(w.height2))),
          divisor(uint32_t(w.width2) * uint32_t(w.height2)),
          upper_weight(uint32_t(w.height2 - w.y_weight)),
          lower_weight(uint32_t(w.y_weight)),
          last_rest(divisor - 1 - divisor / 2) {}
};

class BlendByAvx2 {
  public:
    TONESCOPE_AVX2 explicit BlendByAvx2(const BlendFactors& f)
        : upper_(_mm256_set1_ps(f.upper)),
          lower_(_mm256_set1_ps(f.lower)),
          divisor_(_mm256_set1_epi32(int32_t(f.divisor))),
          upper_weight_(_mm256_set1_epi32(int32_t(f.upper_weight))),
          lower_weight_(_mm256_set1_epi32(int32_t(f.lower_weight))),
          last_rest_(_mm256_set1_epi32(int32_t(f.last_rest))) {}

    /// `x_pairs`: the weights of left, right, left and right for each of the 16 pixels from i on.
    template <class Source>
    TONESCOPE_AVX2 void run(const Source& source, const uint64_t* x_pairs, int i, uint16_t* out) const {
        const __m256i first = eight(source, x_pairs, i), second = eight(source, x_pairs, i + 8);
        // Each holds pixels 0, 1, 4, 5, 2, 3, 6, 7.
        const __m256i in_order =
            _mm256_permutevar8x32_epi32(_mm256_packs_epi32(first, second), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i),
                            _mm256_xor_si256(in_order, _mm256_set1_epi16(INT16_MIN)));
    }

  private:
    template <class Source>
    TONESCOPE_AVX2 __m256i eight(const Source& source, const uint64_t* x_pairs, int i) const {
        const auto* weights = reinterpret_cast<const __m256i*>(x_pairs + i);
        // Top and bottom of four pixels each.
        const __m256 a = _mm256_castsi256_ps(_mm256_madd_epi16(source.four(i), _mm256_loadu_si256(weights)));
        const __m256 b = _mm256_castsi256_ps(_mm256_madd_epi16(source.four(i + 4), _mm256_loadu_si256(weights + 1)));
        const __m256i top = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
        const __m256i bottom = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
        const __m256 quotient =
            _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(top), upper_),
                          _mm256_sub_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(bottom), lower_), _mm256_set1_ps(0.0625F)));
        const __m256i q = _mm256_cvtps_epi32(quotient);
        // D - 1 less what is left: negative where q is one less than the result.
        const __m256i rest = _mm256_sub_epi32(
            _mm256_add_epi32(_mm256_mullo_epi32(q, divisor_), last_rest_),
            _mm256_add_epi32(_mm256_mullo_epi32(top, upper_weight_), _mm256_mullo_epi32(bottom, lower_weight_)));
        return _mm256_sub_epi32(q, _mm256_srai_epi32(rest, 31));
    }

    const __m256 upper_, lower_;
    const __m256i divisor_, upper_weight_, lower_weight_, last_rest_;
};

/// The same of 16 pixels at once, with 32,768 more in q, which is then positive and cut off in place of rounded.
/// Vectors of the compiler's stand where g++ 12 warns of intrinsics that leave values unset.
class BlendByAvx512 {
    typedef int32_t Ints __attribute__((vector_size(64)));
    typedef uint32_t Words __attribute__((vector_size(64)));
    typedef float Floats __attribute__((vector_size(64)));

  public:
    explicit BlendByAvx512(const BlendFactors& factors) : f_(factors) {}

    template <class Source>
    TONESCOPE_AVX512 void run(const Source& source, const uint64_t* x_pairs, int i, uint16_t* out) const {
        const auto a = Ints(_mm512_madd_epi16(source.eight(i), _mm512_loadu_si512(x_pairs + i)));
        const auto b = Ints(_mm512_madd_epi16(source.eight(i + 8), _mm512_loadu_si512(x_pairs + i + 8)));
        const Ints top = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const Ints bottom = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const Floats quotient = __builtin_convertvector(top, Floats) * f_.upper +
                                (__builtin_convertvector(bottom, Floats) * f_.lower + (32768.5F - 0.0625F));
        const Ints q = __builtin_convertvector(quotient, Ints);
        const Words rest = (Words(q) - 32768U) * f_.divisor + f_.last_rest -
                           (Words(top) * f_.upper_weight + Words(bottom) * f_.lower_weight);
        const Ints results = q - (Ints(rest) >> 31);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm512_maskz_cvtepi32_epi16(0xffff, __m512i(results)));
    }

  private:
    const BlendFactors f_;
};

/// All of the `count` pixels, of which there are at least 16. The last ones may be computed twice.
TONESCOPE_HOT_LOOP void blend_by(const auto& blend, const auto& source, const uint64_t* x_pairs, int count,
                                 uint16_t* out) {
    for (int i = 0; i + 16 <= count; i += 16) blend.run(source, x_pairs, i, out);
    if (count % 16 != 0) blend.run(source, x_pairs, count - 16, out);
}
template <class Source>
TONESCOPE_AVX2 void blend_by_avx2(const Source& source, const uint64_t* x_pairs, int count, const BlendFactors& factors,
                                  uint16_t* out) {
    blend_by(BlendByAvx2(factors), source, x_pairs, count, out);
}
template <class Source>
TONESCOPE_AVX512 void blend_by_avx512(const Source& source, const uint64_t* x_pairs, int count,
                                      const BlendFactors& factors, uint16_t* out) {
    blend_by(BlendByAvx512(factors), source, x_pairs, count, out);
}

/// All of the pixels, or none where there are fewer than 16; returns how many.
template <class Source>
int blend_sixteens(BlendWith with, const Source& source, const uint64_t* x_pairs, int count,
                   const BlendWeights& weights, uint16_t* out) {
    if (count < 16) return 0;
    const auto blend = with == BlendWith::avx512 ? blend_by_avx512<Source> : blend_by_avx2<Source>;
    blend(source, x_pairs, count, BlendFactors(weights), out);
    return count;
}

#else

struct WordsOfRow {
    const FourEntries* row;
};
struct WordsOfTables {
    const FourEntries* packed;
    const uint16_t* values;
};
int blend_sixteens(BlendWith, const auto&, const uint64_t*, int, const BlendWeights&, uint16_t*) {
    return 0;
}

#endif

}  // namespace

BlendWith fastest_blend() {
    static const BlendWith fastest = cpu_has_avx512() ? BlendWith::avx512
                                     : cpu_has_avx2() ? BlendWith::avx2
                                                      : BlendWith::doubles;
    return fastest;
}

DeepBlend::DeepBlend(const std::vector<Segment>& segments, int32_t width2, int32_t height2, BlendWith with)
    : width2_(width2), height2_(height2), with_(with) {
    for (const Segment& s : segments)
        for (int x = s.begin; x < s.end; ++x) x_weights_.push_back(s.blend.weight + 2 * (x - s.begin));
    // Weights have 16 bits with a sign, and twice D has 32.
    if (with == BlendWith::doubles || width2 > INT16_MAX || int64_t{width2} * height2 >= 1 << 30) return;
    for (const int32_t right : x_weights_)
        x_pairs_.push_back(
            pack_four(uint16_t(width2 - right), uint16_t(right), uint16_t(width2 - right), uint16_t(right)) ^
            kEntriesBias);
}

void DeepBlend::run(const FourEntries* four, int x, int count, int32_t y_weight, uint16_t* out) const {
    const BlendWeights weights{width2_, height2_, y_weight};
    const int done =
        x_pairs_.empty() ? 0 : blend_sixteens(with_, WordsOfRow{four}, &x_pairs_[size_t(x)], count, weights, out);
    run_hot<blend_in_double>(four + done, x_weights_.data() + x + done, count - done, weights, out + done);
}

int DeepBlend::run(const FourEntries* packed, const uint16_t* values, int x, int count, int32_t y_weight,
                   uint16_t* out) const {
    if (x_pairs_.empty()) return 0;
    return blend_sixteens(with_, WordsOfTables{packed, values}, &x_pairs_[size_t(x)], count,
                          {width2_, height2_, y_weight}, out);
}

}  // namespace tonescope::clahe
