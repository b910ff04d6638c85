#include "app/image_io/formats/tiff_samples.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

/// Hands each of `count` integers of so many bits to `take`.
template <class Word>
void each_word(const uint8_t* from, size_t count, auto take) {
    for (size_t i = 0; i < count; ++i) {
        Word word;
        std::memcpy(&word, from + i * sizeof word, sizeof word);
        take(i, word);
    }
}

void each_integer(const uint8_t* from, size_t count, int bits, auto take) {
    switch (bits) {
        case 8:
            return each_word<uint8_t>(from, count, take);
        case 16:
            return each_word<uint16_t>(from, count, take);
        case 24:
            for (size_t i = 0; i < count; ++i) take(i, little_endian<3>(from + 3 * i));
            return;
        case 32:
            return each_word<uint32_t>(from, count, take);
        case 64:
            return each_word<uint64_t>(from, count, take);
        default:
            break;
    }
    uint64_t buffer = 0;
    int buffered = 0;
    for (size_t i = 0; i < count; ++i) {
        for (; buffered < bits; buffered += 8) buffer = buffer << 8 | *from++;
        buffered -= bits;
        take(i, uint32_t(buffer >> buffered & ((uint64_t{1} << bits) - 1)));
    }
}

/// IEEE 754's number of 16 bits.
double half_value(uint16_t half) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const double size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(1024 + fraction, exponent - 25);
    return (half & 0x8000) != 0 ? -size : size;
}

}  // namespace

uint16_t NumberRange::map(double sample) const {
    if (!(sample > least)) return 0;
    if (sample >= greatest) return 65535;
    // The difference of two numbers may be infinite where neither is.
    return uint16_t(std::floor((sample / 2 - least / 2) / (greatest / 2 - least / 2) * 65535 + 0.5));
}

TiffSamples::TiffSamples(TiffKind kind, int bits) : kind_(kind), bits_(bits) {
    const uint32_t count = 1u << std::min(bits, 8), shift = kind == TiffKind::signed_integer ? count / 2 : 0;
    for (uint32_t v = 0; v < count; ++v) table_[v] = to_8_bit((v + shift) % count, count - 1);
}

NumberRange TiffSamples::full_range() const {
    const double count = std::ldexp(1, bits_);
    switch (kind_) {
        case TiffKind::unsigned_integer:
            return {0, count - 1};
        case TiffKind::signed_integer:
            return {-count / 2, count / 2 - 1};
        default:
            return {0, 1};
    }
}

void TiffSamples::pick(const uint8_t* from, size_t width, int channels, std::span<const int> used,
                       std::vector<uint8_t>& to) const {
    const auto bits = size_t(bits_);
    to.assign((width * used.size() * bits + 7) / 8, 0);
    size_t end = 0;  // of what is there, in bits
    for (size_t x = 0; x < width; ++x)
        for (const int channel : used) {
            const size_t begin = (x * size_t(channels) + size_t(channel)) * bits;
            if (bits % 8 == 0) {
                std::memcpy(&to[end / 8], from + begin / 8, bits / 8);
                end += bits;
                continue;
            }
            for (size_t bit = begin; bit < begin + bits; ++bit, ++end)
                to[end / 8] |= uint8_t((from[bit / 8] >> (7 - bit % 8) & 1) << (7 - end % 8));
        }
}

void TiffSamples::unpack(const uint8_t* from, std::span<uint8_t> to) const {
    each_integer(from, to.size(), bits_, [&](size_t i, auto word) { to[i] = table_[word & 255]; });
}

void TiffSamples::unpack(const uint8_t* from, std::span<uint16_t> to) const {
    const auto flipped = uint32_t(kind_ == TiffKind::signed_integer ? 1u << (bits_ - 1) : 0);
    each_integer(from, to.size(), bits_, [&](size_t i, auto word) { to[i] = uint16_t(uint32_t(word) ^ flipped); });
}

void TiffSamples::unpack(const uint8_t* from, std::span<double> to) const {
    if (kind_ == TiffKind::floating_point) {
        if (bits_ == 16) {
            each_word<uint16_t>(from, to.size(), [&](size_t i, uint16_t half) { to[i] = half_value(half); });
        } else if (bits_ == 32) {
            each_word<float>(from, to.size(), [&](size_t i, float value) { to[i] = value; });
        } else {
            each_word<double>(from, to.size(), [&](size_t i, double value) { to[i] = value; });
        }
        return;
    }
    const int unused = 64 - bits_;
    const bool is_signed = kind_ == TiffKind::signed_integer;
    each_integer(from, to.size(), bits_, [&](size_t i, auto word) {
        const uint64_t value = uint64_t{word} << unused;
        to[i] = is_signed ? double(int64_t(value) >> unused) : double(value >> unused);
    });
}

}  // namespace tonescope::image_io
