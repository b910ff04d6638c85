// Compiles a hot loop for plain x86-64 and for AVX2, to choose from at run time. Elsewhere both are the same code.
//
//     TONESCOPE_HOT_LOOP void sum_loop(...) { ... }                 // plain loops, written once
//     run_hot<sum_loop>(...);
// or, where a loop is chosen once for many calls,
//     TONESCOPE_AVX2 void sum_avx2(...) { sum_loop(...); }
//     void sum_plain(...) { sum_loop(...); }
//     const auto sum = cpu_has_avx2() ? sum_avx2 : sum_plain;
#pragma once

#if defined(__GNUC__)
#define TONESCOPE_HOT_LOOP [[gnu::always_inline]] inline
#else
#define TONESCOPE_HOT_LOOP inline
#endif

#if defined(__GNUC__) && defined(__x86_64__)
#define TONESCOPE_AVX2 [[gnu::target("avx2")]]
#define TONESCOPE_AVX2_FMA [[gnu::target("avx2,fma")]]
#define TONESCOPE_AVX512 [[gnu::target("avx512f,avx512bw")]]
#else
#define TONESCOPE_AVX2
#define TONESCOPE_AVX2_FMA
#define TONESCOPE_AVX512
#endif

namespace tonescope {

inline bool cpu_has_avx2() {
#if defined(__GNUC__) && defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return true;
#endif
}

/// With one instruction for a * b + c, which rounds once.
inline bool cpu_has_avx2_fma() {
#if defined(__GNUC__) && defined(__x86_64__)
    return cpu_has_avx2() && __builtin_cpu_supports("fma") != 0;
#else
    return true;
#endif
}

/// Of processors that also have AVX512-VBMI2: older ones run slower while they use words of 512 bits.
inline bool cpu_has_avx512() {
#if defined(__GNUC__) && defined(__x86_64__)
    return __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0;
#else
    return false;
#endif
}

template <auto kLoop, class... Arguments>
TONESCOPE_AVX2 void run_with_avx2(Arguments&&... arguments) {
    kLoop(arguments...);
}
/// Calls a TONESCOPE_HOT_LOOP, compiled for AVX2 where the processor has it.
template <auto kLoop, class... Arguments>
void run_hot(Arguments&&... arguments) {
    if (cpu_has_avx2())
        run_with_avx2<kLoop>(arguments...);
    else
        kLoop(arguments...);
}

template <auto kLoop, class... Arguments>
TONESCOPE_AVX2_FMA void run_with_avx2_fma(Arguments&&... arguments) {
    kLoop(arguments...);
}

/// Asks for the cache line at `p`, which need not be readable.
inline void prefetch([[maybe_unused]] const void* p) {
#if defined(__GNUC__)
    __builtin_prefetch(p);
#endif
}

}  // namespace tonescope
