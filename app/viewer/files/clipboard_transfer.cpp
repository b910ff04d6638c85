#include "app/viewer/files/clipboard_transfer.h"

#include <filesystem>

#include "app/system/clipboard.h"
#include "app/system/user_folders.h"

namespace tonescope {
namespace fs = std::filesystem;

ClipboardTransfer::~ClipboardTransfer() {
    std::error_code error;
    for (const std::string& path : pasted_) fs::remove(path, error);
}

void ClipboardTransfer::paste(std::function<void(const std::string& path)> open) {
    look_ups_.start(
        "Pasting", [](std::stop_token stop) { return paste_image(folder(), stop); },
        [this, open = std::move(open)](const Outcome<std::string>& outcome) {
            if (outcome.value) {
                pasted_.push_back(*outcome.value);
                open(*outcome.value);
            } else if (!outcome.error.empty()) {
                notices_.add(ui::Severity::warning, outcome.error);
            }
        });
}

std::string ClipboardTransfer::folder() {
    const std::string cache = cache_folder();
    return (cache.empty() ? fs::temp_directory_path().string() + "/tonescope" : cache) + "/clipboard";
}

}  // namespace tonescope
