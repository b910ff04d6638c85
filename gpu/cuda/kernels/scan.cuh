// Three ways in which a block adds up 256 bins: report C's. (The fast one of today, in registers, is
// block_inclusive_scan in block.cuh.)
//
// Each is a struct with kSharedWords, how many words of shared memory it needs. s_words may hold anything before a
// call, once all threads are done with it; afterwards it is free again.
#pragma once

#include <cstdint>

namespace tonescope {

/// Hillis and Steele: in 8 steps, thread t adds what stands 1, 2, 4, ... 128 places before it. Two buffers, or a thread
/// would read what another has already changed. 8 * 256 additions, where one thread needs 255.
struct NaiveScan {
    static constexpr int kSharedWords = 2 * 256;
    /// Every thread t of 256 passes value[t] and gets value[0] + ... + value[t].
    __device__ static uint32_t inclusive(uint32_t value, uint32_t* s_words) {
        const unsigned t = threadIdx.x;
        uint32_t *s_from = s_words, *s_to = s_words + 256;
        s_from[t] = value;
        __syncthreads();
        for (unsigned offset = 1; offset < 256; offset *= 2) {
            s_to[t] = t >= offset ? s_from[t] + s_from[t - offset] : s_from[t];
            __syncthreads();
            uint32_t* const s_swap = s_from;
            s_from = s_to;
            s_to = s_swap;
        }
        const uint32_t sum = s_from[t];
        __syncthreads();
        return sum;
    }
};

/// Where element i of a scan stands.
struct PlainIndex {
    static constexpr int kSharedWords = 256;
    __device__ static unsigned at(unsigned i) { return i; }
};
/// Shared memory has 32 banks. At a stride of 2, 4, ... 32 elements a warp's accesses fall into 16, 8, ... 1 of them; a
/// word left free after every 32 elements moves them apart.
struct PaddedIndex {
    static constexpr int kSharedWords = 256 + 256 / 32;
    __device__ static unsigned at(unsigned i) { return i + (i >> 5); }
};

/// Blelloch: sums of pairs, of pairs of pairs, ... up to one sum; then down again, where every node hands its left
/// child what stands before itself, and its right child that and the left child's sum. About 2 * 256 additions in 16
/// steps; thread t works on the t-th pair, so at most 128 threads do. The tree gives exclusive sums: the own value is
/// added. `SweepIndex`: where the sweeps take the elements to stand.
template <class Index, class SweepIndex = Index>
struct TreeScan {
    static constexpr int kSharedWords = Index::kSharedWords;
    /// For a block of 128 threads, none of which idles at the widest level: thread t passes the elements 2t and 2t + 1
    /// and gets their sums.
    __device__ static uint2 inclusive_pair(uint2 values, uint32_t* s_words) {
        const uint2 before = exclusive_pair(values, s_words);
        return make_uint2(before.x + values.x, before.y + values.y);
    }
    /// As the sweeps leave the sums, without the own value.
    __device__ static uint2 exclusive_pair(uint2 values, uint32_t* s_words) {
        const unsigned first = Index::at(2 * threadIdx.x), second = Index::at(2 * threadIdx.x + 1);
        s_words[first] = values.x;
        s_words[second] = values.y;
        sweep(s_words);
        const uint2 before = make_uint2(s_words[first], s_words[second]);
        __syncthreads();
        return before;
    }

  private:
    /// From 256 elements to their exclusive sums, by at least 128 threads. Begins and ends with a barrier.
    __device__ static void sweep(uint32_t* s_words) {
        const unsigned t = threadIdx.x;
        for (unsigned half = 1; half < 256; half *= 2) {  // up: a pair's sum takes its right end's place
            __syncthreads();
            const unsigned right = (t + 1) * 2 * half - 1;
            if (right < 256) s_words[SweepIndex::at(right)] += s_words[SweepIndex::at(right - half)];
        }
        __syncthreads();
        if (t == 0) s_words[SweepIndex::at(255)] = 0;
        for (unsigned half = 128; half > 0; half /= 2) {  // down
            __syncthreads();
            const unsigned right = (t + 1) * 2 * half - 1;
            if (right < 256) {
                const uint32_t left_sum = s_words[SweepIndex::at(right - half)];
                s_words[SweepIndex::at(right - half)] = s_words[SweepIndex::at(right)];
                s_words[SweepIndex::at(right)] += left_sum;
            }
        }
        __syncthreads();
    }
};
using WorkEfficientScan = TreeScan<PlainIndex>;
using PaddedScan = TreeScan<PaddedIndex>;

}  // namespace tonescope
