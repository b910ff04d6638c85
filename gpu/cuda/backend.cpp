// Runs CUDA rungs one at a time and waits for them, in every memory mode.
#include <algorithm>
#include <optional>
#include <string>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/cuda/check.h"
#include "gpu/cuda/counts.h"
#include "gpu/cuda/device.h"
#include "gpu/cuda/job.h"
#include "gpu/cuda/staged_copier.h"

namespace tonescope {
namespace {

/// Pixels where kernels reach them.
struct DevicePlace {
    uint8_t* d_data = nullptr;
    size_t pitch_bytes = 0;
};

size_t image_bytes(const ImageSpec& spec) {
    return spec.row_bytes() * size_t(spec.height);
}

size_t pitched_bytes(const ImageSpec& spec) {
    return aligned_pitch_bytes(spec) * size_t(spec.height);
}

class CudaBackend final : public Backend {
  public:
    explicit CudaBackend(int device) : facts_(select_device(device)), stages_(stream_) {}

    BackendKind kind() const override { return BackendKind::cuda; }
    std::string device_name() const override { return facts_.name; }
    int64_t lanes() const override { return int64_t{facts_.multiprocessors} * facts_.threads_per_multiprocessor; }

    RunResult run(const ImageView& input, const RunSpec& spec, std::stop_token stop) override {
        if (spec.rung->run_cuda == nullptr)
            throw DeviceError(std::string(spec.op->id) + " " + std::string(spec.rung->id) +
                              " does not run on the CUDA backend");
        TONESCOPE_CUDA(cudaSetDevice(facts_.device));  // whichever thread calls
        if (stop.stop_requested()) throw Cancelled{};
        try {
            RunResult result = run_once(input, spec);
            if (stop.stop_requested()) throw Cancelled{};
            return result;
        } catch (const DeviceError&) {
            release();
            throw;
        }
    }

  private:
    RunResult run_once(const ImageView& input, const RunSpec& spec) {
        const MemoryMode mode = spec.rung->memory.value_or(spec.memory);
        const bool makes_bins = spec.op->makes_bins;
        const ImageSpec output_spec = makes_bins ? ImageSpec{} : spec.op->output_spec(input.spec, spec.params);
        stages_.reset();
        prepare(mode, input.spec, output_spec);

        const DevicePlace from = bring_in(mode, input);
        const DevicePlace to = makes_bins ? DevicePlace{} : place_output(mode, output_spec);
        CudaJob job{.d_input = from.d_data,
                    .input_pitch_bytes = from.pitch_bytes,
                    .input_spec = input.spec,
                    .output = {to.d_data, to.pitch_bytes, 0, output_spec},
                    .d_bins = d_bins_.as<uint8_t>(),
                    .params = spec.params,
                    .rung_params = spec.rung_params,
                    .stream = stream_,
                    .facts = facts_,
                    .scratch = scratch_,
                    .stages = stages_};
        spec.rung->run_cuda(job);

        RunResult result;
        if (makes_bins) {
            result.bins = fetch_bins(from, input.spec);
        } else {
            result.image = HostImage(output_spec);
            take_out(mode, to, result.image.mutable_view());
        }
        stream_.synchronize();
        result.stages = stages_.wait();
        return result;
    }

    /// Allocates what the mode needs.
    void prepare(MemoryMode mode, const ImageSpec& input, const ImageSpec& output) {
        d_bins_.reserve(kLabBins);
        if (mode == MemoryMode::mapped && !facts_.can_map_host_memory)
            throw DeviceError(facts_.name + " cannot map host memory; take another --memory");
        if (mode != MemoryMode::managed) return;
        if (!facts_.has_managed_memory)
            throw DeviceError(facts_.name + " has no managed memory; take another --memory");
        const size_t input_bytes = pitched_bytes(input), output_bytes = pitched_bytes(output);
        if (managed_in_.size_bytes() >= input_bytes && managed_out_.size_bytes() >= output_bytes) return;
        managed_in_.release();
        managed_out_.release();
        // A GPU whose managed memory is oversubscribed can hang; rungs need scratch memory besides.
        if (input_bytes + output_bytes > free_device_bytes() / 2)
            throw DeviceError(
                "managed memory: " + std::to_string((input_bytes + output_bytes) >> 20) +
                " MiB is more than half of the free GPU memory; take a smaller image or another --memory");
        managed_in_.reserve(input_bytes);
        managed_out_.reserve(output_bytes);
    }

    DevicePlace bring_in(MemoryMode mode, const ImageView& input) {
        const ImageSpec& spec = input.spec;
        const size_t row_bytes = spec.row_bytes(), pitch_bytes = aligned_pitch_bytes(spec), bytes = image_bytes(spec);
        switch (mode) {
            case MemoryMode::mapped: {
                h_in_.reserve(pitched_bytes(spec));
                copy_on_host("copy in", input, {h_in_.as<uint8_t>(), pitch_bytes, spec});
                return {mapped_pointer(h_in_), pitch_bytes};
            }
            case MemoryMode::managed: {
                copy_on_host("copy in", input, {managed_in_.as<uint8_t>(), pitch_bytes, spec});
                return {managed_in_.as<uint8_t>(), pitch_bytes};
            }
            case MemoryMode::overlapped: {
                d_in_.reshape(spec);
                copier().upload(input, d_in_.d_data(), d_in_.pitch_bytes, nullptr, upload_begin_, upload_done_);
                upload_done_.synchronize();
                float ms = 0;
                TONESCOPE_CUDA(cudaEventElapsedTime(&ms, upload_begin_, upload_done_));
                stages_.add("upload", double(ms), bytes);
                return {d_in_.d_data(), d_in_.pitch_bytes};
            }
            case MemoryMode::pageable:
            case MemoryMode::pinned:
                break;
        }
        ImageView from = input;
        if (mode == MemoryMode::pinned) {
            h_in_.reserve(bytes);
            copy_on_host("copy in", input, {h_in_.as<uint8_t>(), row_bytes, spec});
            from = {h_in_.as<uint8_t>(), row_bytes, spec};
        }
        d_in_.reshape(spec);
        const auto stage = stages_.stage("upload", bytes);
        TONESCOPE_CUDA(cudaMemcpy2DAsync(d_in_.d_data(), d_in_.pitch_bytes, from.data, from.pitch_bytes, row_bytes,
                                         size_t(spec.height), cudaMemcpyHostToDevice, stream_));
        return {d_in_.d_data(), d_in_.pitch_bytes};
    }

    DevicePlace place_output(MemoryMode mode, const ImageSpec& spec) {
        switch (mode) {
            case MemoryMode::mapped:
                h_out_.reserve(pitched_bytes(spec));
                return {mapped_pointer(h_out_), aligned_pitch_bytes(spec)};
            case MemoryMode::managed:
                return {managed_out_.as<uint8_t>(), aligned_pitch_bytes(spec)};
            default:
                d_out_.reshape(spec);
                return {d_out_.d_data(), d_out_.pitch_bytes};
        }
    }

    void take_out(MemoryMode mode, const DevicePlace& from, const MutableImageView& to) {
        const ImageSpec& spec = to.spec;
        const size_t row_bytes = spec.row_bytes(), bytes = image_bytes(spec);
        switch (mode) {
            case MemoryMode::mapped:
                stream_.synchronize();
                copy_on_host("copy out", {h_out_.as<uint8_t>(), from.pitch_bytes, spec}, to);
                return;
            case MemoryMode::managed:
                stream_.synchronize();
                copy_on_host("copy out", {managed_out_.as<uint8_t>(), from.pitch_bytes, spec}, to);
                return;
            case MemoryMode::overlapped: {
                stream_.synchronize();
                StageTimes time;
                {
                    const ScopedStage stage(&time, "download", bytes);
                    copier().download(from.d_data, from.pitch_bytes, to, nullptr);
                }
                stages_.add(time[0].stage, time[0].ms, time[0].bytes);
                return;
            }
            case MemoryMode::pageable: {
                const auto stage = stages_.stage("download", bytes);
                TONESCOPE_CUDA(cudaMemcpy2DAsync(to.data, to.pitch_bytes, from.d_data, from.pitch_bytes, row_bytes,
                                                 size_t(spec.height), cudaMemcpyDeviceToHost, stream_));
                return;
            }
            case MemoryMode::pinned:
                break;
        }
        h_out_.reserve(bytes);
        {
            const auto stage = stages_.stage("download", bytes);
            TONESCOPE_CUDA(cudaMemcpy2DAsync(h_out_.as<uint8_t>(), row_bytes, from.d_data, from.pitch_bytes, row_bytes,
                                             size_t(spec.height), cudaMemcpyDeviceToHost, stream_));
        }
        stream_.synchronize();
        copy_on_host("copy out", {h_out_.as<uint8_t>(), row_bytes, spec}, to);
    }

    BinsResult fetch_bins(const DevicePlace& from, const ImageSpec& spec) {
        BinsResult result;
        result.bins.resize(kLabBins);
        result.counts.resize(kLabBins);
        {
            const auto stage = stages_.stage("download", kLabBins);
            TONESCOPE_CUDA(
                cudaMemcpyAsync(result.bins.data(), d_bins_.as<void>(), kLabBins, cudaMemcpyDeviceToHost, stream_));
        }
        auto* d_counts = scratch_.get<uint32_t>("true counts", kLabBins);
        count_lab_words(from.d_data, from.pitch_bytes, spec, d_counts, facts_, stream_);
        TONESCOPE_CUDA(cudaMemcpyAsync(result.counts.data(), d_counts, kLabBins * sizeof(uint32_t),
                                       cudaMemcpyDeviceToHost, stream_));
        stream_.synchronize();
        return result;
    }

    void copy_on_host(std::string_view name, const ImageView& from, const MutableImageView& to) {
        StageTimes time;
        {
            const ScopedStage stage(&time, name, 2 * image_bytes(from.spec));
            copy_rows(from.data, from.pitch_bytes, to.data, to.pitch_bytes, from.spec.row_bytes(), from.spec.height);
        }
        stages_.add(name, time[0].ms, time[0].bytes);
    }

    StagedCopier& copier() {
        if (!copier_) copier_.emplace();
        return *copier_;
    }

    /// After an error: nothing is held back from the next run.
    void release() noexcept {
        TONESCOPE_CUDA_LOG(cudaStreamSynchronize(stream_));
        copier_.reset();
        for (DeviceMemory* memory : {&d_in_.memory, &d_out_.memory, &d_bins_}) memory->release();
        for (PinnedMemory* memory : {&h_in_, &h_out_}) memory->release();
        for (ManagedMemory* memory : {&managed_in_, &managed_out_}) memory->release();
        scratch_.clear();
    }

    DeviceFacts facts_;  // first: it makes the device the thread's
    Stream stream_;
    StageRecorder stages_;
    ScratchArena scratch_;
    std::optional<StagedCopier> copier_;
    Event upload_begin_{Event::Kind::timed}, upload_done_{Event::Kind::timed};
    DeviceImage d_in_, d_out_;
    DeviceMemory d_bins_;
    PinnedMemory h_in_, h_out_;
    ManagedMemory managed_in_, managed_out_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int device) {
    return std::make_unique<CudaBackend>(device);
}

}  // namespace tonescope
