// Images to and from other programs: the clipboard, files that change on disk, a picture of the views.
#include <filesystem>

#include "app/application.h"
#include "app/clipboard.h"
#include "app/command_line.h"
#include "app/user_folders.h"

namespace tonescope {
namespace fs = std::filesystem;

std::string Application::clipboard_folder() const {
    const std::string cache = cache_folder();
    return (cache.empty() ? fs::temp_directory_path().string() + "/tonescope" : cache) + "/clipboard";
}

void Application::copy_result() {
    if (!has_result("copy")) return;
    save_ = std::make_unique<Save>(Save{"", pipeline_.download()});
}

void Application::paste() {
    files_.start([folder = clipboard_folder()](std::stop_token) { return paste_image(folder); },
                 [this](const Outcome<std::string>& outcome) {
                     if (outcome.value) {
                         pasted_.push_back(*outcome.value);
                         open({*outcome.value});
                     } else {
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

void Application::save_view(const std::string& path, bool overwrite) {
    if (!may_write(path, overwrite) || model_.before.empty()) return;
    view_path_ = path;
    changed_ = true;
}

void Application::take_view(std::shared_ptr<const HostImage> picture) {
    ++saving_;
    files_.start(
        [picture, path = view_path_](std::stop_token) {
            save_image(path, picture->view());
            return true;
        },
        [this, path = view_path_](const Outcome<bool>& outcome) { saved(path, outcome); });
    view_path_.clear();
    changed_ = true;
}

std::string Application::command_line() const {
    const OpenImage* current = document_.current();
    if (current == nullptr) return {};
    const std::string output = fs::path(current->path).stem().string() + "-" + std::string(document_.op()->id) + ".png";
    return reproducing_command(document_.run_spec(pipeline_.backend()), current->path, output);
}

}  // namespace tonescope
