// What a camera wrote into the file, read with libexif.
#include <libexif/exif-data.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "app/image_io/internal.h"
#include "gpu/core/text.h"

namespace tonescope::image_io {
namespace {

constexpr size_t kLongText_bytes = 512;

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

/// libexif leaves out what it has no memory for, the orientation too.
thread_local bool lacks_memory = false;

void* noted(void* block) {
    lacks_memory |= block == nullptr;
    return block;
}

std::unique_ptr<ExifMem, void (*)(ExifMem*)> make_memory() {
    return {
        exif_mem_new([](ExifLong bytes) { return noted(std::calloc(1, bytes)); },
                     [](void* block, ExifLong bytes) { return noted(std::realloc(block, std::max<size_t>(bytes, 1))); },
                     [](void* block) { std::free(block); }),
        exif_mem_unref};
}

ExifEntry* find_entry(ExifData* data, ExifTag tag) {
    for (const ExifIfd ifd : {EXIF_IFD_0, EXIF_IFD_EXIF})
        if (ExifEntry* entry = exif_content_get_entry(data->ifd[ifd], tag)) return entry;
    return nullptr;
}

}  // namespace

std::string clean_text(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size() && out.size() < kLongText_bytes;) {
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

void read_exif(std::span<const uint8_t> tiff, ImageDetails& details) {
    // libexif wants the header that a JPEG's APP1 segment has.
    static constexpr uint8_t kHeader[] = {'E', 'x', 'i', 'f', 0, 0};
    std::vector<uint8_t> block(kHeader, kHeader + sizeof kHeader);
    block.insert(block.end(), tiff.begin(), tiff.end());

    lacks_memory = false;
    const auto memory = make_memory();
    if (!memory) throw std::bad_alloc();
    const std::unique_ptr<ExifData, void (*)(ExifData*)> data{exif_data_new_mem(memory.get()), exif_data_unref};
    if (!data) throw std::bad_alloc();
    // Entries stay as they are in the file: no repairs, which would add some.
    exif_data_unset_option(data.get(), EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    exif_data_load_data(data.get(), block.data(), unsigned(block.size()));
    if (lacks_memory) throw std::bad_alloc();

    const ExifEntry* turn = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
    if (turn && turn->format == EXIF_FORMAT_SHORT && turn->components >= 1 && turn->size >= 2) {
        const int value = exif_get_short(turn->data, exif_data_get_byte_order(data.get()));
        if (value >= 1 && value <= 8) details.orientation = value;
    }
    details.exif.clear();
    for (const auto& [tag, label] : kShown) {
        ExifEntry* entry = find_entry(data.get(), tag);
        char text[kLongText_bytes] = "";
        if (!entry || !exif_entry_get_value(entry, text, sizeof text)) continue;
        if (std::string value = clean_text(text); !value.empty()) details.exif.emplace_back(label, std::move(value));
    }
}

}  // namespace tonescope::image_io
