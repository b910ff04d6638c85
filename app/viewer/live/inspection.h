// What a close look needs beyond the pictures on screen: the result's pixels on the host, their numbers, and how much
// before and after differ. Runs on the UI thread and never waits.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/viewer/live/newest_job.h"
#include "app/viewer/live/pipeline.h"
#include "gpu/present/view_renderer.h"
#include "ui/model/views.h"

namespace tonescope {

/// "CLAHE, clip limit 2.00 x mean": the operator and the values that are not its defaults.
std::string describe_run(const RunSpec& spec);

/// The values of the visible pixels.
ui::PixelBlock block_of(const HostImage& image, const Rect& visible);

class Inspection {
  public:
    /// What is needed beyond the pictures.
    struct Wanted {
        bool difference = false;  // its statistics
        bool numbers = false;     // values of the visible pixels
        bool result = false;      // its pixels on the host
        Rect visible;             // pixels
    };

    /// Needs a current OpenGL context.
    Inspection(Pipeline& pipeline, Tasks& tasks);

    /// Between frames, after the pipeline's. True when something that is shown has changed.
    bool update(const Wanted& wanted);
    /// The pixels of the result on screen, null while they are not known.
    std::shared_ptr<const HostImage> result() const { return host_serial_ == seen_serial_ ? host_ : nullptr; }
    /// The pixel under the cursor; its values follow in later frames.
    void hover(const std::optional<Pixel>& pixel);
    /// After the pipeline has filled it.
    void fill(ui::ViewsModel& model) const;
    /// The result on screen becomes what later ones are compared against; `label` tells of what it is. Nothing happens
    /// while it is not finished.
    void pin(std::string label);
    void unpin();
    /// Something that is shown is still on its way.
    bool busy() const;

  private:
    using Clock = std::chrono::steady_clock;

    void finish_pin();
    void fetch();
    bool can_measure() const;
    ui::PixelInfo info_of(const Pixel& pixel) const;

    Pipeline& pipeline_;
    std::optional<ViewRenderer> renderer_;  // empty where OpenGL refuses its shaders
    Wanted wanted_;
    std::optional<Pixel> hovered_;

    uint64_t seen_serial_ = 0;  // of the result on screen
    Clock::time_point seen_at_{};
    std::future<std::shared_ptr<const HostImage>> download_;
    uint64_t download_serial_ = 0, host_serial_ = 0;     // 0: none
    std::shared_ptr<const HostImage> host_;              // the result with host_serial_
    std::shared_ptr<const HostImage> compared_;          // what the result is compared with
    std::future<std::shared_ptr<const HostImage>> pin_;  // on its way from the device
    std::shared_ptr<const HostImage> pin_image_;         // of which it is the result
    std::string pin_label_;
    bool changed_ = false;
    struct Pair {
        std::shared_ptr<const HostImage> before, after;
        bool operator==(const Pair&) const = default;
    };
    NewestJob<Pair, DifferenceStatistics> statistics_;
};

}  // namespace tonescope
