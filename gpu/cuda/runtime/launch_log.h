// Notes which kernels a run launches, without a word in the variants: the linker leads CUDA's launch functions, and
// others that queue work for the device, through this file (--wrap, in gpu/CMakeLists.txt).
#pragma once

#include <cuda_runtime_api.h>

#include <compare>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/timing.h"
#include "gpu/cuda/runtime/device.h"

namespace tonescope {

/// A run whose times hold what happens only once is done again where it takes less than this. In a longer one that
/// hardly shows.
inline constexpr double kRepeated_ms = 50;

class LaunchLog {
  public:
    /// While it exists, the log takes the calling thread's launches, and forgets earlier ones. Within another one of
    /// the same log, it does nothing.
    class [[nodiscard]] Scope {
      public:
        explicit Scope(LaunchLog& log);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        const bool is_outer_;
    };
    /// Launches of the calling thread belong to this stage (a string literal) from now on, and so does what is traced.
    /// Nothing where no log is open.
    static void begin_stage(std::string_view stage);
    /// For the launch functions: notes a launch that has not been refused, and returns `status`. Nothing to note where
    /// no log is open.
    static cudaError_t note(cudaError_t status, const void* function, dim3 grid, dim3 block,
                            size_t dynamic_shared_bytes);
    /// A kernel's name without namespaces and template arguments; empty where the runtime does not know it.
    static std::string kernel_name(const void* function);

    /// Whether a kernel was launched that this log had not seen before: the driver loaded it, and what ran beside that
    /// took longer than it does.
    bool has_new_kernels() const { return has_new_kernels_; }
    /// In the order of their first launch. Kernels that the runtime knows nothing of are left out. Asks the runtime
    /// once for each kernel and block. `device`: the one that the log's launches went to.
    std::vector<KernelResources> resources(const DeviceProperties& device);

    struct Kernel {
        const void* function;  // a symbol or a cudaKernel_t
        int block_threads;
        size_t dynamic_shared_bytes;
        auto operator<=>(const Kernel&) const = default;
    };
    struct Launch {
        std::string_view stage;
        Kernel kernel;
        int64_t grid_blocks;
        int launches;
    };
    static KernelResources ask_runtime(const Kernel& kernel, const DeviceProperties& device);

    std::string_view stage_;
    std::vector<Launch> launches_;
    std::set<const void*> seen_;
    bool has_new_kernels_ = false;
    std::map<Kernel, KernelResources> known_;  // without a name where the runtime does not know the kernel
};

}  // namespace tonescope
