// How DICOM files compress frames. Each codec is checked against what the file says of its pixels before anything is
// decoded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/image_io/internal.h"

namespace tonescope::image_io {

/// The pixels of a frame: samples of one pixel, then those of the next, or planes, in the machine's order of bytes.
struct DicomPixels {
    int width = 0, height = 0;
    int samples = 1;         // of a pixel
    int bits_allocated = 8;  // 1, 8, 16 or 32
    bool in_planes = false;

    uint64_t count() const { return uint64_t(width) * uint64_t(height) * uint64_t(samples); }
    uint64_t size_bytes() const { return (count() * uint64_t(bits_allocated) + 7) / 8; }
};

struct DicomFrame {
    DicomPixels pixels;
    std::vector<uint8_t> bytes;
    bool is_ybr = false;  // where the file says so; otherwise the codec has made RGB of it
};

enum class DicomCodec : uint8_t { run_lengths, jpeg, jpeg_ls, jpeg_2000 };

/// `is_ybr`: what the file says of its colors. Throws UserError where the stream is damaged or not what `pixels` says,
/// and as check_decoding() does.
DicomFrame decode_dicom(DicomCodec codec, std::vector<uint8_t> stream, const DicomPixels& pixels, bool is_ybr,
                        int max_side_px);

}  // namespace tonescope::image_io
