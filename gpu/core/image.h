// Images in host memory: gray or RGBA with samples of 8 or 16 bits, row-major, rows pitch_bytes apart.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace tonescope {

inline constexpr int kMaxSide_px = 65535;
inline constexpr int64_t kMaxPixels = int64_t{1} << 29;

/// RGB images are held as RGBA with the greatest alpha and ImageSpec::has_alpha false, so that every kernel reads
/// aligned pixels.
enum class PixelFormat : uint8_t { gray8, rgba8, gray16, rgba16 };

constexpr bool is_gray(PixelFormat format) {
    return format == PixelFormat::gray8 || format == PixelFormat::gray16;
}
constexpr bool is_deep(PixelFormat format) {
    return format >= PixelFormat::gray16;
}
constexpr int bytes_per_sample(PixelFormat format) {
    return is_deep(format) ? 2 : 1;
}
constexpr int bytes_per_pixel(PixelFormat format) {
    return (is_gray(format) ? 1 : 4) * bytes_per_sample(format);
}

struct ImageSpec {
    int width = 0;   // pixels
    int height = 0;  // pixels
    PixelFormat format = PixelFormat::gray8;
    bool has_alpha = false;     // RGBA only: alpha carries information and is saved
    uint16_t max_sample = 255;  // samples are 0 to this; 256 to 65,535 in deep formats

    int64_t pixels() const { return int64_t{width} * height; }
    size_t row_bytes() const { return size_t(width) * size_t(bytes_per_pixel(format)); }
    size_t size_bytes() const { return row_bytes() * size_t(height); }
    bool empty() const { return width <= 0 || height <= 0; }
    /// Channels that a file of this image has: 1, 3 or 4.
    int channels() const { return is_gray(format) ? 1 : has_alpha ? 4 : 3; }
    bool operator==(const ImageSpec&) const = default;
};

struct Rect {
    int x = 0, y = 0, width = 0, height = 0;  // pixels
    bool operator==(const Rect&) const = default;
};

/// One sample of the pixel that begins there. For plain loops: fast ones know the format.
inline int sample_at(const uint8_t* pixel, PixelFormat format, int channel) {
    return is_deep(format) ? reinterpret_cast<const uint16_t*>(pixel)[channel] : pixel[channel];
}
inline void set_sample(uint8_t* pixel, PixelFormat format, int channel, int value) {
    if (is_deep(format))
        reinterpret_cast<uint16_t*>(pixel)[channel] = uint16_t(value);
    else
        pixel[channel] = uint8_t(value);
}

/// Pixels owned by somebody else.
template <class Byte>
struct PixelView {
    Byte* data = nullptr;
    size_t pitch_bytes = 0;
    ImageSpec spec = {};

    Byte* row(int y) const { return data + size_t(y) * pitch_bytes; }
    Byte* pixel(int x, int y) const { return row(y) + size_t(x) * size_t(bytes_per_pixel(spec.format)); }
    /// `channel`: 0 of a gray image, up to 3 of others. As sample_at().
    uint16_t sample(int x, int y, int channel) const { return uint16_t(sample_at(pixel(x, y), spec.format, channel)); }
    template <std::same_as<const Byte> Read>
    operator PixelView<Read>() const {
        return {data, pitch_bytes, spec};
    }
};
using ImageView = PixelView<const uint8_t>;
using MutableImageView = PixelView<uint8_t>;

/// Owns an image. Rows are tightly packed unless a pitch is asked for, which is a multiple of a sample's bytes.
/// Contents start undefined.
class HostImage {
  public:
    HostImage() = default;
    /// Throws UserError when the sides or the pixel count pass the limits, MemoryError or std::bad_alloc when memory is
    /// short.
    explicit HostImage(const ImageSpec& spec, size_t pitch_bytes = 0);
    /// In memory of the caller's choice, which `pixels` frees.
    HostImage(const ImageSpec& spec, size_t pitch_bytes, std::shared_ptr<uint8_t> pixels)
        : spec_(spec), pitch_bytes_(pitch_bytes), data_(std::move(pixels)) {}
    HostImage(HostImage&&) noexcept = default;
    HostImage& operator=(HostImage&&) noexcept = default;
    HostImage(const HostImage&) = delete;
    HostImage& operator=(const HostImage&) = delete;

    /// Throws UserError when the sides or the pixel count pass the limits.
    static void check_size(const ImageSpec& spec);

    bool empty() const { return spec_.empty(); }
    const ImageSpec& spec() const { return spec_; }
    int width() const { return spec_.width; }
    int height() const { return spec_.height; }
    size_t pitch_bytes() const { return pitch_bytes_; }
    size_t size_bytes() const { return pitch_bytes_ * size_t(spec_.height); }
    uint8_t* data() { return data_.get(); }
    const uint8_t* data() const { return data_.get(); }
    ImageView view() const { return {data_.get(), pitch_bytes_, spec_}; }
    MutableImageView mutable_view() { return {data_.get(), pitch_bytes_, spec_}; }
    void set_has_alpha(bool has_alpha) { spec_.has_alpha = has_alpha; }

  private:
    ImageSpec spec_ = {};
    size_t pitch_bytes_ = 0;
    std::shared_ptr<uint8_t> data_;
};

/// Pixels in which any byte differs. Both have the same sides and format.
int64_t count_different_pixels(const ImageView& a, const ImageView& b);

}  // namespace tonescope
