// Files that are written: results, pictures of the views, exports. Disks may answer late or never.
#include <algorithm>
#include <filesystem>
#include <functional>

#include "app/image_io/formats.h"
#include "app/system/clipboard.h"
#include "app/viewer/application.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr auto kQuitPatience = std::chrono::seconds(5);

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

}  // namespace

bool Application::can_write(const std::string& path) {
    changed_ = true;
    if (can_save_as(path)) return true;
    notify(ui::Severity::error, "cannot save " + path + ": the name must end in " + image_io::saved_endings());
    return false;
}

void Application::unless_in_the_way(const std::string& path, std::function<void()> write) {
    changed_ = true;
    const uint64_t newest = newest_saves_[path];
    look_up(
        kSaving,
        [path](std::stop_token) {
            std::error_code error;
            const bool exists = fs::exists(path, error);
            if (error) throw UserError(error.message());  // of the disk, say; that there is no file is none
            return exists;
        },
        [this, path, newest, write = std::move(write)](const Outcome<bool>& outcome) {
            const bool is_ours = newest_saves_[path] != newest;  // another save was faster
            if (!outcome.error.empty())
                save_failed("cannot save " + path + ": " + outcome.error);
            else if (outcome.value.value_or(false) && !is_ours)
                questions_.push_back({path, write});
            else
                write();
        });
}

void Application::answer(bool replace) {
    if (questions_.empty()) return;
    const Question question = std::move(questions_.front());
    questions_.pop_front();
    left_unanswered_ -= std::min<size_t>(left_unanswered_, 1);
    if (replace) question.write();
}

bool Application::has_result(const std::string& verb) {
    if (shows_current() && pipeline_.up_to_date()) return true;
    notify(ui::Severity::warning, settled() ? "the run was stopped: change a setting to start it again, then " + verb
                                            : "the result is not finished yet: " + verb + " it again when it is");
    return false;
}

void Application::save(const std::string& path) {
    if (document_.current() == nullptr || !can_write(path) || !has_result("save")) return;
    // What is on screen now: the disk may answer after the image or the parameters have changed.
    unless_in_the_way(
        path, [this, save = Save{path, pipeline_.download().share(), next_save_++}] { saves_.push_back(save); });
}

void Application::finish_saves() {
    std::ranges::sort(saves_, {}, &Save::serial);
    std::vector<std::string> taken = writing_;  // one file after the other, where they have the same name
    for (const Save& save : std::exchange(saves_, {})) {
        const bool is_ready = save.pixels.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        if (!is_ready || std::ranges::find(taken, save.path) != taken.end()) {
            saves_.push_back(save);
            taken.push_back(save.path);
            continue;
        }
        uint64_t& newest = newest_saves_[save.path];
        if (save.serial < newest) continue;  // its disk answered late
        newest = save.serial;
        taken.push_back(save.path);
        try {
            const std::shared_ptr<const HostImage> pixels = save.pixels.get();
            if (!pixels)
                throw UserError((save.path.empty() ? "nothing was copied" : save.path + " was not saved") +
                                ": the result was gone before it could be read");
            write_picture(save.path, pixels);
        } catch (const std::exception& error) {
            save_failed(error.what());
        }
    }
}

void Application::write_picture(const std::string& path, std::shared_ptr<const HostImage> picture) {
    const auto progress = std::make_shared<FileProgress>();
    write_file(path, [picture, path, folder = clipboard_folder(), progress](std::stop_token stop) {
        if (path.empty()) {
            copy_image(picture->view(), folder, stop, progress.get());
        } else {
            save_image(path, picture->view(), stop, progress.get());
        }
    });
    save_progress_ = progress;
}

void Application::write_file(const std::string& path, std::function<void(std::stop_token)> write) {
    ++saving_;
    writing_.push_back(path);
    save_progress_.reset();
    // Its own stop: quitting waits for files that are being written.
    const std::stop_token stop = save_stop_.get_token();
    files_.start(
        [write = std::move(write), stop](std::stop_token) {
            if (stop.stop_requested()) throw Cancelled();
            write(stop);
            return true;
        },
        [this, path, stop](const Outcome<bool>& outcome) {
            --(stop.stop_requested() ? cancelled_saves_ : saving_);
            writing_.erase(std::ranges::find(writing_, path));
            if (saving_ == 0) save_progress_.reset();
            saved(path, outcome);
        });
}

bool Application::cancel_saves() {
    if (saves_.empty() && saving_ == 0) return false;
    saves_.clear();
    save_stop_.request_stop();
    save_stop_ = {};
    cancelled_saves_ += std::exchange(saving_, 0);
    save_progress_.reset();
    changed_ = true;
    return true;
}

/// Who quits meanwhile is told, too: the window stays.
void Application::save_failed(const std::string& error) {
    quit_since_.reset();
    notify(ui::Severity::error, first_line(error));
}

void Application::saved(const std::string& path, const Outcome<bool>& outcome) {
    if (!outcome.value) {
        if (outcome.error.empty())
            notify(ui::Severity::info, path.empty() ? "Nothing was copied" : "Saving was cancelled: " + path);
        else
            save_failed(outcome.error);
        return;
    }
    notify(ui::Severity::info, path.empty() ? "Copied the result to the clipboard" : "Saved " + path);
    if (fs::path(path).parent_path() == model_.browser.folder) browse(model_.browser.folder, browses_presets_);
}

bool Application::has_to_save() const {
    const auto is_save = [](const Lookup& lookup) { return lookup.what == kSaving; };
    return !saves_.empty() || wants_view() || std::ranges::any_of(lookups_, is_save);
}

void Application::quit() {
    if (quit_since_) return;
    quit_since_ = std::chrono::steady_clock::now();
    left_unanswered_ = questions_.size();
}

bool Application::leaves() {
    if (!quit_since_) return false;
    if (questions_.size() > left_unanswered_) {
        quit_since_.reset();
        return false;
    }
    const auto now = std::chrono::steady_clock::now();
    if (saving_ > 0) {  // that shows how far it is, and Esc ends it
        quit_since_ = now;
        return false;
    }
    return !has_to_save() || now - *quit_since_ > kQuitPatience;
}

std::vector<std::string> Application::unsaved() const {
    std::vector<std::string> lines;
    for (const Question& question : questions_)
        lines.push_back("not saved: " + question.path + ": there is such a file");
    if (has_to_save()) lines.emplace_back("not saved: the disk does not answer");
    return lines;
}

}  // namespace tonescope
