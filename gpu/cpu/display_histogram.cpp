#include "gpu/cpu/display_histogram.h"

#include <algorithm>

#include "gpu/cpu/rows.h"

namespace tonescope {
namespace {

/// Each thread calls count(counters, pixels, n) with counters of its own for the pieces of its rows, at most kChunk_px
/// pixels long, and merge(counters) at the end, one thread at a time.
template <class Counters>
void count_pieces(const ImageView& image, int threads, const std::stop_token& stop, auto count, auto merge) {
    const ImageSpec& spec = image.spec;
    const int bands = band_count(spec), rows = band_rows(spec);
#pragma omp parallel num_threads(std::clamp(threads, 1, std::max(bands, 1)))
    {
        Counters counters;
#pragma omp for schedule(dynamic) nowait
        for (int band = 0; band < bands; ++band) {
            if (stop.stop_requested()) continue;
            for (int y = band * rows; y < std::min(band * rows + rows, spec.height); ++y)
                for (int x = 0; x < spec.width; x += kChunk_px)
                    count(counters, image.pixel(x, y), std::min(spec.width - x, kChunk_px));
        }
#pragma omp critical(histogram_merge)
        merge(counters);
    }
}

}  // namespace

ImageView part_of(const ImageView& image, const Rect& part) {
    ImageView view = image;
    view.data = image.pixel(part.x, part.y);
    view.spec.width = part.width;
    view.spec.height = part.height;
    return view;
}

DisplayHistogram count_display_histogram(const ImageView& image, int threads, std::stop_token stop) {
    struct Counters {
        ByteCounter luma, channels[3];
    };
    DisplayHistogram total;
    total.has_color = image.spec.format == PixelFormat::rgba8;
    count_pieces<Counters>(
        image, threads, stop,
        [&](Counters& counters, const uint8_t* pixels, int n) {
            if (!total.has_color) return counters.luma.add(pixels, n);
            alignas(64) uint8_t luma[kChunk_px];
            luma_row(pixels, luma, n);
            counters.luma.add(luma, n);
            count_channels(pixels, n, counters.channels[0], counters.channels[1], counters.channels[2]);
        },
        [&](const Counters& counters) {
            counters.luma.add_to(total.luma);
            for (size_t c = 0; c < 3; ++c) counters.channels[c].add_to(total.rgb[c]);
        });
    return total;
}

FineHistogram count_fine_histogram(const ImageView& image, int threads, std::stop_token stop) {
    FineHistogram total{};
    if (image.spec.format == PixelFormat::gray8) {
        const DisplayHistogram histogram = count_display_histogram(image, threads, stop);
        for (size_t v = 0; v < 256; ++v) total[4 * v] = histogram.luma[v];
        return total;
    }
    count_pieces<Luma10Counter>(
        image, threads, stop,
        [](Luma10Counter& counter, const uint8_t* pixels, int n) {
            alignas(64) uint16_t luma10[kChunk_px];
            luma10_row(pixels, luma10, n);
            counter.add(luma10, n);
        },
        [&](const Luma10Counter& counter) { counter.add_to(total); });
    return total;
}

}  // namespace tonescope
