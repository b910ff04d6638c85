// PSD: the merged image of gray, indexed, RGB and CMYK files with 8 or 16 bits, raw or run-length coded.
// Layout: Adobe Photoshop File Formats Specification.
#include <algorithm>
#include <cstring>
#include <limits>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

enum Mode : uint32_t { kGray = 1, kIndexed = 2, kPsdRgb = 3, kCmyk = 4, kDuotone = 8 };
constexpr size_t kPalette_bytes = 768;

struct PsdHeader {
    uint32_t width = 0, height = 0, channels = 0, bits = 0, mode = 0;
    uint32_t compression = 0;
    uint64_t data_offset = 0;
    bool on_white = false;  // transparency was blended with white, rather than kept as a channel
    std::array<uint8_t, kPalette_bytes> palette{};  // 256 reds, greens, blues

    uint32_t colors() const { return mode == kPsdRgb ? 3 : mode == kCmyk ? 4 : 1; }
    bool has_alpha() const { return channels > colors(); }
    bool gray() const { return mode == kGray || mode == kDuotone; }
    size_t row_bytes() const { return size_t(width) * (bits / 8); }
};

void check_kind(const PsdHeader& header) {
    const bool known = header.gray() || header.mode == kIndexed || header.mode == kPsdRgb || header.mode == kCmyk;
    if (!known || (header.bits != 8 && header.bits != 16) || (header.mode == kIndexed && header.bits != 8)) {
        throw UserError(
            "this kind of PSD is not supported, only gray, indexed, RGB and CMYK with 8 or 16 bits; save it as PNG");
    }
    if (header.channels < header.colors() || header.channels > 56)
        refuse_damaged("it has " + std::to_string(header.channels) + " channels");
}

PsdHeader read_psd_header(FileReader& file) {
    uint8_t head[26] = {};
    if (file.read_at(0, head) < sizeof head) refuse_damaged("it ends within its header");
    if (big_endian<2>(head + 4) != 1) throw UserError("large PSD (PSB) is not supported; save it as PSD or PNG");
    PsdHeader header;
    header.channels = big_endian<2>(head + 12);
    header.height = big_endian<4>(head + 14);
    header.width = big_endian<4>(head + 18);
    header.bits = big_endian<2>(head + 22);
    header.mode = big_endian<2>(head + 24);
    check_size(header.width, header.height);
    check_kind(header);

    // Three sections, each behind its length: palette, resources, layers.
    uint64_t offset = sizeof head;
    uint8_t field[4] = {};
    for (int section = 0; section < 3; ++section) {
        if (file.read_at(offset, field) < 4) refuse_damaged("it ends too early");
        const uint32_t bytes = big_endian<4>(field);
        if (section == 0 && header.mode == kIndexed &&
            (bytes < kPalette_bytes || file.read_at(offset + 4, header.palette) < kPalette_bytes)) {
            refuse_damaged("its palette is not whole");
        }
        // A negative number of layers means that the first extra channel is the merged image's transparency.
        if (section == 2 && bytes >= 6 && file.read_at(offset + 8, {field, 2}) == 2)
            header.on_white = (field[0] & 0x80) != 0;
        offset += 4 + uint64_t{bytes};
    }
    if (file.read_at(offset, {field, 2}) < 2) refuse_damaged("it ends too early");
    header.compression = big_endian<2>(field);
    if (header.compression > 1) throw UserError("PSD with this compression is not supported; save it as PNG");
    header.data_offset = offset + 2;
    const uint64_t rows = uint64_t{header.channels} * header.height;
    // Run-length coding: a row's length in two bytes, then two bytes for at most 128 of its own.
    const uint64_t least_row_bytes =
        header.compression == 1 ? 2 + (header.row_bytes() + 127) / 128 * 2 : header.row_bytes();
    check_bytes(file, header.data_offset + rows * least_row_bytes);
    return header;
}

/// PackBits. False unless the packed bytes give exactly the row.
bool unpack(std::span<const uint8_t> packed, std::span<uint8_t> row) {
    size_t in = 0, out = 0;
    while (in < packed.size()) {
        const size_t code = packed[in++];
        if (code == 128) continue;
        const size_t count = code < 128 ? code + 1 : 257 - code;
        const size_t taken = code < 128 ? count : 1;
        if (count > row.size() - out || taken > packed.size() - in) return false;
        if (code < 128) {
            std::copy_n(&packed[in], count, &row[out]);
        } else {
            std::fill_n(&row[out], count, packed[in]);
        }
        in += taken;
        out += count;
    }
    return out == row.size();
}

class PsdRows {
  public:
    PsdRows(FileReader& file, const PsdHeader& header) : file_(file), header_(header), row_(header.row_bytes()) {
        file.skip(header.data_offset);
        if (header.compression == 0) return;
        lengths_.resize(size_t(header.channels) * header.height * 2);
        file.read_whole(lengths_);
    }

    /// The next row of a channel, whose samples have one byte, or two in the machine's order.
    std::span<const uint8_t> next() {
        if (header_.compression == 0) {
            file_.read_whole(row_);
        } else {
            packed_.resize(big_endian<2>(&lengths_[2 * done_]));
            file_.read_whole(packed_);
            if (!unpack(packed_, row_)) refuse_damaged("a row is not as long as the image is wide");
        }
        ++done_;
        if (header_.bits == 16)
            for (size_t i = 0; i < row_.size(); i += 2) {
                const auto sample = uint16_t(big_endian<2>(&row_[i]));
                std::memcpy(&row_[i], &sample, 2);
            }
        return row_;
    }

  private:
    FileReader& file_;
    const PsdHeader& header_;
    size_t done_ = 0;
    std::vector<uint8_t> lengths_, packed_, row_;
};

/// Stores one channel of one row. Inks are kept as in the file, the greatest sample = none, so that black multiplies.
template <class Sample>
void put_channel(const PsdHeader& header, uint32_t channel, const uint8_t* bytes, uint8_t* row) {
    constexpr uint32_t kMax = std::numeric_limits<Sample>::max();
    const auto* const samples = reinterpret_cast<const Sample*>(bytes);
    auto* const pixels = reinterpret_cast<Sample*>(row);
    if (header.gray() && !header.has_alpha()) {
        std::copy_n(samples, header.width, pixels);
        return;
    }
    for (size_t x = 0; x < header.width; ++x) {
        Sample* pixel = pixels + 4 * x;
        const Sample v = samples[x];
        if (channel == header.colors()) {
            pixel[3] = v;
        } else if (header.mode == kPsdRgb || (header.mode == kCmyk && channel < 3)) {
            pixel[channel] = v;
        } else if (header.mode == kCmyk) {
            for (int c = 0; c < 3; ++c) pixel[c] = Sample((uint64_t{pixel[c]} * v + kMax / 2) / kMax);
        } else {
            for (size_t c = 0; c < 3; ++c) pixel[c] = header.mode == kIndexed ? header.palette[256 * c + v] : v;
        }
    }
}

/// The merged image stands on white; this takes the white out of half-transparent pixels.
template <class Sample>
void remove_white(HostImage& image) {
    constexpr int64_t kMax = std::numeric_limits<Sample>::max();
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            auto* const pixel = reinterpret_cast<Sample*>(image.mutable_view().pixel(x, y));
            const int64_t alpha = pixel[3];
            if (alpha == 0 || alpha == kMax) continue;
            for (int c = 0; c < 3; ++c)
                pixel[c] = Sample(std::max<int64_t>(0, kMax - ((kMax - pixel[c]) * kMax + alpha / 2) / alpha));
        }
}

}  // namespace

LoadedImage load_psd(FileReader& file, const LoadRequest& request) {
    const PsdHeader header = read_psd_header(file);
    const int alpha = header.has_alpha() ? 1 : 0;
    const bool deep = header.bits == 16;
    const uint64_t pixel_bytes = (header.gray() && alpha == 0 ? 1 : 4) * (deep ? 2 : 1);
    const uint64_t lengths = uint64_t{header.channels} * 2;
    check_decoding(request.max_side_px, (header.width * pixel_bytes + lengths) * header.height);
    LoadedImage loaded =
        make_loaded(header.width, header.height, (header.gray() ? 1 : 3) + alpha, int(header.bits), deep ? 65535 : 255);
    loaded.details.file_channels = std::min(4, int(header.colors()) + alpha);
    if (!header.gray() && !header.has_alpha())
        std::fill_n(loaded.image.data(), loaded.image.size_bytes(), uint8_t(255));

    PsdRows rows(file, header);
    for (uint32_t channel = 0; channel < header.colors() + uint32_t(alpha); ++channel)
        for (int y = 0; y < loaded.image.height(); ++y)
            (deep ? put_channel<uint16_t> : put_channel<uint8_t>)(header, channel, rows.next().data(),
                                                                  loaded.image.mutable_view().row(y));
    if (header.has_alpha() && header.on_white) (deep ? remove_white<uint16_t> : remove_white<uint8_t>)(loaded.image);
    return loaded;
}

}  // namespace tonescope::image_io
