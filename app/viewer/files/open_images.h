// The images that are open, which of them is the current one, and the pixels of those used lately.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/image_io/image_io.h"
#include "app/system/file_watch.h"

namespace tonescope {

struct OpenImage {
    enum class State : uint8_t { waiting, loading, ready, failed };  // waiting: opened when it is selected
    uint64_t id = 0;
    std::string path;
    State state = State::waiting;
    std::string error;
    std::shared_ptr<const HostImage> image;  // may be given back when memory is short; loaded again when selected
    ImageSpec spec;
    ImageDetails details;
    std::optional<FileStamp> stamp;  // of the file, when it was read
    uint64_t last_used = 0;
    std::stop_source loading;
    std::shared_ptr<FileProgress> progress;  // of the newest load

    std::string name() const;  // of the file
};

class OpenImages {
  public:
    const std::vector<OpenImage>& all() const { return images_; }
    int current_index() const { return current_; }
    /// Null where none is open.
    const OpenImage* current() const { return current_ < 0 ? nullptr : &images_[size_t(current_)]; }
    OpenImage* find(uint64_t id);
    /// Differs whenever an image may have been added, removed or changed.
    uint64_t revision() const { return revision_; }
    /// Its place in all(); -1 where it is not open.
    int index_of(uint64_t id) const;
    OpenImage& add(const std::string& path);
    void select(int index);
    void close(int index);
    /// Takes another file in place of the current one.
    OpenImage& replace_current(const std::string& path);
    /// Takes back one that replace_current() took away.
    void put_back(uint64_t in_place_of, OpenImage image);
    /// Forgets pixels of images not used lately until at most max_bytes are held. The current image stays.
    void trim(size_t max_bytes);
    /// True once after an image was closed or replaced.
    bool take_freed() { return std::exchange(has_freed_, false); }

  private:
    std::vector<OpenImage> images_;
    int current_ = -1;
    uint64_t next_id_ = 1, use_clock_ = 0;
    uint64_t revision_ = 1;
    bool has_freed_ = false;
};

}  // namespace tonescope
