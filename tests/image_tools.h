// What tests do with whole images.
#pragma once

#include <cstring>

#include "gpu/core/image.h"

namespace tonescope {

/// Same sides, format and visible bytes; pitch and has_alpha do not count.
inline bool same_pixels(const ImageView& a, const ImageView& b) {
    if (a.spec.width != b.spec.width || a.spec.height != b.spec.height || a.spec.format != b.spec.format) return false;
    for (int y = 0; y < a.spec.height; ++y)
        if (std::memcmp(a.row(y), b.row(y), a.spec.row_bytes()) != 0) return false;
    return true;
}

/// Both have the same shape.
inline void copy_pixels(const ImageView& from, const MutableImageView& to) {
    for (int y = 0; y < from.spec.height; ++y) std::memcpy(to.row(y), from.row(y), from.spec.row_bytes());
}

inline HostImage copy_of(const HostImage& image) {
    HostImage copy(image.spec(), image.pitch_bytes());
    std::memcpy(copy.data(), image.data(), image.size_bytes());
    return copy;
}

}  // namespace tonescope
