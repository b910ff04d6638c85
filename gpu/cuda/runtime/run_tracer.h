// Times every call of a run to the device: kernels, copies, memory sets and host functions on any stream, and what the
// host does between. Nothing in variants knows of it: the linker leads CUDA's functions through launch_log.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <deque>
#include <exception>
#include <optional>
#include <string_view>
#include <vector>

#include "gpu/core/trace.h"
#include "gpu/cuda/runtime/clock.h"
#include "gpu/cuda/runtime/stream.h"

namespace tonescope {

/// For one thread at a time. Keeps its events from run to run.
class RunTracer {
  public:
    using Clock = std::chrono::steady_clock;

    /// While it exists, the calling thread's calls are traced, and earlier ones are forgotten. `stream` is idle. Throws
    /// DeviceError.
    class [[nodiscard]] Scope {
      public:
        Scope(RunTracer& tracer, const Stream& stream);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
    };
    /// While it exists, the calling thread's calls are not traced: they are no part of the run.
    class [[nodiscard]] Pause {
      public:
        Pause();
        ~Pause();
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;

      private:
        RunTracer* const paused_;
    };
    /// What was traced up to this call, inside the scope. Waits for all of it. Throws DeviceError, also for what went
    /// wrong while the run was traced.
    RunTrace finish();

    /// The tracer of the calling thread; null where nothing is traced.
    static RunTracer* current();
    /// Whether the calling thread's launches are a tracer's own.
    static bool is_own_call();
    void begin_stage(std::string_view stage) { stage_ = stage; }

    /// Times a call that queues something on a stream. `function`: of a kernel. A tracer that fails is quiet until
    /// finish().
    template <class Call>
    cudaError_t queue(TraceSpan::Kind kind, const void* function, uint64_t bytes, cudaStream_t stream, Call&& call) {
        if (!begin_call(kind, function, bytes, stream)) return call();
        const cudaError_t status = call();
        end_call(status);
        return status;
    }
    /// The same for cudaLaunchHostFunc, with what has to be queued in place of the function.
    template <class Call>
    cudaError_t queue_host_function(cudaHostFn_t function, void* user, cudaStream_t stream, Call&& call) {
        if (!begin_call(TraceSpan::Kind::host_function, nullptr, 0, stream)) return call(function, user);
        HostFunction& own = host_functions_.emplace_back(HostFunction{function, user, stage_, {}, {}});
        const cudaError_t status = call(run_host_function, &own);
        end_call(status);
        return status;
    }
    /// Times what the host does itself.
    template <class Call>
    static auto on_host(TraceSpan::Kind kind, uint64_t bytes, Call&& call) {
        if (current() == nullptr) return call();
        const HostSpan span(kind, bytes);
        return call();
    }

  private:
    struct Timer {
        Event begin{Event::Kind::timed}, end{Event::Kind::timed};
    };
    struct Queued {
        TraceSpan span;
        const void* function;
        size_t timer;
    };
    struct HostFunction {
        cudaHostFn_t function;
        void* user;
        std::string_view stage;
        Clock::time_point begin, end;
    };
    class HostSpan {
      public:
        HostSpan(TraceSpan::Kind kind, uint64_t bytes) : kind_(kind), bytes_(bytes), begin_(Clock::now()) {}
        ~HostSpan();
        HostSpan(const HostSpan&) = delete;
        HostSpan& operator=(const HostSpan&) = delete;

      private:
        TraceSpan::Kind kind_;
        uint64_t bytes_;
        Clock::time_point begin_;
    };
    static void CUDART_CB run_host_function(void* own);

    void start(const Stream& stream);
    bool begin_call(TraceSpan::Kind kind, const void* function, uint64_t bytes, cudaStream_t stream) noexcept;
    void end_call(cudaError_t status) noexcept;
    double ms_at(Clock::time_point time) const {
        return std::chrono::duration<double, std::milli>(time - origin_time_).count();
    }

    StreamGate gate_;
    Event origin_{Event::Kind::timed};
    Clock::time_point origin_time_;
    std::deque<Timer> timers_;
    std::vector<Queued> queued_;
    std::vector<cudaStream_t> streams_;  // by row, from row 1 on
    std::vector<TraceSpan> on_host_;
    std::deque<HostFunction> host_functions_;  // the driver holds their addresses
    std::string_view stage_;
    std::exception_ptr failure_;
};

/// RunTracer::queue() where the calling thread is traced.
template <class Call>
cudaError_t traced(TraceSpan::Kind kind, const void* function, uint64_t bytes, cudaStream_t stream, Call&& call) {
    RunTracer* const tracer = RunTracer::current();
    return tracer == nullptr ? call() : tracer->queue(kind, function, bytes, stream, call);
}

}  // namespace tonescope
