// Small pictures of image files, for the lists that show files.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "app/image_io/image_io.h"
#include "app/system/folder.h"
#include "app/system/tasks.h"
#include "gpu/core/error.h"
#include "gpu/present/textures.h"

namespace tonescope {

/// How thumbnails come to the screen and go again.
struct ThumbnailTextures {
    std::function<Picture(const Pyramid&)> make = make_picture;
    std::function<void(std::vector<Tile>&)> remove = delete_textures;
};

class Thumbnails {
  public:
    /// `many`: with fewer thumbnails has_many() is false.
    explicit Thumbnails(std::function<void()> wake, ThumbnailTextures textures = {}, size_t many = 256)
        : textures_(std::move(textures)), many_(many), jobs_(1, std::move(wake)) {}
    ~Thumbnails() {
        jobs_.abandon();
        for (auto& [path, picture] : pictures_) textures_.remove(picture.tiles);
    }

    /// Each image file is read once, whatever comes of it: opening it will say what is wrong with it.
    void want(const std::string& path) {
        if (kind_of(path) == ui::kImageFiles && wanted_.insert(path).second) make(path);
    }
    /// This file has been written: a thumbnail of it is made anew.
    void written(const std::string& path) {
        if (wanted_.contains(path)) make(path);
    }
    void want(const std::vector<std::string>& paths) {
        for (const std::string& path : paths) want(path);
    }
    /// Empty where there is no thumbnail of the file.
    Picture of(const std::string& path) const {
        const auto found = pictures_.find(path);
        return found == pictures_.end() ? Picture() : found->second;
    }
    /// Whether decoding the file takes more memory than a thumbnail may.
    bool is_too_large(const std::string& path) const { return too_large_.contains(path); }
    /// Takes over finished thumbnails, between frames. True when there are new ones.
    bool update() {
        const uint64_t before = revision_;
        jobs_.drain();
        return revision_ != before;
    }
    bool has_many() const { return pictures_.size() >= many_; }
    /// Gives back the thumbnails of files that no list shows.
    void keep_only(const std::set<std::string>& shown) {
        for (auto& [path, picture] : pictures_) {
            if (shown.contains(path)) continue;
            textures_.remove(picture.tiles);
            wanted_.erase(path);
        }
        std::erase_if(pictures_, [&](const auto& entry) { return !shown.contains(entry.first); });
        std::erase_if(too_large_,
                      [&](const std::string& path) { return !shown.contains(path) && wanted_.erase(path); });
        ++revision_;
        many_ = std::max(many_, 2 * pictures_.size());
    }
    /// Differs whenever of() may give something else.
    uint64_t revision() const { return revision_; }
    bool busy() const { return jobs_.open_jobs() > 0; }

  private:
    static constexpr int kSide_px = 128;

    void make(const std::string& path) {
        jobs_.start(
            [path](std::stop_token stop) {
                try {
                    return make_pyramid(std::make_shared<const HostImage>(load_thumbnail(path, kSide_px, stop)), 1);
                } catch (const MemoryError&) {
                    return std::shared_ptr<const Pyramid>();
                }
            },
            [this, path](const Outcome<std::shared_ptr<const Pyramid>>& outcome) {
                if (!outcome.value) return;
                if (auto before = pictures_.extract(path)) textures_.remove(before.mapped().tiles);
                too_large_.erase(path);
                if (*outcome.value) {
                    pictures_[path] = textures_.make(**outcome.value);
                } else {
                    too_large_.insert(path);
                }
                ++revision_;
            });
    }

    ThumbnailTextures textures_;
    std::map<std::string, Picture> pictures_;  // by path
    std::set<std::string> wanted_;             // asked for so far
    std::set<std::string> too_large_;          // of these
    size_t many_;
    uint64_t revision_ = 1;
    Tasks jobs_;  // last: its thread uses what stands above; many files make a long queue
};

}  // namespace tonescope
