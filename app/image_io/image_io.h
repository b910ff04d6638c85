// Image files: reading, writing, thumbnails. Bad input ends as a UserError of one line, never as a crash.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/param.h"
#include "gpu/core/window/sample_window.h"

namespace tonescope {

/// What the samples of a gray image mean where the file says so: slope * sample + intercept, in this unit ("HU").
struct SampleScale {
    double slope = 1, intercept = 0;
    int shift = 0;  // by which signed samples were shifted up
    std::string unit;
    bool operator==(const SampleScale&) const = default;
};

/// What the file says of itself.
struct ImageDetails {
    std::string format;             // "PNG", "JPEG", "PNM (P5)"; the table's name where a loader leaves it empty
    int file_channels = 0;          // 1 to 4, as stored
    int bits_per_channel = 8;       // as stored
    bool reduced_to_8_bit = false;  // samples were deeper than 8 bits and have been scaled
    int pages = 1;
    std::optional<SampleScale> scale;
    std::optional<SampleWindow> window;  // through which the file wants the image to be seen
    std::vector<std::string> notes;      // what else a person has to know: "page 1 of 3"
    uint64_t file_bytes = 0;
    int orientation = 1;                                    // EXIF, already applied to the pixels
    std::vector<std::pair<std::string, std::string>> exif;  // label and value: camera, lens, exposure, date, ...
};

/// Memory for the pixels, such as a device reads by itself; where it is unset or gives an empty image, usual memory.
/// Whole images decoded in another process go there.
using MakeImage = std::function<HostImage(const ImageSpec&)>;

/// What is wanted of a file.
struct LoadRequest {
    int max_side_px = 0;       // above 0: the image reduced to fit that, in 8 bits
    int page = 0;              // from 0
    bool keeps_depth = false;  // deep images stay deep; else they are reduced to 8 bits
    MakeImage make_image = {};
};

struct LoadedImage {
    HostImage image;
    ImageDetails details;
};

/// How far a file is read or written: a worker says it, any thread may look.
class FileProgress {
  public:
    void set(double fraction) noexcept {
        fraction_.store(float(fraction), std::memory_order_relaxed);
        move();
    }
    /// Something was done, although nobody knows how much of the whole that is.
    void move() noexcept { moves_.fetch_add(1, std::memory_order_relaxed); }
    /// 0 to 1; negative: unknown.
    double fraction() const noexcept { return fraction_.load(std::memory_order_relaxed); }
    /// Changes as long as work gets on.
    uint64_t moves() const noexcept { return moves_.load(std::memory_order_relaxed); }

  private:
    std::atomic<float> fraction_{-1};
    std::atomic<uint64_t> moves_{0};
};

/// Reads a file of any format of the table in formats.h; its content tells which. Throws UserError that names the file,
/// Canceled once `stop` is set. `progress`, which may be null, is told the part of the file's bytes that has been
/// read, and nothing more once it all has.
LoadedImage load_image(const std::string& path, std::stop_token stop = {}, FileProgress* progress = nullptr,
                       const LoadRequest& request = {});

/// What reading a thumbnail may take.
inline constexpr uint64_t kThumbnail_bytes = 64'000'000;
/// The image reduced to fit max_side_px x max_side_px, aspect kept, in 8 bits: through the file's window where it has
/// one, deep images else through that of all samples but 0.5 % at each end. Throws as load_image() does, and
/// MemoryError where decoding would take more than kThumbnail_bytes.
HostImage load_thumbnail(const std::string& path, int max_side_px, std::stop_token stop = {});

/// What a person has to know about the pixels: "page 1 of 3; 16 bits a channel, reduced to 8". Mostly empty.
std::string notice_of(const ImageDetails& details);

/// Whether save_image knows the extension of this path (any case).
bool can_save_as(const std::string& path);
/// Whether the file's extension is that of a format, so that a file browser lists it.
bool looks_like_image(const std::string& file_name);

/// What becomes of a file that is there when another one is to get its name, whoever made it and however late.
enum class OldFile : bool { replaced, kept };

/// Writes the format that the extension names. The file appears whole or not at all. Alpha is dropped where the format
/// has none, and deep images are reduced to 8 bits where it holds no others. Throws UserError: unknown extension,
/// folder missing, not writable, disk full, a file that is kept; Canceled once `stop` is set: a file that was there
/// before stays as it was. `progress`, which may be null, is told the part of the rows that has been written. Of the
/// options it takes those that the format has.
void save_image(const std::string& path, const ImageView& image, std::stop_token stop = {},
                FileProgress* progress = nullptr, const SaveOptions& options = {}, OldFile old = OldFile::replaced);

/// Takes the next page of a file that will have so many, as far as that is known.
using AddPage = std::function<void(const ImageView& page, int pages)>;
/// Whether a file with this extension can hold several images.
bool can_save_pages(const std::string& path);
/// Writes what `make` hands over as the pages of one file, where can_save_pages(). Throws as save_image() does, and
/// what `make` throws: then nothing is written.
void save_pages(const std::string& path, const std::function<void(const AddPage& add)>& make, std::stop_token stop = {},
                const SaveOptions& options = {}, OldFile old = OldFile::replaced);

}  // namespace tonescope
