// What follows from the samples of a variant benchmark: medians, intervals, speed-ups.
#include <algorithm>
#include <cmath>
#include <map>

#include "app/benchmark/variant_benchmark.h"

namespace tonescope {
namespace {

using Kind = BenchmarkTime BenchmarkRow::*;

/// Medians of resamples, for the times of one row.
struct Resampled {
    std::vector<double> total, compute, kernels;
    std::map<std::string_view, std::vector<double>> stages;
    const std::vector<double>& of(Kind kind) const {
        return kind == &BenchmarkRow::total ? total : kind == &BenchmarkRow::compute ? compute : kernels;
    }
};

std::vector<double> present(const RoundTimes& times) {
    std::vector<double> values;
    std::ranges::copy_if(times, std::back_inserter(values), [](double ms) { return !std::isnan(ms); });
    return values;
}

/// Leaves out what was measured at a lower clock, unless hardly anything else was: then the row says so.
Samples samples_to_use(const VariantBenchmark& benchmark, const Samples& all, BenchmarkRow& row) {
    std::vector<double> mhz = present(all.mhz);
    row.low_clock_percent = 0;
    const bool on_cpu = row.variant->backend == BackendKind::cpu;
    const double best = on_cpu ? *std::ranges::max_element(mhz) : benchmark.best_cuda_mhz;
    if (best <= 0) return all;
    Samples fast = all.at_clock(kLeastClock * best);
    if (2 * fast.runs() >= all.runs()) return fast;
    row.low_clock_percent = 100 * quantile(mhz, 0.5) / best;
    return all;
}

Resampled fill(BenchmarkRow& row, const Samples& samples, const Bootstrap& bootstrap) {
    Resampled resampled{
        bootstrap.medians(samples.total), bootstrap.medians(samples.compute), bootstrap.medians(samples.kernels), {}};
    row.runs = samples.runs();
    row.total.time = summarize(present(samples.total));
    row.compute.time = summarize(present(samples.compute));
    row.kernels.time = summarize(present(samples.kernels));
    for (const Kind kind : {&BenchmarkRow::total, &BenchmarkRow::compute, &BenchmarkRow::kernels})
        (row.*kind).interval = interval_of(resampled.of(kind));
    row.traced_ms = summarize(present(samples.traced)).median_ms;
    // The time of the stages that compute varies less than that of copies. Where kernels hide behind copies it says
    // nothing, and the trace does.
    const double kernels_ms = row.kernels.time.median_ms, between_ms = row.compute.time.median_ms - kernels_ms;
    const double rest_ms = std::max(row.total.time.median_ms - kernels_ms, 0.0);
    row.host_ms = std::min(between_ms >= 0 ? between_ms : summarize(present(samples.host)).median_ms, rest_ms);
    row.copies_ms = rest_ms - row.host_ms;
    row.stages.clear();
    for (const StageTime& stage : samples.last) {
        if (std::ranges::find(row.stages, stage.stage, &BenchmarkStage::stage) != row.stages.end()) continue;
        const RoundTimes& times = samples.stages.at(stage.stage);
        row.stages.push_back({stage.stage, summarize(present(times))});
        resampled.stages[stage.stage] = bootstrap.medians(times);
    }
    return resampled;
}

/// Where kernels of the row find and leave its images.
ImagePlace place_of(const VariantBenchmark& benchmark, const BenchmarkRow& row, double images_bytes) {
    if (row.memory == MemoryMode::mapped) return ImagePlace::bus;
    if (row.memory == MemoryMode::managed) return ImagePlace::pages;
    const double cache_bytes = benchmark.roofs(row.variant->backend).cache_bytes;
    return images_bytes <= cache_bytes / 2 ? ImagePlace::cache : ImagePlace::memory;
}

/// Threads of a kernel that are resident at a time.
double threads_of(const KernelResources& kernel, double lanes) {
    return std::min(double(kernel.grid_blocks) * kernel.block_threads, kernel.occupancy_percent / 100 * lanes);
}

Limit limit_of_row(const VariantBenchmark& benchmark, const BenchmarkRow& row) {
    if (row.trace == nullptr) return {};
    const double in_bytes = double(benchmark.size.size_bytes());
    const double out_bytes =
        benchmark.op->makes_bins ? 0 : double(benchmark.op->output_spec(benchmark.size, benchmark.params).size_bytes());
    LimitCase measured{.roofs = benchmark.roofs(row.variant->backend),
                       .place = place_of(benchmark, row, in_bytes + out_bytes),
                       .host_ms = row.host_ms,
                       .lanes = double(benchmark.lanes(row.variant->backend))};
    const bool on_cpu = row.variant->backend == BackendKind::cpu;
    // The stages share the kernels' time as in the run that was traced.
    const std::vector<StageTrace> all = stages_of(*row.trace);
    double traced_ms = 0;
    for (const StageTrace& traced : all) traced_ms += traced.kernels_ms;
    for (const StageTrace& traced : all) {
        StageCase& stage = measured.stages.emplace_back();
        stage.stage = traced.stage;
        stage.ms = row.kernels.time.median_ms * traced.kernels_ms / traced_ms;
        stage.launches = on_cpu ? 0 : traced.launches;
        const auto declared = std::ranges::find(row.work, traced.stage, &StageWork::stage);
        if (declared != row.work.end()) stage.work = declared->amounts;
        // Managed pages move once: the image's in the first stage, the result's in the last.
        if (measured.place == ImagePlace::pages)
            stage.work.bytes = (&traced == &all.front() ? in_bytes : 0) + (&traced == &all.back() ? out_bytes : 0);
        for (const KernelResources& kernel : row.kernel_resources) {
            if (kernel.stage != traced.stage) continue;
            stage.work.blocks += double(kernel.launches) * double(kernel.grid_blocks);
            stage.threads = std::max(stage.threads, threads_of(kernel, measured.lanes));
        }
    }
    return limit_of(measured);
}

/// The row that a row is compared with; null where it is not there or did not run.
const BenchmarkRow* basis_row(const VariantBenchmark& benchmark, const BenchmarkRow& row) {
    for (const BenchmarkRow& other : benchmark.rows) {
        const bool is_it = benchmark.by_memory_mode ? other.memory == MemoryMode::pageable && row.memory
                                                    : other.variant->id == row.variant->builds_on;
        if (is_it && &other != &row && other.ran()) return &other;
    }
    return nullptr;
}

std::optional<double> sequential_share(const VariantBenchmark& benchmark) {
    const auto reference = std::ranges::find_if(
        benchmark.rows, [](const BenchmarkRow& row) { return row.variant->reference && row.ran(); });
    if (reference == benchmark.rows.end() || reference->total.time.median_ms <= 0) return {};
    double sequential_ms = 0;
    for (const BenchmarkStage& stage : reference->stages)
        if (stage.stage == benchmark.op->sequential_stage) sequential_ms += stage.time.median_ms;
    return std::min(sequential_ms / reference->total.time.median_ms, 1.0);
}

std::optional<Ratio> times_as_fast(const TimeSummary& over, const TimeSummary& under,
                                   const std::vector<double>& over_medians, const std::vector<double>& under_medians) {
    if (over.median_ms <= 0 || under.median_ms <= 0) return {};
    return ratio_of(over.median_ms, under.median_ms, over_medians, under_medians);
}

/// Milliseconds by round of what a claim is about.
RoundTimes times_of(const ReportClaim& claim, const Samples& samples) {
    RoundTimes times = claim.time == ReportClaim::Time::kernels   ? samples.kernels
                       : claim.time == ReportClaim::Time::compute ? samples.compute
                                                                  : samples.total;
    const auto stage = samples.stages.find(claim.without);
    if (stage != samples.stages.end())
        for (size_t round = 0; round < std::min(times.size(), stage->second.size()); ++round)
            times[round] -= stage->second[round];
    return times;
}

/// What reports say of each row's variant, beside its times. `used`: the samples that count, of each row. Claims on
/// values of a parameter are about several cases.
void add_claims(VariantBenchmark& benchmark, const std::vector<Samples>& used, const Bootstrap& bootstrap) {
    for (BenchmarkRow& row : benchmark.rows) row.claims.clear();
    if (benchmark.by_memory_mode) return;
    const auto index_of = [&](std::string_view variant) {
        return size_t(
            std::ranges::find(benchmark.rows, variant, [](const BenchmarkRow& row) { return row.variant->id; }) -
            benchmark.rows.begin());
    };
    for (const ReportInfo* report : reports()) {
        if (report->op != benchmark.op->id) continue;
        for (const ReportClaim& claim : report->claims) {
            const size_t own = index_of(claim.variant), other = index_of(claim.against);
            if (!claim.param.empty() || std::max(own, other) >= used.size() || !claim.is_about(benchmark.size))
                continue;
            if (const auto here = ratio_of_claim(claim, used[own], used[other], bootstrap, bootstrap))
                benchmark.rows[own].claims.push_back({report, &claim, *here});
        }
    }
}

}  // namespace

std::optional<Ratio> ratio_of_claim(const ReportClaim& claim, const Samples& own, const Samples& other,
                                    const Bootstrap& own_draws, const Bootstrap& other_draws) {
    if (own.runs() == 0 || other.runs() == 0) return {};
    const RoundTimes own_times = times_of(claim, own), other_times = times_of(claim, other);
    return times_as_fast(summarize(present(other_times)), summarize(present(own_times)),
                         other_draws.medians(other_times), own_draws.medians(own_times));
}

Samples samples_in_use(const VariantBenchmark& benchmark, size_t index) {
    BenchmarkRow row = benchmark.rows[index];
    const Samples& all = benchmark.samples[index];
    return all.runs() > 0 ? samples_to_use(benchmark, all, row) : all;
}

void add_figures(VariantBenchmark& benchmark) {
    std::vector<BenchmarkRow>& rows = benchmark.rows;
    size_t rounds = 0;
    for (const Samples& samples : benchmark.samples) rounds = std::max(rounds, samples.total.size());
    const Bootstrap bootstrap(rounds);
    std::vector<Resampled> resampled(rows.size());
    std::vector<Samples> used(std::min(rows.size(), benchmark.samples.size()));
    for (size_t i = 0; i < used.size(); ++i) {
        if (!rows[i].ran() || benchmark.samples[i].runs() == 0) continue;
        used[i] = samples_to_use(benchmark, benchmark.samples[i], rows[i]);
        resampled[i] = fill(rows[i], used[i], bootstrap);
    }
    add_claims(benchmark, used, bootstrap);
    benchmark.sequential = sequential_share(benchmark);

    const auto find = [&](auto is_it) -> const BenchmarkRow* {
        const auto found = std::ranges::find_if(rows, is_it);
        return found == rows.end() ? nullptr : &*found;
    };
    const BenchmarkRow* reference = find([](const BenchmarkRow& row) { return row.ran() && row.variant->reference; });
    const BenchmarkRow* first_gpu =
        find([](const BenchmarkRow& row) { return row.ran() && row.variant->backend == BackendKind::cuda; });
    for (BenchmarkRow& row : rows) {
        row.amdahl.reset();
        if (!row.ran()) continue;
        row.limit = limit_of_row(benchmark, row);
        const BenchmarkRow* basis = basis_row(benchmark, row);
        row.basis = basis == nullptr ? "" : basis->name();
        const auto medians = [&](const BenchmarkRow& of) -> const Resampled& {
            return resampled[size_t(&of - &rows[0])];
        };
        for (const Kind kind : {&BenchmarkRow::total, &BenchmarkRow::compute, &BenchmarkRow::kernels}) {
            const auto against = [&](const BenchmarkRow* other) -> std::optional<Ratio> {
                if (other == nullptr) return {};
                if (other == &row) return Ratio{};
                return times_as_fast((other->*kind).time, (row.*kind).time, medians(*other).of(kind),
                                     medians(row).of(kind));
            };
            (row.*kind).speed_up = {against(basis), against(first_gpu), against(reference)};
        }
        for (BenchmarkStage& stage : row.stages) {
            stage.basis.reset();
            if (basis == nullptr) continue;
            const auto other = std::ranges::find(basis->stages, stage.stage, &BenchmarkStage::stage);
            if (other == basis->stages.end()) continue;
            const auto of = [&](const BenchmarkRow& from) {
                const auto& stages = medians(from).stages;
                const auto found = stages.find(stage.stage);
                return found == stages.end() ? std::vector<double>{} : found->second;
            };
            stage.basis = times_as_fast(other->time, stage.time, of(*basis), of(row));
        }
        const int64_t lanes = benchmark.lanes(row.variant->backend);
        if (benchmark.sequential && lanes > 0) row.amdahl = amdahl_bound(*benchmark.sequential, double(lanes));
    }
}

}  // namespace tonescope
