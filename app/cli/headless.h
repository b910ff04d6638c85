// Headless runs: images in, results out.
#pragma once

#include "app/options/options.h"

namespace tonescope {

/// Runs every input and prints a line for each; errors go to standard error. Returns the exit status. Throws UsageError
/// before anything is written, UserError where the backend asked for is not there.
int run_headless(const Options& options);

/// Verifies and times every variant on one input (--compare), prints a line for each and writes the table. Returns the
/// exit status. Throws UsageError, and UserError also where a variant that should not differs from the reference.
int run_compare(const Options& options);

}  // namespace tonescope
