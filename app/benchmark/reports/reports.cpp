#include "app/benchmark/reports/reports.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

/// Our own: for each operator its ladder at large sizes, and the memory modes.
void add_own(std::vector<ExperimentInfo>& all) {
    for (const OperatorInfo* op : operators()) {
        const std::string id(op->id), name(op->name);
        all.push_back({.id = id + "-ladder",
                       .figure = "every variant at 4K, 24 and 100 MPixel",
                       .title = name + ": the ladder",
                       .op = op->id,
                       .sizes = {"4k", "24m", "100m"}});
        all.push_back({.id = id + "-memory",
                       .figure = "pageable, pinned, mapped, managed and overlapped memory",
                       .title = name + ": memory modes",
                       .op = op->id,
                       .sizes = {"1080p", "4k", "24m"},
                       .by_memory_mode = true});
    }
}

/// Whether the source of a variant, "B CPU 2; C CPU", names the report.
bool stems_from(const VariantInfo& variant, const std::string& report) {
    const std::string_view source = variant.source;
    return source.starts_with(report + " ") || source.find("; " + report + " ") != std::string_view::npos;
}

bool is_of(const ExperimentInfo& info, const VariantInfo& variant) {
    if (variant.reference) return true;
    if (!info.variants.empty()) return std::ranges::find(info.variants, variant.id) != info.variants.end();
    return info.report.empty() || stems_from(variant, info.report);
}

}  // namespace

std::span<const ExperimentInfo> experiments() {
    static const std::vector<ExperimentInfo> all = [] {
        std::vector<ExperimentInfo> made;
        for (const auto report : {report_a, report_b, report_c, report_d, report_e})
            for (ExperimentInfo& info : report()) made.push_back(std::move(info));
        add_own(made);
        return made;
    }();
    return all;
}

const ExperimentInfo* find_experiment(std::string_view id) {
    const auto found = std::ranges::find(experiments(), id, &ExperimentInfo::id);
    return found == experiments().end() ? nullptr : &*found;
}

const ExperimentInfo& named_experiment(const std::string& id) {
    if (const ExperimentInfo* info = find_experiment(id)) return *info;
    std::vector<std::string> ids;
    for (const ExperimentInfo& info : experiments()) ids.push_back(info.id);
    throw UsageError("--experiment " + id + ": unknown; there are " + spell_out(ids));
}

ExperimentPlan plan_of(const ExperimentInfo& info, BackendChoice backend, int device) {
    ExperimentPlan plan{.id = info.id,
                        .title = info.title,
                        .by_memory_mode = info.by_memory_mode,
                        .format = info.format,
                        .backend = backend,
                        .device = device};
    const OperatorInfo& op = *find_operator(info.op);
    std::vector<RunSpec> all;
    for (const VariantInfo* variant : variants_of(info.op)) {
        RunSpec run = default_run(op, variant);
        for (const auto& [id, value] : info.params) set_param(run, id, value);
        all.push_back(run);
    }
    if (info.by_memory_mode) {
        plan.runs = runs_by_memory_mode(all, info.variants.empty() ? nullptr : find_variant(info.op, info.variants[0]));
    } else {
        for (const RunSpec& run : all)
            if (is_of(info, *run.variant)) plan.runs.push_back(run);
    }
    for (const std::string_view content : info.contents) plan.sources.push_back({.name = std::string(content)});
    for (const std::string& name : info.sizes)
        for (const NamedSize& size : sizes_of(name, "size")) plan.sizes.push_back(size);
    for (const std::string& sweep : info.sweeps) plan.sweeps.push_back(parse_sweep(sweep));
    return plan;
}

}  // namespace tonescope
