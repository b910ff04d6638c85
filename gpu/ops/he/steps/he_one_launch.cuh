// What blocks of one launch do together, with all of them resident: they add their counts to those of the grid, wait
// for the totals, and each makes the tables for itself.
#pragma once

#include "gpu/ops/he/he_vectors.cuh"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/runtime/scratch.h"

namespace tonescope::he {

/// Counts of every plane, and how many blocks have read the totals. Zero before and after each run.
struct SharedByGrid {
    GridCounters counts;
    uint32_t* d_readers;
    static constexpr size_t kWords = GridCounters::words(3 * 256) + 1;

    explicit SharedByGrid(uint32_t* d_words) : counts(d_words), d_readers(d_words + kWords - 1) {}
};

/// Every block makes the tables for itself, in the counters' place. Thread t passes the image's count of bin t % 256 in
/// plane t / 256. The value `left_out`, or kNothingLeftOut, does not count and stays as it is. Begins after a barrier
/// and ends with one.
template <class Map>
__device__ void make_table_words(uint32_t count, uint32_t pixels, int32_t left_out, uint32_t* s_words) {
    __shared__ uint8_t s_tables[Map::kPlanes * 256];
    const bool has_entry = threadIdx.x < Map::kPlanes * 256;
    const bool is_left_out = has_entry && int32_t(threadIdx.x % 256) == left_out;
    if (left_out != kNothingLeftOut) {
        __shared__ uint32_t s_left_out[Map::kPlanes];
        if (is_left_out) {
            s_left_out[threadIdx.x / 256] = count;
            count = 0;
        }
        __syncthreads();
        if (has_entry) pixels -= s_left_out[threadIdx.x / 256];
    }
    const uint8_t own = table_entry<Map::kPlanes>(count, pixels, s_words);
    if (has_entry) s_tables[threadIdx.x] = is_left_out ? uint8_t(left_out) : own;
    __syncthreads();
    constexpr unsigned kReplicas = replicas_for(Map::kPlanes);
    for (unsigned i = threadIdx.x; i < Map::kPlanes * 256 * kReplicas / 4; i += blockDim.x) {  // four replicas at once
        const unsigned entry = i * 4 / kReplicas;
        const uint32_t word = Packed<Map>::entry(int(entry % 256), s_tables[entry]);
        reinterpret_cast<uint4*>(s_words)[i] = make_uint4(word, word, word, word);
    }
    __syncthreads();
}

}  // namespace tonescope::he
#endif
