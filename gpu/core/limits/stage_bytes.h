// How many bytes each stage of a run moves.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/core/limits/work.h"
#include "gpu/core/timing.h"

namespace tonescope {

/// Bytes that each of `stages` reads and writes at least: what `work` declares, and of stages that are no variant's
/// own, such as copies, as much as they move of the images. Stages of the same name share what is declared for it. 0
/// where nothing is known. `output`: empty for operators that make bins.
std::vector<uint64_t> bytes_of_stages(const StageTimes& stages, const Work& work, const ImageSpec& input,
                                      const ImageSpec& output);

}  // namespace tonescope
