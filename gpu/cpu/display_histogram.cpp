#include "gpu/cpu/display_histogram.h"

#include "gpu/cpu/rows.h"

namespace tonescope {

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
