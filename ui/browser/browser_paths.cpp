// What is typed into the browser, and what a name means for saving.
#include <algorithm>
#include <cctype>

#include "gpu/core/text.h"
#include "ui/browser/browser.h"

namespace tonescope::ui {
bool contains_text(std::string_view text, std::string_view part) {
    const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    return !std::ranges::search(text, part, same).empty() || part.empty();
}

bool looks_like_path(std::string_view text) {
    return text.find('/') != std::string_view::npos || text == "~" || text == "..";
}

SaveRemark save_remark(std::string_view name, std::span<const SavedFormat> formats, const Holdings& result) {
    const std::string extension = extension_of(name);
    const int index = find_format(name, formats);
    if (index < 0) {
        std::string choices = "The ending chooses the format:";
        for (const SavedFormat& format : formats)
            choices += (&format == formats.data() ? " ." : ", .") + format.extensions.front();
        return {false, choices};
    }
    const SavedFormat& format = formats[static_cast<size_t>(index)];
    if (result.has_color && std::ranges::count(format.gray_extensions, extension) > 0)
        return {false, "A ." + extension + " holds no color: choose another format or ending"};
    std::string text = "Saved as " + format.name;
    if (!format.about.empty()) text += ": " + format.about;
    std::vector<std::string> losses;
    if (format.is_lossy) losses.emplace_back("pixels change a little");
    if (result.has_alpha && !format.keeps_alpha) losses.emplace_back("transparency is lost");
    if (result.bits_per_channel > 8 && !(result.is_deep && format.keeps_depth))
        losses.push_back(std::to_string(result.bits_per_channel) + " bits a channel are reduced to 8" +
                         (result.is_deep ? ", as the window shows them" : ""));
    return {true, losses.empty() ? text : text + "; " + spell_out(losses)};
}

std::span<const SavedFormat> preset_formats() {
    static const std::vector<SavedFormat> formats = {{"JSON", {"json"}, "the operator and its parameters"}};
    return formats;
}

std::span<const SavedFormat> session_formats() {
    static const std::vector<SavedFormat> formats = {
        {"session", {"tonescope"}, "the open images by their paths, what is chosen, and how it is shown"}};
    return formats;
}

}  // namespace tonescope::ui
