// WebP through libwebp. Of an animation the first frame is read.
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

#include <exception>
#include <memory>
#include <new>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

constexpr int kLossless = 100;  // the quality that stands for it
// This effort packs a photograph of 24 MPixel without loss in seconds; higher ones take several times as long for a few
// percent.
constexpr int kLosslessEffort = 1;

[[noreturn]] void refuse_webp(VP8StatusCode status) {
    switch (status) {
        case VP8_STATUS_OUT_OF_MEMORY:
            throw std::bad_alloc();
        case VP8_STATUS_UNSUPPORTED_FEATURE:
            throw UserError("this kind of WebP is not supported");
        case VP8_STATUS_NOT_ENOUGH_DATA:
            refuse_damaged("it ends too early");
        default:
            refuse_damaged("its pixels cannot be decoded");
    }
}

using Demuxer = std::unique_ptr<WebPDemuxer, void (*)(WebPDemuxer*)>;

/// A frame or a piece of metadata, which libwebp wants to have back.
template <class Iterator, void (*release)(Iterator*)>
struct Released : Iterator {
    Released() : Iterator{} {}
    ~Released() { release(this); }
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
};
using WebpFrame = Released<WebPIterator, WebPDemuxReleaseIterator>;
using WebpChunk = Released<WebPChunkIterator, WebPDemuxReleaseChunkIterator>;

void find_webp_exif(const WebPDemuxer* demuxer, ImageDetails& details) {
    WebpChunk chunk;
    if (WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk) == 0) return;
    std::span<const uint8_t> block(chunk.chunk.bytes, chunk.chunk.size);
    // Some programs put the header in front that the block has in a JPEG.
    constexpr size_t kJpegHeader_bytes = 6;
    if (block.size() > kJpegHeader_bytes && block[0] == 'E') block = block.subspan(kJpegHeader_bytes);
    read_exif(block, details);
}

/// Decodes into the image from this pixel on.
void decode_frame(const WebpFrame& frame, WebPDecoderConfig& config, HostImage& image, int x, int y) {
    const MutableImageView view = image.mutable_view();
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = {view.pixel(x, y), int(view.pitch_bytes),
                            image.size_bytes() - size_t(view.pixel(x, y) - view.data)};
    const VP8StatusCode status = WebPDecode(frame.fragment.bytes, frame.fragment.size, &config);
    if (status != VP8_STATUS_OK) refuse_webp(status);
}

/// What passes through libwebp, which no exception may: the encoder stops, and this is thrown afterwards.
struct WebpOutput {
    FileWriter& file;
    int height;
    std::exception_ptr stopped = nullptr;
};

int write_webp(const uint8_t* data, size_t bytes, const WebPPicture* picture) {
    return static_cast<WebpOutput*>(picture->custom_ptr)->file.write(data, bytes) ? 1 : 0;
}

int follow_progress(int percent, const WebPPicture* picture) {
    auto& output = *static_cast<WebpOutput*>(picture->user_data);
    try {
        output.file.row_done(percent, 100);
        return 1;
    } catch (...) {
        output.stopped = std::current_exception();
        return 0;
    }
}

}  // namespace

LoadedImage load_webp(FileReader& file, const LoadRequest& request) {
    // libwebp takes the whole file at once.
    check_decoding(request.max_side_px, file.size_bytes());
    std::vector<uint8_t> bytes(file.size_bytes());
    file.read_whole(bytes);
    WebPDecoderConfig config;
    if (WebPInitDecoderConfig(&config) == 0) throw UserError("libwebp is of another version");
    const auto known = WebPGetFeatures(bytes.data(), bytes.size(), &config.input);
    if (known != VP8_STATUS_OK) refuse_webp(known);
    const WebPBitstreamFeatures features = config.input;  // which decoding overwrites
    check_size(features.width, features.height);
    // Of a file without loss libwebp holds the pixels, too.
    const uint64_t pixels_bytes = uint64_t(features.width) * uint64_t(features.height) * 4;
    const bool small = request.max_side_px > 0 && features.has_animation == 0;
    const ImageSpec reduced =
        small ? reduced_spec({features.width, features.height, PixelFormat::rgba8}, request.max_side_px)
              : ImageSpec{features.width, features.height, PixelFormat::rgba8};
    check_decoding(request.max_side_px,
                   file.size_bytes() + reduced.size_bytes() + (features.format == 1 ? 0 : pixels_bytes));

    const WebPData data{bytes.data(), bytes.size()};
    const Demuxer demuxer(WebPDemux(&data), WebPDemuxDelete);
    WebpFrame frame;
    if (!demuxer || WebPDemuxGetFrame(demuxer.get(), 1, &frame) == 0 || frame.complete == 0)
        refuse_damaged("it ends too early, or its parts do not go together");
    const bool whole =
        frame.x_offset == 0 && frame.y_offset == 0 && frame.width == features.width && frame.height == features.height;
    LoadedImage loaded = make_loaded(reduced.width, reduced.height, features.has_alpha != 0 || !whole ? 4 : 3, 8);
    loaded.details.file_channels = features.has_alpha != 0 ? 4 : 3;
    if (!whole) std::fill_n(loaded.image.data(), loaded.image.size_bytes(), uint8_t(0));  // transparent
    if (small) {
        config.options.use_scaling = 1;
        config.options.scaled_width = reduced.width;
        config.options.scaled_height = reduced.height;
    }
    decode_frame(frame, config, loaded.image, frame.x_offset, frame.y_offset);
    if (features.has_animation != 0 && has_only_alpha(loaded.image.view(), 255)) {
        // Whether any frame has alpha, the header says, and not which one.
        loaded.image.set_has_alpha(false);
        loaded.details.file_channels = 3;
    }
    if (frame.num_frames > 1)
        loaded.details.notes.push_back("the first of " + std::to_string(frame.num_frames) + " frames");
    find_webp_exif(demuxer.get(), loaded.details);
    loaded.image = apply_orientation(std::move(loaded.image), loaded.details.orientation);
    return loaded;
}

void check_webp(const ImageSpec& spec) {
    if (std::max(spec.width, spec.height) <= WEBP_MAX_DIMENSION) return;
    throw UserError("a WebP may have sides of at most " + std::to_string(WEBP_MAX_DIMENSION) +
                    " pixels; save it as PNG");
}

void save_webp(FileWriter& file, const ImageView& image, const ParamBlock& options) {
    const int quality = options.as<QualityOptions>().quality;
    WebPConfig config;
    WebPPicture picture;
    if (WebPConfigInit(&config) == 0 || WebPPictureInit(&picture) == 0)
        throw UserError("libwebp is of another version");
    const std::unique_ptr<WebPPicture, void (*)(WebPPicture*)> owner(&picture, WebPPictureFree);
    config.quality = float(quality);
    if (quality == kLossless) {
        WebPConfigLosslessPreset(&config, kLosslessEffort);
        config.exact = 1;  // colors of transparent pixels, too
        picture.use_argb = 1;
    }
    WebpOutput output{file, image.spec.height};
    picture.width = image.spec.width;
    picture.height = image.spec.height;
    picture.writer = write_webp;
    picture.custom_ptr = picture.user_data = &output;
    picture.progress_hook = follow_progress;
    HostImage color;
    ImageView from = image;
    if (is_gray(image.spec.format)) {
        color = HostImage({image.spec.width, image.spec.height, PixelFormat::rgba8, false});
        for (int y = 0; y < image.spec.height; ++y)
            for (int x = 0; x < image.spec.width; ++x) {
                uint8_t* const pixel = color.mutable_view().pixel(x, y);
                std::fill_n(pixel, 3, image.row(y)[x]);
                pixel[3] = 255;
            }
        from = color.view();
    }
    const auto import = image.spec.has_alpha ? WebPPictureImportRGBA : WebPPictureImportRGBX;
    if (import(&picture, from.data, int(from.pitch_bytes)) != 0) {
        color = {};
        if (WebPEncode(&config, &picture) != 0) {
            file.row_done(image.spec.height, image.spec.height);
            return;
        }
    }
    if (output.stopped) std::rethrow_exception(output.stopped);
    file.finish();  // names the failed write, where that is what stopped libwebp
    if (picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY ||
        picture.error_code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY)
        throw std::bad_alloc();
    throw UserError("libwebp cannot write it (error " + std::to_string(picture.error_code) + ")");
}

}  // namespace tonescope::image_io
