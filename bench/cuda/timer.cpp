#include "bench/cuda/timer.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "gpu/core/error.h"

namespace tonescope::bench {
namespace {

/// A graph holds at least so many runs, so that the start of a replay does not count.
constexpr size_t kMinRunsOfGraph = 16;
constexpr size_t kMinReplays = 5;
/// What the replays may take, where that is more than four times the time for samples.
constexpr double kReplays_ms = 1000;

std::vector<Event> timed_events(size_t count) {
    std::vector<Event> events;
    for (size_t i = 0; i < count; ++i) events.emplace_back(Event::Kind::timed);
    return events;
}

size_t samples_within(double seconds, double sample_ms, size_t least, size_t most) {
    return size_t(std::clamp(seconds * 1e3 / std::max(sample_ms, 1e-4), double(least), double(most)));
}

class Graph {
  public:
    /// Captures what `enqueue` puts on the stream. Throws DeviceError where that cannot be captured; the stream is then
    /// as before.
    template <class Work>
    Graph(const Stream& stream, Work&& enqueue) {
        TONESCOPE_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        cudaGraph_t graph = nullptr;
        try {
            enqueue();
        } catch (...) {
            cudaStreamEndCapture(stream, &graph);
            cudaGetLastError();
            if (graph != nullptr) cudaGraphDestroy(graph);
            throw;
        }
        TONESCOPE_CUDA(cudaStreamEndCapture(stream, &graph));
        const cudaError_t status = cudaGraphInstantiate(&executable_, graph, 0);
        TONESCOPE_CUDA_LOG(cudaGraphDestroy(graph));
        TONESCOPE_CUDA(status);
    }
    ~Graph() { TONESCOPE_CUDA_LOG(cudaGraphExecDestroy(executable_)); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    void launch(const Stream& stream) const { TONESCOPE_CUDA(cudaGraphLaunch(executable_, stream)); }

  private:
    cudaGraphExec_t executable_ = nullptr;
};

}  // namespace

/// Milliseconds of a run, roughly.
double CudaTimer::warm_up(size_t buffers, const Enqueue& enqueue) const {
    const std::vector<Event> events = timed_events(2);
    enqueue(0);  // allocates, loads code
    stream_.synchronize();
    events[0].record(stream_);
    enqueue(buffers - 1);
    events[1].record(stream_);
    stream_.synchronize();
    const double run_ms = events[1].ms_since(events[0]);
    if (run_ms * double(buffers) < seconds_ * 1e3)
        for (size_t i = 0; i < buffers; ++i) enqueue(i);
    stream_.synchronize();
    return run_ms;
}

std::vector<double> CudaTimer::launch_samples(size_t buffers, double run_ms, const Enqueue& enqueue) const {
    const size_t least = run_ms > seconds_ * 1e3 ? 1 : 5;
    const size_t count = samples_within(seconds_, run_ms, least, 500);
    const std::vector<Event> events = timed_events(2 * count);
    for (size_t i = 0; i < count; ++i) {
        events[2 * i].record(stream_);
        enqueue(i % buffers);
        events[2 * i + 1].record(stream_);
    }
    stream_.synchronize();
    std::vector<double> all_ms;
    for (size_t i = 0; i < count; ++i) all_ms.push_back(events[2 * i + 1].ms_since(events[2 * i]));
    return all_ms;
}

DeviceSamples CudaTimer::sample(size_t buffers, bool graph, const Enqueue& enqueue,
                                const std::function<void()>& before_samples) const {
    DeviceSamples samples;
    const double run_ms = warm_up(buffers, enqueue);
    std::unique_ptr<const Graph> captured;
    const size_t rounds =
        run_ms * double(kMinRunsOfGraph * kMinReplays) > seconds_ * 1e3 ? 1 : (kMinRunsOfGraph + buffers - 1) / buffers;
    const size_t runs = rounds * buffers;
    if (graph && run_ms * double(runs * kMinReplays) > std::max(4e3 * seconds_, kReplays_ms)) {
        samples.note = "too slow for a graph of all buffers";
    } else if (graph) {
        try {
            captured = std::make_unique<const Graph>(stream_, [&] {
                for (size_t i = 0; i < runs; ++i) enqueue(i % buffers);
            });
        } catch (const DeviceError& error) {
            samples.note = std::string("cannot be captured: ") + error.what();
        }
    }
    before_samples();
    if (!captured) {
        samples.ms = launch_samples(buffers, run_ms, enqueue);
        samples.used_buffers = std::min(buffers, samples.ms.size());
        return samples;
    }
    samples.from_graph = true;
    samples.used_buffers = buffers;
    const size_t replays = samples_within(seconds_, run_ms * double(runs), kMinReplays, 200);
    const std::vector<Event> events = timed_events(replays + 1);
    captured->launch(stream_);
    events[0].record(stream_);
    for (size_t i = 0; i < replays; ++i) {
        captured->launch(stream_);
        events[i + 1].record(stream_);
    }
    stream_.synchronize();
    for (size_t i = 0; i < replays; ++i) samples.ms.push_back(events[i + 1].ms_since(events[i]) / double(runs));
    return samples;
}

}  // namespace tonescope::bench
