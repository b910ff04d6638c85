// What a machine can do at most.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

namespace tonescope {

/// A processor at less than this part of the highest clock that was seen counts as slowed down.
inline constexpr double kLeastClock = 0.9;

/// Rates that small kernels reach which do nothing else, best of several runs; 0 where the backend has no such thing.
struct Roofs {
    /// Bytes read and written by copies larger than the caches, 10^9 a second.
    double memory_gb_s = 0;
    /// The same within a part of the GPU's last cache, and that cache's size.
    double cache_gb_s = 0, cache_bytes = 0;
    /// From the host's pinned memory to the device's.
    double bus_gb_s = 0;
    /// 10^9 a second of what Amounts::requests counts, in the host's pinned memory: warps copy 32 bytes each, those of
    /// a block in rows of an image. Each reads once and writes once.
    double bus_requests_g_s = 0;
    /// Managed memory that a kernel reads while its pages are in the host's memory.
    double pages_gb_s = 0;
    /// Reads of 16 bytes a thread from shared memory without conflicts.
    double shared_gb_s = 0;
    /// Reads of 16 bytes a thread from device memory that the L1 cache holds.
    double l1_gb_s = 0;
    /// 10^9 instructions a second, those of a warp counted 32 times: multiplications with addition and exclusive ors of
    /// 32 bits, half each. On the CPU additions and exclusive ors in vectors, one for each lane of each thread.
    double operations_g_s = 0;
    /// 10^9 additions a second in shared memory, of warps to 32 neighboring words each.
    double shared_atomics_g_s = 0;
    /// 10^9 a second of what Amounts::global_atomics counts: warps add to 32 neighboring words each, 4 sectors, within
    /// a KiB of device memory. It depends on where that lies: the median of several places.
    double global_atomics_g_s = 0;
    /// 10^9 additions a second to one word of device memory, by all lanes of all warps.
    double word_atomics_g_s = 0;
    /// 10^9 reads of constant memory a second, each lane of a warp reading another word.
    double constant_g_s = 0;
    /// 10^9 empty blocks of 256 threads a second.
    double blocks_g_s = 0;
    /// What an empty kernel takes between two events.
    double launch_ms = 0;
    bool are_known() const { return operations_g_s > 0; }
    /// What the processor ran at behind the measurement.
    double mhz = 0;
};

/// What `measure` gives, which takes less than a second: measured once in the program for each `machine` (its name).
/// `mhz` says what the processor runs at; where that has fallen behind a measurement, it is made again after a rest,
/// three times at most. Throws what these throw; once `stop` is set the result may be incomplete, and is not kept.
Roofs roofs_once(const std::string& machine, const std::function<Roofs()>& measure, const std::function<double()>& mhz,
                 const std::stop_token& stop);

}  // namespace tonescope
