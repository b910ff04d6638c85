#include "gpu/core/part/result_part.h"

#include "gpu/core/text.h"

namespace tonescope {

std::string region_text(const Rect& region) {
    return std::to_string(region.x) + "," + std::to_string(region.y) + "," + std::to_string(region.width) + "," +
           std::to_string(region.height);
}

std::string misfit(const ResultPart& part, const ImageSpec& image) {
    const RegionWeights weights(part, image);
    if (part.has_region() && (weights.left >= weights.right || weights.top >= weights.bottom))
        return "the region " + region_text(part.region) + " lies outside of the image, which has " +
               size_text(image.width, image.height) + " pixels";
    if (part.mask != nullptr && (part.mask->width() != image.width || part.mask->height() != image.height))
        return "the mask " + part.mask_path + " has " + size_text(part.mask->width(), part.mask->height()) +
               " pixels, the image " + size_text(image.width, image.height);
    return {};
}

}  // namespace tonescope
