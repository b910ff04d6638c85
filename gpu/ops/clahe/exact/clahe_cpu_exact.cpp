#include <algorithm>

#include "gpu/core/free_memory.h"
#include "gpu/core/parallel.h"
#include "gpu/ops/clahe/clahe_cpu_deep.h"
#include "gpu/ops/clahe/exact/moving_windows.h"
#include "gpu/ops/clahe/exact/windows.h"
#include "gpu/ops/counted_values.h"
#include "gpu/ops/deep_rows.h"

namespace tonescope::clahe {
namespace {

/// Pixels to map, and what the windows around them count.
struct WindowJob {
    ImageView pixels;          // what is mapped
    MutableImageView output;   // of the same sides
    ImageView image;           // what is counted
    std::vector<int> columns;  // of `image`: the window of pixel (x, y) counts columns[x], columns[x + 1], ...
    std::vector<int> rows;     // ... and rows[y], rows[y + 1], ...
    Params params;
    Geometry window;  // its sides and its limit
    Levels levels;
    uint32_t multiple = 1;  // what a counted pixel stands for
    int threads = 1;
    std::stop_token stop;
    StageTimes* stages = nullptr;
    RunProgress* progress = nullptr;

    uint32_t window_pixels() const { return uint32_t(window.tile_pixels()); }
    int32_t left_out() const { return params.left_out(image.spec); }
};

/// Positions of an image's axis of `size` pixels that the windows around `count` of them count, from `first` on.
std::vector<int> mirrored_positions(int first, int step, int count, int window, int size) {
    std::vector<int> positions(size_t(count) + size_t(window) - 1);
    for (size_t i = 0; i < positions.size(); ++i)
        positions[i] = mirror_around(first + (int(i) - window / 2) * step, size);
    return positions;
}

template <class Sample, class Windows, class Bin = typename Windows::Bin>
std::vector<BinPlane<Bin>> make_bins(const WindowJob& job, int planes) {
    const int width = int(job.columns.size()), height = int(job.rows.size());
    const std::vector<uint16_t> bin_of_value = bins_of_values(job.levels);
    const auto [lo, hi] = job.levels.range;
    const int32_t left_out = job.left_out();
    const auto [least, greatest] = std::ranges::minmax(job.columns);
    std::vector<BinPlane<Bin>> bins;
    for (int plane = 0; plane < planes; ++plane) bins.emplace_back(width, height, Windows::kByColumns);
    const ScopedStage stage(job.stages, "bins");
    parallel_pieces(job.threads, height, 16, [&](Pieces& pieces) {
        std::vector<Bin> row(size_t(greatest) + 1);
        alignas(64) uint16_t buffer[kChunk_px];
        for (const int64_t y : pieces) {
            if (job.stop.stop_requested()) return;
            for (int plane = 0; plane < planes; ++plane) {
                for (int x = least; x <= greatest; x += kChunk_px) {
                    const int count = std::min(kChunk_px, greatest + 1 - x);
                    const auto* pixels = pixel_of<Sample>(job.image, x, job.rows[size_t(y)]);
                    const uint16_t* values =
                        plane_values(pixels, count, job.image.spec, job.params.color, plane, buffer);
                    for (int i = 0; i < count; ++i)
                        row[size_t(x + i)] = Bin(bin_of_value[size_t(std::clamp<int32_t>(values[i], lo, hi) - lo)]);
                    if constexpr (std::is_same_v<Windows, CountedWindows>)
                        for (int i = 0; i < count; ++i)
                            if (values[i] == left_out) row[size_t(x + i)] = Windows::kNone;
                }
                for (int x = 0; x < width; ++x)
                    *bins[size_t(plane)].at(x, int(y)) = row[size_t(job.columns[size_t(x)])];
            }
        }
    });
    return bins;
}

/// From what a window keeps of its counts to the entry of its table.
class Entries {
  public:
    Entries(const WindowJob& job, uint32_t pixels)
        : levels_(job.levels),
          excess_(job.window.excess),
          bins_(uint32_t(job.levels.bins)),
          multiple_(job.multiple),
          pixels_(pixels * multiple_),
          twice_(2 * int64_t{levels_.range.hi - levels_.range.lo}),
          offset_(double(pixels_) + 0.5),
          factor_(1 / (2.0 * pixels_)) {}

    /// Of the pixels of a row from `begin` on.
    void fill(const RowCounts& row, size_t begin, const uint16_t* values, int count, uint16_t* entries) const {
        for (size_t i = 0; i < size_t(count); ++i) entries[i] = entry(row, begin + i, values[i]);
    }
    /// Of a pixel of a row.
    uint16_t entry(const RowCounts& row, size_t at, int value) const {
        const Given given = given_back(pixels_ - row.all[at] * multiple_, row.bin[at]);
        const uint32_t upto = row.upto[at] * multiple_ + given.upto;
        if (levels_.bins == levels_.range.size()) return scaled(upto);
        return between(upto - row.own[at] * multiple_ - given.own, upto, value, row.bin[at]);
    }

  private:
    /// What a bin gets of the excess, and all bins up to and with it.
    struct Given {
        uint32_t upto, own;
    };
    Given given_back(uint32_t excess, uint32_t bin) const {
        if (excess == 0) return {0, 0};
        const uint32_t share = excess / bins_, rest = excess - share * bins_;
        const auto upto = [&](uint32_t end) {  // bins below `end`
            if (rest == 0 || excess_ == excess_drop) return share * end;
            if (excess_ == excess_evenly) return share * end + uint32_t(uint64_t{end} * rest / bins_);
            const uint32_t stride = bins_ / rest;  // at least 1
            return share * end + std::min(rest, (end + stride - 1) / stride);
        };
        const uint32_t all = upto(bin + 1);
        return {all, all - upto(bin)};
    }
    /// As the tables of tiles are scaled (clahe_cpu_deep.cpp).
    uint16_t scaled(uint32_t sum) const {
        return uint16_t(levels_.range.lo + int32_t((double(twice_) * double(int32_t(sum)) + offset_) * factor_));
    }
    uint16_t between(uint32_t before, uint32_t upto, int value, int bin) const {
        const int64_t size = levels_.range.size(), pixels = pixels_;
        const int64_t place =
            place_in_bin(std::clamp(value, levels_.range.lo, levels_.range.hi), levels_.range, levels_.bins, bin);
        const int64_t sum = before * size + int64_t{upto - before} * place;
        return uint16_t(levels_.range.lo + (twice_ * sum + pixels * size) / (2 * pixels * size));
    }

    const Levels levels_;
    const Excess excess_;
    const uint32_t bins_, multiple_, pixels_;
    const int64_t twice_;
    const double offset_, factor_;
};

/// How the pixels are shared out: strips as wide as a window but not too wide for the caches, each in bands of rows, so
/// high that the first row of a band does not matter.
struct Sharing {
    int strips, bands;

    explicit Sharing(const WindowJob& job) {
        const ImageSpec& spec = job.pixels.spec;
        const int widest_px = std::clamp(job.window.tile_width, 256, 1024);
        const int least_rows = std::clamp(job.window.tile_height, 32, 1024);
        strips = (spec.width + widest_px - 1) / widest_px;
        bands = std::clamp((8 * job.threads + strips - 1) / strips, 1, std::max(1, spec.height / least_rows));
    }
    static int begin(int64_t part, int parts, int size) { return int(size * part / parts); }
};

template <class Sample, class Windows>
void map_windows(const WindowJob& job) {
    const ImageSpec& spec = job.pixels.spec;
    const ColorChange change = job.params.change();
    const int planes = plane_count(spec, change.color);
    const bool mixes = mixes_values(spec, change.color);
    [[maybe_unused]] const int32_t left_out = job.left_out();
    const auto bins = make_bins<Sample, Windows>(job, planes);
    if (job.stop.stop_requested()) return;

    const ScopedStage stage(job.stages, "windows");
    const Entries entries(job, job.window_pixels());
    const Sharing sharing(job);
    const int64_t tasks = int64_t{sharing.strips} * sharing.bands;
    const auto strip_of = [&](int64_t number) {
        const int x = Sharing::begin(number, sharing.strips, spec.width);
        const int64_t clip = job.window.clips ? job.window.clip_at(job.levels.bins) : job.window_pixels();
        return Strip{x, Sharing::begin(number + 1, sharing.strips, spec.width) - x, job.window.tile_width,
                     job.window.tile_height, uint32_t(std::min<int64_t>(clip, job.window_pixels()))};
    };
    check_memory(size_t(std::min<int64_t>(job.threads, tasks)) * size_t(planes) *
                 Windows::bytes_of(strip_of(0), job.levels.bins));
    if (job.progress != nullptr) job.progress->start(int64_t{sharing.strips} * spec.height);
    parallel_for(job.threads, tasks, 1, [&](int64_t task) {
        if (job.stop.stop_requested()) return;
        const Strip strip = strip_of(task % sharing.strips);
        const int64_t band = task / sharing.strips;
        const int begin = Sharing::begin(band, sharing.bands, spec.height);
        const int end = Sharing::begin(band + 1, sharing.bands, spec.height);
        std::vector<Windows> windows;
        std::vector<RowCounts> counts;
        for (int plane = 0; plane < planes; ++plane) {
            windows.emplace_back(bins[size_t(plane)], strip, job.levels.bins);
            counts.emplace_back(strip.count);
            if (!windows.back().start(begin, job.stop)) return;
        }
        alignas(64) uint16_t buffer[kChunk_px];
        alignas(64) uint16_t changed[3][kChunk_px];
        for (int y = begin; y < end; ++y) {
            if (job.stop.stop_requested()) return;
            for (size_t plane = 0; plane < windows.size(); ++plane) {
                if (y > begin) windows[plane].move_down();
                windows[plane].count_row(counts[plane]);
            }
            for (int i = 0; i < strip.count; i += kChunk_px) {
                const int count = std::min(kChunk_px, strip.count - i);
                const Sample* from = pixel_of<Sample>(job.pixels, strip.x + i, y);
                const uint16_t* values = nullptr;
                for (int plane = 0; plane < planes; ++plane) {
                    values = plane_values(from, count, spec, change.color, plane, buffer);
                    const RowCounts& row = counts[size_t(plane)];
                    if constexpr (std::is_same_v<Windows, CountedWindows>) {
                        for (int k = 0; k < count; ++k) {
                            const size_t at = size_t(i) + size_t(k);
                            changed[plane][k] = values[k] == left_out
                                                    ? values[k]
                                                    : Entries(job, row.pixels[at]).entry(row, at, values[k]);
                        }
                    } else {
                        entries.fill(row, size_t(i), values, count, changed[plane]);
                    }
                    if (mixes) mix_samples(values, count, change.amount, changed[plane]);
                }
                write_pixels(from, count, change, values, changed, job.output.spec,
                             pixel_of<Sample>(job.output, strip.x + i, y));
            }
            if (job.progress != nullptr) job.progress->add(1);
        }
    });
}

void map_windows(const WindowJob& job) {
    const Geometry& window = job.window;
    with_sample(job.image.spec.format, [&]<class Sample>(Sample) {
        if (job.left_out() != kNothingLeftOut)
            map_windows<Sample, CountedWindows>(job);
        else if (job.levels.bins > 256)
            map_windows<Sample, PixelWindows>(job);
        else if (window.tile_height <= UINT8_MAX && window.tile_pixels() <= UINT16_MAX)
            map_windows<Sample, ColumnWindows<uint8_t, uint16_t>>(job);
        else if (window.tile_height <= UINT16_MAX)
            map_windows<Sample, ColumnWindows<uint16_t, uint32_t>>(job);
        else
            map_windows<Sample, ColumnWindows<uint32_t, uint32_t>>(job);
    });
}

/// The window of a preview, whose sides count samples.
Geometry sampled_window(const PreviewJob& job, const Params& params) {
    Geometry g = make_geometry(job.input.spec, params);
    const int64_t pixels = g.tile_pixels();
    const auto samples = [&](int side) { return std::max(1, (side + job.step / 2) / job.step); };
    g.tile_width = samples(g.tile_width);
    g.tile_height = samples(g.tile_height);
    if (g.clip_count > 0) g.clip_count = int32_t(std::max<int64_t>(1, g.clip_count * g.tile_pixels() / pixels));
    return g;
}

}  // namespace

void run_exact(const CpuJob& job) {
    const auto params = job.params.as<Params>();
    const ImageSpec& spec = job.input.spec;
    ValueRange range = full_values(spec);
    if (takes_used_values(spec, params.range_choice())) {
        const ScopedStage stage(job.stages, "range");
        range = find_counted_values(job.input, params.range_choice(), params.color, params.left_out(spec), job.threads,
                                    job.stop);
        if (job.stop.stop_requested()) return;
    }
    const Geometry window = make_geometry(spec, params);
    map_windows({.pixels = job.input,
                 .output = job.output,
                 .image = job.input,
                 .columns = mirrored_positions(0, 1, spec.width, window.tile_width, spec.width),
                 .rows = mirrored_positions(0, 1, spec.height, window.tile_height, spec.height),
                 .params = params,
                 .window = window,
                 .levels = make_levels(spec, params, range),
                 .threads = job.threads,
                 .stop = job.stop,
                 .stages = job.stages,
                 .progress = job.progress});
}

Work exact_work(const WorkCase& c) {
    const auto params = c.params.as<Params>();
    const Geometry window = make_geometry(c.image, params);
    const bool by_columns = !is_deep(c.image.format) || params.bins == 0;
    const double planes = plane_count(c.image, params.color), in = bytes_per_pixel(c.image.format);
    const double bin = by_columns ? 1 : 2,
                 reached = double(window.tile_width - 1 + c.image.width) * (window.tile_height - 1 + c.image.height);
    const double moves = by_columns ? 256 * 5 : 2 * 5 * window.tile_height + 256;
    return {{"bins", reached * Amounts{.bytes = in + bin * planes, .operations = 4 * planes}},
            {"windows", reached * Amounts{.bytes = bin * planes} +
                            c.pixels() * Amounts{.bytes = in + color_output_bytes<Params>(c),
                                                 .operations = planes * (moves + 20)}}};
}

bool can_preview_exact(const PreviewJob& job) {
    constexpr int64_t kMostCounted = 4 << 20;
    const Geometry window = sampled_window(job, job.params.as<Params>());
    return (int64_t{window.tile_width} + job.output.spec.width) *
               (int64_t{window.tile_height} + job.output.spec.height) <=
           kMostCounted;
}

void preview_exact(const PreviewJob& job) {
    auto params = job.params.as<Params>();
    const ImageSpec& spec = job.input.spec;
    const Rect& region = job.region;
    const Geometry window = sampled_window(job, params);
    constexpr int64_t kLookedAt_px = 1 << 20;
    const int row_step = int(std::max<int64_t>(1, spec.pixels() / kLookedAt_px));
    const ValueRange range = find_counted_values(job.input, params.range_choice(), params.color, params.left_out(spec),
                                                 job.threads, job.stop, row_step);
    if (job.stop.stop_requested()) return;
    params.bins = 0;  // more would take longer, and many windows would hardly look different
    ImageSpec sampled = spec;
    sampled.width = job.output.spec.width;
    sampled.height = job.output.spec.height;
    HostImage pixels(sampled);
    sample(job.input, region.x, region.y, job.step, pixels.mutable_view(), job.threads);
    map_windows(
        {.pixels = pixels.view(),
         .output = job.output,
         .image = job.input,
         .columns = mirrored_positions(region.x, job.step, sampled.width, window.tile_width, spec.width),
         .rows = mirrored_positions(region.y, job.step, sampled.height, window.tile_height, spec.height),
         .params = params,
         .window = window,
         .levels = make_levels(spec, params, range),
         // Of few pixels, too large a part would be left when the excess is divided among the bins.
         .multiple = uint32_t(std::max<int64_t>(1, make_geometry(spec, params).tile_pixels() / window.tile_pixels())),
         .threads = job.threads,
         .stop = job.stop});
}

}  // namespace tonescope::clahe
