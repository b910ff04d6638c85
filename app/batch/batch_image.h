// One image of a batch: read, filtered, written.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/batch/filter.h"
#include "app/batch/judgement.h"
#include "app/image_io/image_io.h"
#include "app/options/report.h"
#include "gpu/core/statistics.h"
#include "gpu/core/value_range.h"

namespace tonescope {

/// What becomes of each result of a batch, beside what is computed.
struct BatchForm {
    SaveOptions save_options = {};
    std::optional<WindowChoice> window = {};  // through which samples become 8 bits
    bool all_pages = false;                   // into one file or, where the output's name contains {page}, one each
    bool wants_details = false;               // BatchPage::clipping, range and bins
    Judging judging = {};                     // BatchPage::judgement
    /// Called before each file is written: what becomes of one that is there. Throws UserError where none must be
    /// written.
    std::function<OldFile(const std::string& output)> check_output = [](const std::string&) {
        return OldFile::replaced;
    };
};

/// What is known of an image, or of a page of it, once it is done.
struct BatchPage {
    enum class State : uint8_t { failed, done, skipped };
    std::string input, output;
    int page = 0;  // from 0
    State state = State::failed;
    std::string error;  // where it has failed; else the rest holds
    std::string line;   // that is printed
    ImageSpec size;
    ImageDetails details;
    std::string notice;
    RunSpec spec;
    std::string device;
    std::string why_there;  // and not on another backend; empty where nothing was to be chosen
    StageTimes stages;
    std::vector<KernelResources> kernels;
    std::optional<Clipping> clipping;
    std::optional<Judgement> judgement;  // where figures were asked for
    /// Between which values an operator has spread the image's, and into how many bins it has counted them; empty where
    /// it has no such parameter.
    std::optional<ValueRange> range;
    std::optional<int> bins;
    double run_ms = 0, load_ms = 0, save_ms = 0;
};

/// What has become of an image of a batch.
struct BatchOutcome {
    std::vector<BatchPage> pages;     // one, unless all pages were asked for
    std::vector<std::string> errors;  // in their order, each a line
    bool ok = false;                  // all pages are done or were skipped
};

/// What is being done with an image, for any thread to look.
class BatchStep {
  public:
    enum class Kind : uint8_t { reading, filtering, writing };
    Kind kind() const { return kind_.load(std::memory_order_relaxed); }
    /// 0 to 1 of this step; negative: unknown.
    double fraction() const { return progress_.fraction(); }

    FileProgress* begin(Kind kind) {
        progress_.set(-1);
        kind_.store(kind, std::memory_order_relaxed);
        return &progress_;
    }

  private:
    std::atomic<Kind> kind_ = Kind::reading;
    FileProgress progress_;
};

/// What it takes to do an image.
struct BatchImageJob {
    std::string input, output;
    int page = 0;  // from 0, where not all are done
    int threads = 1;
    bool resumes = false;  // outputs that are not older than their inputs and masks are skipped
    /// Has lack of memory end in MemoryError or std::bad_alloc, and not as an error of the image: it is tried again.
    bool throws_lack_of_memory = false;
    BatchStep* step = nullptr;
};

/// Throws Canceled and, where the job says so, MemoryError and std::bad_alloc. Everything else is in the outcome.
BatchOutcome run_batch_image(const BatchImageJob& job, BatchFilter& filter, const BatchForm& form,
                             const std::stop_token& stop);

/// Whether the output is there, a regular file that is not older than the input. Files appear whole under their names,
/// so that it is not one that was cut off. Which parameters it was made with cannot be seen.
bool is_done(const std::string& output, const std::string& input);

/// As an entry of a report.
Json describe(const BatchPage& page);
/// Operator, variant, backend, device, memory and parameters.
Json describe_run(const RunSpec& spec, const std::string& device);

}  // namespace tonescope
