// Writing PNG: filters and deflate of our own up to the usual level, libspng and zlib for smaller files.
#include <libdeflate.h>
#include <spng.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "app/image_io/deflate/quick_deflate.h"
#include "app/image_io/internal.h"
#include "gpu/core/cpu_dispatch.h"

namespace tonescope::image_io {
namespace {

constexpr int kQuickLevel = 2;  // and level 1

using Encoder = std::unique_ptr<spng_ctx, void (*)(spng_ctx*)>;

spng_ihdr header_of(const ImageSpec& spec) {
    const int channels = spec.channels();
    spng_ihdr header{};
    header.width = uint32_t(spec.width);
    header.height = uint32_t(spec.height);
    header.bit_depth = uint8_t(8 * bytes_per_sample(spec.format));
    header.color_type = channels == 1   ? SPNG_COLOR_TYPE_GRAYSCALE
                        : channels == 3 ? SPNG_COLOR_TYPE_TRUECOLOR
                                        : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
    return header;
}

// Readers take 65535 for white.
constexpr uint16_t kWhite = 65535;

void save_by_spng(FileWriter& file, const ImageView& image, int level) {
    const Encoder png{spng_ctx_new(SPNG_CTX_ENCODER), spng_ctx_free};
    if (!png) throw std::bad_alloc();
    const auto check_encoder = [&](int code) {
        if (code == SPNG_OK || code == SPNG_EOI) return;
        file.finish();  // names the failed write, where that is what stopped libspng
        if (code == SPNG_EMEM) throw std::bad_alloc();
        throw UserError(spng_strerror(code));
    };
    check_encoder(spng_set_png_file(png.get(), file.stream()));
    spng_ihdr header = header_of(image.spec);
    check_encoder(spng_set_ihdr(png.get(), &header));
    check_encoder(spng_set_option(png.get(), SPNG_IMG_COMPRESSION_LEVEL, level));
    check_encoder(spng_set_option(png.get(), SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_PAETH));
    check_encoder(
        spng_encode_image(png.get(), nullptr, 0, SPNG_FMT_PNG, SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE));
    write_rows(file, image, {.channels = image.spec.channels(), .max_sample = kWhite},
               [&](std::span<const uint8_t> row) {
                   check_encoder(spng_encode_row(png.get(), row.data(), row.size()));
                   return true;
               });
}

/// A row and the one above it, both with zeros for the pixel left of the first one.
struct RowToFilter {
    const uint8_t *row, *above;
    size_t bytes, pixel_bytes;
};

/// Fills `out` with what `predict` leaves, and `sum` with the sum of that, taken as signed bytes, without their signs:
/// the usual measure of how well it can be packed.
template <class Predict>
TONESCOPE_HOT_LOOP void filter_row(const RowToFilter& in, uint8_t* out, uint32_t& sum, Predict predict) {
    // Bytes might be anything's, also these members'.
    const uint8_t *const row = in.row, *const above = in.above;
    const size_t bytes = in.bytes, pixel_bytes = in.pixel_bytes;
    uint8_t* __restrict const to = out;
    uint32_t total = 0;
    for (size_t i = 0; i < bytes; ++i) {
        const auto left = int16_t(row[i - pixel_bytes]), up = int16_t(above[i]),
                   corner = int16_t(above[i - pixel_bytes]);
        const auto rest = uint8_t(row[i] - uint8_t(predict(left, up, corner)));
        to[i] = rest;
        total += rest < 128 ? rest : uint8_t(-rest);
    }
    sum = total;
}

TONESCOPE_HOT_LOOP void filter_sub(const RowToFilter& in, uint8_t* out, uint32_t& sum) {
    filter_row(
        in, out, sum, [](int16_t left, int16_t, int16_t) __attribute__((always_inline)) { return left; });
}

TONESCOPE_HOT_LOOP void filter_up(const RowToFilter& in, uint8_t* out, uint32_t& sum) {
    filter_row(
        in, out, sum, [](int16_t, int16_t up, int16_t) __attribute__((always_inline)) { return up; });
}

TONESCOPE_HOT_LOOP void filter_average(const RowToFilter& in, uint8_t* out, uint32_t& sum) {
    filter_row(
        in, out, sum,
        [](int16_t left, int16_t up, int16_t) __attribute__((always_inline)) { return int16_t((left + up) >> 1); });
}

TONESCOPE_HOT_LOOP void filter_paeth(const RowToFilter& in, uint8_t* out, uint32_t& sum) {
    filter_row(
        in, out, sum, [](int16_t left, int16_t up, int16_t corner) __attribute__((always_inline)) {
            const auto d_left = int16_t(up - corner), d_up = int16_t(left - corner), d_corner = int16_t(d_left + d_up);
            const auto to_left = std::max(d_left, int16_t(-d_left)), to_up = std::max(d_up, int16_t(-d_up)),
                       to_corner = std::max(d_corner, int16_t(-d_corner));
            const int16_t nearer = to_up <= to_corner ? up : corner;
            return to_left <= std::min(to_up, to_corner) ? left : nearer;
        });
}

/// Chooses a filter for each row.
class RowFilter {
  public:
    RowFilter(size_t row_bytes, size_t pixel_bytes) : row_bytes_(row_bytes), pixel_bytes_(pixel_bytes) {
        for (auto& row : rows_) row.resize(pixel_bytes + row_bytes);
        for (auto& row : filtered_) row.resize(1 + row_bytes);
    }

    /// With its filter's number in front.
    std::span<const uint8_t> filter(std::span<const uint8_t> row) {
        std::copy(row.begin(), row.end(), rows_[0].begin() + ptrdiff_t(pixel_bytes_));
        const RowToFilter in{&rows_[0][pixel_bytes_], &rows_[1][pixel_bytes_], row_bytes_, pixel_bytes_};
        std::array<uint32_t, 4> sums{};
        run_hot<filter_sub>(in, &filtered_[0][1], sums[0]);
        run_hot<filter_up>(in, &filtered_[1][1], sums[1]);
        run_hot<filter_average>(in, &filtered_[2][1], sums[2]);
        run_hot<filter_paeth>(in, &filtered_[3][1], sums[3]);
        const auto best = size_t(std::ranges::min_element(sums) - sums.begin());
        filtered_[best][0] = uint8_t(best + 1);
        std::swap(rows_[0], rows_[1]);
        return filtered_[best];
    }

  private:
    const size_t row_bytes_, pixel_bytes_;
    std::array<std::vector<uint8_t>, 2> rows_;      // this one and the one above
    std::array<std::vector<uint8_t>, 4> filtered_;  // by sub, up, average, Paeth
};

void put_big_endian(uint8_t* to, uint32_t value) {
    for (int i = 0; i < 4; ++i) to[i] = uint8_t(value >> (24 - 8 * i));
}

/// A failed write shows at last, in FileWriter::finish().
void write_chunk(FileWriter& file, const char (&type)[5], std::span<const uint8_t> data) {
    uint8_t head[8], tail[4];
    put_big_endian(head, uint32_t(data.size()));
    std::copy_n(type, 4, head + 4);
    uint32_t checksum = libdeflate_crc32(0, head + 4, 4);
    if (!data.empty()) checksum = libdeflate_crc32(checksum, data.data(), data.size());
    put_big_endian(tail, checksum);
    file.write(head, sizeof head);
    file.write(data.data(), data.size());
    file.write(tail, sizeof tail);
}

void save_quickly(FileWriter& file, const ImageView& image) {
    constexpr uint8_t kSignature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    file.write(kSignature, sizeof kSignature);
    const spng_ihdr header = header_of(image.spec);
    uint8_t fields[13] = {};
    put_big_endian(fields, header.width);
    put_big_endian(fields + 4, header.height);
    fields[8] = header.bit_depth;
    fields[9] = header.color_type;
    write_chunk(file, "IHDR", fields);

    const auto pixel_bytes = size_t(image.spec.channels() * bytes_per_sample(image.spec.format));
    RowFilter filter(size_t(image.spec.width) * pixel_bytes, pixel_bytes);
    QuickDeflate deflate([&](std::span<const uint8_t> part) { write_chunk(file, "IDAT", part); });
    const RowLayout layout{.channels = image.spec.channels(), .big_endian = true, .max_sample = kWhite};
    write_rows(file, image, layout, [&](std::span<const uint8_t> row) {
        deflate.add(filter.filter(row));
        return true;
    });
    deflate.finish();
    write_chunk(file, "IEND", {});
}

}  // namespace

std::span<const ParamInfo> deflate_options() {
    static constexpr ParamInfo table[] = {{.id = "compression",
                                           .label = "Compression",
                                           .help = "Time spent on a smaller file; the pixels stay as they are",
                                           .offset = offsetof(DeflateOptions, compression),
                                           .min = 0,
                                           .max = 9,
                                           .default_value = kQuickLevel}};
    return table;
}

void save_png(FileWriter& file, const ImageView& image, const ParamBlock& options) {
    const int level = options.as<DeflateOptions>().compression;
    if (level == 0 || level > kQuickLevel) return save_by_spng(file, image, level);
    save_quickly(file, image);
}

}  // namespace tonescope::image_io
