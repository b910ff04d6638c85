// Runs CPU variants one at a time, and measures the memory's bandwidth.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/limits/stage_bytes.h"
#include "gpu/core/parallel.h"
#include "gpu/cpu/display_histogram.h"
#include "gpu/cpu/put_back.h"
#include "gpu/cpu/roofs.h"

namespace tonescope {
namespace {

/// By additions that wait for each other, which take a cycle each. Of three tries the fastest: another program may
/// have the core for a while.
double measure_cpu_mhz() {
    constexpr int kAdditions = 50000;
    double best_us = 1e9;
    for (int round = 0; round < 3; ++round) {
        unsigned sum = 0;
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < kAdditions; i += 4) {
            for (int k = 0; k < 4; ++k) {
                sum += 3;
                asm volatile("" : "+r"(sum));  // they stay as they are
            }
        }
        best_us = std::min(best_us, ms_since(begin) * 1000);
    }
    return kAdditions / std::max(best_us, 1e-3);
}

/// `bytes`: of each stage.
RunTrace trace_of(const StageTimes& stages, const std::vector<uint64_t>& bytes,
                  std::chrono::steady_clock::time_point begin) {
    RunTrace trace{{}, ms_since(begin)};
    for (size_t i = 0; i < stages.size(); ++i) {
        const StageTime& stage = stages[i];
        const double from_ms = std::chrono::duration<double, std::milli>(stage.begin - begin).count();
        trace.spans.push_back({TraceSpan::kHostRow, TraceSpan::Kind::stage, std::string(stage.stage), stage.stage,
                               from_ms, from_ms + stage.ms, from_ms, bytes[i]});
    }
    return trace;
}

class CpuBackend final : public Backend {
  public:
    CpuBackend(int threads, RunProgress* progress) : threads_(threads), progress_(progress) {}

    BackendKind kind() const override { return BackendKind::cpu; }
    std::string device_name() const override { return cpu_device_name(threads_); }
    int64_t lanes() const override { return threads_; }

    ClockRate clock() override { return {measure_cpu_mhz(), 0}; }
    Roofs roofs(std::stop_token stop) override {
        return roofs_once(
            device_name(), [&] { return measure_cpu_roofs(threads_, stop); }, measure_cpu_mhz, stop);
    }

    RunResult run(const ImageView& input, const RunSpec& spec, std::stop_token stop, RunKind kind) override {
        if (spec.variant->run_cpu == nullptr)
            throw UserError(std::string(spec.op->id) + " " + std::string(spec.variant->id) +
                            " does not run on the CPU backend");
        check_takes(spec, input.spec);
        RunResult result;
        const Rect rect = filtered_rect(spec.part, input.spec);
        const ImageView filtered = part_of(input, rect);
        HostImage made;
        CpuJob job{.input = filtered,
                   .params = spec.params,
                   .variant_params = spec.variant_params,
                   .threads = threads_,
                   .stop = stop,
                   .stages = &result.stages,
                   .progress = progress_};
        if (spec.op->makes_bins) {
            job.bins = &result.bins.emplace();
        } else {
            result.image = HostImage(spec.op->output_spec(input.spec, spec.params));
            job.output = result.image.mutable_view();
            if (spec.part.has_region()) {
                made = HostImage(spec.op->output_spec(filtered.spec, spec.params));
                job.output = made.mutable_view();
            }
        }
        const auto begin = std::chrono::steady_clock::now();
        spec.variant->run_cpu(job);
        if (!spec.op->makes_bins && !spec.part.is_whole()) {
            const ScopedStage stage(job.stages, "put back");
            put_back(input, spec.part, job.output, rect, result.image.mutable_view(), threads_, stop);
        }
        if (kind == RunKind::traced) {
            const Work work = spec.variant->work({filtered.spec, spec.params, spec.variant_params});
            result.trace = trace_of(result.stages,
                                    bytes_of_stages(result.stages, work, filtered.spec, result.image.spec()), begin);
        }
        if (kind == RunKind::live && !spec.op->makes_bins)
            result.histogram = count_display_histogram(result.image.view(), threads_, stop);
        if (stop.stop_requested()) throw Canceled{};
        return result;
    }

  private:
    int threads_;
    RunProgress* progress_;
};

}  // namespace

int default_cpu_threads() {
    return std::max(1, int(std::thread::hardware_concurrency()));
}

std::string cpu_device_name(int threads) {
    return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::unique_ptr<Backend> make_cpu_backend(int threads, RunProgress* progress) {
    return std::make_unique<CpuBackend>(threads > 0 ? threads : default_cpu_threads(), progress);
}

/// Copies between two buffers with all threads.
double measure_cpu_copy_gb_s(int threads, std::stop_token stop) {
    constexpr size_t kChunk_bytes = size_t{1} << 20;
    constexpr int kChunks = 128, kRuns = 5;
    constexpr size_t bytes = kChunk_bytes * kChunks;
    check_memory(2 * bytes);
    const auto from = std::make_unique_for_overwrite<uint8_t[]>(bytes);
    const auto to = std::make_unique_for_overwrite<uint8_t[]>(bytes);
    // The system makes pages when they are touched first: not while copies are timed.
    parallel_for(threads, kChunks, 1, [&](int64_t k) {
        std::memset(from.get() + size_t(k) * kChunk_bytes, int(k), kChunk_bytes);
        std::memset(to.get() + size_t(k) * kChunk_bytes, 0, kChunk_bytes);
    });
    double best_s = 1e9;
    for (int run = 0; run < kRuns; ++run) {
        if (stop.stop_requested()) return 0;
        const auto begin = std::chrono::steady_clock::now();
        parallel_for(threads, kChunks, 1, [&](int64_t k) {
            std::memcpy(to.get() + size_t(k) * kChunk_bytes, from.get() + size_t(k) * kChunk_bytes, kChunk_bytes);
        });
        const std::chrono::duration<double> s = std::chrono::steady_clock::now() - begin;
        best_s = std::min(best_s, s.count());
    }
    return 2.0 * double(bytes) / best_s * 1e-9;
}

}  // namespace tonescope
