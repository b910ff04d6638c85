#include "app/options/command_line.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "gpu/core/registry.h"

namespace tonescope {
namespace {

std::string settings(std::span<const ParamInfo> table, const ParamBlock& params) {
    std::string text;
    for (const ParamInfo& info : table)
        if (is_active(table, info, params))
            text += " --set " + std::string(info.id) + "=" + format_value(info, params.get(info));
    return text;
}

}  // namespace

std::string shell_word(const std::string& text) {
    const bool plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return c >= 0x80 || std::isalnum(c) != 0 ||
               std::string_view("/._-+=:,@%").find(char(c)) != std::string_view::npos;
    });
    if (plain) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

std::string reproducing_command(const RunSpec& spec, const std::string& input, const std::string& output) {
    std::string text = "tonescope --headless -i " + shell_word(input) + " -o " + shell_word(output) + " --op " +
                       std::string(spec.op->id);
    if (spec.variant != nullptr) text += " --variant " + shell_word(std::string(spec.variant->id));
    text += settings(spec.op->params, spec.params);
    if (spec.variant == nullptr) return text;
    text += settings(spec.variant->params, spec.variant_params);
    if (spec.variant->backend == BackendKind::cuda)
        text += " --memory " + std::string(kMemoryModeIds[size_t(spec.memory)]);
    return text;
}

}  // namespace tonescope
