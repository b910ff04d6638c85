// PNM: a strict reader of P1 to P6 with any maxval, and the writer of P5 and P6.
#include <bit>
#include <cstring>

#include "app/image_io/formats/netpbm.h"

namespace tonescope::image_io {
namespace {

/// The next character outside raster data: a comment reads as the end of its line.
int next_character(FileReader& file) {
    int c = file.get();
    if (c == '#') {
        while (c != '\n' && c != '\r' && c != -1) c = file.get();
    }
    return c;
}

int skip_space(FileReader& file) {
    int c = next_character(file);
    while (is_netpbm_space(c)) c = next_character(file);
    return c;
}

/// An unsigned number and the one character after it, which has to be white space (or, if `may_end`, the end of the
/// file).
uint32_t read_number(FileReader& file, const char* what, bool may_end) {
    int c = skip_space(file);
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
    if (digits == 0 || (c != -1 && !is_netpbm_space(c))) refuse_damaged(std::string(what) + " is not a number");
    return uint32_t(value);
}

[[noreturn]] void refuse_sample(uint32_t sample, uint32_t max) {
    refuse_damaged("a sample is " + std::to_string(sample) + ", its maxval is " + std::to_string(max));
}

/// Samples below 256 of all values to 8 bits.
std::array<uint8_t, 256> narrow_table(uint32_t max) {
    std::array<uint8_t, 256> table{};
    for (uint32_t v = 0; v <= std::min(max, 255u); ++v) table[v] = to_8_bit(v, max);
    return table;
}

LoadedImage make_image(const NetpbmHeader& header, int max_side_px) {
    const uint64_t pixel_bytes = (header.channels == 1 ? 1 : 4) * (header.max > 255 ? 2 : 1);
    check_decoding(max_side_px, uint64_t{header.width} * header.height * pixel_bytes);
    return make_loaded(header.width, header.height, header.channels, std::bit_width(header.max),
                       int(std::max(header.max, 255u)));
}

/// Rows of text: `next` reads a sample.
template <class Sample>
void read_text(FileReader& file, const NetpbmHeader& header, HostImage& image,
               const std::function<uint32_t(bool may_end)>& next) {
    const auto table = narrow_table(header.max);
    std::vector<Sample> row(header.samples_in_row());
    for (int y = 0; y < image.height(); ++y) {
        file.check();
        for (size_t i = 0; i < row.size(); ++i) {
            const uint32_t sample = next(y == image.height() - 1 && i == row.size() - 1);
            if (sample > header.max) refuse_sample(sample, header.max);
            row[i] = Sample(header.max > 255 ? sample : table[sample]);
        }
        put_row(row.data(), header.channels, Sample(std::max(header.max, 255u)),
                reinterpret_cast<Sample*>(image.mutable_view().row(y)), header.width);
    }
}

/// P4: eight pixels a byte; 1 is black.
void read_bits(FileReader& file, HostImage& image) {
    std::vector<uint8_t> packed((size_t(image.width()) + 7) / 8);
    for (int y = 0; y < image.height(); ++y) {
        file.read_whole(packed);
        uint8_t* const row = image.mutable_view().row(y);
        for (int x = 0; x < image.width(); ++x) row[x] = (packed[size_t(x) / 8] >> (7 - x % 8) & 1) != 0 ? 0 : 255;
    }
}

}  // namespace

bool recognizes_pnm(std::string_view head) {
    // 'P' and a digit may also begin a text.
    return head.size() > 3 && head[0] == 'P' && head[1] >= '1' && head[1] <= '6' &&
           (is_netpbm_space(head[2]) || head[2] == '#');
}

void check_netpbm(const FileReader& file, const NetpbmHeader& header, uint64_t raster_bytes) {
    if (header.max < 1 || header.max > 65535)
        refuse_damaged("its maxval is " + std::to_string(header.max) + ", allowed are 1 to 65535");
    if (file.left_bytes() >= raster_bytes) return;
    refuse_damaged("its pixels need at least " + std::to_string(raster_bytes) + " bytes, " +
                   std::to_string(file.left_bytes()) + " are there");
}

LoadedImage read_netpbm_raster(FileReader& file, const NetpbmHeader& header, int max_side_px) {
    const size_t sample_bytes = header.max > 255 ? 2 : 1;
    check_netpbm(file, header, uint64_t{header.samples_in_row()} * header.height * sample_bytes);
    LoadedImage loaded = make_image(header, max_side_px);
    const auto table = narrow_table(header.max);
    const bool as_it_is = header.channels == 1 || header.channels == 4;
    std::vector<uint16_t> samples(header.samples_in_row());
    const std::span<uint8_t> bytes(reinterpret_cast<uint8_t*>(samples.data()), samples.size() * sample_bytes);
    for (int y = 0; y < loaded.image.height(); ++y) {
        uint8_t* const row = loaded.image.mutable_view().row(y);
        if (header.max == 255 && as_it_is) {
            file.read_whole({row, bytes.size()});
            continue;
        }
        file.read_whole(bytes);
        for (size_t i = 0; header.max != 255 && i < samples.size(); ++i) {
            const uint32_t sample = sample_bytes == 2 ? big_endian<2>(&bytes[2 * i]) : bytes[i];
            if (sample > header.max) refuse_sample(sample, header.max);
            if (sample_bytes == 2) {
                samples[i] = uint16_t(sample);
            } else {
                bytes[i] = table[sample];
            }
        }
        if (sample_bytes == 2) {
            put_row(samples.data(), header.channels, uint16_t(header.max), reinterpret_cast<uint16_t*>(row),
                    header.width);
        } else {
            put_row<uint8_t>(bytes.data(), header.channels, 255, row, header.width);
        }
    }
    return loaded;
}

LoadedImage load_pnm(FileReader& file, const LoadRequest& request) {
    file.get();  // 'P', known to the caller
    const int kind = file.get() - '0';
    const bool is_text = kind <= 3, is_bitmap = kind == 1 || kind == 4;
    NetpbmHeader header{.channels = kind == 3 || kind == 6 ? 3 : 1};
    header.width = read_number(file, "its width", false);
    header.height = read_number(file, "its height", false);
    check_size(header.width, header.height);
    header.max = is_bitmap ? 1 : read_number(file, "its maxval", false);
    const uint64_t samples = uint64_t{header.samples_in_row()} * header.height;
    LoadedImage loaded;
    if (kind == 4) {
        check_netpbm(file, header, (uint64_t{header.width} + 7) / 8 * header.height);
        loaded = make_image(header, request.max_side_px);
        read_bits(file, loaded.image);
    } else if (is_text) {
        // A sample is at least a digit, and white space stands between two of them, except in a bitmap, where 1 is
        // black.
        check_netpbm(file, header, is_bitmap ? samples : 2 * samples - 1);
        loaded = make_image(header, request.max_side_px);
        const auto next = [&](bool may_end) {
            if (!is_bitmap) return read_number(file, "a sample", may_end);
            const int c = skip_space(file);
            if (c == '0' || c == '1') return uint32_t('1' - c);
            file.check();
            refuse_damaged(c == -1 ? "it ends too early" : "a sample is neither 0 nor 1");
        };
        (header.max > 255 ? read_text<uint16_t> : read_text<uint8_t>)(file, header, loaded.image, next);
    } else {
        loaded = read_netpbm_raster(file, header, request.max_side_px);
    }
    loaded.details.format = "PNM (P" + std::to_string(kind) + ")";
    return loaded;
}

void save_pnm(FileWriter& file, const ImageView& image, const ParamBlock&) {
    const bool gray = is_gray(image.spec.format);
    const std::string header = std::string(gray ? "P5\n" : "P6\n") + std::to_string(image.spec.width) + " " +
                               std::to_string(image.spec.height) + "\n" + std::to_string(image.spec.max_sample) + "\n";
    file.write(header.data(), header.size());
    write_rows(file, image, {.channels = gray ? 1 : 3, .big_endian = true});
}

}  // namespace tonescope::image_io
