// What the panels show and what they ask for. The application fills a Model before each frame and carries out the
// Actions after it; the panels hold no algorithm, no file access and no pixels.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/core/difference.h"
#include "gpu/core/explanation.h"
#include "gpu/core/histogram.h"
#include "gpu/core/image.h"
#include "gpu/core/registry.h"
#include "gpu/core/resources.h"
#include "gpu/present/clipping_view.h"
#include "gpu/present/difference_view.h"
#include "gpu/present/presenter.h"
#include "ui/model/benchmark.h"
#include "ui/model/grid.h"
#include "ui/model/pixels.h"
#include "ui/model/timings.h"

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

enum class Severity : uint8_t { info, warning, error };

struct Notice {
    uint64_t id = 0;
    Severity severity = Severity::info;
    std::string text;  // one line
};

struct BrowserEntry {
    std::string name;
    bool is_folder = false;
    uint64_t size_bytes = 0;
    std::string modified;  // "2026-03-01 14:05"
    Picture thumbnail;     // of images, once made
};

struct BrowserModel {
    std::string folder;  // absolute path
    std::string home;    // where the Home button leads; empty: no such button
    std::string error;   // one line, where the folder cannot be read
    bool loading = false;
    std::vector<BrowserEntry> entries;  // folders first, then files by name
};

/// A file to open: a recent one or a sample.
struct FileEntry {
    std::string path, name, folder;
    bool missing = false;
    Picture thumbnail;  // empty until it is there
};

/// What the user has named.
struct PresetEntry {
    std::string name;
    const OperatorInfo* op;
    ParamBlock params;
    std::string path;  // of its file
};

struct Model {
    // Images
    std::vector<ImageEntry> images;
    int current = -1;  // index into images
    Picture before, after;
    Picture original;             // the image, where a reference stands in its place as `before`
    std::string reference;        // what `before` is then the result of; empty: the image itself
    Picture preview;              // drawn over `after` at preview_region while the full result is on its way
    Rect preview_region;          // empty: none
    bool after_is_stale = false;  // `after` belongs to older parameters
    std::vector<std::pair<std::string, std::string>> details;  // size, channels, depth, file, EXIF: label and value
    std::string depth_notice;  // "16-bit samples are shown as 8-bit"; empty where not so
    std::optional<PixelInfo> pixel;
    PixelBlock numbers_before, numbers_after;  // where View::shows_numbers; empty while they are not known
    /// Draws a difference into the window at once; called while the frame is rendered.
    std::function<void(const DifferenceView&)> draw_difference;
    /// Marks clipped pixels, likewise.
    std::function<void(const ClippingView&)> draw_clipping;
    std::optional<DifferenceStatistics> difference;  // of the pictures on screen; empty while it is not known

    GridModel grid;
    std::shared_ptr<const Explanation> explanation;  // what Explain asked for; null while nothing is known

    // What runs
    const OperatorInfo* op = nullptr;
    const VariantInfo* variant = nullptr;
    ParamBlock params, variant_params;
    MemoryMode memory = MemoryMode::pinned;  // in which `variant` runs on the GPU
    BackendKind backend = BackendKind::cpu;
    bool cuda_available = false;
    std::string cuda_reason;  // why it is not
    std::string device_name;  // of the backend in use
    std::string presenter;    // "interop" or "copy"
    std::string presenter_reason;
    bool histogram_log = false;
    bool can_undo = false, can_redo = false;  // a change of operator, variant, parameters, memory mode or backend

    // Results
    // Of View::histogram_region; empty while they are not known.
    std::optional<DisplayHistogram> histogram_before, histogram_after;
    std::optional<FineHistogram> fine_before, fine_after;  // where View::fine_histogram
    Timings timings;
    std::vector<KernelResources> kernels;  // of the last run; empty on the CPU
    bool busy = false;
    double busy_s = 0;
    double progress = -1;   // 0 to 1, negative: unknown
    std::string busy_what;  // "Opening moon.png", "Kuwahara"
    std::vector<Notice> notices;

    ComparisonModel comparison;

    // Files
    std::vector<FileEntry> recent;  // the newest first
    std::vector<FileEntry> samples;
    std::vector<PresetEntry> presets;  // by name
    std::string presets_folder;        // where their files are; empty: nowhere to keep them
    std::string command_line;          // gives the result again without the window; empty where there is no image
    bool picturing = false;            // this frame is for a picture of the views: nothing may lie over them

    // File browser
    BrowserModel browser;
    std::string suggested_view_path;  // where "save the view" starts
    std::string suggested_save_path;  // where "save the result" starts
    std::string overwrite_path;       // not empty: ask whether this existing file may be replaced
};

struct OpenPaths {
    std::vector<std::string> paths;
};
struct SelectImage {
    int index;
};
struct CloseImage {
    int index;
};
struct ReloadImage {};
struct StepImage {
    int by;
};  // next (+1) and previous (-1) image of the folder or the list
struct SetOperator {
    const OperatorInfo* op;
};
struct SetVariant {
    const VariantInfo* variant;
};
struct SetBackend {
    BackendKind backend;
};
struct SetMemory {
    MemoryMode memory;
};
struct SetParam {
    const ParamInfo* info;
    bool of_variant;
    int32_t value;
    uint64_t gesture = 0;  // changes of one drag share a number and are undone as one; 0: this one stands alone
};
struct ResetParams {};  // of operator and variant
struct SetPreset {
    const OperatorInfo* op;
    ParamBlock params;
};
struct Undo {};
struct Redo {};
struct SaveResult {
    std::string path;
};
struct SaveView {  // what the views show
    std::string path;
};
struct CopyResult {};  // to the clipboard
struct PasteImage {};
struct ForgetRecent {};
struct WantStartPage {};  // thumbnails of samples and recent files
struct SavePreset {       // what is set now
    std::string name;
    bool overwrite;
};
struct ExportPreset {
    std::string name;
    std::string path;
};
/// A file that someone has handed on.
struct ImportPreset {
    std::string path;
};
struct DeletePreset {
    std::string name;
};
/// A notice.
struct Tell {
    std::string text;
};
struct ReplaceFile {};  // the answer "yes" to overwrite_path
struct CancelSave {};   // "no"
struct CancelWork {};
struct ShowComparison {
    bool shown;
};
struct RunComparison {};  // with what is set now; ends one that is under way
struct StopComparison {};
struct ExportComparison {
    std::string path;
};
struct DismissNotice {
    uint64_t id;
};
struct BrowseTo {
    std::string folder;
    bool presets = false;  // preset files are listed in place of images
};
struct WantThumbnails {
    std::vector<std::string> paths;
};  // of the entries now visible in the file browser or the list of images
struct Hover {
    int x, y;
    bool inside;
};  // image pixel under the cursor
/// How the operator comes to a pixel. What was shown before stays until the answer is there.
struct Explain {
    bool shown = false;
    Pixel pixel;
    std::optional<Pixel> kept;  // the user holds on to it
    bool operator==(const Explain&) const = default;
};
struct PinReference {
    bool pinned;  // the result on screen; false: the image is compared again
};
struct SetHistogramLog {
    bool on;
};
struct ResetTimings {};  // they start anew
struct ToggleFullScreen {};
struct Quit {};

using Action = std::variant<OpenPaths, SelectImage, CloseImage, ReloadImage, StepImage, SetOperator, SetVariant,
                            SetBackend, SetMemory, SetParam, ResetParams, SetPreset, Undo, Redo, SaveView, CopyResult,
                            PasteImage, ForgetRecent, WantStartPage, SavePreset, ExportPreset, ImportPreset,
                            DeletePreset, Tell, SaveResult, ReplaceFile, CancelSave, CancelWork, ShowComparison,
                            RunComparison, StopComparison, ExportComparison, DismissNotice, BrowseTo, WantThumbnails,
                            Hover, Explain, PinReference, SetHistogramLog, ResetTimings, ToggleFullScreen, Quit>;

/// How before and after are compared.
enum class ViewMode : uint8_t { side_by_side, stacked, wipe, flicker, single, difference, grid };
inline constexpr std::array<const char*, 7> kViewModeIds = {"side-by-side", "stacked",    "wipe", "flicker",
                                                            "single",       "difference", "grid"};

/// The one view that before and after share.
struct View {
    bool fit = true;
    double zoom = 1;                    // screen pixels per image pixel
    double center_x = 0, center_y = 0;  // image point in the middle of each view, pixels
    Rect visible;                       // part of the image on screen, pixels
    ViewMode mode = ViewMode::side_by_side;
    bool shows_numbers = false;  // the values of the visible pixels: Model::numbers_before and numbers_after
    bool minified = false;       // a picture is drawn below 1:1 somewhere
    Rect histogram_region;       // what the histograms are to be of, pixels; empty: the whole image
    bool fine_histogram = false;
    GridView grid;
};

/// A widget of the last frame, for tests and screen tours.
struct Widget {
    std::string label;                          // "Clip limit", "Operator", "view:before", "button:Save", ...
    float x = 0, y = 0, width = 0, height = 0;  // window pixels
    std::string value;                          // what it shows, where that is short
    std::string panel;                          // "images", "control", "views", "histogram", "browser", ...
    bool interactive = true;                    // false: a group around other widgets, or something only shown
    bool enabled = true;
};

}  // namespace tonescope::ui
