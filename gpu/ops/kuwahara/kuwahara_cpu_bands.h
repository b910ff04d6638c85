// What the multi-threaded Kuwahara filter shares between images of 8 bits and deep ones: boxes that slide over sums of
// columns, and bands of rows that go to threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stop_token>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/image.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"

namespace tonescope::kuwahara {

inline constexpr int kChunkColumns = 256;  // columns that pass through all steps together, in the L1 cache

/// How many of the positions [last - radius, last] lie in [0, size_px).
inline int inside(int last, int radius, int size_px) {
    return std::min(last, size_px - 1) - std::max(last - radius, 0) + 1;
}

/// Slides a box over the columns: out[i] = sum of columns[i - side + 1 ... i], continued from `sum`, which is that of
/// i = -1. Reads back to columns[-side]. Returns the last sum.
TONESCOPE_HOT_LOOP uint64_t slide_box(const uint64_t* columns, int side, int count, uint64_t sum,
                                      uint64_t* __restrict out) {
    for (int i = 0; i < count; ++i) out[i] = sum += columns[i] - columns[i - side];
    return sum;
}

template <class Filter>
TONESCOPE_HOT_LOOP void run_band(Filter& filter, int y_begin, int y_end, const std::stop_token& stop,
                                 RunProgress* progress) {
    filter.run(y_begin, y_end, stop, progress);
}

/// Each thread has a Filter of its own, whose run() filters the rows from y_begin to y_end.
template <class Filter>
void filter_bands(const ImageView& input, int radius, const MutableImageView& output, int threads,
                  const std::stop_token& stop, RunProgress* progress) {
    // A band first sums `radius` rows that are not its own: bands are tall, but there is one a thread at least.
    const int height = input.spec.height;
    threads = std::clamp(threads, 1, height);
    const int bands = threads * std::max(1, height / (threads * std::max(64, 8 * radius)));
    if (progress != nullptr) progress->start(height);
    parallel_pieces(threads, bands, 1, [&](Pieces& pieces) {
        Filter filter(input, radius, output);
        for (const int64_t band : pieces) {
            const int y_begin = int(height * band / bands), y_end = int(height * (band + 1) / bands);
            run_hot<run_band<Filter>>(filter, y_begin, y_end, stop, progress);
        }
    });
}

/// The filter of deep images, as filter() has it.
void filter_deep(const ImageView& input, int radius, const MutableImageView& output, int threads,
                 const std::stop_token& stop, RunProgress* progress);

}  // namespace tonescope::kuwahara
