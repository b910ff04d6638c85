#include "gpu/cpu/used_values.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/parallel.h"

namespace tonescope {
namespace {

/// Samples that are looked at side by side: a whole number of pixels, so that alpha stays in lanes of its own.
constexpr int kSideBySide = 32;

struct Extremes {
    uint16_t least[kSideBySide], greatest[kSideBySide];
    Extremes() {
        std::fill_n(least, kSideBySide, uint16_t{65535});
        std::fill_n(greatest, kSideBySide, uint16_t{0});
    }
};

template <class Sample>
TONESCOPE_HOT_LOOP void widen(const Sample* row, int samples, Extremes& extremes) {
    int i = 0;
    Extremes own = extremes;
    for (; i + kSideBySide <= samples; i += kSideBySide) {
        for (int lane = 0; lane < kSideBySide; ++lane) {
            const uint16_t v = row[i + lane];
            own.least[lane] = std::min(own.least[lane], v);
            own.greatest[lane] = std::max(own.greatest[lane], v);
        }
    }
    for (int lane = 0; i < samples; ++i, ++lane) {
        const uint16_t v = row[i];
        own.least[lane] = std::min(own.least[lane], v);
        own.greatest[lane] = std::max(own.greatest[lane], v);
    }
    extremes = own;
}

}  // namespace

ValueRange find_values(const ImageView& image, int32_t range, int threads, const std::stop_token& stop, int row_step) {
    const ImageSpec& spec = image.spec;
    if (!takes_used_values(spec, range)) return full_values(spec);
    const int channels = is_gray(spec.format) ? 1 : 4, samples = spec.width * channels;
    ValueRange found{spec.max_sample, 0};
    std::mutex merging;
    parallel_pieces(threads, (spec.height + row_step - 1) / row_step, 16, [&](Pieces& pieces) {
        Extremes extremes;
        for (const int64_t k : pieces) {
            if (stop.stop_requested()) return;
            const uint8_t* row = image.row(int(k) * row_step);
            if (is_deep(spec.format))
                run_hot<widen<uint16_t>>(reinterpret_cast<const uint16_t*>(row), samples, extremes);
            else
                run_hot<widen<uint8_t>>(row, samples, extremes);
        }
        const std::lock_guard lock(merging);
        for (int lane = 0; lane < kSideBySide; ++lane) {
            if (channels == 4 && lane % 4 == 3) continue;
            found.lo = std::min(found.lo, int32_t{extremes.least[lane]});
            found.hi = std::max(found.hi, int32_t{extremes.greatest[lane]});
        }
    });
    return found;
}

}  // namespace tonescope
