// Draws the sample images and the icon into a folder, or compares them with those that lie there.
//
//     tonescope_assets FOLDER [NAME...]           writes all, or the named files
//     tonescope_assets --check FOLDER [NAME...]   status 1 where decoded pixels differ
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
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
                             {"page.png", draw_page}, {"planet.png", draw_planet}, {"balloons.jpg", draw_balloons},
                             {"icon.png", draw_icon}};

/// PNG or JPEG (quality 88), by the extension. The same bytes for the same picture.
std::vector<uint8_t> encode(const Picture& picture, const std::string& file_name) {
    std::vector<uint8_t> bytes;
    const auto append = [](void* context, void* data, int size) {
        const auto* begin = static_cast<const uint8_t*>(data);
        auto& to = *static_cast<std::vector<uint8_t>*>(context);
        to.insert(to.end(), begin, begin + size);
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

/// Takes over what stb_image gives, with as many channels as the file holds; `name` is for the error.
Picture decoded(stbi_uc* samples, Picture picture, const std::string& name) {
    if (!samples) throw std::runtime_error("cannot decode " + name + ": " + stbi_failure_reason());
    picture.samples.assign(samples,
                           samples + size_t(picture.width) * size_t(picture.height) * size_t(picture.channels));
    stbi_image_free(samples);
    return picture;
}

/// Says where the file differs from what is drawn now; true where it does not.
bool check(const Scene& scene, const std::string& path) {
    const std::vector<uint8_t> bytes = encode(scene.draw(), scene.file_name);
    Picture size;
    auto* samples =
        stbi_load_from_memory(bytes.data(), int(bytes.size()), &size.width, &size.height, &size.channels, 0);
    const Picture expected = decoded(samples, size, scene.file_name);
    samples = stbi_load(path.c_str(), &size.width, &size.height, &size.channels, 0);
    const Picture found = decoded(samples, size, path);
    if (found.width != expected.width || found.height != expected.height || found.channels != expected.channels) {
        std::printf("%s: %dx%dx%d, drawn now: %dx%dx%d\n", path.c_str(), found.width, found.height, found.channels,
                    expected.width, expected.height, expected.channels);
        return false;
    }
    const auto first = std::ranges::mismatch(expected.samples, found.samples).in1 - expected.samples.begin();
    const bool same = first == std::ssize(expected.samples);
    const auto pixel = first / expected.channels;
    if (same) std::printf("%s: the same\n", path.c_str());
    if (!same)
        std::printf("%s: samples differ, the first at x %td, y %td\n", path.c_str(), pixel % expected.width,
                    pixel / expected.width);
    return same;
}

int run(std::span<const std::string> arguments) {
    const bool checking = !arguments.empty() && arguments[0] == "--check";
    if (checking) arguments = arguments.subspan(1);
    if (arguments.empty()) {
        std::fprintf(stderr, "usage: tonescope_assets [--check] FOLDER [NAME...]\n");
        return 2;
    }
    const std::string folder = arguments[0] + "/";
    const auto names = arguments.subspan(1);
    bool good = true;
    size_t done = 0;
    for (const Scene& scene : kScenes) {
        if (!names.empty() && std::ranges::find(names, scene.file_name) == names.end()) continue;
        ++done;
        if (checking)
            good = check(scene, folder + scene.file_name) && good;
        else
            write_file(folder + scene.file_name, encode(scene.draw(), scene.file_name));
    }
    if (!names.empty() && done != names.size()) {
        std::fprintf(stderr, "tonescope_assets: no such picture\n");
        return 2;
    }
    return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::vector<std::string> arguments(argv + 1, argv + argc);
        return run(arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tonescope_assets: %s\n", error.what());
        return 1;
    }
}
