// What the timings panel shows.
#pragma once

#include "app/viewer/files/open_images.h"
#include "app/viewer/live/bandwidth.h"
#include "app/viewer/live/frame_times.h"
#include "app/viewer/live/pipeline.h"
#include "ui/model/timings.h"

namespace tonescope {

/// Stages of the runs, parts of the frames, and of what they are. `image`: the current one; null: none is open.
void fill_timings(ui::Timings& model, const Pipeline& pipeline, const FrameTimes& frame_times,
                  const Bandwidth& bandwidth, const OpenImage* image, const RunSpec& run);

}  // namespace tonescope
