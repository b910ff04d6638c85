// PNM: a strict reader of P2, P5 and P6 with any maxval, and the writer.
#include <bit>
#include <cstring>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

bool is_space(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// The next character outside raster data: a comment reads as the end of its line.
int next_character(FileReader& file) {
    int c = file.get();
    if (c == '#') {
        while (c != '\n' && c != '\r' && c != -1) c = file.get();
    }
    return c;
}

/// An unsigned number and the one character after it, which has to be white space (or, if `may_end`, the end of the
/// file).
uint32_t read_number(FileReader& file, const char* what, bool may_end) {
    int c = next_character(file);
    while (is_space(c)) c = next_character(file);
    uint64_t value = 0;
    int digits = 0;
    for (; c >= '0' && c <= '9'; ++digits, c = next_character(file)) {
        value = value * 10 + uint64_t(c - '0');
        if (value > UINT32_MAX) refuse_damaged(std::string(what) + " is too large a number");
    }
    if (c == -1 && !(may_end && digits > 0)) {
        file.check();
        refuse_damaged("it ends too early");
    }
    if (digits == 0 || (c != -1 && !is_space(c))) refuse_damaged(std::string(what) + " is not a number");
    return uint32_t(value);
}

struct PnmHeader {
    int kind = 0;  // 2, 5 or 6
    uint32_t width = 0, height = 0, max = 0;

    int channels() const { return kind == 6 ? 3 : 1; }
    size_t samples_in_row() const { return size_t(width) * size_t(channels()); }
    size_t bytes_per_sample() const { return max > 255 ? 2 : 1; }
};

PnmHeader read_pnm_header(FileReader& file) {
    file.get();  // 'P', known to the caller
    PnmHeader header;
    header.kind = file.get() - '0';
    if (header.kind != 2 && header.kind != 5 && header.kind != 6) {
        throw UserError("PNM of kind P" + std::to_string(header.kind) + " is not supported; P2, P5 and P6 are");
    }
    header.width = read_number(file, "its width", false);
    header.height = read_number(file, "its height", false);
    check_size(header.width, header.height);
    header.max = read_number(file, "its maxval", false);
    if (header.max < 1 || header.max > 65535) {
        refuse_damaged("its maxval is " + std::to_string(header.max) + ", allowed are 1 to 65535");
    }
    const uint64_t samples = uint64_t(header.samples_in_row()) * header.height;
    // A sample in text is at least a digit, and white space stands between two of them.
    const uint64_t raster_bytes = header.kind == 2 ? 2 * samples - 1 : samples * header.bytes_per_sample();
    if (file.left_bytes() < raster_bytes) {
        refuse_damaged("its pixels need at least " + std::to_string(raster_bytes) + " bytes, " +
                       std::to_string(file.left_bytes()) + " are there");
    }
    return header;
}

[[noreturn]] void refuse_sample(uint32_t sample, uint32_t max) {
    refuse_damaged("a sample is " + std::to_string(sample) + ", its maxval is " + std::to_string(max));
}

/// Samples as they are in the file, big-endian, to 8 bits.
void narrow(const uint8_t* in, uint8_t* out, size_t count, const PnmHeader& header, const std::vector<uint8_t>& table) {
    for (size_t i = 0; i < count; ++i) {
        const uint32_t sample = header.max > 255 ? uint32_t(in[2 * i]) << 8 | in[2 * i + 1] : in[i];
        if (sample > header.max) refuse_sample(sample, header.max);
        out[i] = table[sample];
    }
}

void widen_to_rgba(const uint8_t* rgb, uint8_t* rgba, size_t width) {
    for (size_t x = 0; x < width; ++x) {
        std::memcpy(rgba + 4 * x, rgb + 3 * x, 3);
        rgba[4 * x + 3] = 255;
    }
}

void read_binary(FileReader& file, const PnmHeader& header, const std::vector<uint8_t>& table, HostImage& image) {
    const bool gray = header.channels() == 1;
    std::vector<uint8_t> raw(header.samples_in_row() * header.bytes_per_sample()), narrowed(header.samples_in_row());
    for (int y = 0; y < image.height(); ++y) {
        uint8_t* row = image.mutable_view().row(y);
        if (header.max == 255) {
            file.read_whole(gray ? std::span(row, raw.size()) : std::span(raw));
        } else {
            file.read_whole(raw);
            narrow(raw.data(), gray ? row : narrowed.data(), narrowed.size(), header, table);
        }
        if (!gray) widen_to_rgba(header.max == 255 ? raw.data() : narrowed.data(), row, header.width);
    }
}

void read_text(FileReader& file, const PnmHeader& header, const std::vector<uint8_t>& table, HostImage& image) {
    for (int y = 0; y < image.height(); ++y) {
        file.check();
        uint8_t* row = image.mutable_view().row(y);
        for (int x = 0; x < image.width(); ++x) {
            const bool last = y == image.height() - 1 && x == image.width() - 1;
            const uint32_t sample = read_number(file, "a sample", last);
            if (sample > header.max) refuse_sample(sample, header.max);
            row[x] = table[sample];
        }
    }
}

}  // namespace

bool recognizes_pnm(std::string_view head) {
    // 'P' and a digit may also begin a text.
    return head.size() > 3 && head[0] == 'P' && head[1] >= '1' && head[1] <= '7' &&
           (is_space(head[2]) || head[2] == '#');
}

LoadedImage load_pnm(FileReader& file, int max_side_px) {
    const PnmHeader header = read_pnm_header(file);
    check_decoding(max_side_px, uint64_t{header.width} * header.height * (header.channels() == 1 ? 1 : 4));
    LoadedImage loaded = make_loaded(header.width, header.height, header.channels(), std::bit_width(header.max));
    loaded.details.format = "PNM (P" + std::to_string(header.kind) + ")";
    std::vector<uint8_t> table(header.max + 1);
    for (uint32_t v = 0; v <= header.max; ++v) table[v] = to_8_bit(v, header.max);
    if (header.kind == 2) {
        read_text(file, header, table, loaded.image);
    } else {
        read_binary(file, header, table, loaded.image);
    }
    return loaded;
}

void save_pnm(FileWriter& file, const ImageView& image, const ParamBlock&) {
    const bool gray = image.spec.format == PixelFormat::gray8;
    const std::string header = std::string(gray ? "P5\n" : "P6\n") + std::to_string(image.spec.width) + " " +
                               std::to_string(image.spec.height) + "\n255\n";
    file.write(header.data(), header.size());
    write_rows(file, image, {.channels = gray ? 1 : 3});
}

}  // namespace tonescope::image_io
