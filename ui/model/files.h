// Files as the panels show them: open images, the file dialog, the start page, and what is being saved.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpu/present/presenter.h"

namespace tonescope::ui {

struct ImageEntry {
    enum class State : uint8_t { loading, ready, failed };
    std::string name;  // file name
    std::string path;
    std::string detail;  // "4032 x 3024, RGB" once it is known
    std::string error;   // one line, state failed
    State state = State::loading;
    Picture thumbnail;  // empty until it is there
};

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
    std::string depth_notice;                               // "16-bit samples are shown as 8-bit"; empty where not so
};

struct BrowserEntry {
    std::string name;
    bool is_folder = false;
    uint64_t size_bytes = 0;
    std::string modified;  // local time, "2026-03-01 14:05"
    Picture thumbnail;     // of images, once made
};

/// A format that pictures are saved in.
struct SavedFormat {
    std::string name;                     // "PNG"
    std::vector<std::string> extensions;  // in lower case without the dot, the usual one first
    bool keeps_alpha = true;
    bool is_lossy = false;
};

struct BrowserModel {
    std::vector<SavedFormat> saved_formats;
    std::string opened_formats;  // "PNG, JPEG, BMP", for a person
    std::string folder;          // absolute path
    std::string home;            // where the Home button leads; empty: no such button
    std::string error;           // one line, where the folder cannot be read
    bool loading = false;
    std::vector<BrowserEntry> entries;  // folders first, then files by name
};

/// A file to open: a recent one or a sample.
struct FileEntry {
    std::string path, name, folder;
    bool missing = false;
    Picture thumbnail;  // empty until it is there
};

struct StartPageModel {
    std::vector<FileEntry> recent;  // the newest first
    std::vector<FileEntry> samples;
};

struct SavingModel {
    std::string suggested_result_path, suggested_view_path;  // where the dialogs start
    std::string overwrite_path;  // not empty: the user is asked whether this existing file may be replaced
};

}  // namespace tonescope::ui
