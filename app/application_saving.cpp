// Files that are written: results, pictures of the views, exports. Disks may answer late or never.
#include <algorithm>
#include <filesystem>
#include <functional>

#include "app/application.h"
#include "app/clipboard.h"
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
    notify(ui::Severity::error,
           "cannot save " + path + ": the name must end in .png, .jpg, .bmp, .tga, .pnm, .pgm or .ppm");
    return false;
}

void Application::unless_in_the_way(const std::string& path, std::function<void()> write) {
    changed_ = true;
    look_up(
        kSaving,
        [path](std::stop_token) {
            std::error_code error;
            const bool exists = fs::exists(path, error);
            if (error) throw UserError(error.message());  // of the disk, say; that there is no file is none
            return exists;
        },
        [this, path, write = std::move(write)](const Outcome<bool>& outcome) {
            if (!outcome.error.empty())
                notify(ui::Severity::error, first_line("cannot save " + path + ": " + outcome.error));
            else if (outcome.value.value_or(false))
                questions_.push_back({path, write});
            else
                write();
        });
}

void Application::answer(bool replace) {
    if (questions_.empty()) return;
    const Question question = std::move(questions_.front());
    questions_.pop_front();
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
    unless_in_the_way(path, [this, save = Save{path, pipeline_.download().share()}] { saves_.push_back(save); });
}

void Application::finish_saves() {
    for (const Save& save : std::exchange(saves_, {})) {
        // One file after the other, where both have the same name: the newer stays.
        const bool is_ready = save.pixels.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        if (!is_ready || std::ranges::find(writing_, save.path) != writing_.end()) {
            saves_.push_back(save);
            continue;
        }
        try {
            const std::shared_ptr<const HostImage> pixels = save.pixels.get();
            if (!pixels)
                throw UserError((save.path.empty() ? "nothing was copied" : save.path + " was not saved") +
                                ": the result was gone before it could be read");
            write_picture(save.path, pixels);
        } catch (const std::exception& error) {
            notify(ui::Severity::error, error.what());
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

void Application::saved(const std::string& path, const Outcome<bool>& outcome) {
    if (!outcome.value) {
        if (outcome.error.empty())
            notify(ui::Severity::info, path.empty() ? "Nothing was copied" : "Saving was cancelled: " + path);
        else
            notify(ui::Severity::error, first_line(outcome.error));
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
    quits_unanswered_ = !questions_.empty();
}

bool Application::leaves() {
    if (!quit_since_) return false;
    if (!questions_.empty() && !quits_unanswered_) {
        quit_since_.reset();
        return false;
    }
    return !has_to_save() || std::chrono::steady_clock::now() - *quit_since_ > kQuitPatience;
}

std::vector<std::string> Application::unsaved() const {
    std::vector<std::string> lines;
    for (const Question& question : questions_)
        lines.push_back("not saved: " + question.path + ": there is such a file");
    if (has_to_save()) lines.emplace_back("not saved: the disk does not answer");
    return lines;
}

}  // namespace tonescope
