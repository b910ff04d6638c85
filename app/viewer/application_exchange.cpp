// Images to and from other programs: the clipboard, files that change on disk, a picture of the views.
#include <filesystem>

#include "app/options/command_line.h"
#include "app/system/clipboard.h"
#include "app/system/user_folders.h"
#include "app/viewer/application.h"

namespace tonescope {
namespace fs = std::filesystem;

std::string Application::clipboard_folder() const {
    const std::string cache = cache_folder();
    return (cache.empty() ? fs::temp_directory_path().string() + "/tonescope" : cache) + "/clipboard";
}

void Application::copy_result() {
    if (!has_result("copy")) return;
    saves_.push_back({"", pipeline_.download().share(), next_save_++});
}

void Application::paste() {
    look_up(
        "Pasting", [folder = clipboard_folder()](std::stop_token stop) { return paste_image(folder, stop); },
        [this, serial = next_open_++](const Outcome<std::string>& outcome) {
            if (outcome.value) {
                pasted_.push_back(*outcome.value);
                open_found({.images = {*outcome.value}, .presets = {}, .problems = {}}, serial);
            } else if (!outcome.error.empty()) {
                notify(ui::Severity::warning, outcome.error);
            }
        });
}

/// Nobody looks for them later.
void Application::remove_pasted() {
    std::error_code error;
    for (const std::string& path : pasted_) fs::remove(path, error);
}

void Application::follow_file() {
    const OpenImage* current = document_.current();
    if (current == nullptr || current->state != OpenImage::State::ready)
        watch_.watch("");
    else
        watch_.watch(current->path, current->stamp);
    const std::string changed = watch_.take_changed();
    if (changed.empty() || current == nullptr || current->path != changed) return;
    load(*document_.find(current->id));
    notify(ui::Severity::info, current->name() + " has changed on disk and was read again");
}

void Application::save_view(const std::string& path) {
    if (can_write(path) && !model_.views.before.empty()) view_path_ = path;
}

void Application::take_view(std::shared_ptr<const HostImage> picture) {
    const std::string path = std::exchange(view_path_, {});
    std::promise<std::shared_ptr<const HostImage>> pixels;
    pixels.set_value(std::move(picture));
    unless_in_the_way(path,
                      [this, save = Save{path, pixels.get_future().share(), next_save_++}] { saves_.push_back(save); });
}

std::string Application::command_line() const {
    const OpenImage* current = document_.current();
    if (current == nullptr) return {};
    const std::string output = fs::path(current->path).stem().string() + "-" + std::string(document_.op()->id) + ".png";
    return reproducing_command(document_.run_spec(pipeline_.backend()), current->path, output);
}

}  // namespace tonescope
