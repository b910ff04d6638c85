// Notes which kernels a run launches, without a word in the variants: the linker leads CUDA's launch functions through
// this file (--wrap, in gpu/CMakeLists.txt).
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "gpu/core/resources.h"
#include "gpu/cuda/runtime/device.h"

namespace tonescope {

/// A run whose times hold what happens only once is done again where it takes less than this. In a longer one that
/// hardly shows.
inline constexpr double kRepeated_ms = 50;

class LaunchLog {
  public:
    /// While it exists, the log takes the calling thread's launches, and forgets earlier ones.
    class [[nodiscard]] Scope {
      public:
        explicit Scope(LaunchLog& log);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
    };
    /// Launches of the calling thread belong to this stage (a string literal) from now on. Nothing where no log is
    /// open.
    static void begin_stage(std::string_view stage);
    /// For the launch functions. Nothing where no log is open.
    static void note(const void* kernel, dim3 grid, dim3 block, size_t dynamic_shared_bytes);

    /// Whether a kernel was launched that this log had not seen before: the driver loaded it, and what ran beside that
    /// took longer than it does.
    bool has_new_kernels() const { return has_new_kernels_; }
    /// In the order of their first launch. Kernels that the runtime knows nothing of are left out. Asks the runtime
    /// once for each kernel and block. `device`: the one that the log's launches went to.
    std::vector<KernelResources> resources(const DeviceProperties& device);

  private:
    struct Launch {
        std::string_view stage;
        const void* kernel;  // a symbol or a cudaKernel_t
        int block_threads;
        size_t dynamic_shared_bytes;
        int64_t grid_blocks;
        int launches;
    };
    struct Attributes {
        std::string name;  // empty: the runtime does not know the kernel
        int registers = 0, blocks_per_multiprocessor = 0;
        size_t static_shared_bytes = 0;
    };
    const Attributes& attributes_of(const Launch& launch);

    std::string_view stage_;
    std::vector<Launch> launches_;
    std::set<const void*> seen_;
    bool has_new_kernels_ = false;
    std::map<std::tuple<const void*, int, size_t>, Attributes> known_;
};

}  // namespace tonescope
