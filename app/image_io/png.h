// The quick way through plain PNG files, which png.cpp tries before libspng. Only the files of PNG and tests include
// this.
#pragma once

#include <cstdint>

#include "app/image_io/internal.h"
#include "gpu/core/cpu_dispatch.h"

namespace tonescope::image_io {

/// Reads the pixels of a PNG with 8-bit samples, neither interlaced nor with a palette or tRNS, whose chunks before the
/// first IDAT are in order. `samples` a pixel: 1 (image: gray8), 3 or 4 (rgba8). The stream is inflated in one piece,
/// and all checksums are checked. False where anything is unusual, damaged or too large: the image is undefined then,
/// and the file's position as it was. Throws Cancelled, and UserError after a failed read.
bool read_plain_png(FileReader& file, int samples, MutableImageView image);

/// Undoes the filters of all rows (PNG specification, third edition, 9.2), and makes the pixels the image's; alpha is
/// 255 where a pixel has three samples. `rows`: a filter byte and width * samples bytes each, and behind the last row
/// one readable byte more. False at the first filter that PNG does not know. Throws Cancelled once the file's load was
/// stopped.
bool undo_png_filters(const uint8_t* rows, int samples, MutableImageView image, const FileReader& file,
                      bool avx2 = cpu_has_avx2());

}  // namespace tonescope::image_io
