#include "ui/browser/browser_paths.h"

#include <algorithm>
#include <array>

namespace tonescope::ui {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

struct Format {
    std::string_view extension, name;
    bool keeps_alpha;
};
constexpr std::array<Format, 8> kFormats = {{{"png", "PNG", true},
                                             {"tga", "TGA", true},
                                             {"bmp", "BMP", true},
                                             {"jpg", "JPEG", false},
                                             {"jpeg", "JPEG", false},
                                             {"pnm", "PNM", false},
                                             {"pgm", "PGM", false},
                                             {"ppm", "PPM", false}}};

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

std::string extension_of(std::string_view name) {
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return {};
    std::string extension(name.substr(dot + 1));
    std::transform(extension.begin(), extension.end(), extension.begin(), lower);
    return extension;
}

bool contains_text(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

std::string save_remark(std::string_view name, bool has_alpha, bool* known) {
    const std::string extension = extension_of(name);
    const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                    [&](const Format& format) { return format.extension == extension; });
    *known = found != kFormats.end();
    if (!*known) return "The ending chooses the format: .png, .jpg, .bmp, .tga, .pnm";
    std::string remark = "Saved as " + std::string(found->name);
    if (found->name == "JPEG") remark += ", which changes pixels a little";
    if (has_alpha && !found->keeps_alpha) remark += "; transparency is lost";
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
