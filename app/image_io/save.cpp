// Saving an image by the extension of its file.
#include <algorithm>
#include <cstring>
#include <new>

#include "app/image_io/internal.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace image_io {

void write_rows(FileWriter& file, const ImageView& image, const RowLayout& layout,
                const std::function<bool(std::span<const uint8_t> row)>& write) {
    const int width = image.spec.width, height = image.spec.height, channels = layout.channels;
    std::vector<uint8_t> packed(std::max(size_t(width) * size_t(channels), layout.stride_bytes));
    const size_t red = layout.bgr ? 2 : 0, blue = 2 - red;
    for (int i = 0; i < height; ++i) {
        const uint8_t* in = image.row(layout.bottom_up ? height - 1 - i : i);
        uint8_t* out = packed.data();
        if (channels == 1) std::memcpy(out, in, size_t(width));
        for (int x = 0; channels > 1 && x < width; ++x, in += 4, out += channels) {
            out[red] = in[0];
            out[1] = in[1];
            out[blue] = in[2];
            if (channels == 4) out[3] = in[3];
        }
        if (!(write ? write(packed) : file.write(packed.data(), packed.size()))) return;
        file.row_done(i + 1, height);
    }
}

}  // namespace image_io

bool can_save_as(const std::string& path) {
    return image_io::find_saved_format(extension_of(path)) != nullptr;
}

void save_image(const std::string& path, const ImageView& image, std::stop_token stop, FileProgress* progress) {
    using namespace image_io;
    try {
        const std::string extension = extension_of(path);
        const Format* const format = find_saved_format(extension);
        if (format == nullptr) {
            throw UserError(
                (extension.empty() ? "it has no extension" : "'" + shown(extension) + "' is not a known extension") +
                "; known are " + spell_out(saved_extensions(), ""));
        }
        if (image.spec.empty()) throw UserError("there is no image");
        if (format->check != nullptr) format->check(image.spec, extension);
        write_whole_file(
            path, [&](FileWriter& file) { format->save(file, image); }, std::move(stop), progress);
    } catch (const UserError& e) {
        throw UserError("cannot save " + shown(path) + ": " + e.what());
    } catch (const std::bad_alloc&) {
        throw UserError("cannot save " + shown(path) + ": too little memory");
    }
}

}  // namespace tonescope
