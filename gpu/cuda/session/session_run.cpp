// A live session's run, from the launch to the result.
#include <chrono>
#include <cstddef>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/session/counts.h"
#include "gpu/cuda/session/session.h"

namespace tonescope {
namespace {

bool is_round_trip(const RunSpec& spec) {
    return memory_mode(spec) != MemoryMode::pinned || spec.variant->max_pixels > 0;
}

/// Variants that take longer write memory first: the texture they wrote could not be drawn meanwhile.
constexpr double kFast_ms = 8, kShort_ms = 0.5;

using Clock = std::chrono::steady_clock;
double ms_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

}  // namespace

void CudaSession::launch(const RunSpec& spec, const DeviceOutput& output, StageRecorder& stages) {
    if (spec.variant->run_cuda == nullptr)
        throw DeviceError(std::string(spec.op->id) + " " + std::string(spec.variant->id) +
                          " does not run on the CUDA backend");
    if (spec.op != scratch_op_) scratch_.clear();  // another operator's buffers, which may be large
    scratch_op_ = spec.op;
    CudaJob job{.d_input = upload_.image().d_data(),
                .input_pitch_bytes = upload_.image().pitch_bytes,
                .input_spec = image_spec_,
                .output = output,
                .d_bins = d_counts_.as<HostCounts>()->bins,
                .params = spec.params,
                .variant_params = spec.variant_params,
                .stream = stream_,
                .device = device_,
                .scratch = scratch_,
                .stages = stages,
                .live = true};
    const LaunchLog::Scope log(launches_);
    spec.variant->run_cuda(job);
}

void CudaSession::fetch_display_counts(const DeviceOutput& output) {
    uint32_t* d_display = d_counts_.as<HostCounts>()->display;
    count_display(output, d_display, scratch_.keep<ZeroedWords>("counting"), device_, stream_);
    TONESCOPE_CUDA(cudaMemcpyAsync(host_counts().display, d_display, sizeof(HostCounts::display),
                                   cudaMemcpyDeviceToHost, stream_));
}

void CudaSession::fetch_bin_counts() {
    const auto* d_counts = d_counts_.as<HostCounts>();
    count_histogram_words(upload_.image().d_data(), upload_.image().pitch_bytes, image_spec_,
                          d_counts_.as<HostCounts>()->bin_counts, scratch_.keep<ZeroedWords>("counting"), device_,
                          stream_);
    TONESCOPE_CUDA(cudaMemcpyAsync(host_counts().bin_counts, d_counts->bin_counts, sizeof(HostCounts::bin_counts),
                                   cudaMemcpyDeviceToHost, stream_));
    TONESCOPE_CUDA(
        cudaMemcpyAsync(host_counts().bins, d_counts->bins, sizeof(HostCounts::bins), cudaMemcpyDeviceToHost, stream_));
}

/// The back textures, and the stage "map": also where they were mapped ahead.
std::span<const ResultTextures::Mapped> CudaSession::map_textures() {
    const Clock::time_point begin = Clock::now();
    const auto textures = textures_->map(stream_);
    stages_.add("map", std::exchange(mapped_ahead_ms_, 0) + ms_since(begin));
    return textures;
}

/// Gives the textures that the run wrote to the screen and maps the others for the next run. Mapping makes CUDA wait
/// for OpenGL, and the GPU change from one to the other: so that happens before a change comes, not after.
void CudaSession::show_textures() {
    const Clock::time_point unmap_begin = Clock::now();
    textures_->unmap(stream_);
    stages_.add("unmap", ms_since(unmap_begin));
    textures_->flip(run_->request.serial);
}

void CudaSession::map_ahead() {
    if (!textures_->is_prepared(run_->output_spec)) return;
    const Clock::time_point begin = Clock::now();
    textures_->map(stream_);
    mapped_ahead_ms_ = ms_since(begin);
}

void CudaSession::run_into_texture() {
    const DeviceOutput output{nullptr, 0, map_textures()[0].surface, run_->output_spec};
    try {
        launch(run_->request.spec, output, stages_);
        fetch_display_counts(output);
        run_end_.record(stream_);
    } catch (...) {
        textures_->unmap(stream_);
        throw;
    }
    show_textures();
    map_ahead();
}

void CudaSession::start_pending() {
    if (image_spec_.empty()) {
        pending_.reset();  // there is nothing to run it on
        return;
    }
    if (runs_until_failure_ == 0) throw DeviceError("the GPU failed because TONESCOPE_FAIL_DEVICE_AFTER asked for it");
    if (is_round_trip(pending_->spec)) {
        start_round_trip();
    } else {
        round_trip_.release();
        start_on_device();
    }
}

void CudaSession::start_round_trip() {
    if (runs_until_failure_ > 0) --runs_until_failure_;
    const RunSpec& spec = pending_->spec;
    const ImageSpec output_spec = spec.op->output_spec(image_spec_, spec.params);
    run_ = Run{.request = *std::exchange(pending_, {}), .output_spec = output_spec, .phase = Phase::round_trip};
    last_serial_ = run_->request.serial;
    round_trip_.start(image_, run_->request.spec);
}

bool CudaSession::is_fast(const RunSpec& spec) const {
    const auto known = known_times_.find(spec.variant);
    if (known == known_times_.end() || known->second.ms >= kFast_ms) return false;
    // Other parameters may cost a multiple, except with the variants made for live use.
    const bool same = known->second.params == spec.params && known->second.variant_params == spec.variant_params;
    return same || spec.variant->preferred || known->second.ms < kShort_ms;
}

void CudaSession::start_on_device() {
    switch (upload_.state()) {
        case LiveUpload::State::none:
            throw DeviceError("CUDA: the image could not be brought to the GPU");
        case LiveUpload::State::copying:
            return;
        case LiveUpload::State::failed:
            throw DeviceError(upload_.error());
        case LiveUpload::State::sent:
            break;
    }
    if (runs_until_failure_ > 0) --runs_until_failure_;
    const RunSpec& spec = pending_->spec;
    const bool makes_bins = spec.op->makes_bins;
    const ImageSpec output_spec = spec.op->output_spec(image_spec_, spec.params);
    const bool into_texture = is_fast(spec) && !makes_bins && textures_ != nullptr &&
                              textures_->tile_count(output_spec) == 1 && textures_->prepare(output_spec);
    const bool into_memory = !makes_bins && !into_texture;
    const int buffer = into_memory ? free_buffer() : kNoBuffer;
    if (into_memory && buffer == kNoBuffer) return;  // a save still reads it: later

    run_ = Run{.request = *std::exchange(pending_, {}),
               .output_spec = output_spec,
               .buffer = buffer,
               .into_texture = into_texture};
    last_serial_ = run_->request.serial;
    if (into_memory) results_[size_t(buffer)].image.reshape(output_spec);
    upload_.make_wait(stream_);
    const uint64_t allocations_before = allocations();
    compute();
    run_->is_a_first = launches_.has_new_kernels() || allocations() > allocations_before;
}

void CudaSession::compute() {
    stages_.reset();
    run_begin_.record(stream_);
    if (run_->into_texture) {
        run_into_texture();
        return;
    }
    const RunSpec& spec = run_->request.spec;
    if (spec.op->makes_bins) {
        launch(spec, {}, stages_);
        fetch_bin_counts();
    } else {
        ResultBuffer& result = results_[size_t(run_->buffer)];
        const DeviceOutput output{result.image.d_data(), result.image.pitch_bytes, 0, run_->output_spec};
        launch(spec, output, stages_);
        result.written.record(stream_);
        fetch_display_counts(output);
    }
    run_end_.record(stream_);
}

/// Once more, for times that will come again. False where that is not needed, takes long or keeps a newer request
/// waiting.
bool CudaSession::repeat() {
    if (!std::exchange(run_->is_a_first, false) || pending_ || run_->device_ms > kRepeated_ms) return false;
    if (run_->into_texture && !textures_->prepare(run_->output_spec)) return false;
    compute();
    return true;
}

/// Copies the run's result into the presenter's textures. False where it must take the way through a host image.
bool CudaSession::present_from_memory() {
    if (textures_ == nullptr || !textures_->prepare(run_->output_spec)) return false;
    const DeviceImage& image = results_[size_t(run_->buffer)].image;
    const size_t pixel_bytes = size_t(bytes_per_pixel(image.spec.format));
    const auto tiles = map_textures();
    {
        const auto stage = stages_.stage("present", 2 * image.spec.row_bytes() * size_t(image.spec.height));
        for (const ResultTextures::Mapped& tile : tiles) {
            const uint8_t* d_from =
                image.d_data() + size_t(tile.rect.y) * image.pitch_bytes + size_t(tile.rect.x) * pixel_bytes;
            TONESCOPE_CUDA(cudaMemcpy2DToArrayAsync(tile.array, 0, 0, d_from, image.pitch_bytes,
                                                    size_t(tile.rect.width) * pixel_bytes, size_t(tile.rect.height),
                                                    cudaMemcpyDeviceToDevice, stream_));
        }
    }
    show_textures();
    presented_.record(stream_);
    map_ahead();
    run_->phase = Phase::presenting;
    return true;
}

void CudaSession::fetch_to_host() {
    auto promise = std::make_shared<std::promise<Fetched>>();
    run_->fetched = promise->get_future();
    run_->phase = Phase::downloading;
    download_.fetch(results_[size_t(run_->buffer)], [this, promise](auto image, double ms, std::exception_ptr error) {
        if (error) {
            promise->set_exception(error);
        } else {
            promise->set_value({std::move(image), ms});
        }
        wake_();
    });
}

std::optional<LiveResult> CudaSession::advance() {
    if (run_->phase == Phase::round_trip) {
        if (!round_trip_.finished()) return {};
        if (!run_->dropped) return finish_round_trip();
        run_.reset();
        return {};
    }
    if (run_->phase == Phase::computing) {
        if (!run_end_.done()) return {};
        if (run_->dropped) {
            run_.reset();
            return {};
        }
        float ms = 0;
        TONESCOPE_CUDA(cudaEventElapsedTime(&ms, run_begin_, run_end_));
        run_->device_ms = double(ms);
        if (repeat()) return {};
        const RunSpec& spec = run_->request.spec;
        known_times_[spec.variant] = {spec.params, spec.variant_params, double(ms)};
        if (run_->buffer == kNoBuffer) return finish();
        if (!present_from_memory()) fetch_to_host();
    }
    if (run_->phase == Phase::presenting && !presented_.done()) return {};
    if (run_->phase == Phase::downloading &&
        run_->fetched.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        return {};
    if (run_->dropped) {
        run_.reset();
        return {};
    }
    return finish();
}

LiveResult CudaSession::finish() {
    LiveResult result{.serial = run_->request.serial, .image_serial = image_serial_, .spec = run_->output_spec};
    if (run_->phase == Phase::downloading) {
        const Fetched fetched = run_->fetched.get();
        result.image = fetched.image;
        stages_.add("download", fetched.ms, run_->output_spec.row_bytes() * size_t(run_->output_spec.height));
    }
    result.stages = stages_.times();
    result.resources = launches_.resources(device_);
    result.device_ms = run_->device_ms;
    if (const std::optional<double> ms = upload_.take_ms())
        result.stages.insert(result.stages.begin(),
                             {"upload", *ms, image_spec_.row_bytes() * size_t(image_spec_.height)});
    const HostCounts& counts = host_counts();
    if (run_->request.spec.op->makes_bins) {
        result.bins =
            BinsResult{{counts.bins, counts.bins + kFineBins}, {counts.bin_counts, counts.bin_counts + kFineBins}};
        front_.reset();
    } else {
        result.histogram = display_histogram(counts.display, run_->output_spec);
        front_ = Front{run_->request.spec, run_->output_spec, run_->buffer};
    }
    run_.reset();
    return result;
}

LiveResult CudaSession::finish_round_trip() {
    LiveRoundTrip::Result whole = round_trip_.take();
    LiveResult result{.serial = run_->request.serial,
                      .image_serial = image_serial_,
                      .spec = run_->output_spec,
                      .image = whole.image,
                      .histogram = whole.histogram,
                      .bins = std::move(whole.run.bins),
                      .stages = std::move(whole.run.stages),
                      .resources = std::move(whole.run.resources)};
    front_.reset();
    if (whole.image) front_ = Front{run_->request.spec, run_->output_spec, kNoBuffer, whole.image};
    run_.reset();
    return result;
}

}  // namespace tonescope
