#include "ui/browser/browser.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "gpu/core/text.h"

namespace tonescope::ui {

std::string join_path(std::string_view folder, std::string_view name) {
    return (std::filesystem::path(folder) / name).string();
}

std::string parent_path(std::string_view path) {
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    const size_t slash = path.rfind('/');
    if (slash == std::string_view::npos || slash == 0) return "/";
    return std::string(path.substr(0, slash));
}

std::string file_name_of(std::string_view path) {
    return std::filesystem::path(path).filename().string();
}

bool contains_text(std::string_view text, std::string_view part) {
    const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    return !std::ranges::search(text, part, same).empty() || part.empty();
}

SaveRemark save_remark(std::string_view name, std::span<const SavedFormat> formats, bool has_alpha) {
    const std::string extension = extension_of(name);
    std::string choices = "The ending chooses the format:";
    for (const SavedFormat& format : formats) {
        choices += (&format == formats.data() ? " ." : ", .") + format.extensions.front();
        if (std::ranges::count(format.extensions, extension) == 0) continue;
        return {true, "Saved as " + format.name + (format.is_lossy ? ", which changes pixels a little" : "") +
                          (has_alpha && !format.keeps_alpha ? "; transparency is lost" : "")};
    }
    return {false, choices};
}

SaveRemark preset_remark(std::string_view name) {
    if (extension_of(name) == "json") return {true, "Saved as JSON: the operator and its parameters"};
    return {false, "The name of a preset's file ends in .json"};
}

SaveRemark export_remark(std::string_view name) {
    constexpr std::pair<std::string_view, const char*> formats[] = {
        {"csv", "Saved as CSV: one line a variant, for a spreadsheet"},
        {"json", "Saved as JSON: everything, for a program"},
        {"md", "Saved as Markdown: a table to read"},
        {"png", "Saved as PNG: the bar charts"}};
    for (const auto& [extension, text] : formats)
        if (extension == extension_of(name)) return {true, text};
    return {false, "The ending chooses the format: .csv, .json, .md, .png"};
}

}  // namespace tonescope::ui
