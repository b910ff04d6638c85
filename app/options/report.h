// JSON and text of runs and their results, for files and for people.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/system/json_file.h"
#include "gpu/core/backend.h"

namespace tonescope {

/// A parameter's value: a number, or the name of a choice.
Json value_json(const ParamInfo& info, int32_t value);
Json params_json(std::span<const ParamInfo> table, const ParamBlock& block);
/// [{"stage", "ms", "bytes"}].
Json stages_json(const StageTimes& stages);

/// [{"stage", "kernel", "launches", "registers", "shared_bytes", "block_threads", "grid_blocks",
/// "blocks_per_multiprocessor", "occupancy_percent"}]; empty on the CPU.
Json kernels_json(const std::vector<KernelResources>& kernels);

/// Sum of all stages, milliseconds.
double sum_ms(const StageTimes& stages);
/// "12.3" with about three significant digits, and never an exponent.
std::string number_text(double value);

/// The bins of the histogram lab as "bin,count" lines or {"bins": [...]}.
std::string bins_csv(const BinsResult& bins);
std::string bins_json(const BinsResult& bins);

/// Quoted for a POSIX shell where needed.
std::string shell_word(const std::string& text);

/// "tonescope --headless -i IN -o OUT --op ... --variant ... --set ...": every parameter that matters, and the memory
/// mode on the GPU. `spec.variant` may be null: then no variant is named.
std::string reproducing_command(const RunSpec& spec, const std::string& input, const std::string& output);

}  // namespace tonescope
