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

std::string save_remark(std::string_view name, std::span<const SavedFormat> formats, bool has_alpha, bool* known) {
    const std::string extension = extension_of(name);
    std::string remark;
    for (const SavedFormat& format : formats) {
        if (std::ranges::count(format.extensions, extension) == 0) continue;
        remark = "Saved as " + format.name;
        if (format.is_lossy) remark += ", which changes pixels a little";
        if (has_alpha && !format.keeps_alpha) remark += "; transparency is lost";
    }
    *known = !remark.empty();
    if (*known) return remark;
    remark = "The ending chooses the format:";
    for (const SavedFormat& format : formats)
        remark += (&format == formats.data() ? " ." : ", .") + format.extensions.front();
    return remark;
}

std::string preset_remark(std::string_view name, bool* known) {
    *known = extension_of(name) == "json";
    return *known ? "Saved as JSON: the operator and its parameters" : "The name of a preset's file ends in .json";
}

std::string export_remark(std::string_view name, bool* known) {
    constexpr std::pair<std::string_view, const char*> formats[] = {
        {"csv", "Saved as CSV: one line a variant, for a spreadsheet"},
        {"json", "Saved as JSON: everything, for a program"},
        {"md", "Saved as Markdown: a table to read"},
        {"png", "Saved as PNG: the bar charts"}};
    const std::string extension = extension_of(name);
    const auto* format = std::ranges::find(formats, extension, [](const auto& each) { return each.first; });
    *known = format != std::end(formats);
    return *known ? format->second : "The ending chooses the format: .csv, .json, .md, .png";
}

}  // namespace tonescope::ui
