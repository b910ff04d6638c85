// Division by a number that is known before the launch, as a multiplication: exact, not rounded.
//
// With k = 31 or 63 bits for n, l = ceil(log2 d) and m = ceil(2^(k+l) / d), m d = 2^(k+l) + e where 0 <= e < d <= 2^l,
// so
//     n m / 2^(k+l) = n/d + (n / 2^k) (e / 2^l) / d,     and the last term is below 1/d for every n < 2^k.
// The fraction of n/d is at most (d - 1)/d: the term never carries into the next integer, and floor(n m / 2^(k+l)) is
// floor(n/d). As 2^l < 2 d, m is below 2^(k+1) and fits the word.
#pragma once

#include <cstdint>

namespace tonescope {

/// Word: uint32_t (n below 2^31, d from 1 to 2^31) or uint64_t (n below 2^63, d from 2 to 2^62).
template <class Word>
class Reciprocal {
  public:
    explicit Reciprocal(Word divisor) : divisor_(divisor) {
        unsigned log = 0;  // l
        while ((uint64_t{1} << log) < divisor) ++log;
        uint64_t quotient = 0, rest = 1;  // 2^bit = quotient * divisor + rest, from bit 0 to bit k + l
        for (unsigned bit = 0; bit < kBits + log; ++bit) {
            rest *= 2;
            quotient *= 2;
            if (rest >= divisor) {
                rest -= divisor;
                ++quotient;
            }
        }
        multiplier_ = Word(quotient + (rest > 0));
        shift_ = kBits + log;
    }

    __device__ Word divide(Word n) const {
        if constexpr (sizeof(Word) == 4) {
            return Word((uint64_t{n} * multiplier_) >> shift_);
        } else {
            return __umul64hi(n, multiplier_) >> (shift_ - 64);
        }
    }
    __device__ Word divisor() const { return divisor_; }
    __device__ Word remainder(Word n, Word quotient) const { return n - quotient * divisor_; }

  private:
    static constexpr unsigned kBits = sizeof(Word) * 8 - 1;  // k
    Word divisor_, multiplier_ = 0;
    unsigned shift_ = 0;
};

}  // namespace tonescope
