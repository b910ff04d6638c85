// Backends as the command line asks for them.
#pragma once

#include <memory>
#include <string>

#include "app/options/options.h"

namespace tonescope {

/// `device` -1: the first one. Null where there is no CUDA; *reason then says why. Throws UsageError when --device
/// names one that is not there while others are.
std::unique_ptr<Backend> try_cuda_backend(int device, std::string* reason);

struct ChosenBackend {
    std::unique_ptr<Backend> backend;
    std::string cuda_reason;  // why `auto` did not take CUDA; empty where it did or CUDA was not asked for
};

/// What --backend and --variant name; `auto` takes CUDA where it is there and the operator has a variant for it. Throws
/// UserError when what was asked for is not there.
ChosenBackend choose_backend(const Options& options);

}  // namespace tonescope
