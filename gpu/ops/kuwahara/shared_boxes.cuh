// Accesses to judged boxes in shared memory, by addresses that the compiler does not work out again at every use.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/box_choice.cuh"

namespace tonescope {

/// In shared memory, bytes.
__device__ __forceinline__ uint32_t shared_address(const void* s_at) {
    auto at = uint32_t(__cvta_generic_to_shared(s_at));
    keep(at);
    return at;
}

__device__ __forceinline__ JudgedBox load_box(uint32_t at) {
    JudgedBox box;
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(box.upper), "=r"(box.lower) : "r"(at) : "memory");
    return box;
}
__device__ __forceinline__ void store_box(uint32_t at, const JudgedBox& box) {
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(box.upper), "r"(box.lower) : "memory");
}

/// Two boxes, where `there`; else those that were in them.
__device__ __forceinline__ void load_boxes_if(bool there, uint32_t at, JudgedBox& a, JudgedBox& b) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %5, 0; @p ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];}"
                 : "+r"(a.upper), "+r"(a.lower), "+r"(b.upper), "+r"(b.lower)
                 : "r"(at), "r"(uint32_t(there))
                 : "memory");
}
__device__ __forceinline__ void store_boxes_if(bool there, uint32_t at, const JudgedBox& a, const JudgedBox& b) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %5, 0; @p st.shared.v4.u32 [%0], {%1, %2, %3, %4};}" ::"r"(at),
                 "r"(a.upper), "r"(a.lower), "r"(b.upper), "r"(b.lower), "r"(uint32_t(there))
                 : "memory");
}

}  // namespace tonescope
