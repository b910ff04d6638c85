// Successive halvings of an image, so that drawing it small does not alias.
#include <algorithm>

#include "gpu/core/parallel.h"
#include "gpu/present/presenter.h"
#include "gpu/present/textures.h"

namespace tonescope {
namespace {

constexpr int kHalvedRows = 64;  // that a thread takes at a time

/// Mean of 2x2 pixels, rounded. An odd last row or column is left out, as OpenGL's level sizes do.
template <class Sample, int kChannels>
void halve(const HostImage& source, HostImage& half, int threads) {
    const ptrdiff_t next_x = source.width() > 1 ? kChannels : 0;
    const ptrdiff_t next_y = source.height() > 1 ? ptrdiff_t(source.pitch_bytes() / sizeof(Sample)) : 0;
    parallel_for(threads, half.height(), kHalvedRows, [&](int64_t y) {
        const auto* from = reinterpret_cast<const Sample*>(source.view().row(2 * int(y)));
        auto* to = reinterpret_cast<Sample*>(half.mutable_view().row(int(y)));
        for (int x = 0; x < half.width(); ++x) {
            for (int c = 0; c < kChannels; ++c) {
                const Sample* p = from + ptrdiff_t(x) * 2 * kChannels + c;
                to[x * kChannels + c] = Sample((p[0] + p[next_x] + p[next_y] + p[next_x + next_y] + 2) / 4);
            }
        }
    });
}

}  // namespace

std::shared_ptr<const Pyramid> make_pyramid(std::shared_ptr<const HostImage> image, int threads, size_t max_bytes) {
    auto pyramid = std::make_shared<Pyramid>();
    pyramid->spec = image->spec();
    pyramid->image = std::move(image);
    const int levels = level_count(pyramid->image->width(), pyramid->image->height());
    for (int level = 1; level < levels; ++level) {
        const HostImage& source = pyramid->level(level - 1);
        ImageSpec spec = source.spec();
        spec.width = std::max(spec.width / 2, 1);
        spec.height = std::max(spec.height / 2, 1);
        HostImage half(spec);
        if (spec.format == PixelFormat::gray8) {
            halve<uint8_t, 1>(source, half, threads);
        } else if (spec.format == PixelFormat::rgba8) {
            halve<uint8_t, 4>(source, half, threads);
        } else if (spec.format == PixelFormat::gray16) {
            halve<uint16_t, 1>(source, half, threads);
        } else {
            halve<uint16_t, 4>(source, half, threads);
        }
        pyramid->halvings.push_back(std::move(half));
    }
    size_t held_bytes = 0;
    for (int level = 0; level < levels; ++level) held_bytes += pyramid->level(level).size_bytes();
    for (; held_bytes > max_bytes && pyramid->first + 1 < levels; ++pyramid->first) {
        held_bytes -= pyramid->level(pyramid->first).size_bytes();
        if (pyramid->first == 0)
            pyramid->image.reset();
        else
            pyramid->halvings[size_t(pyramid->first) - 1] = {};
    }
    return pyramid;
}

}  // namespace tonescope
