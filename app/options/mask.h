// Masks: images that say where a result takes the place of the image.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "gpu/core/part/result_part.h"

namespace tonescope {

/// Gray, 8 bits: of colors their luma, of deep images what is left in 8 bits; where it has no values but 0 and 1, 1
/// becomes 255. On a worker. Throws UserError that names the file, MemoryError, Canceled.
std::shared_ptr<const HostImage> load_mask(const std::string& path, std::stop_token stop = {});

/// Reads the mask that the part names, where it names one. Throws as load_mask().
void read_mask(ResultPart& part);

}  // namespace tonescope
