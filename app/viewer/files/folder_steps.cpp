#include "app/viewer/files/folder_steps.h"

namespace tonescope {
namespace {

constexpr const char* kStepping = "Looking for the next image";

}  // namespace

FolderSteps::FolderSteps(OpenImages& images, LookUps& look_ups, Notices& notices, std::function<void(OpenImage&)> load,
                         Neighbour neighbour)
    : images_(images),
      look_ups_(look_ups),
      notices_(notices),
      load_(std::move(load)),
      neighbour_(std::move(neighbour)) {}

void FolderSteps::step(int by) {
    const bool is_looking = look_ups_.has(kStepping);
    waiting_ = is_looking ? waiting_ + by : by;  // a search that was cancelled takes its steps along
    if (!is_looking) find_neighbour();
}

void FolderSteps::find_neighbour() {
    const int by = std::exchange(waiting_, 0);
    const OpenImage* current = images_.current();
    if (by == 0 || current == nullptr || images_.all().size() > 1) return;
    const std::string from = failed_.empty() ? current->path : failed_;
    look_ups_.start(
        kStepping, [from, by, neighbour = neighbour_](std::stop_token) { return neighbour(from, by); },
        [this, from, id = current->id](const Outcome<std::string>& outcome) {
            if (!outcome.error.empty()) notices_.add(ui::Severity::error, outcome.error);
            const OpenImage* now = images_.current();
            // Where the image that the step began at has turned out broken meanwhile, the one before it is back.
            const bool is_due = now != nullptr && (now->id == id || failed_ == from);
            if (!outcome.value || !is_due || images_.all().size() > 1) {
                waiting_ = 0;
                return;
            }
            show_neighbour(*outcome.value);
            find_neighbour();
        });
}

void FolderSteps::show_neighbour(const std::string& path) {
    const OpenImage& current = *images_.current();
    if (path.empty() || path == current.path) return;
    if (current.image) before_ = current;
    OpenImage& next = images_.replace_current(path);
    current_ = next.id;
    failed_.clear();
    load_(next);
}

void FolderSteps::arrived() {
    before_.reset();
    failed_.clear();
}

bool FolderSteps::go_back(bool failed) {
    const OpenImage* current = images_.current();
    if (!before_ || current == nullptr || current->id != current_) return false;
    failed_ = failed ? current->path : "";
    images_.put_back(current_, *std::exchange(before_, std::nullopt));
    return true;
}

}  // namespace tonescope
