// What was measured, as a table on standard output, JSON and CSV.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/statistics.h"

namespace tonescope::bench {

/// One measurement of one subject.
struct Timing {
    std::string cache = {};   // "cold", "hot"
    std::string launch = {};  // "graph", "stream", "host"
    std::string note = {};    // why it is not what was asked for; may be empty
    size_t buffers = 1;       // rotated
    TimeSummary time = {};    // of a run
    size_t samples = 0;
    double bytes = 0;          // that a run moves at least
    double share = 0;          // of what share_of reaches in bytes a second; 0: unknown
    std::string verdict = {};  // "identical", "12 pixels differ"
    bool wrong = false;        // the result is not the reference's, and was meant to be
    std::vector<std::pair<std::string, double>> stages_ms = {};  // medians

    double gb_s() const { return time.median_ms > 0 ? bytes / time.median_ms / 1e6 : 0; }
};

/// Sets time and the number of samples from one sample or more.
void take(Timing& timing, std::vector<double> samples_ms);

/// What all timings of a heading in the table have in common.
struct Subject {
    std::string op;       // operator, "histogram256", "copy" or "transfer"
    std::string kind;     // "variant", "peer", "limit"
    std::string name;     // of the variant or peer
    std::string backend;  // "cuda", "cpu"
    std::string parameters = {};
};

struct Measured {
    Subject subject;
    std::vector<Timing> timings;  // one for each cache state and way to launch
    std::string not_run;          // why there are none
};

/// The image that subjects were run on.
struct Scene {
    std::string size, format, content;
    ImageSpec spec = {};
};

struct Facts {
    std::string command, date, version;
    std::string cpu, gpu = {}, cuda = {};
    int threads = 0;
    size_t l2_bytes = 0;
};

/// Prints rows as they come and keeps them for the files.
class Results {
  public:
    explicit Results(Facts facts);
    void begin(const Scene& scene);
    void add(const Subject& subject, const Timing& timing);
    /// A subject without numbers, and why.
    void add_not_run(const Subject& subject, const std::string& why);
    bool any_wrong() const { return any_wrong_; }

    /// Write everything. Throw UserError when the file cannot be written.
    void write_json(const std::string& path) const;
    void write_csv(const std::string& path) const;

  private:
    struct Row {
        Scene scene;
        Subject subject;
        Timing timing;
        std::string not_run;
    };
    void head(const Subject& subject);

    Facts facts_;
    Scene scene_;
    std::vector<Row> rows_;
    std::string heading_;
    bool any_wrong_ = false;
};

}  // namespace tonescope::bench
