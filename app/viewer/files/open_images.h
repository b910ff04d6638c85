// The images that are open, which of them is the current one, and the pixels of those used lately.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/image_io/image_io.h"
#include "app/system/file_watch.h"
#include "ui/model/files.h"

namespace tonescope {

/// "/photos/moon.jpg" and "-view.png" give "/photos/moon-view.png".
inline std::string path_beside(const std::filesystem::path& file, const std::string& ending) {
    return (file.parent_path() / (file.stem().string() + ending)).string();
}

/// A page of a file, as it was read.
struct PagePixels {
    std::shared_ptr<const HostImage> image;
    ImageDetails details;
    std::optional<FileStamp> stamp;  // of the file, when it was read
};
/// On a worker. Throws as load_image() does.
inline PagePixels read_page(const std::string& path, int page, MakeImage make_image, std::stop_token stop,
                            FileProgress* progress = nullptr) {
    const std::optional<FileStamp> stamp =
        file_stamp(path);  // before it is read: what is written meanwhile is a change
    const auto file = std::make_shared<LoadedImage>(load_image(
        path, std::move(stop), progress, {.page = page, .keeps_depth = true, .make_image = std::move(make_image)}));
    return {std::shared_ptr<const HostImage>(file, &file->image), std::move(file->details), stamp};
}

struct OpenImage {
    using State = ui::ImageEntry::State;
    uint64_t id = 0;
    std::string path;
    State state = State::ready;
    std::string error;
    std::shared_ptr<const HostImage> image;  // null: loaded when it is selected
    ImageSpec spec;
    ImageDetails details;
    int page = 0;                    // from 0, which `image` is
    int wanted_page = 0;             // that is to be shown
    bool resumes = false;            // it is the one that an earlier run has shown last
    std::optional<FileStamp> stamp;  // of the file, when it was read
    bool replaced = false;           // the program has written onto the file, or does: only `image` holds its pixels
    bool is_overwritten = false;     // it has
    uint64_t last_used = 0;
    std::stop_source loading;
    std::shared_ptr<FileProgress> progress;  // of the newest load

    std::string name() const { return std::filesystem::path(path).filename().string(); }
    /// An image that was not read completely is read again when it is selected. A page that is shown stays.
    void stop_loading() {
        loading.request_stop();
        if (state == State::loading) state = State::ready;
        if (image) wanted_page = page;
    }
};

class OpenImages {
  public:
    const std::vector<OpenImage>& all() const { return images_; }
    int current_index() const { return current_; }
    /// Null where no image is open.
    const OpenImage* current() const { return current_ < 0 ? nullptr : &images_[size_t(current_)]; }
    OpenImage* current() { return current_ < 0 ? nullptr : change(size_t(current_)); }
    OpenImage* find(uint64_t id) {
        const int index = index_of(id);
        return index < 0 ? nullptr : change(size_t(index));
    }
    /// Differs whenever an image may have been added, removed or changed.
    uint64_t revision() const { return revision_; }
    /// The image's place in all(); -1 where it is not open.
    int index_of(uint64_t id) const {
        const auto found = std::ranges::find(images_, id, &OpenImage::id);
        return found == images_.end() ? -1 : int(found - images_.begin());
    }
    /// The image of this path, also one that is set aside; null: there is none.
    const OpenImage* find_path(const std::string& path) const {
        const auto found = std::ranges::find(images_, path, &OpenImage::path);
        if (found != images_.end()) return &*found;
        const auto aside = aside_.find(path);
        return aside == aside_.end() ? nullptr : &aside->second;
    }
    OpenImage* find_path(const std::string& path) {
        ++revision_;
        return const_cast<OpenImage*>(std::as_const(*this).find_path(path));
    }
    OpenImage& add(const std::string& path) {
        ++revision_;
        return images_.emplace_back(image_of(path));
    }
    OpenImage& at(size_t index) { return *change(index); }
    /// These, in this order, take the place of all that are open; images that `keeps` is true of stay behind them. None
    /// is the current one then.
    void arrange(const std::vector<std::string>& paths, const std::function<bool(const OpenImage&)>& keeps) {
        ++revision_;
        has_freed_ = true;
        current_ = -1;
        std::vector<OpenImage> before = std::exchange(images_, {});
        std::map<std::string, OpenImage*> places;
        for (OpenImage& image : before) places.emplace(image.path, &image);
        for (const std::string& path : paths) {
            const auto place = places.extract(path);
            images_.push_back(place ? std::move(*place.mapped()) : image_of(path));
        }
        for (OpenImage& image : before) {
            if (!places.contains(image.path)) continue;
            if (keeps(image))
                images_.push_back(std::move(image));
            else
                image.stop_loading();
        }
    }
    void select(int index) {
        current_ = index;
        if (index >= 0) images_[size_t(index)].last_used = ++use_clock_;
    }
    void close(int index) {
        change(size_t(index))->stop_loading();
        has_freed_ = true;
        images_.erase(images_.begin() + index);
        if (current_ > index || current_ == int(images_.size())) --current_;
    }
    /// Takes another file in place of the current one. Where only this program still has what the file of an image was,
    /// the image is set aside until its path comes again.
    OpenImage& replace_current(const std::string& path) {
        put_in_place(image_of(path));
        select(current_);
        return *current();
    }
    /// Takes an image that replace_current() took away in place of the current one.
    void put_back(OpenImage image) {
        if (auto aside = aside_.extract(image.path)) image = std::move(aside.mapped());
        if (image.state == OpenImage::State::loading) image.stamp.reset();  // what the file holds now was not read
        image.stop_loading();
        put_in_place(std::move(image));
    }
    /// Forgets pixels of images not used lately until at most max_bytes are held. The current image stays.
    void trim(size_t max_bytes) {
        const OpenImage* shown = current();
        while (true) {
            size_t held_bytes = 0;
            OpenImage* oldest = nullptr;
            for (OpenImage& image : images_) {
                if (!image.image || image.replaced) continue;
                held_bytes += image.image->size_bytes();
                if (&image != shown && (oldest == nullptr || image.last_used < oldest->last_used)) oldest = &image;
            }
            if (held_bytes <= max_bytes || oldest == nullptr) return;
            oldest->image.reset();
        }
    }
    /// True once after an image was closed or replaced.
    bool take_freed() { return std::exchange(has_freed_, false); }

  private:
    OpenImage image_of(const std::string& path) {
        if (auto aside = aside_.extract(path)) return std::move(aside.mapped());
        OpenImage image;
        image.id = next_id_++;
        image.path = path;
        return image;
    }
    void put_in_place(OpenImage image) {
        OpenImage& place = *current();
        place.stop_loading();
        has_freed_ = true;
        OpenImage before = std::exchange(place, std::move(image));
        if (!before.replaced) return;
        const std::string path = before.path;
        aside_[path] = std::move(before);
    }
    OpenImage* change(size_t index) {
        ++revision_;
        return &images_[index];
    }

    std::vector<OpenImage> images_;
    std::map<std::string, OpenImage> aside_;  // by path: originals that are replaced, without a place in the list
    int current_ = -1;
    uint64_t next_id_ = 1, use_clock_ = 0;
    uint64_t revision_ = 1;
    bool has_freed_ = false;
};

}  // namespace tonescope
