#include "gpu/ops/clahe/tuned/deep_form.h"
#include "gpu/ops/color_param.h"

namespace tonescope::clahe {

Work tuned_deep_work(const WorkCase& c) {
    const auto params = c.params.as<Params>();
    constexpr size_t kShared_bytes = 227 * 1024;  // of a block, on compute capability 9.0
    const DeepShape shape(c.image, params, plane_count(c.image, params.color), kShared_bytes);
    const Geometry& g = shape.geometry;
    const TableForm form = shape.form();
    const double planes = shape.planes, tiles = planes * g.columns * g.rows;
    const double values = shape.most_values, bins = shape.most_bins;
    const bool takes_used = takes_used_values(c.image, params.range_choice());
    constexpr int kMultiprocessors = 132;
    const bool of_values = takes_used && shape.may_count_values(kMultiprocessors), by_lines = shape.by_lines();
    const double counters = of_values ? values : bins;
    const bool packed = counters > 32768;  // counters of 16 bits

    Work work;
    const double in = bytes_per_pixel(c.image.format);
    if (takes_used && !of_values) work.push_back({"range", c.pixels() * Amounts{.bytes = in, .operations = in * 2.2}});

    // Parts are written and read.
    const double parts = std::max(1.0, double(kMultiprocessors * (packed || of_values ? 1 : 2)) / tiles) * tiles;
    const bool one_to_one = counters >= values;
    const double gray = !by_lines && !one_to_one ? 37 : one_to_one ? packed ? 25 : 13 : 20;
    Amounts tables = c.pixels() * Amounts{.bytes = in,
                                          .shared_bytes = planes * (one_to_one ? packed ? 21 : 15 : 10),
                                          .operations = by_color(c, params.color, gray, gray + 22, 3 * gray),
                                          .shared_atomics = planes * (one_to_one ? 3.5 : 2)};
    tables = tables + parts * counters * Amounts{.bytes = packed ? 4.0 : 8.0, .operations = 10};
    const double entries = form == TableForm::lines || form == TableForm::interpolated ? 0 : values;
    const double entry_bytes = entries > 0 ? 2 * entries : 8 * bins;
    // An entry by its bin's line, or its line, which eight lanes look for; or from the sums of clipped counts.
    const Amounts of_tile{.bytes = entry_bytes,
                          .operations = by_lines ? 5e3 * bins + 2 * values : 85 * counters + 40 * entries};
    tables = tables + tiles * of_tile;
    work.push_back({"tables", tables});

    struct FormCost {
        double shared_bytes, operations;
    };
    constexpr FormCost kCosts[] = {{29, 32}, {35, 40}, {109, 82}, {59, 59}, {0, 45}, {0, 60}};  // in the order of forms
    const FormCost cost = kCosts[size_t(form)];
    Amounts blend = c.pixels() * Amounts{.bytes = in + color_output_bytes<Params>(c),
                                         .shared_bytes = planes * cost.shared_bytes,
                                         .operations = planes * cost.operations + by_color(c, params.color, 0, 40, 10)};
    if (form == TableForm::quads || form == TableForm::apart) blend = blend + c.pixels() * planes * Amounts{.bytes = 8};
    blend = blend + tiles * Amounts{.bytes = entry_bytes};
    work.push_back({"blend", blend});
    return work;
}

}  // namespace tonescope::clahe
