// What a camera wrote: texts that go into the window and into JSON, and the orientation.
#include "app/image_io/internal.h"
#include "fuzz/target.h"
#include "gpu/core/text.h"
#include "tests/image_io/sample_files.h"

namespace tonescope::fuzz {
namespace {

void read_camera(std::span<const uint8_t> data) {
    ImageDetails details;
    image_io::read_exif(data, details);
    require(details.orientation >= 1 && details.orientation <= 8, "no orientation");
    for (const auto& [label, text] : details.exif) {
        require(!text.empty(), "an empty text");
        for (size_t i = 0; i < text.size(); i += utf8_length(text, i))
            require(utf8_length(text, i) > 0 && uint8_t(text[i]) >= 0x20, "a text is not one line of UTF-8");
    }
}

const Registration exif_targets([](std::vector<Target>& targets) {
    Target target{.name = "exif", .run = read_camera, .dictionary = {"II*", "MM", std::string("\x87\x69", 2), "ASCII"}};
    for (const int orientation : {1, 6, 8})
        for (const bool big_endian : {false, true}) target.seeds.push_back(test::make_exif(orientation, big_endian));
    targets.push_back(std::move(target));
});

}  // namespace
}  // namespace tonescope::fuzz
