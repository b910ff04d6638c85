// Times of the stages of a run on a stream, by pairs of events that are reused from run to run.
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>
#include <vector>

#include "gpu/core/timing.h"
#include "gpu/cuda/runtime/stream.h"

namespace tonescope {

class StageRecorder {
  public:
    explicit StageRecorder(cudaStream_t stream) : stream_(stream) {}

    /// Forgets the stages of the run before.
    void reset();
    /// While it is off, stages are neither timed nor kept and the stream gets no events: a run can be captured into a
    /// graph, or timed as a whole.
    void set_enabled(bool enabled) { enabled_ = enabled; }

    /// Records an event at construction and another at destruction.
    class [[nodiscard]] Scope {
      public:
        Scope() = default;  // times nothing
        Scope(StageRecorder& recorder, cudaEvent_t begin, cudaEvent_t end);
        ~Scope();
        /// Nothing came of the stage, which is the newest one: it is not listed.
        void discard();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        StageRecorder* recorder_ = nullptr;
        cudaEvent_t end_ = nullptr;
    };
    /// `name`: a string literal.
    Scope stage(std::string_view name);
    /// Adds a stage that was timed otherwise.
    void add(std::string_view name, double ms);

    /// The stages in the order in which they began, once the device is done with all. Throws DeviceError.
    StageTimes times() const;
    /// Waits, then times(). Throws DeviceError.
    StageTimes wait() const;

  private:
    struct Pair {
        Event begin{Event::Kind::timed}, end{Event::Kind::timed};
    };
    struct Entry {
        StageTime time;
        int pair;  // -1: timed otherwise
    };
    cudaStream_t stream_;
    std::vector<Pair> pairs_;
    int used_ = 0;
    bool enabled_ = true;
    std::vector<Entry> entries_;
};

}  // namespace tonescope
