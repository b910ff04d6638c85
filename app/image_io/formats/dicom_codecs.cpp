#include "app/image_io/formats/dicom_codecs.h"

#include <charls/charls.h>
#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmjpeg/djcparam.h>
#include <dcmtk/dcmjpeg/djdijg12.h>
#include <dcmtk/dcmjpeg/djdijg16.h>
#include <dcmtk/dcmjpeg/djdijg8.h>
#include <openjpeg.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>

namespace tonescope::image_io {
namespace {

/// What the header of a compressed stream says.
struct StreamHeader {
    int64_t width = 0, height = 0;
    int samples = 0, bits = 0;
    bool is_lossless = false;  // JPEG
};

/// What such a stream is decoded to. `more_bytes`: what that takes beside it, the stream included. Throws UserError
/// where its header and the file differ.
DicomFrame frame_for(const StreamHeader& header, const DicomPixels& pixels, uint64_t more_bytes, int max_side_px) {
    if (header.width != pixels.width || header.height != pixels.height || header.samples != pixels.samples)
        refuse_damaged("its compressed pixels have another size than the file says");
    if (header.bits < 1 || header.bits > 16)
        throw UserError("DICOM with " + std::to_string(header.bits) + " compressed bits a sample is not supported");
    DicomFrame frame;
    frame.pixels = pixels;
    frame.pixels.bits_allocated = header.bits > 8 ? 16 : 8;
    frame.pixels.in_planes = false;
    check_decoding(max_side_px, frame.pixels.size_bytes() + more_bytes);
    frame.bytes.resize(frame.pixels.size_bytes());
    return frame;
}

/// Segments of the PackBits kind, one for each byte of each sample of all pixels, the highest byte first (DICOM PS3.5,
/// annex G).
DicomFrame decode_run_lengths(const std::vector<uint8_t>& stream, const DicomPixels& pixels, int max_side_px) {
    constexpr size_t kHeader_bytes = 64;
    const auto bytes = size_t(pixels.bits_allocated / 8), segments = bytes * size_t(pixels.samples);
    if (stream.size() < kHeader_bytes) refuse_damaged("its run lengths end too early");
    if (bytes == 0 || segments >= kHeader_bytes / 4 || little_endian<4>(stream.data()) != segments)
        refuse_damaged("its run lengths do not fit its pixels");
    check_decoding(max_side_px, pixels.size_bytes() + stream.size());
    DicomFrame frame{pixels, std::vector<uint8_t>(pixels.size_bytes()), false};
    frame.pixels.in_planes = false;
    const size_t count = size_t(pixels.width) * size_t(pixels.height);
    for (size_t segment = 0; segment < segments; ++segment) {
        size_t at = little_endian<4>(&stream[4 * (segment + 1)]);
        uint8_t* to = frame.bytes.data() + segment / bytes * bytes + (bytes - 1 - segment % bytes);
        for (size_t pixel = 0; pixel < count;) {
            if (at >= stream.size()) refuse_damaged("its run lengths end too early");
            const uint8_t code = stream[at++];
            if (code == 128) continue;
            const bool is_run = code > 128;
            const size_t length = std::min(is_run ? 257 - size_t{code} : size_t{code} + 1, count - pixel);
            if (at + (is_run ? 1 : length) > stream.size()) refuse_damaged("its run lengths end too early");
            for (size_t i = 0; i < length; ++i, to += segments) *to = stream[is_run ? at : at + i];
            at += is_run ? 1 : length;
            pixel += length;
        }
    }
    return frame;
}

/// The frame header of a JPEG stream.
StreamHeader jpeg_header(const std::vector<uint8_t>& stream) {
    for (size_t at = 2; at + 4 <= stream.size();) {
        if (stream[at] != 0xFF) break;
        const uint8_t marker = stream[at + 1];
        if (marker == 0xFF) {  // a fill byte
            ++at;
            continue;
        }
        if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) {  // markers that stand alone
            at += 2;
            continue;
        }
        const bool is_frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (is_frame && at + 10 <= stream.size())
            return {big_endian<2>(&stream[at + 7]), big_endian<2>(&stream[at + 5]), stream[at + 9], stream[at + 4],
                    marker == 0xC3};
        at += 2 + size_t{big_endian<2>(&stream[at + 2])};
    }
    refuse_damaged("its JPEG has no header");
}

/// DCMTK's decoders read beyond a table of theirs where differences have more bits than 15, or 16 in JPEG without loss.
/// Tables stand behind a marker that cannot occur among packed coefficients.
void check_dc_tables(const std::vector<uint8_t>& stream, bool is_lossless) {
    constexpr size_t kCounts = 16;
    const int most_bits = is_lossless ? 16 : 15;
    for (size_t begin = 0; begin + 4 <= stream.size(); ++begin) {
        if (stream[begin] != 0xFF || stream[begin + 1] != 0xC4) continue;
        const size_t end = std::min(stream.size(), begin + 2 + big_endian<2>(&stream[begin + 2]));
        for (size_t at = begin + 4; at + 1 + kCounts <= end;) {
            const bool is_dc = stream[at] >> 4 == 0;
            size_t count = 0;
            for (size_t i = 1; i <= kCounts; ++i) count += stream[at + i];
            at += 1 + kCounts;
            const size_t next = at + count;
            for (; is_dc && at < std::min(next, stream.size()); ++at)
                if (stream[at] > most_bits) refuse_damaged("its JPEG has a wrong Huffman table");
            at = next;
        }
    }
}

DicomFrame decode_jpeg(std::vector<uint8_t> stream, const DicomPixels& pixels, bool is_ybr, int max_side_px) {
    const StreamHeader header = jpeg_header(stream);
    check_dc_tables(stream, header.is_lossless);
    // A progressive stream is held in coefficients of 16 bits.
    DicomFrame frame = frame_for(header, pixels, 2 * pixels.count() + stream.size(), max_side_px);
    const DJCodecParameter parameter(ECC_lossyYCbCr, is_ybr ? EDC_photometricInterpretation : EDC_never, EUC_never,
                                     EPC_colorByPixel, OFTrue);
    std::unique_ptr<DJDecoder> decoder;
    if (header.bits > 12) {
        decoder = std::make_unique<DJDecompressIJG16Bit>(parameter, is_ybr);
    } else if (header.bits > 8) {
        decoder = std::make_unique<DJDecompressIJG12Bit>(parameter, is_ybr);
    } else {
        decoder = std::make_unique<DJDecompressIJG8Bit>(parameter, is_ybr);
    }
    OFCondition done = decoder->init();
    if (done.good())
        done = decoder->decode(stream.data(), Uint32(stream.size()), frame.bytes.data(), Uint32(frame.bytes.size()),
                               OFFalse);
    if (done == EC_MemoryExhausted) throw std::bad_alloc();
    if (done == EJ_Suspension) refuse_damaged("its JPEG ends too early");
    if (done.bad()) refuse_damaged("its JPEG cannot be decoded (" + clean_text(done.text()) + ")");
    return frame;
}

DicomFrame decode_jpeg_ls(const std::vector<uint8_t>& stream, const DicomPixels& pixels, bool is_ybr, int max_side_px) {
    const auto check = [](charls_jpegls_errc error) {
        if (error == charls_jpegls_errc::not_enough_memory) throw std::bad_alloc();
        if (error != charls_jpegls_errc::success)
            refuse_damaged("its JPEG-LS cannot be decoded (" + clean_text(charls_get_error_message(error)) + ")");
    };
    const std::unique_ptr<charls_jpegls_decoder, void (*)(const charls_jpegls_decoder*)> decoder(
        charls_jpegls_decoder_create(), charls_jpegls_decoder_destroy);
    if (!decoder) throw std::bad_alloc();
    charls_frame_info info{};
    charls_interleave_mode mode{};
    size_t size = 0;
    check(charls_jpegls_decoder_set_source_buffer(decoder.get(), stream.data(), stream.size()));
    check(charls_jpegls_decoder_read_header(decoder.get()));
    check(charls_jpegls_decoder_get_frame_info(decoder.get(), &info));
    check(charls_jpegls_decoder_get_interleave_mode(decoder.get(), &mode));
    DicomFrame frame = frame_for({info.width, info.height, info.component_count, info.bits_per_sample, false}, pixels,
                                 stream.size(), max_side_px);
    frame.is_ybr = is_ybr;
    frame.pixels.in_planes = mode == charls_interleave_mode::none && pixels.samples > 1;
    check(charls_jpegls_decoder_get_destination_size(decoder.get(), 0, &size));
    if (size != frame.bytes.size()) refuse_damaged("its JPEG-LS has another size than the file says");
    check(charls_jpegls_decoder_decode_to_buffer(decoder.get(), frame.bytes.data(), frame.bytes.size(), 0));
    return frame;
}

/// A JPEG 2000 stream as OpenJPEG reads it.
struct Jpeg2000Input {
    std::span<const uint8_t> bytes;
    size_t at = 0;

    static OPJ_SIZE_T read(void* to, OPJ_SIZE_T count, void* self) {
        auto& input = *static_cast<Jpeg2000Input*>(self);
        const size_t got = std::min(count, input.bytes.size() - input.at);
        if (got == 0) return OPJ_SIZE_T(-1);
        std::memcpy(to, input.bytes.data() + input.at, got);
        input.at += got;
        return got;
    }
    static OPJ_OFF_T skip(OPJ_OFF_T count, void* self) {
        auto& input = *static_cast<Jpeg2000Input*>(self);
        if (count < 0) return -1;
        const auto skipped = std::min<uint64_t>(uint64_t(count), input.bytes.size() - input.at);
        if (skipped == 0 && count > 0) return -1;
        input.at += skipped;
        return OPJ_OFF_T(skipped);
    }
    static OPJ_BOOL seek(OPJ_OFF_T offset, void* self) {
        auto& input = *static_cast<Jpeg2000Input*>(self);
        if (offset < 0 || uint64_t(offset) > input.bytes.size()) return OPJ_FALSE;
        input.at = size_t(offset);
        return OPJ_TRUE;
    }
};

/// The code stream, which should stand alone and may lie in the box of a file. Begins with its size (SOC and SIZ).
std::span<const uint8_t> code_stream(std::span<const uint8_t> bytes) {
    constexpr uint8_t kBegin[] = {0xFF, 0x4F, 0xFF, 0x51};
    constexpr size_t kBox_bytes = 8, kLongBox_bytes = 16, kSize_bytes = 42;
    while (bytes.size() >= kSize_bytes) {
        if (std::equal(kBegin, std::end(kBegin), bytes.begin())) return bytes;
        const bool is_long = big_endian<4>(bytes.data()) == 1;
        const size_t length = big_endian<4>(&bytes[is_long ? 12 : 0]), header = is_long ? kLongBox_bytes : kBox_bytes;
        if (std::memcmp(&bytes[4], "jp2c", 4) == 0) {
            bytes = bytes.subspan(header);
        } else if (length >= header && length <= bytes.size()) {
            bytes = bytes.subspan(length);
        } else {
            break;
        }
    }
    refuse_damaged("its JPEG 2000 has no size");
}

uint64_t count_tiles(std::span<const uint8_t> stream) {
    const auto tiles = [&](size_t end, size_t first, size_t side) {
        const uint64_t to = big_endian<4>(&stream[end]), from = big_endian<4>(&stream[first]);
        const uint64_t px = std::max<uint64_t>(big_endian<4>(&stream[side]), 1);
        return to > from ? (to - from + px - 1) / px : 0;
    };
    constexpr uint64_t kMostTiles = 65535;  // more are refused
    return std::min(tiles(8, 32, 24) * tiles(12, 36, 28), kMostTiles);
}

DicomFrame decode_jpeg_2000(std::span<const uint8_t> stream, const DicomPixels& pixels, bool is_ybr, int max_side_px) {
    stream = code_stream(stream);
    const uint64_t tiles = count_tiles(stream);
    // What OpenJPEG takes for tiles before it reads any of them (opj_tcp_t, and opj_tccp_t for a component).
    constexpr uint64_t kTile_bytes = 6000, kComponent_bytes = 1200;
    check_decoding(max_side_px, tiles * (kTile_bytes + kComponent_bytes * big_endian<2>(&stream[40])));
    Jpeg2000Input input{stream};
    // OpenJPEG's own buffer is read ahead.
    const std::unique_ptr<opj_stream_t, void (*)(opj_stream_t*)> opj_input(opj_stream_create(size_t{1} << 16, OPJ_TRUE),
                                                                           opj_stream_destroy);
    const std::unique_ptr<opj_codec_t, void (*)(opj_codec_t*)> codec(opj_create_decompress(OPJ_CODEC_J2K),
                                                                     opj_destroy_codec);
    if (!opj_input || !codec) throw std::bad_alloc();
    opj_stream_set_user_data(opj_input.get(), &input, nullptr);
    opj_stream_set_user_data_length(opj_input.get(), stream.size());
    opj_stream_set_read_function(opj_input.get(), Jpeg2000Input::read);
    opj_stream_set_skip_function(opj_input.get(), Jpeg2000Input::skip);
    opj_stream_set_seek_function(opj_input.get(), Jpeg2000Input::seek);

    std::string said;
    opj_set_error_handler(
        codec.get(),
        [](const char* text, void* to) {
            auto& words = *static_cast<std::string*>(to);
            if (words.empty()) words = text;
        },
        &said);
    const auto refuse = [&] {
        if (said.find("emory") != std::string::npos) throw std::bad_alloc();
        said = clean_text(said);
        refuse_damaged("its JPEG 2000 cannot be decoded" + (said.empty() ? "" : " (" + said + ")"));
    };
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    opj_image_t* made = nullptr;
    const bool has_header =
        opj_setup_decoder(codec.get(), &parameters) != 0 && opj_read_header(opj_input.get(), codec.get(), &made) != 0;
    const std::unique_ptr<opj_image_t, void (*)(opj_image_t*)> image(made, opj_image_destroy);
    if (!has_header || image->numcomps == 0) refuse();
    const std::span components(image->comps, image->numcomps);
    StreamHeader header{int64_t{image->x1} - image->x0, int64_t{image->y1} - image->y0, int(components.size()), 0,
                        false};
    for (const opj_image_comp_t& component : components) {
        if (component.dx != 1 || component.dy != 1)
            throw UserError("DICOM with subsampled JPEG 2000 is not supported; convert it to TIFF");
        header.bits = std::max(header.bits, int(std::min(component.prec, OPJ_UINT32{64})));
    }
    // The decoder holds a word of 32 bits for each sample, as much again where there are several tiles, which may be of
    // unequal size, half a byte for the usual blocks of 32 or 64 samples squared, and a copy of what they are packed
    // in.
    const uint64_t words_bytes = (tiles > 1 ? 8 : 4) * pixels.count();
    DicomFrame frame = frame_for(header, pixels, words_bytes + pixels.count() / 2 + 2 * stream.size(), max_side_px);
    if (opj_decode(codec.get(), opj_input.get(), image.get()) == 0) refuse();
    const size_t count = size_t(pixels.width) * size_t(pixels.height), step = components.size();
    for (size_t c = 0; c < step; ++c) {
        const opj_image_comp_t& component = image->comps[c];
        if (component.data == nullptr || component.w != OPJ_UINT32(pixels.width) ||
            component.h != OPJ_UINT32(pixels.height))
            refuse();
        for (size_t i = 0; i < count; ++i) {
            const auto sample = uint16_t(component.data[i]);  // of signed ones the lower bits
            if (frame.pixels.bits_allocated == 8) {
                frame.bytes[i * step + c] = uint8_t(sample);
            } else {
                std::memcpy(&frame.bytes[2 * (i * step + c)], &sample, sizeof sample);
            }
        }
    }
    // The stream's own color transform has been undone.
    frame.is_ybr = is_ybr;
    return frame;
}

}  // namespace

DicomFrame decode_dicom(DicomCodec codec, std::vector<uint8_t> stream, const DicomPixels& pixels, bool is_ybr,
                        int max_side_px) {
    switch (codec) {
        case DicomCodec::run_lengths: {
            DicomFrame frame = decode_run_lengths(stream, pixels, max_side_px);
            frame.is_ybr = is_ybr;
            return frame;
        }
        case DicomCodec::jpeg:
            return decode_jpeg(std::move(stream), pixels, is_ybr, max_side_px);
        case DicomCodec::jpeg_ls:
            return decode_jpeg_ls(stream, pixels, is_ybr, max_side_px);
        case DicomCodec::jpeg_2000:
            return decode_jpeg_2000(stream, pixels, is_ybr, max_side_px);
    }
    throw UserError("this kind of DICOM is not supported");
}

}  // namespace tonescope::image_io
