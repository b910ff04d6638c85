// Programs that filter a part of an image.
#pragma once

#include <string>

#include "gpu/core/code/code.h"
#include "gpu/core/part/result_part.h"

namespace tonescope {

/// As program_for() of the whole image. In Python the program filters the region alone; others say in a comment that
/// they do not, and all that they leave the mask out.
std::string program_for(const OperatorInfo& op, CodeTarget target, const ParamBlock& params, const ResultPart& part);

}  // namespace tonescope
