// The formats without compression that need no library: BMP and TGA.
#include <cstring>

#include "app/image_io/internal.h"

namespace tonescope::image_io {

void pack_rgb(const uint8_t* rgba, uint8_t* out, int width, bool reverse) {
    const size_t red = reverse ? 2 : 0, blue = 2 - red;
    for (int x = 0; x < width; ++x, rgba += 4, out += 3) {
        out[red] = rgba[0];
        out[1] = rgba[1];
        out[blue] = rgba[2];
    }
}

void pack_bgra(const uint8_t* rgba, uint8_t* out, int width) {
    for (int x = 0; x < width; ++x, rgba += 4, out += 4) {
        out[0] = rgba[2];
        out[1] = rgba[1];
        out[2] = rgba[0];
        out[3] = rgba[3];
    }
}

void save_tga(FileWriter& file, const ImageView& image) {
    const int channels = image.spec.channels();
    const int width = image.spec.width, height = image.spec.height;
    uint8_t header[18] = {};
    header[2] = channels == 1 ? 3 : 2;  // gray, true color
    header[12] = uint8_t(width & 255);
    header[13] = uint8_t(width >> 8);
    header[14] = uint8_t(height & 255);
    header[15] = uint8_t(height >> 8);
    header[16] = uint8_t(channels * 8);
    header[17] = uint8_t(0x20 | (channels == 4 ? 8 : 0));  // rows from the top; bits of alpha
    file.write(header, sizeof header);
    std::vector<uint8_t> packed(size_t(width) * size_t(channels));
    for (int y = 0; y < height; ++y) {
        if (channels == 1) {
            std::memcpy(packed.data(), image.row(y), packed.size());
        } else if (channels == 3) {
            pack_rgb(image.row(y), packed.data(), width, true);
        } else {
            pack_bgra(image.row(y), packed.data(), width);
        }
        if (!file.write(packed.data(), packed.size())) return;
        file.row_done(y + 1, height);
    }
}

void save_bmp(FileWriter& file, const ImageView& image) {
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
    const auto put = [&](size_t at, uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) header[at + size_t(i)] = uint8_t(value >> (8 * i));
    };
    header[0] = 'B';
    header[1] = 'M';
    put(2, data_offset + data_bytes, 4);
    put(10, data_offset, 4);
    put(14, header_bytes, 4);
    put(18, uint64_t(image.spec.width), 4);
    put(22, uint64_t(image.spec.height), 4);
    put(26, 1, 2);
    put(28, uint64_t(channels) * 8, 2);
    put(34, data_bytes, 4);
    put(38, 2835, 4);  // pixels a metre: 72 dpi
    put(42, 2835, 4);
    if (channels == 1) put(46, 256, 4);
    if (channels == 4) {
        put(30, 3, 4);  // masks follow
        const uint32_t masks[] = {0xFF0000, 0xFF00, 0xFF, 0xFF000000};
        for (size_t c = 0; c < 4; ++c) put(54 + 4 * c, masks[c], 4);
        put(70, 0x73524742, 4);  // sRGB
    }
    for (uint32_t i = 0; i < palette_bytes / 4; ++i) put(palette_offset + 4 * i, i * 0x010101u, 4);
    file.write(header.data(), header.size());

    std::vector<uint8_t> packed(stride_bytes, 0);
    for (int y = image.spec.height - 1; y >= 0; --y) {
        if (channels == 1) {
            std::memcpy(packed.data(), image.row(y), row_bytes);
        } else if (channels == 3) {
            pack_rgb(image.row(y), packed.data(), image.spec.width, true);
        } else {
            pack_bgra(image.row(y), packed.data(), image.spec.width);
        }
        if (!file.write(packed.data(), packed.size())) return;
        file.row_done(image.spec.height - y, image.spec.height);
    }
}

}  // namespace tonescope::image_io
