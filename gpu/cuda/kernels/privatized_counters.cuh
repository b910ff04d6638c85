// Tables of words in shared memory with copies for the lanes of a warp.
//
// A warp whose lanes read or count whatever entries their pixels ask for meets bank conflicts: 32 random entries fall
// into 32 banks about 3.5 deep, and equal entries of an atomic addition wait for each other. With kReplicas words an
// entry, one for every kReplicas-th lane, 32 copies leave neither (each lane has a bank of its own), 8 leave little.
#pragma once

#include <cstdint>

namespace tonescope {

/// Entry e of copy c is word e * kReplicas + c. Entries number a power of two.
template <int kReplicas>
class PrivatizedCounters {
  public:
    static_assert((kReplicas & (kReplicas - 1)) == 0 && kReplicas <= 32);
    static constexpr int words(int entries) { return entries * kReplicas; }

    /// The calling lane's view.
    __device__ explicit PrivatizedCounters(uint32_t* s_words)
        : bytes_(reinterpret_cast<char*>(s_words)), lane_bytes_(threadIdx.x % kReplicas * 4) {}

    /// The entry whose number is `packed`'s kBits bits from bit kFirst on. One shift and one three-way logic
    /// operation lead from a packed pixel to its address.
    template <int kFirst, int kBits>
    __device__ uint32_t& at(uint32_t packed) const {
        constexpr int kShift = kFirst - kEntryBits;
        constexpr uint32_t kMask = ((1u << kBits) - 1) << kEntryBits;
        const uint32_t moved =
            kShift >= 0 ? packed >> (kShift >= 0 ? kShift : 0) : packed << (kShift < 0 ? -kShift : 0);
        return *reinterpret_cast<uint32_t*>(bytes_ + ((moved & kMask) | lane_bytes_));
    }
    template <int kFirst, int kBits>
    __device__ void count(uint32_t packed) const {
        atomicAdd(&at<kFirst, kBits>(packed), 1u);
    }
    /// Counts four entries of eight bits.
    __device__ void count_bytes(uint32_t four) const {
        count<0, 8>(four);
        count<8, 8>(four);
        count<16, 8>(four);
        count<24, 8>(four);
    }

  private:
    static constexpr int log2_of(int power) { return power == 1 ? 0 : 1 + log2_of(power / 2); }
    static constexpr int kEntryBits = 2 + log2_of(kReplicas);  // of an entry's size in bytes
    char* bytes_;
    uint32_t lane_bytes_;
};

/// Sets `words` words to zero, a multiple of 4 from a 16-byte boundary on. No barrier.
__device__ inline void clear_words(uint32_t* s_words, unsigned words) {
    for (unsigned i = threadIdx.x; i < words / 4; i += blockDim.x)
        reinterpret_cast<uint4*>(s_words)[i] = make_uint4(0, 0, 0, 0);
}

/// Calls visit(entry, sum of its copies) for each of kEntries entries, on one thread of the block each. Begins with a
/// barrier. Blocks have a multiple of 32 threads, kEntries is a multiple of 32.
template <int kEntries, int kReplicas, class Visit>
__device__ void for_each_sum(const uint32_t* s_words, Visit&& visit) {
    static_assert(kReplicas >= 4);
    constexpr unsigned kLanes = kReplicas / 4;  // that share an entry
    __syncthreads();
#pragma unroll 2
    for (unsigned i = threadIdx.x; i < kEntries * kLanes; i += blockDim.x) {
        const uint4 four = reinterpret_cast<const uint4*>(s_words)[i];
        uint32_t sum = four.x + four.y + four.z + four.w;
#pragma unroll
        for (unsigned offset = kLanes / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(~0u, sum, int(offset));
        if (i % kLanes == 0) visit(i / kLanes, sum);
    }
}

/// The same, and thread e visits entry e, so that additions of a warp's threads to memory go out together: a few lanes
/// of each warp would send as many requests as there are groups of copies. The sums take the place of copies.
template <int kEntries, int kReplicas, class Visit>
__device__ void for_each_sum_in_order(uint32_t* s_words, Visit&& visit) {
    const auto place = [](unsigned entry) { return entry * kReplicas + entry % kReplicas; };  // in another bank each
    for_each_sum<kEntries, kReplicas>(s_words, [&](unsigned entry, uint32_t sum) { s_words[place(entry)] = sum; });
    __syncthreads();
    for (unsigned entry = threadIdx.x; entry < kEntries; entry += blockDim.x) visit(entry, s_words[place(entry)]);
}

}  // namespace tonescope
