// What a run must give, and whether it did.
#pragma once

#include <string>

#include "bench/results.h"
#include "gpu/core/backend.h"

namespace tonescope::bench {

/// The result of the operator's fastest CPU variant, which the differential test holds to the reference.
struct Answer {
    HostImage image = {};  // empty for operators that make bins
    BinsResult bins = {};
};
Answer make_answer(const HostImage& input, const RunSpec& spec, int threads);

/// Bytes that an operator must move: it reads the image and writes the result (bins: reads the image).
double least_bytes(const HostImage& input, const Answer& expected);

/// A byte that poisoned outputs hold: not what the result begins with.
uint8_t poison_for(const Answer& expected);

/// Sets `verdict` and `wrong` from the pixels or bins that are not the expected ones.
void judge(Timing& timing, int64_t differences, const VariantInfo* variant, bool bins);
int64_t count_different_bins(const uint8_t* bins, const Answer& expected);

}  // namespace tonescope::bench
