#include "app/viewer/files/thumbnails.h"

#include <algorithm>

#include "app/image_io/image_io.h"

namespace tonescope {
namespace {

constexpr int kThumbnail_px = 128;
const Picture kNoThumbnail;

}  // namespace

Thumbnails::Thumbnails(std::function<void()> wake, ThumbnailTextures textures, size_t many)
    : textures_(std::move(textures)), many_(many), jobs_(1, std::move(wake)) {}

Thumbnails::~Thumbnails() {
    jobs_.abandon();
    for (auto& [path, picture] : pictures_) textures_.remove(picture.tiles);
}

void Thumbnails::want(const std::string& path) {
    if (!wanted_.insert(path).second) return;
    jobs_.start(
        [path](std::stop_token stop) {
            return make_pyramid(std::make_shared<const HostImage>(load_thumbnail(path, kThumbnail_px, stop)), 1);
        },
        [this, path](const Outcome<std::shared_ptr<const Pyramid>>& outcome) {
            if (!outcome.value) return;
            pictures_[path] = textures_.make(**outcome.value);
            ++revision_;
        });
}

const Picture& Thumbnails::of(const std::string& path) const {
    const auto found = pictures_.find(path);
    return found == pictures_.end() ? kNoThumbnail : found->second;
}

bool Thumbnails::update() {
    const uint64_t before = revision_;
    jobs_.drain();
    return revision_ != before;
}

void Thumbnails::keep_only(const std::set<std::string>& shown) {
    for (auto kept = pictures_.begin(); kept != pictures_.end();) {
        if (shown.contains(kept->first)) {
            ++kept;
            continue;
        }
        textures_.remove(kept->second.tiles);
        wanted_.erase(kept->first);
        kept = pictures_.erase(kept);
    }
    ++revision_;
    many_ = std::max(many_, 2 * pictures_.size());
}

}  // namespace tonescope
