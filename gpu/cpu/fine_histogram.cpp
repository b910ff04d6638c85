#include "gpu/cpu/fine_histogram.h"

#include <algorithm>

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

FineHistogram count_fine_histogram(const ImageView& image, int threads, std::stop_token stop) {
    const ImageSpec& spec = image.spec;
    FineHistogram total{};
    if (spec.format == PixelFormat::gray8) {
        const DisplayHistogram histogram = count_display_histogram(image, threads, stop);
        for (size_t v = 0; v < 256; ++v) total[4 * v] = histogram.luma[v];
        return total;
    }
    const int bands = band_count(spec), rows = band_rows(spec);
#pragma omp parallel num_threads(std::clamp(threads, 1, std::max(bands, 1)))
    {
        Luma10Counter counter;
        alignas(64) uint16_t luma10[kChunk_px];
#pragma omp for schedule(dynamic) nowait
        for (int band = 0; band < bands; ++band) {
            if (stop.stop_requested()) continue;
            for (int y = band * rows; y < std::min(band * rows + rows, spec.height); ++y) {
                for (int x = 0; x < spec.width; x += kChunk_px) {
                    const int n = std::min(spec.width - x, kChunk_px);
                    luma10_row(image.pixel(x, y), luma10, n);
                    counter.add(luma10, n);
                }
            }
        }
#pragma omp critical(fine_histogram_merge)
        counter.add_to(total);
    }
    return total;
}

}  // namespace tonescope
