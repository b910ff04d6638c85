#include "ui/browser/browser_paths.h"

#include <algorithm>

#include "gpu/core/text.h"

namespace tonescope::ui {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string join_path(std::string_view folder, std::string_view name) {
    if (name.starts_with('/')) return std::string(name);
    std::string path(folder);
    if (!path.ends_with('/')) path += '/';
    return path.append(name);
}

std::string parent_path(std::string_view path) {
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    const size_t slash = path.rfind('/');
    if (slash == std::string_view::npos || slash == 0) return "/";
    return std::string(path.substr(0, slash));
}

std::string file_name_of(std::string_view path) {
    const size_t slash = path.rfind('/');
    return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

bool contains_text(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
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
    const std::string extension = extension_of(name);
    *known = true;
    if (extension == "csv") return "Saved as CSV: one line a variant, for a spreadsheet";
    if (extension == "json") return "Saved as JSON: everything, for a program";
    if (extension == "md") return "Saved as Markdown: a table to read";
    if (extension == "png") return "Saved as PNG: the bar charts";
    *known = false;
    return "The ending chooses the format: .csv, .json, .md, .png";
}

}  // namespace tonescope::ui
