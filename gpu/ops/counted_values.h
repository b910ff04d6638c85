// The least and the greatest sample of an image where a value is left out of the histograms, for the fast variants on
// the CPU.
#pragma once

#include <algorithm>
#include <mutex>
#include <stop_token>

#include "gpu/core/parallel.h"
#include "gpu/core/registry.h"
#include "gpu/cpu/used_values.h"
#include "gpu/ops/deep_rows.h"
#include "gpu/ops/no_data_param.h"

namespace tonescope {

/// The value that an operator leaves out of such an image under these parameters, or kNothingLeftOut.
inline int32_t left_out_by(const OperatorInfo& op, const ParamBlock& params, const ImageSpec& image) {
    const auto value_of = [&](std::string_view id) {
        const ParamInfo* const info = find_param(op.params, id);
        return info == nullptr ? 0 : params.get(*info);
    };
    return NoDataParams{value_of(kNoDataId), value_of(kNoDataValueId)}.left_out(image, value_of(kColorId));
}

/// find_values() of the samples that count under `color`: all but those of pixels whose value is `left_out`, where each
/// channel is equalized alone all but those samples. All values of the image where none counts.
inline ValueRange find_counted_values(const ImageView& image, int32_t range, int32_t color, int32_t left_out,
                                      int threads, const std::stop_token& stop, int row_step = 1) {
    const ImageSpec& spec = image.spec;
    if (left_out == kNothingLeftOut || !takes_used_values(spec, range))
        return find_values(image, range, threads, stop, row_step);
    const int planes = plane_count(spec, color), channels = is_gray(spec.format) ? 1 : 3;
    ValueRange found{spec.max_sample, 0};
    std::mutex merging;
    with_sample(spec.format, [&]<class Sample>(Sample) {
        parallel_pieces(threads, (spec.height + row_step - 1) / row_step, 16, [&](Pieces& pieces) {
            ValueRange own{spec.max_sample, 0};
            alignas(64) uint16_t buffer[kChunk_px];
            for (const int64_t k : pieces) {
                if (stop.stop_requested()) return;
                for (int x = 0; x < spec.width; x += kChunk_px) {
                    const int count = std::min(kChunk_px, spec.width - x);
                    const Sample* pixels = pixel_of<Sample>(image, x, int(k) * row_step);
                    for (int plane = 0; plane < planes; ++plane) {
                        const uint16_t* values = plane_values(pixels, count, spec, color, plane, buffer);
                        for (int i = 0; i < count; ++i) {
                            if (values[i] == left_out) continue;
                            for (int c = 0; c < (planes == 3 ? 1 : channels); ++c) {
                                const int32_t sample = planes == 3 ? values[i] : pixels[channels == 1 ? i : 4 * i + c];
                                own.lo = std::min(own.lo, sample);
                                own.hi = std::max(own.hi, sample);
                            }
                        }
                    }
                }
            }
            const std::lock_guard lock(merging);
            found = {std::min(found.lo, own.lo), std::max(found.hi, own.hi)};
        });
    });
    return found.lo <= found.hi ? found : full_values(spec);
}

}  // namespace tonescope
