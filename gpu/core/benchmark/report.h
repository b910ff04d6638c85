// What the five reports that the ladders come from say of their steps, and the experiments by which they found it, so
// that these can be repeated and the claims set beside what is measured. Each operator's folder has a table for each of
// its reports.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpu/core/benchmark/bootstrap.h"
#include "gpu/core/image.h"

namespace tonescope {

/// That one variant is faster or slower than another, or than itself with another value of a parameter.
struct ReportClaim {
    enum class Time : uint8_t { kernels, compute, total };  // BenchmarkRow's

    std::string_view variant, against;  // ids
    Time time = Time::kernels;
    std::string_view without = {};  // a stage that does not count: the report's programs have none like it
    double times = 0;               // as fast, in the report's figures; 0: it gives none
    bool faster = true;             // where it gives none; else whether `times` is above 1
    int64_t min_pixels = 0, max_pixels = kMaxPixels;  // of the images that it is about
    std::string_view says;                            // a sentence
    // Of a parameter, as --sweep names it and its values: which one `variant` has, and which one `against` has.
    std::string_view param = {}, at = {}, against_at = {};

    bool is_faster() const { return times > 0 ? times > 1 : faster; }
    bool is_about(const ImageSpec& image) const { return image.pixels() >= min_pixels && image.pixels() <= max_pixels; }
};

/// What a report measured. Lists are separated by commas, and names are those of the command line.
struct ReportExperiment {
    std::string_view id;                                      // without the report's: "teams"
    std::string_view title, shows;                            // "Teams"; and what of the report it repeats
    std::string_view variants = {};                           // beside the reference; empty: all that the report has
    std::string_view params = {};                             // "tile_size=16,excess=drop", in place of default values
    std::string_view contents = "smooth", sizes = "reports";  // of the images
    PixelFormat format = PixelFormat::gray8;                  // of the images
    std::string_view sweep = {};                              // as --sweep has it
};

struct ReportInfo {
    std::string_view id;     // "A"
    std::string_view title;  // and who wrote it
    std::string_view op;     // OperatorInfo::id
    std::span<const ReportClaim> claims = {};
    std::span<const ReportExperiment> experiments = {};
};

/// What has become of a claim here: `here` is how many times as fast the variant is.
struct ClaimFinding {
    enum class Verdict : uint8_t { too_few_runs, no_difference, holds, in_direction_only, does_not_hold };

    const ReportInfo* report = nullptr;
    const ReportClaim* claim = nullptr;
    Ratio here = {};

    /// By the interval of `here`. Where the report has a figure and the whole interval stays below its square root (of
    /// 1.8 times: 1.34), the claim holds in direction only: a step twice would not make what the report has of it.
    Verdict verdict() const;
    /// "Report B: faster on every image. Here 1.43× (1.41 to 1.46): holds". `text_of` writes a figure.
    std::string text(std::string (*text_of)(double)) const;
};
/// "holds", "holds in direction only", "does not hold", "no difference measured", "too few runs".
std::string_view to_string(ClaimFinding::Verdict verdict);

/// A file-scope object of this type registers a report at start. Its table lives as long as the program.
struct ReportRegistration {
    explicit ReportRegistration(const ReportInfo& info);
};
/// By their ids.
std::span<const ReportInfo* const> reports();

}  // namespace tonescope
