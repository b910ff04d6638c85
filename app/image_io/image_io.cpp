// Opening a file, whose first bytes tell the format, and saving one as its extension says.

#include <algorithm>
#include <cstring>
#include <new>

#include "app/image_io/decoding/decoding.h"
#include "app/image_io/internal.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace image_io {

void refuse_page(int page, int pages) {
    throw UserError("it has no page " + std::to_string(page + 1) + "; there " + (pages == 1 ? "is" : "are") + " " +
                    std::to_string(pages));
}

void check_size(int64_t width, int64_t height) {
    if (width >= 1 && height >= 1 && width <= kMaxSide_px && height <= kMaxSide_px && width * height <= kMaxPixels)
        return;
    throw UserError("the image is " + size_text(width, height) + " pixels; sides may be 1 to " +
                    std::to_string(kMaxSide_px) + ", and " + std::to_string(kMaxPixels) + " pixels in all");
}

bool may_take(int max_side_px, uint64_t needed_bytes) {
    try {
        check_decoding(max_side_px, needed_bytes);
        return true;
    } catch (const MemoryError&) {
        return false;
    }
}

void check_decoding(int max_side_px, uint64_t needed_bytes) {
    if (max_side_px > 0) check_memory(needed_bytes, kThumbnail_bytes);
    check_memory(needed_bytes);
}

ImageSpec loaded_spec(int64_t width, int64_t height, int channels, int max_sample) {
    const bool gray = channels == 1;
    const PixelFormat format = max_sample > 255 ? (gray ? PixelFormat::gray16 : PixelFormat::rgba16)
                                                : (gray ? PixelFormat::gray8 : PixelFormat::rgba8);
    return {int(width), int(height), format, channels == 2 || channels == 4, uint16_t(max_sample)};
}

LoadedImage make_loaded(int64_t width, int64_t height, int channels, int bits_per_channel, int max_sample) {
    LoadedImage loaded;
    loaded.image = HostImage(loaded_spec(width, height, channels, max_sample));
    loaded.details.file_channels = channels;
    loaded.details.bits_per_channel = bits_per_channel;
    return loaded;
}

namespace {

template <class Sample>
void pack_row(const Sample* from, int width, const RowLayout& layout, Sample* to) {
    const int channels = layout.channels;
    const size_t red = layout.bgr ? 2 : 0, blue = 2 - red;
    if (channels == 1) std::copy_n(from, width, to);
    for (int x = 0; channels > 1 && x < width; ++x, from += 4, to += channels) {
        to[red] = from[0];
        to[1] = from[1];
        to[blue] = from[2];
        if (channels == 4) to[3] = from[3];
    }
}

void finish_deep_row(std::span<uint16_t> row, uint32_t max_sample, const RowLayout& layout) {
    if (layout.max_sample > 0 && layout.max_sample != max_sample)
        for (uint16_t& v : row) v = uint16_t((uint64_t{layout.max_sample} * v + max_sample / 2) / max_sample);
    if (layout.big_endian)
        for (uint16_t& v : row) v = uint16_t(v << 8 | v >> 8);
}

}  // namespace

void write_rows(FileWriter& file, const ImageView& image, const RowLayout& layout,
                const std::function<bool(std::span<const uint8_t> row)>& write) {
    const int height = image.spec.height;
    const size_t samples = size_t(image.spec.width) * size_t(layout.channels);
    std::vector<uint8_t> packed(std::max(samples * size_t(bytes_per_sample(image.spec.format)), layout.stride_bytes));
    for (int i = 0; i < height; ++i) {
        const uint8_t* const row = image.row(layout.bottom_up ? height - 1 - i : i);
        if (is_deep(image.spec.format)) {
            const std::span to(reinterpret_cast<uint16_t*>(packed.data()), samples);
            pack_row(reinterpret_cast<const uint16_t*>(row), image.spec.width, layout, to.data());
            finish_deep_row(to, image.spec.max_sample, layout);
        } else {
            pack_row(row, image.spec.width, layout, packed.data());
        }
        if (!(write ? write(packed) : file.write(packed.data(), packed.size()))) return;
        file.row_done(i + 1, height);
    }
}

namespace {

bool has_extension(const Format& format, std::string_view extension) {
    const auto has = [&](const auto& list) { return std::ranges::find(list, extension) != list.end(); };
    return has(format.extensions) || has(format.opened_extensions);
}

LoadedImage load_as(const Format& format, FileReader& file, const LoadRequest& request) {
    if (request.page > 0 && !format.has_pages) refuse_page(request.page, 1);
    LoadedImage loaded = format.load(file, request);
    if (loaded.details.format.empty()) loaded.details.format = format.name;
    return loaded;
}

LoadedImage decode_any(FileReader& file, const std::string& extension, const LoadRequest& request) {
    std::array<uint8_t, kHead_bytes> bytes{};
    const size_t got = file.read_at(0, bytes);
    file.check();
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), got);
    for (const Format& format : formats())
        if (format.has_magic && format.recognizes(head)) return load_as(format, file, request);
    if (const std::string_view foreign = foreign_format(head); !foreign.empty())
        throw UserError("it is " + std::string(foreign) + ", which is not supported; convert it to PNG");
    for (const Format& format : formats()) {
        if (format.has_magic || !format.recognizes(head)) continue;
        if (has_extension(format, extension)) return load_as(format, file, request);
        try {
            return load_as(format, file, request);
        } catch (const MemoryError&) {
            throw;
        } catch (const UserError&) {
            file.check();  // only the file's name could tell whether this is a damaged image or none
        }
    }
    throw UserError("it is not an image; " + format_names(Use::open, "or") + " can be opened");
}

sandbox::Limits limits_for(const InputFile& file, int max_side_px) {
    // No image that can be opened takes nearly as much processor time.
    return {.memory_bytes = std::min(free_memory_bytes(), max_side_px > 0 ? kThumbnail_bytes : UINT64_MAX),
            .processor_s = 120 + (file.size_bytes >> 20)};
}

LoadedImage load(const std::string& path, const LoadRequest& request, std::stop_token stop, FileProgress* progress) {
    try {
        InputFile file = open_input(path);
        const uint64_t file_bytes = file.size_bytes;
        auto loaded =
            decode_confined(file, extension_of(path), request, stop, progress, limits_for(file, request.max_side_px));
        if (!loaded) {
            std::function<void(double)> say;
            if (progress != nullptr) say = [progress](double part) { progress->set(part); };
            FileReader reader(std::move(file), std::move(stop), std::move(say));
            loaded = decode(reader, extension_of(path), request);
            reader.check();
        }
        loaded->details.file_bytes = file_bytes;
        return std::move(*loaded);
    } catch (const MemoryError& e) {
        throw MemoryError("cannot open " + printable(path) + ": " + e.what());
    } catch (const UserError& e) {
        throw UserError("cannot open " + printable(path) + ": " + e.what());
    } catch (const std::bad_alloc&) {
        throw MemoryError("cannot open " + printable(path) + ": " + sandbox::kTooLittleMemory);
    }
}

}  // namespace

namespace {

/// A deep image in 8 bits, through the file's window where it has one.
HostImage reduced(HostImage image, ImageDetails& details) {
    details.reduced_to_8_bit = true;
    details.scale.reset();
    if (const auto window = std::exchange(details.window, {})) {
        details.notes.emplace_back("seen through the file's window, " + window_text(*window, image.spec().max_sample));
        return through_window(image.view(), *window);
    }
    return to_8_bits(std::move(image));
}

}  // namespace

HostImage thumbnail_of(HostImage image, ImageDetails& details) {
    const bool deep = is_deep(image.spec().format);
    SampleWindow window = std::exchange(details.window, {}).value_or(SampleWindow());
    if (deep && !window.range) window.set(auto_range(sample_counts(image.view())), image.spec().max_sample);
    details.reduced_to_8_bit |= deep;
    details.scale.reset();
    return deep || !window.is_full() ? through_window(image.view(), window) : std::move(image);
}

LoadedImage decode(FileReader& file, const std::string& extension, const LoadRequest& request) {
    LoadedImage loaded = decode_any(file, extension, request);
    if (request.max_side_px > 0) {
        loaded.image = thumbnail_of(shrink(std::move(loaded.image), request.max_side_px), loaded.details);
    } else if (!request.keeps_depth && is_deep(loaded.image.spec().format)) {
        loaded.image = reduced(std::move(loaded.image), loaded.details);
    }
    return loaded;
}

}  // namespace image_io

LoadedImage load_image(const std::string& path, std::stop_token stop, FileProgress* progress,
                       const LoadRequest& request) {
    return image_io::load(path, request, std::move(stop), progress);
}

HostImage load_thumbnail(const std::string& path, int max_side_px, std::stop_token stop) {
    return image_io::load(path, {.max_side_px = std::max(max_side_px, 1)}, std::move(stop), nullptr).image;
}

std::string notice_of(const ImageDetails& details) {
    std::string notice;
    const auto add = [&](const std::string& note) { notice += (notice.empty() ? "" : "; ") + note; };
    std::ranges::for_each(details.notes, add);
    if (details.reduced_to_8_bit) add(std::to_string(details.bits_per_channel) + " bits a channel, reduced to 8");
    return notice;
}

bool looks_like_image(const std::string& file_name) {
    const std::string extension = extension_of(file_name);
    return std::ranges::any_of(image_io::formats(), [&](const image_io::Format& format) {
        return image_io::has_extension(format, extension);
    });
}

bool can_save_as(const std::string& path) {
    return image_io::find_saved_format(extension_of(path)) != nullptr;
}

bool can_save_pages(const std::string& path) {
    const image_io::Format* format = image_io::find_saved_format(extension_of(path));
    return format != nullptr && format->save_pages != nullptr;
}

namespace {

/// What a file becomes, once its format is known. Throws UserError where that cannot hold it.
using Writing = std::function<void(image_io::FileWriter& file, const ParamBlock& options)>;
using Prepare = std::function<Writing(const image_io::Format& format, const std::string& extension)>;

void save(const std::string& path, const Prepare& prepare, std::stop_token stop, FileProgress* progress,
          const SaveOptions& options, OldFile old) {
    using namespace image_io;
    try {
        const std::string extension = extension_of(path);
        const Format* const format = find_saved_format(extension);
        if (format == nullptr) {
            throw UserError((extension.empty() ? "it has no extension"
                                               : "'" + printable(extension) + "' is not a known extension") +
                            "; known are " + spell_out(saved_extensions(), ""));
        }
        const Writing write = prepare(*format, extension);
        ParamBlock values = default_values(format->options);
        for (const auto& [id, value] : options)
            if (const ParamInfo* info = find_param(format->options, id)) values.set(*info, clamp_value(*info, value));
        write_whole_file(
            path, [&](FileWriter& file) { write(file, values); }, std::move(stop), progress, Sync::yes, old);
    } catch (const UserError& e) {
        throw UserError("cannot save " + printable(path) + ": " + e.what());
    } catch (const std::bad_alloc&) {
        throw UserError("cannot save " + printable(path) + ": too little memory");
    }
}

}  // namespace

void save_image(const std::string& path, const ImageView& image, std::stop_token stop, FileProgress* progress,
                const SaveOptions& options, OldFile old) {
    HostImage reduced;
    const auto prepare = [&](const image_io::Format& format, const std::string& extension) -> Writing {
        if (image.spec.empty()) throw UserError("there is no image");
        check_savable(format, image.spec, extension);
        ImageView saved = image;
        if (is_deep(image.spec.format) && !format.keeps_depth) {
            reduced = image_io::in_8_bits(image);
            saved = reduced.view();
        }
        return [&format, saved](image_io::FileWriter& file, const ParamBlock& values) {
            format.save(file, saved, values);
        };
    };
    save(path, prepare, std::move(stop), progress, options, old);
}

void save_pages(const std::string& path, const std::function<void(const AddPage& add)>& make, std::stop_token stop,
                const SaveOptions& options, OldFile old) {
    const auto prepare = [&](const image_io::Format& format, const std::string&) -> Writing {
        return [&](image_io::FileWriter& file, const ParamBlock& values) { format.save_pages(file, make, values); };
    };
    save(path, prepare, std::move(stop), nullptr, options, old);
}

}  // namespace tonescope
