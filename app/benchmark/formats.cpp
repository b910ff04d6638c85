#include "app/benchmark/formats.h"

#include <algorithm>
#include <vector>

#include "gpu/core/text.h"

namespace tonescope {

ExportFormats benchmark_formats() {
    static const std::vector<ui::SavedFormat> formats = {{"CSV", {"csv"}, "one line a row, for a spreadsheet"},
                                                         {"JSON", {"json"}, "everything, for a program"},
                                                         {"Markdown", {"md"}, "tables to read"},
                                                         {"SVG", {"svg"}, "the charts, as lines and text"},
                                                         {"PNG", {"png"}, "the charts"}};
    return formats;
}

ExportFormats roofline_formats() {
    static const std::vector<ui::SavedFormat> formats = {{"SVG", {"svg"}, "the rooflines, as lines and text"},
                                                         {"PNG", {"png"}, "the rooflines"},
                                                         {"JSON", {"json"}, "everything, for a program"},
                                                         {"Markdown", {"md"}, "tables and sentences to read"}};
    return formats;
}

bool can_export(const std::string& path, ExportFormats formats) {
    const std::string extension = extension_of(path);
    return std::ranges::any_of(
        formats, [&](const ui::SavedFormat& format) { return std::ranges::count(format.extensions, extension) > 0; });
}

std::string endings_of(ExportFormats formats) {
    std::vector<std::string> endings;
    for (const ui::SavedFormat& format : formats) endings.push_back("." + format.extensions.front());
    return spell_out(endings, "or");
}

std::string names_of(ExportFormats formats) {
    std::vector<std::string> names;
    for (const ui::SavedFormat& format : formats) names.push_back(format.name);
    return spell_out(names, "or");
}

}  // namespace tonescope
