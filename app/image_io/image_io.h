// Image files: reading, writing, thumbnails. Bad input ends as a UserError of one line, never as a crash.
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/image.h"

namespace tonescope {

/// What the file says of itself.
struct ImageDetails {
    std::string format;             // "PNG", "JPEG", "PNM (P5)", ...
    int file_channels = 0;          // 1 to 4, as stored
    int bits_per_channel = 8;       // as stored
    bool reduced_to_8_bit = false;  // samples were deeper than 8 bits and have been scaled
    uint64_t file_bytes = 0;
    int orientation = 1;                                    // EXIF, already applied to the pixels
    std::vector<std::pair<std::string, std::string>> exif;  // label and value: camera, lens, exposure, date, ...
};

struct LoadedImage {
    HostImage image;
    ImageDetails details;
};

/// How far a file is read or written: a worker says it, any thread may look.
class FileProgress {
  public:
    void set(double fraction) noexcept { fraction_.store(float(fraction), std::memory_order_relaxed); }
    /// 0 to 1; negative: unknown.
    double fraction() const noexcept { return fraction_.load(std::memory_order_relaxed); }

  private:
    std::atomic<float> fraction_{-1};
};

/// Reads PNG, JPEG, BMP, TGA, PNM (P2, P5, P6), PSD or GIF (first frame), told apart by content. Throws UserError that
/// names the file, Cancelled once `stop` is set. `progress`, which may be null, is told the part of the file's bytes
/// that has been read, and nothing more once it all has.
LoadedImage load_image(const std::string& path, std::stop_token stop = {}, FileProgress* progress = nullptr);

/// The image reduced to fit max_side_px x max_side_px, aspect kept.
HostImage load_thumbnail(const std::string& path, int max_side_px, std::stop_token stop = {});

/// Whether save_image knows the extension of this path (any case).
bool can_save_as(const std::string& path);
/// The extensions that can be opened, lower case without the dot: what a file browser lists.
bool looks_like_image(const std::string& file_name);

/// Writes PNG, JPEG, BMP, TGA or PNM (.pnm, .pgm, .ppm) by the extension. The file appears whole or not at all. JPEG
/// and PNM have no alpha: it is dropped. Throws UserError: unknown extension, folder missing, not writable, disk full;
/// Cancelled once `stop` is set: a file that was there before stays as it was. `progress`, which may be null, is told
/// the part of the rows that has been written.
void save_image(const std::string& path, const ImageView& image, std::stop_token stop = {},
                FileProgress* progress = nullptr);

}  // namespace tonescope
