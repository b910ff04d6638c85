#include "gpu/ops/he/tuned/deep_work.h"

#include "gpu/ops/color_param.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {

Work tuned_deep_work(const WorkCase& c) {
    const int32_t color = c.params.as<Params>().color;
    const double planes = plane_count(c.image, color), values = c.image.max_sample + 1.0;
    const bool packed = values > 32768;  // counters of 16 bits
    constexpr double kParts = 132;       // one for each multiprocessor of an H200
    const double part_bytes = values * (packed ? 2 : 4);
    const double in = bytes_per_pixel(c.image.format);
    const Amounts counted{.bytes = in,
                          .shared_bytes = planes * (packed ? 21 : 15),
                          .operations = by_color(c, color, packed ? 25 : 12.4, 50, 75),
                          .shared_atomics = planes * 3.5};
    const Amounts applied{.bytes = in + color_output_bytes<Params>(c),
                          .shared_bytes = planes * 16,
                          .operations = by_color(c, color, 12, 56, 60)};
    return {{"histogram", c.pixels() * counted + planes * Amounts{.bytes = 2 * kParts * part_bytes + 4 * values,
                                                                  .shared_bytes = 200 * values,
                                                                  .operations = 25e6 + 220 * values}},
            {"table", planes * values * Amounts{.bytes = 6, .operations = 60}},
            {"apply", c.pixels() * applied + planes * Amounts{.bytes = 2 * values}}};
}

}  // namespace tonescope::he
