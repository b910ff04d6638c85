#include "gpu/core/benchmark_row.h"

namespace tonescope {

std::string BenchmarkRow::result_text(bool bins) const {
    if (identical()) return "identical";
    const std::string what = bins ? "bin" : "pixel";
    return std::to_string(differences) + " " + what + (differences == 1 ? " differs" : "s differ") +
           (variant->wrong_by_design ? " by design" : "");
}

}  // namespace tonescope
