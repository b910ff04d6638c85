// What paths and names mean, as text: the panels touch no files.
#include "ui/model/paths.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "gpu/core/text.h"

namespace tonescope::ui {
namespace {

constexpr std::string_view kFileUri = "file://";

/// %20 as a space, and so on.
std::string without_percents(std::string_view text) {
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
        int code = 0;
        const char* const digits = text.data() + i + 1;
        const bool is_code =
            text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2;
        plain += is_code ? static_cast<char>(code) : text[i];
        if (is_code) i += 2;
    }
    return plain;
}

}  // namespace

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

std::string typed_path(std::string_view text, std::string_view folder, std::string_view home) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    if (text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
        text = text.substr(1, text.size() - 2);
    std::string plain(text);
    if (text.starts_with(kFileUri)) {
        text.remove_prefix(kFileUri.size());
        plain = without_percents(text.substr(std::min(text.find('/'), text.size())));  // behind the host
    } else if (text == "~" || text.starts_with("~/")) {
        plain = std::string(home) + std::string(text.substr(1));
    }
    const bool is_folder = plain.ends_with('/') || plain.ends_with("/.") || plain.ends_with("/..") || plain == "." ||
                           plain == ".." || text == "~";
    std::string path = (std::filesystem::path(folder) / plain).lexically_normal().string();
    if (is_folder && !path.ends_with('/')) path += '/';
    return path;
}

int find_format(std::string_view name, std::span<const SavedFormat> formats) {
    const std::string extension = extension_of(name);
    const auto found = std::ranges::find_if(
        formats, [&](const SavedFormat& format) { return std::ranges::count(format.extensions, extension) > 0; });
    return found == formats.end() ? -1 : static_cast<int>(found - formats.begin());
}

std::string with_format(const std::string& name, const SavedFormat& format, std::span<const SavedFormat> formats) {
    const size_t stem = name.size() - (find_format(name, formats) < 0 ? 0 : extension_of(name).size() + 1);
    return name.substr(0, stem) + "." + format.extensions.front();
}

}  // namespace tonescope::ui
