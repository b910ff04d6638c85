#include "gpu/cuda/runtime/stages.h"

#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/launch_log.h"

namespace tonescope {

StageRecorder::Scope::Scope(StageRecorder& recorder, cudaEvent_t begin, cudaEvent_t end)
    : recorder_(&recorder), end_(end) {
    TONESCOPE_CUDA(cudaEventRecord(begin, recorder.stream_));
}

StageRecorder::Scope::~Scope() {
    if (recorder_ != nullptr) TONESCOPE_CUDA_LOG(cudaEventRecord(end_, recorder_->stream_));
}

void StageRecorder::Scope::discard() {
    if (recorder_ == nullptr) return;
    recorder_->entries_.pop_back();
    --recorder_->used_;
    recorder_ = nullptr;
}

void StageRecorder::reset() {
    used_ = 0;
    entries_.clear();
}

StageRecorder::Scope StageRecorder::stage(std::string_view name) {
    LaunchLog::begin_stage(name);
    if (!enabled_) return {};
    if (size_t(used_) == pairs_.size()) pairs_.emplace_back();
    entries_.push_back({{.stage = name}, used_});
    const Pair& pair = pairs_[size_t(used_++)];
    return {*this, pair.begin, pair.end};
}

void StageRecorder::add(std::string_view name, double ms) {
    if (enabled_) entries_.push_back({{.stage = name, .ms = ms}, -1});
}

StageTimes StageRecorder::times() const {
    StageTimes times;
    times.reserve(entries_.size());
    for (const Entry& entry : entries_) {
        StageTime time = entry.time;
        if (entry.pair >= 0) time.ms = pairs_[size_t(entry.pair)].end.ms_since(pairs_[size_t(entry.pair)].begin);
        times.push_back(time);
    }
    return times;
}

StageTimes StageRecorder::wait() const {
    if (used_ > 0) pairs_[size_t(used_) - 1].end.synchronize();
    return times();
}

}  // namespace tonescope
