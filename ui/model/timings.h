// What the timings panel shows.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/timing.h"

namespace tonescope::ui {

struct StageRow {
    std::string stage;
    double last_ms = 0, median_ms = 0;
    double mpixel_s = 0;
    double gb_s = 0;  // 0: not meaningful
    double best_ms = 0;
    std::vector<float> history_ms;  // of the last runs, newest last
};

/// What takes a frame's time. `map`: handing textures to the kernels and back; `wait`: for the display.
enum class FramePart : uint8_t { input, upload, kernels, map, panels, draw, wait };
inline constexpr std::array<const char*, 7> kFramePartNames = {"input",  "upload", "compute", "hand-over",
                                                               "panels", "draw",   "wait"};

/// Who works on a frame, and on what.
struct FrameRow {
    std::string name;  // "UI thread"
    std::string help;
    std::array<double, kFramePartNames.size()> ms{};
    double total_ms() const { return std::accumulate(ms.begin(), ms.end(), 0.0); }
    double& of(FramePart part) { return ms[static_cast<size_t>(part)]; }
};

struct Timings {
    bool is_old = false;           // a newer run is under way, or was stopped
    std::vector<StageRow> stages;  // in the order they run; the last row is the total
    std::vector<FrameRow> frame;   // empty: no frame has been drawn
    double copy_gb_s = 0;          // the memory's bandwidth, measured by copying; 0: not known
    std::vector<std::pair<std::string, std::string>> subject;  // image, operator, ...: label and value
    std::vector<KernelResources> kernels;                      // of the last run; empty on the CPU
};

}  // namespace tonescope::ui
