// What happens to decoded pixels: EXIF orientation, reduction to 8 bits and to a thumbnail.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

/// Pixel (x, y) of the result comes from column x and row y, or from column y and row x where `transpose`; these count
/// from the right where `mirror_x`, from the bottom where `mirror_y`.
struct Turn {
    bool transpose, mirror_x, mirror_y;
};
// The index is the EXIF orientation.
constexpr Turn kTurns[9] = {{},
                            {false, false, false},
                            {false, true, false},
                            {false, true, true},
                            {false, false, true},
                            {true, false, false},
                            {true, false, true},
                            {true, true, true},
                            {true, true, false}};

template <class Pixel>
HostImage turned(const ImageView& from, const Turn& turn) {
    ImageSpec spec = from.spec;
    if (turn.transpose) std::swap(spec.width, spec.height);
    HostImage out(spec);
    const ptrdiff_t pitch_px = ptrdiff_t(from.pitch_bytes / sizeof(Pixel));
    const ptrdiff_t right = turn.mirror_x ? -1 : 1, down = turn.mirror_y ? -pitch_px : pitch_px;
    const ptrdiff_t step_x = turn.transpose ? down : right, step_y = turn.transpose ? right : down;
    const auto* const first = reinterpret_cast<const Pixel*>(from.row(turn.mirror_y ? from.spec.height - 1 : 0)) +
                              (turn.mirror_x ? from.spec.width - 1 : 0);
    constexpr int kBlock_px = 32;  // both sides of a block stay in the first-level cache
    for (int y0 = 0; y0 < spec.height; y0 += kBlock_px)
        for (int x0 = 0; x0 < spec.width; x0 += kBlock_px)
            for (int y = y0; y < std::min(y0 + kBlock_px, spec.height); ++y) {
                auto* const row = reinterpret_cast<Pixel*>(out.mutable_view().row(y));
                for (int x = x0; x < std::min(x0 + kBlock_px, spec.width); ++x) row[x] = first[y * step_y + x * step_x];
            }
    return out;
}

}  // namespace

HostImage apply_orientation(HostImage image, int orientation) {
    if (orientation == 1) return image;
    switch (bytes_per_pixel(image.spec().format)) {
        case 1:
            return turned<uint8_t>(image.view(), kTurns[orientation]);
        case 2:
            return turned<uint16_t>(image.view(), kTurns[orientation]);
        case 4:
            return turned<uint32_t>(image.view(), kTurns[orientation]);
        default:
            return turned<uint64_t>(image.view(), kTurns[orientation]);
    }
}

void to_8_bits(const uint16_t* from, uint8_t* to, size_t count, uint16_t max_sample) {
    if (max_sample == 65535) {
        for (size_t i = 0; i < count; ++i) to[i] = to_8_bit(from[i], 65535);
    } else {
        for (size_t i = 0; i < count; ++i) to[i] = to_8_bit(from[i], max_sample);
    }
}

ImageSpec spec_in_8_bits(ImageSpec spec) {
    spec.format = is_gray(spec.format) ? PixelFormat::gray8 : PixelFormat::rgba8;
    spec.max_sample = 255;
    return spec;
}

namespace {

void reduce_rows(const ImageView& from, HostImage& to) {
    for (int y = 0; y < to.height(); ++y)
        to_8_bits(reinterpret_cast<const uint16_t*>(from.row(y)), to.mutable_view().row(y), to.spec().row_bytes(),
                  from.spec.max_sample);
}

}  // namespace

HostImage to_8_bits(HostImage image) {
    if (!is_deep(image.spec().format)) return image;
    const ImageSpec spec = spec_in_8_bits(image.spec());
    const auto owner = std::make_shared<HostImage>(std::move(image));
    HostImage reduced(spec, spec.row_bytes(), std::shared_ptr<uint8_t>(owner, owner->data()));
    reduce_rows(owner->view(), reduced);
    return reduced;
}

HostImage in_8_bits(const ImageView& image) {
    HostImage reduced(spec_in_8_bits(image.spec));
    reduce_rows(image, reduced);
    return reduced;
}

ImageSpec reduced_spec(ImageSpec from, int max_side_px) {
    const int longer = std::max(from.width, from.height);
    if (longer <= max_side_px) return from;
    for (int* side : {&from.width, &from.height})
        *side = std::max(1, int((int64_t{*side} * max_side_px + longer / 2) / longer));
    return from;
}

RowShrinker::RowShrinker(const ImageSpec& from, int max_side_px)
    : from_(from), out_(reduced_spec(from, max_side_px)), sums_(size_t(out_.width())) {}

void RowShrinker::add(const uint8_t* row) {
    is_deep(from_.format) ? add_samples(reinterpret_cast<const uint16_t*>(row)) : add_samples(row);
}

template <class Sample>
void RowShrinker::add_samples(const Sample* row) {
    const bool gray = is_gray(from_.format);
    for (int i = 0; i < out_.width(); ++i) {
        Sums& sums = sums_[size_t(i)];
        const int begin = edge(i), end = edge(i + 1);
        const Sample* p = row + size_t(begin) * (gray ? 1 : 4);
        for (int x = begin; gray && x < end; ++x) sums[0] += *p++;
        for (int x = begin; !gray && x < end; ++x, p += 4) {
            const uint64_t alpha = p[3];
            for (size_t c = 0; c < 3; ++c) sums[c] += p[c] * alpha;
            sums[3] += alpha;
        }
    }
    ++rows_;
    ++rows_in_sums_;
    if (rows_ < int(int64_t{rows_out_ + 1} * from_.height / out_.height())) return;
    for (int i = 0; i < out_.width(); ++i)
        write_mean(sums_[size_t(i)], uint64_t(edge(i + 1) - edge(i)) * uint64_t(rows_in_sums_), gray,
                   reinterpret_cast<Sample*>(out_.mutable_view().pixel(i, rows_out_)));
    std::ranges::fill(sums_, Sums{});
    rows_in_sums_ = 0;
    ++rows_out_;
}

template <class Sample>
void RowShrinker::write_mean(const Sums& sums, uint64_t count, bool gray, Sample* out) {
    const auto mean = [](uint64_t total, uint64_t n) { return Sample(n == 0 ? 0 : (total + n / 2) / n); };
    out[0] = mean(sums[0], gray ? count : sums[3]);
    if (gray) return;
    out[1] = mean(sums[1], sums[3]);
    out[2] = mean(sums[2], sums[3]);
    out[3] = mean(sums[3], count);
}

HostImage shrink(HostImage image, int max_side_px) {
    if (std::max(image.width(), image.height()) <= max_side_px) return image;
    RowShrinker shrinker(image.spec(), max_side_px);
    for (int y = 0; y < image.height(); ++y) shrinker.add(image.view().row(y));
    return shrinker.take();
}

}  // namespace tonescope::image_io
