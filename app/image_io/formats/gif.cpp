// GIF: the first frame, through stb_image.
#include "app/image_io/internal.h"

namespace tonescope::image_io {

LoadedImage load_gif(FileReader& file, const LoadRequest& request) {
    uint8_t head[13] = {};
    if (file.read_at(0, head) < sizeof head) refuse_damaged("it ends within its header");
    const int64_t width = little_endian<2>(&head[6]), height = little_endian<2>(&head[8]);
    check_size(width, height);
    // A code of LZW stands for at most 4096 pixels. A canvas may be larger than its frame, so small ones are not
    // judged.
    if (width * height > (int64_t{1} << 22)) check_bytes(file, uint64_t(width * height) / 4096);

    // What the frame leaves free stays transparent, as in browsers: the background color is read as "none".
    // stb_image holds the frame, its background, a byte a pixel and, at last, the image beside them.
    check_decoding(request.max_side_px, uint64_t(width * height) * 13);
    LoadedImage loaded = decode_with_stb(file, width, height, false, 11);
    if (has_only_alpha(loaded.image.view(), 255)) loaded.image.set_has_alpha(false);
    loaded.details.file_channels = loaded.image.spec().channels();
    return loaded;
}

}  // namespace tonescope::image_io
