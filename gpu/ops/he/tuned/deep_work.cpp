#include "gpu/ops/he/tuned/deep_work.h"

#include <algorithm>

#include "gpu/ops/color_param.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {

Work tuned_deep_work(const WorkCase& c) {
    const int32_t color = c.params.as<Params>().color;
    const double planes = plane_count(c.image, color), values = c.image.max_sample + 1.0;
    const bool packed = values > 16384;  // counters of 16 bits
    constexpr double kParts = 132;       // one for each multiprocessor of an H200
    const double in = bytes_per_pixel(c.image.format);
    const Amounts counted{.bytes = in,
                          .shared_bytes = planes * (packed ? 21 : 15),
                          .operations = by_color(c, color, packed ? 9 : 6.5, 50, 75),
                          .shared_atomics = planes * 3.5};
    const Amounts applied{.bytes = in + color_output_bytes<Params>(c),
                          .shared_bytes = planes * 16,
                          .operations = by_color(c, color, 12, 56, 60)};
    const Amounts summed =
        packed
            ? Amounts{.bytes = 4 * kParts * values + 4 * values,
                      .shared_bytes = 200 * values,
                      .operations = 108e6 + 790 * values}
            : Amounts{.bytes = 8 * values, .operations = 52e6, .global_atomics = kParts * std::min(values, 256.0) / 8};
    return {{"histogram", c.pixels() * counted + planes * summed},
            {"table", planes * values * Amounts{.bytes = 6, .operations = 60}},
            {"apply", c.pixels() * applied + planes * Amounts{.bytes = 2 * values}}};
}

}  // namespace tonescope::he
