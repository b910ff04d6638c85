// Shared memory by its own 32-bit addresses: where an address is made by arithmetic, a pointer would cost an addition.
#pragma once

#include <cstdint>

namespace tonescope {

__device__ inline uint32_t shared_address(const void* s_pointer) {
    return uint32_t(__cvta_generic_to_shared(s_pointer));
}
/// Reads a word; what other threads stored is there after a barrier.
__device__ inline uint32_t load_shared(uint32_t address) {
    uint32_t word;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
    return word;
}
/// Likewise two bytes.
__device__ inline uint32_t load_shared_half(uint32_t address) {
    uint16_t half;
    asm volatile("ld.shared.u16 %0, [%1];" : "=h"(half) : "r"(address) : "memory");
    return half;
}
/// Likewise eight bytes.
__device__ inline uint2 load_shared_pair(uint32_t address) {
    uint2 pair;
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(pair.x), "=r"(pair.y) : "r"(address) : "memory");
    return pair;
}
/// Likewise 16 bytes.
__device__ inline uint4 load_shared_vector(uint32_t address) {
    uint4 vector;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(vector.x), "=r"(vector.y), "=r"(vector.z), "=r"(vector.w)
                 : "r"(address));
    return vector;
}
/// The word so many bytes behind the address, of a table that nobody changes after the last barrier.
template <int kOffset>
__device__ inline uint32_t load_constant(uint32_t address) {
    uint32_t word;
    asm volatile("ld.shared.u32 %0, [%1+%2];" : "=r"(word) : "r"(address), "n"(kOffset));
    return word;
}
/// Likewise two words.
template <int kOffset>
__device__ inline uint2 load_constant_pair(uint32_t address) {
    uint2 pair;
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2+%3];" : "=r"(pair.x), "=r"(pair.y) : "r"(address), "n"(kOffset));
    return pair;
}
/// Adds 1 to a counter, without asking what it was.
__device__ inline void count_shared(uint32_t address) {
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address) : "memory");
}

}  // namespace tonescope
