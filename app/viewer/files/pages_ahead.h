// The pages beside the one on screen, decoded before anyone asks for them.
#pragma once

#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "app/system/tasks.h"
#include "app/viewer/files/open_images.h"

namespace tonescope {

class PagesAhead {
  public:
    /// Larger pages are read when they are asked for.
    static constexpr size_t kMaxPage_bytes = size_t{256} << 20;

    /// `memory`: where pages that are read go; may be empty.
    PagesAhead(Tasks& tasks, std::function<MakeImage()> memory) : tasks_(tasks), memory_(std::move(memory)) {}
    ~PagesAhead() { forget(); }

    /// The image's page is on screen, or none is (null): reads those before and behind it, and forgets all others.
    void follow(const OpenImage* image) {
        if (image == nullptr || image->id != id_) forget();
        if (image == nullptr || !image->image) return;
        id_ = image->id;
        std::erase_if(pages_, [&](const auto& page) { return !is_beside(page.first, *image); });
        for (auto reading = reading_.begin(); reading != reading_.end();) {
            if (is_beside(reading->first, *image)) {
                ++reading;
                continue;
            }
            reading->second.request_stop();
            reading = reading_.erase(reading);
        }
        if (image->replaced || image->image->size_bytes() > kMaxPage_bytes) return;
        for (const int page : {image->page + 1, image->page - 1})
            if (page >= 0 && page < image->details.pages && !pages_.contains(page) && !reading_.contains(page))
                read(image->path, page);
    }
    /// A page that was on screen: it may come back.
    void keep(uint64_t id, int page, PagePixels pixels) {
        if (id == id_ && pixels.image && pixels.image->size_bytes() <= kMaxPage_bytes) pages_[page] = std::move(pixels);
    }
    /// Empty where the page has not been read.
    std::optional<PagePixels> take(uint64_t id, int page) {
        if (id != id_) return {};
        if (auto found = pages_.extract(page)) return std::move(found.mapped());
        return {};
    }
    /// The file has changed, or is to be read anew.
    void forget() {
        id_ = 0;
        pages_.clear();
        for (auto& [page, reading] : reading_) reading.request_stop();
        reading_.clear();
    }
    bool busy() const { return !reading_.empty(); }

  private:
    static bool is_beside(int page, const OpenImage& image) { return std::abs(page - image.page) <= 1; }

    void read(const std::string& path, int page) {
        reading_[page] = tasks_.start([path, page, make_image = memory_ ? memory_() : MakeImage()](
                                          std::stop_token stop) { return read_page(path, page, make_image, stop); },
                                      [this, page](const Outcome<PagePixels>& outcome) {
                                          reading_.erase(page);
                                          // What is wrong with a page is said when it is asked for.
                                          if (outcome.value) pages_[page] = *outcome.value;
                                      });
    }

    Tasks& tasks_;
    std::function<MakeImage()> memory_;
    uint64_t id_ = 0;  // of the image; 0: none
    std::map<int, PagePixels> pages_;
    std::map<int, std::stop_source> reading_;
};

}  // namespace tonescope
