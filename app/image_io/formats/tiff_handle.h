// libtiff's handle of a file that is read or written through functions of ours.
#pragma once

#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "app/image_io/internal.h"

namespace tonescope::image_io {

/// What libtiff says when a call fails: its first words, which are the most precise ones.
struct TiffErrors {
    std::array<char, 256> text{};

    /// Throws std::bad_alloc, through libtiff and at the cost of what it holds, where libtiff 4.5 would go on to read
    /// its table of tags through a null pointer.
    static int note(TIFF*, void* self, const char*, const char* format, va_list values) {
        TiffErrors heard;
        std::vsnprintf(heard.text.data(), heard.text.size(), format, values);
        if (heard.says({"fields array"})) throw std::bad_alloc();
        auto& errors = *static_cast<TiffErrors*>(self);
        if (errors.text[0] == '\0') errors = heard;
        return 1;
    }
    /// Where memory for a tag is lacking, libtiff only warns and reads the file without it.
    static int note_lack_of_memory(TIFF* tiff, void* self, const char* place, const char* format, va_list values) {
        TiffErrors heard;
        note(tiff, &heard, place, format, values);
        auto& errors = *static_cast<TiffErrors*>(self);
        if (errors.text[0] == '\0' && heard.lacks_memory()) errors = heard;
        return 1;
    }
    bool lacks_memory() const { return !says({"beyond the"}) && says({"emory", "No space", "lloc", "Insertion in"}); }
    /// libtiff refuses what is larger than it may allocate at once.
    bool is_beyond_memory() const { return says({"Memory allocation of"}); }
    /// Without what does not belong into a line.
    std::string line(const char* otherwise) const {
        std::string line = clean_text(text[0] == '\0' ? otherwise : text.data());
        while (line.ends_with('.')) line.pop_back();
        return line;
    }

  private:
    /// Its words are all that libtiff tells a lack of memory by.
    bool says(std::initializer_list<std::string_view> words) const {
        return std::ranges::any_of(
            words, [&](std::string_view word) { return std::string_view(text.data()).find(word) != word.npos; });
    }
};

using TiffHandle = std::unique_ptr<TIFF, void (*)(TIFF*)>;

/// `Stream` has read, write, seek, size as libtiff wants them. Null, and words in `errors`, where that fails. Nothing
/// larger than `most_bytes` is allocated at once. Throws std::bad_alloc.
template <class Stream>
TiffHandle open_tiff(Stream& stream, const char* mode, TiffErrors& errors, tmsize_t most_bytes) {
    const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                               TIFFOpenOptionsFree);
    if (!options) throw std::bad_alloc();
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), most_bytes);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), TiffErrors::note, &errors);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), TiffErrors::note_lack_of_memory, &errors);
    return {
        TIFFClientOpenExt(
            "it", mode, &stream,
            [](thandle_t self, void* to, tmsize_t bytes) { return static_cast<Stream*>(self)->read(to, bytes); },
            [](thandle_t self, void* from, tmsize_t bytes) { return static_cast<Stream*>(self)->write(from, bytes); },
            [](thandle_t self, toff_t offset, int whence) { return static_cast<Stream*>(self)->seek(offset, whence); },
            [](thandle_t) { return 0; }, [](thandle_t self) { return static_cast<Stream*>(self)->size(); },
            [](thandle_t, void**, toff_t*) { return 0; }, [](thandle_t, void*, toff_t) {}, options.get()),
        TIFFClose};
}

}  // namespace tonescope::image_io
