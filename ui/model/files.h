// Files as the panels show them: open images, the file dialog, the start page, and what is being saved.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/param.h"
#include "gpu/present/presenter.h"

namespace tonescope::ui {

/// What a file is opened as, by its name; several of them as a sum.
enum FileKinds : uint8_t { kImageFiles = 1, kPresetFiles = 2, kSessionFiles = 4 };
constexpr FileKinds operator|(FileKinds a, FileKinds b) {
    return static_cast<FileKinds>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

struct ImageEntry {
    enum class State : uint8_t { loading, ready, failed };
    std::string name;  // file name
    std::string path;
    std::string detail;  // "4032 × 3024, RGB" once it is known
    std::string error;   // one line, state failed
    State state = State::loading;
    Picture thumbnail;      // empty until it is there
    bool replaced = false;  // the program has written onto its file: the pixels are those from before
    int page = 0;           // that is shown, or is to be, from 0
    int pages = 1;          // as far as that is known
};

/// "stack.tiff, page 2 of 5"
inline std::string title_of(const ImageEntry& image) {
    if (image.pages == 1) return image.name;
    return image.name + ", page " + std::to_string(image.page + 1) + " of " + std::to_string(image.pages);
}

/// The open images.
struct ImagesModel {
    std::vector<ImageEntry> entries;
    int current = -1;  // index into entries

    /// The current image; null: there is none.
    const ImageEntry* shown() const {
        return current >= 0 && current < static_cast<int>(entries.size()) ? &entries[static_cast<size_t>(current)]
                                                                          : nullptr;
    }
};

/// What is known about the current image.
struct DetailsModel {
    std::vector<std::pair<std::string, std::string>> rows;  // size, channels, depth, file, EXIF: label and value
    std::string file_notice;   // what of the file is not shown: "page 1 of 3"; mostly empty
    int bits_per_channel = 8;  // in the file
};

struct BrowserEntry {
    std::string name;
    bool is_folder = false;
    uint64_t size_bytes = 0;
    std::string modified;  // local time, "2026-03-01 14:05"; empty where neither it nor the size is known
    Picture thumbnail;     // of images, once made
};

/// A format that files are saved in.
struct SavedFormat {
    std::string name;                     // "PNG"
    std::vector<std::string> extensions;  // in lower case without the dot, the usual one first
    std::string about = {};               // what it is good for, where pictures are not meant
    bool keeps_alpha = true;
    bool is_lossy = false;
    bool keeps_depth = false;
    std::vector<std::string> gray_extensions = {};  // those among them that hold no color
    std::vector<ParamInfo> options = {};
};

struct BrowserModel {
    std::vector<SavedFormat> saved_formats;   // of pictures
    std::string opened_formats;               // "PNG, JPEG, BMP", for a person
    std::string folder;                       // absolute path
    std::string home;                         // where the Home button leads; empty: no such button
    std::vector<std::string> recent_folders;  // the newest first
    std::string error;                        // one line, where the folder cannot be read
    bool loading = false;
    uint64_t visit = 0;                 // counts the folders that were asked for
    std::string chosen;                 // file among the entries that was asked for by its path; empty: a folder was
    std::vector<BrowserEntry> entries;  // folders first, then files by name
};

/// A file to open: a recent one or a sample.
struct FileEntry {
    std::string path, name, folder;
    bool missing = false;
    Picture thumbnail;  // empty until it is there
    bool too_large_for_thumbnail = false;
};

struct StartPageModel {
    std::vector<FileEntry> recent;  // the newest first
    std::vector<FileEntry> samples;
};

/// A file is in the way of what is to be written.
struct SaveQuestion {
    std::string path;          // empty: there is no question
    std::string free_path;     // of no file, beside it
    bool is_original = false;  // an open image was read from it
    bool is_held = true;       // the pixels of that image are in memory
};

struct SavingModel {
    std::string suggested_result_path, suggested_view_path, suggested_session_path;  // where the dialogs start
    SaveQuestion question;
};

}  // namespace tonescope::ui
