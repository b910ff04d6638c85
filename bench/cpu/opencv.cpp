// OpenCV's HE and CLAHE on the CPU, where it was found.
#include "bench/cpu/cpu_bench.h"

#if TONESCOPE_HAVE_OPENCV
#include <algorithm>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>

#include "gpu/ops/clahe/clahe.h"
#endif

namespace tonescope::bench {
#if TONESCOPE_HAVE_OPENCV
namespace {

/// Whether OpenCV's CLAHE does the same: tiles that fill the image (or its padding), the clip limit as a slope, excess
/// spread out, and of deep images all 65,536 bins.
bool is_opencv_clahe(const clahe::Params& params, const clahe::Geometry& geometry, const ImageSpec& spec) {
    const bool full_tiles =
        params.tiles == clahe::tiles_grid ||
        (geometry.tile_width * geometry.columns == spec.width && geometry.tile_height * geometry.rows == spec.height);
    constexpr int32_t kMostBins = 8;  // 256 << 8
    const bool full_values = !takes_used_values(spec, params.range_choice());
    if (!full_values || (is_deep(spec.format) && params.bins != kMostBins)) return false;
    return full_tiles && params.clip_unit == clahe::clip_slope && params.excess == clahe::excess_spread &&
           params.amount == 100;
}

void set_verdict(Row& row, const cv::Mat& got, const HostImage& expected) {
    int largest = 0;
    for (int y = 0; y < expected.height(); ++y)
        for (int x = 0; x < expected.width(); ++x)
            largest = std::max(largest, std::abs(sample_at(expected.view().pixel(x, y), expected.spec().format, 0) -
                                                 sample_at(got.ptr(y, x), expected.spec().format, 0)));
    row.verdict = largest == 0 ? "identical" : "within " + std::to_string(largest) + " of the reference";
}

}  // namespace

std::string opencv_name() {
    return "OpenCV " CV_VERSION;
}

std::optional<CpuRun> cpu_run_of_opencv(const HostImage& input, const RunSpec& spec, const RunResult& expected,
                                        int threads) {
    if (!is_gray(input.spec().format)) return {};
    const bool deep = is_deep(input.spec().format);
    const cv::Mat from(input.height(), input.width(), deep ? CV_16UC1 : CV_8UC1, const_cast<uint8_t*>(input.data()),
                       input.pitch_bytes());
    const auto to = std::make_shared<cv::Mat>();
    cv::setNumThreads(threads);
    CpuRun run;
    if (spec.op->id == "he") {
        if (deep) return {};  // it equalizes bytes only
        run.run = [from, to] { cv::equalizeHist(from, *to); };
    } else if (spec.op->id == "clahe") {
        const auto params = spec.params.as<clahe::Params>();
        const clahe::Geometry geometry = clahe::make_geometry(input.spec(), params);
        if (!is_opencv_clahe(params, geometry, input.spec())) return {};
        const auto clahe = cv::createCLAHE(params.clip_limit / 100.0, cv::Size(geometry.columns, geometry.rows));
        run.run = [from, to, clahe] { clahe->apply(from, *to); };
    } else {
        return {};
    }
    run.finish = [to, &expected](Row& row) { set_verdict(row, *to, expected.image); };
    return run;
}

#else

std::string opencv_name() {
    return {};
}

std::optional<CpuRun> cpu_run_of_opencv(const HostImage&, const RunSpec&, const RunResult&, int) {
    return {};
}

#endif
}  // namespace tonescope::bench
