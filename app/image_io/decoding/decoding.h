// Decoding in a process without rights: what it and the program say to each other, and how pixels go from one to the
// other. Only image_io's own files and tests include this.
//
// The program sends the ring (a descriptor comes along), then what is to be decoded (the file's descriptor). The
// process answers with kProgress, kBegin, kRows and at last kDone or kFailed; each kRows is answered with an empty
// message.
#pragma once

#include <algorithm>
#include <optional>
#include <stop_token>
#include <string>

#include "app/image_io/file.h"
#include "app/image_io/image_io.h"
#include "app/sandbox/sandbox.h"
#include "gpu/core/image.h"

namespace tonescope::image_io {

enum : uint64_t { kProgress = sandbox::kOfWork, kBegin, kRows, kDone, kFailed };
enum class Failure : uint8_t { user, memory_limit, memory, count };
inline constexpr size_t kMaxText_bytes = 1024, kMaxNotes = 8, kMaxExifLines = 64;

/// Memory that both processes see, through which rows pass: slots that are filled in turn. A program that copies them
/// out beside the decoder costs less time than pages of a whole image that both would have to map, and its image is
/// then out of reach for the decoder.
inline constexpr uint64_t kSlots = 4;
inline constexpr size_t kSlot_bytes = sandbox::kShared_bytes / kSlots;
/// A multiple of the rows that loaders make at once. Slots stay small enough for the processor's caches.
inline int rows_in_slot(const ImageSpec& spec) {
    constexpr size_t kWanted_bytes = size_t{1} << 18;
    constexpr int kMultiple = 16;
    static_assert(kMultiple * size_t{kMaxSide_px} * 8 <= kSlot_bytes);
    return std::max(1, int(kWanted_bytes / spec.row_bytes()) / kMultiple) * kMultiple;
}

/// The decoder's side of the ring.
class RowStream {
  public:
    RowStream(sandbox::Channel& channel, uint8_t* ring, bool keeps_depth)
        : channel_(channel), ring_(ring), keeps_depth_(keeps_depth) {}
    /// Whether images like this go to the program as they are.
    bool takes(const ImageSpec& spec) const { return keeps_depth_ || !is_deep(spec.format); }
    /// The rows of this image come now. What came before does not count any more.
    void begin(const HostImage& image);
    /// Waits until there is room. Throws Canceled where the program is gone.
    uint8_t* row(int y);
    void done(int rows);
    /// Sends the image, unless its rows were sent. It goes as it is sent, since the program's memory fills meanwhile.
    void finish(HostImage image);

  private:
    sandbox::Channel& channel_;
    uint8_t* const ring_;
    const bool keeps_depth_;
    const uint8_t* pixels_ = nullptr;  // of the image whose rows are sent
    ImageSpec spec_;
    int rows_in_slot_ = 1, done_ = 0;
    uint64_t first_slot_ = 0, sent_ = 0, taken_ = 0;  // slots
};

/// Finds the file's format and decodes it. `extension` is that of its name.
LoadedImage decode(FileReader& file, const std::string& extension, const LoadRequest& request);

/// What decoders can do only with rights. Call it in a process that has a single thread, before it is confined.
void prepare_decoding();

/// What a confined process does.
using Decode = LoadedImage (*)(FileReader& file, const std::string& extension, const LoadRequest& request);
void serve_decoding(sandbox::Channel& channel, Decode decode = image_io::decode);

/// Has the process at the other end decode, and believes nothing that it says. Throws as load_image() does, without the
/// file's name.
LoadedImage decode_through(sandbox::Channel& channel, const InputFile& file, const std::string& extension,
                           const LoadRequest& request, FileProgress* progress, uint64_t memory_bytes);
/// Decodes in such a process. Empty where there is none. Throws as decode_through() does.
std::optional<LoadedImage> decode_confined(const InputFile& file, const std::string& extension,
                                           const LoadRequest& request, const std::stop_token& stop,
                                           FileProgress* progress, const sandbox::Limits& limits);

}  // namespace tonescope::image_io
