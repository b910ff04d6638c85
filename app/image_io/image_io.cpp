// Which decoder reads a file, told by its first bytes.
#include "app/image_io/image_io.h"

#include <algorithm>
#include <new>
#include <string_view>

#include "app/image_io/internal.h"

namespace tonescope {
namespace image_io {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kReadable = "PNG, JPEG, BMP, TGA, PNM, PSD or GIF";

struct Foreign {
    size_t offset;
    std::string_view magic;
    std::string_view name;
};
// Kinds that people try, so that the error can say what the file is.
constexpr Foreign kForeign[] = {
    {0, "II*\0"sv, "TIFF"},
    {0, "MM\0*"sv, "TIFF"},
    {0, "II+\0"sv, "TIFF"},
    {8, "WEBP"sv, "WebP"},
    {4, "ftypavif"sv, "AVIF"},
    {4, "ftyphei"sv, "HEIC"},
    {4, "ftypmif1"sv, "HEIC"},
    {0, "\xFF\x0A"sv, "JPEG XL"},
    {4, "JXL \r\n\x87\n"sv, "JPEG XL"},
    {4, "jP  \r\n\x87\n"sv, "JPEG 2000"},
    {0, "v/1\x01"sv, "OpenEXR"},
    {0, "#?RADIANCE"sv, "Radiance HDR"},
    {0, "DDS "sv, "DDS"},
    {0, "%PDF"sv, "PDF"},
    {0, "<svg"sv, "SVG"},
};

LoadedImage decode(FileReader& file, const std::string& path, int max_side_px) {
    std::array<uint8_t, 32> bytes{};
    const size_t got = file.read_at(0, bytes);
    file.check();
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), got);
    const auto has = [&](size_t offset, std::string_view magic) {
        return head.size() >= offset + magic.size() && head.substr(offset, magic.size()) == magic;
    };

    if (has(0, "\x89PNG\r\n\x1A\n")) return load_png(file);
    if (has(0, "\xFF\xD8\xFF")) return load_jpeg(file, max_side_px);
    if (has(0, "8BPS")) return load_psd(file);
    if (has(0, "GIF87a") || has(0, "GIF89a")) return load_gif(file);
    // A text may begin like this too; the header's length, four bytes, is at most 124.
    if (has(0, "BM") && has(15, "\0\0\0"sv)) return load_bmp(file);
    // 'P' and a digit may also begin a text.
    if (has(0, "P") && got > 3 && head[1] >= '1' && head[1] <= '7' &&
        " \t\r\n#"sv.find(head[2]) != std::string_view::npos)
        return load_pnm(file);
    for (const Foreign& kind : kForeign) {
        if (has(kind.offset, kind.magic))
            throw UserError("it is " + std::string(kind.name) + ", which is not supported; convert it to PNG");
    }
    if (plausible_tga(file)) {
        if (extension_of(path) == "tga") return load_tga(file);
        try {
            return load_tga(file);
        } catch (const UserError&) {
            file.check();  // four bytes alone do not make a TGA
        }
    }
    throw UserError("it is not an image; " + std::string(kReadable) + " can be opened");
}

LoadedImage load(const std::string& path, int max_side_px, std::stop_token stop, FileProgress* progress) {
    try {
        FileReader file(path, std::move(stop), progress);
        LoadedImage loaded = decode(file, path, max_side_px);
        file.check();
        loaded.details.file_bytes = file.size_bytes();
        return loaded;
    } catch (const UserError& e) {
        throw UserError("cannot open " + shown(path) + ": " + e.what());
    } catch (const std::bad_alloc&) {
        throw UserError("cannot open " + shown(path) + ": too little memory for it");
    }
}

}  // namespace
}  // namespace image_io

LoadedImage load_image(const std::string& path, std::stop_token stop, FileProgress* progress) {
    return image_io::load(path, 0, std::move(stop), progress);
}

HostImage load_thumbnail(const std::string& path, int max_side_px, std::stop_token stop) {
    max_side_px = std::max(max_side_px, 1);
    return image_io::shrink(image_io::load(path, max_side_px, std::move(stop), nullptr).image, max_side_px);
}

bool looks_like_image(const std::string& file_name) {
    static constexpr std::string_view kExtensions[] = {"png", "jpg", "jpeg", "jpe", "jfif", "bmp", "dib",
                                                       "tga", "pnm", "pgm",  "ppm", "psd",  "gif"};
    const std::string extension = image_io::extension_of(file_name);
    return std::find(std::begin(kExtensions), std::end(kExtensions), extension) != std::end(kExtensions);
}

}  // namespace tonescope
