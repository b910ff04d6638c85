#include "app/batch/mask.h"

#include <algorithm>
#include <utility>

#include "app/batch/output_names.h"
#include "app/image_io/image_io.h"
#include "gpu/core/backend.h"

namespace tonescope {

std::shared_ptr<const HostImage> load_mask(const std::string& path, std::stop_token stop) {
    const HostImage image = load_image(path, stop, nullptr, {.keeps_depth = true}).image;
    const ImageView from = image.view();
    const bool gray = is_gray(from.spec.format);
    const auto value = [&](int x, int y) {
        return gray ? int{from.sample(x, y, 0)}
                    : luma(from.sample(x, y, 0), from.sample(x, y, 1), from.sample(x, y, 2));
    };
    int greatest = 0;
    for (int y = 0; y < from.spec.height; ++y) {
        if (stop.stop_requested()) throw Canceled{};
        for (int x = 0; x < from.spec.width; ++x) greatest = std::max(greatest, value(x, y));
    }
    const int whole = greatest == 1 ? 1 : from.spec.max_sample;
    auto mask = std::make_shared<HostImage>(ImageSpec{image.width(), image.height(), PixelFormat::gray8, false});
    for (int y = 0; y < from.spec.height; ++y) {
        if (stop.stop_requested()) throw Canceled{};
        uint8_t* const row = mask->mutable_view().row(y);
        for (int x = 0; x < from.spec.width; ++x) row[x] = uint8_t((255 * value(x, y) + whole / 2) / whole);
    }
    return mask;
}

bool has_mask_of_each(const ResultPart& part) {
    return pattern_of(part.mask_path).find(kStem) != std::string::npos;
}

std::string mask_of(const ResultPart& part, const std::string& input) {
    return named_after(part.mask_path, input);
}

void read_mask(ResultPart& part, std::stop_token stop) {
    if (!part.mask_path.empty() && !has_mask_of_each(part)) part.mask = load_mask(part.mask_path, std::move(stop));
}

ResultPart part_of_image(const ResultPart& part, const std::string& input, std::stop_token stop) {
    ResultPart own = part;
    if (!has_mask_of_each(part)) return own;
    own.mask_path = mask_of(part, input);
    try {
        own.mask = load_mask(own.mask_path, std::move(stop));
    } catch (const MemoryError& failed) {
        throw MemoryError(input + ": its mask: " + failed.what());
    } catch (const UserError& failed) {
        throw UserError(input + ": its mask: " + failed.what());
    }
    return own;
}

}  // namespace tonescope
