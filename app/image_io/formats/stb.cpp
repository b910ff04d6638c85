// stb_image, compiled with limits.
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
    size_t clear_at;  // a byte of the first block that is read as 0
    bool past_end = false;
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

[[noreturn]] void refuse(const StbSource& source) {
    source.file.check();
    if (source.past_end) refuse_damaged("it ends too early");
    const char* reason = stbi_failure_reason();
    if (reason && std::strcmp(reason, "outofmem") == 0) throw std::bad_alloc();
    refuse_damaged(reason && *reason ? reason : "it holds no image");
}

}  // namespace

LoadedImage decode_with_stb(FileReader& file, int64_t width, int64_t height, bool gray, size_t clear_at) {
    stb_limit_bytes = size_t(width * height) * 4 + kSlack_bytes;
    StbSource source{file, clear_at};
    const stbi_io_callbacks callbacks{read_source, skip_source, at_end};
    int got_width = 0, got_height = 0, channels = 0;
    const std::unique_ptr<uint8_t, void (*)(void*)> pixels(
        stbi_load_from_callbacks(&callbacks, &source, &got_width, &got_height, &channels, gray ? 1 : 4), std::free);
    if (!pixels || source.past_end || file.stopped()) refuse(source);
    if (got_width != width || got_height != height) refuse_damaged("its size is not what its header says");
    LoadedImage loaded = make_loaded(width, height, gray ? 1 : channels, 8);
    std::memcpy(loaded.image.data(), pixels.get(), loaded.image.size_bytes());
    return loaded;
}

bool has_only_alpha(const ImageView& image, uint8_t alpha) {
    for (int y = 0; y < image.spec.height; ++y)
        for (int x = 0; x < image.spec.width; ++x)
            if (image.pixel(x, y)[3] != alpha) return false;
    return true;
}

}  // namespace tonescope::image_io
