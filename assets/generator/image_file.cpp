#include "assets/generator/image_file.h"

#include <zlib.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

// stb's own deflate leaves a quarter of a PNG's size on the table; it frees what this returns with free().
static unsigned char* compress_with_zlib(unsigned char* data, int data_bytes, int* out_bytes, int) {
    uLongf size = compressBound(uLong(data_bytes));
    auto* out = static_cast<unsigned char*>(std::malloc(size));
    if (out && compress2(out, &size, data, uLong(data_bytes), 9) != Z_OK) {
        std::free(out);
        out = nullptr;
    }
    *out_bytes = out ? int(size) : 0;
    return out;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_SIMD
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBIW_ZLIB_COMPRESS compress_with_zlib
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace tonescope::assets {

std::vector<uint8_t> encode(const Picture& picture, const std::string& file_name) {
    std::vector<uint8_t> bytes;
    const auto append = [](void* context, void* data, int size) {
        auto* begin = static_cast<uint8_t*>(data);
        static_cast<std::vector<uint8_t>*>(context)->insert(static_cast<std::vector<uint8_t>*>(context)->end(), begin,
                                                            begin + size);
    };
    const int row_bytes = picture.width * picture.channels;
    const bool done = file_name.ends_with(".jpg")
                          ? stbi_write_jpg_to_func(append, &bytes, picture.width, picture.height, picture.channels,
                                                   picture.samples.data(), 88)
                          : stbi_write_png_to_func(append, &bytes, picture.width, picture.height, picture.channels,
                                                   picture.samples.data(), row_bytes);
    if (!done) throw std::runtime_error("cannot encode " + file_name);
    return bytes;
}

void write_file(const std::string& path, const std::vector<uint8_t>& bytes) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    out.close();
    if (!out) throw std::runtime_error("cannot write " + path);
}

std::vector<uint8_t> read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (bytes.empty()) throw std::runtime_error("cannot read " + path);
    return bytes;
}

Picture decode(const std::vector<uint8_t>& bytes) {
    Picture picture;
    stbi_uc* samples =
        stbi_load_from_memory(bytes.data(), int(bytes.size()), &picture.width, &picture.height, &picture.channels, 0);
    if (!samples) throw std::runtime_error(std::string("cannot decode: ") + stbi_failure_reason());
    picture.samples.assign(samples,
                           samples + size_t(picture.width) * size_t(picture.height) * size_t(picture.channels));
    stbi_image_free(samples);
    return picture;
}

}  // namespace tonescope::assets
