#include "gpu/cuda/session/staged_copier.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "gpu/core/backend.h"
#include "gpu/core/parallel.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/run_tracer.h"

namespace tonescope {
namespace {

/// Bands of an image, from 0 on.
struct Bands {
    int rows, height;
    int count() const { return (height + rows - 1) / rows; }
    int begin(int64_t band) const { return int(band) * rows; }
    int rows_of(int64_t band) const { return std::min(rows, height - begin(band)); }
};

/// Between rows that are `row_bytes` long.
void copy_band(const uint8_t* from, size_t from_pitch_bytes, uint8_t* to, size_t to_pitch_bytes, size_t row_bytes,
               int rows) {
    RunTracer::on_host(TraceSpan::Kind::staging, row_bytes * size_t(rows), [&] {
        if (from_pitch_bytes == row_bytes && to_pitch_bytes == row_bytes) {
            std::memcpy(to, from, row_bytes * size_t(rows));
            return;
        }
        for (int y = 0; y < rows; ++y, from += from_pitch_bytes, to += to_pitch_bytes) std::memcpy(to, from, row_bytes);
    });
}

}  // namespace

void StagedCopier::wait() const noexcept {
    for (const Lane& lane : lanes_) TONESCOPE_CUDA_LOG(cudaStreamSynchronize(lane.stream));
}

int StagedCopier::begin(const ImageSpec& spec, cudaEvent_t after) {
    constexpr size_t kBand_bytes = size_t{1} << 20;
    for (Lane& lane : lanes_) {
        for (BandBuffer& buffer : lane.buffers) buffer.memory.reserve(std::max(kBand_bytes, spec.row_bytes()));
        if (after != nullptr) TONESCOPE_CUDA(cudaStreamWaitEvent(lane.stream, after, 0));
    }
    return int(std::clamp<size_t>(kBand_bytes / spec.row_bytes(), 1, size_t(spec.height)));
}

/// A lane that no other thread has.
class StagedCopier::LaneUse {
  public:
    explicit LaneUse(StagedCopier& copier) : lane(take(copier)), copier_(copier) {}
    ~LaneUse() {
        const std::lock_guard lock(copier_.mutex_);
        lane.is_taken = false;
    }
    LaneUse(const LaneUse&) = delete;
    LaneUse& operator=(const LaneUse&) = delete;

    Lane& lane;

  private:
    static Lane& take(StagedCopier& copier) {
        const std::lock_guard lock(copier.mutex_);
        Lane& free = *std::ranges::find(copier.lanes_, false, &Lane::is_taken);
        free.is_taken = true;
        return free;
    }
    StagedCopier& copier_;
};

template <class Copy>
void StagedCopier::run_lanes(int bands, Copy&& copy) {
    int device = 0;
    TONESCOPE_CUDA(cudaGetDevice(&device));
    // What other threads do is not traced.
    const int threads = RunTracer::current() != nullptr ? 1 : std::min(kLanes, default_cpu_threads());
    parallel_pieces(threads, bands, 1, [&](Pieces& pieces) {
        const LaneUse use(*this);
        TONESCOPE_CUDA(cudaSetDevice(device));
        copy(use.lane, pieces);
    });
}

void StagedCopier::upload(const ImageView& from, const DeviceImage& to, cudaEvent_t after, const Event& begin_event,
                          const Event& done, std::stop_token stop) {
    const size_t row_bytes = from.spec.row_bytes();
    const WaitOnFailure guard(*this);
    const Bands bands{begin(from.spec, after), from.spec.height};
    const Stream& first = lanes_.front().stream;
    begin_event.record(first);
    for (const Lane& lane : lanes_)  // bands of an upload that was given up
        TONESCOPE_CUDA(cudaStreamWaitEvent(lane.stream, begin_event, 0));
    run_lanes(bands.count(), [&](Lane& lane, Pieces& pieces) {
        size_t turn = 0;
        for (const int64_t band : pieces) {
            if (stop.stop_requested()) continue;
            BandBuffer& buffer = lane.buffers[turn++ % lane.buffers.size()];
            auto* const staged = buffer.memory.as<uint8_t>();
            const int y = bands.begin(band), rows = bands.rows_of(band);
            buffer.copied.synchronize();  // of an earlier band, or upload
            copy_band(from.row(y), from.pitch_bytes, staged, row_bytes, row_bytes, rows);
            TONESCOPE_CUDA(cudaMemcpy2DAsync(to.pixel(0, y), to.pitch_bytes, staged, row_bytes, row_bytes, size_t(rows),
                                             cudaMemcpyHostToDevice, lane.stream));
            buffer.copied.record(lane.stream);
        }
    });
    for (Lane& lane : lanes_) {
        lane.joined.record(lane.stream);
        TONESCOPE_CUDA(cudaStreamWaitEvent(first, lane.joined, 0));
    }
    done.record(first);
}

void StagedCopier::download(const DeviceImage& from, const MutableImageView& to, cudaEvent_t after) {
    const size_t row_bytes = to.spec.row_bytes();
    const WaitOnFailure guard(*this);
    const Bands bands{begin(to.spec, after), to.spec.height};
    run_lanes(bands.count(), [&](Lane& lane, Pieces& pieces) {
        std::optional<int64_t> sent;  // before the newest band
        size_t turn = 0;
        const auto finish = [&](BandBuffer& buffer) {
            buffer.copied.synchronize();
            copy_band(buffer.memory.as<uint8_t>(), row_bytes, to.row(bands.begin(*sent)), to.pitch_bytes, row_bytes,
                      bands.rows_of(*sent));
        };
        for (const int64_t band : pieces) {
            BandBuffer& buffer = lane.buffers[turn % 2];
            TONESCOPE_CUDA(cudaMemcpy2DAsync(buffer.memory.as<uint8_t>(), row_bytes, from.pixel(0, bands.begin(band)),
                                             from.pitch_bytes, row_bytes, size_t(bands.rows_of(band)),
                                             cudaMemcpyDeviceToHost, lane.stream));
            buffer.copied.record(lane.stream);
            if (sent) finish(lane.buffers[(turn + 1) % 2]);
            sent = band;
            ++turn;
        }
        if (sent) finish(lane.buffers[(turn + 1) % 2]);
    });
}

}  // namespace tonescope
