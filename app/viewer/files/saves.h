// Files that are written: results, pictures of the views, exports; and the clipboard. Disks may answer late or never,
// and the user may quit meanwhile.
#pragma once

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

#include "app/image_io/image_io.h"
#include "app/system/tasks.h"
#include "app/viewer/files/notices.h"

namespace tonescope {

/// Used from the UI thread alone; no call waits.
class Saves {
  public:
    using Clock = std::chrono::steady_clock;
    using Pixels = std::shared_future<std::shared_ptr<const HostImage>>;
    /// What is done on workers.
    struct Disk {
        /// Whether there is such a file. Throws UserError where nobody can tell.
        std::function<bool(const std::string& path)> has_file;
        /// An image file, or where the path is empty the clipboard. Throws UserError, Cancelled.
        std::function<void(const std::string& path, const ImageView&, std::stop_token, FileProgress*)> write;
        /// On the UI thread: this file has just been written.
        std::function<void(const std::string& path)> written;
    };
    /// Writes a file on a worker.
    using Write = std::function<void(std::stop_token, FileProgress*)>;
    static constexpr const char* kSaving = "Saving";

    Saves(Tasks& tasks, Notices& notices, Disk disk) : tasks_(tasks), notices_(notices), disk_(std::move(disk)) {}

    /// Tells why no image can have this name.
    bool can_save(const std::string& path);
    /// Pixels of what is on screen, which may be on their way: the disk may answer after image or parameters have
    /// changed. Where a file is in the way, the user is asked first.
    void save(const std::string& path, Pixels pixels);
    void copy(Pixels pixels);
    /// Any other file.
    void export_file(const std::string& path, Write write);
    /// A picture of the views is to be taken from a frame with ViewsModel::picturing.
    void save_view(const std::string& path) { view_path_ = path; }
    bool wants_view() const { return !view_path_.empty(); }
    void take_view(std::shared_ptr<const HostImage> picture);
    /// To the oldest question.
    void answer(bool replace);
    /// False: there was nothing to cancel.
    bool cancel();
    /// Between frames: writes what has its pixels, one file after the other where they have the same name.
    void update();

    /// Something waits for its pixels or is being written.
    bool busy() const { return !pending_.empty() || writing_ > 0; }
    /// Jobs that were cancelled and may hang on a dead disk.
    int cancelled_jobs() const { return cancelled_; }
    /// 0 to 1; negative: unknown.
    double progress() const { return pending_.empty() ? newest_progress_->fraction() : -1; }
    /// Of the file that the user is asked about; empty: of none.
    std::string question() const { return questions_.empty() ? "" : questions_[0].path; }

    void quit();
    bool quits() const { return quit_since_.has_value(); }
    /// The program may end: what is to be saved is written, or its disk has not answered for long. Where a file turns
    /// out to be in the way, or cannot be written, after quit(), the window stays.
    bool leaves(Clock::time_point now = Clock::now());
    /// What was to be saved and is not, a line each.
    std::vector<std::string> unsaved() const;

  private:
    struct Save {
        std::string path;  // empty: to the clipboard
        Pixels pixels;
        uint64_t serial;  // in the order in which the user asked
    };
    struct Question {
        std::string path;  // of a file that is in the way
        std::function<void()> write;
    };
    void unless_in_the_way(const std::string& path, std::function<void()> write);
    void write_file(const std::string& path, Write write);
    void finished(const std::string& path, const Outcome<bool>& outcome);
    void failed(const std::string& error);
    bool has_to_save() const;

    Tasks& tasks_;
    Notices& notices_;
    Disk disk_;
    std::vector<Save> pending_;  // wait for their pixels, and for files of the same name that are being written
    uint64_t next_serial_ = 1;
    std::map<std::string, uint64_t> newest_;  // serials of what has been written, by path
    std::deque<Question> questions_;
    std::string view_path_;
    int writing_ = 0, cancelled_ = 0;  // files
    std::vector<std::string> paths_;   // of both
    std::stop_source stop_;            // of all files being written
    std::shared_ptr<FileProgress> newest_progress_ = std::make_shared<FileProgress>();
    std::optional<Clock::time_point> quit_since_;
    size_t left_unanswered_ = 0;  // questions that were on screen when the user quit
};

}  // namespace tonescope
