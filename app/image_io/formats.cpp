#include "app/image_io/formats.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope::image_io {

// Each format stands in a file of its own, which defines these.
LoadedImage load_png(FileReader& file, const LoadRequest& request);
LoadedImage load_jpeg(FileReader& file, const LoadRequest& request);
LoadedImage load_bmp(FileReader& file, const LoadRequest& request);
LoadedImage load_tga(FileReader& file, const LoadRequest& request);
LoadedImage load_pnm(FileReader& file, const LoadRequest& request);
LoadedImage load_psd(FileReader& file, const LoadRequest& request);
LoadedImage load_gif(FileReader& file, const LoadRequest& request);
LoadedImage load_pam(FileReader& file, const LoadRequest& request);
LoadedImage load_tiff(FileReader& file, const LoadRequest& request);
LoadedImage load_webp(FileReader& file, const LoadRequest& request);
LoadedImage load_dicom(FileReader& file, const LoadRequest& request);
void save_png(FileWriter& file, const ImageView& image, const ParamBlock& options);
void save_jpeg(FileWriter& file, const ImageView& image, const ParamBlock& options);
void save_bmp(FileWriter& file, const ImageView& image, const ParamBlock& options);
void save_tga(FileWriter& file, const ImageView& image, const ParamBlock& options);
void save_pnm(FileWriter& file, const ImageView& image, const ParamBlock& options);
void save_pam(FileWriter& file, const ImageView& image, const ParamBlock& options);
void save_tiff(FileWriter& file, const ImageView& image, const ParamBlock& options);
void save_tiff_pages(FileWriter& file, const std::function<void(const AddPage& add)>& make, const ParamBlock& options);
void save_webp(FileWriter& file, const ImageView& image, const ParamBlock& options);
void check_jpeg(const ImageSpec& spec);
void check_webp(const ImageSpec& spec);
std::span<const ParamInfo> deflate_options();
std::span<const ParamInfo> quality_options();
bool recognizes_pnm(std::string_view head);
bool recognizes_tga(std::string_view head);

namespace {

using namespace std::string_view_literals;

bool has(std::string_view head, size_t offset, std::string_view magic) {
    return head.size() >= offset && head.substr(offset).starts_with(magic);
}

bool is_dicom(std::string_view head) {
    return has(head, 128, "DICM");
}

struct Foreign {
    size_t offset;
    std::string_view magic;
    std::string_view name;
};
// Kinds that people try, so that the error can say what the file is.
constexpr Foreign kForeign[] = {
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

}  // namespace

std::span<const Format> formats() {
    static const std::vector<Format> table = {
        {.name = "PNG",
         .extensions = {"png"},
         .mime_types = {"image/png"},
         .recognizes = [](std::string_view head) { return has(head, 0, "\x89PNG\r\n\x1A\n"); },
         .load = load_png,
         .save = save_png,
         .options = deflate_options(),
         .keeps_depth = true},
        {.name = "JPEG",
         .extensions = {"jpg", "jpeg"},
         .opened_extensions = {"jpe", "jfif"},
         .mime_types = {"image/jpeg"},
         .recognizes = [](std::string_view head) { return has(head, 0, "\xFF\xD8\xFF"); },
         .load = load_jpeg,
         .save = save_jpeg,
         .options = quality_options(),
         .check = check_jpeg,
         .keeps_alpha = false,
         .is_lossy = true},
        {.name = "TIFF",
         .extensions = {"tiff", "tif"},
         .mime_types = {"image/tiff"},
         .recognizes =
             [](std::string_view head) {
                 // The 128 bytes before a DICOM file's mark may be another format's.
                 return !is_dicom(head) && (has(head, 0, "II*\0"sv) || has(head, 0, "MM\0*"sv) ||
                                            has(head, 0, "II+\0"sv) || has(head, 0, "MM\0+"sv));
             },
         .load = load_tiff,
         .save = save_tiff,
         .save_pages = save_tiff_pages,
         .options = deflate_options(),
         .keeps_depth = true,
         .has_pages = true},
        {.name = "DICOM",
         .extensions = {"dcm"},
         .opened_extensions = {"dicom"},
         .mime_types = {"application/dicom"},
         .recognizes = is_dicom,
         .load = load_dicom,
         .has_pages = true},
        {.name = "WebP",
         .extensions = {"webp"},
         .mime_types = {"image/webp"},
         .recognizes = [](std::string_view head) { return has(head, 0, "RIFF") && has(head, 8, "WEBP"); },
         .load = load_webp,
         .save = save_webp,
         .options = quality_options(),
         .check = check_webp,
         .is_lossy = true},
        {.name = "BMP",
         .extensions = {"bmp"},
         .opened_extensions = {"dib"},
         .mime_types = {"image/bmp"},
         // A text may begin with BM too; the header's length, four bytes, is at most 124.
         .recognizes = [](std::string_view head) { return has(head, 0, "BM") && has(head, 15, "\0\0\0"sv); },
         .load = load_bmp,
         .save = save_bmp},
        {.name = "TGA",
         .extensions = {"tga"},
         .mime_types = {"image/x-tga"},
         .recognizes = recognizes_tga,
         .load = load_tga,
         .save = save_tga,
         .has_magic = false},
        {.name = "PNM",
         .extensions = {"pnm", "pgm", "ppm"},
         .opened_extensions = {"pbm"},
         .mime_types = {"image/x-portable-anymap", "image/x-portable-bitmap", "image/x-portable-graymap",
                        "image/x-portable-pixmap"},
         .recognizes = recognizes_pnm,
         .load = load_pnm,
         .save = save_pnm,
         .gray_extensions = {"pgm"},
         .keeps_alpha = false,
         .keeps_depth = true},
        {.name = "PAM",
         .extensions = {"pam"},
         .mime_types = {"image/x-portable-arbitrarymap"},
         .recognizes = [](std::string_view head) { return has(head, 0, "P7\n"); },
         .load = load_pam,
         .save = save_pam,
         .keeps_depth = true},
        {.name = "PSD",
         .extensions = {"psd"},
         .mime_types = {"image/vnd.adobe.photoshop"},
         .recognizes = [](std::string_view head) { return has(head, 0, "8BPS"); },
         .load = load_psd},
        {.name = "GIF",
         .extensions = {"gif"},
         .mime_types = {"image/gif"},
         .recognizes = [](std::string_view head) { return has(head, 0, "GIF87a") || has(head, 0, "GIF89a"); },
         .load = load_gif},
    };
    return table;
}

const Format* find_saved_format(std::string_view extension) {
    const auto found = std::ranges::find_if(formats(), [&](const Format& format) {
        return format.save != nullptr && std::ranges::find(format.extensions, extension) != format.extensions.end();
    });
    return found == formats().end() ? nullptr : &*found;
}

void check_savable(const Format& format, const ImageSpec& spec, std::string_view extension) {
    if (format.check != nullptr) format.check(spec);
    const auto holds_gray = [&](std::string_view e) { return std::ranges::count(format.gray_extensions, e) > 0; };
    if (is_gray(spec.format) || !holds_gray(extension)) return;
    throw UserError("a ." + std::string(extension) + " holds gray images only, and this one has color; save it as ." +
                    std::string(*std::ranges::find_if_not(format.extensions, holds_gray)));
}

std::vector<SaveOption> save_options() {
    std::vector<SaveOption> all;
    for (const Format& format : formats())
        for (const ParamInfo& info : format.options) {
            const auto known =
                std::ranges::find(all, info.id, [](const SaveOption& option) { return option.info->id; });
            (known == all.end() ? all.emplace_back(&info) : *known).formats.push_back(&format);
        }
    return all;
}

std::string format_names(Use use, std::string_view last) {
    std::vector<std::string> names;
    for (const Format& format : formats())
        if (use == Use::open || format.save != nullptr) names.emplace_back(format.name);
    return spell_out(names, last);
}

std::vector<std::string> saved_extensions() {
    std::vector<std::string> extensions;
    for (const Format& format : formats())
        if (format.save != nullptr)
            extensions.insert(extensions.end(), format.extensions.begin(), format.extensions.end());
    return extensions;
}

std::string saved_endings() {
    std::vector<std::string> endings = saved_extensions();
    for (std::string& ending : endings) ending.insert(0, ".");
    return spell_out(endings, "or");
}

std::string_view foreign_format(std::string_view head) {
    for (const Foreign& kind : kForeign)
        if (has(head, kind.offset, kind.magic)) return kind.name;
    return {};
}

}  // namespace tonescope::image_io
