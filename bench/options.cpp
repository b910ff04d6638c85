#include "bench/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "gpu/core/benchmark/contents.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope::bench {
namespace {

/// NAME=VALUE, which `option` was given.
std::pair<std::string, std::string> split(const std::string& option, const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) throw UsageError(option + " " + text + ": expected NAME=VALUE");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

void declare(CLI::App& app, Options& options) {
    const auto list = [&](const std::string& name, std::vector<std::string>& target, const std::string& help,
                          const std::string& type) {
        return app.add_option(name, target, help)->type_name(type)->delimiter(',')->allow_extra_args(false);
    };
    const auto one_of = [&](const std::string& name, std::string& target, const std::string& help,
                            const std::vector<std::string>& names) {
        app.add_option(name, target, help)->type_name("NAME")->check(CLI::IsMember(names));
    };
    list("--op", options.ops, "Operators, or histogram256 (default: all)", "ID,...");
    list("--variant", options.variants, "Variants (default: all)", "ID,...");
    list("--size", options.sizes, size_names() + ", or image for a file's own size (default: 4k)", "SIZE,...");
    std::vector<std::string> formats;
    for (const NamedFormat& format : kFormats) formats.emplace_back(format.name);
    list("--format", options.formats,
         spell_out(formats, "and") + " bits a channel, 8 where none are named (default: gray)", "FORMAT,...")
        ->check(CLI::IsMember(formats));
    list("--content", options.contents,
         content_names() + ", or an image file, mirrored to fill the size (default: noise)", "CONTENT,...");
    app.add_option_function<std::vector<std::string>>(
           "--set",
           [&](const auto& sets) {
               for (const std::string& set : sets) options.sets.push_back(split("--set", set));
           },
           "Sets a parameter of the operators or the variants")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    app.add_option_function<std::string>(
           "--sweep",
           [&](const std::string& sweep) {
               const auto [name, values] = split("--sweep", sweep);
               options.sweep = name;
               options.sweep_values = CLI::detail::split(values, ',');
           },
           "Repeats all measurements with each value of a parameter")
        ->type_name("NAME=V,...");
    one_of("--backend", options.backend, "all, cuda or cpu (default: all that are available)", {"all", "cuda", "cpu"});
    one_of("--cache", options.cache, "cold (buffers rotated past the L2 cache), hot (one buffer) or all (default: all)",
           {"all", "cold", "hot"});
    one_of("--launch", options.launch, "graph, stream or all (default: graph)", {"all", "graph", "stream"});
    app.add_flag_callback(
        "--no-peers", [&] { options.peers = false; }, "Leaves out CUB, NPP and OpenCV");
    app.add_flag("--stages", options.stages, "Adds the median of every stage, from a second pass");
    app.add_flag("--transfers", options.transfers, "Times uploads and downloads");
    list("--decode", options.decode, "Times only the opening of image files, beside other decoders", "FILE,...");
    app.add_option("--seconds", options.seconds, "The seconds that one measurement samples (default: 0.3)")
        ->type_name("S")
        ->check(CLI::Range(0.001, 600.0));
    app.add_option("--threads", options.threads, "The number of CPU threads (default: one per core)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    app.add_option("--device", options.device, "The CUDA device (default: the first)")
        ->type_name("N")
        ->check(CLI::Range(0, 1023));
    app.add_option("--json", options.json, "Writes the results to a JSON file")->type_name("FILE");
    app.add_option("--csv", options.csv, "Writes the results to a CSV file")->type_name("FILE");
}

/// Refuses a parameter that neither an operator of the run nor one of its variants has.
void check_known(const Options& options, const std::string& option, const std::string& id) {
    for (const std::string& op : options.ops) {
        for (const VariantInfo* variant : variants_of(op))
            if (find_param(find_operator(op)->params, id) != nullptr || find_param(variant->params, id) != nullptr)
                return;
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
    for (const std::string& op : options.ops)
        for (const std::string& value : options.sweep_values)
            for (const VariantInfo* variant : variants_of(op)) spec_of(options, *find_operator(op), variant, value);
    for (const std::string& size : options.sizes)
        if (size != kImageSize) sizes_of(size, "--size");
    for (const std::string& content : options.contents)
        if (!is_file(content) && find_content(content) == nullptr)
            throw UsageError("--content " + content + ": expected " + content_names() +
                             ", or the path of an image file");
}

}  // namespace

std::optional<int> parse_options(int argc, char** argv, Options& options) {
    CLI::App app("Times Tonescope's variants beside copies and other libraries, in one run.", "tonescope_bench");
    declare(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::cout << app.help();
        return 0;
    } catch (const CLI::ParseError& error) {
        throw UsageError(std::string(error.what()) + " (see tonescope_bench --help)");
    }
    if (options.ops.empty()) {
        for (const OperatorInfo* op : operators()) options.ops.emplace_back(op->id);
        options.ops.emplace_back(kHistogram256);
    }
    check_names(options);
    return {};
}

RunSpec spec_of(const Options& options, const OperatorInfo& op, const VariantInfo* variant, const std::string& value) {
    RunSpec spec = default_run(op, variant);
    for (const auto& [id, text] : options.sets) set_param(spec, id, text);
    if (!options.sweep.empty()) set_param(spec, options.sweep, value);
    return spec;
}

std::string describe(const Options& options, const RunSpec& spec) {
    std::string text;
    const auto append = [&](std::span<const ParamInfo> table, const ParamBlock& params) {
        for (const ParamInfo& info : table)
            if (params.get(info) != info.default_value || info.id == options.sweep)
                text += (text.empty() ? "" : " ") + std::string(info.id) + "=" + format_value(info, params.get(info));
    };
    append(spec.op->params, spec.params);
    if (spec.variant != nullptr) append(spec.variant->params, spec.variant_params);
    return text;
}

}  // namespace tonescope::bench
