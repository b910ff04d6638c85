// Where results go: one file an input, decided and checked before anything is computed.
#pragma once

#include <string>
#include <vector>

#include "app/options/options.h"

namespace tonescope {

/// The output file of each input: {stem} filled in, a folder as folder/{stem}.png. Throws UsageError for an extension
/// that cannot be written, many inputs to one file, two outputs of one name, and an output or report that is an input.
std::vector<std::string> plan_outputs(const Options& options);

}  // namespace tonescope
