// How the values of an image spread over counters and tables: it decides how often threads meet there.
#pragma once

#include "gpu/core/image.h"

namespace tonescope {

/// Means over groups of 32 neighboring pixels, the lanes of a warp, each of which goes to a word by its luma. Lanes
/// that go to the same word of shared or constant memory are served together; in device memory they are not. The
/// defaults are those of noise.
struct ValueSpread {
    /// How often the lanes take turns at the 32 banks of shared memory: at 256 words, and at every fourth of 1024
    /// words.
    double turns = 3.16, turns_of_fourth = 6.51;
    /// Words among the 32: the turns that constant memory takes.
    double different = 30.1;
    /// Additions that follow one another in the busiest KiB of device memory: in one go, a sector of 32 bytes takes as
    /// many as go to different words.
    double additions = 22.2, additions_of_fourth = 7.6;
    /// Part of the image's pixels that have its most frequent value.
    double most_frequent = 1 / 256.0;
};

/// Of some of the image's rows. Less than one row leaves the defaults.
ValueSpread spread_of(const ImageView& image);

}  // namespace tonescope
