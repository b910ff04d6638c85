// Messages over the views.
#pragma once

#include <cstdint>
#include <string>

namespace tonescope::ui {

enum class Severity : uint8_t { info, warning, error };

struct Notice {
    uint64_t id = 0;
    Severity severity = Severity::info;
    std::string text;  // one line
};

}  // namespace tonescope::ui
