#include "app/viewer/live/grid_task.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "gpu/core/error.h"

namespace tonescope {
namespace {

double run_ms(const StageTimes& stages, double wall_ms) {
    if (stages.empty()) return wall_ms;
    double sum_ms = 0;
    for (const StageTime& stage : stages)
        if (!is_copy(stage.stage)) sum_ms += stage.ms;
    return std::min(sum_ms, wall_ms);  // stages may overlap
}

}  // namespace

/// Made when they are first needed; beside those of the live session.
struct GridTask::Backends {
    std::unique_ptr<Backend> cpu, cuda;

    Result run(const HostImage& image, const RunSpec& spec, int device, std::stop_token stop) {
        const bool on_cpu = spec.variant->backend == BackendKind::cpu;
        std::unique_ptr<Backend>& backend = on_cpu ? cpu : cuda;
        if (!backend) backend = on_cpu ? make_cpu_backend() : make_cuda_backend(device);
        const auto begin = std::chrono::steady_clock::now();
        RunResult result = backend->run(image.view(), spec, stop);
        const std::chrono::duration<double, std::milli> wall_ms = std::chrono::steady_clock::now() - begin;
        if (stop.stop_requested()) throw Cancelled{};
        return {spec,
                make_pyramid(std::make_shared<const HostImage>(std::move(result.image)), default_cpu_threads()),
                run_ms(result.stages, wall_ms.count()),
                {}};
    }
};

GridTask::GridTask(std::function<void()> wake) : backends_(std::make_shared<Backends>()), worker_(1, std::move(wake)) {}

GridTask::~GridTask() {
    for (Cell& cell : cells_) cell.stop.request_stop();
}

void GridTask::set(std::shared_ptr<const HostImage> image, const std::vector<RunSpec>& runs, int device) {
    const size_t count = image ? runs.size() : 0;
    if (count == 0) {
        if (cells_.empty()) return;
        image = nullptr;
        worker_.start(
            [backends = backends_](std::stop_token) {
                *backends = {};
                return true;
            },
            [](const Outcome<bool>&) {});
    }
    const size_t kept = image == image_ ? std::min(cells_.size(), count) : 0;
    changed_ |= kept != cells_.size() || kept != count;
    for (size_t k = kept; k < cells_.size(); ++k) cells_[k].stop.request_stop();
    cells_.resize(kept);
    cells_.resize(count);
    image_ = std::move(image);
    for (size_t k = 0; k < count; ++k) {
        if (k < kept && cells_[k].wanted == runs[k]) continue;
        cells_[k].stop.request_stop();
        cells_[k].wanted = runs[k];
        start(k, device);
    }
}

void GridTask::start(size_t k, int device) {
    cells_[k].busy = true;
    changed_ = true;
    cells_[k].stop = worker_.start(
        [image = image_, spec = cells_[k].wanted, device, backends = backends_](std::stop_token stop) {
            try {
                return backends->run(*image, spec, device, stop);
            } catch (const DeviceError&) {
                backends->cuda.reset();  // it may not recover
                throw;
            }
        },
        [this, k](Outcome<Result> outcome) {
            Cell& cell = cells_[k];
            cell.busy = false;
            cell.result = outcome.value ? std::move(*outcome.value) : Result{cell.wanted, nullptr, 0, outcome.error};
            cell.serial = ++serial_;
            changed_ = true;
        });
}

void GridTask::cancel() {
    for (Cell& cell : cells_) {
        if (!cell.busy) continue;
        cell.stop.request_stop();
        cell.busy = false;
        changed_ = true;
    }
}

bool GridTask::update() {
    worker_.drain();
    return std::exchange(changed_, false);
}

bool GridTask::busy() const {
    return std::ranges::any_of(cells_, &Cell::busy);
}

double GridTask::progress() const {
    const auto finished = std::ranges::count(cells_, false, &Cell::busy);
    return cells_.empty() ? 1 : double(finished) / double(cells_.size());
}

}  // namespace tonescope
