#include "gpu/cuda/session/runner.h"

#include <string>
#include <utility>

#include "gpu/core/error.h"

namespace tonescope {

void Runner::launch(const RunSpec& spec, const DevicePixels& input, const DeviceOutput& output, bool live,
                    BandTransfer bands, std::stop_token stop) {
    if (spec.variant->run_cuda == nullptr)
        throw DeviceError(std::string(spec.op->id) + " " + std::string(spec.variant->id) +
                          " does not run on the CUDA backend");
    allocations_before_ = allocations();
    if (spec.op != scratch_op_) scratch_.clear();  // another operator's buffers, which may be large
    scratch_op_ = spec.op;
    CudaJob job{.d_input = input.d_data,
                .input_pitch_bytes = input.pitch_bytes,
                .input_spec = input.spec,
                .output = output,
                .d_bins = on_device().bins,
                .params = spec.params,
                .variant_params = spec.variant_params,
                .stream = stream,
                .device = device,
                .scratch = scratch_,
                .stages = stages,
                .bands = std::move(bands),
                .live = live,
                .stop = stop};
    const LaunchLog::Scope log(launches_);
    spec.variant->run_cuda(job);
}

void Runner::count_image(const DeviceOutput& image) {
    count_display(image, on_device().display, counting_, device, stream);
    fetch(on_device().display, on_host().display);
}

void Runner::fetch_bins() {
    fetch(on_device().bins, on_host().bins);
}

void Runner::count_words(const DevicePixels& input) {
    count_histogram_words(input.d_data, input.pitch_bytes, input.spec, on_device().words, counting_, device, stream);
    fetch(on_device().words, on_host().words);
}

BinsResult Runner::bins() const {
    const Counts& counts = on_host();
    return {{counts.bins, counts.bins + kFineBins}, {counts.words, counts.words + kFineBins}};
}

}  // namespace tonescope
