// The parts of measure_difference() (gpu/core/statistics.h), for whoever needs one of them alone.
#pragma once

#include <optional>
#include <stop_token>

#include "gpu/core/statistics.h"

namespace tonescope {

/// All of measure_difference() but `ssim`.
DifferenceStatistics measure_levels_apart(const ImageView& before, const ImageView& after, int threads,
                                          const std::stop_token& stop);
/// DifferenceStatistics::ssim.
std::optional<double> measure_ssim(const ImageView& before, const ImageView& after, int threads,
                                   const std::stop_token& stop);

}  // namespace tonescope
