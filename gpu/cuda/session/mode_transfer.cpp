#include "gpu/cuda/session/mode_transfer.h"

#include <algorithm>
#include <string>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/launch_log.h"

namespace tonescope {
namespace {

size_t image_bytes(const ImageSpec& spec) {
    return spec.row_bytes() * size_t(spec.height);
}

size_t pitched_bytes(const ImageSpec& spec) {
    return aligned_pitch_bytes(spec) * size_t(spec.height);
}

double ms_between(const Event& begin, const Event& end) {
    float ms = 0;
    TONESCOPE_CUDA(cudaEventElapsedTime(&ms, begin, end));
    return double(ms);
}

}  // namespace

void ModeTransfer::prepare(MemoryMode mode, const ImageSpec& input, const ImageSpec& output) {
    if (mode == MemoryMode::mapped && !device_.can_map_host_memory)
        throw DeviceMemoryError(device_.name + " cannot map host memory; take another memory mode");
    if (mode != MemoryMode::managed) return;
    if (!device_.has_managed_memory)
        throw DeviceMemoryError(device_.name + " has no managed memory; take another memory mode");
    const size_t input_bytes = pitched_bytes(input), output_bytes = pitched_bytes(output);
    if (managed_in_.size_bytes() >= input_bytes && managed_out_.size_bytes() >= output_bytes) return;
    managed_in_.release();
    managed_out_.release();
    // A GPU whose managed memory is oversubscribed can hang; variants need scratch memory besides.
    if (input_bytes + output_bytes > free_device_bytes() / 2)
        throw DeviceMemoryError("managed memory: " + std::to_string((input_bytes + output_bytes) >> 20) +
                                " MiB is more than half of the free GPU memory; take a smaller image or another "
                                "memory mode");
    managed_in_.reserve(input_bytes);
    managed_out_.reserve(output_bytes);
}

DevicePlace ModeTransfer::place_input(const ImageSpec& spec) {
    d_in_.reshape(spec);
    return {d_in_.d_data(), d_in_.pitch_bytes};
}

DevicePlace ModeTransfer::bring_in(MemoryMode mode, const ImageView& input) {
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
            const DevicePlace place = place_input(spec);
            copier().upload(input, place.d_data, place.pitch_bytes, nullptr, begin_, end_);
            end_.synchronize();
            stages_.add("upload", ms_between(begin_, end_), bytes);
            return place;
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
    const DevicePlace place = place_input(spec);
    const auto stage = stages_.stage("upload", bytes);
    TONESCOPE_CUDA(cudaMemcpy2DAsync(place.d_data, place.pitch_bytes, from.data, from.pitch_bytes, row_bytes,
                                     size_t(spec.height), cudaMemcpyHostToDevice, stream_));
    return place;
}

DevicePlace ModeTransfer::place_output(MemoryMode mode, const ImageSpec& spec) {
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

void ModeTransfer::take_out(MemoryMode mode, const DevicePlace& from, const MutableImageView& to) {
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

class ModeTransfer::Bands final : public BandTransfer {
  public:
    Bands(ModeTransfer& transfer, const ImageView& input, const MutableImageView& output)
        : at_(transfer), input_(input), output_(output) {}

    void bring_in(std::string_view stage, const BandVisit& visit) override {
        LaunchLog::begin_stage(stage);
        at_.begin_.record(at_.stream_);
        const auto visit_and_time = [&](const Band& band) {
            if (band.first_row + band.rows == input_.spec.height) at_.between_.record(band.stream);
            visit(band);
        };
        at_.copier().upload(input_, at_.d_in_.d_data(), at_.d_in_.pitch_bytes, at_.begin_, at_.begin_, at_.end_, {},
                            visit_and_time);
        at_.end_.synchronize();
        at_.stages_.add("upload", ms_between(at_.begin_, at_.between_), image_bytes(input_.spec));
        at_.stages_.add(stage, ms_between(at_.between_, at_.end_), image_bytes(input_.spec));
    }

    void take_out(std::string_view stage, const BandVisit& visit) override {
        LaunchLog::begin_stage(stage);
        at_.begin_.record(at_.stream_);
        at_.begin_.synchronize();
        const auto visit_and_time = [&](const Band& band) {
            visit(band);
            if (band.first_row == 0) at_.between_.record(band.stream);
        };
        StageTimes time;
        {
            const ScopedStage all(&time, "download", image_bytes(output_.spec));
            at_.copier().download(at_.d_out_.d_data(), at_.d_out_.pitch_bytes, output_, at_.begin_, visit_and_time);
        }
        const double first_ms = std::min(ms_between(at_.begin_, at_.between_), time[0].ms);
        at_.stages_.add(stage, first_ms, image_bytes(input_.spec) + image_bytes(output_.spec));
        at_.stages_.add("download", time[0].ms - first_ms, time[0].bytes);
    }

  private:
    ModeTransfer& at_;
    ImageView input_;
    MutableImageView output_;
};

BandTransfer& ModeTransfer::bands(const ImageView& input, const MutableImageView& output) {
    bands_ = std::make_unique<Bands>(*this, input, output);
    return *bands_;
}

void ModeTransfer::copy_on_host(std::string_view name, const ImageView& from, const MutableImageView& to) {
    StageTimes time;
    {
        const ScopedStage stage(&time, name, 2 * image_bytes(from.spec));
        copy_rows(from.data, from.pitch_bytes, to.data, to.pitch_bytes, from.spec.row_bytes(), from.spec.height);
    }
    stages_.add(name, time[0].ms, time[0].bytes);
}

StagedCopier& ModeTransfer::copier() {
    if (!copier_) copier_.emplace();
    return *copier_;
}

void ModeTransfer::release() noexcept {
    copier_.reset();
    for (DeviceMemory* memory : {&d_in_.memory, &d_out_.memory}) memory->release();
    for (PinnedMemory* memory : {&h_in_, &h_out_}) memory->release();
    for (ManagedMemory* memory : {&managed_in_, &managed_out_}) memory->release();
}

}  // namespace tonescope
