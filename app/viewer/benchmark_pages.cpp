#include "app/viewer/benchmark_pages.h"

#include <algorithm>

namespace tonescope {
namespace {

std::string end_of_rows(const VariantBenchmark& benchmark) {
    return std::string(benchmark.op->id) + (benchmark.by_memory_mode ? "-memory-modes.csv" : "-comparison.csv");
}

constexpr BenchmarkPageWork kPages[] = {
    {"variants", false, end_of_rows, benchmark_formats, write_benchmark},
    {"memory-modes", true, end_of_rows, benchmark_formats, write_benchmark},
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
