// The program's side of decoding in a process without rights. Whatever comes from there may be a lie.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <new>

#include "app/image_io/decoding/decoding.h"
#include "app/image_io/internal.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/text.h"

namespace tonescope::image_io {
namespace {

using sandbox::MessageReader;
using sandbox::MessageWriter;

/// The program's side of the ring, which it only reads.
class Ring {
  public:
    Ring() : memory_(memfd_create("tonescope-rows", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
        // What could be cut off would end the program when it reads there.
        if (!memory_ || TEMP_FAILURE_RETRY(ftruncate(memory_.get(), off_t(kBytes))) != 0 ||
            fcntl(memory_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
            throw UserError("no memory for its rows: " + errno_text(errno));
        }
        void* const bytes = mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, memory_.get(), 0);
        if (bytes == MAP_FAILED) throw std::bad_alloc();
        bytes_ = static_cast<const uint8_t*>(bytes);
    }
    ~Ring() { munmap(const_cast<uint8_t*>(bytes_), kBytes); }
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;

    int fd() const { return memory_.get(); }
    const uint8_t* slot(uint64_t number) const { return bytes_ + number % kSlots * kSlot_bytes; }

  private:
    static constexpr size_t kBytes = kSlots * kSlot_bytes;
    sandbox::Descriptor memory_;
    const uint8_t* bytes_ = nullptr;
};

ImageSpec read_spec(MessageReader& message, const LoadRequest& request) {
    const bool small = request.max_side_px > 0;
    const uint64_t most_px = small ? uint64_t(request.max_side_px) : kMaxSide_px;
    ImageSpec spec;
    spec.width = int(message.number(most_px));
    spec.height = int(message.number(most_px));
    spec.format =
        PixelFormat(message.number(uint64_t(request.keeps_depth && !small ? PixelFormat::rgba16 : PixelFormat::rgba8)));
    spec.has_alpha = message.number(1) != 0;
    spec.max_sample = uint16_t(message.number(65535));
    check_size(spec.width, spec.height);
    if ((spec.has_alpha && is_gray(spec.format)) || is_deep(spec.format) != (spec.max_sample > 255) ||
        spec.max_sample < 255)
        throw sandbox::BadMessage();
    return spec;
}

ImageDetails read_details(MessageReader& message) {
    ImageDetails details;
    details.format = printable(message.text(kMaxText_bytes));
    details.file_channels = int(message.number(4));
    details.bits_per_channel = int(message.number(64));
    details.reduced_to_8_bit = message.number(1) != 0;
    details.orientation = int(message.number(8));
    details.pages = int(message.number(INT32_MAX));
    details.notes.resize(message.number(kMaxNotes));
    for (std::string& note : details.notes) note = printable(message.text(kMaxText_bytes));
    details.exif.resize(message.number(kMaxExifLines));
    for (auto& [label, value] : details.exif) {
        label = printable(message.text(kMaxText_bytes));
        value = printable(message.text(kMaxText_bytes));
    }
    if (message.number(1) != 0) {
        SampleScale& scale = details.scale.emplace();
        scale.slope = std::bit_cast<double>(message.number(UINT64_MAX));
        scale.intercept = std::bit_cast<double>(message.number(UINT64_MAX));
        scale.shift = int(message.number(65535));
        scale.unit = printable(message.text(kMaxText_bytes));
        if (!std::isfinite(scale.slope) || scale.slope == 0 || !std::isfinite(scale.intercept))
            throw sandbox::BadMessage();
    }
    if (message.number(1) != 0) {
        SampleWindow& window = details.window.emplace();
        window.inverse = message.number(1) != 0;
        if (message.number(1) != 0) {
            const int64_t low = int32_t(uint32_t(message.number(UINT32_MAX)));
            const auto width = int64_t(message.number(SampleRange::kMaxWidth));
            window.range = range_around(low + width / 2, width);
            if (window.range->low != low || window.range->width() != width) throw sandbox::BadMessage();
        }
    }
    return details;
}

[[noreturn]] void fail(MessageReader& message) {
    const auto failure = message.choice<Failure>();
    const std::string text = printable(message.text(kMaxText_bytes));
    if (failure == Failure::memory) throw std::bad_alloc();
    if (failure == Failure::memory_limit) throw MemoryError(text);
    throw UserError(text);
}

[[noreturn]] void end(MessageReader& message) {
    const std::string text = sandbox::end_text(message, "its decoder");
    if (text == sandbox::kTooLittleMemory) throw MemoryError(text);
    throw UserError(text);
}

class Decoding {
  public:
    Decoding(sandbox::Channel& channel, const LoadRequest& request, uint64_t memory_bytes, FileProgress* progress)
        : channel_(channel), request_(request), memory_bytes_(memory_bytes), progress_(progress) {}

    void order(const InputFile& file, const std::string& extension) {
        channel_.send(MessageWriter().text(""), ring_.fd());
        channel_.send(MessageWriter()
                          .number(file.size_bytes)
                          .number(uint64_t(request_.max_side_px))
                          .number(uint64_t(request_.page))
                          .number(request_.keeps_depth)
                          .number(memory_bytes_)
                          .text(std::string_view(extension).substr(0, kMaxText_bytes)),
                      file.descriptor.get());
    }

    /// Takes messages until the image is there.
    LoadedImage take() {
        while (true) {
            auto message = channel_.receive();
            if (!message) throw UserError("its decoder ended too early");
            switch (message->number(kFailed)) {
                case sandbox::kEnded:
                    end(*message);
                case kProgress:
                    take_progress(*message);
                    break;
                case kBegin:
                    begin(read_spec(*message, request_));
                    break;
                case kRows:
                    take_rows();
                    break;
                case kDone:
                    if (image_.empty() || rows_ < image_.height()) throw sandbox::BadMessage();
                    return {std::move(image_), read_details(*message)};
                case kFailed:
                    fail(*message);
                default:
                    throw sandbox::BadMessage();
            }
        }
    }

  private:
    void take_progress(MessageReader& message) {
        const uint64_t part = message.number(1001);
        if (progress_ != nullptr) progress_->set(part == 0 ? -1 : double(part - 1) / 1000);
    }

    void begin(const ImageSpec& spec) {
        rows_ = 0;
        if (image_.spec() == spec) return;
        image_ = {};
        check_memory(spec.size_bytes(), std::max(memory_bytes_, kAlwaysTried_bytes));
        if (request_.make_image) image_ = request_.make_image(spec);
        if (image_.empty()) image_ = HostImage(spec);
    }

    void take_rows() {
        const int count = image_.empty() ? 0 : std::min(rows_in_slot(image_.spec()), image_.height() - rows_);
        if (count <= 0) throw sandbox::BadMessage();
        const size_t row_bytes = image_.spec().row_bytes();
        const uint8_t* from = ring_.slot(slots_++);
        for (const int end = rows_ + count; rows_ < end; ++rows_, from += row_bytes)
            std::memcpy(image_.mutable_view().row(rows_), from, row_bytes);
        // Whoever does not listen, since it has sent all or is up to no good, is not waited for.
        (void)channel_.send_at_once(MessageWriter().number(kRows));
    }

    Ring ring_;
    sandbox::Channel& channel_;
    const LoadRequest request_;
    const uint64_t memory_bytes_;
    FileProgress* const progress_;
    HostImage image_;
    int rows_ = 0;
    uint64_t slots_ = 0;
};

}  // namespace

LoadedImage decode_through(sandbox::Channel& channel, const InputFile& file, const std::string& extension,
                           const LoadRequest& request, FileProgress* progress, uint64_t memory_bytes) {
    try {
        Decoding decoding(channel, request, memory_bytes, progress);
        decoding.order(file, extension);
        return decoding.take();
    } catch (const sandbox::BadMessage&) {
        throw UserError("its decoder gave no image");
    }
}

std::optional<LoadedImage> decode_confined(const InputFile& file, const std::string& extension,
                                           const LoadRequest& request, const std::stop_token& stop,
                                           FileProgress* progress, const sandbox::Limits& limits) {
    std::optional<sandbox::Channel> channel = sandbox::open(limits, stop);
    if (!channel) return {};
    const std::stop_callback end(stop, [&] { channel->shut_down(); });
    try {
        return decode_through(*channel, file, extension, request, progress, limits.memory_bytes);
    } catch (const UserError&) {
        if (stop.stop_requested()) throw Canceled{};
        throw;
    }
}

}  // namespace tonescope::image_io
