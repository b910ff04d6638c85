// --list: what there is to choose from.
#pragma once

#include "app/options/options.h"

namespace tonescope {

/// Prints operators, parameters and variants, as a table or as JSON. Returns the exit status.
int run_list(const Options& options);

}  // namespace tonescope
