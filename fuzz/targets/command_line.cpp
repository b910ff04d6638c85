// The command line, one word a line, and what becomes of --set.
#include <iostream>
#include <sstream>

#include "app/options/options.h"
#include "fuzz/target.h"
#include "gpu/core/error.h"

namespace tonescope::fuzz {
namespace {

void check_ranges(std::span<const ParamInfo> table, const ParamBlock& values) {
    for (const ParamInfo& info : table)
        require(values.get(info) >= info.min && values.get(info) <= info.max, "a parameter is out of its range");
}

void parse_words(std::span<const uint8_t> data) {
    std::vector<std::string> words = {"tonescope"};
    std::istringstream lines(std::string(data.begin(), data.end()));
    for (std::string word; std::getline(lines, word);) words.push_back(word.c_str());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    try {
        Options options;
        if (parse_options(int(words.size()), arguments.data(), options)) return;
        const RunSpec run = resolve_run(options, BackendKind::cpu);
        check_ranges(run.op->params, run.params);
        check_ranges(run.variant->params, run.variant_params);
    } catch (const UserError&) {
    }
}

Bytes words_of(const std::vector<std::string>& words) {
    Bytes bytes;
    for (const std::string& word : words) {
        bytes.insert(bytes.end(), word.begin(), word.end());
        bytes.push_back('\n');
    }
    return bytes;
}

const Registration command_line_targets([](std::vector<Target>& targets) {
    std::cout.setstate(std::ios::failbit);  // --help prints
    Target target{.name = "command_line", .run = parse_words};
    target.seeds = {words_of({"a.png", "--size", "800x600", "--screenshot", "a.png", "--frames", "9"}),
                    words_of({"--headless", "-i", "a.png", "-o", "{stem}.jpg", "--quality", "90", "--report", "r"}),
                    words_of({"--headless", "--compare", "-i", "a.png", "-o", "a.csv"}),
                    words_of({"--list", "--json"}),
                    words_of({"--preset", "none.json"}),
                    words_of({"--backend", "cpu", "--device", "0", "--info"})};
    target.dictionary = {"--help", "--version", "--memory", "--ui-state", "--variant", "--op", "--set", "=", "pinned"};
    for (const OperatorInfo* const op : operators()) {
        std::vector<std::string> words = {"--op", std::string(op->id)};
        for (const ParamInfo& info : op->params) {
            words.insert(words.end(), {"--set", std::string(info.id) + "=" + format_value(info, info.default_value)});
            target.dictionary.push_back(std::string(info.id) + "=");
            for (const std::string_view value : info.values) target.dictionary.emplace_back(value);
        }
        target.seeds.push_back(words_of(words));
        for (const VariantInfo* const variant : variants_of(op->id)) {
            if (variant->backend != BackendKind::cpu) continue;
            words = {"--op", std::string(op->id), "--variant", std::string(variant->id)};
            for (const ParamInfo& info : variant->params)
                words.insert(words.end(), {"--set", std::string(info.id) + "=" + format_value(info, info.max)});
            target.seeds.push_back(words_of(words));
            target.dictionary.emplace_back(variant->id);
        }
    }
    targets.push_back(std::move(target));
});

}  // namespace
}  // namespace tonescope::fuzz
