// Histogram equalization (reports B and C): parameters, and what its functions on the CPU share.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/core/luma.h"
#include "gpu/core/registry.h"
#include "gpu/core/value_range.h"

namespace tonescope::he {

struct Params {
    int32_t color;               // ColorMode
    int32_t range = range_auto;  // RangeChoice
};

using Counts = std::array<uint32_t, 256>;
using Table = std::array<uint8_t, 256>;
// One for gray images, luma and gray; three for channels.
using PlaneCounts = std::array<Counts, 3>;
using Tables = std::array<Table, 3>;

/// From counts of `planes` planes, the sum of each of which is `pixels`.
Tables make_tables(const PlaneCounts& counts, uint64_t pixels, int planes);

/// OperatorInfo::preview: the counts come from a sample of the whole image.
void preview(const PreviewJob& job);

}  // namespace tonescope::he
