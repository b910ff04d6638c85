// What one run does when, as a file: for Perfetto and chrome://tracing, or as a drawing.
#pragma once

#include <stop_token>
#include <string>

#include "app/benchmark/formats.h"
#include "app/benchmark/variant_benchmark.h"
#include "ui/benchmark/timeline.h"

namespace tonescope {

ExportFormats timeline_formats();

/// In the Trace Event Format: a process for each run, a thread for each lane, complete events for spans, and an arrow
/// from each call of the host to what it queued. A call, whose end nobody knows, is drawn kCall_us long or up to the
/// next one.
Json timeline_json(const ui::Timeline& timeline);
inline constexpr double kCall_us = 1;

/// Of the chosen row's run and the one that it is compared with. Writes one of timeline_formats(), as the path says.
/// Throws UserError, also where no run of the row has been traced, and Canceled once `stop` is set.
void write_timeline(const std::string& path, const VariantBenchmark& benchmark, std::stop_token stop = {});

}  // namespace tonescope
