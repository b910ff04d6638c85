// Times the opening of image files beside plain calls of the libraries that decode them.
#pragma once

#include <string>
#include <vector>

#include "bench/results.h"

namespace tonescope::bench {

/// From the file's bytes on disk (in the page cache) to 8-bit pixels: load_image(), and those of libjpeg-turbo,
/// libspng, libpng (where it was found) and stb_image that know the format. Throws UserError for a file that cannot be
/// read.
std::vector<Measured> time_decoders(const std::string& path, const ImageSpec& spec, double seconds);

}  // namespace tonescope::bench
