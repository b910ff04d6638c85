#include "tests/opencv/test_images.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_FAILURE_USERMSG
#include <stb/stb_image.h>

namespace tonescope::test {
namespace {

namespace fs = std::filesystem;

std::vector<GrayImage> load_folder(const fs::path& folder, bool photographs) {
    std::vector<GrayImage> images;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const fs::path extension = entry.path().extension();
        if (extension != ".png" && extension != ".jpg") continue;
        int width = 0, height = 0, channels = 0;
        const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
            stbi_load(entry.path().c_str(), &width, &height, &channels, 1), stbi_image_free);
        if (pixels == nullptr) continue;
        HostImage image({width, height, PixelFormat::gray8, false});
        std::copy_n(pixels.get(), image.size_bytes(), image.data());
        images.push_back({entry.path().filename().string(), std::move(image), photographs});
    }
    std::ranges::sort(images, {}, &GrayImage::name);
    return images;
}

}  // namespace

std::vector<GrayImage> gray_images() {
    std::vector<GrayImage> images = load_folder(TONESCOPE_TEST_IMAGES, true);
    return images.empty() ? load_folder(TONESCOPE_ASSETS, false) : std::move(images);
}

}  // namespace tonescope::test
