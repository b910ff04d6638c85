// What PNM and PAM share.
#pragma once

#include "app/image_io/internal.h"

namespace tonescope::image_io {

struct NetpbmHeader {
    uint32_t width = 0, height = 0;
    int channels = 1;
    uint32_t max = 255;  // the greatest sample, 1 to 65535

    size_t samples_in_row() const { return size_t(width) * size_t(channels); }
};

/// White space as in the formats' definition.
inline bool is_netpbm_space(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Throws UserError where the sides or the greatest sample are not allowed, or the file has fewer bytes left than
/// `raster_bytes` says for that header.
void check_netpbm(const FileReader& file, const NetpbmHeader& header, uint64_t raster_bytes);

/// Samples of one byte, or of two where the greatest is above 255, the upper one first.
LoadedImage read_netpbm_raster(FileReader& file, const NetpbmHeader& header, int max_side_px);

}  // namespace tonescope::image_io
