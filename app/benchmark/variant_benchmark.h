// The variant benchmark: every variant of an operator on one image, verified against the reference and timed.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/benchmark/samples.h"
#include "app/image_io/image_io.h"
#include "app/options/options.h"
#include "app/options/report.h"
#include "gpu/core/benchmark/benchmark_row.h"
#include "gpu/core/limits/roofs.h"

namespace tonescope {

struct VariantBenchmark {
    const OperatorInfo* op = nullptr;
    std::string input;
    ImageSpec size;
    std::string notice;  // about the input; may be empty
    ParamBlock params;
    std::string cpu_name, cuda_name;  // empty: not used
    int64_t cpu_lanes = 0, cuda_lanes = 0;
    bool by_memory_mode = false;  // the rows other than the reference are one variant in several memory modes
    std::vector<BenchmarkRow> rows;
    int chosen = -1;               // the row that a timeline shows; -1: none
    std::vector<Samples> samples;  // of each row
    /// The highest clock of the multiprocessors that was seen, and what they are made for; 0: unknown.
    double best_cuda_mhz = 0, nominal_cuda_mhz = 0;
    Roofs cpu_roofs, cuda_roofs;  // 0 until they are measured
    /// Share of the reference's time in the operator's sequential_stage, 0 to 1; empty until the reference ran.
    std::optional<double> sequential;

    double mpixel_s(double ms) const { return tonescope::mpixel_s(size, ms); }
    const Roofs& roofs(BackendKind backend) const { return backend == BackendKind::cpu ? cpu_roofs : cuda_roofs; }
    int64_t lanes(BackendKind backend) const { return backend == BackendKind::cpu ? cpu_lanes : cuda_lanes; }
};

/// From the samples: times of all rows and their intervals. From the times: speed-ups, the sequential share and
/// Amdahl's bounds. Rows without samples keep their times.
void add_figures(VariantBenchmark& benchmark);

/// The samples that a row's figures are made of.
Samples samples_in_use(const VariantBenchmark& benchmark, size_t row);

/// How many times as fast the claim's variant is as the other one; empty where one of them was not measured.
std::optional<Ratio> ratio_of_claim(const ReportClaim& claim, const Samples& own, const Samples& other,
                                    const Bootstrap& own_draws, const Bootstrap& other_draws);

/// "every variant compared", "Simple CUDA in every memory mode".
std::string subject_title(const VariantBenchmark& benchmark);

/// What a speed-up against BenchmarkRow::basis is called: "what it builds on" or "pageable".
std::string basis_title(const VariantBenchmark& benchmark);

/// Where processors ran below their clock, and in which rows; empty where none did.
std::string clock_text(const VariantBenchmark& benchmark);

/// What the machine reaches at most, on each backend that was measured; empty where none was.
std::string roofs_text(const VariantBenchmark& benchmark);

/// "0.02 % of the reference's time is sequential (table), so threads alone make at most 2.00x on CPU, 2 threads, ...":
/// what Amdahl's law says, and which variants are past it. Empty until the reference ran.
std::string amdahl_text(const VariantBenchmark& benchmark);

/// Amdahl's bound on any number of lanes; empty where there is none.
std::optional<double> amdahl_limit(const VariantBenchmark& benchmark);

/// One line a row, stages in the last columns as "stage=ms" joined by "; ".
std::string benchmark_csv(const VariantBenchmark& benchmark);
std::string benchmark_markdown(const VariantBenchmark& benchmark);
Json benchmark_json(const VariantBenchmark& benchmark);
/// Rooflines with a sentence for each variant, as a chart (.png, .svg); else what write_benchmark() writes. Throws
/// UserError, Canceled once `stop` is set.
void write_roofline(const std::string& path, const VariantBenchmark& benchmark, std::stop_token stop = {});
/// Bar charts. Throws UserError where this build has no font.
HostImage benchmark_chart(const VariantBenchmark& benchmark);
/// The same as an SVG file.
std::string benchmark_svg(const VariantBenchmark& benchmark);
/// Writes one of benchmark_formats(), as the path says. Throws UserError, Canceled once `stop` is set.
void write_benchmark(const std::string& path, const VariantBenchmark& benchmark, std::stop_token stop = {});

}  // namespace tonescope
