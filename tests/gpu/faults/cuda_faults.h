// Lets one call of the CUDA runtime fail, or all from one on. The linker leads the program's calls through
// cuda_faults.cpp (--wrap, in part.cmake).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace tonescope::faults {

/// From now on calls are counted, and the `nth` (from 1 on) fails with `error`; with `for_good` also those behind it.
/// `only`: calls of this function are counted alone.
void arm(int64_t nth, cudaError_t error, bool for_good, std::string_view only = {});
/// Nothing fails any more. Returns how many calls there were.
int64_t disarm();
/// The first function that has failed since arm(); empty: none has.
std::string failed();
/// Memory, streams, events and other objects that have been made and not been freed.
int64_t live_objects();

}  // namespace tonescope::faults
