// Times work on a CUDA stream: as launched one by one, or replayed from a graph.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "gpu/cuda/runtime/stream.h"

namespace tonescope::bench {

/// Puts one run, on the buffers of number `i`, on the stream.
using Enqueue = std::function<void(size_t i)>;

struct DeviceSamples {
    std::vector<double> ms;  // of one run each; from a graph: a replay's time divided by its runs
    bool from_graph = false;
    size_t used_buffers = 0;  // the first ones
    std::string note;         // why not from a graph, where one was asked for
};

class CudaTimer {
  public:
    /// `seconds` for the samples of one measurement.
    explicit CudaTimer(double seconds) : seconds_(seconds) {}

    /// Warms up, calls before_samples(), and takes samples over `buffers` in turn. Returns when the stream is done.
    /// Throws what `enqueue` throws, and DeviceError.
    DeviceSamples sample(size_t buffers, bool graph, const Enqueue& enqueue,
                         const std::function<void()>& before_samples) const;
    const Stream& stream() const { return stream_; }

  private:
    double warm_up(size_t buffers, const Enqueue& enqueue) const;
    std::vector<double> launch_samples(size_t buffers, double run_ms, const Enqueue& enqueue) const;

    Stream stream_;
    double seconds_;
};

}  // namespace tonescope::bench
