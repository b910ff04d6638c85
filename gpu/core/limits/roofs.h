// What a machine can do at most.
#pragma once

namespace tonescope {

/// Rates that small kernels reach which do nothing else, best of several runs; 0 where the backend has no such thing.
struct Roofs {
    /// Bytes read and written by copies larger than the caches, 10^9 a second.
    double memory_gb_s = 0;
    /// The same within a part of the GPU's last cache, and that cache's size.
    double cache_gb_s = 0, cache_bytes = 0;
    /// From the host's pinned memory to the device's.
    double bus_gb_s = 0;
    /// Reads of 16 bytes a thread from shared memory without conflicts.
    double shared_gb_s = 0;
    /// 10^9 instructions a second, those of a warp counted 32 times: multiplications with addition and exclusive ors of
    /// 32 bits, half each. On the CPU additions and exclusive ors in vectors, one for each lane of each thread.
    double operations_g_s = 0;
    /// 10^9 additions a second, of warps to 32 neighboring words each: in shared memory, and to 256 words of the
    /// device's memory in all.
    double shared_atomics_g_s = 0, global_atomics_g_s = 0;
    /// What an empty kernel takes between two events.
    double launch_ms = 0;
    /// What the processor ran at behind the measurement.
    double mhz = 0;
};

}  // namespace tonescope
