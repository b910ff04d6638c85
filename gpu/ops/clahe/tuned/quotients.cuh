// Divisions by what is known before the launch, as one multiplication, for the two forms in which `tuned` holds sums.
//
// Both are the method of T. Granlund and P. L. Montgomery, "Division by invariant integers using multiplication" (PLDI
// 1994): the factor is the reciprocal rounded up, and an excess that stays below the distance to the next integer
// cannot change the floor. gpu/cuda/kernels/reciprocal.cuh has the general form, for every numerator of a word.
#pragma once

#include <cmath>
#include <cstdint>

namespace tonescope::clahe {

/// Round-half-up of times * n / divisor, 0 to 255, in floating point, exactly: the smallest factor above times /
/// divisor lifts ties, and it is close enough to leave every other quotient, which is at least `distance` away from
/// one, on its side.
///
/// n arrives as the bits of an integer below 2^23, which as a float are a denormal: n / 2^149. So an integer becomes a
/// float without a conversion, but the first operation on it must not flush denormals to zero: it is weigh(), which
/// keeps them even in code that is compiled with -ftz=true.
class FloatQuotient {
  public:
    static constexpr float kLift = 0x1p100f;  // n / 2^149 to n / 2^49: into the normal range, without rounding
    static constexpr int kByte = 0;           // the byte of divide()'s result that is the quotient

    FloatQuotient() = default;
    FloatQuotient(double times, double divisor, double distance) {
        float factor = float(times / divisor);
        while (double(factor) * divisor <= times) factor = std::nextafterf(factor, HUGE_VALF);
        const double relative_error = double(factor) * divisor / times - 1;
        exact_ = relative_error * 256 < distance;
        factor_ = factor * 0x1p49f;
    }
    bool exact() const { return exact_; }

    /// sum + n * weight; `weight` has kLift as a factor.
    __device__ static float weigh(uint32_t n, float weight, float sum = 0) {
        return __fmaf_ieee_rn(__uint_as_float(n), weight, sum);
    }
    /// The quotient is the lowest byte: adding 2^23 rounds to an integer and leaves it in the lowest bits. n is lifted
    /// and was below 2^24 before.
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
    static constexpr int kByte = 2;  // the byte of the product that is the quotient, where it is in_byte()

    explicit WordQuotient(uint32_t divisor) : divisor_(divisor) {
        while ((uint64_t{2} << shift_) < divisor) ++shift_;
        const auto multiplier = [&](unsigned s) { return ((uint64_t{1} << (32 + s)) + divisor - 1) / divisor; };
        const uint64_t by_byte = multiplier(16), excess = by_byte * divisor - (uint64_t{1} << 48);
        in_byte_ = by_byte >> 32 == 0 && excess * divisor < uint64_t{1} << 40;
        multiplier_ = uint32_t(in_byte_ ? by_byte : multiplier(shift_));
    }
    bool in_byte() const { return in_byte_; }
    __device__ uint32_t product(uint32_t n) const { return __umulhi(n, multiplier_); }
    /// The quotient where it is not in_byte().
    __device__ uint32_t divide(uint32_t n) const { return product(n) >> shift_; }
    __device__ uint32_t divisor() const { return divisor_; }

  private:
    uint32_t divisor_, multiplier_ = 0;
    unsigned shift_ = 0;  // s
    bool in_byte_ = false;
};

}  // namespace tonescope::clahe
