#include "bench/cpu/cpu_bench.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

// after stdio, which it needs
#include <jpeglib.h>
#include <spng.h>
#include <tiffio.h>
#if TONESCOPE_HAVE_IMREAD
#include <opencv2/imgcodecs.hpp>
#endif
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
    size_t size = 0;
    spng_decoded_image_size(context.get(), SPNG_FMT_PNG, &size);
    const auto pixels = std::make_unique_for_overwrite<uint8_t[]>(size);
    if (spng_decode_image(context.get(), pixels.get(), size, SPNG_FMT_PNG, 0) != 0) throw std::runtime_error(path);
}

#if TONESCOPE_HAVE_LIBPNG
void by_libpng(const std::string& path) {
    // Its functions for whole images scale samples of 16 bits by the file's gamma; rows come as they are stored.
    const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    png_struct* png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_info* info = png_create_info_struct(png);
    if (!file || setjmp(png_jmpbuf(png)) != 0) throw std::runtime_error(path);
    png_init_io(png, file.get());
    png_read_info(png, info);
    if (png_get_bit_depth(png, info) == 16) png_set_swap(png);
    png_read_update_info(png, info);
    const size_t row_bytes = png_get_rowbytes(png, info), height = png_get_image_height(png, info);
    const auto pixels = std::make_unique_for_overwrite<uint8_t[]>(row_bytes * height);
    for (size_t y = 0; y < height; ++y) png_read_row(png, &pixels[y * row_bytes], nullptr);
    png_read_end(png, nullptr);
    png_destroy_read_struct(&png, &info, nullptr);
}
#endif

/// Whole strips, which libtiff inflates by libdeflate; the file is mapped.
void by_libtiff(const std::string& path) {
    const std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(TIFFOpen(path.c_str(), "r"), TIFFClose);
    if (!tiff || TIFFIsTiled(tiff.get()) != 0) throw std::runtime_error(path);
    uint32_t height = 0;
    TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
    const auto strip_bytes = size_t(TIFFStripSize64(tiff.get()));
    const uint32_t strips = TIFFNumberOfStrips(tiff.get());
    const auto pixels = std::make_unique_for_overwrite<uint8_t[]>(strip_bytes * strips);
    for (uint32_t i = 0; i < strips; ++i)
        if (TIFFReadEncodedStrip(tiff.get(), i, &pixels[i * strip_bytes], -1) < 0) throw std::runtime_error(path);
}

#if TONESCOPE_HAVE_IMREAD
void by_opencv(const std::string& path) {
    if (cv::imread(path, cv::IMREAD_UNCHANGED).empty()) throw std::runtime_error(path);
}
#endif

void by_stb_deep(const std::string& path) {
    const Bytes bytes = read_file(path);
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_us, decltype(&stbi_image_free)> pixels(
        stbi_load_16_from_memory(bytes.data(), int(bytes.size()), &width, &height, &channels, 0), stbi_image_free);
    if (!pixels) throw std::runtime_error(path);
}

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
    const LoadedImage loaded = load_image(path, {}, nullptr, {.keeps_depth = true});
    const std::string format = loaded.details.format;
    const bool deep = is_deep(loaded.image.spec().format);
    std::vector<CpuRun> runs;
    const auto add = [&](const char* kind, const char* name, auto decode) {
        runs.push_back({{"decode", kind, name, "cpu"}, [path, decode] { decode(path); }, [](Row&) {}});
    };
    add("variant", "tonescope", [](const std::string& file) { load_image(file, {}, nullptr, {.keeps_depth = true}); });
    if (format == "JPEG") add("peer", "libjpeg-turbo", by_libjpeg);
    if (format == "PNG") {
        add("peer", "libspng", by_libspng);
#if TONESCOPE_HAVE_LIBPNG
        add("peer", "libpng", by_libpng);
#endif
    }
    if (format == "JPEG" || format == "PNG") add("peer", "stb_image", deep ? by_stb_deep : by_stb);
    if (format == "TIFF") add("peer", "libtiff", by_libtiff);
#if TONESCOPE_HAVE_IMREAD
    if (format == "PNG" || format == "TIFF") add("peer", "OpenCV imread", by_opencv);
#endif
    return time_in_turn(runs, double(bytes.size()) + double(spec.row_bytes()) * spec.height, seconds);
}

}  // namespace tonescope::bench
