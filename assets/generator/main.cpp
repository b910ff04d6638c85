// Draws the sample images into a folder, or compares them with those that lie there.
//
//     tonescope_assets FOLDER [NAME...]           writes all, or the named files
//     tonescope_assets --check FOLDER [NAME...]   status 1 where decoded pixels differ, 2 after an error
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>

#include "assets/generator/draw.h"

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

using namespace tonescope::assets;

namespace {

struct Scene {
    const char* file_name;
    Picture (*draw)();
};

constexpr Scene kScenes[] = {{"fog.png", draw_fog},
                             {"night.png", draw_night},
                             {"radiograph.png", draw_radiograph},
                             {"page.png", draw_page},
                             {"planet.png", draw_planet},
                             {"balloons.jpg", draw_balloons},
                             {"radiograph-12.tiff", draw_deep_radiograph},
                             {"cells-16.tiff", draw_cells}};

void put(std::vector<uint8_t>& bytes, uint32_t value, int count) {
    for (int i = 0; i < count; ++i) bytes.push_back(uint8_t(value >> (8 * i)));
}
uint32_t get(std::span<const uint8_t> bytes, size_t at, int count) {
    uint32_t value = 0;
    for (int i = count; i-- > 0;) value = value << 8 | bytes[at + size_t(i)];
    return value;
}

constexpr size_t kTiffDirectory = 8;
constexpr int kTiffTags = 11;

/// Gray in 16 bits: one strip, deflated behind the horizontal predictor.
std::vector<uint8_t> encode_tiff(const Picture& p) {
    std::vector<uint8_t> rows;
    for (size_t i = 0; i < p.samples.size(); ++i)
        put(rows, uint16_t(p.samples[i] - (i % size_t(p.width) == 0 ? 0 : p.samples[i - 1])), 2);
    std::vector<uint8_t> packed(compressBound(uLong(rows.size())));
    uLongf size = uLongf(packed.size());
    if (compress2(packed.data(), &size, rows.data(), uLong(rows.size()), 9) != Z_OK)
        throw std::runtime_error("zlib fails");
    const auto width = uint32_t(p.width), height = uint32_t(p.height);
    const uint32_t strip = kTiffDirectory + 2 + 12 * kTiffTags + 4;
    const uint32_t tags[kTiffTags][3] = {{256, 4, width},
                                         {257, 4, height},
                                         {258, 3, 16},
                                         {259, 3, 8},
                                         {262, 3, 1},
                                         {273, 4, strip},
                                         {277, 3, 1},
                                         {278, 4, height},
                                         {279, 4, uint32_t(size)},
                                         {281, 3, uint32_t(p.max_sample)},
                                         {317, 3, 2}};
    std::vector<uint8_t> bytes = {'I', 'I', 42, 0, kTiffDirectory, 0, 0, 0};
    put(bytes, kTiffTags, 2);
    for (const auto& [tag, type, value] : tags) {
        put(bytes, tag, 2);
        put(bytes, type, 2);
        put(bytes, 1, 4);
        put(bytes, value, 4);
    }
    put(bytes, 0, 4);
    bytes.insert(bytes.end(), packed.begin(), packed.begin() + ptrdiff_t(size));
    return bytes;
}

/// Of what encode_tiff() has made.
Picture decode_tiff(std::span<const uint8_t> bytes) {
    const auto value = [&](size_t tag) { return get(bytes, kTiffDirectory + 2 + 12 * tag + 8, 4); };
    Picture p{int(value(0)), int(value(1)), 1, int(value(9)), {}};
    std::vector<uint8_t> rows(2 * size_t(p.width) * size_t(p.height));
    uLongf size = uLongf(rows.size());
    if (value(5) + value(8) > bytes.size() || uncompress(rows.data(), &size, &bytes[value(5)], value(8)) != Z_OK)
        return {};
    for (size_t i = 0; 2 * i < rows.size(); ++i)
        p.samples.push_back(uint16_t(get(rows, 2 * i, 2) + (i % size_t(p.width) == 0 ? 0 : p.samples.back())));
    return p;
}

/// PNG, JPEG (quality 88) or TIFF, by the extension. The same bytes for the same picture.
std::vector<uint8_t> encode(const Picture& p, const std::string& file_name) {
    if (file_name.ends_with(".tiff")) return encode_tiff(p);
    const std::vector<uint8_t> samples(p.samples.begin(), p.samples.end());
    std::vector<uint8_t> bytes;
    const auto append = [](void* context, void* data, int size) {
        const auto* begin = static_cast<const uint8_t*>(data);
        auto& to = *static_cast<std::vector<uint8_t>*>(context);
        to.insert(to.end(), begin, begin + size);
    };
    if (file_name.ends_with(".jpg"))
        stbi_write_jpg_to_func(append, &bytes, p.width, p.height, p.channels, samples.data(), 88);
    else
        stbi_write_png_to_func(append, &bytes, p.width, p.height, p.channels, samples.data(), 0);
    if (bytes.empty()) throw std::runtime_error("cannot encode " + file_name);
    return bytes;
}

std::vector<uint8_t> read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::string& path, const std::vector<uint8_t>& bytes) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    out.close();
    if (!out) throw std::runtime_error("cannot write " + path);
}

/// With as many channels as the file holds.
Picture decode(const std::vector<uint8_t>& bytes) {
    if (bytes.size() > kTiffDirectory + 12 * kTiffTags && bytes[0] == 'I') return decode_tiff(bytes);
    Picture p;
    stbi_uc* samples = stbi_load_from_memory(bytes.data(), int(bytes.size()), &p.width, &p.height, &p.channels, 0);
    if (samples) p.samples.assign(samples, samples + size_t(p.width) * size_t(p.height) * size_t(p.channels));
    stbi_image_free(samples);
    return p;
}

/// Says whether the file shows what is drawn now.
bool check(const Scene& scene, const std::string& path) {
    Picture drawn = scene.draw();
    if (path.ends_with(".jpg")) drawn = decode(encode(drawn, path));  // JPEG changes samples
    const bool same = decode(read_file(path)) == drawn;
    std::printf("%s: %s\n", path.c_str(), same ? "the same" : "differs from what is drawn now");
    return same;
}

int run(std::span<const std::string> arguments) {
    const bool checking = !arguments.empty() && arguments[0] == "--check";
    if (checking) arguments = arguments.subspan(1);
    if (arguments.empty()) throw std::runtime_error("usage: tonescope_assets [--check] FOLDER [NAME...]");
    const auto names = arguments.subspan(1);
    for (const std::string& name : names)
        if (std::ranges::find(kScenes, name, &Scene::file_name) == std::end(kScenes))
            throw std::runtime_error("there is no scene " + name);
    bool good = true;
    for (const Scene& scene : kScenes) {
        if (!names.empty() && std::ranges::find(names, scene.file_name) == names.end()) continue;
        const std::string path = arguments[0] + "/" + scene.file_name;
        if (checking)
            good = check(scene, path) && good;
        else
            write_file(path, encode(scene.draw(), path));
    }
    return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tonescope_assets: %s\n", error.what());
        return 2;
    }
}
