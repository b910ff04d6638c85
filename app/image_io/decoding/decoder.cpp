// The decoder's side: runs in a process without rights.
#include "app/image_io/decoding/decoding.h"

#include <sys/mman.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

#include "app/image_io/internal.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/pages.h"

namespace tonescope::image_io {
namespace {

using sandbox::MessageWriter;

void describe(MessageWriter& message, const ImageDetails& details) {
    message.text(details.format)
        .number(uint64_t(details.file_channels))
        .number(uint64_t(details.bits_per_channel))
        .number(details.reduced_to_8_bit)
        .number(uint64_t(details.orientation))
        .number(uint64_t(details.pages))
        .number(details.notes.size());
    for (const std::string& note : details.notes) message.text(note);
    message.number(details.exif.size());
    for (const auto& [label, value] : details.exif) message.text(label).text(value);
    message.number(details.scale.has_value());
    if (const auto& scale = details.scale)
        message.number(std::bit_cast<uint64_t>(scale->slope))
            .number(std::bit_cast<uint64_t>(scale->intercept))
            .number(uint64_t(scale->shift))
            .text(scale->unit);
    message.number(details.window.has_value());
    if (const auto& window = details.window) {
        message.number(window->inverse).number(window->range.has_value());
        // Ends may be negative.
        if (window->range)
            message.number(uint64_t(uint32_t(window->range->low))).number(uint64_t(window->range->width()));
    }
}

}  // namespace

void RowStream::begin(const HostImage& image) {
    spec_ = image.spec();
    pixels_ = image.data();
    rows_in_slot_ = rows_in_slot(spec_);
    done_ = 0;
    first_slot_ = sent_;
    channel_.send(MessageWriter()
                      .number(kBegin)
                      .number(uint64_t(spec_.width))
                      .number(uint64_t(spec_.height))
                      .number(spec_.format)
                      .number(spec_.has_alpha)
                      .number(spec_.max_sample));
}

uint8_t* RowStream::row(int y) {
    const uint64_t slot = first_slot_ + uint64_t(y / rows_in_slot_);
    for (; slot >= taken_ + kSlots; ++taken_)
        if (!channel_.receive()) throw Canceled{};
    return ring_ + slot % kSlots * kSlot_bytes + size_t(y % rows_in_slot_) * spec_.row_bytes();
}

void RowStream::done(int rows) {
    done_ = rows;
    if (rows % rows_in_slot_ != 0 && rows != spec_.height) return;
    if (!channel_.send(MessageWriter().number(kRows))) throw Canceled{};
    ++sent_;
}

void RowStream::finish(HostImage image) {
    if (pixels_ == image.data() && done_ == image.height()) return;
    begin(image);
    size_t sent_bytes = 0, forgotten_bytes = 0;
    for (int y = 0; y < image.height(); ++y) {
        std::memcpy(row(y), image.view().row(y), spec_.row_bytes());
        done(y + 1);
        sent_bytes += spec_.row_bytes();
        if (sent_bytes - forgotten_bytes < kManyPages_bytes) continue;
        forget_pages(image.data() + forgotten_bytes, sent_bytes - forgotten_bytes);
        forgotten_bytes = sent_bytes;
    }
}

RowTarget::RowTarget(const FileReader& file, HostImage& image, bool is_final)
    : image_(image.mutable_view()),
      stream_(is_final && file.rows() != nullptr && file.rows()->takes(image.spec()) ? file.rows() : nullptr) {
    if (stream_ != nullptr) stream_->begin(image);
}

uint8_t* RowTarget::row(int y) {
    return stream_ == nullptr ? image_.row(y) : stream_->row(y);
}

void RowTarget::done(int rows) {
    if (stream_ != nullptr) stream_->done(rows);
}

void serve_decoding(sandbox::Channel& channel, Decode decode) {
    sandbox::Descriptor memory;
    InputFile file;
    auto order = channel.receive(&memory);
    if (order) order = channel.receive(&file.descriptor);
    if (!order) return;
    file.size_bytes = order->number(UINT64_MAX);
    LoadRequest request;
    request.max_side_px = int(order->number(kMaxSide_px));
    request.page = int(order->number(INT32_MAX));
    request.keeps_depth = order->number(1) != 0;
    set_free_memory(order->number(UINT64_MAX));
    const std::string extension = order->text(kMaxText_bytes);
    void* const ring = mmap(nullptr, kSlots * kSlot_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
    if (ring == MAP_FAILED) return;

    RowStream rows(channel, static_cast<uint8_t*>(ring), request.keeps_depth);
    MessageWriter last;
    try {
        double said = -1;
        const auto say = [&](double part) {
            if (std::abs(part - said) < 0.01) return;
            said = part;
            channel.send(MessageWriter().number(kProgress).number(part < 0 ? 0 : uint64_t(1 + part * 1000)));
        };
        FileReader reader(std::move(file), {}, say, &rows);
        LoadedImage loaded = decode(reader, extension, request);
        reader.check();
        rows.finish(std::move(loaded.image));
        last.number(kDone);
        describe(last, loaded.details);
    } catch (const UserError& error) {
        const bool is_limit = dynamic_cast<const MemoryError*>(&error) != nullptr;
        last = MessageWriter();
        last.number(kFailed)
            .number(is_limit ? Failure::memory_limit : Failure::user)
            .text(std::string_view(error.what()).substr(0, kMaxText_bytes));
    } catch (const std::bad_alloc&) {
        last = MessageWriter();
        last.number(kFailed).number(Failure::memory).text("");
    } catch (const Canceled&) {
        return;
    }
    channel.send(last);
}

}  // namespace tonescope::image_io
