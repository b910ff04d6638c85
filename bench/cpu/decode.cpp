#include "bench/cpu/cpu_bench.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

// after stdio, which it needs
#include <jpeglib.h>
#include <spng.h>
#if TONESCOPE_HAVE_LIBPNG
#include <png.h>
#endif

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#include <stb_image.h>

#include "app/image_io/image_io.h"

namespace tonescope::bench {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void by_libjpeg(const std::string& path) {
    const Bytes bytes = read_file(path);
    jpeg_decompress_struct info{};
    jpeg_error_mgr errors{};
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes.data(), bytes.size());
    jpeg_read_header(&info, TRUE);
    jpeg_start_decompress(&info);
    const size_t row_bytes = size_t(info.output_width) * size_t(info.output_components);
    const auto pixels = std::make_unique_for_overwrite<uint8_t[]>(row_bytes * info.output_height);
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = &pixels[row_bytes * info.output_scanline];
        jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
}

void by_libspng(const std::string& path) {
    const Bytes bytes = read_file(path);
    const std::unique_ptr<spng_ctx, decltype(&spng_ctx_free)> context(spng_ctx_new(0), spng_ctx_free);
    spng_set_png_buffer(context.get(), bytes.data(), bytes.size());
    spng_ihdr header{};
    spng_get_ihdr(context.get(), &header);
    // 8-bit files as they are stored, deeper ones reduced.
    const int format = header.bit_depth > 8 ? SPNG_FMT_RGBA8 : SPNG_FMT_PNG;
    size_t size = 0;
    spng_decoded_image_size(context.get(), format, &size);
    const auto pixels = std::make_unique_for_overwrite<uint8_t[]>(size);
    if (spng_decode_image(context.get(), pixels.get(), size, format, 0) != 0) throw std::runtime_error(path);
}

#if TONESCOPE_HAVE_LIBPNG
void by_libpng(const std::string& path) {
    const Bytes bytes = read_file(path);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) throw std::runtime_error(path);
    image.format &= ~unsigned(PNG_FORMAT_FLAG_LINEAR | PNG_FORMAT_FLAG_COLORMAP);
    const auto pixels = std::make_unique_for_overwrite<uint8_t[]>(PNG_IMAGE_SIZE(image));
    png_image_finish_read(&image, nullptr, pixels.get(), 0, nullptr);
}
#endif

void by_stb(const std::string& path) {
    const Bytes bytes = read_file(path);
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
        stbi_load_from_memory(bytes.data(), int(bytes.size()), &width, &height, &channels, 0), stbi_image_free);
    if (!pixels) throw std::runtime_error(path);
}

}  // namespace

Rows time_decoders(const std::string& path, const ImageSpec& spec, double seconds) {
    const Bytes bytes = read_file(path);
    const std::string format = load_image(path).details.format;
    std::vector<CpuRun> runs;
    const auto add = [&](const char* kind, const char* name, auto decode) {
        runs.push_back({{"decode", kind, name, "cpu"}, [path, decode] { decode(path); }, [](Row&) {}});
    };
    add("variant", "tonescope", [](const std::string& file) { load_image(file); });
    if (format == "JPEG") add("peer", "libjpeg-turbo", by_libjpeg);
    if (format == "PNG") {
        add("peer", "libspng", by_libspng);
#if TONESCOPE_HAVE_LIBPNG
        add("peer", "libpng", by_libpng);
#endif
    }
    if (format == "JPEG" || format == "PNG") add("peer", "stb_image", by_stb);
    return time_in_turn(runs, double(bytes.size()) + double(spec.row_bytes()) * spec.height, seconds);
}

}  // namespace tonescope::bench
