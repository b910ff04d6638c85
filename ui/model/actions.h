// What the user asks for: the panels return Actions, and the application carries them out after the frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/part/result_part.h"
#include "gpu/core/registry.h"
#include "gpu/core/window/sample_window.h"
#include "ui/model/batch.h"
#include "ui/model/experiment.h"
#include "ui/model/files.h"

namespace tonescope::ui {

struct OpenPaths {
    std::vector<std::string> paths;
    std::string folder = {};  // of the dialog in which they were chosen; empty: they were not chosen in one
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
struct ShowPage {
    int page;  // of the current image, from 0
};
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
/// The operator leaves out the value that the image has there (the parameter `no_data`).
struct PickNoData {
    Pixel at;
};
/// What of the image is filtered.
struct SetPart {
    ResultPart part;
    uint64_t gesture = 0;  // as SetParam's
};
/// The image in this file is the mask.
struct OpenMask {
    std::string path;
};
/// How samples are shown.
struct SetWindows {
    SampleWindows windows;
    uint64_t gesture = 0;  // as SetParam's
};
struct ResetParams {};  // of operator and variant
struct SetPreset {
    const OperatorInfo* op;
    ParamBlock params;
};
/// The result shows these parameters while the user looks at them; nothing is chosen. Null: none any more.
struct PreviewPreset {
    const OperatorInfo* op = nullptr;
    ParamBlock params = {};
    std::string name = {};
};
struct Undo {};
struct Redo {};
struct SaveResult {
    std::string path;
    SaveOptions options = {};
};
struct SaveView {  // what the views show
    std::string path;
    SaveOptions options = {};
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
struct SaveSession {  // images, what is chosen, and how the window shows it
    std::string path;
};
// Answers to SavingModel::question.
struct ReplaceFile {};
struct SaveBeside {};  // under its free path
struct CancelSave {};
struct CancelWork {};
struct ShowBenchmark {
    bool shown;
};
struct RunBenchmark {};  // with what is set now; ends one that is under way
struct StopBenchmark {};
struct ShowBenchmarkPage {  // measures its rows where those are others
    std::string_view id;    // of the table of pages
};
struct SetExperiment {  // what RunBenchmark measures on the page "Sweep"
    ExperimentSetup setup;
};
struct RunExperiment {  // ... and measures it
    ExperimentSetup setup;
};
struct RunCase {  // chooses the variant of a row with the parameters of a case, and opens the image of that
    size_t point, row;
};
struct ExportBenchmark {
    std::string path;
};
struct DismissNotice {
    uint64_t id;
};
struct BrowseTo {
    std::string path;               // of a folder, or of a file in it
    FileKinds kinds = kImageFiles;  // that are listed
    bool or_above = false;          // where it is gone, the folder above it that is there
};
struct WantThumbnails {
    std::vector<std::string> paths;
};  // of the entries now visible in the file browser or the list of images
struct Hover {
    int x, y;
    bool inside;
    bool operator==(const Hover&) const = default;
};  // image pixel under the cursor
/// How the operator comes to a pixel. What was shown before stays until the answer is there.
struct Explain {
    bool shown = false;
    Pixel pixel;
    std::optional<Pixel> kept;         // the user holds on to it
    const OperatorInfo* op = nullptr;  // that `params` are of; null: the parameters in use are explained
    ParamBlock params = {};            // of the pane that the mouse was on
    bool operator==(const Explain&) const = default;
};
struct PinResult {};  // the one on screen becomes what others are compared with
struct CompareWith {  // a reference: any image file, open or not
    std::string path;
    bool as_result = false;  // what the filter makes of it, as it is set; false: the image itself
};
struct CompareWithImage {};  // that the filter runs on, again
struct ResetTimings {};      // they start anew
struct StartBatch {
    BatchSetup setup;
};
struct AnswerBatch {  // files are in the way of the batch
    enum class Kind : uint8_t { skip, rename, overwrite, cancel } kind;
};
struct PauseBatch {
    bool pauses;  // false: it goes on
};
struct StopBatch {};
struct KeepBatch {};  // the window is not to be closed
struct ToggleFullScreen {};
struct Quit {};

using Action =
    std::variant<OpenPaths, SelectImage, CloseImage, ReloadImage, StepImage, ShowPage, SetOperator, SetVariant,
                 SetBackend, SetMemory, SetParam, PickNoData, SetPart, OpenMask, SetWindows, ResetParams, SetPreset,
                 Undo, Redo, SaveView, CopyResult, PasteImage, ForgetRecent, WantStartPage, SavePreset, ExportPreset,
                 ImportPreset, DeletePreset, PreviewPreset, Tell, SaveResult, SaveSession, ReplaceFile, SaveBeside,
                 CancelSave, CancelWork, ShowBenchmark, RunBenchmark, StopBenchmark, ShowBenchmarkPage, SetExperiment,
                 RunExperiment, RunCase, ExportBenchmark, DismissNotice, BrowseTo, WantThumbnails, Hover, Explain,
                 PinResult, CompareWith, CompareWithImage, ResetTimings, StartBatch, AnswerBatch, PauseBatch, StopBatch,
                 KeepBatch, ToggleFullScreen, Quit>;

}  // namespace tonescope::ui
