// Histogram equalization (reports B and C): parameters, and what its functions on the CPU share.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

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

/// lut[v] of HE's definition for v from lo to hi, and lo and hi beyond; counts[v] and table[v] stand for value v, and
/// the sum of the counts is `pixels`.
template <class Entry>
void fill_table(std::span<const uint32_t> counts, uint64_t pixels, ValueRange range, std::span<Entry> table) {
    const size_t lo = size_t(range.lo), hi = size_t(range.hi);
    size_t first = lo;
    while (counts[first] == 0) ++first;
    const uint64_t above_first = pixels - counts[first];
    uint64_t sum = 0;
    std::fill(table.begin(), table.begin() + range.lo, Entry(lo));
    std::fill(table.begin() + range.hi, table.end(), Entry(hi));
    for (size_t v = lo; v <= hi; ++v) {
        if (v > first) sum += counts[v];
        // The share sum / above_first of hi - lo, rounded halves up.
        table[v] = Entry(above_first == 0 ? v : lo + (2 * (hi - lo) * sum + above_first) / (2 * above_first));
    }
}

/// From counts of `planes` planes, the sum of each of which is `pixels`.
Tables make_tables(const PlaneCounts& counts, uint64_t pixels, int planes, ValueRange range);

// The same for deep images: of each plane a bin and an entry for each sample from 0 to ImageSpec::max_sample, and none
// of planes that there are not.
using DeepCounts = std::array<std::vector<uint32_t>, 3>;
using DeepTables = std::array<std::vector<uint16_t>, 3>;

/// Counts the values that `color` equalizes. Incomplete once `stop` is set.
DeepCounts count_deep(const ImageView& image, int32_t color, int threads, const std::stop_token& stop);
/// From the least to the greatest value that was counted.
ValueRange counted_range(const DeepCounts& counts);
DeepTables make_deep_tables(const DeepCounts& counts, uint64_t pixels, ValueRange range);
/// Garbage once `stop` is set.
void apply_deep(const ImageView& in, const DeepTables& tables, int32_t color, const MutableImageView& out, int threads,
                const std::stop_token& stop);

/// What `tuned` does on a deep image: as counted on noise of 4K.
Work tuned_deep_work(const WorkCase& c);

/// OperatorInfo::code.
CodeParts code(CodeTarget target, const ParamBlock& params);

/// OperatorInfo::preview: the counts come from a sample of the whole image.
void preview(const PreviewJob& job);

}  // namespace tonescope::he
