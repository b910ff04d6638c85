// A TIFF's samples, from the bytes of its rows to those of an image.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tonescope::image_io {

enum class TiffKind : uint8_t { unsigned_integer, signed_integer, floating_point };

/// Of the finite samples of an image.
struct NumberRange {
    double least = std::numeric_limits<double>::infinity(), greatest = -least;

    void add(double sample) {
        if (sample < least && sample >= std::numeric_limits<double>::lowest()) least = sample;
        if (sample > greatest && sample <= std::numeric_limits<double>::max()) greatest = sample;
    }
    bool empty() const { return least > greatest; }
    /// From `least` to `greatest` to 0 to 65535. What is no number is 0.
    uint16_t map(double sample) const;
};

/// What `from` holds, where samples of 8, 16, 24, 32 or 64 bits are in the machine's order of bytes and others follow
/// each other without gaps, the upper bit first.
class TiffSamples {
  public:
    TiffSamples() = default;
    /// `bits`: 1 to 32, or 64; of floating-point numbers 16, 32 or 64.
    TiffSamples(TiffKind kind, int bits);

    /// Numbers that become samples of an image by their least and greatest one; what others become is known before.
    bool are_mapped() const { return kind_ == TiffKind::floating_point || bits_ > 16; }
    bool are_deep() const { return bits_ > 8; }
    /// Whether `from` holds what unpack() would give.
    bool are_plain() const { return kind_ == TiffKind::unsigned_integer && (bits_ == 8 || bits_ == 16); }
    /// What alpha may be.
    NumberRange full_range() const;

    /// Makes `to` a row of `used` channels alone of one of `width` pixels of so many `channels`.
    void pick(const uint8_t* from, size_t width, int channels, std::span<const int> used,
              std::vector<uint8_t>& to) const;
    /// Of up to 8 bits: scaled to 0 to 255; signed ones are shifted up first.
    void unpack(const uint8_t* from, std::span<uint8_t> to) const;
    /// Of 9 to 16 bits; signed ones are shifted up.
    void unpack(const uint8_t* from, std::span<uint16_t> to) const;
    /// Any.
    void unpack(const uint8_t* from, std::span<double> to) const;

  private:
    TiffKind kind_ = TiffKind::unsigned_integer;
    int bits_ = 8;
    std::array<uint8_t, 256> table_{};  // of samples of up to 8 bits
};

}  // namespace tonescope::image_io
