// A run in bands of rows: while one band is filtered, the next ones travel to the device and the ones before it back.
#pragma once

#include <stop_token>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stream.h"
#include "gpu/cuda/session/runner.h"

namespace tonescope {

/// For one thread at a time. Keeps its memory from run to run.
class BandRun {
  public:
    /// For operators whose results have a reach (OperatorInfo::reach_px), from pinned memory to pinned memory. The
    /// stages tell what is left to wait for: "upload" ends when the last band has arrived and those before it are
    /// filtered, the variant's own are those of the last band, and "download" is what has not left by then. Returns
    /// when all is queued: it is done when the runner's stream is, to which the caller keeps. Throws DeviceError,
    /// UserError, Canceled; nothing is under way then.
    void queue(Runner& runner, const RunSpec& spec, const ImageView& h_input, const MutableImageView& h_output,
               const std::stop_token& stop);

  private:
    struct Band {
        Event arrived, filtered;
    };
    Stream up_, down_;
    Event begun_, ended_;
    std::vector<Band> bands_;
    DeviceImage input_;
    DeviceImage output_;  // the bands one below the other, each with the rows that it reaches
};

}  // namespace tonescope
