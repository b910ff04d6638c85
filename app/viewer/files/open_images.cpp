#include "app/viewer/files/open_images.h"

#include <algorithm>
#include <filesystem>

namespace tonescope {

std::string OpenImage::name() const {
    return std::filesystem::path(path).filename().string();
}

OpenImage* OpenImages::find(uint64_t id) {
    const int index = index_of(id);
    ++revision_;
    return index < 0 ? nullptr : &images_[size_t(index)];
}

int OpenImages::index_of(uint64_t id) const {
    const auto found = std::ranges::find(images_, id, &OpenImage::id);
    return found == images_.end() ? -1 : int(found - images_.begin());
}

OpenImage& OpenImages::add(const std::string& path) {
    ++revision_;
    OpenImage& image = images_.emplace_back();
    image.id = next_id_++;
    image.path = path;
    return image;
}

void OpenImages::select(int index) {
    current_ = index;
    if (index >= 0) images_[size_t(index)].last_used = ++use_clock_;
}

void OpenImages::close(int index) {
    ++revision_;
    has_freed_ = true;
    images_[size_t(index)].loading.request_stop();
    images_.erase(images_.begin() + index);
    if (current_ > index || current_ == int(images_.size())) --current_;
}

OpenImage& OpenImages::replace_current(const std::string& path) {
    ++revision_;
    has_freed_ = true;
    OpenImage& image = images_[size_t(current_)];
    image.loading.request_stop();
    image = {};
    image.id = next_id_++;
    image.path = path;
    image.last_used = ++use_clock_;
    return image;
}

void OpenImages::put_back(uint64_t in_place_of, OpenImage image) {
    if (OpenImage* now = find(in_place_of)) {
        now->loading.request_stop();
        *now = std::move(image);
        if (now->state != OpenImage::State::loading) return;
        now->state = now->image ? OpenImage::State::ready : OpenImage::State::waiting;  // its load was stopped
        now->stamp.reset();
    }
}

void OpenImages::trim(size_t max_bytes) {
    while (true) {
        size_t held_bytes = 0;
        OpenImage* oldest = nullptr;
        for (OpenImage& image : images_) {
            if (!image.image) continue;
            held_bytes += image.image->size_bytes();
            if (&image != current() && (oldest == nullptr || image.last_used < oldest->last_used)) oldest = &image;
        }
        if (held_bytes <= max_bytes || oldest == nullptr) return;
        oldest->image.reset();
    }
}

}  // namespace tonescope
