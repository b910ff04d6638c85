// Opens image files, chooses the one that is shown, reads it again when it changes on disk.
#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/system/clipboard.h"
#include "app/system/file_watch.h"
#include "app/viewer/files/folder_steps.h"
#include "app/viewer/files/found_files.h"
#include "app/viewer/files/image_details.h"
#include "app/viewer/files/notices.h"
#include "app/viewer/files/obstacle.h"
#include "app/viewer/files/open_images.h"
#include "app/viewer/files/pages_ahead.h"
#include "app/viewer/files/recent_files.h"
#include "app/viewer/files/thumbnails.h"
#include "ui/model/files.h"

namespace tonescope {

/// An image of a list that someone has put together earlier.
struct ListedImage {
    std::string path;
    std::optional<int> page = {};  // from 0, of files with several
    bool is_missing = false;
    bool operator==(const ListedImage&) const = default;
};

/// Used from the UI thread alone; only open_now() waits, for a moment.
class Images {
  public:
    /// What others have to do when something happens to the images.
    struct Events {
        /// These pixels are the current image's from now on; null: there is none.
        std::function<void(std::shared_ptr<const HostImage>)> show;
        /// Preset files were among those to open.
        std::function<void(const std::vector<std::string>& paths)> found_presets;
        /// Session files were among those to open; `images` are to be opened behind them.
        std::function<void(const std::vector<std::string>& paths, const std::vector<std::string>& images)>
            found_sessions;
        /// Where the pixels of an image go that is about to be read; may be empty.
        std::function<MakeImage()> memory = {};
    };
    /// `ahead`: where pages are read that nobody waits for.
    Images(Tasks& tasks, Tasks& ahead, Notices& notices, RecentFiles& recent, Events events, std::function<void()> wake)
        : tasks_(tasks),
          ahead_(ahead, events.memory),
          notices_(notices),
          recent_(recent),
          events_(std::move(events)),
          steps_(images_, tasks, notices, [this](OpenImage& image) { bring(image); }),
          watch_(std::move(wake)) {}

    /// Stops reading, and removes the files that were pasted: nobody looks for them later.
    ~Images() {
        for (const OpenImage& image : images_.all()) std::stop_source(image.loading).request_stop();
        std::error_code error;
        for (const std::string& path : pasted_) std::filesystem::remove(path, error);
    }

    /// Looks for files and folders first. `page`: of files that are not open yet, from 0; empty: that shown last.
    void open(const std::vector<std::string>& paths, std::optional<int> page = {}) {
        tasks_.look_up(
            "Looking for images", [paths](std::stop_token) { return find_files(paths); },
            [this, page, order = next_order_++](const Outcome<FoundFiles>& outcome) {
                if (outcome.value) open_found(*outcome.value, order, page);
                if (!outcome.error.empty()) notices_.error(outcome.error);
            });
    }
    /// The same before there is anything to show. It waits for what is found, unless a disk does not answer.
    void open_now(const std::vector<std::string>& paths, std::optional<int> page = {}) {
        open(paths, page);
        tasks_.await_look_ups(kPatienceAtStart);
    }
    /// Opens a list in place of the images that are open, of which those stay that only this window has: pasted ones,
    /// and originals whose files are replaced. No path occurs twice. Those that are missing cost a line each, and stay
    /// in the list.
    void open_list(const std::vector<ListedImage>& list, size_t current) {
        if (list.empty()) return;
        shown_order_ = next_order_++;
        ++openings_;
        std::vector<std::string> paths;
        for (const ListedImage& listed : list) paths.push_back(listed.path);
        images_.arrange(paths, [this](const OpenImage& image) { return image.replaced || is_pasted(image.path); });
        std::optional<size_t> first;
        for (size_t k = 0; k < list.size(); ++k) {
            OpenImage& image = images_.at(k);
            if (list[k].is_missing && !image.image) {
                image.state = OpenImage::State::failed;
                image.error = image.path + ": no such file";
                fail(image.error);
                continue;
            }
            if (!first || k == current) first = k;
            const int page = list[k].page.value_or(0);
            if (image.page == page || image.replaced) continue;
            image.stop_loading();
            image.image.reset();
            image.wanted_page = page;
        }
        if (first) return select(int(*first));
        images_.select(int(current));
        ahead_.follow(nullptr);
        events_.show(nullptr);
    }
    /// Opens the clipboard's image.
    void paste() {
        open_made("Pasting", [](std::stop_token stop) { return paste_image(stop); });
    }
    /// Opens an image that `make` writes to a temporary file on a worker, and whose path it returns.
    void open_made(const std::string& what, std::function<std::string(std::stop_token)> make) {
        tasks_.look_up(what, std::move(make), [this, order = next_order_++](const Outcome<std::string>& outcome) {
            if (outcome.value) {
                pasted_.push_back(*outcome.value);
                open_found({.images = {*outcome.value}, .presets = {}, .sessions = {}, .problems = {}}, order);
            } else if (!outcome.error.empty()) {
                notices_.warning(outcome.error);
            }
        });
    }
    /// The image that was on screen stays there until the new one is decoded.
    void select(int index) {
        stepped_id_ = 0;
        if (current() != nullptr && images_.current_index() != index) images_.current()->stop_loading();
        images_.select(index);
        if (index < 0) {
            ahead_.follow(nullptr);
            events_.show(nullptr);
            return;
        }
        bring(*images_.current());
        images_.trim(kHeldImages_bytes);
    }
    void close(int index) {
        if (index < 0 || index >= int(images_.all().size())) return;
        const uint64_t before = current() == nullptr ? 0 : current()->id;
        images_.close(index);
        if (current() == nullptr || current()->id != before) select(images_.current_index());
    }
    /// Goes to the next or previous image of the list, or where only one is open, of its folder, and no farther than
    /// the ends. Images that cannot be read are stepped over.
    void step(int by) {
        if (current() == nullptr || by == 0) return;
        if (images_.all().size() == 1) return steps_.step(by);
        if (!step_in_list(by)) notices_.info(end_of_steps(by, current()->name()));
    }
    /// Another page of the current image, from 0; the one on screen stays there until it is decoded.
    void show_page(int page) {
        OpenImage* image = images_.current();
        if (image == nullptr || !image->image) return;
        page = std::clamp(page, 0, image->details.pages - 1);
        if (page == image->wanted_page) return;
        image->stop_loading();
        if (page == image->page) return;
        if (auto read = ahead_.take(image->id, page)) {
            take_page(*image, page, std::move(*read));
            show(*image);
        } else if (image->replaced) {
            notices_.warning(image->name() +
                             " has changed on disk: its other pages can be shown once it is read again");
        } else {
            image->wanted_page = page;
            load(*image);
        }
    }
    void reload() {
        ahead_.forget();
        if (current() != nullptr) load(*images_.current());
    }
    /// The image that is being read, the current one first; null: there is none.
    const OpenImage* loading() const {
        const auto is_read = [](const OpenImage& image) { return image.state == OpenImage::State::loading; };
        if (current() != nullptr && is_read(*current())) return current();
        const auto found = std::ranges::find_if(images_.all(), is_read);
        return found == images_.all().end() ? nullptr : &*found;
    }
    /// Gives up reading it. False: no image is being read.
    bool cancel_loading() {
        if (loading() == nullptr) return false;
        OpenImage& image = *images_.find(loading()->id);
        if (image.image || &image != std::as_const(images_).current()) {  // it was read before, or is not to be shown
            image.stop_loading();
            image.stamp.reset();  // or its change would be read after all
        } else if (!steps_.go_back(false)) {
            const uint64_t canceled = image.id;
            go_back(false);
            close(images_.index_of(canceled));
        }
        return true;
    }
    /// Reads the current image again when its file has changed; to be called between frames.
    void update() {
        const OpenImage* image = current();
        const bool is_read =
            image != nullptr && image->image && image->state == OpenImage::State::ready && !image->replaced;
        watch_.watch(is_read ? image->path : "", is_read ? image->stamp : std::nullopt);
        const std::string changed = watch_.take_changed();
        if (changed.empty() || image == nullptr || image->path != changed) return;
        reload();
        notices_.info(image->name() + " has changed on disk and was read again");
    }

    /// The files that the pixels on screen and in the list are of.
    std::vector<OpenFile> files() const {
        std::vector<OpenFile> files;
        for (const OpenImage& image : images_.all())
            if (!image.replaced) files.push_back({image.path, image.stamp});
        return files;
    }
    /// The program writes onto files of open images: what was read from them stays until the user has it read again.
    void replacing(const std::vector<std::string>& paths, Replacing how) {
        for (const std::string& path : paths) {
            OpenImage* image = images_.find_path(path);
            if (image == nullptr || !image->image) continue;
            if (how == Replacing::begins) image->stop_loading();  // what it reads may be either
            image->is_overwritten |= how == Replacing::done;
            image->replaced = image->is_overwritten || how == Replacing::begins;
            if (how == Replacing::done)
                notices_.info(image->name() +
                              " is replaced; the window still has the original (Ctrl+R reads the file)");
        }
    }
    /// Pixels of an image; null while they are not in memory. Those of a file that is not open are given away: whoever
    /// has had it read keeps them.
    std::shared_ptr<const HostImage> pixels(const std::string& path) {
        const OpenImage* image = std::as_const(images_).find_path(path);
        if (image != nullptr) return image->image;
        return path == beside_.path ? std::exchange(beside_.image, nullptr) : nullptr;
    }
    /// Reads an image that something beside the screen needs, where its pixels are not in memory; of a file that is
    /// not open the first page.
    void read(const std::string& path) {
        OpenImage* image = images_.find_path(path);
        if (image == nullptr)
            read_beside(path);
        else if (!image->image && image->state != OpenImage::State::loading)
            load(*image);
    }
    bool reads(const std::string& path) const {
        const OpenImage* image = images_.find_path(path);
        if (image == nullptr) return path == beside_.path && tasks_.looks_up(beside_.title());
        return image->state == OpenImage::State::loading;
    }

    const OpenImages& list() const { return images_; }
    /// How often the user has opened something, which steps through a folder and choices among open images are not.
    uint64_t openings() const { return openings_; }
    const OpenImage* current() const { return images_.current(); }
    bool take_freed() { return images_.take_freed(); }
    bool is_pasted(const std::string& path) const { return std::ranges::find(pasted_, path) != pasted_.end(); }
    /// Something could not be opened.
    void fail(const std::string& error) {
        failures_.push_back(error);
        notices_.error(error);
    }
    /// Files that could not be opened so far, a line each.
    const std::vector<std::string>& failures() const { return failures_; }
    /// Makes the entries anew only when there is something new in them: the model must be the same each time.
    void fill(ui::ImagesModel& model, const Thumbnails& thumbnails) {
        model.current = images_.current_index();
        const uint64_t revision = images_.revision() + thumbnails.revision();
        if (std::exchange(filled_revision_, revision) == revision) return;
        model.entries.clear();
        for (const OpenImage& image : images_.all()) {
            model.entries.push_back({image.name(), image.path, size_text(image), image.error, image.state,
                                     thumbnails.of(image.path), image.replaced, image.wanted_page,
                                     image.details.pages});
        }
    }
    void fill(ui::DetailsModel& model) const { fill_details(current(), model); }

  private:
    /// Decoded images that are not on screen may hold this much.
    static constexpr size_t kHeldImages_bytes = size_t{1} << 30;
    static constexpr std::chrono::milliseconds kPatienceAtStart{500};

    /// The first image found becomes the current one, unless one that was asked for later has come sooner.
    void open_found(const FoundFiles& found, uint64_t order, std::optional<int> page = {}) {
        for (const std::string& problem : found.problems) notices_.error(problem);
        if (!found.presets.empty()) events_.found_presets(found.presets);
        if (!found.sessions.empty()) return events_.found_sessions(found.sessions, found.images);
        std::map<std::string, uint64_t> known;
        for (const OpenImage& image : images_.all()) known.emplace(image.path, image.id);
        std::optional<uint64_t> first;
        for (const std::string& path : found.images) {
            const auto [place, is_new] = known.try_emplace(path, 0);
            if (is_new) {
                OpenImage& image = images_.add(path);
                if (!image.image) {
                    image.wanted_page = page.value_or(recent_.page_of(path));
                    image.resumes = !page && image.wanted_page > 0;
                }
                place->second = image.id;
            }
            if (!first) first = place->second;
        }
        const bool shows_newer =
            order < shown_order_ && current() != nullptr && current()->state != OpenImage::State::failed;
        if (!first || shows_newer) return;
        shown_order_ = std::max(shown_order_, order);
        ++openings_;
        select(images_.index_of(*first));
    }
    void read_beside(const std::string& path) {
        beside_.reading.request_stop();
        beside_ = {.path = path};
        beside_.reading = tasks_.look_up(
            beside_.title(), [path](std::stop_token stop) { return read_page(path, 0, {}, std::move(stop)); },
            [this](const Outcome<PagePixels>& outcome) {
                if (outcome.value) beside_.image = outcome.value->image;
                if (!outcome.error.empty()) notices_.error(outcome.error);
            });
    }
    /// On screen, once it has been read.
    void bring(OpenImage& image) {
        if (image.state == OpenImage::State::loading) return;
        if (image.image)
            show(image);
        else
            load(image);
    }
    void load(OpenImage& image) {
        image.loading.request_stop();
        image.state = OpenImage::State::loading;
        image.progress = std::make_shared<FileProgress>();
        const auto stamp = std::make_shared<std::optional<FileStamp>>();
        image.loading = tasks_.start(
            [path = image.path, page = image.wanted_page, stamp, progress = image.progress,
             make_image = events_.memory ? events_.memory() : MakeImage()](std::stop_token stop) {
                *stamp = file_stamp(path);
                return read_page(path, page, make_image, stop, progress.get());
            },
            [this, id = image.id, page = image.wanted_page, stamp](const Outcome<PagePixels>& outcome) {
                OpenImage* const read = images_.find(id);
                if (read != nullptr && (!read->image || read->page == page)) read->stamp = *stamp;
                loaded(id, page, outcome);
            });
    }
    void loaded(uint64_t id, int page, const Outcome<PagePixels>& outcome) {
        OpenImage* image = images_.find(id);
        if (image == nullptr) return;
        if (!outcome.value && std::exchange(image->resumes, false)) {  // it may have fewer pages now
            image->wanted_page = 0;
            return load(*image);
        }
        image->resumes = false;
        if (!outcome.value) {
            fail(outcome.error);
            const bool reloaded = image->image != nullptr;
            image->state = reloaded ? OpenImage::State::ready : OpenImage::State::failed;
            image->error = outcome.error;
            if (reloaded) image->wanted_page = image->page;
            const bool goes_on = image->id == stepped_id_ && step_in_list(step_direction_);
            if (!reloaded && !goes_on && image == current()) go_back(true);
            return;
        }
        image->state = OpenImage::State::ready;
        image->error.clear();
        take_page(*image, page, *outcome.value);
        image->replaced = image->is_overwritten = false;
        if (image != current()) return;  // whoever needs its pixels takes them before they are forgotten
        if (!is_pasted(image->path)) recent_.remember(image->path);
        show(*image);
        images_.trim(kHeldImages_bytes);
    }
    void take_page(OpenImage& image, int page, PagePixels read) {
        if (page != image.page && image.image)
            ahead_.keep(image.id, image.page, {image.image, image.details, image.stamp});
        image.page = image.wanted_page = page;
        image.details = std::move(read.details);
        image.spec = read.image->spec();
        image.image = std::move(read.image);
        image.stamp = read.stamp;
    }
    /// False: there is no image that can be read in this direction.
    bool step_in_list(int by) {
        step_direction_ = by > 0 ? 1 : -1;
        const int count = int(images_.all().size());
        int to = images_.current_index();
        for (int next = to + step_direction_; by != 0 && next >= 0 && next < count; next += step_direction_) {
            if (images_.all()[size_t(next)].state == OpenImage::State::failed) continue;
            to = next;
            by -= step_direction_;
        }
        if (to == images_.current_index()) return false;
        select(to);
        stepped_id_ = current()->id;
        return true;
    }
    void show(const OpenImage& image) {
        events_.show(image.image);
        shown_id_ = image.id;
        steps_.arrived();
        ahead_.follow(&image);
        recent_.remember_page(image.path, image.page);
    }
    /// The image on screen is the current one again.
    void go_back(bool failed) {
        if (steps_.go_back(failed) || shown_id_ == current()->id) return;
        if (const int shown = images_.index_of(shown_id_); shown >= 0)
            select(shown);
        else
            events_.show(nullptr);
    }

    Tasks& tasks_;
    PagesAhead ahead_;
    Notices& notices_;
    RecentFiles& recent_;
    Events events_;
    OpenImages images_;
    FolderSteps steps_;
    FileWatch watch_;
    uint64_t next_order_ = 0, shown_order_ = 0;  // in which the user has asked for images
    uint64_t openings_ = 0;
    uint64_t shown_id_ = 0;    // of the image that is on screen
    uint64_t stepped_id_ = 0;  // of the image that the last step led to; 0: it was chosen otherwise
    int step_direction_ = 1;
    std::vector<std::string> failures_, pasted_;
    /// A file that is read for something beside the screen and is not open.
    struct Beside {
        std::string path = {};
        std::shared_ptr<const HostImage> image = {};
        std::stop_source reading = std::stop_source(std::nostopstate);
        std::string title() const { return "Opening " + std::filesystem::path(path).filename().string(); }
    } beside_;
    uint64_t filled_revision_ = 0;
};

}  // namespace tonescope
