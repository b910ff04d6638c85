// What runs: operator, variant, parameters, backend; and the presets of parameters.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/figures/suggestions.h"
#include "gpu/core/image.h"
#include "gpu/core/registry.h"

namespace tonescope::ui {

/// `memory` is that in which `variant` runs on the GPU.
struct RunModel : RunSpec {
    BackendKind backend = BackendKind::cpu;
    bool cuda_available = false;
    std::string cuda_reason;  // why it is not
    std::string device_name;  // of the backend in use
    ImageSpec input;          // what it runs on; empty: nothing
    std::string presenter;    // "interop" or "copy"
    std::string presenter_reason;
    bool can_undo = false,
         can_redo = false;  // a change of operator, variant, parameters, memory mode, backend or windows
    std::string previewed;  // name of the preset that the result is of while the user looks at it; empty: none
    /// For parameters of the operator, where View::shows_suggestions and as far as they are known.
    std::vector<std::shared_ptr<const ParamSuggestions>> suggestions;
    std::string command_line;  // gives the result again without the window; empty where there is no image
    bool operator==(const RunModel&) const = delete;
};

/// A parameter, of the operator or of the variant.
struct ParamPlace {
    const ParamInfo* info = nullptr;
    bool of_variant = false;
    const ParamInfo* choice = nullptr;  // of which it is a value (choice_of()); null: of none
    bool operator==(const ParamPlace& other) const { return info == other.info && of_variant == other.of_variant; }
    /// "Clip limit"; of the number that the choice "No data" has as its value, "No data value".
    std::string name() const;
    /// "Clip limit 6.00 × mean bin", "No data 12".
    std::string text(int32_t value) const;
};

struct ParamValue {
    ParamPlace param;
    int32_t value = 0;
};

/// Parameters of operator and variant that matter with what is set.
std::vector<ParamPlace> active_params(const RunModel& run);
int32_t value_of(const RunModel& run, const ParamPlace& param);
/// Null: there are none for the parameter.
const ParamSuggestions* suggestions_of(const RunModel& run, const ParamPlace& param);
/// Why the operator's variant cannot be chosen; empty: it can.
std::string reason_against(const RunModel& run, const VariantInfo& variant);
/// The value that the operator leaves out of its histograms (the parameter `no_data`), in samples of the image; empty:
/// none.
std::optional<int32_t> left_out_sample(const RunSpec& run, const ImageSpec& image);
/// A parameter differs from its default.
bool can_reset(const RunModel& run);
/// The operator has something to explain.
bool can_explain(const RunModel& run);
/// What the operator says that a value of its parameter comes to on an image, with the other parameters as they are.
std::vector<std::string> conversions(const RunModel& run, const ParamPlace& param, int32_t value,
                                     const ImageSpec& image);

/// What keeps the user waiting.
struct WorkModel {
    bool busy = false;
    double seconds = 0;
    double progress = -1;  // 0 to 1, negative: unknown
    std::string what;      // "Opening moon.png", "Kuwahara"

    /// It has been running for longer than passes without a flash of text.
    bool is_long() const { return busy && seconds > 0.2; }
};

/// What the user has named.
struct PresetEntry {
    std::string name;
    const OperatorInfo* op = nullptr;
    ParamBlock params = {};
    std::string path = {};  // of its file
};

struct PresetsModel {
    std::vector<PresetEntry> entries;  // by name
    std::string folder;                // where their files are; empty: nowhere to keep them
};

}  // namespace tonescope::ui
