// What a close look needs beyond the pictures on screen: the result's pixels on the host, their numbers, and how much
// before and after differ. Runs on the UI thread and never waits.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "app/pipeline.h"
#include "app/tasks.h"
#include "gpu/present/difference_renderer.h"
#include "ui/model.h"

namespace tonescope {

class Inspection {
  public:
    /// Needs a current OpenGL context. `wake` may be called from any thread.
    Inspection(Pipeline& pipeline, std::function<void()> wake);

    /// Between frames, after the pipeline's. True when something that is shown has changed.
    bool update(const ui::View& view);
    void fill(ui::Model& model) const;
    /// Something that is shown is still on its way.
    bool busy() const;
    /// When update() should be called again although nothing happens, seconds; negative: no need.
    double next_check_s() const;

  private:
    using Clock = std::chrono::steady_clock;

    void fetch();
    void measure();

    Pipeline& pipeline_;
    std::optional<DifferenceRenderer> renderer_;  // empty where OpenGL refuses its shader
    bool wants_statistics_ = false, wants_numbers_ = false;
    Rect visible_;

    uint64_t seen_serial_ = 0;  // of the result on screen
    Clock::time_point seen_at_{};
    std::future<std::shared_ptr<const HostImage>> download_;
    uint64_t download_serial_ = 0, host_serial_ = 0, measured_serial_ = 0;  // 0: none
    std::shared_ptr<const HostImage> host_;                                 // the result with host_serial_
    std::optional<DifferenceStatistics> statistics_;                        // with measured_serial_
    std::stop_source measuring_;
    bool changed_ = false;
    Tasks worker_;  // last: its thread uses what stands above
};

}  // namespace tonescope
