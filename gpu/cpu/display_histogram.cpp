#include "gpu/cpu/display_histogram.h"

#include <algorithm>

#include "gpu/cpu/rows.h"

namespace tonescope {

DisplayHistogram count_display_histogram(const ImageView& image, int threads, std::stop_token stop) {
    const ImageSpec& spec = image.spec;
    DisplayHistogram total;
    total.has_color = spec.format == PixelFormat::rgba8;
    const int bands = band_count(spec), rows = band_rows(spec);
#pragma omp parallel num_threads(std::clamp(threads, 1, std::max(bands, 1)))
    {
        ByteCounter luma_counter, channels[3];
        alignas(64) uint8_t luma[kChunk_px];
#pragma omp for schedule(dynamic) nowait
        for (int band = 0; band < bands; ++band) {
            if (stop.stop_requested()) continue;
            for (int y = band * rows; y < std::min(band * rows + rows, spec.height); ++y) {
                const uint8_t* row = image.row(y);
                if (!total.has_color) {
                    luma_counter.add(row, spec.width);
                    continue;
                }
                for (int x = 0; x < spec.width; x += kChunk_px) {
                    const int n = std::min(spec.width - x, kChunk_px);
                    const uint8_t* pixels = row + size_t(x) * 4;
                    luma_row(pixels, luma, n);
                    luma_counter.add(luma, n);
                    count_channels(pixels, n, channels[0], channels[1], channels[2]);
                }
            }
        }
#pragma omp critical(display_histogram_merge)
        {
            luma_counter.add_to(total.luma);
            for (size_t c = 0; c < 3; ++c) channels[c].add_to(total.rgb[c]);
        }
    }
    return total;
}

}  // namespace tonescope
