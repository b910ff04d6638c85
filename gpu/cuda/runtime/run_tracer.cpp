#include "gpu/cuda/runtime/run_tracer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/launch_log.h"

namespace tonescope {
namespace {

thread_local RunTracer* open_tracer = nullptr;
thread_local bool own_call = false;

}  // namespace

RunTracer* RunTracer::current() {
    return open_tracer;
}

bool RunTracer::is_own_call() {
    return own_call;
}

RunTracer::Scope::Scope(RunTracer& tracer, const Stream& stream) {
    tracer.start(stream);
    open_tracer = &tracer;
}

RunTracer::Scope::~Scope() {
    open_tracer = nullptr;
}

RunTracer::Pause::Pause() : paused_(std::exchange(open_tracer, nullptr)) {}

RunTracer::Pause::~Pause() {
    open_tracer = paused_;
}

RunTracer::HostSpan::~HostSpan() {
    RunTracer* const tracer = open_tracer;
    if (tracer == nullptr || tracer->failure_) return;
    try {
        const double begin_ms = tracer->ms_at(begin_), end_ms = tracer->ms_at(Clock::now());
        tracer->on_host_.push_back(
            {TraceSpan::kHostRow, kind_, {}, tracer->stage_, begin_ms, end_ms, begin_ms, bytes_});
    } catch (...) {
        tracer->failure_ = std::current_exception();
    }
}

void CUDART_CB RunTracer::run_host_function(void* own) {
    auto& function = *static_cast<HostFunction*>(own);
    function.begin = Clock::now();
    function.function(function.user);
    function.end = Clock::now();
}

/// Finds out which time of the host's clock the origin has: between a moment before it was recorded and one at which it
/// is known to be done, as close to each other as three tries bring them.
void RunTracer::start(const Stream& stream) {
    queued_.clear();
    streams_.clear();
    on_host_.clear();
    host_functions_.clear();
    stage_ = {};
    failure_ = nullptr;
    Clock::duration closest = Clock::duration::max();
    for (int round = 0; round < 3; ++round) {
        Event tried(Event::Kind::timed);
        const Clock::time_point before = Clock::now();
        tried.record(stream);
        while (!tried.done()) {
        }
        const Clock::duration apart = Clock::now() - before;
        if (apart >= closest) continue;
        closest = apart;
        origin_ = std::move(tried);
        origin_time_ = before + apart / 2;
    }
}

bool RunTracer::begin_call(TraceSpan::Kind kind, const void* function, uint64_t bytes, cudaStream_t stream) noexcept {
    if (failure_ || own_call) return false;
    try {
        const auto known = std::ranges::find(streams_, stream);
        const int row = int(known - streams_.begin()) + 1;
        if (known == streams_.end()) streams_.push_back(stream);
        const size_t timer = queued_.size();
        if (timer == timers_.size()) timers_.emplace_back();
        // Without a gate, a stream that has nothing to do would take the time of the launch itself for the kernel's.
        if (kind == TraceSpan::Kind::kernel || kind == TraceSpan::Kind::memory_set) {
            own_call = true;
            gate_.close(stream);
            own_call = false;
        }
        queued_.push_back({{row, kind, {}, stage_, 0, 0, ms_at(Clock::now()), bytes}, function, timer});
        timers_[timer].begin.record(stream);
        return true;
    } catch (...) {
        own_call = false;
        failure_ = std::current_exception();
        gate_.open();
        return false;
    }
}

void RunTracer::end_call(cudaError_t status) noexcept {
    const Queued& call = queued_.back();
    if (status != cudaSuccess) {
        queued_.pop_back();  // the caller has to see the error: no further call comes between
    } else {
        try {
            timers_[call.timer].end.record(streams_[size_t(call.span.row) - 1]);
        } catch (...) {
            failure_ = std::current_exception();
        }
    }
    gate_.open();
}

RunTrace RunTracer::finish() {
    RunTrace trace{{}, ms_at(Clock::now())};
    open_tracer = nullptr;  // what follows is no part of the run
    if (failure_) std::rethrow_exception(failure_);
    for (const Queued& call : queued_) {
        const Timer& timer = timers_[call.timer];
        timer.end.synchronize();
        TraceSpan span = call.span;
        span.begin_ms = timer.begin.ms_since(origin_);
        span.end_ms = timer.end.ms_since(origin_);
        span.name =
            call.function != nullptr ? LaunchLog::kernel_name(call.function) : std::string(to_string(span.kind));
        trace.end_ms = std::max(trace.end_ms, span.end_ms);
        trace.spans.push_back(std::move(span));
    }
    for (const HostFunction& own : host_functions_)
        on_host_.push_back({TraceSpan::kHostRow,
                            TraceSpan::Kind::host_function,
                            {},
                            own.stage,
                            ms_at(own.begin),
                            ms_at(own.end),
                            ms_at(own.begin),
                            0});
    for (TraceSpan& span : on_host_) {
        span.name = to_string(span.kind);
        trace.spans.push_back(std::move(span));
    }
    std::ranges::stable_sort(trace.spans, {}, &TraceSpan::begin_ms);
    return trace;
}

}  // namespace tonescope
