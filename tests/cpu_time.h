// Time for tests of what must end soon.
#pragma once

#include <ctime>

namespace tonescope {

/// Processor time of this process, all threads together: other programs on a busy machine do not lengthen it.
inline double cpu_seconds() {
    return double(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace tonescope
