// Division of numbers of 64 bits whose quotient is short: one product and one correction, exact.
#pragma once

#include <cstdint>

#include "gpu/core/luma.h"

namespace tonescope {

/// floor(n / divisor) for divisors from 1 to 2^31 - 1 and n below 2^17 divisor.
///
/// With 2^l <= divisor < 2^(l + 1) and s = max(l - 14, 0), n has at most l + 18 bits, so that n / 2^s, rounded down,
/// fits 32 bits and is short by less than 1. The factor floor(2^(31 + l) / divisor) has 31 bits and is short by less
/// than 1 too. Of the product, shifted down by 31 + l - s, less than 2^(s - l) + 2^(l + 18 - s) / 2^(31 + l - s) < 1 is
/// missing: the quotient is right or 1 too small, and the remainder says which.
class ShortQuotient {
  public:
    ShortQuotient() = default;
    TONESCOPE_HOST_DEVICE explicit ShortQuotient(uint32_t divisor) : divisor_(divisor) {
#ifdef __CUDA_ARCH__
        const unsigned l = 31 - unsigned(__clz(int(divisor)));
#else
        unsigned l = 0;
        while (divisor >> l > 1) ++l;
#endif
        down_ = l > 14 ? l - 14 : 0;
        shift_ = 31 + l - down_;
        factor_ = uint32_t((uint64_t{1} << (31 + l)) / divisor);
    }
    __device__ uint32_t divide(uint64_t n) const {
        const uint32_t shifted = uint32_t(n >> down_);
        uint32_t quotient = uint32_t(uint64_t{shifted} * factor_ >> shift_);
        quotient += uint32_t(n) - quotient * divisor_ >= divisor_;
        return quotient;
    }
    TONESCOPE_HOST_DEVICE uint32_t divisor() const {
        return divisor_;
    }

  private:
    uint32_t divisor_ = 1, factor_ = 0;
    unsigned down_ = 0, shift_ = 31;
};

}  // namespace tonescope
