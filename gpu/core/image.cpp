#include "gpu/core/image.h"

#include <array>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/pages.h"
#include "gpu/core/text.h"

namespace tonescope {

namespace {

constexpr std::align_val_t kAlignment{64};

/// Memory of images that have gone, for the next ones of their size: to get fresh pages takes longer than many a
/// filter, and allocators give large blocks straight back.
class KeptPixels {
  public:
    /// Null where there is none of this size.
    uint8_t* take(size_t bytes) {
        const std::scoped_lock lock(mutex_);
        for (Block& block : blocks_)
            if (block.bytes == bytes && block.pixels) return std::exchange(block.pixels, nullptr);
        return nullptr;
    }
    /// Frees what has been kept for longest.
    void keep(uint8_t* pixels, size_t bytes) noexcept {
        {
            const std::scoped_lock lock(mutex_);
            std::swap(blocks_[0], blocks_[1]);
            std::swap(blocks_[0].pixels, pixels);
            std::swap(blocks_[0].bytes, bytes);
        }
        give_back(pixels, bytes, kAlignment);
    }
    void free() noexcept {
        keep(nullptr, 0);
        keep(nullptr, 0);
    }

  private:
    struct Block {
        uint8_t* pixels = nullptr;
        size_t bytes = 0;
    };
    std::mutex mutex_;
    std::array<Block, 2> blocks_;  // one of results, one of previews
};

/// Never destroyed: images may outlive what is static.
KeptPixels& kept_pixels() {
    static auto* const kept = new KeptPixels;
    return *kept;
}

#ifdef __SANITIZE_ADDRESS__
constexpr size_t kMostKept_bytes = 0;  // whoever uses an image that has gone is to be found out
#else
constexpr size_t kMostKept_bytes = size_t{64} << 20;
#endif
constexpr size_t kLeastKept_bytes = size_t{1} << 20;

}  // namespace

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
    const size_t bytes = size_bytes();
    uint8_t* pixels = kept_pixels().take(bytes);
    if (pixels == nullptr) {
        if (bytes >= kLeastKept_bytes) free_kept_pixels();  // no image is refused for what is kept
        check_memory(bytes);
        pixels = static_cast<uint8_t*>(::operator new[](bytes, kAlignment));
        prefer_large_pages(pixels, bytes);
    }
    data_.reset(pixels, [bytes](uint8_t* data) {
        const bool is_kept = bytes >= kLeastKept_bytes && bytes <= kMostKept_bytes;
        is_kept ? kept_pixels().keep(data, bytes) : give_back(data, bytes, kAlignment);
    });
}

void free_kept_pixels() noexcept {
    kept_pixels().free();
}

int64_t count_different_pixels(const ImageView& a, const ImageView& b) {
    const size_t size = size_t(bytes_per_pixel(a.spec.format));
    int64_t count = 0;
    for (int y = 0; y < a.spec.height; ++y)
        for (int x = 0; x < a.spec.width; ++x) count += std::memcmp(a.pixel(x, y), b.pixel(x, y), size) != 0;
    return count;
}

}  // namespace tonescope
