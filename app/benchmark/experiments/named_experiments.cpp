#include "app/benchmark/experiments/named_experiments.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

constexpr ReportExperiment kLadder{
    .id = "ladder", .title = "The ladder", .shows = "every variant at 4K, 24 and 100 MPixel", .sizes = "4k,24m,100m"};
constexpr ReportExperiment kSteps{.id = "steps",
                                  .title = "Steps after the reports",
                                  .shows = "what the steps after the reports gain on several contents",
                                  .contents = "smooth,noise,bell",
                                  .sizes = "4k"};
constexpr ReportExperiment kMemory{.id = "memory",
                                   .title = "Memory modes",
                                   .shows = "pageable, pinned, mapped, managed and overlapped memory",
                                   .sizes = "1080p,4k,24m"};

/// On images like those that a report has used for the operator.
ReportExperiment own_of(ReportExperiment settings, const OperatorInfo& op) {
    for (const ReportInfo* report : reports()) {
        if (report->op != op.id || report->experiments.empty()) continue;
        if (settings.id != kSteps.id) settings.contents = report->experiments[0].contents;
        settings.format = report->experiments[0].format;
        break;
    }
    return settings;
}

std::vector<NamedExperiment> make_all() {
    std::vector<NamedExperiment> all;
    for (const ReportInfo* report : reports())
        for (const ReportExperiment& settings : report->experiments)
            all.push_back({lower_case(report->id) + "-" + std::string(settings.id),
                           "Report " + std::string(report->id) + ": " + std::string(settings.title),
                           find_operator(report->op), report, settings});
    for (const OperatorInfo* op : operators())
        for (const ReportExperiment& settings : {kLadder, kSteps, kMemory})
            all.push_back({std::string(op->id) + "-" + std::string(settings.id),
                           std::string(op->name) + ": " + std::string(settings.title), op, nullptr,
                           own_of(settings, *op), settings.id == kMemory.id});
    return all;
}

/// Whether the source of a variant, "B CPU 2; C CPU", names the report.
bool stems_from(const VariantInfo& variant, std::string_view report) {
    return ("; " + std::string(variant.source)).find("; " + std::string(report) + " ") != std::string::npos;
}

/// Whether a variant is in no report, or one that is in none builds on it.
bool is_a_step(const OperatorInfo& op, const VariantInfo& variant) {
    const auto is_own = [](const VariantInfo* one) { return one->source.empty(); };
    return is_own(&variant) || std::ranges::any_of(variants_of(op.id), [&](const VariantInfo* other) {
               return is_own(other) && other->builds_on == variant.id;
           });
}

bool is_measured(const NamedExperiment& named, const VariantInfo& variant) {
    if (variant.reference) return true;
    if (named.report == nullptr && named.settings.id == kSteps.id) return is_a_step(*named.op, variant);
    if (!named.settings.variants.empty()) {
        const std::vector<std::string> ids = split(named.settings.variants, ',');
        return std::ranges::find(ids, variant.id) != ids.end();
    }
    return named.report == nullptr || stems_from(variant, named.report->id);
}

RunSpec run_of(const NamedExperiment& named, const VariantInfo* variant) {
    RunSpec run = default_run(*named.op, variant);
    if (named.settings.params.empty()) return run;
    for (const std::string& text : split(named.settings.params, ',')) {
        const size_t equals = text.find('=');
        set_param(run, text.substr(0, equals), text.substr(equals + 1));
    }
    return run;
}

}  // namespace

std::span<const NamedExperiment> named_experiments() {
    static const std::vector<NamedExperiment> all = make_all();
    return all;
}

const NamedExperiment& find_experiment(const std::string& id) {
    const auto found = std::ranges::find(named_experiments(), id, &NamedExperiment::id);
    if (found != named_experiments().end()) return *found;
    std::vector<std::string> ids;
    for (const NamedExperiment& named : named_experiments()) ids.push_back(named.id);
    throw UsageError("--experiment " + id + ": unknown; there are " + spell_out(ids));
}

std::vector<const NamedExperiment*> find_experiments(const std::vector<std::string>& ids) {
    std::vector<const NamedExperiment*> found;
    const auto add = [&](const NamedExperiment& named) {
        if (std::ranges::find(found, &named) == found.end()) found.push_back(&named);
    };
    for (const std::string& id : ids) {
        if (id == "all")
            for (const NamedExperiment& named : named_experiments()) add(named);
        else
            add(find_experiment(id));
    }
    return found;
}

ExperimentPlan plan_of(const NamedExperiment& named, BackendChoice backend, int device) {
    const ReportExperiment& settings = named.settings;
    ExperimentPlan plan{.id = named.id,
                        .title = named.title,
                        .by_memory_mode = named.by_memory_mode,
                        .format = settings.format,
                        .backend = backend,
                        .device = device};
    for (const VariantInfo* variant : variants_of(named.op->id))
        if (is_measured(named, *variant)) plan.runs.push_back(run_of(named, variant));
    if (named.by_memory_mode) plan.runs = runs_by_memory_mode(plan.runs, nullptr);
    for (std::string& content : split(settings.contents, ',')) plan.sources.push_back({.name = std::move(content)});
    for (const std::string& name : split(settings.sizes, ','))
        for (const NamedSize& size : sizes_of(name, "size")) plan.sizes.push_back(size);
    if (!settings.sweep.empty()) plan.sweeps.push_back(parse_sweep(std::string(settings.sweep)));
    return plan;
}

}  // namespace tonescope
