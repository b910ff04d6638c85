// What a camera wrote into the file, read with libexif.
#include <libexif/exif-data.h>

#include <memory>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

// In the order in which the details panel lists them.
constexpr std::pair<ExifTag, const char*> kShown[] = {
    {EXIF_TAG_MAKE, "Camera maker"},
    {EXIF_TAG_MODEL, "Camera"},
    {EXIF_TAG_LENS_MODEL, "Lens"},
    {EXIF_TAG_EXPOSURE_TIME, "Exposure"},
    {EXIF_TAG_FNUMBER, "Aperture"},
    {EXIF_TAG_ISO_SPEED_RATINGS, "ISO"},
    {EXIF_TAG_FOCAL_LENGTH, "Focal length"},
    {EXIF_TAG_FOCAL_LENGTH_IN_35MM_FILM, "Focal length (35 mm)"},
    {EXIF_TAG_EXPOSURE_BIAS_VALUE, "Exposure bias"},
    {EXIF_TAG_METERING_MODE, "Metering"},
    {EXIF_TAG_FLASH, "Flash"},
    {EXIF_TAG_DATE_TIME_ORIGINAL, "Taken"},
    {EXIF_TAG_DATE_TIME, "Changed"},
    {EXIF_TAG_SOFTWARE, "Software"},
    {EXIF_TAG_IMAGE_DESCRIPTION, "Description"},
    {EXIF_TAG_ARTIST, "Artist"},
    {EXIF_TAG_COPYRIGHT, "Copyright"},
};

/// Length of the UTF-8 character at `text[i]`, 0 where it is none.
size_t utf8_length(const std::string& text, size_t i) {
    const uint8_t first = uint8_t(text[i]);
    if (first < 0x80) return 1;
    const size_t length = first >> 5 == 0b110 ? 2 : first >> 4 == 0b1110 ? 3 : first >> 3 == 0b11110 ? 4 : 0;
    if (length == 0 || length > text.size() - i) return 0;
    uint32_t code = first & (0xFF >> (length + 1));
    for (size_t k = 1; k < length; ++k) {
        if ((uint8_t(text[i + k]) & 0xC0) != 0x80) return 0;
        code = code << 6 | (uint8_t(text[i + k]) & 0x3F);
    }
    static constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < kLeast[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

/// One line of valid UTF-8: the text goes into the window and into JSON.
std::string clean(const std::string& text) {
    std::string out;
    for (size_t i = 0; i < text.size();) {
        const size_t length = utf8_length(text, i);
        if (length == 0) {
            out += '?';
        } else if (length == 1 && (uint8_t(text[i]) < 0x20 || text[i] == 0x7f)) {
            out += ' ';
        } else {
            out += text.substr(i, length);
        }
        i += length == 0 ? 1 : length;
    }
    const size_t begin = out.find_first_not_of(' ');
    return begin == std::string::npos ? std::string() : out.substr(begin, out.find_last_not_of(' ') - begin + 1);
}

ExifEntry* find_entry(ExifData* data, ExifTag tag) {
    for (const ExifIfd ifd : {EXIF_IFD_0, EXIF_IFD_EXIF})
        if (ExifEntry* entry = exif_content_get_entry(data->ifd[ifd], tag)) return entry;
    return nullptr;
}

}  // namespace

void apply_exif(std::span<const uint8_t> tiff, LoadedImage& loaded) {
    // libexif wants the header that a JPEG's APP1 segment has.
    static constexpr uint8_t kHeader[] = {'E', 'x', 'i', 'f', 0, 0};
    std::vector<uint8_t> block(kHeader, kHeader + sizeof kHeader);
    block.insert(block.end(), tiff.begin(), tiff.end());

    const std::unique_ptr<ExifData, void (*)(ExifData*)> data{exif_data_new(), exif_data_unref};
    if (!data) return;
    // Entries stay as they are in the file: no repairs, which would add some.
    exif_data_unset_option(data.get(), EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    exif_data_load_data(data.get(), block.data(), unsigned(block.size()));

    const ExifEntry* turn = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
    if (turn && turn->format == EXIF_FORMAT_SHORT && turn->components >= 1 && turn->size >= 2) {
        const int value = exif_get_short(turn->data, exif_data_get_byte_order(data.get()));
        if (value >= 1 && value <= 8) loaded.details.orientation = value;
    }
    for (const auto& [tag, label] : kShown) {
        ExifEntry* entry = find_entry(data.get(), tag);
        char text[512] = "";
        if (!entry || !exif_entry_get_value(entry, text, sizeof text)) continue;
        if (std::string value = clean(text); !value.empty()) loaded.details.exif.emplace_back(label, std::move(value));
    }
    loaded.image = apply_orientation(std::move(loaded.image), loaded.details.orientation);
}

}  // namespace tonescope::image_io
