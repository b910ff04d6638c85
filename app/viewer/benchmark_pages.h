// What stands behind the pages of the panel that compares variants.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/benchmark/formats.h"
#include "app/benchmark/variant_benchmark.h"

namespace tonescope {

/// A row for each of ui::benchmark_pages().
struct BenchmarkPageWork {
    std::string_view id;
    std::optional<bool> by_memory_mode;  // the rows that it measures; empty: it shows those of the page before it
    std::string (*suggested_end)(const VariantBenchmark&);  // of an export's name, behind that of the image
    ExportFormats (*formats)();
    void (*write)(const std::string& path, const VariantBenchmark&, std::stop_token);
    bool is_experiment = false;  // it measures cases (WindowExperiment), and has an export of its own
};

/// The one with this id, which must exist.
const BenchmarkPageWork& benchmark_page(std::string_view id);
std::span<const BenchmarkPageWork> benchmark_page_works();

}  // namespace tonescope
