#include "gpu/core/image.h"

#include <cstring>
#include <new>
#include <string>

#include "gpu/core/error.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {
constexpr std::align_val_t kAlignment{64};
}

void HostImage::check_size(const ImageSpec& spec) {
    if (spec.width < 1 || spec.height < 1 || spec.width > kMaxSide_px || spec.height > kMaxSide_px ||
        spec.pixels() > kMaxPixels) {
        throw UserError("image of " + size_text(spec.width, spec.height) +
                        " pixels: sides may be 1 to 65535, and 536870912 pixels in all");
    }
}

HostImage::HostImage(const ImageSpec& spec, size_t pitch_bytes) : spec_(spec) {
    check_size(spec);
    pitch_bytes_ = pitch_bytes == 0 ? spec.row_bytes() : pitch_bytes;
    check_memory(size_bytes());
    data_.reset(static_cast<uint8_t*>(::operator new[](size_bytes(), kAlignment)),
                [](uint8_t* data) { ::operator delete[](data, kAlignment); });
}

int64_t count_different_pixels(const ImageView& a, const ImageView& b) {
    const size_t size = size_t(bytes_per_pixel(a.spec.format));
    int64_t count = 0;
    for (int y = 0; y < a.spec.height; ++y)
        for (int x = 0; x < a.spec.width; ++x) count += std::memcmp(a.pixel(x, y), b.pixel(x, y), size) != 0;
    return count;
}

}  // namespace tonescope
