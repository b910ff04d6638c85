#include "gpu/cuda/session/round_trip.h"

#include <string>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/session/counts.h"

namespace tonescope {
namespace {

void throw_if(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled{};
}

}  // namespace

RunResult RoundTrip::run(const ImageView& input, const RunSpec& spec, std::stop_token stop, bool live,
                         DisplayHistogram* histogram) {
    if (spec.variant->run_cuda == nullptr)
        throw DeviceError(std::string(spec.op->id) + " " + std::string(spec.variant->id) +
                          " does not run on the CUDA backend");
    TONESCOPE_CUDA(cudaSetDevice(device_.index));  // whichever thread calls
    throw_if(stop);
    try {
        RunResult result = run_once(input, spec, stop, live, histogram);
        if (live && is_a_first_ && total_ms(result.stages) < kRepeated_ms)
            result = run_once(input, spec, stop, live, histogram);
        throw_if(stop);
        return result;
    } catch (const DeviceError&) {
        release();
        throw;
    } catch (...) {
        TONESCOPE_CUDA_LOG(cudaStreamSynchronize(stream_));  // what is queued may still read `input`
        throw;
    }
}

RunResult RoundTrip::run_once(const ImageView& input, const RunSpec& spec, std::stop_token stop, bool live,
                              DisplayHistogram* histogram) {
    const MemoryMode mode = memory_mode(spec);
    const bool makes_bins = spec.op->makes_bins;
    const bool in_bands = spec.variant->memory == MemoryMode::overlapped;  // the variant moves the pixels itself
    const ImageSpec output_spec = makes_bins ? ImageSpec{} : spec.op->output_spec(input.spec, spec.params);
    stages_.reset();
    d_bins_.reserve(kFineBins);
    transfer_.prepare(mode, input.spec, output_spec);

    RunResult result;
    if (!makes_bins) result.image = HostImage(output_spec);
    const DevicePlace from = in_bands ? transfer_.place_input(input.spec) : transfer_.bring_in(mode, input);
    const DevicePlace to = makes_bins ? DevicePlace{} : transfer_.place_output(mode, output_spec);
    throw_if(stop);
    CudaJob job{.d_input = from.d_data,
                .input_pitch_bytes = from.pitch_bytes,
                .input_spec = input.spec,
                .output = {to.d_data, to.pitch_bytes, 0, output_spec},
                .d_bins = d_bins_.as<uint8_t>(),
                .params = spec.params,
                .variant_params = spec.variant_params,
                .stream = stream_,
                .device = device_,
                .scratch = scratch_,
                .stages = stages_,
                .bands = in_bands ? &transfer_.bands(input, result.image.mutable_view()) : nullptr,
                .live = live,
                .stop = stop};
    {
        const uint64_t allocations_before = allocations();
        const LaunchLog::Scope log(launches_);
        spec.variant->run_cuda(job);
        is_a_first_ = launches_.has_new_kernels() || allocations() > allocations_before;
    }
    if (makes_bins) {
        result.bins = fetch_bins(from, input.spec);
    } else {
        if (histogram != nullptr) fetch_histogram(job.output, *histogram);
        throw_if(stop);
        if (!in_bands) transfer_.take_out(mode, to, result.image.mutable_view());
    }
    stream_.synchronize();
    result.stages = stages_.wait();
    result.resources = launches_.resources(device_);
    return result;
}

BinsResult RoundTrip::fetch_bins(const DevicePlace& from, const ImageSpec& spec) {
    BinsResult result;
    result.bins.resize(kFineBins);
    result.counts.resize(kFineBins);
    {
        const auto stage = stages_.stage("download", kFineBins);
        TONESCOPE_CUDA(
            cudaMemcpyAsync(result.bins.data(), d_bins_.as<void>(), kFineBins, cudaMemcpyDeviceToHost, stream_));
    }
    auto* d_counts = scratch_.get<uint32_t>("true counts", kFineBins);
    count_histogram_words(from.d_data, from.pitch_bytes, spec, d_counts, scratch_.keep<ZeroedWords>("counting"),
                          device_, stream_);
    TONESCOPE_CUDA(
        cudaMemcpyAsync(result.counts.data(), d_counts, kFineBins * sizeof(uint32_t), cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
    return result;
}

void RoundTrip::fetch_histogram(const DeviceOutput& output, DisplayHistogram& histogram) {
    auto* d_counts = scratch_.get<uint32_t>("display counts", kDisplayCounters);
    count_display(output, d_counts, scratch_.keep<ZeroedWords>("counting"), device_, stream_);
    uint32_t counts[kDisplayCounters];
    TONESCOPE_CUDA(cudaMemcpyAsync(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
    histogram = display_histogram(counts, output.spec);
}

/// After an error: nothing is held back from the next run.
void RoundTrip::release() noexcept {
    TONESCOPE_CUDA_LOG(cudaStreamSynchronize(stream_));
    transfer_.release();
    d_bins_.release();
    scratch_.clear();
}

}  // namespace tonescope
