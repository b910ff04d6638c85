// Headless runs: images in, results out.
#pragma once

#include "app/options/options.h"

namespace tonescope {

/// Runs every input and prints a line for each; errors go to standard error. Returns the exit status. Throws UsageError
/// before anything is written, UserError where the backend asked for is not there.
int run_headless(const Options& options);

/// Names where in a run something failed: the device's and the memory's errors do not know the file.
std::string run_error(const std::string& input, const std::string& why);

}  // namespace tonescope
