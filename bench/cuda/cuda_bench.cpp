#include "bench/cuda/cuda_bench.h"

#include <algorithm>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"

namespace tonescope::bench {
namespace {

/// Runs with stages on, after the samples.
constexpr size_t kStageRuns = 20;
constexpr double kSlowRun_ms = 50;
constexpr size_t kMaxBuffers = 1024;
constexpr size_t kBufferAlignment_bytes = 512;

}  // namespace

void Ring::reshape(MemoryMode mode, size_t count, size_t bytes) {
    count_ = count;
    stride_bytes_ = (bytes + kBufferAlignment_bytes - 1) / kBufferAlignment_bytes * kBufferAlignment_bytes;
    const size_t total_bytes = count_ * stride_bytes_;
    switch (mode) {
        case MemoryMode::mapped:
            pinned_.reserve(total_bytes);
            d_base_ = mapped_pointer(pinned_.as<uint8_t>());
            return;
        case MemoryMode::managed:
            managed_.reserve(total_bytes);
            d_base_ = managed_.as<uint8_t>();
            return;
        default:
            device_.reserve(total_bytes);
            d_base_ = device_.as<uint8_t>();
    }
}

void Ring::fill(uint8_t value, cudaStream_t stream) const {
    TONESCOPE_CUDA(cudaMemsetAsync(d_base_, value, count_ * stride_bytes_, stream));
}

size_t buffers_past_cache(size_t run_bytes, size_t l2_bytes) {
    return std::clamp((3 * l2_bytes + run_bytes - 1) / run_bytes, size_t{2}, kMaxBuffers);
}

void load_image(const Ring& ring, const ImageView& image, size_t pitch_bytes, cudaStream_t stream) {
    TONESCOPE_CUDA(cudaMemcpy2DAsync(ring.at(0), pitch_bytes, image.data, image.pitch_bytes, image.spec.row_bytes(),
                                     size_t(image.spec.height), cudaMemcpyDefault, stream));
    for (size_t i = 1; i < ring.count(); ++i)
        TONESCOPE_CUDA(cudaMemcpyAsync(ring.at(i), ring.at(0), ring.stride_bytes(), cudaMemcpyDefault, stream));
    TONESCOPE_CUDA(cudaStreamSynchronize(stream));
}

std::unique_ptr<GpuBench> make_gpu_bench(const Options& options) {
    return std::make_unique<CudaBench>(options);
}

CudaBench::CudaBench(const Options& given)
    : options(given),
      device(select_device(given.device)),
      timer(given.seconds),
      stages(timer.stream()),
      npp(load_npp(device, timer.stream())) {
    stages.set_enabled(false);
}

Json CudaBench::facts() const {
    int version = 0;
    TONESCOPE_CUDA(cudaRuntimeGetVersion(&version));
    return {{"gpu", std::string(device.name)},
            {"cuda", std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10)},
            {"l2_bytes", device.l2CacheSize}};
}

Rows CudaBench::time(const Work& work, bool any_launch) {
    Rows rows;
    const auto poison = [&] {
        if (work.results == nullptr) return;
        work.results->fill(work.poison, timer.stream());
        timer.stream().synchronize();
    };
    for (const bool cold : {true, false}) {
        if (options.cache == (cold ? "hot" : "cold")) continue;
        for (const bool graph : {true, false}) {
            if (!any_launch && options.launch == (graph ? "stream" : "graph")) continue;
            Row row{.subject = work.subject,
                    .cache = cold ? "cold" : "hot",
                    .buffers = cold ? work.buffers : 1,
                    .bytes = work.bytes};
            DeviceSamples samples = timer.sample(row.buffers, graph, work.enqueue, poison);
            row.launch = samples.from_graph ? "graph" : "stream";
            row.note = std::move(samples.note);
            row.set_samples(std::move(samples.ms));
            if (const auto copy = copy_gb_s.find(row.cache); copy != copy_gb_s.end())
                row.share = row.gb_s() / copy->second;
            if (work.results != nullptr) {
                int64_t most = 0;
                for (size_t i = 0; i < samples.used_buffers; ++i) most = std::max(most, work.differences(i));
                row.set_verdict(most, work.variant, work.bins);
            }
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

void CudaBench::load_input(MemoryMode mode, size_t buffers) {
    if (loaded_buffers == buffers && loaded_mode == mode) return;
    loaded_buffers = 0;
    input.reshape(mode, buffers, input_bytes());
    load_image(input, image->view(), input_pitch_bytes, timer.stream());
    loaded_buffers = buffers;
    loaded_mode = mode;
}

int64_t CudaBench::different_pixels(size_t i, size_t pitch_bytes, const HostImage& expected) const {
    HostImage got(expected.spec());
    TONESCOPE_CUDA(cudaMemcpy2D(got.data(), got.pitch_bytes(), output.at(i), pitch_bytes, got.spec().row_bytes(),
                                size_t(got.height()), cudaMemcpyDefault));
    return count_different_pixels(got.view(), expected.view());
}

std::vector<StageTimes> CudaBench::run_with_stages(const Row& row, const Enqueue& enqueue) {
    std::vector<StageTimes> runs(row.time.median_ms > kSlowRun_ms ? 1 : kStageRuns);
    stages.set_enabled(true);
    for (size_t i = 0; i < runs.size(); ++i) {
        stages.reset();
        enqueue(i % row.buffers);
        runs[i] = stages.wait();
    }
    stages.set_enabled(false);
    return runs;
}

Rows CudaBench::begin(const HostImage& next_image) {
    image = &next_image;
    input_pitch_bytes = aligned_pitch_bytes(image->spec());
    loaded_buffers = 0;
    copy_gb_s.clear();
    const size_t bytes = input_bytes(), buffers = buffers_past_cache(2 * bytes, device.l2CacheSize);
    load_input(MemoryMode::pinned, buffers);
    output.reshape(MemoryMode::pinned, buffers, bytes);
    const Enqueue copy = [&](size_t i) {
        TONESCOPE_CUDA(cudaMemcpyAsync(output.at(i), input.at(i), bytes, cudaMemcpyDeviceToDevice, timer.stream()));
    };
    Rows rows = time({{"copy", "limit", "device to device", "cuda"}, buffers, 2.0 * double(bytes), copy}, true);
    for (const Row& row : rows) copy_gb_s[row.cache] = std::max(copy_gb_s[row.cache], row.gb_s());
    for (Row& row : rows) row.share = row.gb_s() / copy_gb_s[row.cache];
    return rows;
}

Rows CudaBench::time_variant(const RunSpec& spec, const RunResult& expected, const Subject& subject) {
    if (spec.variant->run_cuda == nullptr) throw DeviceError("this build has no code for it");
    const bool bins = spec.op->makes_bins;
    const bool on_host = spec.memory == MemoryMode::mapped || spec.memory == MemoryMode::managed;
    const MemoryMode mode = on_host ? spec.memory : MemoryMode::pinned;
    const size_t pitch_bytes = bins ? 0 : aligned_pitch_bytes(expected.image.spec());
    const size_t output_bytes = bins ? kFineBins : pitch_bytes * size_t(expected.image.height());
    const size_t buffers = buffers_past_cache(input_bytes() + output_bytes, device.l2CacheSize);
    load_input(mode, buffers);
    output.reshape(bins ? MemoryMode::pinned : mode, buffers, output_bytes);
    scratch.clear();
    const Enqueue enqueue = [&](size_t i) {
        CudaJob job{.d_input = input.at(i),
                    .input_pitch_bytes = input_pitch_bytes,
                    .input_spec = image->spec(),
                    .output = {bins ? nullptr : output.at(i), pitch_bytes, 0, expected.image.spec()},
                    .d_bins = bins ? output.at(i) : nullptr,
                    .params = spec.params,
                    .variant_params = spec.variant_params,
                    .stream = timer.stream(),
                    .device = device,
                    .scratch = scratch,
                    .stages = stages};
        spec.variant->run_cuda(job);
    };
    const auto differences = [&](size_t i) {
        if (!bins) return different_pixels(i, pitch_bytes, expected.image);
        uint8_t got[kFineBins];
        TONESCOPE_CUDA(cudaMemcpy(got, output.at(i), kFineBins, cudaMemcpyDefault));
        return count_different_bins(got, expected);
    };
    Rows rows = time({subject, buffers, least_bytes(*image, expected), enqueue, &output, poison_for(expected),
                      differences, spec.variant, bins});
    for (Row& row : rows) {
        if (options.stages) row.set_stages(run_with_stages(row, enqueue));
        if (on_host)
            row.note += (row.note.empty() ? "" : "; ") + std::string(kMemoryModeIds[size_t(spec.memory)]) + " memory";
    }
    return rows;
}

}  // namespace tonescope::bench
