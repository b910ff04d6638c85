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

constexpr Scene kScenes[] = {{"fog.png", draw_fog},   {"night.png", draw_night},   {"radiograph.png", draw_radiograph},
                             {"page.png", draw_page}, {"planet.png", draw_planet}, {"balloons.jpg", draw_balloons}};

/// PNG or JPEG (quality 88), by the extension. The same bytes for the same picture.
std::vector<uint8_t> encode(const Picture& p, const std::string& file_name) {
    std::vector<uint8_t> bytes;
    const auto append = [](void* context, void* data, int size) {
        const auto* begin = static_cast<const uint8_t*>(data);
        auto& to = *static_cast<std::vector<uint8_t>*>(context);
        to.insert(to.end(), begin, begin + size);
    };
    if (file_name.ends_with(".jpg"))
        stbi_write_jpg_to_func(append, &bytes, p.width, p.height, p.channels, p.samples.data(), 88);
    else
        stbi_write_png_to_func(append, &bytes, p.width, p.height, p.channels, p.samples.data(), 0);
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
