// What a decoder in a process without rights may say to the program.
#include <sys/mman.h>
#include <sys/socket.h>

#include "app/image_io/decoding/decoding.h"
#include "fuzz/target.h"
#include "gpu/core/error.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/text.h"

namespace tonescope::fuzz {
namespace {

/// A kind, and numbers and texts as often as the bytes say so.
sandbox::MessageWriter take_message(Take& take) {
    sandbox::MessageWriter message;
    message.number(uint64_t(take.between(0, image_io::kFailed + 1)));
    for (int fields = take.between(0, 12); fields > 0; --fields) {
        const uint8_t kind = take.byte();
        if (kind % 4 == 0) message.number(uint64_t(take.between(INT32_MIN, INT32_MAX)));
        if (kind % 4 == 1) message.text(std::string(size_t(take.byte()), char(take.byte())));
        if (kind % 4 >= 2) message.number(take.byte());
    }
    return message;
}

void listen_to(std::span<const uint8_t> data) {
    constexpr int kMaxMessages = 64;
    auto pair = sandbox::Channel::make_pair();
    if (!pair) return;
    Take take(data);
    const int max_side_px = take.between(0, 64);
    sandbox::Channel decoder(std::move(pair->second));
    for (int i = 0; i < kMaxMessages && !take.rest().empty(); ++i)
        if (!decoder.send_at_once(take_message(take))) break;
    shutdown(decoder.fd(), SHUT_WR);
    const image_io::InputFile file{sandbox::Descriptor(memfd_create("image", MFD_CLOEXEC)), 1};
    try {
        const LoadedImage loaded = image_io::decode_through(pair->first, file, "png", {.max_side_px = max_side_px},
                                                            nullptr, uint64_t{1} << 20);
        const ImageSpec& spec = loaded.image.spec();
        require(!spec.empty() && spec.pixels() <= kMaxPixels, "no image, or one too large");
        require(max_side_px == 0 || std::max(spec.width, spec.height) <= max_side_px, "the thumbnail is too large");
        for (const auto& [label, text] : loaded.details.exif)
            require(printable(label) == label && printable(text) == text, "a text that may command a terminal");
    } catch (const UserError& error) {
        require(printable(error.what()) == error.what(), "a message that may command a terminal");
    } catch (const std::bad_alloc&) {
    }
}

const Registration decoder_targets([](std::vector<Target>& targets) {
    set_free_memory(1);  // images above the 32 MB that may always be tried are refused
    Target target{.name = "decoder", .run = listen_to};
    const auto kind = [](uint64_t number) { return uint8_t(number); };
    // An image of 3 x 2 pixels, its rows, and what the file says of itself.
    target.seeds.push_back({0,   kind(image_io::kBegin),
                            4,   2,
                            3,   2,
                            2,   2,
                            1,   2,
                            0,   kind(image_io::kRows),
                            0,   kind(image_io::kDone),
                            8,   1,
                            3,   'P',
                            2,   3,
                            2,   8,
                            2,   0,
                            2,   1,
                            2,   1,
                            1,   4,
                            'A', 1,
                            4,   'B'});
    target.seeds.push_back({0, kind(image_io::kProgress), 1, 2, 9, kind(image_io::kFailed), 2, 2, 0, 1, 9, 'x'});
    targets.push_back(std::move(target));
});

}  // namespace
}  // namespace tonescope::fuzz
