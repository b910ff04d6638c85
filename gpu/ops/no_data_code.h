// What programs in other libraries' words (OperatorInfo::code) say of the parameter `no_data`.
#pragma once

#include <string_view>

#include "gpu/ops/no_data_param.h"

namespace tonescope {

/// A sentence with a space before it; empty where no value is left out.
inline std::string_view no_data_nearness(const NoDataParams& params) {
    if (params.no_data == no_data_off) return {};
    return " No value is left out here: pixels without data count like others, and change.";
}

}  // namespace tonescope
