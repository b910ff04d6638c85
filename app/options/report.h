// JSON and text of runs and their results, for files and for people.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/system/text_file.h"
#include "gpu/core/backend.h"
#include "gpu/core/figures/figures.h"
#include "gpu/core/statistics.h"

namespace tonescope {

/// An entry for each element.
template <class Elements, class Entry>
Json json_list(const Elements& elements, Entry entry) {
    Json all = Json::array();
    for (const auto& element : elements) all.push_back(entry(element));
    return all;
}

/// {"x", "y", "width", "height"}, pixels.
Json rect_json(const Rect& rect);

/// A parameter's value: a number, or the name of a choice.
Json value_json(const ParamInfo& info, int32_t value);
Json params_json(std::span<const ParamInfo> table, const ParamBlock& block);
/// [{"stage", "ms", "bytes"}]; `bytes`: of each stage.
Json stages_json(const StageTimes& stages, const std::vector<uint64_t>& bytes);

/// [{"stage", "kernel", "launches", "registers", "shared_bytes", "spilled_bytes", "block_threads", "grid_blocks",
/// "blocks_per_multiprocessor", "occupancy_percent", "occupancy"}]; empty on the CPU.
Json kernels_json(const std::vector<KernelResources>& kernels);

/// sum_ms() (gpu/core/timing.h) of a run that has taken `wall_ms`: no more than that, since stages may overlap, and
/// that where none was timed.
double sum_ms(const StageTimes& stages, bool with_copies, double wall_ms);
/// "12.3" with about three significant digits, and never an exponent.
std::string number_text(double value);

/// {"thresholds": {"low", "high"}, "before", "after"}: of each side (null where there is none) "pixels" and for "low"
/// and "high" the pixels that are clipped in "red", "green" and "blue" (null for gray), in "any" channel, and of after
/// those that are "new".
Json clipping_json(const Clipping& clipping, const ClipThresholds& thresholds);

/// {"before": {ID: VALUE}, "after": {ID: VALUE}}: null where a figure is not defined, "infinite" where it is.
Json figures_json(const FigureValues& values);

/// Quoted for a POSIX shell where needed.
std::string shell_word(const std::string& text);

/// {"region", "feather", "mask", "mask_inverse"}: null where there is none.
Json part_json(const ResultPart& part);
/// " --region ... --feather ... --mask ... --mask-inverse", as far as it is set; empty: all of the image.
std::string part_options(const ResultPart& part);

/// "tonescope --headless -i IN -o OUT --op ... --variant ... --set ...": every parameter that matters, and the memory
/// mode on the GPU, and those of the options that the output's format has. `spec.variant` may be null: then no variant
/// is named. `page` counts from 0.
std::string reproducing_command(const RunSpec& spec, const std::string& input, const std::string& output,
                                const SaveOptions& save_options = {}, int page = 0);

}  // namespace tonescope
