#include "gpu/core/limits/occupancy.h"

#include "gpu/core/text.h"

namespace tonescope {

std::string Occupancy::limit_text() const {
    std::vector<std::string> names;
    for (const OccupancyLimiter limiter : limiters) names.emplace_back(kOccupancyLimiters[size_t(limiter)]);
    return names.empty() ? "" : ", limited by " + spell_out(names);
}

}  // namespace tonescope
