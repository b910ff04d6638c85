#include "gpu/core/statistics.h"
#include "gpu/cpu/rows.h"

namespace tonescope {
namespace {

// What is noted of a pixel: three bits for the channels at each end, and two for an end that the pixel before is not
// clipped at. The counts of all 256 such marks hold every figure.
constexpr int kLow = 7, kHigh = 7 << 3, kAddedLow = 64, kAddedHigh = 128;

template <class Sample>
void mark_clipped(const ImageView& image, int x, int y, int n, const ClipThresholds& thresholds, uint8_t* marks) {
    const auto low = Sample(thresholds.low), high = Sample(thresholds.high);
    const auto* pixels = reinterpret_cast<const Sample*>(image.pixel(x, y));
    if (is_gray(image.spec.format)) {
        for (int i = 0; i < n; ++i) marks[i] = uint8_t((pixels[i] <= low ? kLow : 0) | (pixels[i] >= high ? kHigh : 0));
        return;
    }
    for (int i = 0; i < n; ++i) {
        const Sample r = pixels[4 * i], g = pixels[4 * i + 1], b = pixels[4 * i + 2];
        marks[i] = uint8_t((r <= low) | (g <= low) << 1 | (b <= low) << 2 | (r >= high) << 3 | (g >= high) << 4 |
                           (b >= high) << 5);
    }
}

/// Marks the pixels of an image by thresholds that are in samples of 0 to `max_sample`.
struct ClippingMarker {
    ClippingMarker(const ImageView& marked, const ClipThresholds& given, int max_sample)
        : image(marked), thresholds(given) {
        const int most = image.spec.max_sample;
        if (most == max_sample) return;
        thresholds.low = int(int64_t{given.low} * most / max_sample);
        thresholds.high = int((int64_t{given.high} * most + max_sample - 1) / max_sample);
    }
    void mark(int x, int y, int n, uint8_t* marks) const {
        (is_deep(image.spec.format) ? mark_clipped<uint16_t> : mark_clipped<uint8_t>)(image, x, y, n, thresholds,
                                                                                      marks);
    }
    const ImageView& image;
    ClipThresholds thresholds;
};

void mark_added(const uint8_t* before, uint8_t* after, int n) {
    for (int i = 0; i < n; ++i) {
        const bool low = (after[i] & kLow) != 0 && (before[i] & kLow) == 0;
        const bool high = (after[i] & kHigh) != 0 && (before[i] & kHigh) == 0;
        after[i] = uint8_t(after[i] | (low ? kAddedLow : 0) | (high ? kAddedHigh : 0));
    }
}

ClippingCounts counts_of(const std::array<uint32_t, 256>& marks, PixelFormat format) {
    ClippingCounts counts;
    counts.has_color = !is_gray(format);
    for (int mark = 0; mark < 256; ++mark) {
        const uint64_t pixels = marks[size_t(mark)];
        counts.pixels += pixels;
        const auto add = [&](ClippedPixels& end, int channels, bool added) {
            for (size_t c = 0; c < 3; ++c) end.channels[c] += (channels >> c & 1) != 0 ? pixels : 0;
            if (channels != 0) end.any += pixels;
            if (added) end.added += pixels;
        };
        add(counts.low, mark & kLow, (mark & kAddedLow) != 0);
        add(counts.high, mark >> 3 & kLow, (mark & kAddedHigh) != 0);
        if ((mark & (kLow | kHigh)) != 0) counts.either += pixels;
        if ((mark & (kAddedLow | kAddedHigh)) != 0) counts.either_added += pixels;
    }
    return counts;
}

}  // namespace

Clipping measure_clipping(const ImageView& before, const ImageView* after, const ClipThresholds& thresholds,
                          int threads, std::stop_token stop) {
    struct Counters {
        ByteCounter before, after;
    };
    std::array<uint32_t, 256> marks_before{}, marks_after{};
    const int max_sample = before.spec.max_sample;
    const ClippingMarker from_before(before, thresholds, max_sample);
    const ClippingMarker from_after(after != nullptr ? *after : before, thresholds, max_sample);
    count_spans<Counters>(
        before.spec, threads, stop,
        [&](Counters& counters, int x, int y, int n) {
            alignas(64) uint8_t from[kChunk_px], to[kChunk_px];
            from_before.mark(x, y, n, from);
            counters.before.add(from, n);
            if (after == nullptr) return;
            from_after.mark(x, y, n, to);
            mark_added(from, to, n);
            counters.after.add(to, n);
        },
        [&](const Counters& counters) {
            counters.before.add_to(marks_before);
            counters.after.add_to(marks_after);
        });
    Clipping result{counts_of(marks_before, before.spec.format), {}};
    if (after != nullptr) result.after = counts_of(marks_after, after->spec.format);
    return result;
}

}  // namespace tonescope
