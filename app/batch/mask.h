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

/// Whether images have masks of their own: the part's path contains {stem}, which is that of the image, or is a folder
/// that holds {stem}.png.
bool has_mask_of_each(const ResultPart& part);
/// The path of an image's mask; empty: there is none.
std::string mask_of(const ResultPart& part, const std::string& input);

/// Reads the mask that the part names, where it names one for all images. Throws as load_mask().
void read_mask(ResultPart& part, std::stop_token stop = {});
/// The part for an image, with its own mask where it has one; other masks have been read. Throws as load_mask(); errors
/// begin with the input.
ResultPart part_of_image(const ResultPart& part, const std::string& input, std::stop_token stop = {});

}  // namespace tonescope
