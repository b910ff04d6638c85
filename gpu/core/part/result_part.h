// Which part of an image an operator filters: a region with a feathered edge, and a mask. The region is cut out, the
// operator filters it as if it were an image, and the result is put back and blended with what was there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpu/core/image.h"
#include "gpu/core/luma.h"

namespace tonescope {

inline constexpr int32_t kMaxFeather_px = 4096;

struct ResultPart {
    /// Pixels of the image; what lies outside of it does not count. Empty: all of the image.
    Rect region = {};
    int32_t feather_px = 0;  // over so many pixels inside the region's edge the result fades in
    /// gray8, of the image's sides: 255 is all of the result, 0 all of the image. Null: there is none.
    std::shared_ptr<const HostImage> mask = {};
    std::string mask_path = {};  // of its file, also where that could not be read
    bool mask_inverse = false;   // the mask's values count as 255 less the value

    bool has_region() const { return region.width > 0 && region.height > 0; }
    /// The result takes the place of all of the image.
    bool is_whole() const { return !has_region() && mask == nullptr; }
    bool operator==(const ResultPart&) const = default;
};

/// What is wrong with the part for an image of these sides, in one line; empty: nothing is.
std::string misfit(const ResultPart& part, const ImageSpec& image);
/// "60,40,320,240", as --region takes it.
std::string region_text(const Rect& region);

/// What the operator filters: the region as far as it lies in the image, or all of it. The part fits (misfit()).
Rect filtered_rect(const ResultPart& part, const ImageSpec& image);
/// The image that the operator sees. The part fits; of an empty image that is the image.
ImageSpec filtered_spec(const ResultPart& part, const ImageSpec& image);

/// How much of the result there is at a pixel, of kWhole.
struct RegionWeights {
    static constexpr int kWhole = 255;
    int left = 0, top = 0, right = 0, bottom = 0;  // the region, without its right column and lower row
    int feather = 0;
    int width = 0, height = 0;  // of the image, at whose borders nothing fades

    RegionWeights() = default;
    /// The part fits.
    RegionWeights(const ResultPart& part, const ImageSpec& image) : width(image.width), height(image.height) {
        const Rect rect = filtered_rect(part, image);
        left = rect.x;
        top = rect.y;
        right = rect.x + rect.width;
        bottom = rect.y + rect.height;
        feather = part.feather_px;
    }
    /// 0 outside. With d pixels between this one and the nearest edge that is no border of the image, and the feather
    /// F: kWhole where d >= F, else floor((kWhole (2 d + 1) + F) / (2 F)).
    TONESCOPE_HOST_DEVICE int at(int x, int y) const {
        if (x < left || y < top || x >= right || y >= bottom) return 0;
        int nearest = feather;
        if (left > 0 && x - left < nearest) nearest = x - left;
        if (top > 0 && y - top < nearest) nearest = y - top;
        if (right < width && right - 1 - x < nearest) nearest = right - 1 - x;
        if (bottom < height && bottom - 1 - y < nearest) nearest = bottom - 1 - y;
        return nearest >= feather ? kWhole : (kWhole * (2 * nearest + 1) + feather) / (2 * feather);
    }
    /// Of the region and a mask together: floor((weight mask + 127) / 255).
    TONESCOPE_HOST_DEVICE static constexpr int masked(int weight, int mask) {
        return (weight * mask + kWhole / 2) / kWhole;
    }
};

/// floor((w result + (255 - w) image + 127) / 255): as `amount` mixes, in 255ths.
TONESCOPE_HOST_DEVICE constexpr int blended_sample(int result, int image, int weight) {
    constexpr int kWhole = RegionWeights::kWhole;
    return (weight * result + (kWhole - weight) * image + kWhole / 2) / kWhole;
}

/// The weight at a pixel of the image. For plain loops.
int part_weight(const ResultPart& part, const RegionWeights& region, int x, int y);

}  // namespace tonescope
