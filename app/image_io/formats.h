// The table of image formats. Loading, saving, the file dialog, --help, messages and the desktop file are made from it;
// tests hold the documents against it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/image_io/image_io.h"
#include "gpu/core/param.h"

namespace tonescope::image_io {

class FileReader;
class FileWriter;

struct Format {
    std::string_view name;                                 // "PNG"; the format's file is png.cpp
    std::vector<std::string_view> extensions;              // in lower case without the dot, the usual one first
    std::vector<std::string_view> opened_extensions = {};  // more of them, under which files are opened but not saved
    std::vector<std::string_view> mime_types;              // for the desktop file
    /// Whether a file of this format begins like this: up to kHead_bytes of it.
    bool (*recognizes)(std::string_view head);
    /// Where `max_side_px` is above 0, the decoder may stop at any size whose longer side is not below it. Deep samples
    /// stay whatever is asked for.
    LoadedImage (*load)(FileReader& file, const LoadRequest& request);
    /// Null where the format is only read.
    void (*save)(FileWriter& file, const ImageView& image, const ParamBlock& options) = nullptr;
    /// The same for several images, which `make` hands over. Null where a file holds one.
    void (*save_pages)(FileWriter& file, const std::function<void(const AddPage& add)>& make,
                       const ParamBlock& options) = nullptr;
    std::span<const ParamInfo> options = {};  // of save
    /// Throws UserError where a file of this format cannot hold the image. Null where each can.
    void (*check)(const ImageSpec& spec) = nullptr;
    std::vector<std::string_view> gray_extensions = {};  // files with these hold no color
    bool keeps_alpha = true;
    bool is_lossy = false;
    bool keeps_depth = false;  // files hold samples of 16 bits
    bool has_pages = false;
    bool has_magic = true;  // false: other files may begin like this too, so that it is tried after all other formats
};

inline constexpr size_t kHead_bytes = 256;

/// In the order in which texts name them.
std::span<const Format> formats();

/// The format that an extension saves as; null where there is none.
const Format* find_saved_format(std::string_view extension);

/// Throws UserError where a file of this format and extension cannot hold the image.
void check_savable(const Format& format, const ImageSpec& spec, std::string_view extension);

/// Each option of any format that can be saved, with the formats that have it.
struct SaveOption {
    const ParamInfo* info;
    std::vector<const Format*> formats;
};
std::vector<SaveOption> save_options();

enum class Use : uint8_t { open, save };
/// "PNG, JPEG or BMP": the formats that can be opened or saved.
std::string format_names(Use use, std::string_view last);
/// "png", "jpg": the extensions of all formats that can be saved.
std::vector<std::string> saved_extensions();
/// ".png, .jpg or .bmp": the same, for a person.
std::string saved_endings();

/// What a file is that begins like this and cannot be opened: "TIFF". Empty where nobody knows.
std::string_view foreign_format(std::string_view head);

}  // namespace tonescope::image_io
