// JPEG through libjpeg-turbo's libjpeg API, straight into and out of the image's rows.
#include <csetjmp>
#include <cstdio>
#include <cstring>
// jpeglib.h needs stdio's types first.
#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>
#include <new>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

constexpr int kMaxScans = 500;  // a progressive bomb repeats a scan; real files have about ten
constexpr int kBatch_rows = RowTarget::kRowsAtOnce;

/// Warnings that say nothing about lost pixels; every other one means a damaged file.
bool harmless(int code) {
    return code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR ||
           code == JWRN_BOGUS_ICC;
}

/// What libjpeg's callbacks need. Errors leave libjpeg by longjmp, so no object with a destructor may live in what
/// guarded() runs.
struct Session {
    explicit Session(j_common_ptr owner, FileReader* reader = nullptr) : cinfo(owner), file(reader) {
        cinfo->err = jpeg_std_error(&errors);
        cinfo->client_data = this;
        errors.error_exit = [](j_common_ptr c) { of(c).fail(); };
        errors.emit_message = [](j_common_ptr c, int level) {
            if (level < 0 && !harmless(c->err->msg_code)) of(c).fail();
        };
        errors.output_message = [](j_common_ptr) {};
    }
    ~Session() { jpeg_destroy(cinfo); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    static Session& of(j_common_ptr cinfo) { return *static_cast<Session*>(cinfo->client_data); }
    [[noreturn]] void fail() {
        errors.format_message(cinfo, message);
        code = errors.msg_code;
        std::longjmp(jump, 1);
    }

    const j_common_ptr cinfo;
    FileReader* const file;  // null for an encoder
    jpeg_error_mgr errors{};
    std::jmp_buf jump;
    char message[JMSG_LENGTH_MAX] = "";
    int code = 0;
};

/// Runs libjpeg calls; false after an error.
template <class F>
bool guarded(Session& session, F&& calls) {
    if (setjmp(session.jump) != 0) return false;
    calls();
    return true;
}

/// Larger pieces than libjpeg's own source gives: its fast decoder stops 512 bytes before the end of each.
struct Source : jpeg_source_mgr {
    Source() : jpeg_source_mgr{} {
        init_source = [](j_decompress_ptr) {};
        fill_input_buffer = [](j_decompress_ptr cinfo) -> boolean {
            auto& source = *static_cast<Source*>(cinfo->src);
            source.next_input_byte = source.bytes;
            source.bytes_in_buffer = file_of(cinfo).read(source.bytes, sizeof source.bytes);
            if (source.bytes_in_buffer == 0) ERREXIT(cinfo, JERR_INPUT_EOF);
            return TRUE;
        };
        skip_input_data = [](j_decompress_ptr cinfo, long count) {
            if (count <= 0) return;
            const size_t buffered = std::min(size_t(count), cinfo->src->bytes_in_buffer);
            cinfo->src->next_input_byte += buffered;
            cinfo->src->bytes_in_buffer -= buffered;
            file_of(cinfo).skip(size_t(count) - buffered);
        };
        resync_to_restart = jpeg_resync_to_restart;
        term_source = [](j_decompress_ptr) {};
    }
    static FileReader& file_of(j_decompress_ptr cinfo) {
        return *Session::of(reinterpret_cast<j_common_ptr>(cinfo)).file;
    }

    uint8_t bytes[1 << 16];
};

void watch_progress(j_common_ptr common) {
    auto* cinfo = reinterpret_cast<j_decompress_ptr>(common);
    if (cinfo->input_scan_number > kMaxScans || Session::of(common).file->stopped()) ERREXIT(cinfo, JERR_INPUT_EOF);
}

[[noreturn]] void refuse(const Session& session, const jpeg_decompress_struct& cinfo) {
    session.file->check();
    if (cinfo.input_scan_number > kMaxScans) refuse_damaged("it has more than 500 scans");
    switch (session.code) {
        case JERR_BAD_PRECISION:
        case JERR_SOF_UNSUPPORTED:
        case JERR_ARITH_NOTIMPL:
        case JERR_CONVERSION_NOTIMPL:
        case JERR_CCIR601_NOTIMPL:
        case JERR_COMPONENT_COUNT:
        case JERR_IMAGE_TOO_BIG:
            throw UserError(std::string("this kind of JPEG is not supported (") + session.message + ")");
        case JERR_EMPTY_IMAGE:
            check_size(cinfo.image_width, cinfo.image_height);
            break;
        case JERR_OUT_OF_MEMORY:
            throw std::bad_alloc();
        default:
            break;
    }
    refuse_damaged(session.message);
}

/// The EXIF block of the file, without its header; empty where it has none.
std::span<const uint8_t> exif_of(const jpeg_decompress_struct& cinfo) {
    for (const jpeg_marker_struct* marker = cinfo.marker_list; marker; marker = marker->next) {
        if (marker->marker == JPEG_APP0 + 1 && marker->data_length > 6 && std::memcmp(marker->data, "Exif\0", 6) == 0)
            return {marker->data + 6, marker->data_length - 6};
    }
    return {};
}

/// Blocks of 8x8 samples.
uint64_t blocks_of(const jpeg_decompress_struct& cinfo) {
    uint64_t blocks = 0;
    for (int c = 0; c < cinfo.num_components; ++c)
        blocks += uint64_t(cinfo.comp_info[c].width_in_blocks) * cinfo.comp_info[c].height_in_blocks;
    return blocks;
}
/// A Huffman code for each block has at least one bit.
uint64_t least_bytes(const jpeg_decompress_struct& cinfo) {
    return blocks_of(cinfo) / 8;
}
/// Where an image's coefficients stand in several scans, libjpeg holds all of them, at any scale.
uint64_t coefficient_bytes(jpeg_decompress_struct& cinfo) {
    return jpeg_has_multiple_scans(&cinfo) ? blocks_of(cinfo) * sizeof(JBLOCK) : 0;
}

/// The smallest of libjpeg's eight scales whose longer side is not below max_side_px.
unsigned scale_eighths(const jpeg_decompress_struct& cinfo, int max_side_px) {
    const uint64_t longer = std::max(cinfo.image_width, cinfo.image_height);
    for (unsigned eighths = 1; eighths < 8; ++eighths)
        if ((longer * eighths + 7) / 8 >= uint64_t(max_side_px)) return eighths;
    return 8;
}

/// CMYK as libjpeg gives it; Adobe's programs store it inverted.
void cmyk_to_rgba(const uint8_t* in, uint8_t* out, int width, bool inverted) {
    for (int x = 0; x < width; ++x, in += 4, out += 4) {
        const unsigned black = inverted ? in[3] : 255u - in[3];
        for (int c = 0; c < 3; ++c) {
            const unsigned ink = inverted ? in[c] : 255u - in[c];
            out[c] = uint8_t((ink * black + 127) / 255);
        }
        out[3] = 255;
    }
}

void read_rows(Session& session, jpeg_decompress_struct& cinfo, RowTarget image) {
    const bool cmyk = cinfo.out_color_space == JCS_CMYK;
    const int width = image.spec().width;
    std::vector<uint8_t> scratch(cmyk ? size_t(cinfo.output_width) * 4 * kBatch_rows : 0);
    while (cinfo.output_scanline < cinfo.output_height) {
        session.file->check();
        const int first = int(cinfo.output_scanline);
        const int count = std::min(kBatch_rows, image.spec().height - first);
        JSAMPROW rows[kBatch_rows];
        for (int i = 0; i < count; ++i) rows[i] = cmyk ? &scratch[size_t(i) * size_t(width) * 4] : image.row(first + i);
        const auto calls = [&] {
            for (JDIMENSION done = 0; done < JDIMENSION(count);)
                done += jpeg_read_scanlines(&cinfo, rows + done, JDIMENSION(count) - done);
        };
        if (!guarded(session, calls)) refuse(session, cinfo);
        for (int i = 0; cmyk && i < count; ++i)
            cmyk_to_rgba(rows[i], image.row(first + i), width, cinfo.saw_Adobe_marker);
        image.done(first + count);
    }
}

void write_jpeg(jpeg_compress_struct& cinfo, FileWriter& file, const ImageView& image, int quality) {
    const bool gray = image.spec.format == PixelFormat::gray8;
    jpeg_create_compress(&cinfo);
    jpeg_stdio_dest(&cinfo, file.stream());
    cinfo.image_width = JDIMENSION(image.spec.width);
    cinfo.image_height = JDIMENSION(image.spec.height);
    cinfo.input_components = gray ? 1 : 4;
    cinfo.in_color_space = gray ? JCS_GRAYSCALE : JCS_EXT_RGBX;
    jpeg_set_defaults(&cinfo);
    jpeg_set_quality(&cinfo, quality, TRUE);
    // One sample of each channel a pixel: 4:4:4.
    for (int c = 0; c < cinfo.num_components; ++c)
        cinfo.comp_info[c].h_samp_factor = cinfo.comp_info[c].v_samp_factor = 1;
    jpeg_start_compress(&cinfo, TRUE);
    while (cinfo.next_scanline < cinfo.image_height) {
        JSAMPROW row = const_cast<uint8_t*>(image.row(int(cinfo.next_scanline)));
        jpeg_write_scanlines(&cinfo, &row, 1);
        file.row_done(int(cinfo.next_scanline), image.spec.height);
    }
    jpeg_finish_compress(&cinfo);
}

}  // namespace

LoadedImage load_jpeg(FileReader& file, const LoadRequest& request) {
    jpeg_decompress_struct cinfo{};
    Source source;
    jpeg_progress_mgr progress{};
    progress.progress_monitor = watch_progress;
    Session session(reinterpret_cast<j_common_ptr>(&cinfo), &file);
    const auto read_header = [&] {
        jpeg_create_decompress(&cinfo);
        cinfo.progress = &progress;
        cinfo.src = &source;
        jpeg_save_markers(&cinfo, JPEG_APP0 + 1, 0xFFFF);
        jpeg_read_header(&cinfo, TRUE);
    };
    if (!guarded(session, read_header)) refuse(session, cinfo);
    check_size(cinfo.image_width, cinfo.image_height);
    if (!cinfo.arith_code) check_bytes(file, least_bytes(cinfo));

    const bool gray = cinfo.jpeg_color_space == JCS_GRAYSCALE;
    const auto measure = [&] {
        if (request.max_side_px > 0) {
            cinfo.scale_num = scale_eighths(cinfo, request.max_side_px);
            cinfo.scale_denom = 8;
        }
        jpeg_calc_output_dimensions(&cinfo);
    };
    if (!guarded(session, measure)) refuse(session, cinfo);
    // An EXIF block may ask for the image to be turned, which takes another.
    const uint64_t images = exif_of(cinfo).empty() ? 1 : 2;
    check_decoding(request.max_side_px, uint64_t{cinfo.output_width} * cinfo.output_height * (gray ? 1 : 4) * images +
                                            coefficient_bytes(cinfo));
    const auto start = [&] {
        const bool cmyk = cinfo.jpeg_color_space == JCS_CMYK || cinfo.jpeg_color_space == JCS_YCCK;
        cinfo.out_color_space = gray ? JCS_GRAYSCALE : cmyk ? JCS_CMYK : JCS_EXT_RGBA;
        jpeg_start_decompress(&cinfo);
    };
    if (!guarded(session, start)) refuse(session, cinfo);
    LoadedImage loaded = make_loaded(cinfo.output_width, cinfo.output_height, gray ? 1 : 3, 8);
    loaded.details.file_channels = cinfo.num_components;
    if (const auto exif = exif_of(cinfo); !exif.empty()) read_exif(exif, loaded.details);
    read_rows(session, cinfo, {file, loaded.image, request.max_side_px == 0 && loaded.details.orientation == 1});
    loaded.image = apply_orientation(std::move(loaded.image), loaded.details.orientation);
    if (!guarded(session, [&] { jpeg_finish_decompress(&cinfo); })) refuse(session, cinfo);
    file.check();
    return loaded;
}

std::span<const ParamInfo> quality_options() {
    static constexpr ParamInfo table[] = {
        {.id = "quality",
         .label = "Quality",
         .help = "How closely pixels are kept; lower values give smaller files; 100 keeps those of WebP exactly",
         .offset = offsetof(QualityOptions, quality),
         .min = 1,
         .max = 100,
         .default_value = 95}};
    return table;
}

void check_jpeg(const ImageSpec& spec) {
    if (std::max(spec.width, spec.height) <= int(JPEG_MAX_DIMENSION)) return;
    throw UserError("a JPEG may have sides of at most " + std::to_string(JPEG_MAX_DIMENSION) +
                    " pixels; save it as PNG");
}

void save_jpeg(FileWriter& file, const ImageView& image, const ParamBlock& options) {
    jpeg_compress_struct cinfo{};
    Session session(reinterpret_cast<j_common_ptr>(&cinfo));
    if (guarded(session, [&] { write_jpeg(cinfo, file, image, options.as<QualityOptions>().quality); })) return;
    file.finish();  // names the failed write, where that is what stopped libjpeg
    throw UserError(session.message);
}

}  // namespace tonescope::image_io
