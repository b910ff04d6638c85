// stb_image, compiled with limits. It reads past the end as zeros and believes what headers say, so formats check their
// headers against the file's size first, and every read past the end is noticed.
#pragma once

#include "app/image_io/internal.h"

namespace tonescope::image_io {

/// Decodes the file, whose header gives this size, with as many channels as are wanted (0: as in the file). The byte
/// `clear_at` of the file's first block is read as 0. Throws as loaders do.
LoadedImage decode_with_stb(FileReader& file, int64_t width, int64_t height, int wanted_channels,
                            size_t clear_at = SIZE_MAX);

/// Whether all pixels of an RGBA image have this alpha.
bool has_only_alpha(const ImageView& image, uint8_t alpha);

}  // namespace tonescope::image_io
