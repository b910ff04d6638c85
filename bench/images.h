// Images to measure on.
#pragma once

#include <string>
#include <vector>

#include "gpu/core/image.h"

namespace tonescope::bench {

struct Size {
    std::string name;
    int width = 0, height = 0;  // pixels
};

/// The sizes that a name stands for: "4k", "640x400", "reports" (several), "image" (of `file`, which may be null while
/// names are only checked). Throws UsageError.
std::vector<Size> sizes_of(const std::string& name, const HostImage* file);

/// Whether this content is a file, to be read with app/image_io/image_io.h.
bool is_file(const std::string& content);

/// An image of a content that is not a file. Throws UsageError for an unknown name.
HostImage make_image(const std::string& content, const ImageSpec& spec);
/// `file` in this format, mirrored at its edges until it fills the size.
HostImage make_image(const HostImage& file, const ImageSpec& spec);

}  // namespace tonescope::bench
