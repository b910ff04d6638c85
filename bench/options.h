// The benchmark's command line.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/backend.h"

namespace tonescope::bench {

/// The 256-bin histogram that HE starts with, timed by itself; not an operator of the registry.
inline constexpr std::string_view kHistogram256 = "histogram256";

/// --size: that of the file that is the content.
inline constexpr std::string_view kImageSize = "image";
/// Whether a content is a file, to be read with app/image_io/image_io.h.
inline bool is_file(const std::string& content) {
    return content.find_first_of("./") != std::string::npos;
}

struct NamedFormat {
    std::string_view name;
    PixelFormat format;
    uint16_t max_sample;
};
inline constexpr NamedFormat kFormats[] = {
    {"gray", PixelFormat::gray8, 255},      {"rgba", PixelFormat::rgba8, 255},
    {"gray12", PixelFormat::gray16, 4095},  {"rgba12", PixelFormat::rgba16, 4095},
    {"gray16", PixelFormat::gray16, 65535}, {"rgba16", PixelFormat::rgba16, 65535}};

struct Options {
    std::vector<std::string> ops;       // ids, kHistogram256 among them
    std::vector<std::string> variants;  // empty: all
    std::vector<std::string> sizes = {"4k"}, formats = {"gray"}, contents = {"noise"};
    std::vector<std::pair<std::string, std::string>> sets;
    std::string sweep;                             // name of a parameter; empty: none
    std::vector<std::string> sweep_values = {""};  // what it takes in turn; without a sweep one that stands for none
    std::string backend = "all", cache = "all", launch = "graph";
    bool peers = true, stages = false, transfers = false;
    std::vector<std::string> decode;  // image files; with them nothing else is timed
    double seconds = 0.3;             // for the samples of one measurement
    int threads = default_cpu_threads();
    int device = -1;
    std::string json, csv;
};

/// Prints and returns an exit status for --help. Throws UsageError.
std::optional<int> parse_options(int argc, char** argv, Options& options);

/// The parameters for one variant (null: the operator's alone), with `sets` and a sweep's `value`. Throws UsageError
/// for a value that is not allowed.
RunSpec spec_of(const Options& options, const OperatorInfo& op, const VariantInfo* variant, const std::string& value);

/// "radius=15 color=gray": what differs from the defaults, and the parameter of a sweep.
std::string describe(const Options& options, const RunSpec& spec);

}  // namespace tonescope::bench
