#include "gpu/cuda/session/staged_copier.h"

#include <algorithm>

#include "gpu/cuda/runtime/check.h"

namespace tonescope {
namespace {
constexpr size_t kSlotBytes = size_t{4} << 20;
}

StagedCopier::StagedCopier() = default;

int StagedCopier::prepare_bands(const ImageSpec& spec) {
    for (Slot& slot : slots_) slot.memory.reserve(std::max(kSlotBytes, spec.row_bytes()));
    return int(std::clamp<size_t>(kSlotBytes / spec.row_bytes(), 1, size_t(spec.height)));
}

void StagedCopier::begin_after(cudaEvent_t after) {
    if (after == nullptr) return;
    for (const Stream& stream : streams_) TONESCOPE_CUDA(cudaStreamWaitEvent(stream, after, 0));
}

bool StagedCopier::upload(const ImageView& from, uint8_t* d_to, size_t to_pitch_bytes, cudaEvent_t after,
                          cudaEvent_t begin, cudaEvent_t done, std::stop_token stop, const BandVisit& visit) {
    const size_t row_bytes = from.spec.row_bytes();
    const int band_rows = prepare_bands(from.spec);
    begin_after(after);
    TONESCOPE_CUDA(cudaEventRecord(begin, streams_[0]));
    TONESCOPE_CUDA(cudaStreamWaitEvent(streams_[1], begin, 0));  // bands of an upload that was given up
    size_t band = 0;
    for (int y = 0; y < from.spec.height && !stop.stop_requested(); y += band_rows, ++band) {
        Slot& slot = slots_[band % kSlots];
        const int rows = std::min(band_rows, from.spec.height - y);
        slot.copied.synchronize();  // of an earlier band, or upload
        copy_rows(from.row(y), from.pitch_bytes, slot.memory.as<uint8_t>(), row_bytes, row_bytes, rows);
        TONESCOPE_CUDA(cudaMemcpy2DAsync(d_to + size_t(y) * to_pitch_bytes, to_pitch_bytes, slot.memory.as<uint8_t>(),
                                         row_bytes, row_bytes, size_t(rows), cudaMemcpyHostToDevice, stream_of(band)));
        slot.copied.record(stream_of(band));
        if (visit) visit({y, rows, stream_of(band)});
    }
    joined_.record(streams_[1]);
    TONESCOPE_CUDA(cudaStreamWaitEvent(streams_[0], joined_, 0));
    TONESCOPE_CUDA(cudaEventRecord(done, streams_[0]));
    return !stop.stop_requested();
}

void StagedCopier::download(const uint8_t* d_from, size_t from_pitch_bytes, const MutableImageView& to,
                            cudaEvent_t after, const BandVisit& visit) {
    const size_t row_bytes = to.spec.row_bytes();
    const int band_rows = prepare_bands(to.spec);
    const size_t bands = size_t((to.spec.height + band_rows - 1) / band_rows);
    begin_after(after);
    const auto rows_of = [&](size_t band) { return std::min(band_rows, to.spec.height - int(band) * band_rows); };
    const auto send = [&](size_t band) {
        Slot& slot = slots_[band % kSlots];
        if (visit) visit({int(band) * band_rows, rows_of(band), stream_of(band)});
        TONESCOPE_CUDA(cudaMemcpy2DAsync(slot.memory.as<uint8_t>(), row_bytes,
                                         d_from + band * size_t(band_rows) * from_pitch_bytes, from_pitch_bytes,
                                         row_bytes, size_t(rows_of(band)), cudaMemcpyDeviceToHost, stream_of(band)));
        slot.copied.record(stream_of(band));
    };
    for (size_t band = 0; band < std::min(bands, kSlots); ++band) send(band);
    for (size_t band = 0; band < bands; ++band) {
        Slot& slot = slots_[band % kSlots];
        slot.copied.synchronize();
        copy_rows(slot.memory.as<uint8_t>(), row_bytes, to.row(int(band) * band_rows), to.pitch_bytes, row_bytes,
                  rows_of(band));
        if (band + kSlots < bands) send(band + kSlots);
    }
}

}  // namespace tonescope
