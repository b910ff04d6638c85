// What the program does without a window. Each mode returns the exit status.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/options/options.h"

namespace tonescope {

/// Runs every input and prints a line for each; errors go to standard error. Throws UsageError before anything is
/// written, UserError where the backend asked for is not there.
int run_headless(const Options& options);

/// Verifies and times every variant on one input (--compare), prints a line for each and writes the table; or does so
/// for each case of an experiment, with a line for each case. Throws UsageError, and UserError also where a variant
/// that should not differs from the reference.
int run_compare(const Options& options);

/// Runs the operator on every input for each combination of values (--sweep without --compare), prints a line for each,
/// and writes the results into a folder with a table of their figures, the table alone, or a contact sheet. Throws
/// UsageError before anything is written.
int run_sweep(const Options& options);

/// Prints for every input suggestions for the operator's parameters and their curves (--suggest), as text or JSON;
/// errors go to standard error. Throws UsageError where no parameter takes any.
int run_suggest(const Options& options);

/// Prints operators, parameters and variants (--list), as a table or as JSON.
int run_list(const Options& options);

/// Prints the source of a variant (--source), each line with "+" where what it builds on lacks it, and with "-" the
/// lines that only that has. Throws UsageError.
int run_source(const Options& options);

/// Prints a program that does the same with another library (--code). Throws UserError where that has nothing like the
/// operator.
int run_code(const Options& options);

/// Prints as "key: value" lines what there is on this machine and in this build (--info), also where there is no
/// display and no GPU.
int run_info(const Options& options);

/// The output file of each input: {stem} filled in, and {page} unless --page is "all"; a folder as folder/{stem}.png.
/// Throws UsageError for an extension that cannot be written, many inputs to one file, two outputs of one name, and an
/// output or report that is an input.
std::vector<std::string> plan_outputs(const Options& options);

/// What is not to be overwritten: inputs, the mask, the preset's file and references.
std::vector<std::string> files_read(const Options& options);

/// What the window writes by itself (--screenshot, --ui-state). Throws UsageError where that is an input.
void check_window_outputs(const Options& options);

}  // namespace tonescope
