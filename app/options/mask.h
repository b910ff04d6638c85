// Masks: images that say where a result takes the place of the image.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "gpu/core/part/result_part.h"

namespace tonescope {

/// Gray, 8 bits: floor((255 v + floor(M / 2)) / M) of a gray value or a color's luma v, with M the greatest possible
/// sample, or 1 where no value is above 1. On a worker. Throws UserError that names the file, MemoryError, Canceled.
std::shared_ptr<const HostImage> load_mask(const std::string& path, std::stop_token stop = {});

/// Reads the mask that the part names, where it names one. Throws as load_mask().
void read_mask(ResultPart& part, std::stop_token stop = {});

}  // namespace tonescope
