#include "app/viewer/benchmark_pages.h"

#include <algorithm>

#include "app/benchmark/timeline.h"

namespace tonescope {
namespace {

std::string end_of_rows(const VariantBenchmark& benchmark) {
    return std::string(benchmark.op->id) + (benchmark.by_memory_mode ? "-memory-modes.csv" : "-comparison.csv");
}

std::string end_of_timeline(const VariantBenchmark& benchmark) {
    const std::string row = benchmark.chosen < 0 ? "" : "-" + benchmark.rows[size_t(benchmark.chosen)].id();
    return std::string(benchmark.op->id) + row + "-timeline.json";
}

std::string end_of_limits(const VariantBenchmark& benchmark) {
    return std::string(benchmark.op->id) + "-limits.svg";
}

constexpr BenchmarkPageWork kPages[] = {
    {"variants", false, end_of_rows, benchmark_formats, write_benchmark},
    {"memory-modes", true, end_of_rows, benchmark_formats, write_benchmark},
    {"timeline", {}, end_of_timeline, timeline_formats, write_timeline},
    {"limits", {}, end_of_limits, roofline_formats, write_roofline},
    {"sweep", {}, end_of_rows, benchmark_formats, write_benchmark, true},
};

}  // namespace

std::span<const BenchmarkPageWork> benchmark_page_works() {
    return kPages;
}

const BenchmarkPageWork& benchmark_page(std::string_view id) {
    return *std::ranges::find(kPages, id, &BenchmarkPageWork::id);
}

}  // namespace tonescope
