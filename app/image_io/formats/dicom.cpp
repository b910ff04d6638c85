// DICOM: one frame as samples of 8 or 16 bits. What a file says of patients is not read.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "app/image_io/formats/dicom_codecs.h"
#include "app/image_io/formats/dicom_file.h"
#include "app/image_io/formats/tiff_samples.h"
#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

[[noreturn]] void refuse_dicom(const std::string& kind) {
    throw UserError("DICOM with " + kind + " is not supported; save it as TIFF");
}

enum class DicomColor : uint8_t { gray, rgb, ybr, ybr_422, palette };

struct DicomLayout {
    DicomPixels pixels;
    int frames = 1;
    DicomColor color = DicomColor::gray;
    bool is_inverse = false;  // the least sample is white
    bool is_signed = false;
    int bits = 8;                             // of a sample
    int unused = 0;                           // bits below them
    std::vector<uint16_t> palette[3];         // where samples are indices
    int palette_first = 0, palette_bits = 8;  // the index of its first entry; of its colors

    bool is_mapped() const { return bits > 16; }
    int channels() const { return color == DicomColor::gray ? 1 : 3; }
    int max_sample() const {
        const int shown = color == DicomColor::palette ? palette_bits : bits;
        return shown <= 8 ? 255 : shown >= 16 ? 65535 : (1 << shown) - 1;
    }
    /// Of a frame that is not compressed.
    uint64_t frame_bits() const {
        if (color == DicomColor::ybr_422) return pixels.count() / 3 * 2 * uint64_t(pixels.bits_allocated);
        return pixels.count() * uint64_t(pixels.bits_allocated);
    }
    int shift() const { return is_signed && !is_mapped() ? 1 << (bits - 1) : 0; }
};

int needed_number(DicomFile& file, const DcmTagKey& tag, const char* name) {
    if (const auto number = file.number(tag)) return *number;
    refuse_damaged("it does not say its " + std::string(name));
}

void read_dicom_palette(DicomFile& file, DicomLayout& layout) {
    const DcmTagKey descriptors[] = {DCM_RedPaletteColorLookupTableDescriptor,
                                     DCM_GreenPaletteColorLookupTableDescriptor,
                                     DCM_BluePaletteColorLookupTableDescriptor};
    const DcmTagKey tables[] = {DCM_RedPaletteColorLookupTableData, DCM_GreenPaletteColorLookupTableData,
                                DCM_BluePaletteColorLookupTableData};
    if (file.has(DCM_SegmentedRedPaletteColorLookupTableData)) refuse_dicom("a palette of segments");
    for (int c = 0; c < 3; ++c) {
        const std::vector<uint16_t> descriptor = file.words(descriptors[c]);
        if (descriptor.size() != 3) refuse_damaged("it has no palette");
        const size_t count = descriptor[0] == 0 ? 65536 : descriptor[0];
        std::vector<uint16_t> words = file.words(tables[c]);
        if (words.size() < count && words.size() >= (count + 1) / 2) {  // entries of 8 bits
            std::vector<uint16_t> entries(count);
            for (size_t i = 0; i < count; ++i) entries[i] = uint8_t(words[i / 2] >> (i % 2 * 8));
            words = std::move(entries);
        }
        if (words.size() < count) refuse_damaged("its palette is too short");
        words.resize(count);
        layout.palette[c] = std::move(words);
        layout.palette_first = layout.is_signed ? int16_t(descriptor[1]) : descriptor[1];
        layout.palette_bits = descriptor[2] == 8 ? 8 : 16;
    }
    if (layout.palette_bits == 8)
        for (auto& entries : layout.palette)
            for (uint16_t& v : entries) v = std::min<uint16_t>(v, 255);
}

DicomLayout read_dicom_layout(DicomFile& file) {
    DicomLayout layout;
    DicomPixels& pixels = layout.pixels;
    pixels.width = needed_number(file, DCM_Columns, "columns");
    pixels.height = needed_number(file, DCM_Rows, "rows");
    check_size(pixels.width, pixels.height);
    pixels.samples = file.number(DCM_SamplesPerPixel).value_or(1);
    pixels.bits_allocated = needed_number(file, DCM_BitsAllocated, "bits");
    pixels.in_planes = pixels.samples > 1 && file.number(DCM_PlanarConfiguration).value_or(0) == 1;
    layout.bits = file.number(DCM_BitsStored).value_or(pixels.bits_allocated);
    layout.is_signed = file.number(DCM_PixelRepresentation).value_or(0) == 1;
    layout.frames = std::max(1, file.number(DCM_NumberOfFrames).value_or(1));
    const int allocated = pixels.bits_allocated;
    if (allocated != 1 && allocated != 8 && allocated != 16 && allocated != 32)
        refuse_dicom(std::to_string(allocated) + " bits a sample");
    if (layout.bits < 1 || layout.bits > allocated) refuse_damaged("it stores more bits than it has room for");
    layout.unused =
        std::clamp(file.number(DCM_HighBit).value_or(layout.bits - 1) + 1, layout.bits, allocated) - layout.bits;

    const std::string color = file.text(DCM_PhotometricInterpretation);
    const bool is_color = pixels.samples == 3;
    if (!is_color && pixels.samples != 1) refuse_dicom(std::to_string(pixels.samples) + " samples a pixel");
    if (is_color && color == "YBR_FULL") {
        layout.color = DicomColor::ybr;
    } else if (is_color && color == "YBR_FULL_422") {
        // Compressed pixels have lost their subsampling.
        layout.color = file.is_encapsulated() ? DicomColor::ybr : DicomColor::ybr_422;
        if (layout.color == DicomColor::ybr_422 && pixels.width % 2 != 0)
            refuse_damaged("its width is odd, but its colors are those of pairs");
    } else if (is_color && (color == "RGB" || color == "YBR_RCT" || color == "YBR_ICT" || color.empty())) {
        layout.color = DicomColor::rgb;
    } else if (!is_color && color == "PALETTE COLOR") {
        layout.color = DicomColor::palette;
        read_dicom_palette(file, layout);
    } else if (!is_color && (color == "MONOCHROME1" || color == "MONOCHROME2" || color.empty())) {
        layout.is_inverse = color == "MONOCHROME1";
    } else {
        refuse_dicom("the colors " + color);
    }
    if (layout.color != DicomColor::gray && layout.color != DicomColor::rgb && (layout.is_mapped() || allocated == 1))
        refuse_dicom("colors of " + std::to_string(layout.bits) + " bits a sample");
    if (layout.color == DicomColor::ybr_422 && allocated != 8) refuse_dicom("subsampled colors of more than 8 bits");
    return layout;
}

/// How frames are compressed; empty where they are not.
std::optional<DicomCodec> find_dicom_codec(const DicomFile& file) {
    if (!file.is_encapsulated()) return {};
    switch (file.syntax()) {
        case EXS_RLELossless:
            return DicomCodec::run_lengths;
        case EXS_JPEGProcess1:
        case EXS_JPEGProcess2_4:
        case EXS_JPEGProcess6_8:
        case EXS_JPEGProcess10_12:
        case EXS_JPEGProcess14:
        case EXS_JPEGProcess14SV1:
            return DicomCodec::jpeg;
        case EXS_JPEGLSLossless:
        case EXS_JPEGLSLossy:
            return DicomCodec::jpeg_ls;
        case EXS_JPEG2000LosslessOnly:
        case EXS_JPEG2000:
            return DicomCodec::jpeg_2000;
        default:
            refuse_dicom(file.coding());
    }
}

/// The samples of a frame, row by row from any of them on: numbers from 0, signed ones shifted up.
class DicomRows {
  public:
    DicomRows(DicomFile& file, const DicomLayout& layout, int frame, std::optional<DicomFrame> decoded)
        : file_(file),
          layout_(layout),
          decoded_(std::move(decoded)),
          pixels_(decoded_ ? decoded_->pixels : layout.pixels),
          first_bit_(uint64_t(frame) * layout.frame_bits()),
          samples_(size_t(layout.pixels.width) * size_t(layout.pixels.samples)) {}

    std::span<const uint32_t> row(int y) {
        const auto width = uint64_t(pixels_.width);
        if (!decoded_ && layout_.color == DicomColor::ybr_422) {
            read_subsampled(y);
        } else if (pixels_.in_planes) {
            const uint64_t plane = width * uint64_t(pixels_.height);
            for (uint64_t c = 0; c < uint64_t(pixels_.samples); ++c)
                read(c * plane + uint64_t(y) * width, width, size_t(c), size_t(pixels_.samples));
        } else {
            const uint64_t count = width * uint64_t(pixels_.samples);
            read(uint64_t(y) * count, count, 0, 1);
        }
        const bool is_ybr =
            decoded_ ? decoded_->is_ybr : layout_.color == DicomColor::ybr || layout_.color == DicomColor::ybr_422;
        if (is_ybr) make_rgb();
        return samples_;
    }

  private:
    /// `count` samples from this one on, to every step-th sample of the row.
    void read(uint64_t from, uint64_t count, size_t at, size_t step) {
        const int bits = pixels_.bits_allocated;
        const uint64_t first_bit = (decoded_ ? 0 : first_bit_) + from * uint64_t(bits), begin = first_bit / 8;
        const uint8_t* const bytes = take(begin, (first_bit + count * uint64_t(bits) + 7) / 8 - begin);
        const bool swaps = !decoded_ && file_.pixels_are_big_endian();
        const int unused = keeps_unused_bits() ? layout_.unused : 0;
        const uint32_t mask = uint32_t((uint64_t{1} << layout_.bits) - 1);
        const uint32_t flipped = layout_.is_signed ? uint32_t(1) << (layout_.bits - 1) : 0;
        for (uint64_t i = 0; i < count; ++i, at += step) {
            uint32_t word = 0;
            if (bits == 1) {
                const uint64_t bit = first_bit % 8 + i;
                word = bytes[bit / 8] >> (bit % 8) & 1;
            } else if (bits == 8) {
                word = bytes[i];
            } else if (bits == 16) {
                word = swaps ? big_endian<2>(bytes + 2 * i) : little_endian<2>(bytes + 2 * i);
            } else {
                word = swaps ? big_endian<4>(bytes + 4 * i) : little_endian<4>(bytes + 4 * i);
            }
            samples_[at] = (word >> unused & mask) ^ flipped;
        }
    }

    /// Two pixels share their colors: Y, Y, Cb, Cr.
    void read_subsampled(int y) {
        const uint64_t row_bytes = 2 * uint64_t(pixels_.width);
        const uint8_t* const bytes = take(first_bit_ / 8 + uint64_t(y) * row_bytes, row_bytes);
        for (size_t x = 0; x < size_t(pixels_.width); ++x) {
            const uint8_t* const pair = bytes + x / 2 * 4;
            samples_[3 * x] = pair[x % 2];
            samples_[3 * x + 1] = pair[2];
            samples_[3 * x + 2] = pair[3];
        }
    }

    const uint8_t* take(uint64_t begin, uint64_t count) {
        if (decoded_) return decoded_->bytes.data() + begin;
        // Samples of 8 bits may stand in words of two, whose order is the file's.
        const bool in_pairs = pixels_.bits_allocated <= 8 && file_.pixels_are_big_endian() && file_.pixels_are_words();
        const uint64_t before = in_pairs ? begin % 2 : 0, behind = in_pairs ? (before + count) % 2 : 0;
        buffer_.resize(before + count + behind);
        file_.read_pixels(begin - before, buffer_);
        for (size_t i = 0; in_pairs && i < buffer_.size(); i += 2) std::swap(buffer_[i], buffer_[i + 1]);
        return buffer_.data() + before;
    }

    /// Streams that know their own bits have no others.
    bool keeps_unused_bits() const {
        return !decoded_ || decoded_->pixels.bits_allocated == layout_.pixels.bits_allocated;
    }

    /// The inverse of ITU-R BT.601 over the whole range (DICOM PS3.3, C.7.6.3.1.2).
    void make_rgb() {
        const double most = std::ldexp(1, layout_.bits) - 1, middle = std::ldexp(1, layout_.bits - 1);
        const auto clamped = [&](double v) { return uint32_t(std::clamp(std::floor(v + 0.5), 0.0, most)); };
        for (size_t i = 0; i < samples_.size(); i += 3) {
            const double y = samples_[i], blue = samples_[i + 1] - middle, red = samples_[i + 2] - middle;
            samples_[i] = clamped(y + 1.402 * red);
            samples_[i + 1] = clamped(y - 0.344136 * blue - 0.714136 * red);
            samples_[i + 2] = clamped(y + 1.772 * blue);
        }
    }

    DicomFile& file_;
    const DicomLayout& layout_;
    const std::optional<DicomFrame> decoded_;
    const DicomPixels pixels_;
    const uint64_t first_bit_;
    std::vector<uint32_t> samples_;
    std::vector<uint8_t> buffer_;
};

/// Makes an image's samples of a file's.
class DicomPainter {
  public:
    DicomPainter(const DicomLayout& layout, DicomRows& rows) : layout_(layout), rows_(rows) {
        for (int y = 0; layout.is_mapped() && y < layout.pixels.height; ++y)
            for (const uint32_t sample : rows.row(y)) range_.add(number(sample));
    }

    /// Of the numbers that are stretched to the whole range; empty where they are not.
    const NumberRange& range() const { return range_; }

    template <class Sample>
    void paint(int y, Sample* to) {
        const std::span<const uint32_t> from = rows_.row(y);
        row_.resize(size_t(layout_.pixels.width) * size_t(layout_.channels()));
        const uint32_t most = uint32_t((uint64_t{1} << layout_.bits) - 1);
        for (size_t i = 0; i < from.size(); ++i) {
            if (layout_.color == DicomColor::palette) {
                const int64_t last = int64_t(layout_.palette[0].size()) - 1;
                const int64_t entry =
                    std::clamp<int64_t>(int64_t{from[i]} - layout_.shift() - layout_.palette_first, 0, last);
                for (size_t c = 0; c < 3; ++c)
                    row_[3 * i + c] =
                        layout_.palette[c][size_t(std::min<int64_t>(entry, int64_t(layout_.palette[c].size()) - 1))];
            } else if (layout_.is_mapped()) {
                row_[i] = range_.map(number(from[i]));
            } else {
                row_[i] = sizeof(Sample) == 1 ? to_8_bit(from[i], most) : uint16_t(from[i]);
            }
        }
        if constexpr (sizeof(Sample) == 1) {
            narrow_.assign(row_.begin(), row_.end());
            put_row(narrow_.data(), layout_.channels(), uint8_t(255), to, size_t(layout_.pixels.width));
        } else {
            put_row(row_.data(), layout_.channels(), uint16_t(layout_.max_sample()), to, size_t(layout_.pixels.width));
        }
    }

  private:
    /// Of more than 16 bits.
    double number(uint32_t sample) const {
        return double(sample) - (layout_.is_signed ? std::ldexp(1, layout_.bits - 1) : 0);
    }

    const DicomLayout& layout_;
    DicomRows& rows_;
    NumberRange range_;
    std::vector<uint16_t> row_;
    std::vector<uint8_t> narrow_;
};

/// How the image's samples become the stored ones: stored = factor * sample + offset.
struct StoredScale {
    double factor = 1, offset = 0;
};

StoredScale find_stored_scale(const DicomLayout& layout, const NumberRange& range) {
    if (layout.is_mapped())
        return range.least < range.greatest ? StoredScale{(range.greatest - range.least) / 65535, range.least}
                                            : StoredScale{1, range.empty() ? 0 : range.least};
    const double factor = layout.bits < 8 ? (std::ldexp(1, layout.bits) - 1) / 255 : 1;
    return {factor, -double(layout.shift())};
}

/// What the samples of a gray image mean, and through which window the file wants them to be seen.
void read_dicom_scale(DicomFile& file, const DicomLayout& layout, const StoredScale& stored, int frame,
                      ImageDetails& details) {
    DcmItem& values = file.group_of(frame, DCM_PixelValueTransformationSequence);
    SampleScale scale;
    scale.shift = layout.shift();
    const auto slope = DicomFile::decimal_in(values, DCM_RescaleSlope);
    const auto intercept = DicomFile::decimal_in(values, DCM_RescaleIntercept);
    const bool is_scaled = slope && intercept && *slope != 0;
    const double a = is_scaled ? *slope : 1, b = is_scaled ? *intercept : 0;
    scale.slope = a * stored.factor;
    scale.intercept = a * stored.offset + b;
    if (is_scaled) scale.unit = DicomFile::text_in(values, DCM_RescaleType);
    if (scale.unit == "US") scale.unit.clear();  // unspecified
    if (!std::isfinite(scale.slope) || !std::isfinite(scale.intercept) || scale.slope == 0) return;
    details.scale = scale;

    SampleWindow window;
    window.inverse = layout.is_inverse;
    DcmItem& views = file.group_of(frame, DCM_FrameVOILUTSequence);
    const auto center = DicomFile::decimal_in(views, DCM_WindowCenter);
    const auto width = DicomFile::decimal_in(views, DCM_WindowWidth);
    if (center && width && *width > 0) {
        // The linear function counts samples, the others do not (DICOM PS3.3, C.11.2.1.2).
        const std::string function = DicomFile::text_in(views, DCM_VOILUTFunction);
        const bool counts = function.empty() || function == "LINEAR";
        const double middle = counts ? *center - 0.5 : *center, span = counts ? std::max(*width - 1, 0.0) : *width;
        const auto hundredths = [](double samples) {
            return int64_t(std::floor(std::clamp(samples * SampleRange::kScale, -1e12, 1e12) + 0.5));
        };
        window.range = range_around(hundredths((middle - scale.intercept) / scale.slope),
                                    hundredths(span / std::abs(scale.slope)));
        window.inverse = window.inverse != (scale.slope < 0);
    }
    if (!window.is_full()) details.window = window;
}

std::string dicom_decimal(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", number);
    return text;
}

void describe_dicom(DicomFile& file, const DicomLayout& layout, int page, ImageDetails& details) {
    details.format = "DICOM (" + file.coding() + ")";
    details.file_channels = layout.pixels.samples;
    details.bits_per_channel = layout.bits;
    details.pages = layout.frames;
    if (layout.frames > 1)
        details.notes.push_back("page " + std::to_string(page + 1) + " of " + std::to_string(layout.frames));
    if (std::string modality = file.text(DCM_Modality); !modality.empty())
        details.exif.emplace_back("Modality", std::move(modality));
}

}  // namespace

LoadedImage load_dicom(FileReader& reader, const LoadRequest& request) {
    DicomFile file(reader);
    DicomLayout layout = read_dicom_layout(file);
    const std::optional<DicomCodec> codec = find_dicom_codec(file);
    const uint64_t frame_bits = layout.frame_bits();
    // A file may have fewer frames than it says.
    const uint64_t most = file.most_frames((frame_bits + 7) / 8);
    layout.frames = int(std::clamp<uint64_t>(most, 1, uint64_t(layout.frames)));
    if (request.page >= layout.frames) refuse_page(request.page, layout.frames);
    if (!codec) check_bytes(reader, layout.frames == 1 && most == 0 ? frame_bits / 8 : 0);

    const ImageSpec spec =
        loaded_spec(layout.pixels.width, layout.pixels.height, layout.channels(), layout.max_sample());
    const bool shrinks = request.max_side_px > 0 && std::max(spec.width, spec.height) > request.max_side_px;
    check_decoding(request.max_side_px, (shrinks ? 0 : spec.size_bytes()) + (codec ? layout.pixels.size_bytes() : 0));
    std::optional<DicomFrame> decoded;
    if (codec)
        decoded = decode_dicom(*codec, file.compressed(request.page, layout.frames, request.max_side_px), layout.pixels,
                               layout.color == DicomColor::ybr, request.max_side_px);
    DicomRows rows(file, layout, request.page, std::move(decoded));
    DicomPainter painter(layout, rows);

    LoadedImage loaded;
    describe_dicom(file, layout, request.page, loaded.details);
    if (!painter.range().empty())
        loaded.details.notes.push_back("samples from " + dicom_decimal(painter.range().least) + " to " +
                                       dicom_decimal(painter.range().greatest) + ", stretched to the whole range");
    if (layout.color == DicomColor::gray)
        read_dicom_scale(file, layout, find_stored_scale(layout, painter.range()), request.page, loaded.details);

    const auto paint = [&](int y, uint8_t* to) {
        is_deep(spec.format) ? painter.paint(y, reinterpret_cast<uint16_t*>(to)) : painter.paint(y, to);
        reader.check();
    };
    if (shrinks) {
        RowShrinker shrinker(spec, request.max_side_px);
        std::vector<uint16_t> row((spec.row_bytes() + 1) / 2);
        auto* const bytes = reinterpret_cast<uint8_t*>(row.data());
        for (int y = 0; y < spec.height; ++y) {
            paint(y, bytes);
            shrinker.add(bytes);
        }
        loaded.image = shrinker.take();
        return loaded;
    }
    loaded.image = HostImage(spec);
    RowTarget target(reader, loaded.image, request.max_side_px == 0);
    for (int y = 0; y < spec.height; ++y) {
        paint(y, target.row(y));
        target.done(y + 1);
    }
    return loaded;
}

}  // namespace tonescope::image_io
