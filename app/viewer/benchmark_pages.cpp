#include "app/viewer/benchmark_pages.h"

#include <algorithm>

namespace tonescope {
namespace {

std::string end_of_rows(const VariantBenchmark& benchmark) {
    return std::string(benchmark.op->id) + (benchmark.by_memory_mode ? "-memory-modes.csv" : "-comparison.csv");
}

std::string end_of_limits(const VariantBenchmark& benchmark) {
    return std::string(benchmark.op->id) + "-limits.svg";
}

constexpr BenchmarkPageWork kPages[] = {
    {"variants", false, end_of_rows, benchmark_formats, write_benchmark},
    {"memory-modes", true, end_of_rows, benchmark_formats, write_benchmark},
    {"limits", {}, end_of_limits, roofline_formats, write_roofline},
};

}  // namespace

std::span<const BenchmarkPageWork> benchmark_page_works() {
    return kPages;
}

const BenchmarkPageWork& benchmark_page(std::string_view id) {
    return *std::ranges::find(kPages, id, &BenchmarkPageWork::id);
}

}  // namespace tonescope
