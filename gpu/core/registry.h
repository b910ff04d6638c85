// Operators and their variants. Menu, sliders, command line, tests and benchmark walk this registry.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/code/code.h"
#include "gpu/core/explanation.h"
#include "gpu/core/histogram.h"
#include "gpu/core/image.h"
#include "gpu/core/limits/work.h"
#include "gpu/core/param.h"
#include "gpu/core/timing.h"

namespace tonescope {

enum class BackendKind : uint8_t { cpu, cuda };
std::string_view to_string(BackendKind kind);

/// How pixels travel between host and device.
enum class MemoryMode : uint8_t { pageable, pinned, mapped, managed, overlapped };
inline constexpr std::string_view kMemoryModeIds[] = {"pageable", "pinned", "mapped", "managed", "overlapped"};

/// What a variant on the CPU gets. `output` has the operator's output_spec and any pitch; it may not overlap `input`.
struct CpuJob {
    ImageView input = {};
    ParamBlock params = {};
    ParamBlock variant_params = {};
    MutableImageView output = {};  // empty for operators that make bins
    BinsResult* bins = nullptr;    // only for operators that make bins
    int threads = 1;
    std::stop_token stop = {};        // checked between bands of rows; once it is set the output is garbage
    StageTimes* stages = nullptr;     // may be null
    RunProgress* progress = nullptr;  // may be null; for variants that take long and know how far they are
};
using CpuRun = void (*)(const CpuJob&);

class CudaJob;  // gpu/cuda/kernels/job.h
using CudaRun = void (*)(CudaJob&);

/// A quick look at part of an image while the full result is not there yet: `output` pixel (i, j) stands for the image
/// pixel (region.x + i * step, region.y + j * step). Values may be approximate; the time is bounded by the size of
/// `output`.
struct PreviewJob {
    ImageView input = {};
    ParamBlock params = {};
    Rect region = {};  // inside the image
    int step = 1;
    MutableImageView output = {};  // ceil(region.width / step) x ceil(region.height / step), format as output_spec says
    int threads = 1;
    std::stop_token stop = {};
};

/// Parameters after a choice among them was changed, with its dependents converted.
struct Conversion {
    ParamBlock params = {};
    std::string note = {};  // one line: how the result differs from the one before; empty where it does not
};

struct OperatorInfo {
    std::string_view id;
    std::string_view name;
    std::string_view summary;  // one sentence
    std::span<const ParamInfo> params = {};
    std::string_view follows = {};  // id of the operator before this one in menus; empty: this one is the first
    bool makes_bins = false;        // the result is a BinsResult, drawn as a plot, in place of an image
    /// Stage of the reference that handles a fixed number of bins, whatever the image: what Amdahl's law takes as the
    /// sequential part. Empty: there is none.
    std::string_view sequential_stage = {};
    /// What the result looks like.
    ImageSpec (*output_spec)(const ImageSpec& input, const ParamBlock& params) = nullptr;
    /// How many pixels away, in each direction, what decides a pixel's result lies at most: such an image can be
    /// filtered in bands of rows. Null: all pixels may decide.
    int (*reach_px)(const ParamBlock& params) = nullptr;
    void (*preview)(const PreviewJob&) = nullptr;  // may be null
    /// What a parameter's value comes to on an image of these sides, in other units and for other programs: lines of
    /// text, none where there is nothing to add. May be null.
    std::vector<std::string> (*conversions)(const ParamInfo& info, const ParamBlock& params,
                                            const ImageSpec& image) = nullptr;
    /// Carries over what is set when the value of a choice changes: `after` is `before` with the choice changed, and
    /// the result should stay what it was on an image of these sides. May be null.
    Conversion (*convert)(const ParamBlock& before, const ParamBlock& after, const ImageSpec& image) = nullptr;
    /// How the result at one pixel comes about; may be null. A function of the job alone: the cache saves time and
    /// changes nothing.
    Explanation (*explain)(const ExplainJob&) = nullptr;
    /// The operator with these parameters in another library's words; may be null.
    CodeParts (*code)(CodeTarget target, const ParamBlock& params) = nullptr;
};

struct VariantInfo {
    std::string_view op;  // OperatorInfo::id
    std::string_view id;
    std::string_view name;
    std::string_view source = {};            // "A 3", "B CPU 2; C CPU"; empty where it stems from no report
    BackendKind backend = BackendKind::cpu;  // set by VariantRegistration: CPU where run_cpu is set
    std::string_view follows = {};           // id of the variant before this one in the ladder of its backend
    /// Id of the variant of the same operator, on whichever backend, that this one differs from by its idea alone: what
    /// it is compared with. Empty where there is none.
    std::string_view builds_on = {};
    /// Id of the variant that launches the very same kernels, where there is one: then the host's memory differs, or
    /// the streams that they are launched on.
    std::string_view same_kernels_as = {};
    bool reference = false;                  // plain loops that define the result; one an operator
    bool preferred = false;                  // what `auto` takes on this backend; one an operator and backend
    std::optional<MemoryMode> memory = {};   // the mode this variant fixes
    std::span<const ParamInfo> params = {};  // beyond the operator's
    bool wrong_by_design = false;
    /// Takes deep images, and every `range` (gpu/core/value_range.h); else images of 8 bits alone, whose values it
    /// spreads over 0 to 255. A variant of a report (`source`) that does not has no more colors than the reports' first
    /// three either, and no `amount`.
    bool any_depth = false;
    /// Ids of the operator's parameters, separated by spaces, of which it takes every value; of others none above
    /// ParamInfo::common_max.
    std::string_view every_value_of = {};
    int64_t max_pixels = 0;  // larger images are refused with a UserError, and a run may wait on the host; 0: none is
    std::string_view idea = {}, cost = {}, flaw = {};  // one sentence each
    Work (*work)(const WorkCase&) = nullptr;           // what a run does; never null
    CpuRun run_cpu = nullptr;                          // exactly one of the two is set, except in builds without CUDA:
    CudaRun run_cuda = nullptr;                        // there CUDA variants are listed without code
};

/// File-scope objects of these types register at start. Their translation units belong in OBJECT libraries.
struct OperatorRegistration {
    explicit OperatorRegistration(const OperatorInfo& info);
};
struct VariantRegistration {
    explicit VariantRegistration(VariantInfo info);
};

/// In a .cu file: the launch function where nvcc compiles it, null where a build without CUDA only reads the
/// registration.
#ifdef __CUDACC__
#define TONESCOPE_CUDA_RUN(...) (__VA_ARGS__)
#else
#define TONESCOPE_CUDA_RUN(...) nullptr
#endif

/// `params` with another value, as the window sets it: what depends on a choice is converted (OperatorInfo::convert).
/// `image` may be empty: then nothing is.
Conversion with_value(const OperatorInfo& op, const ParamBlock& params, const ParamInfo& info, int32_t value,
                      const ImageSpec& image);

/// All operators, each behind the one it follows. Of several that follow the same one, those with fewer behind them
/// come first.
std::span<const OperatorInfo* const> operators();
const OperatorInfo* find_operator(std::string_view id);
/// All variants of an operator: those on the CPU, then those on CUDA, each behind the one it follows.
std::vector<const VariantInfo*> variants_of(std::string_view op);
const VariantInfo* find_variant(std::string_view op, std::string_view id);
const VariantInfo& reference_of(std::string_view op);
/// The variant that this one builds on; null where there is none.
const VariantInfo* basis_of(const VariantInfo& variant);
/// "B 3, Shared table", "Simple CUDA".
std::string title_of(const VariantInfo& variant);
/// "Same kernels as B 3, Shared table; the host's memory differs"; empty for kernels of its own.
std::string same_kernels_text(const VariantInfo& variant);
/// The preferred variant on a backend; the first one there where none is preferred; null where there is none.
const VariantInfo* preferred_variant(std::string_view op, BackendKind backend);
/// RangeChoice under these parameters, as `color` has it; nothing where the operator has none.
std::optional<int32_t> range_choice(const OperatorInfo& op, const ParamBlock& params);
/// Why a variant of the operator cannot run on such an image with these parameters of the operator: what follows its
/// name in a sentence. Empty where it can.
std::string refusal(const OperatorInfo& op, const VariantInfo& variant, const ParamBlock& params,
                    const ImageSpec& image);
/// The preferred variant where it can run so, else the last of the backend's ladder that can; null where none can.
const VariantInfo* preferred_variant(const OperatorInfo& op, BackendKind backend, const ParamBlock& params,
                                     const ImageSpec& image);

}  // namespace tonescope
