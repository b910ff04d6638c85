// TIFF through libtiff: one page, whose samples are converted here; rare color spaces are left to libtiff.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "app/image_io/formats/tiff_handle.h"
#include "app/image_io/formats/tiff_samples.h"
#include "app/image_io/internal.h"
#include "gpu/core/free_memory.h"

namespace tonescope::image_io {
namespace {

/// The file as libtiff reads it.
struct TiffInput {
    FileReader& file;
    uint64_t position = 0;

    tmsize_t read(void* to, tmsize_t bytes) {
        const size_t got = file.read_at(position, {static_cast<uint8_t*>(to), size_t(bytes)});
        position += got;
        return tmsize_t(got);
    }
    tmsize_t write(void*, tmsize_t) { return -1; }
    toff_t seek(toff_t offset, int whence) {
        return position = offset + (whence == SEEK_CUR ? position : whence == SEEK_END ? file.size_bytes() : 0);
    }
    toff_t size() const { return file.size_bytes(); }
};

[[noreturn]] void refuse_unknown(const std::string& why) {
    throw UserError("this kind of TIFF is not supported (" + why + "); save it as PNG");
}

[[noreturn]] void refuse_tiff(const FileReader& file, const TiffErrors& errors) {
    file.check();
    if (errors.lacks_memory() || errors.is_beyond_memory()) throw std::bad_alloc();
    const std::string line = errors.line("its data are wrong");
    if (line.starts_with("Unsupported")) refuse_unknown(line);  // as libjpeg says of samples of 12 bits
    refuse_damaged(line);
}

[[noreturn]] void refuse_kind(const std::string& kind) {
    throw UserError("TIFF with " + kind + " is not supported; save it as PNG");
}

uint16_t short_field(TIFF* tiff, uint32_t tag) {
    uint16_t value = 0;
    TIFFGetFieldDefaulted(tiff, tag, &value);
    return value;
}

using PaletteColor = std::array<uint8_t, 4>;

struct TiffLayout {
    uint32_t width = 0, height = 0;
    int channels = 1;             // in the file
    int colors = 1;               // of them: 1 or 3; they come first
    int alpha = -1;               // the channel
    std::vector<int> used = {0};  // channels that reach the image; all of a few
    bool is_premultiplied = false;
    bool in_planes = false, in_tiles = false;
    bool is_inverted = false;         // the least sample is white
    bool is_left_to_libtiff = false;  // which makes RGBA of 8 bits of it
    int bits = 8;
    int max_sample = 255, possible_max = 255;  // as the file says, and as its bits allow
    TiffSamples samples;
    std::vector<PaletteColor> palette;  // of an image whose samples are indices

    int image_channels() const { return (palette.empty() && !is_left_to_libtiff ? colors : 3) + (alpha >= 0 ? 1 : 0); }
    /// Samples of a pixel that stand side by side, once those that are not used have been left out.
    int channels_in_row() const { return in_planes ? 1 : int(used.size()); }
    /// Where alpha is among them.
    int alpha_in_row() const { return int(std::ranges::find(used, alpha) - used.begin()); }
};

/// Of those that libtiff has no name for.
const char* name_of_compression(uint16_t compression) {
    switch (compression) {
        case 33003:
        case 33004:
        case 33005:
        case COMPRESSION_JP2000:
            return "JPEG 2000";
        case 22610:
        case 34934:
            return "JPEG XR";
        case 34892:
            return "lossy JPEG of DNG";
        case 34933:
            return "PNG";
        case 50002:
        case 52546:
            return "JPEG XL";
        default:
            return "";
    }
}

/// PREDICTOR of the page as the file has it: libtiff leaves the field out where the compression's codec does not know
/// it.
uint64_t stated_predictor(FileReader& file, TIFF* tiff) {
    const bool has_wide_offsets = TIFFIsBigTIFF(tiff) != 0, is_big_endian = TIFFIsBigEndian(tiff) != 0;
    const auto number = [&](const uint8_t* from, size_t bytes) {
        uint64_t value = 0;
        for (size_t i = 0; i < bytes; ++i) value |= uint64_t{from[is_big_endian ? bytes - 1 - i : i]} << (8 * i);
        return value;
    };
    const size_t count_bytes = has_wide_offsets ? 8 : 2, entry_bytes = has_wide_offsets ? 20 : 12;
    uint8_t bytes[20] = {};
    uint64_t position = TIFFCurrentDirOffset(tiff);
    if (file.read_at(position, {bytes, count_bytes}) < count_bytes) return PREDICTOR_NONE;
    position += count_bytes;
    for (uint64_t left = number(bytes, count_bytes); left > 0; --left, position += entry_bytes) {
        if (file.read_at(position, {bytes, entry_bytes}) < entry_bytes) break;
        if (number(bytes, 2) == TIFFTAG_PREDICTOR)
            return number(bytes + entry_bytes - (has_wide_offsets ? 8 : 4), number(bytes + 2, 2) == TIFF_LONG ? 4 : 2);
    }
    return PREDICTOR_NONE;
}

void check_compression(FileReader& file, TIFF* tiff) {
    const uint16_t compression = short_field(tiff, TIFFTAG_COMPRESSION);
    const TIFFCodec* const codec = TIFFFindCODEC(compression);
    if (TIFFIsCODECConfigured(compression) != 0) {
        // Else the differences would be taken for samples.
        uint16_t known = PREDICTOR_NONE;
        if (TIFFGetField(tiff, TIFFTAG_PREDICTOR, &known) == 0 && stated_predictor(file, tiff) != PREDICTOR_NONE)
            refuse_kind("a predictor under compression " +
                        (codec == nullptr ? std::to_string(compression) : clean_text(codec->name)));
        return;
    }
    if (codec != nullptr) refuse_kind("compression " + clean_text(codec->name));
    const std::string name = name_of_compression(compression);
    refuse_kind("compression " + std::to_string(compression) + (name.empty() ? "" : " (" + name + ")"));
}

TiffSamples find_samples(TIFF* tiff, int bits) {
    const uint16_t format = short_field(tiff, TIFFTAG_SAMPLEFORMAT);
    const bool is_float = format == SAMPLEFORMAT_IEEEFP;
    if (format > SAMPLEFORMAT_VOID) refuse_kind("complex numbers");
    if (bits < 1 || (is_float ? bits != 16 && bits != 32 && bits != 64 : bits > 32 && bits != 64))
        refuse_kind(std::to_string(bits) + " bits a sample");
    return {is_float                     ? TiffKind::floating_point
            : format == SAMPLEFORMAT_INT ? TiffKind::signed_integer
                                         : TiffKind::unsigned_integer,
            bits};
}

/// Which channel is alpha. Where the file does not say what a second or fourth channel is, it is taken for that.
void find_alpha(TIFF* tiff, TiffLayout& layout) {
    uint16_t count = 0;
    const uint16_t* kinds = nullptr;
    const bool told = TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) != 0 && count > 0;
    if (!told && layout.channels == layout.colors + 1) layout.alpha = layout.colors;
    if (layout.colors + count > layout.channels) return;
    for (int i = 0; told && i < count && layout.alpha < 0; ++i) {
        if (kinds[i] != EXTRASAMPLE_ASSOCALPHA && kinds[i] != EXTRASAMPLE_UNASSALPHA) continue;
        layout.alpha = layout.channels - count + i;
        layout.is_premultiplied = kinds[i] == EXTRASAMPLE_ASSOCALPHA;
    }
}

void read_palette(TIFF* tiff, TiffLayout& layout) {
    uint16_t* colors[3] = {};
    if (TIFFGetField(tiff, TIFFTAG_COLORMAP, &colors[0], &colors[1], &colors[2]) == 0)
        refuse_damaged("it has no color map");
    const size_t count = size_t{1} << layout.bits;
    // Some programs write 8 bits where the definition wants 16.
    const bool is_narrow = std::ranges::all_of(
        colors, [&](const uint16_t* map) { return std::all_of(map, map + count, [](int v) { return v < 256; }); });
    layout.palette.resize(count);
    for (size_t i = 0; i < count; ++i) {
        for (size_t c = 0; c < 3; ++c) layout.palette[i][c] = uint8_t(is_narrow ? colors[c][i] : colors[c][i] >> 8);
        layout.palette[i][3] = 255;
    }
}

TiffLayout read_layout(FileReader& file, TIFF* tiff) {
    TiffLayout layout;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &layout.width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &layout.height);
    check_size(layout.width, layout.height);
    check_compression(file, tiff);
    layout.channels = short_field(tiff, TIFFTAG_SAMPLESPERPIXEL);
    layout.bits = short_field(tiff, TIFFTAG_BITSPERSAMPLE);
    layout.in_planes = layout.channels > 1 && short_field(tiff, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
    layout.in_tiles = TIFFIsTiled(tiff) != 0;

    const uint16_t compression = short_field(tiff, TIFFTAG_COMPRESSION);
    const bool is_fax = compression == COMPRESSION_CCITTRLE || compression == COMPRESSION_CCITTRLEW ||
                        compression == COMPRESSION_CCITTFAX3 || compression == COMPRESSION_CCITTFAX4;
    uint16_t photometric = 0;
    if (TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric) == 0)
        photometric = layout.channels >= 3 ? PHOTOMETRIC_RGB : is_fax ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK;
    if (photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG && !layout.in_planes) {
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        photometric = PHOTOMETRIC_RGB;
    }
    layout.is_left_to_libtiff = compression == COMPRESSION_JBIG;  // which unpacks no single rows
    if (layout.is_left_to_libtiff) return layout;
    switch (photometric) {
        case PHOTOMETRIC_MINISWHITE:
            layout.is_inverted = true;
            break;
        case PHOTOMETRIC_MINISBLACK:
        case PHOTOMETRIC_MASK:
            break;
        case PHOTOMETRIC_RGB:
            layout.colors = 3;
            if (layout.channels < 3) refuse_damaged("it has colors without three channels");
            break;
        case PHOTOMETRIC_PALETTE:
            if (layout.bits > 16) refuse_kind("a palette of " + std::to_string(layout.bits) + " bits");
            read_palette(tiff, layout);
            break;
        default:
            layout.is_left_to_libtiff = true;
            return layout;
    }
    layout.samples = find_samples(tiff, layout.bits);
    if (!layout.palette.empty()) {
        layout.bits = 8;  // of what the indices mean
        return layout;
    }
    find_alpha(tiff, layout);
    constexpr int kFewChannels = 4;
    const bool takes_all = layout.channels <= kFewChannels;
    layout.used.resize(size_t(takes_all ? layout.channels : layout.colors));
    std::iota(layout.used.begin(), layout.used.end(), 0);
    if (!takes_all && layout.alpha >= 0) layout.used.push_back(layout.alpha);
    if (layout.samples.are_deep()) {
        layout.possible_max = layout.samples.are_mapped() ? 65535 : (1 << layout.bits) - 1;
        const int said = layout.samples.are_mapped() ? 0 : short_field(tiff, TIFFTAG_MAXSAMPLEVALUE);
        layout.max_sample = said < 256 ? layout.possible_max : std::min(said, layout.possible_max);
    }
    return layout;
}

/// What a strip or a tile takes in the file, at most.
uint64_t packed_bytes(const FileReader& file, TIFF* tiff) {
    const uint32_t pieces = TIFFIsTiled(tiff) != 0 ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
    uint64_t most = 0;
    for (uint32_t i = 0; i < pieces; ++i) most = std::max<uint64_t>(most, TIFFGetStrileByteCount(tiff, i));
    return std::min(most, file.size_bytes());
}

/// Strips of less are unpacked whole, into the processor's caches. Deflated ones are so at any size that PNG is:
/// libtiff leaves whole strips to libdeflate, which takes half the time.
constexpr uint64_t kSmallStrip_bytes = 1 << 20, kMaxInflated_bytes = uint64_t{1} << 29;

/// Puts an image together from rows, strips of them or tiles of all channels, or of one after the other.
class TiffReader {
  public:
    /// `by_strips`: as prefers_strips(), where there is memory for them.
    TiffReader(FileReader& file, TIFF* tiff, const TiffErrors& errors, const TiffLayout& layout, bool by_strips)
        : file_(file),
          tiff_(tiff),
          errors_(errors),
          layout_(layout),
          by_strips_(by_strips),
          buffer_bytes_(buffer_bytes(tiff, by_strips)),
          bytes_(static_cast<uint8_t*>(std::calloc(1, buffer_bytes_)), std::free) {
        const uint64_t row_bits =
            uint64_t{layout.width} * uint64_t(layout.in_planes ? 1 : layout.channels) * uint64_t(layout.bits);
        if (!bytes_) throw std::bad_alloc();
        if (buffer_bytes_ == 0 || (!layout.in_tiles && layout.palette.empty() && buffer_bytes_ < (row_bits + 7) / 8))
            refuse_tiff(file, errors);
    }

    static bool prefers_strips(TIFF* tiff) {
        if (TIFFIsTiled(tiff) != 0) return false;
        const uint16_t compression = short_field(tiff, TIFFTAG_COMPRESSION);
        const bool deflated = compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_DEFLATE;
        return TIFFStripSize64(tiff) <= (deflated ? kMaxInflated_bytes : kSmallStrip_bytes);
    }

    static uint64_t buffer_bytes(TIFF* tiff, bool by_strips) {
        if (TIFFIsTiled(tiff) != 0) return TIFFTileSize64(tiff);
        return by_strips ? std::max(TIFFStripSize64(tiff), TIFFScanlineSize64(tiff)) : TIFFScanlineSize64(tiff);
    }

    void read(LoadedImage& loaded, bool is_final) {
        HostImage& image = loaded.image;
        // Rows that are done go to the program.
        const bool in_order = has_rows_in_order(layout_);
        RowTarget target(file_, image, is_final && in_order && !layout_.is_premultiplied);
        if (layout_.in_planes) fill_opaque(image);
        if (layout_.samples.are_mapped()) find_range();
        if (!range_.empty()) loaded.details.notes.push_back(range_text());
        walk([&](const Piece& piece) {
            uint8_t* const row = target.row(piece.y) + size_t(piece.x) * size_t(bytes_per_pixel(image.spec().format));
            put(piece, row);
            if (in_order) target.done(piece.y + 1);
        });
        if (layout_.is_premultiplied) divide_by_alpha(image);
    }

    /// Whether read_reduced() may be called.
    static bool reduces(const TiffLayout& layout) { return has_rows_in_order(layout) && !layout.is_premultiplied; }

    /// Reduced row by row. `spec`: of the whole image.
    HostImage read_reduced(const ImageSpec& spec, int max_side_px) {
        RowShrinker shrinker(spec, max_side_px);
        if (layout_.samples.are_mapped()) find_range();
        std::vector<uint16_t> row((spec.row_bytes() + 1) / 2);
        auto* const bytes = reinterpret_cast<uint8_t*>(row.data());
        walk([&](const Piece& piece) {
            put(piece, bytes);
            shrinker.add(bytes);
        });
        return shrinker.take();
    }

    /// Of all samples, where the file says that it is less than possible.
    int greatest() const { return greatest_; }

  private:
    static bool has_rows_in_order(const TiffLayout& layout) { return !layout.in_tiles && !layout.in_planes; }

    /// Pixels beside each other, of one channel where the file holds planes.
    struct Piece {
        int plane, y, x, width;
        const uint8_t* bytes;
    };

    std::string range_text() const {
        char text[128];
        std::snprintf(text, sizeof text, "samples from %.6g to %.6g, stretched to the whole range", range_.least,
                      range_.greatest);
        return text;
    }

    void put(const Piece& piece, uint8_t* row) {
        if (!layout_.palette.empty()) {
            put_indexed(piece, row);
        } else if (layout_.samples.are_mapped()) {
            put_mapped(piece, reinterpret_cast<uint16_t*>(row));
        } else if (layout_.samples.are_deep()) {
            put_plain(piece, reinterpret_cast<uint16_t*>(row));
        } else {
            put_plain(piece, row);
        }
    }

    void walk(auto take) {
        const auto take_used = [&](Piece piece) {
            if (!layout_.in_planes && layout_.channels != layout_.channels_in_row()) {
                layout_.samples.pick(piece.bytes, size_t(piece.width), layout_.channels, layout_.used, used_);
                piece.bytes = used_.data();
            }
            take(piece);
        };
        const auto walk_plane = [&](int plane) {
            layout_.in_tiles ? walk_tiles(plane, take_used)
            : by_strips_     ? walk_strips(plane, take_used)
                             : walk_rows(plane, take_used);
        };
        if (!layout_.in_planes) return walk_plane(0);
        for (const int plane : layout_.used) walk_plane(plane);
    }

    void walk_strips(int plane, auto take) {
        uint32_t rows = layout_.height;
        TIFFGetFieldDefaulted(tiff_, TIFFTAG_ROWSPERSTRIP, &rows);
        rows = std::min(rows, layout_.height);
        const auto row_bytes = size_t(TIFFScanlineSize64(tiff_));
        if (rows == 0 || uint64_t{row_bytes} * rows > buffer_bytes_) refuse_damaged("its strips have no size");
        for (uint32_t top = 0; top < layout_.height; top += rows) {
            const uint32_t strip = TIFFComputeStrip(tiff_, top, uint16_t(plane));
            const uint32_t count = std::min(rows, layout_.height - top);
            if (TIFFReadEncodedStrip(tiff_, strip, bytes_.get(), tmsize_t(row_bytes * count)) < 0)
                refuse_tiff(file_, errors_);
            file_.check();
            for (uint32_t y = 0; y < count; ++y)
                take(Piece{plane, int(top + y), 0, int(layout_.width), bytes_.get() + y * row_bytes});
        }
    }

    void walk_rows(int plane, auto take) {
        for (uint32_t y = 0; y < layout_.height; ++y) {
            if (TIFFReadScanline(tiff_, bytes_.get(), y, uint16_t(plane)) < 0) refuse_tiff(file_, errors_);
            file_.check();
            take(Piece{plane, int(y), 0, int(layout_.width), bytes_.get()});
        }
    }

    void walk_tiles(int plane, auto take) {
        uint32_t width = 0, height = 0;
        TIFFGetField(tiff_, TIFFTAG_TILEWIDTH, &width);
        TIFFGetField(tiff_, TIFFTAG_TILELENGTH, &height);
        const auto row_bytes = size_t(TIFFTileRowSize64(tiff_));
        if (width == 0 || height == 0 || uint64_t{row_bytes} * height > buffer_bytes_)
            refuse_damaged("its tiles have no size");
        for (uint32_t top = 0; top < layout_.height; top += height)
            for (uint32_t left = 0; left < layout_.width; left += width) {
                if (TIFFReadTile(tiff_, bytes_.get(), left, top, 0, uint16_t(plane)) < 0) refuse_tiff(file_, errors_);
                file_.check();
                const uint32_t columns = std::min(width, layout_.width - left);
                for (uint32_t y = 0; y < std::min(height, layout_.height - top); ++y)
                    take(Piece{plane, int(top + y), int(left), int(columns), bytes_.get() + y * row_bytes});
            }
    }

    /// For the alpha of an image whose planes are colors.
    static void fill_opaque(HostImage& image) {
        if (is_deep(image.spec().format)) {
            std::fill_n(reinterpret_cast<uint16_t*>(image.data()), image.size_bytes() / 2, image.spec().max_sample);
        } else {
            std::fill_n(image.data(), image.size_bytes(), uint8_t(255));
        }
    }

    void find_range() {
        walk([&](const Piece& piece) {
            if (layout_.in_planes && piece.plane >= layout_.colors) return;
            numbers_.resize(size_t(piece.width) * size_t(layout_.channels_in_row()));
            layout_.samples.unpack(piece.bytes, numbers_);
            const auto step = size_t(layout_.channels_in_row());
            for (size_t i = 0; i < numbers_.size(); i += step)
                for (int c = 0; c < (layout_.in_planes ? 1 : layout_.colors); ++c) range_.add(numbers_[i + size_t(c)]);
        });
    }

    void put_indexed(const Piece& piece, uint8_t* row) {
        numbers_.resize(size_t(piece.width) * size_t(layout_.channels_in_row()));
        layout_.samples.unpack(piece.bytes, numbers_);
        for (int x = 0; x < piece.width; ++x, row += 4) {
            const auto index = size_t(numbers_[size_t(x) * size_t(layout_.channels_in_row())]);
            std::ranges::copy(layout_.palette[index % layout_.palette.size()], row);
        }
    }

    void put_mapped(const Piece& piece, uint16_t* row) {
        const int channels = layout_.channels_in_row();
        numbers_.resize(size_t(piece.width) * size_t(channels));
        deep_.resize(numbers_.size());
        layout_.samples.unpack(piece.bytes, numbers_);
        const NumberRange alpha = layout_.samples.full_range();
        for (size_t i = 0; i < deep_.size(); ++i) {
            const int channel = layout_.in_planes ? piece.plane : layout_.used[i % size_t(channels)];
            deep_[i] = (channel == layout_.alpha ? alpha : range_).map(numbers_[i]);
        }
        place(piece, deep_.data(), row);
    }

    void put_plain(const Piece& piece, uint8_t* row) {
        const uint8_t* samples = piece.bytes;
        if (!layout_.samples.are_plain()) {
            narrow_.resize(size_t(piece.width) * size_t(layout_.channels_in_row()));
            layout_.samples.unpack(piece.bytes, narrow_);
            samples = narrow_.data();
        }
        place(piece, samples, row);
    }

    void put_plain(const Piece& piece, uint16_t* row) {
        const size_t count = size_t(piece.width) * size_t(layout_.channels_in_row());
        const auto* samples = reinterpret_cast<const uint16_t*>(piece.bytes);
        if (!layout_.samples.are_plain()) {
            deep_.resize(count);
            layout_.samples.unpack(piece.bytes, deep_);
            samples = deep_.data();
        }
        if (layout_.max_sample < layout_.possible_max)
            greatest_ = std::max(greatest_, int(*std::max_element(samples, samples + count)));
        place(piece, samples, row);
    }

    /// Samples of the image's depth, to their channels.
    template <class Sample>
    void place(const Piece& piece, const Sample* from, Sample* to) const {
        const auto max = Sample(layout_.max_sample);
        const Sample flip = layout_.is_inverted ? max : Sample(0);
        const auto color = [&](Sample v) { return Sample(flip != 0 ? flip - std::min(v, flip) : v); };
        const int out_channels = layout_.image_channels(), channels = layout_.channels_in_row();
        const bool gray = out_channels == 1;
        if (layout_.in_planes) {
            const bool is_alpha = piece.plane == layout_.alpha;
            if (piece.plane >= layout_.colors && !is_alpha) return;
            const int first = is_alpha ? 3 : piece.plane, last = layout_.colors == 1 && !is_alpha ? 2 : first;
            for (int x = 0; x < piece.width; ++x) {
                const Sample v = is_alpha ? from[x] : color(from[x]);
                if (gray) to[x] = v;
                for (int c = first; !gray && c <= last; ++c) to[4 * x + c] = v;
            }
            return;
        }
        if (!layout_.is_inverted && channels == out_channels) {
            put_row(from, channels, max, to, size_t(piece.width));
            return;
        }
        const int green = layout_.colors == 3 ? 1 : 0, blue = layout_.colors == 3 ? 2 : 0;
        const int alpha = layout_.alpha_in_row();
        for (int x = 0; x < piece.width; ++x, from += channels) {
            if (gray) {
                to[x] = color(from[0]);
                continue;
            }
            Sample* const pixel = to + 4 * x;
            pixel[0] = color(from[0]);
            pixel[1] = color(from[green]);
            pixel[2] = color(from[blue]);
            pixel[3] = layout_.alpha < 0 ? max : from[alpha];
        }
    }

    static void divide_by_alpha(HostImage& image) {
        for (int y = 0; y < image.height(); ++y) {
            uint8_t* const row = image.mutable_view().row(y);
            if (is_deep(image.spec().format)) {
                divide_by_alpha(reinterpret_cast<uint16_t*>(row), image.spec());
            } else {
                divide_by_alpha(row, image.spec());
            }
        }
    }

    template <class Sample>
    static void divide_by_alpha(Sample* pixel, const ImageSpec& spec) {
        for (int x = 0; x < spec.width; ++x, pixel += 4) {
            const uint64_t alpha = pixel[3], max = spec.max_sample;
            for (int c = 0; c < 3 && alpha > 0; ++c)
                pixel[c] = Sample(std::min(max, (pixel[c] * max + alpha / 2) / alpha));
        }
    }

    FileReader& file_;
    TIFF* const tiff_;
    const TiffErrors& errors_;
    const TiffLayout& layout_;
    const bool by_strips_;
    /// Of a row, a strip or a tile. A tile may be much larger than its image, so that memory is taken as it is filled.
    const size_t buffer_bytes_;
    const std::unique_ptr<uint8_t, void (*)(void*)> bytes_;
    std::vector<uint8_t> used_, narrow_;
    std::vector<uint16_t> deep_;
    std::vector<double> numbers_;
    NumberRange range_;
    int greatest_ = 0;
};

/// Color spaces of printers, videos and measuring, in 8 bits.
void read_by_libtiff(FileReader& file, TIFF* tiff, const TiffErrors& errors, HostImage& image) {
    char why[1024] = "";
    TIFFRGBAImage reader{};
    if (TIFFRGBAImageOK(tiff, why) == 0 || TIFFRGBAImageBegin(&reader, tiff, 1, why) == 0) {
        file.check();
        refuse_unknown(clean_text(why));
    }
    const std::unique_ptr<TIFFRGBAImage, void (*)(TIFFRGBAImage*)> owner(&reader, TIFFRGBAImageEnd);
    reader.req_orientation = reader.orientation;                // as it is stored
    static_assert(std::endian::native == std::endian::little);  // libtiff makes words
    if (TIFFRGBAImageGet(&reader, reinterpret_cast<uint32_t*>(image.data()), reader.width, reader.height) == 0)
        refuse_tiff(file, errors);
    for (size_t i = 3; i < image.size_bytes(); i += 4) image.data()[i] = 255;
}

void read_texts(TIFF* tiff, ImageDetails& details) {
    static constexpr std::pair<uint32_t, const char*> kTags[] = {{TIFFTAG_MAKE, "Camera maker"},
                                                                 {TIFFTAG_MODEL, "Camera"},
                                                                 {TIFFTAG_DATETIME, "Changed"},
                                                                 {TIFFTAG_SOFTWARE, "Software"},
                                                                 {TIFFTAG_IMAGEDESCRIPTION, "Description"},
                                                                 {TIFFTAG_ARTIST, "Artist"},
                                                                 {TIFFTAG_COPYRIGHT, "Copyright"}};
    for (const auto& [tag, label] : kTags) {
        const char* text = nullptr;
        if (TIFFGetField(tiff, tag, &text) == 0 || text == nullptr) continue;
        if (std::string value = clean_text(text); !value.empty()) details.exif.emplace_back(label, std::move(value));
    }
}

void describe(TIFF* tiff, const TiffLayout& layout, int page, int pages, ImageDetails& details) {
    details.file_channels = std::min(layout.channels, 4);
    details.bits_per_channel = layout.bits;
    details.orientation = std::clamp(int(short_field(tiff, TIFFTAG_ORIENTATION)), 1, 8);
    read_texts(tiff, details);
    details.pages = pages;
    if (pages > 1) details.notes.push_back("page " + std::to_string(page + 1) + " of " + std::to_string(pages));
    const int unused = layout.channels - layout.colors - (layout.alpha >= 0 ? 1 : 0);
    if (unused > 0 && !layout.is_left_to_libtiff)
        details.notes.push_back("channels without a color are left out: " + std::to_string(unused));
}

LoadedImage turned(LoadedImage loaded) {
    loaded.image = apply_orientation(std::move(loaded.image), loaded.details.orientation);
    return loaded;
}

}  // namespace

LoadedImage load_tiff(FileReader& file, const LoadRequest& request) {
    TiffErrors errors;
    TiffInput input{file};
    const TiffHandle tiff = open_tiff(
        input, "rm", errors, tmsize_t(std::clamp<uint64_t>(free_memory_bytes(), kAlwaysTried_bytes, INT64_MAX)));
    if (!tiff) refuse_tiff(file, errors);
    const auto pages = int(std::min<tdir_t>(TIFFNumberOfDirectories(tiff.get()), INT32_MAX));
    const auto check_tags = [&] {  // nothing that the file says may be missing, pages not counted least of all
        file.check();
        if (errors.lacks_memory()) throw std::bad_alloc();
    };
    check_tags();
    errors = {};  // where pages behind the first one are damaged
    if (request.page >= pages) refuse_page(request.page, pages);
    if (request.page > 0 && TIFFSetDirectory(tiff.get(), tdir_t(request.page)) == 0) refuse_tiff(file, errors);
    TiffLayout layout = read_layout(file, tiff.get());
    check_tags();

    const auto find_spec = [&] {
        return loaded_spec(layout.width, layout.height, layout.image_channels(), layout.max_sample);
    };
    const auto make_page = [&] {
        LoadedImage loaded =
            make_loaded(layout.width, layout.height, layout.image_channels(), layout.bits, layout.max_sample);
        describe(tiff.get(), layout, request.page, pages, loaded.details);
        return loaded;
    };
    const ImageSpec spec = find_spec();
    const uint64_t buffers_bytes = TiffReader::buffer_bytes(tiff.get(), false) + packed_bytes(file, tiff.get());
    if (layout.is_left_to_libtiff) {
        check_decoding(request.max_side_px, spec.size_bytes() + buffers_bytes);
        LoadedImage loaded = make_page();
        read_by_libtiff(file, tiff.get(), errors, loaded.image);
        return turned(std::move(loaded));
    }
    if (short_field(tiff.get(), TIFFTAG_COMPRESSION) == COMPRESSION_NONE)
        check_bytes(file, uint64_t(spec.pixels()) * uint64_t(layout.channels) *
                              short_field(tiff.get(), TIFFTAG_BITSPERSAMPLE) / 8);
    const auto is_small_enough = [&] { return may_take(request.max_side_px, spec.size_bytes() + buffers_bytes); };
    const bool by_rows = request.max_side_px > 0 && TiffReader::reduces(layout) && !is_small_enough();
    const uint64_t image_bytes = by_rows ? 0 : spec.size_bytes();
    check_decoding(request.max_side_px, image_bytes + buffers_bytes);
    const uint64_t strip_bytes = TiffReader::buffer_bytes(tiff.get(), true);
    const bool by_strips = TiffReader::prefers_strips(tiff.get()) &&
                           may_take(request.max_side_px, image_bytes + buffers_bytes + strip_bytes);
    TiffReader reader(file, tiff.get(), errors, layout, by_strips);
    while (true) {
        LoadedImage loaded;
        if (by_rows) {
            describe(tiff.get(), layout, request.page, pages, loaded.details);
            loaded.image = reader.read_reduced(find_spec(), request.max_side_px);
        } else {
            loaded = make_page();
            reader.read(loaded, request.max_side_px == 0 && loaded.details.orientation == 1);
        }
        if (reader.greatest() <= layout.max_sample) return turned(std::move(loaded));
        layout.max_sample = layout.possible_max;  // what the file says is not so
    }
}

}  // namespace tonescope::image_io
