#include "app/options/mask.h"

#include <algorithm>
#include <utility>

#include "app/image_io/image_io.h"

namespace tonescope {

std::shared_ptr<const HostImage> load_mask(const std::string& path, std::stop_token stop) {
    const HostImage image = load_image(path, std::move(stop)).image;
    const ImageView from = image.view();
    auto mask = std::make_shared<HostImage>(ImageSpec{image.width(), image.height(), PixelFormat::gray8, false});
    const bool gray = is_gray(from.spec.format);
    uint8_t greatest = 0;
    for (int y = 0; y < from.spec.height; ++y) {
        uint8_t* const row = mask->mutable_view().row(y);
        for (int x = 0; x < from.spec.width; ++x) {
            const uint8_t* pixel = from.pixel(x, y);
            row[x] = gray ? pixel[0] : uint8_t(luma(pixel[0], pixel[1], pixel[2]));
            greatest = std::max(greatest, row[x]);
        }
    }
    if (greatest == 1)
        for (size_t i = 0; i < mask->size_bytes(); ++i) mask->data()[i] = uint8_t(255 * mask->data()[i]);
    return mask;
}

void read_mask(ResultPart& part) {
    if (!part.mask_path.empty()) part.mask = load_mask(part.mask_path);
}

}  // namespace tonescope
