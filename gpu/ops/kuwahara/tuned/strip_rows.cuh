// How the lanes of a warp load the rows of their strip.
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/prefetch.cuh"
#include "gpu/ops/kuwahara/tuned/pixel_planes.cuh"
#include "gpu/ops/kuwahara/tuned/policy.h"
#include "gpu/ops/kuwahara/tuned/strip_layout.cuh"

namespace tonescope::kuwahara::tuned {

template <class Pixel>
class StripRows {
  public:
    using Quad = typename PlanesOf<Pixel>::Quad;
    /// What a lane loads of a row: four pixels of each span of its chunk.
    struct Quads {
        Quad quads[kSpans];
    };

    /// `first`: the strip's first column, a multiple of 4, possibly outside of the image. Columns outside only reach
    /// boxes that are of no use: any pixels will do for them. `upside_down`: row 0 is the image's last one.
    __device__ StripRows(const FilterImage& image, int first, bool upside_down, int lane)
        : image_(image),
          pitch_bytes_(upside_down ? -int(image.input_pitch_bytes) : int(image.input_pitch_bytes)),
          ends_in_quad_(image.width % 4 != 0 && first + kStripColumns >= image.width) {
        const uint8_t* const row0 =
            image.d_input + (upside_down ? size_t(image.height - 1) * image.input_pitch_bytes : 0);
        const int last_quad = (image.width - 1) / 4 * 4;
#pragma unroll
        for (int span = 0; span < kSpans; ++span) {
            const int x =
                first + kChunkColumns * loaded_chunk(group_of(lane)) + 4 * thread_of(lane) + span * kSpanColumns;
            const int inside = min(max(x, 0), last_quad);
            at_[span] = row0 + size_t(inside) * sizeof(Pixel);
            prevent_rematerialization(at_[span]);
            pixels_[span] = image.width - inside;
        }
        const int x = min(max(first + kStripColumns / 32 * lane, 0), image.width - 1);
        prefetched_at_ = row0 + size_t(x) * sizeof(Pixel);
        prevent_rematerialization(prefetched_at_);
    }

    /// Row y; a row outside of the image is black. kLast: the caches need not keep it.
    template <bool kLast = false>
    __device__ __forceinline__ Quads load(int y) const {
        Quads out;
        if (__builtin_expect(!ends_in_quad_ && uint32_t(y) < uint32_t(image_.height), 1)) {
#pragma unroll
            for (int span = 0; span < kSpans; ++span) {
                const auto* quad = reinterpret_cast<const Quad*>(at(at_[span], y));
                out.quads[span] = kLast ? __ldcs(quad) : __ldg(quad);
            }
        } else {
#pragma unroll
            for (int span = 0; span < kSpans; ++span) out.quads[span] = load_some(span, y);
        }
        return out;
    }

    /// Has row y brought into the L2 cache.
    __device__ __forceinline__ void prefetch(int y) const {
        if constexpr (!Policy::kPrefetchRows) return;
        if (uint32_t(y) < uint32_t(image_.height)) prefetch_to_l2(at(prefetched_at_, y));
    }

    __device__ __forceinline__ static RowPlanes<Pixel> planes(const Quads& row) {
        RowPlanes<Pixel> out;
#pragma unroll
        for (int span = 0; span < kSpans; ++span) split_planes(row.quads[span], out.of[span], out.alpha[span]);
        return out;
    }

  private:
    using Word = typename PlanesOf<Pixel>::Word;

    /// One multiplication and addition; the compiler would keep an address for each of several rows.
    __device__ __forceinline__ const uint8_t* at(const uint8_t* in_first_row, int y) const {
        uint64_t at;
        asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(at) : "r"(y), "r"(pitch_bytes_), "l"(in_first_row));
        return reinterpret_cast<const uint8_t*>(at);
    }
    /// Four pixels, or a row's last one to three. What lies behind a row may never have been written.
    __device__ Quad load_some(int span, int y) const {
        if (uint32_t(y) >= uint32_t(image_.height)) return Quad{};
        const int count = pixels_[span];
        if (count >= 4) return __ldg(reinterpret_cast<const Quad*>(at(at_[span], y)));
        const auto* words = reinterpret_cast<const Word*>(at(at_[span], y));
        const Word p0 = __ldg(words), p1 = count > 1 ? __ldg(words + 1) : Word{},
                   p2 = count > 2 ? __ldg(words + 2) : Word{};
        if constexpr (sizeof(Pixel) == 4) {
            return {p0, p1, p2, 0};
        } else {
            return p0 | uint32_t{p1} << 8 | uint32_t{p2} << 16;
        }
    }

    const FilterImage& image_;
    int pitch_bytes_;
    const uint8_t* at_[kSpans];  // the lane's pixels in row 0
    const uint8_t* prefetched_at_;
    int pixels_[kSpans];  // from there to the row's end
    bool ends_in_quad_;   // whether the image ends in this strip, between pixels that are loaded together
};

}  // namespace tonescope::kuwahara::tuned
