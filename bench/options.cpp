#include "bench/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "bench/images.h"
#include "gpu/core/error.h"

namespace tonescope::bench {
namespace {

struct Arguments {
    std::vector<std::string> sets;
    std::string backend = "all", cache = "all", launch = "graph", sweep;
    bool no_peers = false;
};

void declare(CLI::App& app, Arguments& args, Options& options) {
    const auto list = [&](const std::string& name, std::vector<std::string>& target, const std::string& help,
                          const std::string& type) {
        app.add_option(name, target, help)->type_name(type)->delimiter(',')->allow_extra_args(false);
    };
    list("--op", options.ops, "Operators, or histogram256 (all)", "ID,...");
    list("--variant", options.variants, "Variants (all)", "ID,...");
    list("--size", options.sizes, "1080p, 4k, 24m, 100m, WxH, reports, or image for a file's own size (4k)",
         "SIZE,...");
    list("--format", options.formats, "gray, rgba (gray)", "FORMAT,...");
    list("--content", options.contents,
         "noise, smooth, ramp, two-level, constant, or an image file, mirrored to fill the size (noise)",
         "CONTENT,...");
    app.add_option("--set", args.sets, "Sets a parameter of the operators or variants")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    app.add_option("--sweep", args.sweep, "Repeats everything with each value of a parameter")->type_name("NAME=V,...");
    app.add_option("--backend", args.backend, "all, cuda or cpu (all there are)")->type_name("NAME");
    app.add_option("--cache", args.cache, "cold (buffers rotated past the L2), hot (one buffer) or all")
        ->type_name("KIND");
    app.add_option("--launch", args.launch, "graph, stream or all (graph)")->type_name("KIND");
    app.add_flag("--no-peers", args.no_peers, "Leaves out CUB, NPP, OpenCV");
    app.add_flag("--stages", options.stages, "Adds medians of every stage, from a second pass");
    app.add_flag("--transfers", options.transfers, "Times uploads and downloads");
    list("--decode", options.decode, "Times the opening of image files beside other decoders, and nothing else",
         "FILE,...");
    app.add_option("--seconds", options.seconds, "Samples of one measurement (0.3)")
        ->type_name("S")
        ->check(CLI::Range(0.001, 600.0));
    app.add_option("--threads", options.threads, "CPU threads (one a core)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    app.add_option("--device", options.device, "CUDA device (the first)")->type_name("N")->check(CLI::Range(0, 1023));
    app.add_option("--json", options.json, "Writes the results")->type_name("FILE");
    app.add_option("--csv", options.csv, "Writes the results")->type_name("FILE");
}

/// Two flags out of "all" or one of two names.
void choose(const std::string& option, const std::string& value, const char* first, const char* second, bool& is_first,
            bool& is_second) {
    if (value != "all" && value != first && value != second)
        throw UsageError(option + " " + value + ": expected all, " + first + " or " + second);
    is_first = value != second;
    is_second = value != first;
}

std::pair<std::string, std::string> split(const std::string& option, const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) throw UsageError(option + " " + text + ": expected NAME=VALUE");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

/// Whether an operator of the run or one of its variants has this parameter.
void check_known(const Options& options, const std::string& option, const std::string& id) {
    for (const std::string& op_id : options.ops) {
        const OperatorInfo* op = find_operator(op_id);
        if (op == nullptr) continue;
        if (find_param(op->params, id) != nullptr) return;
        for (const VariantInfo* variant : variants_of(op_id))
            if (find_param(variant->params, id) != nullptr) return;
    }
    throw UsageError(option + " " + id + ": no operator of this run has such a parameter");
}

void check_names(const Options& options) {
    for (const std::string& op : options.ops)
        if (op != kHistogram256 && find_operator(op) == nullptr)
            throw UsageError("--op " + op + ": unknown operator (see tonescope --list; or " +
                             std::string(kHistogram256) + ")");
    for (const std::string& variant : options.variants)
        if (std::ranges::none_of(options.ops, [&](const auto& op) { return find_variant(op, variant) != nullptr; }))
            throw UsageError("--variant " + variant + ": no operator of this run has such a variant");
    for (const auto& [id, text] : options.sets) check_known(options, "--set", id);
    if (!options.sweep.empty()) check_known(options, "--sweep", options.sweep);
    const std::vector<std::string> values = options.sweep.empty() ? std::vector<std::string>{""} : options.sweep_values;
    for (const std::string& op_id : options.ops) {
        const OperatorInfo* op = find_operator(op_id);
        if (op == nullptr) continue;
        for (const std::string& value : values)
            for (const VariantInfo* variant : variants_of(op_id)) spec_of(options, *op, variant, value);
    }
    for (const std::string& format : options.formats)
        if (format != "gray" && format != "rgba") throw UsageError("--format " + format + ": expected gray or rgba");
    for (const std::string& size : options.sizes) sizes_of(size, nullptr);
}

void set_param(RunSpec& spec, const OperatorInfo& op, const VariantInfo* variant, const std::string& id,
               const std::string& text) {
    if (const ParamInfo* info = find_param(op.params, id)) {
        spec.params.set(*info, parse_value(*info, text));
    } else if (variant != nullptr) {
        if (const ParamInfo* own = find_param(variant->params, id))
            spec.variant_params.set(*own, parse_value(*own, text));
    }
}

void append_changed(std::string& text, const Options& options, std::span<const ParamInfo> table,
                    const ParamBlock& params) {
    for (const ParamInfo& info : table)
        if (params.get(info) != info.default_value || info.id == options.sweep)
            text += (text.empty() ? "" : " ") + std::string(info.id) + "=" + format_value(info, params.get(info));
}

}  // namespace

std::optional<int> parse_options(int argc, char** argv, Options& options) {
    CLI::App app("Times Tonescope's variants beside copies and other libraries, in one run.", "tonescope_bench");
    Arguments args;
    declare(app, args, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::cout << app.help();
        return 0;
    } catch (const CLI::ParseError& error) {
        throw UsageError(std::string(error.what()) + " (see tonescope_bench --help)");
    }
    choose("--backend", args.backend, "cuda", "cpu", options.cuda, options.cpu);
    options.cuda_required = args.backend == "cuda";
    choose("--cache", args.cache, "cold", "hot", options.cold, options.hot);
    choose("--launch", args.launch, "graph", "stream", options.graph, options.stream);
    options.peers = !args.no_peers;
    if (options.threads == 0) options.threads = default_cpu_threads();
    if (options.ops.empty()) {
        for (const OperatorInfo* op : operators()) options.ops.emplace_back(op->id);
        options.ops.emplace_back(kHistogram256);
    }
    for (const std::string& set : args.sets) options.sets.push_back(split("--set", set));
    if (!args.sweep.empty()) {
        const auto [name, values] = split("--sweep", args.sweep);
        options.sweep = name;
        for (size_t begin = 0; begin <= values.size();) {
            const size_t end = std::min(values.find(',', begin), values.size());
            options.sweep_values.push_back(values.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    check_names(options);
    return {};
}

RunSpec spec_of(const Options& options, const OperatorInfo& op, const VariantInfo* variant, const std::string& value) {
    RunSpec spec{.op = &op, .variant = variant, .params = default_values(op.params)};
    if (variant != nullptr) {
        spec.variant_params = default_values(variant->params);
        spec.memory = variant->memory.value_or(spec.memory);
    }
    for (const auto& [id, text] : options.sets) set_param(spec, op, variant, id, text);
    if (!options.sweep.empty()) set_param(spec, op, variant, options.sweep, value);
    return spec;
}

std::string describe(const Options& options, const OperatorInfo& op, const VariantInfo* variant, const RunSpec& spec) {
    std::string text;
    append_changed(text, options, op.params, spec.params);
    if (variant != nullptr) append_changed(text, options, variant->params, spec.variant_params);
    return text;
}

}  // namespace tonescope::bench
