// PNG: plain files at once, everything else through libspng, row by row.
#include <spng.h>

#include <cstring>
#include <memory>
#include <new>
#include <optional>

#include "app/image_io/png.h"

namespace tonescope::image_io {
namespace {

// A compressed text or profile may unpack to any size; image data is not counted here.
constexpr size_t kChunk_bytes = size_t{1} << 26;
// Of all levels and filters the best in speed for its size on photographs: half the time of level 4, files an eighth
// larger.
constexpr int kPngLevel = 2;
constexpr int kPngFilters = SPNG_FILTER_CHOICE_PAETH;

using Context = std::unique_ptr<spng_ctx, void (*)(spng_ctx*)>;

Context make_context(int flags) {
    Context context{spng_ctx_new(flags), spng_ctx_free};
    if (!context) throw std::bad_alloc();
    return context;
}

void check(const FileReader& file, int code) {
    if (code == SPNG_OK || code == SPNG_EOI) return;
    file.check();
    if (code == SPNG_EMEM) throw std::bad_alloc();
    if (code == SPNG_IO_EOF) refuse_damaged("it ends too early");
    refuse_damaged(spng_strerror(code));
}

/// How samples come out of libspng.
struct Layout {
    int format = SPNG_FMT_RGBA8;
    int flags = 0;
    bool deep = false;  // 16-bit samples in a row buffer; otherwise straight into the image
    ImageSpec spec;
    int file_channels = 0;
};

Layout layout_of(const spng_ihdr& header, bool has_transparency) {
    const bool gray = header.color_type == SPNG_COLOR_TYPE_GRAYSCALE && !has_transparency;
    const bool alpha = header.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ||
                       header.color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA || has_transparency;
    Layout layout;
    layout.deep = header.bit_depth == 16;
    // libspng widens 1, 2 and 4 bits by repeating them, which is exactly the definition: 255 / max is whole.
    layout.format = gray ? (layout.deep ? SPNG_FMT_PNG : SPNG_FMT_G8) : layout.deep ? SPNG_FMT_RGBA16 : SPNG_FMT_RGBA8;
    layout.flags = SPNG_DECODE_PROGRESSIVE | (has_transparency ? SPNG_DECODE_TRNS : 0);
    layout.spec = {int(header.width), int(header.height), gray ? PixelFormat::gray8 : PixelFormat::rgba8, alpha};
    const bool gray_type = (header.color_type & SPNG_COLOR_TYPE_TRUECOLOR) == 0;
    layout.file_channels = (gray_type ? 1 : 3) + (alpha ? 1 : 0);
    return layout;
}

/// The bytes that zlib makes at least of the raw rows: it packs no better than 1 to 1032.
uint64_t least_bytes(const spng_ihdr& header) {
    static constexpr int kSamples[] = {1, 0, 3, 1, 2, 0, 4};
    const uint64_t bits = uint64_t(header.width) * header.bit_depth * uint64_t(kSamples[header.color_type]);
    return (bits + 7) / 8 * header.height / 1032;
}

/// The columns that a row of this pass of an interlaced image brings.
struct Columns {
    int first = 0, step = 1;
};
constexpr Columns kAdam7[7] = {{0, 8}, {4, 8}, {0, 4}, {2, 4}, {0, 2}, {1, 2}, {0, 1}};

void narrow(const uint16_t* in, uint8_t* out, int width, int channels, Columns columns) {
    for (int x = columns.first; x < width; x += columns.step)
        for (int i = x * channels; i < (x + 1) * channels; ++i) out[i] = to_8_bit(in[i], 65535);
}

/// The samples of a pixel where read_plain_png() may read the file, else 0.
int plain_samples(const spng_ihdr& header, bool has_transparency) {
    if (header.bit_depth != 8 || header.interlace_method != SPNG_INTERLACE_NONE || has_transparency) return 0;
    switch (header.color_type) {
        case SPNG_COLOR_TYPE_GRAYSCALE:
            return 1;
        case SPNG_COLOR_TYPE_TRUECOLOR:
            return 3;
        case SPNG_COLOR_TYPE_TRUECOLOR_ALPHA:
            return 4;
        default:
            return 0;
    }
}

void read_rows(FileReader& file, spng_ctx* png, const spng_ihdr& header, const Layout& layout, HostImage& image) {
    const int channels = bytes_per_pixel(layout.spec.format);
    std::vector<uint16_t> deep_row(layout.deep ? size_t(header.width) * size_t(channels) : 0);
    int code = SPNG_OK;
    for (int64_t n = 0; code != SPNG_EOI; ++n) {
        if (n % kRowsPerCheck == 0) file.check();
        spng_row_info info{};
        check(file, spng_get_row_info(png, &info));
        uint8_t* row = image.mutable_view().row(int(info.row_num));
        if (layout.deep) {
            code = spng_decode_row(png, deep_row.data(), deep_row.size() * 2);
            check(file, code);
            narrow(deep_row.data(), row, image.width(), channels,
                   header.interlace_method ? kAdam7[info.pass] : Columns{});
        } else {
            code = spng_decode_row(png, row, layout.spec.row_bytes());
            check(file, code);
        }
    }
}

/// IHDR's sides, before libspng judges them with words of its own.
void check_sides(FileReader& file) {
    uint8_t head[24] = {};
    if (file.read_at(0, head) < sizeof head || std::memcmp(head + 12, "IHDR", 4) != 0) return;
    const auto side = [&](int i) {
        return int64_t{head[i]} << 24 | int64_t{head[i + 1]} << 16 | int64_t{head[i + 2]} << 8 | head[i + 3];
    };
    check_size(side(16), side(20));
}

/// What libspng reads from. It ignores a failed read of the last checksum, so short reads are kept in mind.
struct Source {
    FileReader& file;
    bool past_end = false;
};

int read_source(spng_ctx*, void* user, void* to, size_t bytes) {
    auto& source = *static_cast<Source*>(user);
    if (source.file.read(to, bytes) == bytes) return SPNG_OK;
    source.past_end = true;
    return SPNG_IO_EOF;
}

}  // namespace

LoadedImage load_png(FileReader& file, int) {
    check_sides(file);
    const Context png = make_context(0);
    spng_set_chunk_limits(png.get(), kChunk_bytes, 2 * kChunk_bytes);
    Source source{file};
    check(file, spng_set_png_stream(png.get(), read_source, &source));
    spng_ihdr header{};
    check(file, spng_get_ihdr(png.get(), &header));
    check_bytes(file, least_bytes(header));

    spng_trns transparency{};
    const int trns = spng_get_trns(png.get(), &transparency);
    if (trns != SPNG_ECHUNKAVAIL) check(file, trns);
    const Layout layout = layout_of(header, trns == SPNG_OK);

    HostImage image(layout.spec);
    prefer_large_pages(image.data(), image.size_bytes());
    const int samples = plain_samples(header, trns == SPNG_OK);
    if (samples == 0 || !read_plain_png(file, samples, image.mutable_view())) {
        check(file, spng_decode_image(png.get(), nullptr, 0, layout.format, layout.flags));
        read_rows(file, png.get(), header, layout, image);
        check(file, spng_decode_chunks(png.get()));
        if (source.past_end) check(file, SPNG_IO_EOF);
    }

    LoadedImage loaded;
    loaded.details.file_channels = layout.file_channels;
    loaded.details.bits_per_channel = header.color_type == SPNG_COLOR_TYPE_INDEXED ? 8 : header.bit_depth;
    loaded.details.reduced_to_8_bit = layout.deep;
    spng_exif block{};
    if (spng_get_exif(png.get(), &block) == SPNG_OK) {
        Exif exif = parse_exif({reinterpret_cast<const uint8_t*>(block.data), block.length});
        loaded.details.orientation = exif.orientation;
        loaded.details.exif = std::move(exif.entries);
    }
    loaded.image = apply_orientation(std::move(image), loaded.details.orientation);
    return loaded;
}

void save_png(FileWriter& file, const ImageView& image) {
    const Context png = make_context(SPNG_CTX_ENCODER);
    const auto check_encoder = [&](int code) {
        if (code == SPNG_OK || code == SPNG_EOI) return;
        file.finish();  // names the failed write, where that is what stopped libspng
        if (code == SPNG_EMEM) throw std::bad_alloc();
        throw UserError(spng_strerror(code));
    };
    const auto write = [](spng_ctx*, void* user, void* from, size_t bytes) -> int {
        return static_cast<FileWriter*>(user)->write(from, bytes) ? SPNG_OK : SPNG_IO_ERROR;
    };
    check_encoder(spng_set_png_stream(png.get(), write, &file));

    const int channels = image.spec.channels();
    spng_ihdr header{};
    header.width = uint32_t(image.spec.width);
    header.height = uint32_t(image.spec.height);
    header.bit_depth = 8;
    header.color_type = channels == 1   ? SPNG_COLOR_TYPE_GRAYSCALE
                        : channels == 3 ? SPNG_COLOR_TYPE_TRUECOLOR
                                        : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
    check_encoder(spng_set_ihdr(png.get(), &header));
    check_encoder(spng_set_option(png.get(), SPNG_IMG_COMPRESSION_LEVEL, kPngLevel));
    check_encoder(spng_set_option(png.get(), SPNG_FILTER_CHOICE, kPngFilters));
    check_encoder(
        spng_encode_image(png.get(), nullptr, 0, SPNG_FMT_PNG, SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE));
    RowPacker packer(image, channels, RowPacker::Order::rgb);
    for (int y = 0; y < image.spec.height; ++y) {
        const std::span<const uint8_t> row = packer.row(y);
        check_encoder(spng_encode_row(png.get(), row.data(), row.size()));
        file.row_done(y + 1, image.spec.height);
    }
}

}  // namespace tonescope::image_io
