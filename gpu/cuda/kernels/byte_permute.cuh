// Selectors of prmt (__byte_perm(a, b, selector)): digit i, from the lowest, says which byte becomes byte i; 0 to 3 are
// those of a, 4 to 7 those of b. (PTX ISA, "prmt".)
#pragma once

#include <cstdint>

namespace tonescope::bytes {

inline constexpr uint32_t kLowerHalves = 0x5410;      // a0 a1 b0 b1
inline constexpr uint32_t kUpperHalves = 0x7632;      // a2 a3 b2 b3
inline constexpr uint32_t kUpperThenLower = 0x5432;   // a2 a3 b0 b1
inline constexpr uint32_t kLowerHalfTwice = 0x1010;   // a0 a1 a0 a1
inline constexpr uint32_t kInterleaveLower = 0x5140;  // a0 b0 a1 b1
inline constexpr uint32_t kInterleaveUpper = 0x7362;  // a2 b2 a3 b3
inline constexpr uint32_t kInterleaveEven = 0x6240;   // a0 b0 a2 b2
inline constexpr uint32_t kInterleaveOdd = 0x7351;    // a1 b1 a3 b3
inline constexpr uint32_t kEven = 0x6420;             // a0 a2 b0 b2
inline constexpr uint32_t kOdd = 0x7531;              // a1 a3 b1 b3
inline constexpr uint32_t kThreeAndOne = 0x4210;      // a0 a1 a2 b0
// With b = 0:
inline constexpr uint32_t kWidenLow = 0x4140;    // a0 0 a1 0
inline constexpr uint32_t kByte3Above = 0x4434;  // 0 a3 0 0

/// The given bytes of a and of b next to each other; what stands above them is not used.
constexpr uint32_t both(int of_a, int of_b) {
    return uint32_t(of_a) | uint32_t(4 + of_b) << 4;
}
/// Byte `byte` of a, alone in the word where b is 0.
constexpr uint32_t alone(int byte) {
    return 0x4440u | uint32_t(byte);
}
/// Byte `byte` of a in the place of b's lowest.
constexpr uint32_t as_lowest(int byte) {
    return 0x7650u | uint32_t(byte);
}
/// Byte `byte` of a three times, under b's highest.
constexpr uint32_t thrice_under_highest(int byte) {
    return 0x7000u | 0x111u * uint32_t(byte);
}

}  // namespace tonescope::bytes
