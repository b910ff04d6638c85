// The command line.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/figures/figures.h"
#include "gpu/core/text.h"
#include "gpu/core/window/sample_window.h"

namespace tonescope {

enum class BackendChoice : uint8_t { automatic, cpu, cuda };

/// The operator of runs that write what was read.
inline constexpr std::string_view kNoOperator = "none";

enum class AxisChoice : uint8_t { automatic, linear, logarithmic };

/// Of a batch: so many files can be written at a time and still disappear when a signal ends the program.
inline constexpr int kMaxJobs = 64;

struct Options {
    enum class Mode : uint8_t { window, screenshot, headless, sweep, suggest, compare, list, source, code, info };
    Mode mode = Mode::window;
    std::vector<std::string> inputs;
    std::string output;                                     // -o
    std::string op = "clahe";                               // or kNoOperator, without a window
    std::string variant;                                    // empty: the preferred one on the backend
    std::vector<std::pair<std::string, std::string>> sets;  // of --preset, then --set NAME=VALUE; the last one counts
    size_t preset_values = 0;                               // so many are of --preset
    std::string preset_path;                                // of the file that it is
    bool run_given = false;                                 // operator, variant, preset or a parameter is named
    BackendChoice backend = BackendChoice::automatic;
    int device = -1;  // -1: the one that drives OpenGL, else the first
    std::optional<MemoryMode> memory;
    std::optional<WindowChoice> window;      // --window
    int page = 0;                            // --page, which counts from 1
    bool all_pages = false;                  // --page all
    bool page_given = false;                 // either
    std::string report;                      // --report
    ResultPart part;                         // --region, --feather, --mask, whose file is not read yet
    std::string reference;                   // --reference; without a window it may contain {stem}
    std::vector<const FigureInfo*> figures;  // --figures, or those that a reference or a sweep is for
    int jobs = 0;                            // --jobs: images under way at a time; 0: what cores and memory allow
    bool resume = false;                     // --resume: what is done is skipped
    SaveOptions save_options;                // those of the formats in image_io/formats.h, each by its own name
    std::string ui_state;                    // --ui-state
    std::string screenshot;                  // --screenshot
    int width = 1280, height = 800;          // --size, window pixels
    bool size_given = false;
    bool compare = false;                  // --compare: the window starts with the variant benchmark
    bool roofline = false;                 // --roofline: its charts are rooflines
    bool memory_modes = false;             // --memory-modes: it compares memory modes of one variant
    bool timeline = false;                 // --timeline: it shows what a run of one variant does when
    std::vector<std::string> experiments;  // --experiment: ids of named_experiments(), or "all"
    // An experiment: the comparison for each value, image, content and size.
    std::vector<std::string> sweeps, contents, image_sizes;  // --sweep, --content, --image-size; as they were given
    bool color_contents = false;                             // --image-format rgb
    AxisChoice axes = AxisChoice::automatic;                 // --axes
    int frames = 0;  // --frames: frames drawn before the screenshot; 0: until the result is there
    bool json = false;
    std::string source;    // --source: a variant of `op`
    CodeTarget code = {};  // --code

    /// --compare goes over several cases.
    bool is_experiment() const {
        return !experiments.empty() || !sweeps.empty() || !contents.empty() || !image_sizes.empty() ||
               (mode == Mode::compare && inputs.size() > 1);
    }
};

/// Parses and checks everything that needs no image. Prints and returns an exit status for --help and --version.
/// Throws UsageError.
std::optional<int> parse_options(int argc, char** argv, Options& options);

/// Operator, variant and parameters as the options name them, on a backend of this kind. Throws UsageError; UserError
/// when the variant needs a backend other than the forced one.
RunSpec resolve_run(const Options& options, BackendKind backend);

/// The same for one given variant. Of --set it takes what the operator and this variant know, and --memory where the
/// variant fixes none. Throws UsageError for a value out of range.
RunSpec spec_for_variant(const Options& options, const OperatorInfo& op, const VariantInfo& variant);

/// `device` -1: the first one. Null where there is no CUDA; *reason then says why. Throws UsageError when --device
/// names one that is not there while others are.
std::unique_ptr<Backend> try_cuda_backend(int device, std::string* reason);

struct ChosenBackend {
    std::unique_ptr<Backend> backend;
    std::string cuda_reason;  // why `auto` did not take CUDA; empty where it did or CUDA was not asked for
};

/// What --backend and --variant name; `auto` takes CUDA where it is there and the operator has a variant for it. Throws
/// UserError when what was asked for is not there.
ChosenBackend choose_backend(const Options& options);

/// "0.00 to 256.00", "size|grid".
std::string allowed_values(const ParamInfo& info);

/// A table of parameters that several variants have alike.
struct SharedParameters {
    std::span<const ParamInfo> table;
    std::vector<std::string> variants;
};
/// Those of the operator's variants that have any.
std::vector<SharedParameters> parameters_of_variants(std::string_view op);

/// The forms of the command line, a line each.
std::string_view usage_text();
/// What --help prints: usage, options, operators with their parameters and variants.
std::string help_text(const std::string& options_text);

/// An option of the command line.
struct OptionInfo {
    std::vector<std::string> names;  // "-h", "--help"
    std::string value;               // what stands behind it, "FILE"; empty: nothing
    bool repeats;                    // it may be given several times
    std::string section, help;       // as --help has them
};
/// In the order of --help.
std::vector<OptionInfo> option_table();

}  // namespace tonescope
