// Histogram equalization (reports B and C): parameters, and what its functions on the CPU share.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "gpu/core/luma.h"
#include "gpu/core/registry.h"
#include "gpu/core/value_range.h"
#include "gpu/ops/no_data_param.h"

namespace tonescope::he {

struct Params {
    int32_t color;               // ColorMode
    int32_t range = range_auto;  // RangeChoice
    int32_t amount = 100;        // percent
    NoDataParams no_data = {};

    ColorChange change() const { return {color, amount}; }
    /// RangeChoice, as `color` has it.
    int32_t range_choice() const { return range_under(color, range); }
    /// The value that is not counted and stays as it is, or kNothingLeftOut.
    int32_t left_out(const ImageSpec& image) const { return no_data.left_out(image, color); }
};

using Counts = std::array<uint32_t, 256>;
using Table = std::array<uint8_t, 256>;
// One for gray images, luma and gray; three for channels.
using PlaneCounts = std::array<Counts, 3>;
using Tables = std::array<Table, 3>;

/// lut[v] of HE's definition for v from lo to hi, and lo and hi beyond; counts[v] and table[v] stand for value v.
/// `left_out` stays as it is, and has no count.
template <class Entry>
void fill_table(std::span<const uint32_t> counts, ValueRange range, int32_t left_out, std::span<Entry> table) {
    const size_t lo = size_t(range.lo), hi = size_t(range.hi);
    const uint64_t pixels = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
    size_t first = lo;
    while (first < hi && counts[first] == 0) ++first;
    const uint64_t above_first = pixels - counts[first];
    uint64_t sum = 0;
    std::fill(table.begin(), table.begin() + range.lo, Entry(lo));
    std::fill(table.begin() + range.hi, table.end(), Entry(hi));
    for (size_t v = lo; v <= hi; ++v) {
        if (v > first) sum += counts[v];
        // The share sum / above_first of hi - lo, rounded halves up.
        table[v] = Entry(above_first == 0 ? v : lo + (2 * (hi - lo) * sum + above_first) / (2 * above_first));
    }
    if (left_out != kNothingLeftOut) table[size_t(left_out)] = Entry(left_out);
}

/// From counts of `planes` planes.
Tables make_tables(const PlaneCounts& counts, int planes, ValueRange range, int32_t left_out);

/// Counts the values that `color` equalizes in an image of 8 bits, but for `left_out`: one plane, or three. Incomplete
/// once `stop` is set.
PlaneCounts count_bytes(const ImageView& image, int32_t color, int32_t left_out, int threads,
                        const std::stop_token& stop);

// The same for deep images: of each plane a bin and an entry for each sample from 0 to ImageSpec::max_sample, and none
// of planes that there are not.
using DeepCounts = std::array<std::vector<uint32_t>, 3>;
using DeepTables = std::array<std::vector<uint16_t>, 3>;

/// Counts the values that `color` equalizes, but for `left_out`. Incomplete once `stop` is set.
DeepCounts count_deep(const ImageView& image, int32_t color, int32_t left_out, int threads,
                      const std::stop_token& stop);
/// From the least to the greatest value that was counted; `none` where there is none.
ValueRange counted_range(const DeepCounts& counts, ValueRange none);
DeepTables make_deep_tables(const DeepCounts& counts, ValueRange range, int32_t left_out);
/// Garbage once `stop` is set.
void apply_deep(const ImageView& in, const DeepTables& tables, const ColorChange& change, const MutableImageView& out,
                int threads, const std::stop_token& stop);

/// OperatorInfo::code.
CodeParts code(CodeTarget target, const ParamBlock& params);

/// OperatorInfo::preview: the counts come from a sample of the whole image.
void preview(const PreviewJob& job);

}  // namespace tonescope::he
