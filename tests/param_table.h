// An operator's parameters as text: what scripts and presets rely on.
#pragma once

#include <string>

#include "gpu/core/registry.h"

namespace tonescope::test {

/// A line for each parameter: "radius: int, 1 to 64 in steps of 1, 4" or "tiles: size|grid, size"; the default comes
/// last.
inline std::string param_table(std::string_view op) {
    std::string text;
    for (const ParamInfo& info : find_operator(op)->params) {
        const auto value = [&](int32_t number) { return format_value(info, number); };
        text += std::string(info.id) + ": ";
        if (info.kind == ParamKind::choice) {
            for (const std::string_view name : info.values)
                text += (name == info.values.front() ? "" : "|") + std::string(name);
        } else {
            text += std::string(to_string(info.kind)) + ", " + value(info.min) + " to " + value(info.max) +
                    " in steps of " + value(info.step);
        }
        text += ", " + value(info.default_value) + "\n";
    }
    return text;
}

}  // namespace tonescope::test
