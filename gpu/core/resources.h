// What a kernel takes of a GPU, as the runtime says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tonescope {

/// A kernel of one run; launches of one stage with the same block and shared memory are one entry.
struct KernelResources {
    std::string_view stage;  // a string literal
    std::string kernel;      // without namespaces and template arguments
    int launches = 1;
    int registers = 0;        // a thread
    size_t shared_bytes = 0;  // a block, static and dynamic
    int block_threads = 0;
    int64_t grid_blocks = 0;            // of the largest launch
    int blocks_per_multiprocessor = 0;  // that can be resident at a time
    double occupancy_percent = 0;       // resident threads of those that a multiprocessor can hold
};

}  // namespace tonescope
