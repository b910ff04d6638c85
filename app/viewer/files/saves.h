// Writes results, pictures of the views and exports to files, and results to the clipboard. Disks may answer late or
// never, and the user may quit meanwhile.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/image_io/formats.h"
#include "app/image_io/image_io.h"
#include "app/system/ending.h"
#include "app/system/tasks.h"
#include "app/viewer/files/notices.h"
#include "app/viewer/files/obstacle.h"
#include "gpu/core/error.h"
#include "ui/model/files.h"

namespace tonescope {

/// Used from the UI thread alone; no call waits.
class Saves {
  public:
    using Clock = std::chrono::steady_clock;
    using Pixels = std::shared_future<std::shared_ptr<const HostImage>>;
    /// How pixels become a file.
    struct Form {
        SaveOptions options = {};
        SampleWindow window = {};  // through which deep ones go into a format of 8 bits
    };
    struct Disk {
        /// On a worker: what stands at the path. Throws UserError where nobody can tell.
        std::function<Obstacle(const std::string& path, const std::vector<OpenFile>& open)> look = find_obstacle;
        /// On a worker: writes an image file, or where the path is empty the clipboard. Throws UserError, Canceled.
        std::function<void(const std::string& path, const ImageView&, const Form&, std::stop_token, FileProgress*)>
            write;
        /// On the UI thread: the files of open images, and what happens to those that are written onto.
        std::function<std::vector<OpenFile>()> open_files = [] { return std::vector<OpenFile>(); };
        std::function<void(const std::vector<std::string>& originals, Replacing)> replacing = [](const auto&, auto) {};
        /// Reads those whose pixels are not in memory, since the user is asked about them; and whether all are there.
        std::function<void(const std::vector<std::string>& originals)> hold = [](const auto&) {};
        std::function<bool(const std::vector<std::string>& originals)> holds = [](const auto&) { return true; };
        /// On the UI thread: this file has just been written.
        std::function<void(const std::string& path)> written;
        /// On the UI thread: pixels that are waited for are being computed, however long that takes.
        std::function<bool()> computes = [] { return false; };
    };
    /// Writes a file on a worker.
    using Write = std::function<void(const std::string& path, std::stop_token, FileProgress*)>;
    enum class Answer : uint8_t { replace, save_beside, cancel };
    static constexpr const char* kSaving = "Saving";

    Saves(Tasks& tasks, Notices& notices, Disk disk) : tasks_(tasks), notices_(notices), disk_(std::move(disk)) {}

    /// Tells the user where no image can have this name.
    bool can_save(const std::string& path) {
        if (can_save_as(path)) return true;
        notices_.error("cannot save " + path + ": the name must end in " + image_io::saved_endings());
        return false;
    }
    /// Saves a result whose pixels may still be on their way. Where a file is in the way, the user is asked first.
    void save(const std::string& path, Pixels pixels, const SaveOptions& options = {},
              const SampleWindow& window = {}) {
        unless_in_the_way(path, [this, pixels = std::move(pixels), form = Form{options, window},
                                 serial = next_serial_++](const Target& target) {
            pending_.push_back({target, pixels, form, serial});
        });
    }
    void copy(Pixels pixels) { pending_.push_back({{}, std::move(pixels), {}, next_serial_++}); }
    /// Writes any other file, as save() does.
    void export_file(const std::string& path, Write write) {
        unless_in_the_way(path, [this, write = std::move(write)](const Target& target) { write_file(target, write); });
    }
    /// A picture of the views is to be taken from a frame with ViewsModel::picturing.
    void save_view(const std::string& path, const SaveOptions& options = {}) {
        view_path_ = path;
        view_options_ = options;
    }
    bool wants_view() const { return !view_path_.empty(); }
    void take_view(std::shared_ptr<const HostImage> picture) {
        std::promise<std::shared_ptr<const HostImage>> pixels;
        pixels.set_value(std::move(picture));
        save(std::exchange(view_path_, {}), pixels.get_future().share(), view_options_);
    }
    /// Answers the oldest question.
    void answer(Answer answer) {
        if (questions_.empty()) return;
        const Question question = std::move(questions_.front());
        questions_.pop_front();
        left_unanswered_ -= std::min<size_t>(left_unanswered_, 1);
        if (answer == Answer::save_beside) return unless_in_the_way(question.free_path, question.write);
        if (answer == Answer::cancel) return;
        // The file may have been opened while the question stood.
        if (question.target.originals.empty()) return unless_in_the_way(question.target.path, question.write, true);
        disk_.replacing(question.target.originals, Replacing::begins);
        question.write(question.target);
    }
    /// Gives up what is not written yet. False: there was nothing to give up.
    bool cancel() {
        if (!busy()) return false;
        for (const Save& save : std::exchange(pending_, {})) {
            give_up(save.target);
            finished(save.target.path, {});
        }
        stop_.request_stop();
        stop_ = {};
        canceled_ += std::exchange(writing_, 0);
        return true;
    }
    /// Writes what has its pixels, files of the same name one after the other; to be called between frames.
    void update() {
        std::ranges::sort(pending_, {}, &Save::serial);
        std::vector<std::string> taken;
        for (const Writing& file : files_) taken.push_back(file.path);
        for (const Save& save : std::exchange(pending_, {})) {
            const std::string& path = save.target.path;
            if (!is_ready(save.pixels) || std::ranges::find(taken, path) != taken.end()) {
                pending_.push_back(save);
                taken.push_back(path);
                continue;
            }
            uint64_t& newest = newest_[path];
            if (save.serial < newest) {  // its disk answered late
                give_up(save.target);
                continue;
            }
            newest = save.serial;
            taken.push_back(path);
            try {
                const std::shared_ptr<const HostImage> pixels = save.pixels.get();
                if (!pixels)
                    throw UserError((path.empty() ? "nothing was copied" : path + " was not saved") +
                                    ": the result was gone before it could be read");
                write_file(save.target, [pixels, form = save.form, write = disk_.write](
                                            const std::string& to, std::stop_token stop, FileProgress* progress) {
                    write(to, pixels->view(), form, stop, progress);
                });
            } catch (const std::exception& error) {
                give_up(save.target);
                failed(first_line(error.what()));
            }
        }
    }

    /// A save waits for its pixels or is being written.
    bool busy() const { return !pending_.empty() || writing_ > 0; }
    /// Jobs that were canceled and may hang on a dead disk.
    int canceled_jobs() const { return canceled_; }
    /// 0 to 1; negative: unknown.
    double progress() const { return pending_.empty() && !files_.empty() ? files_.back().progress->fraction() : -1; }
    /// What the user is asked about a file that is in the way.
    ui::SaveQuestion question() const {
        if (questions_.empty()) return {};
        const Question& oldest = questions_.front();
        return {oldest.target.path, oldest.free_path, !oldest.target.originals.empty(),
                disk_.holds(oldest.target.originals)};
    }

    /// `is_final`: nobody can answer or read anything any more.
    void quit(bool is_final = false) {
        is_final_ |= is_final;
        if (std::exchange(quits_, true)) return;
        left_unanswered_ = questions_.size();
        still_for_ = {};
        looked_ = Clock::now();
    }
    bool quits() const { return quits_; }
    /// The program may end: what is to be saved is written, or nothing of it has moved for long. Where a file turns out
    /// to be in the way, or cannot be written, after quit(), the window stays, unless that is final. To be called
    /// often.
    bool leaves(Clock::time_point now = Clock::now()) {
        if (!quits_) return false;
        if (!is_final_ && questions_.size() > left_unanswered_) {
            quits_ = false;
            return false;
        }
        // A machine that stands still is no disk that does.
        still_for_ += std::min<Clock::duration>(now - std::exchange(looked_, now), kLongestLook);
        const uint64_t at = position();
        if (at != std::exchange(position_, at) || (!pending_.empty() && disk_.computes())) still_for_ = {};
        if (!has_to_save() && writing_ == 0) return true;
        if (still_for_ > kWarnAfter && !std::exchange(is_warned_, true))
            notices_.warning("No answer from disk, GPU or clipboard: the program ends without saving " + awaited());
        if (still_for_ < kWarnAfter) is_warned_ = false;
        return still_for_ > kQuitPatience;
    }
    /// For how long nothing to be saved has moved when the program leaves.
    std::chrono::milliseconds stood_still() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(still_for_);
    }
    /// What was to be saved and is not, a line each.
    std::vector<std::string> unsaved() const {
        std::vector<std::string> lines = lost_;
        for (const Question& question : questions_)
            lines.push_back("not saved: " + question.target.path + ": there is such a file");
        if (has_to_save() || writing_ > 0)
            lines.push_back("not saved: " + awaited() + ": no answer from disk, GPU or clipboard");
        return lines;
    }

  private:
    static constexpr std::chrono::milliseconds kWarnAfter{400}, kLongestLook{100};
    static constexpr std::chrono::milliseconds kQuitPatience = kEndPatience * 3 / 4;  // the rest is for workers to end

    struct Target {
        std::string path;                         // empty: the clipboard
        std::vector<std::string> originals = {};  // paths of open images whose file this is
    };
    using WriteTo = std::function<void(const Target&)>;
    struct Save {
        Target target;
        Pixels pixels;
        Form form;
        uint64_t serial;  // in the order in which the user asked
    };
    struct Writing {
        std::string path;
        std::shared_ptr<FileProgress> progress;
        std::stop_token stop;
    };
    struct Question {
        Target target;  // a file that is in the way
        std::string free_path;
        WriteTo write;
    };
    /// Asks the user where a file is in the way, or with `may_replace` where that is an original.
    void unless_in_the_way(const std::string& path, WriteTo write, bool may_replace = false) {
        tasks_.look_up(
            kSaving, [path, look = disk_.look, open = disk_.open_files()](std::stop_token) { return look(path, open); },
            [this, path, newest = newest_[path], write = std::move(write),
             may_replace](const Outcome<Obstacle>& outcome) {
                const Obstacle found = outcome.value.value_or(Obstacle{});
                const bool is_ours = newest_[path] != newest;  // another save was faster
                if (!outcome.error.empty()) return failed("cannot save " + path + ": " + outcome.error);
                if (!found.exists || (found.originals.empty() && (is_ours || may_replace))) return write({path});
                disk_.hold(found.originals);
                questions_.push_back({{path, found.originals}, found.free_path, write});
            });
    }
    /// It will not be written.
    void give_up(const Target& target) { disk_.replacing(target.originals, Replacing::failed); }
    void write_file(const Target& target, Write write) {
        ++writing_;
        // Its own stop, not the job's: quitting waits for files that are being written.
        const std::stop_token stop = stop_.get_token();
        const auto progress = std::make_shared<FileProgress>();
        files_.push_back({target.path, progress, stop});
        tasks_.start(
            [path = target.path, write = std::move(write), stop, progress](std::stop_token) {
                if (stop.stop_requested()) throw Canceled();
                write(path, stop, progress.get());
                return true;
            },
            [this, target, stop](const Outcome<bool>& outcome) {
                --(stop.stop_requested() ? canceled_ : writing_);
                files_.erase(std::ranges::find(files_, target.path, &Writing::path));
                disk_.replacing(target.originals, outcome.value ? Replacing::done : Replacing::failed);
                finished(target.path, outcome);
            });
    }
    void finished(const std::string& path, const Outcome<bool>& outcome) {
        if (outcome.value) {
            notices_.info(path.empty() ? "Copied the result to the clipboard" : "Saved " + path);
            disk_.written(path);
        } else if (outcome.error.empty()) {
            notices_.info(path.empty() ? "Nothing was copied" : "Saving was canceled: " + path);
        } else {
            failed(outcome.error);
        }
    }
    /// Who quits meanwhile has to see this: the window stays, where anyone can see it.
    void failed(const std::string& error) {
        if (is_final_) lost_.push_back(error);
        quits_ = is_final_;
        notices_.error(error);
    }
    bool has_to_save() const { return !pending_.empty() || wants_view() || tasks_.looks_up(kSaving); }
    /// Another number once anything to be saved has moved.
    uint64_t position() const {
        // A save that begins to write goes from one list to the other.
        uint64_t sum = next_serial_ + pending_.size() + 2 * files_.size() + questions_.size();
        for (const Writing& file : files_) sum += file.progress->moves();
        return sum;
    }
    /// What an answer is missing about.
    std::string awaited() const {
        std::string names;
        const auto add = [&](const std::string& path) {
            names += (names.empty() ? "" : ", ") + (path.empty() ? "the copied image" : path);
        };
        for (const Writing& file : files_)
            if (!file.stop.stop_requested()) add(file.path);
        for (const Save& save : pending_) add(save.target.path);
        return names.empty() ? "what was asked for" : names;
    }

    Tasks& tasks_;
    Notices& notices_;
    Disk disk_;
    std::vector<Save> pending_;  // wait for their pixels, and for files of the same name that are being written
    uint64_t next_serial_ = 1;
    std::map<std::string, uint64_t> newest_;  // serials of what has been written, by path
    std::deque<Question> questions_;
    std::string view_path_;
    SaveOptions view_options_;
    int writing_ = 0, canceled_ = 0;  // files
    std::vector<Writing> files_;      // both
    std::stop_source stop_;           // of all files being written
    bool quits_ = false, is_final_ = false, is_warned_ = false;
    size_t left_unanswered_ = 0;     // questions that were on screen when the user quit
    Clock::duration still_for_{};    // nothing has moved since quit()
    Clock::time_point looked_;       // by leaves()
    uint64_t position_ = 0;          // then
    std::vector<std::string> lost_;  // errors that nobody could read
};

}  // namespace tonescope
