// What the program needs to know about a GPU.
#pragma once

#include <cstddef>
#include <string>

namespace tonescope {

struct DeviceProperties {
    int index = 0;  // CUDA's
    std::string name;
    int compute_major = 0, compute_minor = 0;
    int multiprocessors = 0;
    int threads_per_multiprocessor = 0;       // that can be resident at a time
    size_t shared_per_block_bytes = 0;        // without asking for more
    size_t shared_per_block_optin_bytes = 0;  // after cudaFuncSetAttribute
    size_t shared_per_multiprocessor_bytes = 0;
    size_t l2_bytes = 0;
    size_t total_bytes = 0;
    bool can_map_host_memory = false;
    bool has_managed_memory = false;
    bool can_launch_cooperatively = false;  // kernels whose blocks wait for each other
};

/// Makes `device` (-1: the first one) the calling thread's and reads its properties. Throws DeviceError of one clear
/// line where there is no driver, no GPU, no such GPU or one that this program is not built for. For tests, the
/// environment variable TONESCOPE_LESSER_GPU (7.5 or 8.6) makes it look like an older one.
DeviceProperties select_device(int device);

}  // namespace tonescope
