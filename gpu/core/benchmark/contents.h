// Images to measure on: made of a content that has a name, or of another image that is mirrored until it fills a size.
#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/image.h"

namespace tonescope {

struct ContentInfo {
    std::string_view id, title;
};
/// noise, smooth, ramp, two-level, constant, bell.
std::span<const ContentInfo> contents();
/// Null for an unknown id.
const ContentInfo* find_content(std::string_view id);
/// "noise, smooth, ... or bell".
std::string content_names();

struct NamedSize {
    std::string name;
    int width = 0, height = 0;  // pixels
    bool operator==(const NamedSize&) const = default;
};

/// The sizes that a name stands for: "4k", "640x400", "reports" (report C's seven), "powers" (squares of 256 to 8192
/// pixels a side). Throws UsageError, which begins with `option`.
std::vector<NamedSize> sizes_of(const std::string& name, const std::string& option);
/// Names that sizes_of knows, and "WxH".
std::string size_names();

/// Alpha is 255. Throws UsageError for an unknown content, Canceled once `stop` is set.
HostImage make_image(std::string_view content, const ImageSpec& spec, int threads, std::stop_token stop = {});
/// `image` in this format, mirrored at its edges until it fills the size. Throws Canceled once `stop` is set.
HostImage mirrored_image(const ImageView& image, const ImageSpec& spec, int threads, std::stop_token stop = {});

}  // namespace tonescope
