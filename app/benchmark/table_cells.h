// The cells of tables in files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/benchmark/variant_benchmark.h"

namespace tonescope {

using Cells = std::vector<std::string>;

/// The columns of benchmark_csv(), and a row's cells in them.
Cells benchmark_csv_names();
Cells benchmark_csv_cells(const VariantBenchmark& benchmark, const BenchmarkRow& row);

/// " (0.98 to 1.03)"; empty where there is none.
std::string interval_text(const std::optional<Interval>& interval);
/// "1.25 (1.24 to 1.27)", ms.
std::string time_text(const BenchmarkTime& times);
/// "1.01 (0.98 to 1.03), no difference measured"; empty where there is none.
std::string with_interval(const std::optional<Ratio>& ratio);
/// "| a | b |" and a line break.
std::string markdown_line(const Cells& cells);

}  // namespace tonescope
