// Runs each CUDA variant once, for a profiler that counts what its kernels do. See counters.py.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gpu/core/backend.h"

namespace tonescope {
namespace {

HostImage noise(int width, int height, PixelFormat format) {
    HostImage image({width, height, format, false});
    std::mt19937 random(1);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < image.spec().channels(); ++c)
                image.mutable_view().pixel(x, y)[c] = uint8_t(c == 3 ? 255 : random() >> 24);
    return image;
}

void run(Backend& backend, const HostImage& image, const char* name, std::string_view op_id,
         std::vector<std::pair<const char*, const char*>> settings, bool small) {
    for (const VariantInfo* variant : variants_of(op_id)) {
        if (variant->backend != BackendKind::cuda || (variant->max_pixels > 0) != small) continue;
        RunSpec spec = default_run(*find_operator(op_id), variant);
        std::string text;
        for (const auto& [id, value] : settings)
            if (set_param(spec, id, value)) text += std::string(" ") + id + "=" + value;
        std::printf("%s %s %s%s\n", std::string(op_id).c_str(), std::string(variant->id).c_str(), name, text.c_str());
        std::fflush(stdout);
        try {
            backend.run(image.view(), spec);
        } catch (const std::exception& e) {
            std::printf("ERROR %s\n", e.what());
        }
        backend.clock();
    }
}

}  // namespace
}  // namespace tonescope

int main(int argc, char** argv) {
    using namespace tonescope;
    const std::string part = argc > 1 ? argv[1] : "a";
    const auto backend = make_cuda_backend();
    const HostImage gray = noise(3840, 2160, PixelFormat::gray8), color = noise(3840, 2160, PixelFormat::rgba8);
    const HostImage small = noise(256, 256, PixelFormat::gray8), gray24 = noise(6000, 4000, PixelFormat::gray8);
    if (part == "a") {
        for (const char* op : {"he", "clahe", "histogram"}) run(*backend, gray, "gray4k", op, {}, false);
        run(*backend, color, "rgba4k", "kuwahara", {}, false);
        run(*backend, small, "gray256", "he", {}, true);
    }
    if (part == "b") {
        for (const char* op : {"he", "clahe", "histogram"}) run(*backend, color, "rgba4k", op, {}, false);
        run(*backend, gray, "gray4k", "clahe", {{"tile_size", "16"}}, false);
        run(*backend, color, "rgba4k", "kuwahara", {{"radius", "8"}}, false);
    }
    if (part == "c") {
        run(*backend, gray, "gray4k", "kuwahara", {}, false);
        run(*backend, color, "rgba4k", "he", {{"color", "channels"}}, false);
        run(*backend, color, "rgba4k", "clahe", {{"color", "channels"}}, false);
        run(*backend, color, "rgba4k", "kuwahara", {{"radius", "2"}}, false);
        run(*backend, gray24, "gray24m", "he", {}, false);
    }
}
