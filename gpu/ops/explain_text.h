// What explanations share: numbers in their sentences and tables, and the cache.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "gpu/core/explanation.h"

namespace tonescope {

/// "1,234,567"
inline std::string count_text(int64_t count) {
    std::string text = std::to_string(count);
    for (int at = int(text.size()) - 3; at > 0; at -= 3) text.insert(size_t(at), 1, ',');
    return text;
}

/// "22.4"
inline std::string decimal_text(double value, int digits = 1) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

/// "22.4 %"; a whole of 0 has no shares.
inline std::string share_text(int64_t part, int64_t whole) {
    return decimal_text(whole > 0 ? 100.0 * double(part) / double(whole) : 0) + " %";
}

/// What measure() gives for the image: from the job's cache where it is there, else measured into `own` and kept.
template <class T, class Measure>
const T& cached(const ExplainJob& job, T& own, Measure&& measure) {
    const auto* known = job.cache != nullptr ? std::any_cast<T>(job.cache) : nullptr;
    if (known != nullptr) return *known;
    own = measure();
    if (job.cache != nullptr && !job.stop.stop_requested()) *job.cache = own;
    return own;
}

}  // namespace tonescope
