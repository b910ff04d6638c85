// --list: what there is to choose from.
#include "app/cli/modes.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

#include "app/benchmark/experiments/named_experiments.h"
#include "app/options/report.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

Json parameters_json(std::span<const ParamInfo> table) {
    return json_list(table, [](const ParamInfo& info) {
        const bool choice = info.kind == ParamKind::choice;
        const auto number = [&](int32_t value) { return choice ? Json() : value_json(info, value); };
        return Json{{"id", info.id},
                    {"label", info.label},
                    {"kind", to_string(info.kind)},
                    {"min", number(info.min)},
                    {"max", number(info.max)},
                    {"step", number(info.step)},
                    {"values", choice ? Json(std::vector(info.values.begin(), info.values.end())) : Json()},
                    {"default", value_json(info, info.default_value)},
                    {"unit", info.unit},
                    {"help", info.help}};
    });
}

bool is_available(const VariantInfo& variant, bool has_cuda) {
    return variant.backend == BackendKind::cpu ? variant.run_cpu != nullptr : has_cuda && variant.run_cuda != nullptr;
}

Json variant_json(const VariantInfo& variant, bool has_cuda) {
    return {{"id", variant.id},
            {"name", variant.name},
            {"source", variant.source},
            {"backend", to_string(variant.backend)},
            {"available", is_available(variant, has_cuda)},
            {"builds_on", variant.builds_on.empty() ? Json() : Json(variant.builds_on)},
            {"same_kernels_as", variant.same_kernels_as.empty() ? Json() : Json(variant.same_kernels_as)},
            {"reference", variant.reference},
            {"preferred", preferred_variant(variant.op, variant.backend) == &variant},
            {"any_depth", variant.any_depth},
            {"memory", variant.memory ? Json(kMemoryModeIds[size_t(*variant.memory)]) : Json()},
            {"parameters", parameters_json(variant.params)},
            {"idea", variant.idea},
            {"cost", variant.cost},
            {"flaw", variant.flaw},
            {"wrong_by_design", variant.wrong_by_design}};
}

Json operator_json(const OperatorInfo& op, bool has_cuda) {
    return {{"id", op.id},
            {"name", op.name},
            {"summary", op.summary},
            {"parameters", parameters_json(op.params)},
            {"variants", json_list(variants_of(op.id),
                                   [&](const VariantInfo* variant) { return variant_json(*variant, has_cuda); })}};
}

Json experiment_json(const NamedExperiment& named) {
    const ReportExperiment& settings = named.settings;
    const auto words = [](std::string_view list) { return list.empty() ? Json::array() : Json(split(list, ',')); };
    return {{"id", named.id},
            {"report", named.report == nullptr ? Json() : Json(named.report->id)},
            {"title", named.title},
            {"shows", settings.shows},
            {"operator", named.op->id},
            {"variants", words(settings.variants)},
            {"parameters", words(settings.params)},
            {"contents", words(settings.contents)},
            {"sizes", words(settings.sizes)},
            {"sweep", settings.sweep.empty() ? Json() : Json(settings.sweep)},
            {"memory_modes", named.by_memory_mode}};
}

Json option_json(const OptionInfo& option) {
    return {{"names", option.names},
            {"value", option.value.empty() ? Json() : Json(option.value)},
            {"repeats", option.repeats},
            {"section", option.section},
            {"help", option.help}};
}

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell; the last one is left as it is.
void print_rows(const std::vector<Row>& rows) {
    std::vector<size_t> widths(rows[0].size());
    for (const Row& row : rows)
        for (size_t column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], row[column].size() + 2);
    for (const Row& row : rows) {
        std::cout << "    ";
        for (size_t column = 0; column + 1 < row.size(); ++column)
            std::cout << std::left << std::setw(int(widths[column])) << row[column];
        std::cout << row.back() << "\n";
    }
}

std::vector<Row> parameter_rows(std::span<const ParamInfo> table, const std::string& owner) {
    std::vector<Row> rows;
    for (const ParamInfo& info : table)
        rows.push_back({std::string(info.id), allowed_values(info), std::string(info.unit),
                        format_value(info, info.default_value), owner + std::string(info.help)});
    return rows;
}

void print_list(bool has_cuda, const std::string& cuda_reason) {
    for (const OperatorInfo* op : operators()) {
        std::cout << op->id << "  (" << op->name << ")\n  " << op->summary << "\n";
        std::vector<Row> rows = parameter_rows(op->params, "");
        for (const auto& [table, variants] : parameters_of_variants(op->id))
            for (Row& row : parameter_rows(table, "(" + spell_out(variants) + ") ")) rows.push_back(std::move(row));
        if (!rows.empty()) {
            std::cout << "  Parameters\n";
            rows.insert(rows.begin(), {"NAME", "VALUES", "UNIT", "DEFAULT", ""});
            print_rows(rows);
        }
        std::cout << "  Variants\n";
        rows = {{"ID", "BACKEND", "MEMORY", "REPORT", "BUILDS ON", "AVAILABLE", "NAME"}};
        for (const VariantInfo* variant : variants_of(op->id)) {
            const std::string note = same_kernels_text(*variant);
            rows.push_back({std::string(variant->id), std::string(to_string(variant->backend)),
                            variant->memory ? std::string(kMemoryModeIds[size_t(*variant->memory)]) : "-",
                            variant->source.empty() ? "-" : std::string(variant->source),
                            variant->builds_on.empty() ? "-" : std::string(variant->builds_on),
                            is_available(*variant, has_cuda) ? "yes" : "no",
                            std::string(variant->name) + (note.empty() ? "" : ". " + note)});
        }
        print_rows(rows);
        std::cout << "\n";
    }
    std::cout << "Experiments (--experiment ID)\n";
    std::vector<Row> rows = {{"ID", "OPERATOR", "TITLE", "WHAT IT SHOWS"}};
    for (const NamedExperiment& named : named_experiments())
        rows.push_back({named.id, std::string(named.op->id), named.title, std::string(named.settings.shows)});
    print_rows(rows);
    std::cout << "\nMemory modes: " << spell_out({std::begin(kMemoryModeIds), std::end(kMemoryModeIds)}) << "\n";
    if (!has_cuda) std::cout << "CUDA is not available: " << cuda_reason << "\n";
}

}  // namespace

int run_list(const Options& options) {
    std::string cuda_reason;
    const bool has_cuda = try_cuda_backend(options.device, &cuda_reason) != nullptr;
    if (options.json) {
        const auto describe = [&](const OperatorInfo* op) { return operator_json(*op, has_cuda); };
        std::cout << to_text({{"memory_modes", kMemoryModeIds},
                              {"operators", json_list(operators(), describe)},
                              {"experiments", json_list(named_experiments(), experiment_json)},
                              {"usage", usage_text()},
                              {"options", json_list(option_table(), option_json)}});
    } else {
        print_list(has_cuda, cuda_reason);
    }
    return 0;
}

}  // namespace tonescope
