// What was measured and whether the results are right, as a table on standard output, JSON and CSV.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/statistics.h"

namespace tonescope::bench {

using Json = nlohmann::ordered_json;

/// What all rows under a heading of the table have in common.
struct Subject {
    std::string op = {};       // operator, "histogram256", "copy", "transfer" or "decode"
    std::string kind = {};     // "variant", "peer", "limit"
    std::string name = {};     // of the variant or peer
    std::string backend = {};  // "cuda", "cpu"
    std::string parameters = {};
};

/// One measurement of one subject, or why there is none.
struct Row {
    Subject subject = {};
    std::string not_run = {};  // empty where there are numbers
    std::string cache = {};    // "cold", "hot"
    std::string launch = {};   // "graph", "stream", "host"
    std::string note = {};     // why the measurement is not what was asked for; may be empty
    size_t buffers = 1;        // that the runs rotate through
    TimeSummary time = {};     // of a run
    size_t samples = 0;
    double bytes = 0;          // that a run moves at least
    double share = 0;          // of the bytes a second that a copy reaches; 0: unknown
    std::string verdict = {};  // "identical", "12 pixels differ"
    bool wrong = false;        // the result is not the reference's, and was meant to be
    std::vector<std::pair<std::string, double>> stages_ms = {};  // medians

    double gb_s() const { return time.median_ms > 0 ? bytes / time.median_ms / 1e6 : 0; }
    /// Sets the time and the number of samples from one sample or more.
    void set_samples(std::vector<double> samples_ms);
    /// Sets the stages' medians from those of one run or more, which all have the same stages.
    void set_stages(const std::vector<StageTimes>& runs);
    /// Sets `verdict` and `wrong` from the number of pixels or bins that are not the expected ones. `variant` may be
    /// null.
    void set_verdict(int64_t differences, const VariantInfo* variant, bool bins);
};
using Rows = std::vector<Row>;

/// The result of the operator's fastest CPU variant, which the differential test holds to the reference.
RunResult make_answer(const HostImage& input, RunSpec spec, int threads);

/// Bytes that an operator must move: it reads the image and writes the result (bins: reads the image).
double least_bytes(const HostImage& input, const RunResult& expected);

/// A byte that poisoned outputs hold: not what the result begins with.
uint8_t poison_for(const RunResult& expected);

/// `bins`: kFineBins of them.
int64_t count_different_bins(const uint8_t* bins, const RunResult& expected);

/// What `measure` returns; where it throws UserError, a row that says why there are no numbers.
Rows attempt(const Subject& subject, const std::function<Rows()>& measure);

/// The image that subjects were run on.
struct Scene {
    std::string size, format, content;
    ImageSpec spec = {};
};

/// Prints rows as they come and keeps them for the files.
class Results {
  public:
    void begin(const Scene& scene);
    void add(const Row& row);
    bool any_wrong() const { return any_wrong_; }

    /// Write everything. Throw UserError when the file cannot be written. `facts`: command, date, version, machine.
    void write_json(const std::string& path, Json facts) const;
    void write_csv(const std::string& path) const;

  private:
    Scene scene_;
    Json rows_ = Json::array();
    std::string heading_;
    bool any_wrong_ = false;
};

}  // namespace tonescope::bench
