#include "app/viewer/files/saves.h"

#include <algorithm>

#include "app/image_io/formats.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

constexpr auto kQuitPatience = std::chrono::seconds(5);

}  // namespace

bool Saves::can_save(const std::string& path) {
    if (can_save_as(path)) return true;
    notices_.error("cannot save " + path + ": the name must end in " + image_io::saved_endings());
    return false;
}

void Saves::unless_in_the_way(const std::string& path, std::function<void()> write) {
    tasks_.look_up(
        kSaving, [path, has_file = disk_.has_file](std::stop_token) { return has_file(path); },
        [this, path, newest = newest_[path], write = std::move(write)](const Outcome<bool>& outcome) {
            const bool is_ours = newest_[path] != newest;  // another save was faster
            if (!outcome.error.empty())
                failed("cannot save " + path + ": " + outcome.error);
            else if (outcome.value.value_or(false) && !is_ours)
                questions_.push_back({path, write});
            else
                write();
        });
}

void Saves::answer(bool replace) {
    if (questions_.empty()) return;
    const Question question = std::move(questions_.front());
    questions_.pop_front();
    left_unanswered_ -= std::min<size_t>(left_unanswered_, 1);
    if (replace) question.write();
}

void Saves::save(const std::string& path, Pixels pixels) {
    unless_in_the_way(path, [this, save = Save{path, std::move(pixels), next_serial_++}] { pending_.push_back(save); });
}

void Saves::copy(Pixels pixels) {
    pending_.push_back({"", std::move(pixels), next_serial_++});
}

void Saves::export_file(const std::string& path, Write write) {
    unless_in_the_way(path, [this, path, write = std::move(write)] { write_file(path, write); });
}

void Saves::take_view(std::shared_ptr<const HostImage> picture) {
    std::promise<std::shared_ptr<const HostImage>> pixels;
    pixels.set_value(std::move(picture));
    save(std::exchange(view_path_, {}), pixels.get_future().share());
}

void Saves::update() {
    std::ranges::sort(pending_, {}, &Save::serial);
    std::vector<std::string> taken = paths_;
    for (const Save& save : std::exchange(pending_, {})) {
        if (!is_ready(save.pixels) || std::ranges::find(taken, save.path) != taken.end()) {
            pending_.push_back(save);
            taken.push_back(save.path);
            continue;
        }
        uint64_t& newest = newest_[save.path];
        if (save.serial < newest) continue;  // its disk answered late
        newest = save.serial;
        taken.push_back(save.path);
        try {
            const std::shared_ptr<const HostImage> pixels = save.pixels.get();
            if (!pixels)
                throw UserError((save.path.empty() ? "nothing was copied" : save.path + " was not saved") +
                                ": the result was gone before it could be read");
            write_file(save.path,
                       [path = save.path, pixels, write = disk_.write](std::stop_token stop, FileProgress* progress) {
                           write(path, pixels->view(), stop, progress);
                       });
        } catch (const std::exception& error) {
            failed(first_line(error.what()));
        }
    }
}

void Saves::write_file(const std::string& path, Write write) {
    ++writing_;
    paths_.push_back(path);
    newest_progress_ = std::make_shared<FileProgress>();
    // Its own stop, not the job's: quitting waits for files that are being written.
    const std::stop_token stop = stop_.get_token();
    tasks_.start(
        [write = std::move(write), stop, progress = newest_progress_](std::stop_token) {
            if (stop.stop_requested()) throw Cancelled();
            write(stop, progress.get());
            return true;
        },
        [this, path, stop](const Outcome<bool>& outcome) {
            --(stop.stop_requested() ? cancelled_ : writing_);
            paths_.erase(std::ranges::find(paths_, path));
            finished(path, outcome);
        });
}

void Saves::finished(const std::string& path, const Outcome<bool>& outcome) {
    if (outcome.value) {
        notices_.info(path.empty() ? "Copied the result to the clipboard" : "Saved " + path);
        disk_.written(path);
    } else if (outcome.error.empty()) {
        notices_.info(path.empty() ? "Nothing was copied" : "Saving was cancelled: " + path);
    } else {
        failed(outcome.error);
    }
}

/// Who quits meanwhile has to see this: the window stays.
void Saves::failed(const std::string& error) {
    quit_since_.reset();
    notices_.error(error);
}

bool Saves::cancel() {
    if (!busy()) return false;
    pending_.clear();
    stop_.request_stop();
    stop_ = {};
    cancelled_ += std::exchange(writing_, 0);
    return true;
}

bool Saves::has_to_save() const {
    return !pending_.empty() || wants_view() || tasks_.looks_up(kSaving);
}

void Saves::quit() {
    if (quit_since_) return;
    quit_since_ = Clock::now();
    left_unanswered_ = questions_.size();
}

bool Saves::leaves(Clock::time_point now) {
    if (!quit_since_) return false;
    if (questions_.size() > left_unanswered_) {
        quit_since_.reset();
        return false;
    }
    if (writing_ > 0) {  // a file that is being written shows how far it is, and Esc ends it
        quit_since_ = now;
        return false;
    }
    return !has_to_save() || now - *quit_since_ > kQuitPatience;
}

std::vector<std::string> Saves::unsaved() const {
    std::vector<std::string> lines;
    for (const Question& question : questions_)
        lines.push_back("not saved: " + question.path + ": there is such a file");
    if (has_to_save()) lines.emplace_back("not saved: the disk does not answer");
    return lines;
}

}  // namespace tonescope
