#include "app/system/folder.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include "app/image_io/image_io.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

std::string local_time(fs::file_time_type time) {
    const auto system = std::chrono::file_clock::to_sys(time);
    const std::time_t seconds =
        std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::system_clock::duration>(system));
    std::tm parts{};
    localtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
    return text;
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(c < 128 ? std::tolower(c) : c); });
    return text;
}

}  // namespace

std::vector<FolderEntry> list_folder(const std::string& folder, std::string_view ending) {
    std::error_code error;
    fs::directory_iterator files(folder, fs::directory_options::skip_permission_denied, error);
    if (error) throw UserError("cannot list " + folder + ": " + error.message());
    std::vector<FolderEntry> entries;
    std::error_code end;
    for (; files != fs::directory_iterator(); files.increment(end)) {
        const fs::directory_entry& file = *files;
        FolderEntry entry;
        entry.name = file.path().filename().string();
        if (entry.name.starts_with('.')) continue;
        entry.is_folder = file.is_directory(error);
        if (!entry.is_folder && !file.is_regular_file(error)) continue;
        const bool listed = ending.empty() ? looks_like_image(entry.name) : entry.name.ends_with(ending);
        if (!entry.is_folder && !listed) continue;
        if (!entry.is_folder) entry.size_bytes = file.file_size(error);
        if (const auto time = file.last_write_time(error); !error) entry.modified = local_time(time);
        entries.push_back(std::move(entry));
    }
    if (end) throw UserError("cannot list " + folder + ": " + end.message());
    std::ranges::sort(entries, [](const FolderEntry& a, const FolderEntry& b) {
        if (a.is_folder != b.is_folder) return a.is_folder;
        return std::pair(lower(a.name), a.name) < std::pair(lower(b.name), b.name);
    });
    return entries;
}

std::string neighbour_image(const std::string& path, int by) {
    const fs::path here(path);
    std::vector<std::string> names;
    for (const FolderEntry& entry : list_folder(here.parent_path().string()))
        if (!entry.is_folder) names.push_back(entry.name);
    const auto found = std::ranges::find(names, here.filename().string());
    const int count = int(names.size());
    if (count == 0 || (count == 1 && found != names.end())) return {};
    const int from = found == names.end() ? (by > 0 ? -1 : 0) : int(found - names.begin());
    return (here.parent_path() / names[size_t(((from + by) % count + count) % count)]).string();
}

std::vector<std::string> expand_paths(const std::vector<std::string>& paths) {
    std::vector<std::string> expanded;
    for (const std::string& path : paths) {
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            expanded.push_back(absolute_path(path));
            continue;
        }
        for (const FolderEntry& entry : list_folder(path))
            if (!entry.is_folder) expanded.push_back(absolute_path((fs::path(path) / entry.name).string()));
    }
    return expanded;
}

std::string absolute_path(const std::string& path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    return error ? path : absolute.lexically_normal().string();
}

}  // namespace tonescope
