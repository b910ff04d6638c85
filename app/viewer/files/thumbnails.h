// Small pictures of image files, for the lists that show files.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "app/system/tasks.h"
#include "gpu/present/textures.h"

namespace tonescope {

/// How thumbnails come to the screen and go again.
struct ThumbnailTextures {
    std::function<Picture(const Pyramid&)> make = make_picture;
    std::function<void(std::vector<Tile>&)> remove = delete_textures;
};

class Thumbnails {
  public:
    /// `wake` may be called from any thread. `many`: with fewer thumbnails has_many() is false.
    explicit Thumbnails(std::function<void()> wake, ThumbnailTextures textures = {}, size_t many = 256);
    ~Thumbnails();

    /// A file is read once, whatever comes of it: it says what is wrong with it when it is opened.
    void want(const std::string& path);
    /// Empty where there is none.
    const Picture& of(const std::string& path) const;
    /// Between frames. True when there are new ones.
    bool update();
    bool has_many() const { return pictures_.size() >= many_; }
    /// Gives back those of files that no list shows.
    void keep_only(const std::set<std::string>& shown);
    /// Differs whenever of() may give something else.
    uint64_t revision() const { return revision_; }
    bool busy() const { return jobs_.open_jobs() > 0; }

  private:
    ThumbnailTextures textures_;
    std::map<std::string, Picture> pictures_;  // by path
    std::set<std::string> wanted_;             // asked for so far
    size_t many_;
    uint64_t revision_ = 1;
    Tasks jobs_;  // last: its thread uses what stands above; many files make a long queue
};

}  // namespace tonescope
