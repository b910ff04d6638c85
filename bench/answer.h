// What a run must give, and whether it did.
#pragma once

#include <functional>

#include "bench/results.h"
#include "gpu/core/backend.h"

namespace tonescope::bench {

/// The result of the operator's fastest CPU variant, which the differential test holds to the reference.
RunResult make_answer(const HostImage& input, RunSpec spec, int threads);

/// Bytes that an operator must move: it reads the image and writes the result (bins: reads the image).
double least_bytes(const HostImage& input, const RunResult& expected);

/// A byte that poisoned outputs hold: not what the result begins with.
uint8_t poison_for(const RunResult& expected);

/// Sets `verdict` and `wrong` from the pixels or bins that are not the expected ones. `variant` may be null.
void judge(Row& row, int64_t differences, const VariantInfo* variant, bool bins);
/// `bins`: kFineBins of them.
int64_t count_different_bins(const uint8_t* bins, const RunResult& expected);

/// What `measure` returns; where it throws UserError, a row that says why there are no numbers.
Rows attempt(const Subject& subject, const std::function<Rows()>& measure);

}  // namespace tonescope::bench
