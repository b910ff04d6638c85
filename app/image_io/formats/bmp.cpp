// BMP: files of every header (OS/2 and Windows 3 to V5), plain, with masks or run-length coded. stb_image reads no
// run-length coding, no OS/2 2 headers and no gray palettes as gray, and rounds 5- and 6-bit samples otherwise.
#include <algorithm>
#include <bit>
#include <cstring>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

constexpr int kFileHeader_bytes = 14;
constexpr int kMasks_offset = 54;  // behind the 40-byte header or, in longer ones, inside
enum Compression : uint32_t { kRgb = 0, kRle8 = 1, kRle4 = 2, kBitFields = 3, kAlphaBitFields = 6 };

/// One channel of a 16- or 32-bit pixel.
struct Channel {
    uint32_t mask = 0;
    int shift = 0;
    std::vector<uint8_t> table;  // sample to 8 bits

    uint8_t operator()(uint32_t pixel) const { return table[(pixel & mask) >> shift]; }
};

struct Header {
    uint32_t data_offset = 0, header_bytes = 0;
    int64_t width = 0, height = 0;
    bool top_down = false;
    uint32_t bits = 0;  // a pixel
    uint32_t compression = kRgb;
    uint32_t colors_used = 0;
    std::array<uint32_t, 4> masks{};

    bool indexed() const { return bits <= 8; }
    bool packed() const { return compression == kRle8 || compression == kRle4; }
    uint64_t row_bytes() const { return (uint64_t(width) * bits + 7) / 8; }
    uint64_t stride_bytes() const { return (row_bytes() + 3) / 4 * 4; }
};

Header read_header(FileReader& file) {
    std::array<uint8_t, kFileHeader_bytes + 124> bytes{};
    const auto u16 = [&](size_t i) { return little_endian<2>(&bytes[i]); };
    const auto u32 = [&](size_t i) { return little_endian<4>(&bytes[i]); };
    const size_t got = file.read_at(0, bytes);
    Header header;
    header.data_offset = u32(10);
    header.header_bytes = u32(14);
    if (got < 26 || got < std::min<size_t>(bytes.size(), kFileHeader_bytes + size_t{header.header_bytes}))
        refuse_damaged("it ends within its header");
    if (header.header_bytes == 12) {
        header.width = u16(18);
        header.height = u16(20);
        header.bits = u16(24);
    } else if (header.header_bytes >= 40 && header.header_bytes <= 124) {
        header.width = int32_t(u32(18));
        header.height = int32_t(u32(22));
        header.bits = u16(28);
        header.compression = u32(30);
        header.colors_used = u32(46);
        header.top_down = header.height < 0;
        header.height = std::abs(header.height);
    } else {
        refuse_damaged("its header has " + std::to_string(header.header_bytes) + " bytes");
    }
    check_size(header.width, header.height);
    constexpr uint32_t kBits[] = {1, 2, 4, 8, 16, 24, 32};
    if (std::ranges::find(kBits, header.bits) == std::end(kBits))
        refuse_damaged(std::to_string(header.bits) + " bits a pixel");
    const bool fields = header.compression == kBitFields || header.compression == kAlphaBitFields;
    if (header.compression != kRgb && !fields && !header.packed())
        throw UserError("BMP with a JPEG or PNG inside is not supported; save it as PNG");
    if (header.packed() && (header.bits != (header.compression == kRle8 ? 8 : 4) || header.top_down))
        refuse_damaged("run-length coding that does not go with its pixels");
    if (fields && header.bits != 16 && header.bits != 32) refuse_damaged("masks without 16 or 32 bits a pixel");
    if (fields) {
        const bool alpha = header.header_bytes >= 56 || header.compression == kAlphaBitFields;
        for (size_t c = 0; c < (alpha ? 4 : 3); ++c) header.masks[c] = u32(kMasks_offset + 4 * c);
    } else if (header.bits == 16) {
        header.masks = {0x7C00, 0x03E0, 0x001F, 0};
    } else if (header.bits == 32) {
        header.masks = {0xFF0000, 0xFF00, 0xFF, 0};
    }
    if (header.data_offset < kFileHeader_bytes + header.header_bytes)
        refuse_damaged("its pixels start within its header");
    if (!header.packed()) {
        check_bytes(file,
                    header.data_offset + header.stride_bytes() * uint64_t(header.height - 1) + header.row_bytes());
    } else if (header.width * header.height > (int64_t{1} << 22)) {
        // Two bytes stand for at most 255 pixels. Jumps may leave most of an image out, so small ones are not judged.
        check_bytes(file, header.data_offset + uint64_t(header.width * header.height) / 128);
    }
    return header;
}

using Color = std::array<uint8_t, 4>;

/// The palette as RGBA; colors that the file does not give are black.
std::array<Color, 256> read_palette(FileReader& file, const Header& header) {
    std::array<Color, 256> palette;
    palette.fill({0, 0, 0, 255});
    const uint32_t begin = kFileHeader_bytes + header.header_bytes;
    const uint32_t entry_bytes = header.header_bytes == 12 ? 3 : 4;
    uint32_t count = 1u << header.bits;
    if (header.colors_used > 0) count = std::min(count, header.colors_used);
    count = std::min(count, (header.data_offset - begin) / entry_bytes);
    std::array<uint8_t, 256 * 4> raw{};
    file.read_at(begin, {raw.data(), count * entry_bytes});
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t* bgr = &raw[i * entry_bytes];
        palette[i] = {bgr[2], bgr[1], bgr[0], 255};
    }
    return palette;
}

Channel make_channel(uint32_t mask, uint8_t value_without) {
    Channel channel;
    if (mask == 0) {
        channel.table = {value_without};
        return channel;
    }
    channel.mask = mask;
    channel.shift = std::countr_zero(mask);
    const uint32_t max = mask >> channel.shift;
    if ((max & (max + 1)) != 0 || max > 65535) refuse_damaged("its masks are not those of channels");
    channel.table.resize(max + 1);
    for (uint32_t v = 0; v <= max; ++v) channel.table[v] = to_8_bit(v, max);
    return channel;
}

void unpack_indexed(const uint8_t* in, uint8_t* out, int64_t width, uint32_t bits, bool gray,
                    const std::array<Color, 256>& palette) {
    const uint32_t per_byte = 8 / bits;
    for (uint32_t x = 0; x < width; ++x) {
        const uint32_t shift = 8 - bits * (x % per_byte + 1);
        const Color& color = palette[(in[x / per_byte] >> shift) & ((1u << bits) - 1)];
        if (gray) {
            out[x] = color[0];
        } else {
            std::memcpy(out + 4 * size_t{x}, color.data(), 4);
        }
    }
}

void unpack_bgr(const uint8_t* in, uint8_t* out, int64_t width) {
    for (int64_t x = 0; x < width; ++x, in += 3, out += 4) {
        out[0] = in[2];
        out[1] = in[1];
        out[2] = in[0];
        out[3] = 255;
    }
}

void unpack_masked(const uint8_t* in, uint8_t* out, const Header& header, const std::array<Channel, 4>& channels) {
    const size_t pixel_bytes = header.bits / 8;
    for (int64_t x = 0; x < header.width; ++x, in += pixel_bytes, out += 4) {
        const uint32_t pixel = pixel_bytes == 4 ? little_endian<4>(in) : little_endian<2>(in);
        for (size_t c = 0; c < 4; ++c) out[c] = channels[c](pixel);
    }
}

/// The palette indices of run-length coded rows, the bottom row first.
std::vector<uint8_t> unpack_run_lengths(FileReader& file, const Header& header) {
    const int per_byte = header.compression == kRle4 ? 2 : 1;
    std::vector<uint8_t> indices(size_t(header.width * header.height), 0);
    int64_t x = 0, y = 0;
    const auto next_byte = [&] {
        const int value = file.get();
        if (value >= 0) return uint8_t(value);
        file.check();
        refuse_damaged("it ends too early");
    };
    // Some programs code the bytes that fill up a row as well; these pixels are dropped.
    const auto put = [&](uint8_t packed, int i) {
        const uint8_t index = per_byte == 1 ? packed : i % 2 == 0 ? packed >> 4 : packed & 15;
        if (x < header.width) indices[size_t(y * header.width + x++)] = index;
    };
    while (y < header.height) {
        const uint8_t count = next_byte(), value = next_byte();
        if (count > 0) {
            for (int i = 0; i < count; ++i) put(value, i);
        } else if (value == 0) {  // end of the row
            x = 0;
            ++y;
            file.check();
        } else if (value == 1) {  // end of the image
            break;
        } else if (value == 2) {  // a jump; what it leaves out has color 0
            x += next_byte();
            y += next_byte();
        } else {  // pixels as they are, filled up to whole 16-bit words
            uint8_t packed = 0;
            for (int i = 0; i < value; ++i) {
                if (i % per_byte == 0) packed = next_byte();
                put(packed, i);
            }
            if ((value + per_byte - 1) / per_byte % 2 != 0) next_byte();
        }
    }
    return indices;
}

}  // namespace

LoadedImage load_bmp(FileReader& file, const LoadRequest& request) {
    const Header header = read_header(file);
    std::array<Color, 256> palette;
    std::array<Channel, 4> channels;
    // BMP has no gray kind of its own: a palette of grays means it.
    bool gray = false;
    uint32_t deepest = 255;
    if (header.indexed()) {
        palette = read_palette(file, header);
        gray = std::all_of(palette.begin(), palette.end(), [](Color c) { return c[0] == c[1] && c[1] == c[2]; });
    } else if (header.bits != 24) {
        deepest = 0;
        for (size_t c = 0; c < 4; ++c) {
            channels[c] = make_channel(header.masks[c], c == 3 ? 255 : 0);
            deepest = std::max(deepest, uint32_t(channels[c].table.size() - 1));
        }
    }

    const int file_channels = gray ? 1 : header.masks[3] != 0 ? 4 : 3;
    const int pixel_bytes = (gray ? 1 : 4) + (header.packed() ? 1 : 0);
    check_decoding(request.max_side_px, uint64_t(header.width * header.height) * uint64_t(pixel_bytes));
    LoadedImage loaded = make_loaded(header.width, header.height, file_channels, std::bit_width(deepest));
    loaded.details.reduced_to_8_bit = deepest > 255;
    file.skip(header.data_offset);
    std::vector<uint8_t> indices, raw(size_t(header.stride_bytes()));
    if (header.packed()) indices = unpack_run_lengths(file, header);
    for (int64_t i = 0; i < header.height; ++i) {
        const int64_t y = header.top_down ? i : header.height - 1 - i;  // the file's rows begin at the bottom
        uint8_t* row = loaded.image.mutable_view().row(int(y));
        if (header.packed()) {
            unpack_indexed(&indices[size_t(i * header.width)], row, header.width, 8, gray, palette);
            continue;
        }
        const bool last = i == header.height - 1;
        file.read_whole({raw.data(), last ? size_t(header.row_bytes()) : raw.size()});
        if (header.indexed()) {
            unpack_indexed(raw.data(), row, header.width, header.bits, gray, palette);
        } else if (header.bits == 24) {
            unpack_bgr(raw.data(), row, header.width);
        } else {
            unpack_masked(raw.data(), row, header, channels);
        }
    }
    return loaded;
}

void save_bmp(FileWriter& file, const ImageView& image, const ParamBlock&) {
    // Gray: 8 bits with a palette of grays. RGB: 24 bits. RGBA: 32 bits with masks, in a V4 header, which names the
    // alpha.
    const int channels = image.spec.channels();
    const uint32_t header_bytes = channels == 4 ? 108 : 40;
    const uint32_t palette_bytes = channels == 1 ? 1024 : 0;
    const size_t row_bytes = size_t(image.spec.width) * size_t(channels);
    const size_t stride_bytes = (row_bytes + 3) / 4 * 4;
    const uint32_t palette_offset = 14 + header_bytes;
    const uint32_t data_offset = palette_offset + palette_bytes;
    const uint64_t data_bytes = uint64_t(stride_bytes) * uint64_t(image.spec.height);

    std::vector<uint8_t> header(data_offset, 0);
    const auto put = [&](size_t at, uint64_t value) { put_little_endian<4>(&header[at], uint32_t(value)); };
    header[0] = 'B';
    header[1] = 'M';
    put(2, data_offset + data_bytes);
    put(10, data_offset);
    put(14, header_bytes);
    put(18, uint64_t(image.spec.width));
    put(22, uint64_t(image.spec.height));
    put(26, 1 | uint64_t(channels) * 8 << 16);  // planes, bits a pixel
    put(34, data_bytes);
    put(38, 2835);  // pixels a meter: 72 dpi
    put(42, 2835);
    if (channels == 1) put(46, 256);
    if (channels == 4) {
        put(30, 3);  // masks follow
        const uint32_t masks[] = {0xFF0000, 0xFF00, 0xFF, 0xFF000000};
        for (size_t c = 0; c < 4; ++c) put(54 + 4 * c, masks[c]);
        put(70, 0x73524742);  // sRGB
    }
    for (uint32_t i = 0; i < palette_bytes / 4; ++i) put(palette_offset + 4 * i, i * 0x010101u);
    file.write(header.data(), header.size());

    write_rows(file, image, {.channels = channels, .bgr = true, .bottom_up = true, .stride_bytes = stride_bytes});
}

}  // namespace tonescope::image_io
