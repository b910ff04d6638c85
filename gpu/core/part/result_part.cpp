#include "gpu/core/part/result_part.h"

#include <algorithm>

#include "gpu/core/text.h"

namespace tonescope {
namespace {

/// As far as it lies in the image; may be empty.
Rect region_in(const Rect& region, const ImageSpec& image) {
    const int left = std::clamp(region.x, 0, image.width), top = std::clamp(region.y, 0, image.height);
    const auto end = [](int from, int length, int size) {
        return int(std::clamp<int64_t>(int64_t{from} + length, 0, size));
    };
    return {left, top, end(region.x, region.width, image.width) - left,
            end(region.y, region.height, image.height) - top};
}

}  // namespace

std::string region_text(const Rect& region) {
    return std::to_string(region.x) + "," + std::to_string(region.y) + "," + std::to_string(region.width) + "," +
           std::to_string(region.height);
}

std::string misfit(const ResultPart& part, const ImageSpec& image) {
    const Rect inside = region_in(part.region, image);
    if (part.has_region() && (inside.width <= 0 || inside.height <= 0))
        return "the region " + region_text(part.region) + " lies outside of the image, which has " +
               size_text(image.width, image.height) + " pixels";
    if (part.mask != nullptr && (part.mask->width() != image.width || part.mask->height() != image.height))
        return "the mask " + part.mask_path + " has " + size_text(part.mask->width(), part.mask->height()) +
               " pixels, the image " + size_text(image.width, image.height);
    return {};
}

Rect filtered_rect(const ResultPart& part, const ImageSpec& image) {
    return part.has_region() ? region_in(part.region, image) : Rect{0, 0, image.width, image.height};
}

ImageSpec filtered_spec(const ResultPart& part, const ImageSpec& image) {
    ImageSpec spec = image;
    const Rect rect = filtered_rect(part, image);
    spec.width = rect.width;
    spec.height = rect.height;
    return spec;
}

int part_weight(const ResultPart& part, const RegionWeights& region, int x, int y) {
    const int weight = region.at(x, y);
    if (part.mask == nullptr) return weight;
    const int mask = part.mask->view().row(y)[x];
    return RegionWeights::masked(weight, part.mask_inverse ? RegionWeights::kWhole - mask : mask);
}

}  // namespace tonescope
