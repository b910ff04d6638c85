// Saving an image by the extension of its file.
#include <algorithm>
#include <cstring>
#include <new>

#include "app/image_io/internal.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace image_io {

RowPacker::RowPacker(const ImageView& image, int channels, Order order, size_t stride_bytes)
    : image_(image),
      channels_(channels),
      order_(order),
      packed_(std::max(size_t(image.spec.width) * size_t(channels), stride_bytes)) {}

std::span<const uint8_t> RowPacker::row(int y) {
    const uint8_t* in = image_.row(y);
    if (channels_ == 1) {
        std::memcpy(packed_.data(), in, size_t(image_.spec.width));
        return packed_;
    }
    uint8_t* out = packed_.data();
    const size_t red = order_ == Order::bgr ? 2 : 0, blue = 2 - red;
    for (int x = 0; x < image_.spec.width; ++x, in += 4, out += channels_) {
        out[red] = in[0];
        out[1] = in[1];
        out[blue] = in[2];
        if (channels_ == 4) out[3] = in[3];
    }
    return packed_;
}

void RowPacker::write(FileWriter& file, bool bottom_up) {
    const int height = image_.spec.height;
    for (int i = 0; i < height; ++i) {
        const std::span<const uint8_t> bytes = row(bottom_up ? height - 1 - i : i);
        if (!file.write(bytes.data(), bytes.size())) return;
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
