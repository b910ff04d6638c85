// TGA and GIF through stb_image, which is compiled here with limits. It reads past the end as zeros and believes
// what headers say, so headers are checked against the file's size first, and every read past the end is noticed.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "app/image_io/internal.h"

namespace {

// The largest block that stb_image may have; set for each file.
thread_local size_t stb_limit_bytes = 0;

// Zeroed, so that no damaged file shows what was in memory before.
void* stb_malloc(size_t bytes) {
    return bytes > stb_limit_bytes ? nullptr : std::calloc(1, bytes);
}
void* stb_realloc(void* block, size_t bytes) {
    return bytes > stb_limit_bytes ? nullptr : std::realloc(block, bytes);
}

}  // namespace

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_TGA
#define STBI_ONLY_GIF
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 65535
#define STBI_ASSERT(x) ((void)sizeof(x))
#define STBI_MALLOC(bytes) stb_malloc(bytes)
#define STBI_REALLOC(block, bytes) stb_realloc(block, bytes)
#define STBI_FREE(block) std::free(block)
#include <stb_image.h>

namespace tonescope::image_io {
namespace {

constexpr size_t kSlack_bytes = size_t{1} << 18;

/// What stb_image reads from.
struct StbSource {
    FileReader& file;
    bool past_end = false;
    size_t clear_at = SIZE_MAX;  // a byte of the first block that is read as 0
};

// stb_image fills its own buffer in blocks of this size and takes a short one; any other short read has lost bytes.
constexpr int kStbBlock_bytes = 128;

int read_source(void* user, char* data, int size) {
    auto& source = *static_cast<StbSource*>(user);
    const int got = int(source.file.read(data, size_t(size)));
    if (got == 0 || (got < size && size != kStbBlock_bytes)) source.past_end = true;
    if (source.clear_at < size_t(got)) data[source.clear_at] = 0;
    source.clear_at = SIZE_MAX;
    return got;
}

void skip_source(void* user, int bytes) {
    auto& source = *static_cast<StbSource*>(user);
    if (bytes < 0 || uint64_t(bytes) > source.file.left_bytes()) source.past_end = true;
    source.file.skip(uint64_t(std::max(bytes, 0)));
}

int at_end(void* user) {
    return static_cast<StbSource*>(user)->file.left_bytes() == 0;
}

struct Pixels {
    std::unique_ptr<void, void (*)(void*)> data{nullptr, std::free};
    int width = 0, height = 0, channels = 0;
};

[[noreturn]] void refuse(const StbSource& source) {
    source.file.check();
    if (source.past_end) refuse_damaged("it ends too early");
    const char* reason = stbi_failure_reason();
    if (reason && std::strcmp(reason, "outofmem") == 0) throw std::bad_alloc();
    refuse_damaged(reason && *reason ? reason : "it holds no image");
}

Pixels decode(StbSource& source, int64_t pixel_count, int wanted_channels) {
    stb_limit_bytes = size_t(pixel_count) * 4 + kSlack_bytes;
    const stbi_io_callbacks callbacks{read_source, skip_source, at_end};
    Pixels out;
    out.data.reset(
        stbi_load_from_callbacks(&callbacks, &source, &out.width, &out.height, &out.channels, wanted_channels));
    if (!out.data || source.past_end || source.file.stopped()) refuse(source);
    if (wanted_channels != 0) out.channels = wanted_channels;
    if (int64_t{out.width} * out.height != pixel_count) refuse_damaged("its size is not what its header says");
    return out;
}

/// 1 (gray), 2 (gray, alpha), 3 or 4 channels as an image.
HostImage to_image(const Pixels& pixels, bool has_alpha) {
    const bool gray = pixels.channels == 1, color = pixels.channels >= 3;
    HostImage image({pixels.width, pixels.height, gray ? PixelFormat::gray8 : PixelFormat::rgba8, has_alpha});
    const auto* in = static_cast<const uint8_t*>(pixels.data.get());
    for (int y = 0; y < pixels.height; ++y) {
        uint8_t* out = image.mutable_view().row(y);
        for (int x = 0; x < pixels.width; ++x, in += pixels.channels) {
            if (gray) {
                *out++ = in[0];
                continue;
            }
            for (int c = 0; c < 3; ++c) *out++ = in[color ? c : 0];
            *out++ = has_alpha ? in[pixels.channels - 1] : uint8_t(255);
        }
    }
    return image;
}

struct Tga {
    uint8_t bytes[18] = {};

    uint32_t u16(int i) const { return uint32_t{bytes[i]} | uint32_t{bytes[i + 1]} << 8; }
    uint32_t kind() const { return bytes[2]; }
    bool packed() const { return kind() >= 9; }
    bool mapped() const { return kind() == 1 || kind() == 9; }
    bool gray() const { return kind() == 3 || kind() == 11; }
    uint32_t bits() const { return bytes[16]; }
    uint32_t map_bits() const { return bytes[7]; }
    uint64_t map_bytes() const { return bytes[1] == 0 ? 0 : uint64_t{u16(5)} * ((map_bits() + 7) / 8); }
    /// Behind the header, the comment and the color map.
    uint64_t data_offset() const { return 18 + uint64_t{bytes[0]} + map_bytes(); }
};

Tga tga_header(FileReader& file) {
    Tga header;
    if (file.read_at(0, header.bytes) < sizeof header.bytes) header = {};
    return header;
}

bool color_bits(uint32_t bits) {
    return bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

bool all_alpha(const ImageView& image, uint8_t alpha) {
    for (int y = 0; y < image.spec.height; ++y)
        for (int x = 0; x < image.spec.width; ++x)
            if (image.pixel(x, y)[3] != alpha) return false;
    return true;
}

void make_opaque(HostImage& image) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) image.mutable_view().pixel(x, y)[3] = 255;
    image.set_has_alpha(false);
}

}  // namespace

bool plausible_tga(FileReader& file) {
    const Tga header = tga_header(file);
    if (header.mapped())
        return header.bytes[1] == 1 && (header.bits() == 8 || header.bits() == 16) && color_bits(header.map_bits());
    if (header.kind() != 2 && header.kind() != 3 && header.kind() != 10 && header.kind() != 11) return false;
    if (header.bytes[1] > 1) return false;
    return header.gray() ? header.bits() == 8 || header.bits() == 16 : color_bits(header.bits());
}

LoadedImage load_tga(FileReader& file) {
    const Tga header = tga_header(file);
    const uint32_t width = header.u16(12), height = header.u16(14);
    check_size(width, height);
    if (!header.mapped() && header.bytes[1] != 0) throw UserError("TGA with an unused color map is not supported");
    if (header.mapped() && header.u16(3) != 0)
        throw UserError("TGA whose color map does not start at 0 is not supported");
    const uint64_t pixels = uint64_t{width} * height, pixel_bytes = (header.bits() + 7) / 8;
    // A packet of run-length coding holds up to 128 pixels.
    const uint64_t data_bytes = header.packed() ? (pixels + 127) / 128 * (1 + pixel_bytes) : pixels * pixel_bytes;
    check_bytes(file, header.data_offset() + data_bytes);

    StbSource source{file};
    const Pixels raw = decode(source, int64_t(pixels), 0);
    const bool alpha = raw.channels == 2 || raw.channels == 4;
    LoadedImage loaded;
    loaded.details.format = "TGA";
    loaded.image = to_image(raw, alpha);
    // Where the header counts no alpha bits, the fourth byte may mean nothing.
    if (alpha && (header.bytes[17] & 15) == 0 && all_alpha(loaded.image.view(), 0)) make_opaque(loaded.image);
    const uint32_t sample_bits = header.mapped() ? header.map_bits() : header.bits();
    loaded.details.bits_per_channel = !header.gray() && sample_bits < 24 ? 5 : 8;
    loaded.details.file_channels = header.gray() ? raw.channels : loaded.image.spec().channels();
    const bool right_to_left = (header.bytes[17] & 0x10) != 0;
    loaded.image = apply_orientation(std::move(loaded.image), right_to_left ? 2 : 1);
    return loaded;
}

LoadedImage load_gif(FileReader& file) {
    uint8_t head[13] = {};
    if (file.read_at(0, head) < sizeof head) refuse_damaged("it ends within its header");
    const int64_t width = head[6] | head[7] << 8, height = head[8] | head[9] << 8;
    check_size(width, height);
    // A code of LZW stands for at most 4096 pixels. A canvas may be larger than its frame, so small ones are not
    // judged.
    if (width * height > (int64_t{1} << 22)) check_bytes(file, uint64_t(width * height) / 4096);

    // What the frame leaves free stays transparent, as in browsers: the background color is read as "none".
    StbSource source{file};
    source.clear_at = 11;
    const Pixels raw = decode(source, width * height, 4);
    LoadedImage loaded;
    loaded.details.format = "GIF";
    loaded.image = to_image(raw, true);
    if (all_alpha(loaded.image.view(), 255)) loaded.image.set_has_alpha(false);
    loaded.details.file_channels = loaded.image.spec().channels();
    return loaded;
}

}  // namespace tonescope::image_io
