// Decoders, as a process without rights calls them, for the image and for a thumbnail of it.
#include <spng.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <optional>

#include "app/image_io/decoding/decoding.h"
#include "app/image_io/internal.h"
#include "fuzz/target.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/text.h"
#include "tests/image_io/sample_files.h"
#include "tests/image_tools.h"

namespace tonescope::fuzz {
namespace {

using namespace std::string_literals;

constexpr int kThumbnail_px = 16;
// Images above the 32 MB that may always be tried are refused, as are those in a process with little memory.
constexpr uint64_t kMemory_bytes = 1;

image_io::InputFile as_file(std::span<const uint8_t> data) {
    static const int memory = memfd_create("image", MFD_CLOEXEC);
    if (ftruncate(memory, 0) != 0 || pwrite(memory, data.data(), data.size(), 0) != ssize_t(data.size()))
        fail("no memory for the file");
    return {sandbox::Descriptor(dup(memory)), data.size()};
}

void check_line(const std::string& text) {
    require(printable(text) == text || text.find_first_of("\n\r\t\x1b\x7f") == std::string::npos,
            "a text is not one line");
}

std::optional<LoadedImage> load(std::span<const uint8_t> data, const std::string& extension,
                                const LoadRequest& request = {}) {
    try {
        image_io::FileReader file(as_file(data), {});
        LoadedImage loaded = image_io::decode(file, extension, request);
        file.check();
        const ImageSpec& spec = loaded.image.spec();
        require(!spec.empty() && spec.pixels() <= kMaxPixels, "no image, or one too large");
        require(request.max_side_px == 0 || std::max(spec.width, spec.height) <= request.max_side_px,
                "the thumbnail is too large");
        require(!is_gray(spec.format) || !spec.has_alpha, "gray with alpha");
        check_line(loaded.details.format);
        for (const auto& [label, value] : loaded.details.exif) check_line(value);
        return loaded;
    } catch (const UserError& error) {
        check_line(error.what());
    } catch (const std::bad_alloc&) {
    }
    return {};
}

/// Plain files are read without libspng, which has to make the same of them.
void compare_with_libspng(std::span<const uint8_t> data, const LoadedImage& loaded) {
    if (loaded.details.reduced_to_8_bit || loaded.details.orientation != 1) return;
    const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> png(spng_ctx_new(0), spng_ctx_free);
    HostImage image(loaded.image.spec());
    const int format = image.spec().format == PixelFormat::gray8 ? SPNG_FMT_G8 : SPNG_FMT_RGBA8;
    spng_set_png_buffer(png.get(), data.data(), data.size());
    const int status = spng_decode_image(png.get(), image.data(), image.size_bytes(), format, SPNG_DECODE_TRNS);
    require(status == 0 && same_pixels(image.view(), loaded.image.view()), "libspng makes another image of it");
}

void decode_both(std::span<const uint8_t> data, const std::string& extension, bool reduces_exactly) {
    if (data.empty()) return;  // open_input() refuses such a file
    auto whole = load(data, extension);
    const auto small = load(data, extension, {.max_side_px = kThumbnail_px});
    if (whole && whole->details.format == "PNG") compare_with_libspng(data, *whole);
    // A thumbnail is made of the image's own samples.
    if (whole && whole->details.reduced_to_8_bit) whole = load(data, extension, {.keeps_depth = true});
    if (!whole || !small || !reduces_exactly) return;
    HostImage shrunk = image_io::shrink(std::move(whole->image), kThumbnail_px);
    require(same_pixels(image_io::thumbnail_of(std::move(shrunk), whole->details).view(), small->image.view()),
            "the thumbnail is of another image");
}

void decode_as(const image_io::Format& format, std::span<const uint8_t> data) {
    const auto* const text = reinterpret_cast<const char*>(data.data());
    if (!format.recognizes({text, std::min(data.size(), image_io::kHead_bytes)})) return;
    const std::string extension(format.extensions[0]);
    decode_both(data, extension, !format.is_lossy);
    if (extension != "png") return;
    // Wrong checksums keep most changes away from what decodes.
    Bytes fixed(data.begin(), data.end());
    test::fix_png_crc(fixed);
    if (!std::ranges::equal(fixed, data)) decode_both(fixed, extension, true);
}

const std::map<std::string, std::vector<std::string>> kImageWords = {
    {"png", {"IHDR", "PLTE", "IDAT", "IEND", "tRNS", "eXIf", "gAMA", "iCCP", "sBIT", "bKGD", "pHYs", "tEXt", "zTXt"}},
    {"jpg",
     {"\xFF\xC0", "\xFF\xC1", "\xFF\xC2", "\xFF\xC4", "\xFF\xC9", "\xFF\xCC", "\xFF\xD0", "\xFF\xD8", "\xFF\xD9",
      "\xFF\xDA", "\xFF\xDB", "\xFF\xDD", "\xFF\xE1", "\xFF\xEE", "Exif", "Adobe", "JFIF"}},
    {"tiff",
     {"II*\0"s, "MM\0*"s, "II+\0"s, "MM\0+"s, "\0\1\3\0"s, "\1\1\3\0"s, "\2\1\3\0"s, "\3\1\3\0"s, "\6\1\3\0"s,
      "\x15\1\3\0"s, "\x1C\1\3\0"s, "\x3D\1\3\0"s, "\x40\1\3\0"s, "\x42\1\3\0"s, "\x43\1\3\0"s, "\x44\1\4\0"s,
      "\x52\1\3\0"s, "\x53\1\3\0"s}},
    {"dcm",
     {"DICM",
      "1.2.840.10008.1.2\0"s,
      "1.2.840.10008.1.2.1\0"s,
      "1.2.840.10008.1.2.1.99\0"s,
      "1.2.840.10008.1.2.2\0"s,
      "1.2.840.10008.1.2.5\0"s,
      "1.2.840.10008.1.2.4.50",
      "1.2.840.10008.1.2.4.51",
      "1.2.840.10008.1.2.4.57",
      "1.2.840.10008.1.2.4.70",
      "1.2.840.10008.1.2.4.80",
      "1.2.840.10008.1.2.4.81",
      "1.2.840.10008.1.2.4.90",
      "\x28\0\x02\0US"s,
      "\x28\0\x04\0CS"s,
      "\x28\0\x08\0IS"s,
      "\x28\0\x10\0US"s,
      "\x28\0\x11\0US"s,
      "\x28\0\0\1US"s,
      "\x28\0\1\1US"s,
      "\xE0\x7F\x10\0OB\0\0\xFF\xFF\xFF\xFF"s,
      "\xE0\x7F\x10\0OW\0\0"s,
      "\xFE\xFF\0\xE0"s,
      "\xFE\xFF\xDD\xE0\0\0\0\0"s,
      "\xFE\xFF\x0D\xE0\0\0\0\0"s,
      "SQ\0\0\xFF\xFF\xFF\xFF"s,
      "MONOCHROME1 ",
      "MONOCHROME2 ",
      "PALETTE COLOR ",
      "RGB ",
      "YBR_FULL",
      "YBR_FULL_422",
      "\xFF\x4F\xFF\x51",
      "\xFF\x52",
      "\xFF\x5C",
      "\xFF\x90",
      "\xFF\x93",
      "\xFF\xD8",
      "\xFF\xC1",
      "\xFF\xC3",
      "\xFF\xF7",
      "\xFF\xF8",
      "\xFF\xDA",
      "\xFF\xD9"}},
    {"webp", {"RIFF", "WEBP", "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "EXIF", "ICCP"}},
    {"pam", {"P7\n", "WIDTH ", "HEIGHT ", "DEPTH ", "MAXVAL ", "TUPLTYPE ", "RGB_ALPHA", "ENDHDR\n"}},
    {"pnm", {"P1\n", "P2\n", "P3\n", "P4\n", "P5\n", "P6\n", "65535", "255\n", "# "}},
    {"tga", {"TRUEVISION-XFILE."}},
    {"psd", {"8BPS", "8BIM"}},
    {"gif", {"GIF87a", "GIF89a", "!\xF9\x04", "!\xFE", "!\xFF\x0BNETSCAPE2.0"}}};

const Registration image_targets([](std::vector<Target>& targets) {
    set_free_memory(kMemory_bytes);
    Target pasted{.name = "image_pasted",
                  .run = [](std::span<const uint8_t> data) { decode_both(data, "png", false); }};
    for (const image_io::Format& format : image_io::formats()) {
        const std::string name(format.extensions[0]);
        Target target{.name = "image_" + name,
                      .run = [&format](std::span<const uint8_t> data) { decode_as(format, data); }};
        if (const auto words = kImageWords.find(name); words != kImageWords.end()) target.dictionary = words->second;
        for (const test::Sample& sample : test::all_samples()) {
            const std::string extension = extension_of(sample.name);
            if (std::ranges::find(format.extensions, extension) != format.extensions.end())
                target.seeds.push_back(sample.bytes);
        }
        pasted.seeds.push_back(target.seeds.front());
        targets.push_back(std::move(target));
    }
    targets.push_back(std::move(pasted));
});

}  // namespace
}  // namespace tonescope::fuzz
