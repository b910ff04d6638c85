#include "app/system/folder.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>

#include "app/image_io/image_io.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

std::string local_time(std::time_t seconds) {
    std::tm parts{};
    localtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
    return text;
}

std::vector<std::string> images_in(const fs::path& folder) {
    std::vector<std::string> images;
    for (const ui::BrowserEntry& entry : list_folder(folder.string()))
        if (!entry.is_folder) images.push_back((folder / entry.name).string());
    return images;
}

}  // namespace

std::vector<FolderEntry> entries_of(const std::string& folder, std::error_code& error) {
    std::vector<FolderEntry> entries;
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(folder.c_str()), closedir);
    error.assign(listing ? 0 : errno, std::generic_category());
    while (!error) {
        errno = 0;
        const dirent* const entry = readdir(listing.get());
        error.assign(errno, std::generic_category());
        if (entry == nullptr) break;
        const std::string_view name = entry->d_name;
        const bool is_other = entry->d_type != DT_DIR && entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN;
        if (name != "." && name != "..") entries.push_back({std::string(name), !is_other});
    }
    return entries;
}

ui::FileKinds kind_of(std::string_view name) {
    if (name.ends_with(kSessionEnding)) return ui::kSessionFiles;
    return name.ends_with(".json") ? ui::kPresetFiles : ui::kImageFiles;
}

std::vector<ui::BrowserEntry> list_folder(const std::string& folder, ui::FileKinds kinds, std::string_view also) {
    std::error_code error;
    const std::vector<FolderEntry> all = entries_of(folder, error);
    if (error && error != std::errc::permission_denied)
        throw UserError("cannot list " + folder + ": " + error.message());
    std::vector<ui::BrowserEntry> entries;
    for (const auto& [name, may_be_folder] : all) {
        if (name.starts_with('.') && name != also) continue;
        const ui::FileKinds kind = kind_of(name);
        const bool listed =
            name == also || ((kinds & kind) != 0 && (kind != ui::kImageFiles || looks_like_image(name)));
        struct stat info {};
        if (!listed && !may_be_folder) continue;
        ui::BrowserEntry entry;
        entry.name = name;
        if (stat((fs::path(folder) / name).c_str(), &info) != 0) {
            // A file that cannot be examined is there all the same, and opening it says what is wrong with it.
            if (!may_be_folder && errno != ENOENT) entries.push_back(std::move(entry));
            continue;
        }
        entry.is_folder = S_ISDIR(info.st_mode);
        if (!entry.is_folder && (!listed || !S_ISREG(info.st_mode))) continue;
        if (!entry.is_folder) entry.size_bytes = uint64_t(info.st_size);
        entry.modified = local_time(info.st_mtime);
        entries.push_back(std::move(entry));
    }
    std::ranges::sort(entries, [](const ui::BrowserEntry& a, const ui::BrowserEntry& b) {
        if (a.is_folder != b.is_folder) return a.is_folder;
        return natural_order(a.name, b.name) < 0;
    });
    return entries;
}

std::string neighbor_image(const std::string& path, int by,
                           const std::function<bool(const std::string& path)>& is_skipped) {
    const fs::path folder = fs::path(path).parent_path();
    const std::string here = (folder / fs::path(path).filename()).string();
    std::vector<std::string> images = images_in(folder);
    std::erase_if(images, [&](const std::string& image) { return image != here && is_skipped(image); });
    // Where the file itself is gone, its neighbors are those between which it would stand.
    const auto place = std::ranges::lower_bound(
        images, here, [](const std::string& a, const std::string& b) { return natural_order(a, b) < 0; });
    const bool is_there = place != images.end() && *place == here;
    const auto from = place - images.begin() - (is_there || by < 0 ? 0 : 1);
    const auto to = std::clamp<ptrdiff_t>(from + by, 0, ptrdiff_t(images.size()) - 1);
    return images.empty() || (by > 0 ? to <= from : to >= from) ? "" : images[size_t(to)];
}

std::vector<std::string> expand_paths(const std::vector<std::string>& paths) {
    std::vector<std::string> expanded;
    for (const std::string& path : paths) {
        std::error_code error;
        const bool lists = fs::is_directory(path, error);
        for (const std::string& file : lists ? images_in(path) : std::vector{path})
            expanded.push_back(absolute_path(file));
    }
    return expanded;
}

std::vector<std::string> sample_images() {
    std::vector<fs::path> folders = {TONESCOPE_SOURCE_ASSETS};
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error) folders.insert(folders.begin(), program.parent_path().parent_path() / "share/tonescope/assets");
    if (const char* folder = std::getenv("TONESCOPE_ASSETS")) folders = {folder};
    for (const fs::path& folder : folders) {
        if (!fs::is_directory(folder, error)) continue;
        std::vector<std::string> images = images_in(folder);
        std::erase_if(images, [](const std::string& image) { return fs::path(image).stem() == "icon"; });
        if (!images.empty()) return images;
    }
    return {};
}

std::string user_folder(const char* variable, const char* below_home) {
    // Relative paths in these variables are invalid and to be ignored.
    if (const char* base = std::getenv(variable); base != nullptr && base[0] == '/')
        return std::string(base) + "/tonescope";
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
        return std::string(home) + below_home + "/tonescope";
    return {};
}

std::string free_path_beside(const std::string& path, const std::set<std::string>& taken) {
    const fs::path file(path);
    const auto beside = [&](const std::string& stem) {
        return file.parent_path() / (stem + file.extension().string());
    };
    const auto is_free = [&](const fs::path& other) {
        if (taken.contains(other.string())) return false;
        std::error_code error;
        const bool none = fs::symlink_status(other, error).type() == fs::file_type::not_found;
        if (error && !none) throw UserError(error.message());
        return none;
    };
    std::string stem = file.stem().string();
    int number = 2;
    const size_t dash = stem.rfind('-');
    if (dash != std::string::npos && dash > 0 && !stem.substr(dash).starts_with("-0")) {
        const auto counted = parse_int(std::string_view(stem).substr(dash + 1), 2, 9999);
        if (counted && !is_free(beside(stem.substr(0, dash)))) {  // else it is a date, or a camera's number
            number = *counted + 1;
            stem.resize(dash);
        }
    }
    while (!is_free(beside(stem + "-" + std::to_string(number)))) ++number;
    return beside(stem + "-" + std::to_string(number)).string();
}

bool is_folder(const std::string& path, std::error_code& error) {
    const fs::file_status status = fs::status(path, error);
    if (status.type() != fs::file_type::none || error == std::errc::filename_too_long) error.clear();
    return fs::is_directory(status);
}

bool is_folder(const std::string& path) {
    std::error_code error;
    const bool is_one = is_folder(path, error);
    if (error) throw UserError(path + ": " + error.message());
    return is_one;
}

std::string absolute_path(const std::string& path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    return error ? path : absolute.lexically_normal().string();
}

}  // namespace tonescope
