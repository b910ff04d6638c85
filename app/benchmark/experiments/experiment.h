// An experiment: the variant benchmark over cases, which are the combinations of images, sizes and values of
// parameters.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/benchmark/measurement.h"
#include "gpu/core/benchmark/cases.h"
#include "gpu/core/benchmark/contents.h"

namespace tonescope {

/// What the images of an experiment are made of.
struct ImageSource {
    std::string name;      // the path of a file, or the id of a content (gpu/core/benchmark/contents.h)
    bool is_file = false;  // else a content
    std::shared_ptr<const HostImage> image = {};  // of a file that has been read; null: it is read when its turn comes
};

/// A parameter of the operator or of variants, and the values that it takes in turn, as parse_value() reads them.
struct Sweep {
    std::string param;
    std::vector<std::string> values;
};

/// "NAME=V,V,...". Throws UsageError where it is anything else.
Sweep parse_sweep(const std::string& text);

struct ExperimentPlan {
    std::string id = {}, title = {};  // of an experiment that has a name
    std::vector<RunSpec> runs = {};   // a row each, as in BenchmarkJob
    bool by_memory_mode = false;
    std::vector<ImageSource> sources = {};
    std::vector<NamedSize> sizes = {};        // empty: files have their own, and contents report C's seven
    PixelFormat format = PixelFormat::gray8;  // of contents
    std::vector<Sweep> sweeps = {};
    BackendChoice backend = BackendChoice::automatic;
    int device = -1;
};

/// A case.
struct ExperimentPoint {
    std::vector<size_t> place;  // the label's index on each axis
    bool is_file = false;       // measured on a file as it is; else its image is made
    std::string title;          // "noise, 400 × 250, teams 4"
    bool is_measured = false;   // in part at least
    std::string error = {};     // why nothing of it could be measured; one line
    std::vector<RunSpec> runs;  // of the rows
    VariantBenchmark benchmark;
};

struct Experiment {
    ExperimentPlan plan;
    std::vector<CaseAxis> axes;  // images and sizes, where there are several, then each sweep
    std::vector<ExperimentPoint> points;

    const OperatorInfo& op() const { return *plan.runs.front().op; }
    /// "Report A: teams", or "Histogram equalization: size".
    std::string title() const;
};

/// The cases of a plan, in the order in which they are measured, with a row that waits for each run. A sweep of a
/// parameter that only variants have leaves out those that have none of these, except the reference. Throws UsageError
/// for a parameter that nothing has, a value that is not allowed, and where there are no images or too many cases.
Experiment unmeasured(ExperimentPlan plan);

/// How long a case of an experiment is measured: less than an image alone, since there are many.
BenchmarkLimits limits_of_case();

struct CaseImage {
    std::shared_ptr<const HostImage> image;
    std::string name;  // "noise-400x250"
};
/// The image of the case with this index. Throws UserError, Canceled.
CaseImage make_case_image(const ExperimentPlan& plan, size_t point, std::stop_token stop);

struct ExperimentWatch {
    std::function<void(const Experiment&, size_t point)> rows = {};   // of this case there are new figures
    std::function<void(const Experiment&, size_t point)> point = {};  // this case is finished
    std::function<void(double)> progress = {};                        // 0 to 1, behind each run
};

/// Measures case after case; an image that cannot be read or made is noted in its point. Throws Canceled; what was
/// measured until then stays. Throws UserError where the forced backend is not there.
void measure(Experiment& experiment, const BenchmarkLimits& limits, std::stop_token stop,
             const ExperimentWatch& watch = {});

}  // namespace tonescope
