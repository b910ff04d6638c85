// Kuwahara filter in plain loops: the definition, step by step. Slow on purpose.
#include <algorithm>

#include "gpu/core/registry.h"
#include "gpu/ops/kuwahara/kuwahara.h"

namespace tonescope {
namespace {

struct Quadrant {
    int64_t n = 0;        // pixels
    int64_t s = 0;        // sum of V
    int64_t q = 0;        // sum of V^2
    int64_t sum[3] = {};  // sums of the channels; gray: only the first

    /// n^2 times the variance of V.
    int64_t spread() const { return n * q - s * s; }
};

/// Pixels [x0, x1] x [y0, y1], cut off at the image's border.
Quadrant gather(const ImageView& image, int x0, int x1, int y0, int y1) {
    const int channels = image.spec.format == PixelFormat::gray8 ? 1 : 3;
    Quadrant quadrant;
    for (int y = std::max(y0, 0); y <= std::min(y1, image.spec.height - 1); ++y) {
        for (int x = std::max(x0, 0); x <= std::min(x1, image.spec.width - 1); ++x) {
            const uint8_t* pixel = image.pixel(x, y);
            int64_t v = 0;
            for (int c = 0; c < channels; ++c) {
                quadrant.sum[c] += pixel[c];
                v = std::max<int64_t>(v, pixel[c]);
            }
            quadrant.n += 1;
            quadrant.s += v;
            quadrant.q += v * v;
        }
    }
    return quadrant;
}

/// Whether the variance of `a` is less than that of `b`, compared without division. No overflow: the variance of values
/// in 0 ... 255 is at most (255 / 2)^2, so spread() is at most n^2 * 65025 / 4, and with n <= 65 * 65 = 4225 a product
/// is at most 4225^4 * 65025 / 4 < 5.181e18, below 2^63 = 9.223e18.
bool calmer(const Quadrant& a, const Quadrant& b) {
    return a.spread() * (b.n * b.n) < b.spread() * (a.n * a.n);
}

void run_kuwahara_reference(const CpuJob& job) {
    const int w = job.params.as<KuwaharaParams>().radius;
    const ImageView& in = job.input;
    const bool gray = in.spec.format == PixelFormat::gray8;
    const ScopedStage stage(job.stages, "filter", 2 * uint64_t(in.spec.height) * in.spec.row_bytes());
    if (job.progress != nullptr) job.progress->start(in.spec.height);
    for (int y = 0; y < in.spec.height; ++y) {
        if (job.stop.stop_requested()) return;
        for (int x = 0; x < in.spec.width; ++x) {
            const Quadrant quadrants[4] = {
                gather(in, x - w, x, y - w, y),  // top left
                gather(in, x, x + w, y - w, y),  // top right
                gather(in, x - w, x, y, y + w),  // bottom left
                gather(in, x, x + w, y, y + w),  // bottom right
            };
            Quadrant best = quadrants[0];
            for (int k = 1; k < 4; ++k)
                if (calmer(quadrants[k], best)) best = quadrants[k];  // on a tie the first one stays

            uint8_t* to = job.output.pixel(x, y);
            for (int c = 0; c < (gray ? 1 : 3); ++c) to[c] = uint8_t((2 * best.sum[c] + best.n) / (2 * best.n));
            if (!gray) to[3] = in.pixel(x, y)[3];
        }
        if (job.progress != nullptr) job.progress->add(1);
    }
}

const VariantRegistration kuwahara_cpu_reference_variant({
    .op = "kuwahara",
    .id = "cpu",
    .name = "Reference",
    .source = "E CPU",
    .backend = BackendKind::cpu,
    .order = 0,
    .reference = true,
    .idea = "At every pixel, sums up the four quadrants around it and takes the mean of the calmest: the definition, "
            "step by step.",
    .cost = "One thread; 4 (w + 1)^2 pixels are read for every pixel: 100 at radius 4, 4356 at radius 32.",
    .flaw = "Neighbouring pixels share almost all of their quadrants, and none of that work is reused.",
    .run_cpu = run_kuwahara_reference,
});

}  // namespace
}  // namespace tonescope
