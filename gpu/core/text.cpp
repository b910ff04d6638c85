#include "gpu/core/text.h"

#include <algorithm>

namespace tonescope {

std::string extension_of(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return {};
    std::string extension(name.substr(dot + 1));
    std::ranges::transform(extension, extension.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return extension;
}

std::string spell_out(const std::vector<std::string>& names, std::string_view last) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
        const bool before_last = i + 1 == names.size() && !last.empty();
        if (i > 0) text += before_last ? " " + std::string(last) + " " : ", ";
        text += names[i];
    }
    return text;
}

}  // namespace tonescope
