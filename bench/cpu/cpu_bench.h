// Times CPU variants, and OpenCV beside them where it was found, by the host's clock. They take turns, so that another
// program's load falls on all of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/results.h"

namespace tonescope::bench {

/// Something to time: a function, and how its result is judged.
struct CpuRun {
    Subject subject;
    std::function<void()> run;
    std::function<void(Row&)> finish;  // after the samples
};

/// `input` and `expected` must outlive the run. `stages`: medians of them too.
CpuRun cpu_run_of_variant(const HostImage& input, const RunSpec& spec, const RunResult& expected, int threads,
                          bool stages);
/// OpenCV's function for this operator with these parameters and as many threads; empty where there is none or the
/// program was built without OpenCV.
std::optional<CpuRun> cpu_run_of_opencv(const HostImage& input, const RunSpec& spec, const RunResult& expected,
                                        int threads);
/// "OpenCV 4.6.0"; empty without OpenCV.
std::string opencv_name();

/// Opening an image file, from its bytes on disk (in the page cache) to pixels of the file's depth: load_image(), and
/// plain calls of libjpeg-turbo, libspng, libpng and OpenCV's imread (where they were found), stb_image and libtiff
/// (files of strips), as far as they know the format. Throws UserError for a file that cannot be read.
Rows time_decoders(const std::string& path, const ImageSpec& spec, double seconds);

/// Each run gets about `seconds`, after a warm-up.
Rows time_in_turn(const std::vector<CpuRun>& runs, double bytes, double seconds);

}  // namespace tonescope::bench
