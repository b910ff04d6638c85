// A round trip: from an image in host memory, in any memory mode, to the result in host memory.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/timing.h"
#include "gpu/cpu/display_histogram.h"
#include "gpu/cpu/put_back.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/clock.h"
#include "gpu/cuda/runtime/launch_log.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/roofs.h"
#include "gpu/cuda/runtime/run_tracer.h"
#include "gpu/cuda/runtime/stages.h"
#include "gpu/cuda/runtime/stream.h"
#include "gpu/cuda/session/band_run.h"
#include "gpu/cuda/session/image_pool.h"
#include "gpu/cuda/session/runner.h"
#include "gpu/cuda/session/staged_copier.h"

namespace tonescope {
namespace {

size_t pitched_bytes(const ImageSpec& spec) {
    return aligned_pitch_bytes(spec) * size_t(spec.height);
}

/// Reads from every page, so that managed ones move to the host.
void touch_pages(const ImageView& image) {
    constexpr size_t kPage_bytes = 4096;
    const volatile uint8_t* const bytes = image.data;
    for (size_t i = 0; i < image.pitch_bytes * size_t(image.spec.height); i += kPage_bytes) bytes[i];
}

/// Memory for an image on its way.
struct Side {
    DeviceImage device;
    PinnedMemory pinned;
    ManagedMemory managed;
    HostImage pageable;  // in place of an image in pinned memory

    /// Where kernels reach the image in this mode.
    DevicePixels place(MemoryMode mode, const ImageSpec& spec) {
        if (mode == MemoryMode::mapped) {
            pinned.reserve(pitched_bytes(spec));
            return {mapped_pointer(pinned.as<uint8_t>()), aligned_pitch_bytes(spec), spec};
        }
        if (mode == MemoryMode::managed) return {managed.as<uint8_t>(), aligned_pitch_bytes(spec), spec};
        device.reshape(spec);
        return {device.d_data(), device.pitch_bytes, spec};
    }
    /// The host memory through which the host hands pixels over in this mode, where there is such memory.
    std::optional<MutableImageView> on_host(MemoryMode mode, const ImageSpec& spec) {
        switch (mode) {
            case MemoryMode::pinned:
                pinned.reserve(spec.size_bytes());
                return MutableImageView{pinned.as<uint8_t>(), spec.row_bytes(), spec};
            case MemoryMode::mapped:
                return MutableImageView{pinned.as<uint8_t>(), aligned_pitch_bytes(spec), spec};
            case MemoryMode::managed:
                return MutableImageView{managed.as<uint8_t>(), aligned_pitch_bytes(spec), spec};
            default:
                return {};
        }
    }
};

/// Brings an image to where kernels reach it, and its result back, in every memory mode. Keeps its buffers from run to
/// run. Functions that copy add their stages and may wait. All throw DeviceError.
class ModeTransfer {
  public:
    /// All three outlive this.
    ModeTransfer(const DeviceProperties& device, const Stream& stream, StageRecorder& stages)
        : device_(device), stream_(stream), stages_(stages) {}

    /// Before a run: throws DeviceMemoryError where the device does not have this mode, or too little memory for it.
    void prepare(MemoryMode mode, const ImageSpec& input, const ImageSpec& output, bool in_place);
    /// Room for an input.
    DevicePixels place_input(MemoryMode mode, const ImageSpec& spec) { return in_.place(mode, spec); }
    /// The same with the input in it. `in_place`: it stands in the memory of this mode (ImagePool), here and below.
    DevicePixels bring_in(MemoryMode mode, const ImageView& input, bool in_place);
    /// Room for the output, which is `to` itself where kernels reach that.
    DevicePixels place_output(MemoryMode mode, const MutableImageView& to, bool in_place);
    /// What place_output() gave last. Returns when `to` is written, or when all that writes it is in the stream, which
    /// has to be waited for.
    void take_out(MemoryMode mode, const MutableImageView& to, bool in_place);
    /// For a variant that moves the pixels itself: the input in pinned memory.
    ImageView stage_input(const ImageView& input);
    /// Pinned memory for its output, and what it has copied there, once the stream is done.
    MutableImageView place_on_host(const ImageSpec& output) { return *out_.on_host(MemoryMode::pinned, output); }
    void take_from_host(const MutableImageView& to);

    /// Frees everything. The stream is idle.
    void release() noexcept {
        copier_.reset();
        in_ = {};
        out_ = {};
    }

  private:
    void copy_on_host(std::string_view name, const ImageView& from, const MutableImageView& to);
    StagedCopier& copier() { return copier_ ? *copier_ : copier_.emplace(); }

    const DeviceProperties& device_;
    const Stream& stream_;
    StageRecorder& stages_;
    std::optional<StagedCopier> copier_;
    Event begin_{Event::Kind::timed}, end_{Event::Kind::timed};
    Side in_, out_;
};

void ModeTransfer::prepare(MemoryMode mode, const ImageSpec& input, const ImageSpec& output, bool in_place) {
    if (mode == MemoryMode::mapped && !device_.canMapHostMemory)
        throw DeviceMemoryError(device_.name + std::string(" cannot map the CPU's memory; take another memory mode"));
    if (mode != MemoryMode::managed) return;
    if (!device_.has_managed_memory())
        throw DeviceMemoryError(device_.name + std::string(" has no managed memory; take another memory mode"));
    if (in_place) return;
    const size_t input_bytes = pitched_bytes(input), output_bytes = pitched_bytes(output);
    if (in_.managed.size_bytes() >= input_bytes && out_.managed.size_bytes() >= output_bytes) return;
    in_.managed.release();
    out_.managed.release();
    // A GPU whose managed memory is oversubscribed can hang; variants need scratch memory besides.
    if (input_bytes + output_bytes > free_device_bytes() / 2)
        throw DeviceMemoryError("managed memory: " + memory_text(input_bytes + output_bytes) +
                                " is more than half of the free GPU memory; take a smaller image or another memory "
                                "mode");
    in_.managed.reserve(input_bytes);
    out_.managed.reserve(output_bytes);
}

/// Kernels reach an image that stands in memory of this mode where it is.
bool is_reached_in_place(MemoryMode mode) {
    return mode == MemoryMode::mapped || mode == MemoryMode::managed;
}
DevicePixels reached(MemoryMode mode, const ImageView& image) {
    uint8_t* const d_data =
        mode == MemoryMode::mapped ? mapped_pointer(image.data) : const_cast<uint8_t*>(image.data);  // one address
    return {d_data, image.pitch_bytes, image.spec};
}

DevicePixels ModeTransfer::bring_in(MemoryMode mode, const ImageView& input, bool in_place) {
    if (in_place && is_reached_in_place(mode)) return reached(mode, input);
    const ImageSpec& spec = input.spec;
    const DevicePixels place = place_input(mode, spec);
    std::optional<MutableImageView> staged = in_place ? std::nullopt : in_.on_host(mode, spec);
    if (mode == MemoryMode::pageable && is_pinned(input.data)) {
        if (!(in_.pageable.spec() == spec)) in_.pageable = HostImage(spec);
        staged = in_.pageable.mutable_view();
    }
    if (staged) copy_on_host("copy in", input, *staged);
    if (mode == MemoryMode::overlapped && !in_place) {
        LaunchLog::begin_stage("upload");
        copier().upload(input, in_.device, nullptr, begin_, end_);
        end_.synchronize();
        stages_.add("upload", end_.ms_since(begin_));
    } else if (!is_reached_in_place(mode)) {
        const ImageView from = staged ? ImageView(*staged) : input;
        const auto stage = stages_.stage("upload");
        TONESCOPE_CUDA(cudaMemcpy2DAsync(place.d_data, place.pitch_bytes, from.data, from.pitch_bytes, spec.row_bytes(),
                                         size_t(spec.height), cudaMemcpyHostToDevice, stream_));
    }
    return place;
}

DevicePixels ModeTransfer::place_output(MemoryMode mode, const MutableImageView& to, bool in_place) {
    return in_place && is_reached_in_place(mode) ? reached(mode, to) : out_.place(mode, to.spec);
}

void ModeTransfer::take_out(MemoryMode mode, const MutableImageView& to, bool in_place) {
    const ImageSpec& spec = to.spec;
    if (in_place && is_reached_in_place(mode)) {
        stream_.synchronize();
        if (mode == MemoryMode::mapped) return;
        // The result is there once its pages are: the host reads them.
        LaunchLog::begin_stage("download");
        const auto begin = std::chrono::steady_clock::now();
        RunTracer::on_host(TraceSpan::Kind::migration, spec.size_bytes(), [&] { touch_pages(to); });
        stages_.add("download", ms_since(begin));
        return;
    }
    const std::optional<MutableImageView> staged = in_place ? std::nullopt : out_.on_host(mode, spec);
    const bool is_in_bands = mode == MemoryMode::overlapped && !in_place;
    if (!is_reached_in_place(mode) && !is_in_bands) {
        const MutableImageView sent = staged.value_or(to);
        const auto stage = stages_.stage("download");
        TONESCOPE_CUDA(cudaMemcpy2DAsync(sent.data, sent.pitch_bytes, out_.device.d_data(), out_.device.pitch_bytes,
                                         spec.row_bytes(), size_t(spec.height), cudaMemcpyDeviceToHost, stream_));
    }
    if (!is_in_bands && !staged) return;  // it is under way
    stream_.synchronize();
    if (staged) return copy_on_host("copy out", *staged, to);
    LaunchLog::begin_stage("download");
    const auto begin = std::chrono::steady_clock::now();
    copier().download(out_.device, to, nullptr);
    stages_.add("download", ms_since(begin));
}

ImageView ModeTransfer::stage_input(const ImageView& input) {
    const MutableImageView staged = *in_.on_host(MemoryMode::pinned, input.spec);
    copy_on_host("copy in", input, staged);
    return staged;
}

void ModeTransfer::take_from_host(const MutableImageView& to) {
    stream_.synchronize();
    copy_on_host("copy out", place_on_host(to.spec), to);
}

void ModeTransfer::copy_on_host(std::string_view name, const ImageView& from, const MutableImageView& to) {
    LaunchLog::begin_stage(name);
    const auto begin = std::chrono::steady_clock::now();
    copy_rows(from.data, from.pitch_bytes, to.data, to.pitch_bytes, from.spec.row_bytes(), from.spec.height);
    stages_.add(name, ms_since(begin));
}

void throw_if(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Canceled{};
}

/// The CUDA backend. For one thread at a time. Keeps its memory from run to run.
class RoundTrip final : public Backend {
  public:
    /// -1: the first device. Throws DeviceError.
    explicit RoundTrip(int device) : runner_(device) {}

    BackendKind kind() const override { return BackendKind::cuda; }
    std::string device_name() const override { return runner_.device.name; }
    int64_t lanes() const override {
        return int64_t{runner_.device.multiProcessorCount} * runner_.device.maxThreadsPerMultiProcessor;
    }
    HostImage make_image(const ImageSpec& spec, MemoryMode mode) override {
        TONESCOPE_CUDA(cudaSetDevice(runner_.device.index));
        return images_.make(spec, mode);
    }
    /// Throws also DeviceMemoryError where the mode is not to be had, and UserError when the variant refuses the image.
    RunResult run(const ImageView& input, const RunSpec& spec, std::stop_token stop, RunKind kind) override;
    ClockRate clock() override;
    Roofs roofs(std::stop_token stop) override {
        const std::string machine = std::to_string(runner_.device.index) + " " + device_name();
        return roofs_once(
            machine, [&] { return measure_roofs(runner_.device, stop); }, [this] { return clock().mhz; }, stop);
    }

  private:
    RunResult run_once(const ImageView& input, const RunSpec& spec, std::stop_token stop, RunKind kind);
    RunResult run_part_on_host(const ImageView& input, RunSpec spec, const std::stop_token& stop, RunKind kind);
    DevicePixels bring_mask(const std::shared_ptr<const HostImage>& mask);

    Runner runner_;
    DeviceClock clock_;
    std::optional<RunTracer> tracer_;  // from the first traced run on
    bool is_a_first_ = false;          // Runner::was_a_first() of the last run
    ModeTransfer transfer_{runner_.device, runner_.stream, runner_.stages};
    std::optional<BandRun> bands_;  // from the first such run on
    ImagePool images_;
    std::shared_ptr<const HostImage> mask_;  // that d_mask_ holds; null: none
    DeviceImage d_mask_;
};

ClockRate RoundTrip::clock() {
    TONESCOPE_CUDA(cudaSetDevice(runner_.device.index));
    return {clock_.mhz(runner_.stream), DeviceClock::nominal_mhz(runner_.device.index)};
}

RunResult RoundTrip::run(const ImageView& input, const RunSpec& spec, std::stop_token stop, RunKind kind) {
    const bool live = kind == RunKind::live;
    TONESCOPE_CUDA(cudaSetDevice(runner_.device.index));  // whichever thread calls
    throw_if(stop);
    try {
        // Managed pages begin on the host, as if it had just written them.
        if (spec.memory_mode() == MemoryMode::managed && images_.holds(input, MemoryMode::managed)) touch_pages(input);
        if (kind == RunKind::traced || kind == RunKind::resident) {
            if (!tracer_) tracer_.emplace();
            const RunTracer::Scope scope(*tracer_, runner_.stream);
            RunResult result = run_once(input, spec, stop, kind);
            result.trace = tracer_->finish();
            throw_if(stop);
            return result;
        }
        RunResult result = run_once(input, spec, stop, kind);
        if (live && is_a_first_ && sum_ms(result.stages) < kRepeated_ms) result = run_once(input, spec, stop, kind);
        throw_if(stop);
        return result;
    } catch (const DeviceError&) {
        // Nothing is held back from the next run.
        TONESCOPE_CUDA_LOG(cudaStreamSynchronize(runner_.stream));
        transfer_.release();
        bands_.reset();
        images_.release();
        runner_.release();
        mask_.reset();
        d_mask_ = {};
        tracer_.reset();
        throw;
    } catch (...) {
        TONESCOPE_CUDA_LOG(cudaStreamSynchronize(runner_.stream));  // what is queued may still read `input`
        throw;
    }
}

/// Where the variant moves the pixels itself: what it sees is cut out in host memory.
RunResult RoundTrip::run_part_on_host(const ImageView& input, RunSpec spec, const std::stop_token& stop, RunKind kind) {
    check_takes(spec, input.spec);
    const ResultPart part = std::exchange(spec.part, {});
    const Rect rect = filtered_rect(part, input.spec);
    RunResult result = run_once(part_of(input, rect), spec, stop, kind);
    if (spec.op->makes_bins) return result;
    {
        const ScopedStage stage(&result.stages, "put back");
        HostImage whole(spec.op->output_spec(input.spec, spec.params));
        put_back(input, part, result.image.view(), rect, whole.mutable_view(), default_cpu_threads(), stop);
        result.image = std::move(whole);
    }
    if (kind == RunKind::live)
        result.histogram = count_display_histogram(result.image.view(), default_cpu_threads(), stop);
    return result;
}

DevicePixels RoundTrip::bring_mask(const std::shared_ptr<const HostImage>& mask) {
    if (mask == nullptr) return {};
    if (mask != mask_) {
        mask_.reset();
        d_mask_.reshape(mask->spec());
        const auto stage = runner_.stages.stage("upload");
        TONESCOPE_CUDA(cudaMemcpy2DAsync(d_mask_.d_data(), d_mask_.pitch_bytes, mask->data(), mask->pitch_bytes(),
                                         d_mask_.spec.row_bytes(), size_t(d_mask_.spec.height), cudaMemcpyHostToDevice,
                                         runner_.stream));
        mask_ = mask;
    }
    return {d_mask_.d_data(), d_mask_.pitch_bytes, d_mask_.spec};
}

RunResult RoundTrip::run_once(const ImageView& input, const RunSpec& spec, std::stop_token stop, RunKind kind) {
    const bool live = kind == RunKind::live;
    const MemoryMode mode = spec.memory_mode();
    const bool makes_bins = spec.op->makes_bins;
    const bool moves_pixels = spec.variant->memory == MemoryMode::overlapped;
    if (moves_pixels && !spec.part.is_whole()) return run_part_on_host(input, spec, stop, kind);
    const ImageSpec output_spec = makes_bins ? ImageSpec{} : spec.op->output_spec(input.spec, spec.params);
    runner_.stages.reset();
    const bool in_place = images_.holds(input, mode);
    transfer_.prepare(mode, input.spec, output_spec, in_place);

    RunResult result;
    if (!makes_bins) result.image = in_place ? images_.make(output_spec, mode) : HostImage(output_spec);
    const bool has_bands = !moves_pixels && spec.op->reach_px != nullptr && spec.part.is_whole();
    if (mode == MemoryMode::overlapped && in_place && has_bands && !live) {
        (bands_ ? *bands_ : bands_.emplace()).queue(runner_, spec, input, result.image.mutable_view(), stop);
        runner_.stream.synchronize();
        result.stages = runner_.stages.wait();
        result.resources = runner_.resources();
        return result;
    }
    const DevicePixels from =
        moves_pixels ? transfer_.place_input(mode, input.spec) : transfer_.bring_in(mode, input, in_place);
    const DevicePixels to =
        makes_bins ? DevicePixels{} : transfer_.place_output(mode, result.image.mutable_view(), in_place);
    const DeviceOutput output{to.d_data, to.pitch_bytes, 0, output_spec};
    throw_if(stop);
    HostPixels host;
    if (moves_pixels && in_place)
        host = {input, result.image.mutable_view()};
    else if (moves_pixels)
        host = {transfer_.stage_input(input), transfer_.place_on_host(output_spec)};
    const DevicePixels mask = bring_mask(spec.part.mask);
    if (kind == RunKind::resident && mode == MemoryMode::managed) {
        const RunTracer::Pause pause;
        runner_.launch(spec, from, mask, output, false, host, stop);
        runner_.stream.synchronize();
        runner_.stages.reset();
    }
    runner_.launch(spec, from, mask, output, live, host, stop);
    is_a_first_ = runner_.was_a_first();
    if (makes_bins) {
        {
            const auto stage = runner_.stages.stage("download");
            runner_.fetch_bins();
        }
        const RunTracer::Pause pause;  // what the result is checked against is no work of the variant's
        runner_.count_words();
    } else {
        if (live) runner_.count_image(output);
        throw_if(stop);
        if (!moves_pixels)
            transfer_.take_out(mode, result.image.mutable_view(), in_place);
        else if (!in_place)
            transfer_.take_from_host(result.image.mutable_view());
    }
    runner_.stream.synchronize();
    if (makes_bins) result.bins = runner_.bins();
    if (!makes_bins && live) result.histogram = runner_.histogram(output_spec);
    result.stages = runner_.stages.wait();
    result.resources = runner_.resources();
    return result;
}

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int device) {
    return std::make_unique<RoundTrip>(device);
}

}  // namespace tonescope
