#include "gpu/cuda/session/band_run.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"

namespace tonescope {
namespace {

/// Smaller bands cost launches, larger ones more of the first copy in and the last copy out with nothing beside them.
constexpr size_t kBand_bytes = size_t{4} << 20;
constexpr int kMostBands = 128;

}  // namespace

void BandRun::queue(Runner& runner, const RunSpec& spec, const ImageView& h_input, const MutableImageView& h_output,
                    const std::stop_token& stop) {
    const ImageSpec& image = h_input.spec;
    const int height = image.height, reach = std::min(spec.op->reach_px(spec.params), height);
    const size_t row_bytes = image.row_bytes();
    const int rows = std::clamp(int(kBand_bytes / row_bytes), std::max(reach, (height + kMostBands - 1) / kMostBands),
                                std::max(height, 1));
    const int count = (height + rows - 1) / rows;
    while (int(bands_.size()) < count) bands_.emplace_back();
    input_.reshape(image);
    ImageSpec bands_spec = h_output.spec;
    bands_spec.height += 2 * reach * count;
    output_.reshape(bands_spec);

    const auto end_of = [&](int band) { return std::min((band + 1) * rows, height); };
    const auto send = [&](int band) {
        const int y = band * rows;
        LaunchLog::begin_stage("upload");
        TONESCOPE_CUDA(cudaMemcpy2DAsync(input_.pixel(0, y), input_.pitch_bytes, h_input.row(y), h_input.pitch_bytes,
                                         row_bytes, size_t(end_of(band) - y), cudaMemcpyHostToDevice, up_));
        bands_[size_t(band)].arrived.record(up_);
    };
    int sent = 0;
    const auto filter = [&](int band) {
        const int y = band * rows, end = end_of(band);
        const int first = std::max(y - reach, 0), last = std::min(end + reach, height);
        while (sent < std::min(count, band + 3)) send(sent++);
        TONESCOPE_CUDA(cudaStreamWaitEvent(runner.stream, bands_[size_t((last - 1) / rows)].arrived, 0));
        const int below = first + 2 * reach * band;  // of the output
        DevicePixels from{input_.pixel(0, first), input_.pitch_bytes, image};
        DeviceOutput to{output_.pixel(0, below), output_.pitch_bytes, 0, h_output.spec};
        from.spec.height = to.spec.height = last - first;
        runner.launch(spec, from, {}, to, false, {}, stop);
        bands_[size_t(band)].filtered.record(runner.stream);
        TONESCOPE_CUDA(cudaStreamWaitEvent(down_, bands_[size_t(band)].filtered, 0));
        LaunchLog::begin_stage("download");
        TONESCOPE_CUDA(cudaMemcpy2DAsync(h_output.row(y), h_output.pitch_bytes, output_.pixel(0, below + y - first),
                                         output_.pitch_bytes, h_output.spec.row_bytes(), size_t(end - y),
                                         cudaMemcpyDeviceToHost, down_));
    };
    const LaunchLog::Scope log(runner.launches());
    try {
        begun_.record(runner.stream);
        TONESCOPE_CUDA(cudaStreamWaitEvent(up_, begun_, 0));
        {
            const auto stage = runner.stages.stage("upload");
            runner.stages.set_enabled(false);
            for (int band = 0; band + 1 < count && !stop.stop_requested(); ++band) filter(band);
            while (sent < count) send(sent++);
            TONESCOPE_CUDA(cudaStreamWaitEvent(runner.stream, bands_[size_t(count) - 1].arrived, 0));
            runner.stages.set_enabled(true);
        }
        if (stop.stop_requested()) throw Canceled{};
        filter(count - 1);
        const auto stage = runner.stages.stage("download");
        ended_.record(down_);
        TONESCOPE_CUDA(cudaStreamWaitEvent(runner.stream, ended_, 0));
    } catch (...) {
        runner.stages.set_enabled(true);
        TONESCOPE_CUDA_LOG(cudaStreamSynchronize(up_));
        TONESCOPE_CUDA_LOG(cudaStreamSynchronize(down_));
        throw;
    }
}

}  // namespace tonescope
