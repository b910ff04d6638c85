// The variant benchmark as JSON.
#include "app/benchmark/variant_benchmark.h"

namespace tonescope {
namespace {

Json number_or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

Json interval_json(const std::optional<Interval>& interval) {
    return interval ? Json{interval->low, interval->high} : Json();
}

/// {"times", "interval", "no_difference"}
Json ratio_json(const std::optional<Ratio>& ratio) {
    if (!ratio) return {};
    return {{"times", ratio->value},
            {"interval", interval_json(ratio->interval)},
            {"no_difference", ratio->interval ? Json(ratio->is_no_difference()) : Json()}};
}

Json times_json(const VariantBenchmark& benchmark, const BenchmarkTime& times) {
    const auto value = [](const std::optional<Ratio>& ratio) { return ratio ? Json(ratio->value) : Json(); };
    return {{"median_ms", times.time.median_ms},
            {"interval_ms", interval_json(times.interval)},
            {"p10_ms", times.time.p10_ms},
            {"p90_ms", times.time.p90_ms},
            {"mpixel_s", benchmark.mpixel_s(times.time.median_ms)},
            {"against_basis", ratio_json(times.speed_up.basis)},
            {"speed_up_first_gpu", value(times.speed_up.first_gpu)},
            {"speed_up_reference", value(times.speed_up.reference)},
            {"speed_up_reference_interval",
             times.speed_up.reference ? interval_json(times.speed_up.reference->interval) : Json()}};
}

Json amounts_json(const StageWork& stage) {
    return {{"stage", stage.stage},
            {"bytes", stage.amounts.bytes},
            {"requests", stage.amounts.requests},
            {"shared_bytes", stage.amounts.shared_bytes},
            {"l1_bytes", stage.amounts.l1_bytes},
            {"operations", stage.amounts.operations},
            {"shared_atomics", stage.amounts.shared_atomics},
            {"global_atomics", stage.amounts.global_atomics},
            {"word_atomics", stage.amounts.word_atomics},
            {"constant_reads", stage.amounts.constant_reads}};
}

Json share_json(const Share& share) {
    return {
        {"resource", share.resource->id}, {"unit", share.resource->unit}, {"rate", share.rate}, {"share", share.share}};
}

/// null where nothing is known.
Json limit_json(const Limit& limit) {
    if (!limit.is_known()) return {};
    return {{"id", limit.id()},
            {"sentence", limit.text(number_text)},
            {"kernels_share", limit.kernels_share},
            {"shares", json_list(limit.shares, share_json)},
            {"stages", json_list(limit.stages, [](const StageLimit& stage) {
                 return Json{{"stage", stage.stage},
                             {"id", stage.id()},
                             {"part", stage.part},
                             {"launches_share", stage.launches_share},
                             {"threads", stage.threads > 0 ? Json(stage.threads) : Json()},
                             {"shares", json_list(stage.shares, share_json)}};
             })}};
}

/// null where they were not measured.
Json roofs_json(const Roofs& roofs) {
    if (!roofs.are_known()) return {};
    Json json = {{"launch_ms", roofs.launch_ms}, {"cache_bytes", roofs.cache_bytes}, {"clock_mhz", roofs.mhz}};
    for (const Resource& resource : resources())
        if (const double rate = roofs.*resource.roof; rate > 0)
            json[std::string(resource.id)] = {{"rate", rate}, {"unit", resource.unit}};
    return json;
}

Json row_json(const VariantBenchmark& benchmark, const BenchmarkRow& row) {
    const VariantInfo& variant = *row.variant;
    Json entry = {{"variant", variant.id},
                  {"name", row.name()},
                  {"source", variant.source},
                  {"backend", to_string(variant.backend)},
                  {"memory", row.memory ? Json(kMemoryModeIds[size_t(*row.memory)]) : Json()},
                  {"builds_on", variant.builds_on.empty() ? Json() : Json(variant.builds_on)},
                  {"basis", row.basis.empty() ? Json() : Json(row.basis)},
                  {"ran", row.ran()},
                  {"reason", row.ran() ? Json() : Json(row.reason)}};
    if (!row.ran()) return entry;
    entry["identical"] = row.differences == 0;
    entry["differences"] = row.differences;
    entry["wrong_by_design"] = variant.wrong_by_design;
    entry["runs"] = row.runs;
    entry["low_clock_percent"] = row.low_clock_percent > 0 ? Json(row.low_clock_percent) : Json();
    entry["kernels"] = times_json(benchmark, row.kernels);
    entry["host_ms"] = row.host_ms;
    entry["copies_ms"] = row.copies_ms;
    entry["traced_total_ms"] = row.traced_ms > 0 ? Json(row.traced_ms) : Json();
    entry["total"] = times_json(benchmark, row.total);
    entry["compute"] = times_json(benchmark, row.compute);
    entry["amdahl_bound"] = number_or_null(row.amdahl);
    const BenchmarkRow::Bound bound = row.bound_by(row.compute);
    entry["passes_amdahl_bound"] =
        row.amdahl && bound != BenchmarkRow::Bound::too_few_runs ? Json(bound == BenchmarkRow::Bound::passed) : Json();
    entry["stages"] = json_list(row.stages, [](const BenchmarkStage& stage) {
        return Json{{"stage", stage.stage},
                    {"ms", stage.time.median_ms},
                    {"p10_ms", stage.time.p10_ms},
                    {"p90_ms", stage.time.p90_ms},
                    {"against_basis", ratio_json(stage.basis)}};
    });
    entry["work"] = json_list(row.work, amounts_json);
    entry["limit"] = limit_json(row.limit);
    entry["claims"] = json_list(row.claims, [](const ClaimFinding& finding) {
        const ReportClaim& claim = *finding.claim;
        return Json{{"report", finding.report->id},     {"says", claim.says},
                    {"against", claim.against},         {"times", claim.times > 0 ? Json(claim.times) : Json()},
                    {"here", ratio_json(finding.here)}, {"verdict", to_string(finding.verdict())}};
    });
    entry["kernel_resources"] = kernels_json(row.kernel_resources);
    return entry;
}

}  // namespace

Json benchmark_json(const VariantBenchmark& benchmark) {
    const Json amdahl = {
        {"sequential_stage", benchmark.op->sequential_stage.empty() ? Json() : Json(benchmark.op->sequential_stage)},
        {"sequential_share", number_or_null(benchmark.sequential)},
        {"cpu_lanes", benchmark.cpu_lanes},
        {"gpu_lanes", benchmark.cuda_lanes > 0 ? Json(benchmark.cuda_lanes) : Json()},
        {"limit", number_or_null(amdahl_limit(benchmark))}};
    return {{"program", "tonescope"},
            {"version", TONESCOPE_VERSION},
            {"operator", benchmark.op->id},
            {"by_memory_mode", benchmark.by_memory_mode},
            {"input", benchmark.input},
            {"width", benchmark.size.width},
            {"height", benchmark.size.height},
            {"channels", benchmark.size.channels()},
            {"notice", benchmark.notice.empty() ? Json() : Json(benchmark.notice)},
            {"parameters", params_json(benchmark.op->params, benchmark.params)},
            {"cpu", benchmark.cpu_name},
            {"gpu", benchmark.cuda_name.empty() ? Json() : Json(benchmark.cuda_name)},
            {"gpu_clock_mhz", benchmark.best_cuda_mhz > 0 ? Json(benchmark.best_cuda_mhz) : Json()},
            {"gpu_nominal_clock_mhz", benchmark.nominal_cuda_mhz > 0 ? Json(benchmark.nominal_cuda_mhz) : Json()},
            {"clock", clock_text(benchmark)},
            {"amdahl", amdahl},
            {"roofs", {{"cpu", roofs_json(benchmark.cpu_roofs)}, {"gpu", roofs_json(benchmark.cuda_roofs)}}},
            {"variants", json_list(benchmark.rows, [&](const BenchmarkRow& row) { return row_json(benchmark, row); })}};
}

}  // namespace tonescope
