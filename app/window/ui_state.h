// --ui-state: what the window shows, as JSON, for tests and screen tours.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "app/options/report.h"
#include "app/viewer/live/frame_times.h"
#include "app/window/input_queue.h"
#include "ui/model/model.h"

namespace tonescope {

/// Rewrites the file (atomically) when what it says has changed since the last call. Times of frames alone are no
/// reason.
class UiStateFile {
  public:
    explicit UiStateFile(std::string path) : path_(std::move(path)) {}
    /// `resting`: no further frame is due. False where it lacks memory: the next frame is to be written. Throws
    /// UserError when the file cannot be written.
    bool write(const ui::Model& model, const ui::View& view, std::span<const ui::Widget> widgets, int width, int height,
               const InputQueue::Seen& input, const FrameTimes& times, bool resting);

  private:
    std::string path_;
    Json written_;
    Json recent_notices_ = Json::array();  // the newest notices, also those that have gone
    uint64_t next_notice_ = 0;
};

}  // namespace tonescope
