#include "bench/cuda/cuda_bench.h"

#include <algorithm>
#include <utility>

#include "bench/cuda/state.h"
#include "bench/stage_samples.h"
#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"

namespace tonescope::bench {
namespace {

/// Runs with stages on, after the samples.
constexpr size_t kStageRuns = 20;
constexpr double kSlowRun_ms = 50;

bool reaches_host(MemoryMode mode) {
    return mode == MemoryMode::mapped || mode == MemoryMode::managed;
}

/// A variant, its buffers and what it must give.
class VariantRun {
  public:
    VariantRun(CudaBench::State& state, const RunSpec& spec, const Answer& expected);

    void enqueue(size_t i);
    void poison() const;
    void check(Timing& timing, size_t used) const;
    std::vector<std::pair<std::string, double>> stages_ms(const Timing& timing);
    size_t buffers() const { return buffers_; }

  private:
    int64_t differences(size_t i) const;

    CudaBench::State& state_;
    const RunSpec& spec_;
    const Answer& expected_;
    size_t buffers_ = 0, output_pitch_bytes_ = 0;
};

VariantRun::VariantRun(CudaBench::State& state, const RunSpec& spec, const Answer& expected)
    : state_(state), spec_(spec), expected_(expected) {
    const MemoryMode mode = reaches_host(spec.memory) ? spec.memory : MemoryMode::pinned;
    size_t output_bytes = kFineBins;
    if (!spec.op->makes_bins) {
        output_pitch_bytes_ = aligned_pitch_bytes(expected.image.spec());
        output_bytes = output_pitch_bytes_ * size_t(expected.image.height());
    }
    buffers_ = buffers_past_cache(state.input_bytes() + output_bytes, state.device.l2_bytes);
    state.load_input(mode, buffers_);
    state.output.reshape(spec.op->makes_bins ? MemoryMode::pinned : mode, buffers_, output_bytes);
    state.scratch.clear();
}

void VariantRun::enqueue(size_t i) {
    uint8_t* d_output = state_.output.at(i);
    const bool bins = spec_.op->makes_bins;
    CudaJob job{.d_input = state_.input.at(i),
                .input_pitch_bytes = state_.input_pitch_bytes,
                .input_spec = state_.image->spec(),
                .output = {bins ? nullptr : d_output, output_pitch_bytes_, 0, expected_.image.spec()},
                .d_bins = bins ? d_output : nullptr,
                .params = spec_.params,
                .variant_params = spec_.variant_params,
                .stream = state_.timer.stream(),
                .device = state_.device,
                .scratch = state_.scratch,
                .stages = state_.stages};
    spec_.variant->run_cuda(job);
}

void VariantRun::poison() const {
    state_.output.fill(poison_for(expected_), state_.timer.stream());
    state_.timer.stream().synchronize();
}

int64_t VariantRun::differences(size_t i) const {
    if (spec_.op->makes_bins) {
        uint8_t bins[kFineBins];
        TONESCOPE_CUDA(cudaMemcpy(bins, state_.output.at(i), kFineBins, cudaMemcpyDefault));
        return count_different_bins(bins, expected_);
    }
    HostImage got(expected_.image.spec());
    TONESCOPE_CUDA(cudaMemcpy2D(got.data(), got.pitch_bytes(), state_.output.at(i), output_pitch_bytes_,
                                got.spec().row_bytes(), size_t(got.height()), cudaMemcpyDefault));
    return count_different_pixels(got.view(), expected_.image.view());
}

void VariantRun::check(Timing& timing, size_t used) const {
    int64_t most = 0;
    for (size_t i = 0; i < used; ++i) most = std::max(most, differences(i));
    judge(timing, most, spec_.variant, spec_.op->makes_bins);
}

std::vector<std::pair<std::string, double>> VariantRun::stages_ms(const Timing& timing) {
    StageSamples samples;
    state_.stages.set_enabled(true);
    const size_t runs = timing.time.median_ms > kSlowRun_ms ? 1 : kStageRuns;
    for (size_t i = 0; i < runs; ++i) {
        state_.stages.reset();
        enqueue(i % timing.buffers);
        samples.add(state_.stages.wait());
    }
    state_.stages.set_enabled(false);
    return samples.medians_ms();
}

}  // namespace

CudaBench::State::State(const Options& given)
    : options(given),
      device(select_device(given.device)),
      timer(given.seconds),
      stages(timer.stream()),
      npp(Npp::load(device, timer.stream())) {
    stages.set_enabled(false);
}

std::vector<Timing> CudaBench::State::time(size_t buffers, double bytes, const Enqueue& enqueue,
                                           const std::function<void()>& before_samples, const Check& check,
                                           bool any_launch) {
    std::vector<Timing> timings;
    for (const bool cold : {true, false}) {
        if (!(cold ? options.cold : options.hot)) continue;
        for (const bool graph : {true, false}) {
            if (!any_launch && !(graph ? options.graph : options.stream)) continue;
            Timing timing{.cache = cold ? "cold" : "hot", .buffers = cold ? buffers : 1, .bytes = bytes};
            DeviceSamples samples = timer.sample(timing.buffers, graph, enqueue, before_samples);
            timing.launch = samples.from_graph ? "graph" : "stream";
            timing.note = std::move(samples.note);
            take(timing, std::move(samples.ms));
            if (const auto copy = copy_gb_s.find(timing.cache); copy != copy_gb_s.end())
                timing.share = timing.gb_s() / copy->second;
            check(timing, samples.used_buffers);
            timings.push_back(std::move(timing));
        }
    }
    return timings;
}

void CudaBench::State::load_input(MemoryMode mode, size_t buffers) {
    if (loaded_buffers == buffers && loaded_mode == mode) return;
    loaded_buffers = 0;
    input.reshape(mode, buffers, input_bytes());
    load_image(input, image->view(), input_pitch_bytes, timer.stream());
    loaded_buffers = buffers;
    loaded_mode = mode;
}

CudaBench::CudaBench(const Options& options) : state_(std::make_unique<State>(options)) {}
CudaBench::~CudaBench() = default;

std::string CudaBench::device_name() const {
    return state_->device.name;
}
size_t CudaBench::l2_bytes() const {
    return state_->device.l2_bytes;
}

std::string CudaBench::cuda_version() const {
    int version = 0;
    TONESCOPE_CUDA(cudaRuntimeGetVersion(&version));
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Measured CudaBench::begin(const HostImage& image) {
    State& s = *state_;
    s.image = &image;
    s.input_pitch_bytes = aligned_pitch_bytes(image.spec());
    s.loaded_buffers = 0;
    s.copy_gb_s.clear();
    const size_t bytes = s.input_bytes(), buffers = buffers_past_cache(2 * bytes, s.device.l2_bytes);
    s.load_input(MemoryMode::pinned, buffers);
    s.output.reshape(MemoryMode::pinned, buffers, bytes);
    Measured copy{{"copy", "limit", "device to device", "cuda"}, {}, {}};
    copy.timings = s.time(
        buffers, 2.0 * double(bytes),
        [&](size_t i) {
            TONESCOPE_CUDA(
                cudaMemcpyAsync(s.output.at(i), s.input.at(i), bytes, cudaMemcpyDeviceToDevice, s.timer.stream()));
        },
        [] {}, [](Timing&, size_t) {}, true);
    for (const Timing& timing : copy.timings) {
        double& best = s.copy_gb_s[timing.cache];
        best = std::max(best, timing.gb_s());
    }
    for (Timing& timing : copy.timings) timing.share = timing.gb_s() / s.copy_gb_s[timing.cache];
    return copy;
}

std::vector<Timing> CudaBench::time_variant(const RunSpec& spec, const Answer& expected) {
    State& s = *state_;
    if (spec.variant->run_cuda == nullptr) throw DeviceError("this build has no code for it");
    VariantRun run(s, spec, expected);
    std::vector<Timing> timings = s.time(
        run.buffers(), least_bytes(*s.image, expected), [&](size_t i) { run.enqueue(i); }, [&] { run.poison(); },
        [&](Timing& timing, size_t used) { run.check(timing, used); });
    for (Timing& timing : timings) {
        if (s.options.stages) timing.stages_ms = run.stages_ms(timing);
        if (reaches_host(spec.memory))
            timing.note +=
                (timing.note.empty() ? "" : "; ") + std::string(kMemoryModeIds[size_t(spec.memory)]) + " memory";
    }
    return timings;
}

}  // namespace tonescope::bench
