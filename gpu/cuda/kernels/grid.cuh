// What the blocks of one launch do together through device memory. Their counters are zero before the launch and after
// it (ZeroedWords in gpu/cuda/runtime/scratch.h), so that the next one finds them as this one did.
#pragma once

#include <cstdint>

namespace tonescope {

/// In a kernel of launch_pdl (launch.h): blocks of the next such kernel may start, where they find room.
__device__ inline void pdl_trigger() {
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}
/// In a kernel of launch_pdl: from here on, what earlier kernels of the stream wrote is there. Lets the next kernel
/// start too, if that has not been done. In one that was launched otherwise it does not wait, for nothing is left to
/// wait for.
__device__ inline void pdl_wait() {
    pdl_trigger();
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}
/// The same, but the next kernel starts only after it: that one finds what was there before this kernel, before it
/// waits for this one.
__device__ inline void pdl_wait_and_trigger() {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    pdl_trigger();
}

/// Adds to a word of device memory and returns what it held. Acquire and release: what the thread, and others of its
/// block before a barrier, read and wrote comes before what threads that see the sum do after it. atomicAdd by itself
/// orders nothing (CUDA C++ Programming Guide, Atomic functions).
__device__ inline uint32_t add_in_order(uint32_t* d_word, uint32_t value) {
    __threadfence();
    const uint32_t before = atomicAdd(d_word, value);
    __threadfence();
    return before;
}

/// Counters to which every block of a grid adds once. A counter knows how many blocks have, in the bits above the sum,
/// so that the sum and the news that it is complete take one trip to the L2 cache.
///
/// Additions to one 32-byte sector wait for each other, and neighboring sectors may wait for the same slice of the
/// cache: groups of 4 counters stand 1 KiB apart.
class GridCounters {
  public:
    static constexpr size_t words(int entries) { return size_t(entries) / kGroup * kStride * 2; }  // of 32 bits

    explicit GridCounters(uint32_t* d_words) : d_counters_(reinterpret_cast<Counter*>(d_words)) {}

    /// Adds a block's sum; its blocks number less than 2^24. True for the block that is the last to add: `sum` is
    /// the total then.
    __device__ bool add(unsigned entry, uint32_t& sum) const {
        const Counter before = atomicAdd(at(entry), (Counter{1} << kSumBits) | sum);
        sum += uint32_t(before);
        return before >> kSumBits == gridDim.x - 1;
    }
    /// The total, once all blocks have added. They must be resident together: launch_cooperative (launch.h).
    __device__ uint32_t wait_for_total(unsigned entry) const {
        Counter now = 0;
        do {
            now = *static_cast<volatile Counter*>(at(entry));
        } while (now >> kSumBits < gridDim.x);
        return uint32_t(now);
    }
    /// What a kernel before this one has left.
    __device__ uint32_t total(unsigned entry) const { return uint32_t(__ldcg(at(entry))); }
    __device__ void reset(unsigned entry) const { *at(entry) = 0; }

  private:
    using Counter = unsigned long long;  // as atomicAdd wants it
    static constexpr unsigned kGroup = 4, kStride = 128, kSumBits = 40;
    __device__ Counter* at(unsigned entry) const { return d_counters_ + entry / kGroup * kStride + entry % kGroup; }
    Counter* d_counters_;
};

}  // namespace tonescope
