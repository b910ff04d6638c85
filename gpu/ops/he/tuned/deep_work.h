// What `tuned` does on images of any depth and range.
#pragma once

#include "gpu/core/limits/work.h"

namespace tonescope::he {

/// Instructions and shared memory as counted on noise of 4K with 12 and 16 bits.
Work tuned_deep_work(const WorkCase& c);

}  // namespace tonescope::he
