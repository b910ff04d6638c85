#include "gpu/cuda/session/staged_copier.h"

#include <algorithm>

#include "gpu/cuda/runtime/check.h"

namespace tonescope {
void StagedCopier::wait() const noexcept {
    for (const Stream& stream : streams_) TONESCOPE_CUDA_LOG(cudaStreamSynchronize(stream));
}

void StagedCopier::await(cudaEvent_t after) {
    if (after == nullptr) return;
    for (const Stream& stream : streams_) TONESCOPE_CUDA(cudaStreamWaitEvent(stream, after, 0));
}

int StagedCopier::reserve(const ImageSpec& spec) {
    constexpr size_t buffer_bytes = size_t{4} << 20;
    for (BandBuffer& buffer : buffers_) buffer.memory.reserve(std::max(buffer_bytes, spec.row_bytes()));
    return int(std::clamp<size_t>(buffer_bytes / spec.row_bytes(), 1, size_t(spec.height)));
}

void StagedCopier::upload(const ImageView& from, const DeviceImage& to, cudaEvent_t after, const Event& begin,
                          const Event& done, std::stop_token stop) {
    const WaitOnFailure guard(*this);
    await(after);
    if (is_pinned(from.data)) {
        begin.record(streams_[0]);
        TONESCOPE_CUDA(cudaMemcpy2DAsync(to.d_data(), to.pitch_bytes, from.data, from.pitch_bytes,
                                         from.spec.row_bytes(), size_t(from.spec.height), cudaMemcpyHostToDevice,
                                         streams_[0]));
        done.record(streams_[0]);
        return;
    }
    const size_t row_bytes = from.spec.row_bytes();
    const int band_rows = reserve(from.spec);
    begin.record(streams_[0]);
    TONESCOPE_CUDA(cudaStreamWaitEvent(streams_[1], begin, 0));  // bands of an upload that was given up
    size_t band = 0;
    for (int y = 0; y < from.spec.height && !stop.stop_requested(); y += band_rows, ++band) {
        BandBuffer& buffer = buffers_[band % kBuffers];
        const int rows = std::min(band_rows, from.spec.height - y);
        buffer.copied.synchronize();  // of an earlier band, or upload
        copy_rows(from.row(y), from.pitch_bytes, buffer.memory.as<uint8_t>(), row_bytes, row_bytes, rows);
        TONESCOPE_CUDA(cudaMemcpy2DAsync(to.pixel(0, y), to.pitch_bytes, buffer.memory.as<uint8_t>(), row_bytes,
                                         row_bytes, size_t(rows), cudaMemcpyHostToDevice, stream_of(band)));
        buffer.copied.record(stream_of(band));
    }
    joined_.record(streams_[1]);
    TONESCOPE_CUDA(cudaStreamWaitEvent(streams_[0], joined_, 0));
    done.record(streams_[0]);
}

void StagedCopier::download(const DeviceImage& from, const MutableImageView& to, cudaEvent_t after) {
    const size_t row_bytes = to.spec.row_bytes();
    const WaitOnFailure guard(*this);
    await(after);
    const int band_rows = reserve(to.spec);
    const size_t bands = size_t((to.spec.height + band_rows - 1) / band_rows);
    const auto rows_of = [&](size_t band) { return std::min(band_rows, to.spec.height - int(band) * band_rows); };
    const auto send = [&](size_t band) {
        BandBuffer& buffer = buffers_[band % kBuffers];
        TONESCOPE_CUDA(cudaMemcpy2DAsync(buffer.memory.as<uint8_t>(), row_bytes, from.pixel(0, int(band) * band_rows),
                                         from.pitch_bytes, row_bytes, size_t(rows_of(band)), cudaMemcpyDeviceToHost,
                                         stream_of(band)));
        buffer.copied.record(stream_of(band));
    };
    for (size_t band = 0; band < std::min(bands, kBuffers); ++band) send(band);
    for (size_t band = 0; band < bands; ++band) {
        BandBuffer& buffer = buffers_[band % kBuffers];
        buffer.copied.synchronize();
        copy_rows(buffer.memory.as<uint8_t>(), row_bytes, to.row(int(band) * band_rows), to.pitch_bytes, row_bytes,
                  rows_of(band));
        if (band + kBuffers < bands) send(band + kBuffers);
    }
}

}  // namespace tonescope
