#include "gpu/cuda/session/mode_transfer.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "gpu/core/error.h"
#include "gpu/core/timing.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/launch_log.h"

namespace tonescope {
namespace {

size_t pitched_bytes(const ImageSpec& spec) {
    return aligned_pitch_bytes(spec) * size_t(spec.height);
}

}  // namespace

void ModeTransfer::prepare(MemoryMode mode, const ImageSpec& input, const ImageSpec& output) {
    if (mode == MemoryMode::mapped && !device_.can_map_host_memory)
        throw DeviceMemoryError(device_.name + " cannot map host memory; take another memory mode");
    if (mode != MemoryMode::managed) return;
    if (!device_.has_managed_memory)
        throw DeviceMemoryError(device_.name + " has no managed memory; take another memory mode");
    const size_t input_bytes = pitched_bytes(input), output_bytes = pitched_bytes(output);
    if (in_.managed.size_bytes() >= input_bytes && out_.managed.size_bytes() >= output_bytes) return;
    in_.managed.release();
    out_.managed.release();
    // A GPU whose managed memory is oversubscribed can hang; variants need scratch memory besides.
    if (input_bytes + output_bytes > free_device_bytes() / 2)
        throw DeviceMemoryError("managed memory: " + std::to_string((input_bytes + output_bytes) >> 20) +
                                " MiB is more than half of the free GPU memory; take a smaller image or another "
                                "memory mode");
    in_.managed.reserve(input_bytes);
    out_.managed.reserve(output_bytes);
}

DevicePixels ModeTransfer::place(Side& side, MemoryMode mode, const ImageSpec& spec) {
    if (mode == MemoryMode::mapped) {
        side.pinned.reserve(pitched_bytes(spec));
        return {mapped_pointer(side.pinned), aligned_pitch_bytes(spec), spec};
    }
    if (mode == MemoryMode::managed) return {side.managed.as<uint8_t>(), aligned_pitch_bytes(spec), spec};
    side.device.reshape(spec);
    return {side.device.d_data(), side.device.pitch_bytes, spec};
}

/// The host memory through which the host hands pixels over in this mode, where there is such memory.
std::optional<MutableImageView> ModeTransfer::on_host(Side& side, MemoryMode mode, const ImageSpec& spec) {
    switch (mode) {
        case MemoryMode::pinned:
            side.pinned.reserve(spec.size_bytes());
            return MutableImageView{side.pinned.as<uint8_t>(), spec.row_bytes(), spec};
        case MemoryMode::mapped:
            return MutableImageView{side.pinned.as<uint8_t>(), aligned_pitch_bytes(spec), spec};
        case MemoryMode::managed:
            return MutableImageView{side.managed.as<uint8_t>(), aligned_pitch_bytes(spec), spec};
        default:
            return {};
    }
}

DevicePixels ModeTransfer::bring_in(MemoryMode mode, const ImageView& input) {
    const ImageSpec& spec = input.spec;
    const DevicePixels place = place_input(mode, spec);
    const std::optional<MutableImageView> staged = on_host(in_, mode, spec);
    if (staged) copy_on_host("copy in", input, *staged);
    if (mode == MemoryMode::overlapped) {
        copier().upload(input, in_.device, nullptr, begin_, end_);
        end_.synchronize();
        stages_.add("upload", end_.ms_since(begin_), spec.size_bytes());
    } else if (mode == MemoryMode::pageable || mode == MemoryMode::pinned) {
        const ImageView from = staged ? ImageView(*staged) : input;
        const auto stage = stages_.stage("upload", spec.size_bytes());
        TONESCOPE_CUDA(cudaMemcpy2DAsync(place.d_data, place.pitch_bytes, from.data, from.pitch_bytes, spec.row_bytes(),
                                         size_t(spec.height), cudaMemcpyHostToDevice, stream_));
    }
    return place;
}

void ModeTransfer::take_out(MemoryMode mode, const MutableImageView& to) {
    const ImageSpec& spec = to.spec;
    const std::optional<MutableImageView> staged = on_host(out_, mode, spec);
    if (mode == MemoryMode::pageable || mode == MemoryMode::pinned) {
        const MutableImageView sent = staged.value_or(to);
        const auto stage = stages_.stage("download", spec.size_bytes());
        TONESCOPE_CUDA(cudaMemcpy2DAsync(sent.data, sent.pitch_bytes, out_.device.d_data(), out_.device.pitch_bytes,
                                         spec.row_bytes(), size_t(spec.height), cudaMemcpyDeviceToHost, stream_));
    }
    if (mode == MemoryMode::pageable) return;
    stream_.synchronize();
    if (staged) return copy_on_host("copy out", *staged, to);
    const auto begin = std::chrono::steady_clock::now();
    copier().download(out_.device, to, nullptr);
    stages_.add("download", ms_since(begin), spec.size_bytes());
}

BandTransfer ModeTransfer::bands(const ImageView& input, const MutableImageView& output) {
    const auto bring_in = [this, input](std::string_view stage, const BandVisit& visit) {
        bring_in_bands(input, stage, visit);
    };
    const auto take_out = [this, input, output](std::string_view stage, const BandVisit& visit) {
        take_out_bands(input.spec, output, stage, visit);
    };
    return {bring_in, take_out};
}

void ModeTransfer::bring_in_bands(const ImageView& input, std::string_view stage, const BandVisit& visit) {
    LaunchLog::begin_stage(stage);
    begin_.record(stream_);
    const auto visit_and_time = [&](const Band& band) {
        if (band.first_row + band.rows == input.spec.height) between_.record(band.stream);
        visit(band);
    };
    copier().upload(input, in_.device, begin_, begin_, end_, {}, visit_and_time);
    end_.synchronize();
    stages_.add("upload", between_.ms_since(begin_), input.spec.size_bytes());
    stages_.add(stage, end_.ms_since(between_), input.spec.size_bytes());
}

void ModeTransfer::take_out_bands(const ImageSpec& input, const MutableImageView& output, std::string_view stage,
                                  const BandVisit& visit) {
    LaunchLog::begin_stage(stage);
    begin_.record(stream_);
    begin_.synchronize();
    const auto visit_and_time = [&](const Band& band) {
        visit(band);
        if (band.first_row == 0) between_.record(band.stream);
    };
    const auto begin = std::chrono::steady_clock::now();
    copier().download(out_.device, output, begin_, visit_and_time);
    const double all_ms = ms_since(begin), first_ms = std::min(between_.ms_since(begin_), all_ms);
    stages_.add(stage, first_ms, input.size_bytes() + output.spec.size_bytes());
    stages_.add("download", all_ms - first_ms, output.spec.size_bytes());
}

void ModeTransfer::copy_on_host(std::string_view name, const ImageView& from, const MutableImageView& to) {
    const auto begin = std::chrono::steady_clock::now();
    copy_rows(from.data, from.pitch_bytes, to.data, to.pitch_bytes, from.spec.row_bytes(), from.spec.height);
    stages_.add(name, ms_since(begin), 2 * from.spec.size_bytes());
}

void ModeTransfer::release() noexcept {
    copier_.reset();
    in_ = {};
    out_ = {};
}

}  // namespace tonescope
