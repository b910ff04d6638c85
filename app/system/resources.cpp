#include "app/system/resources.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "app/image_io/image_io.h"

namespace tonescope {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> images_in(const fs::path& folder) {
    std::vector<std::string> found;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const fs::path& path = entry->path();
        if (path.stem() != "icon" && looks_like_image(path.filename().string())) found.push_back(path.string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

std::vector<std::string> sample_images() {
    if (const char* folder = std::getenv("TONESCOPE_ASSETS")) return images_in(folder);
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error) {
        std::vector<std::string> installed = images_in(program.parent_path().parent_path() / "share/tonescope/assets");
        if (!installed.empty()) return installed;
    }
    return images_in(TONESCOPE_SOURCE_ASSETS);
}

}  // namespace tonescope
