// TGA: read through stb_image, whose header checks are made here, and written.
#include <cstring>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

struct Tga {
    uint8_t bytes[18] = {};

    uint32_t u16(int i) const { return little_endian<2>(&bytes[i]); }
    uint32_t kind() const { return bytes[2]; }
    bool mapped() const { return kind() == 1 || kind() == 9; }
    bool gray() const { return kind() == 3 || kind() == 11; }
    uint32_t bits() const { return bytes[16]; }
    uint32_t map_bits() const { return bytes[7]; }
};

Tga parse_header(std::string_view head) {
    Tga header;
    if (head.size() >= sizeof header.bytes) std::memcpy(header.bytes, head.data(), sizeof header.bytes);
    return header;
}

bool color_bits(uint32_t bits) {
    return bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

void make_opaque(HostImage& image) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) image.mutable_view().pixel(x, y)[3] = 255;
    image.set_has_alpha(false);
}

}  // namespace

bool recognizes_tga(std::string_view head) {
    const Tga header = parse_header(head);
    if (header.mapped())
        return header.bytes[1] == 1 && (header.bits() == 8 || header.bits() == 16) && color_bits(header.map_bits());
    if (header.kind() != 2 && header.kind() != 3 && header.kind() != 10 && header.kind() != 11) return false;
    if (header.bytes[1] > 1) return false;
    return header.gray() ? header.bits() == 8 || header.bits() == 16 : color_bits(header.bits());
}

LoadedImage load_tga(FileReader& file, const LoadRequest& request) {
    Tga header;
    file.read_at(0, header.bytes);
    const uint32_t width = header.u16(12), height = header.u16(14);
    check_size(width, height);
    if (!header.mapped() && header.bytes[1] != 0) throw UserError("TGA with an unused color map is not supported");
    if (header.mapped() && header.u16(3) != 0)
        throw UserError("TGA whose color map does not start at 0 is not supported");
    const uint64_t pixels = uint64_t{width} * height, pixel_bytes = (header.bits() + 7) / 8;
    // A packet of run-length coding holds up to 128 pixels.
    const bool packed = header.kind() >= 9;
    const uint64_t data_bytes = packed ? (pixels + 127) / 128 * (1 + pixel_bytes) : pixels * pixel_bytes;
    const uint64_t map_bytes = header.bytes[1] == 0 ? 0 : uint64_t{header.u16(5)} * ((header.map_bits() + 7) / 8);
    // The data stands behind the header, the comment and the color map.
    check_bytes(file, sizeof header.bytes + header.bytes[0] + map_bytes + data_bytes);

    check_decoding(request.max_side_px, pixels * 8);  // stb_image's pixels, and a copy
    LoadedImage loaded = decode_with_stb(file, width, height, header.gray() && header.bits() == 8);
    // Where the header counts no alpha bits, the fourth byte may mean nothing.
    if (loaded.image.spec().has_alpha && (header.bytes[17] & 15) == 0 && has_only_alpha(loaded.image.view(), 0))
        make_opaque(loaded.image);
    const uint32_t sample_bits = header.mapped() ? header.map_bits() : header.bits();
    loaded.details.bits_per_channel = !header.gray() && sample_bits < 24 ? 5 : 8;
    if (!header.gray()) loaded.details.file_channels = loaded.image.spec().channels();
    const bool right_to_left = (header.bytes[17] & 0x10) != 0;
    loaded.image = apply_orientation(std::move(loaded.image), right_to_left ? 2 : 1);
    return loaded;
}

void save_tga(FileWriter& file, const ImageView& image, const ParamBlock&) {
    const int channels = image.spec.channels();
    uint8_t header[18] = {};
    header[2] = channels == 1 ? 3 : 2;  // gray, true color
    put_little_endian<2>(&header[12], uint32_t(image.spec.width));
    put_little_endian<2>(&header[14], uint32_t(image.spec.height));
    header[16] = uint8_t(channels * 8);
    header[17] = uint8_t(0x20 | (channels == 4 ? 8 : 0));  // rows from the top; bits of alpha
    file.write(header, sizeof header);
    write_rows(file, image, {.channels = channels, .bgr = true});
}

}  // namespace tonescope::image_io
