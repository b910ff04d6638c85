// Draws the sample images and the icon into a folder, or compares them with those that lie there.
//
//     tonescope_assets FOLDER [NAME...]           writes all, or the named files
//     tonescope_assets --check FOLDER [NAME...]   status 1 where decoded pixels differ
#include <cstdio>
#include <exception>
#include <span>
#include <string>

#include "assets/generator/image_file.h"
#include "assets/generator/scenes.h"

using namespace tonescope::assets;

namespace {

struct Scene {
    const char* file_name;
    Picture (*draw)();
};

constexpr Scene kScenes[] = {{"fog.png", draw_fog},   {"night.png", draw_night},   {"radiograph.png", draw_radiograph},
                             {"page.png", draw_page}, {"planet.png", draw_planet}, {"balloons.jpg", draw_balloons},
                             {"icon.png", draw_icon}};

/// Says where the file differs from what is drawn now; true where it does not.
bool check(const Scene& scene, const std::string& path) {
    const Picture expected = decode(encode(scene.draw(), scene.file_name));
    const Picture found = decode(read_file(path));
    if (found.width != expected.width || found.height != expected.height || found.channels != expected.channels) {
        std::printf("%s: %dx%dx%d, drawn now: %dx%dx%d\n", path.c_str(), found.width, found.height, found.channels,
                    expected.width, expected.height, expected.channels);
        return false;
    }
    size_t different = 0, first = 0;
    for (size_t i = expected.samples.size(); i-- > 0;)
        if (found.samples[i] != expected.samples[i]) {
            ++different;
            first = i / size_t(expected.channels);
        }
    if (different == 0) {
        std::printf("%s: the same\n", path.c_str());
        return true;
    }
    std::printf("%s: %zu samples differ, the first at x %zu, y %zu\n", path.c_str(), different,
                first % size_t(expected.width), first / size_t(expected.width));
    return false;
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
        bool wanted = names.empty();
        for (const std::string& name : names) wanted = wanted || name == scene.file_name;
        if (!wanted) continue;
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
