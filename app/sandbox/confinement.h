// How a process gives up its rights. Of a confined process nothing comes out but messages, shared memory and the end.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TONESCOPE_SANITIZED  // takes terabytes of addresses, which then cannot be limited, and writes
#endif

namespace tonescope::sandbox {

/// What a process may take besides what it has when it starts.
struct Limits {
    uint64_t memory_bytes = UINT64_MAX;
    uint64_t processor_s = UINT64_MAX;
};

/// The descriptor of a confined process's channel.
inline constexpr int kChannel = 3;

class Confinement {
  public:
    /// Takes from this process and those that it starts: new privileges and, where the kernel has Landlock, files and
    /// connections. Throws UserError, which says why a process cannot be confined here.
    Confinement();

    /// Takes everything else from this process, for good: it may read from descriptors that it has or gets, use memory
    /// up to the limit and talk on kChannel. Whatever reaches for files, connections or processes kills it. It must not
    /// have other threads. Throws UserError where the kernel does not allow this.
    void enter(const Limits& limits) const;

    /// Landlock's version; 0: the kernel has none.
    int landlock() const { return landlock_; }

  private:
    std::vector<sock_filter> filter_;
    uint64_t own_bytes_ = 0;  // of addresses
    int landlock_ = 0;
};

}  // namespace tonescope::sandbox
