// A live session's run, from the launch to the result.
#include <atomic>
#include <chrono>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/timing.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/session/session.h"

namespace tonescope {
namespace {

bool is_round_trip(const RunSpec& spec) {
    return spec.memory_mode() != MemoryMode::pinned || spec.variant->max_pixels > 0;
}

/// Variants that take longer write memory first: the texture they wrote could not be drawn meanwhile.
constexpr double kFast_ms = 8, kShort_ms = 0.5;

}  // namespace

/// What has been given to the presenter's textures is on screen already, though front_ is of the run before.
bool CudaSession::shows_run() const {
    return run_ && (run_->into_texture || run_->phase == Phase::presenting);
}

/// Whether the phase of the run has ended.
bool CudaSession::has_ended() const {
    switch (run_->phase) {
        case Phase::computing:
            return run_end_.done();
        case Phase::presenting:
            return presented_.done();
        case Phase::downloading:
            return is_ready(run_->downloaded);
        case Phase::round_trip:
            return is_ready(run_->round_trip);
    }
    return true;
}

std::optional<LiveResult> CudaSession::advance() {
    if (!has_ended()) return {};
    if (run_->phase == Phase::computing && !run_->dropped) {
        run_->device_ms = run_end_.ms_since(run_begin_);
        if (repeat()) return {};
        const RunSpec& spec = run_->request.spec;
        known_times_[spec.variant] = {spec, run_->device_ms};
        if (run_->buffer && !present_from_memory()) {
            LiveDownload::Promise promise;
            run_->downloaded = promise.get_future();
            run_->phase = Phase::downloading;
            download_.start(run_->buffer, std::move(promise));
        }
        if (!has_ended()) return {};
    }
    if (!run_->dropped) return finish();
    run_.reset();
    return {};
}

LiveResult CudaSession::finish() {
    LiveResult result = run_->phase == Phase::round_trip ? run_->round_trip.get() : finish_on_device();
    result.serial = run_->request.serial;
    result.image_serial = image_serial_;
    result.spec = run_->output_spec;
    front_.reset();
    if (!result.bins) front_ = Front{run_->request.spec, run_->output_spec, run_->buffer, result.image};
    run_.reset();
    room_ = Room::enough;
    return result;
}

LiveResult CudaSession::finish_on_device() {
    LiveResult result;
    if (run_->phase == Phase::downloading) {
        result.image = run_->downloaded.get();
        runner_.stages.add("download", run_->buffer->download_ms);
    }
    result.stages = runner_.stages.times();
    result.resources = runner_.resources();
    result.device_ms = run_->device_ms;
    if (run_->request.wants_stages) {
        if (const std::optional<double> ms = upload_.take_ms())
            result.stages.insert(result.stages.begin(), {.stage = "upload", .ms = *ms});
    }
    if (run_->request.spec.op->makes_bins) {
        result.bins = runner_.bins();
    } else {
        result.histogram = runner_.histogram(run_->output_spec);
    }
    return result;
}

void CudaSession::start_pending() {
    if (image_spec_.empty()) {
        pending_.reset();  // there is nothing to run it on
        return;
    }
    if (runs_until_failure_ == 0) throw DeviceError("the GPU failed because TONESCOPE_FAIL_DEVICE_AFTER asked for it");
    const RunSpec& spec = pending_->spec;
    const ImageSpec output_spec = spec.op->output_spec(image_spec_, spec.params);
    if (is_round_trip(spec)) {
        start_round_trip(output_spec);
        return;
    }
    if (std::exchange(has_round_trip_, false)) freed_ = round_trips_.post([this] { round_trip_.reset(); });
    // The run may need the memory that the round trips had.
    if (freed_.valid() && !is_ready(freed_)) return;
    if (const std::string wrong = misfit(spec.part, image_spec_); !wrong.empty()) throw UserError(wrong);
    const bool has_image = upload_.is_sent();
    if (has_mask(spec.part) && has_image) start_on_device(output_spec);
}

/// Makes the pending request the run.
void CudaSession::begin(const ImageSpec& output_spec, Phase phase) {
    if (runs_until_failure_ > 0) --runs_until_failure_;
    run_ = Run{.request = *std::exchange(pending_, {}), .output_spec = output_spec, .phase = phase};
    last_serial_ = run_->request.serial;
}

void CudaSession::start_round_trip(const ImageSpec& output_spec) {
    begin(output_spec, Phase::round_trip);
    has_round_trip_ = true;
    run_->round_trip =
        round_trips_.post([this, image = image_, spec = run_->request.spec, stop = run_->stop.get_token()] {
            if (!round_trip_) round_trip_ = make_cuda_backend(runner_.device.index);
            return live_result(round_trip_->run(image->view(), spec, stop, RunKind::live));
        });
}

/// Whether a run like this took so little, on an image of this size, that drawing may wait for it.
bool CudaSession::is_fast(const RunSpec& spec) const {
    const auto known = known_times_.find(spec.variant);
    if (known == known_times_.end() || known->second.ms >= kFast_ms) return false;
    // A larger region may cost a multiple, and so may other parameters, except with the variants made for live use.
    if (known->second.spec.part.region != spec.part.region) return false;
    return known->second.spec == spec || spec.variant->preferred || known->second.ms < kShort_ms;
}

std::shared_ptr<ResultBuffer> CudaSession::free_buffer() const {
    for (const std::shared_ptr<ResultBuffer>& buffer : results_) {
        if (buffer.use_count() > 1) continue;
        std::atomic_thread_fence(std::memory_order_acquire);  // a worker that read it is done with it
        return buffer;
    }
    return {};
}

void CudaSession::start_on_device(const ImageSpec& output_spec) {
    const RunSpec& spec = pending_->spec;
    const bool makes_bins = spec.op->makes_bins;
    const bool into_texture = is_fast(spec) && !makes_bins && textures_ != nullptr &&
                              textures_->tile_count(output_spec) == 1 && textures_->prepare(output_spec);
    std::shared_ptr<ResultBuffer> buffer;
    if (!makes_bins && !into_texture) {
        buffer = free_buffer();
        if (!buffer) return;  // a save still reads it: later
    }
    begin(output_spec, Phase::computing);
    run_->buffer = std::move(buffer);
    run_->into_texture = into_texture;
    if (run_->buffer) run_->buffer->image.reshape(output_spec);
    compute();
    run_->is_a_first = runner_.was_a_first();
}

void CudaSession::compute() {
    runner_.stages.reset();
    runner_.stages.set_enabled(run_->request.wants_stages);
    run_begin_.record(runner_.stream);
    const RunSpec& spec = run_->request.spec;
    const DeviceOutput output = run_->into_texture
                                    ? DeviceOutput{nullptr, 0, map_textures()[0].surface, run_->output_spec}
                                : run_->buffer ? run_->buffer->output()
                                               : DeviceOutput{};
    try {
        launch(spec, output);
        if (spec.op->makes_bins) {
            runner_.count_words();
            runner_.fetch_bins();
        } else {
            runner_.count_image(output);
        }
        // Behind the counts, whose kernel may start early where no event comes before it.
        if (run_->buffer) run_->buffer->written.record(runner_.stream);
        run_end_.record(runner_.stream);
    } catch (...) {
        if (run_->into_texture) textures_->unmap(runner_.stream);
        throw;
    }
    if (run_->into_texture) show_textures();
}

/// Once more, for times that will come again. False where that is not needed, takes long or keeps a newer request
/// waiting.
bool CudaSession::repeat() {
    if (!std::exchange(run_->is_a_first, false) || pending_ || run_->device_ms > kRepeated_ms) return false;
    if (run_->into_texture && !textures_->prepare(run_->output_spec)) return false;
    compute();
    return true;
}

/// The back textures, and the stage "map": also where they were mapped ahead.
std::span<const ResultTextures::Mapped> CudaSession::map_textures() {
    const auto begin = std::chrono::steady_clock::now();
    const auto textures = textures_->map(runner_.stream);
    runner_.stages.add("map", std::exchange(mapped_ahead_ms_, 0) + ms_since(begin));
    return textures;
}

/// Gives the textures that the run wrote to the screen and maps the others for the next run. Mapping makes CUDA wait
/// for OpenGL, and the GPU change from one to the other: so that happens before a change comes, not after.
void CudaSession::show_textures() {
    const auto unmap_begin = std::chrono::steady_clock::now();
    textures_->unmap(runner_.stream);
    runner_.stages.add("unmap", ms_since(unmap_begin));
    textures_->flip(run_->request.serial);
    presented_.record(runner_.stream);
    if (!textures_->is_prepared(run_->output_spec)) return;
    const auto map_begin = std::chrono::steady_clock::now();
    textures_->map(runner_.stream);
    mapped_ahead_ms_ = ms_since(map_begin);
}

/// Copies the run's result into the presenter's textures. False where it must take the way through a host image.
bool CudaSession::present_from_memory() {
    if (textures_ == nullptr || !textures_->prepare(run_->output_spec)) return false;
    const DeviceImage& image = run_->buffer->image;
    const auto tiles = map_textures();
    try {
        const auto stage = runner_.stages.stage("present");
        for (const ResultTextures::Mapped& tile : tiles) {
            const size_t row_bytes = size_t(tile.rect.width) * size_t(bytes_per_pixel(image.spec.format));
            TONESCOPE_CUDA(cudaMemcpy2DToArrayAsync(tile.array, 0, 0, image.pixel(tile.rect.x, tile.rect.y),
                                                    image.pitch_bytes, row_bytes, size_t(tile.rect.height),
                                                    cudaMemcpyDeviceToDevice, runner_.stream));
        }
    } catch (...) {
        textures_->unmap(runner_.stream);
        throw;
    }
    show_textures();
    run_->phase = Phase::presenting;
    return true;
}

}  // namespace tonescope
