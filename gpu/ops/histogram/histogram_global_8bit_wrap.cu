// Report D, version 1: one thread a word increments the 8-bit result itself. Wrong by design: counters roll over from
// 255 to 0, so the result is the count modulo 256. It is kept as a lesson.
//
// GPUs have no atomic operation on 8 bits. The counter of a bin is one byte of a 32-bit word with four of them, and the
// word is all that can be changed in one step:
//   - A loop of compare-and-swap that sets the byte in a copy of the word: of all threads that try at a time one
//     succeeds, and with a whole image in one bin nearly all attempts fail.
//   - atomicAdd of 1 << 8k adds to byte k, but when that rolls over it carries into the next bin's byte.
// So it is atomicAdd with carries taken back: it returns the word from before, by which the thread knows the bytes that
// its addition has carried into, and it subtracts 1 from each of them. Such a subtraction may borrow from the byte
// above (others add and subtract meanwhile), which is given back in the same way; nothing is owed beyond byte 3. In
// whatever order this happens, carries into a byte and their return cancel, and in the end each byte has changed by its
// own count, modulo 256.
#include "gpu/ops/histogram/histogram_stages.cuh"

namespace tonescope::histogram {
namespace {

#ifdef __CUDACC__
/// Adds 1 to byte `bin` of d_bins, modulo 256, and in the end nothing to its neighbors.
__device__ void increment_byte(uint32_t* d_bins, uint32_t bin) {
    int owed[4];  // what this thread has yet to add to each byte of the word
#pragma unroll
    for (uint32_t byte = 0; byte < 4; ++byte) owed[byte] = byte == bin % 4 ? 1 : 0;
#pragma unroll
    for (int byte = 0; byte < 4; ++byte) {
        if (owed[byte] == 0) continue;
        const uint32_t step = uint32_t(owed[byte]) << (8 * byte);
        const uint32_t before = atomicAdd(&d_bins[bin / 4], step);
        const uint32_t changed = before ^ (before + step);
        // A byte above this one changes only by a carry or a borrow, of 1.
#pragma unroll
        for (int above = byte + 1; above < 4; ++above)
            if ((changed >> (8 * above) & 0xff) != 0) owed[above] -= owed[byte] > 0 ? 1 : -1;
    }
}

/// d_bins: the 1024 counters of 8 bits, four in a word; zero before.
__global__ void histogram_count_bytes_kernel(const uint32_t* d_words, uint32_t count, uint32_t* d_bins) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) increment_byte(d_bins, d_words[i]);
}

void run_global_8bit(CudaJob& job) {
    const Words words = make_words(job);
    const auto stage = job.stage("histogram");
    TONESCOPE_CUDA(cudaMemsetAsync(job.d_bins, 0, kFineBins, job.stream));
    with_block(job, [&](unsigned threads) {
        histogram_count_bytes_kernel<<<blocks_for(words.count, threads), threads, 0, job.stream>>>(
            words.d_words, words.count, reinterpret_cast<uint32_t*>(job.d_bins));
        TONESCOPE_LAUNCHED("histogram_count_bytes_kernel");
    });
}
#endif

const VariantRegistration global_8bit_wrap_variant({
    .op = "histogram",
    .id = "global-8bit",
    .name = "8-bit counters in global memory",
    .source = "D 1",
    .params = kBlockTable,
    .wrong_by_design = true,
    .idea = "One thread a word increments the 8-bit result in global memory directly, with no other counters.",
    .cost = "One atomic addition in global memory a word and, because GPUs have none on 8 bits, one more to take each "
            "carry back.",
    .flaw = "Wrong by design: counters roll over from 255 to 0 where they should stop, and whether they have is lost.",
    .work =
        [](const WorkCase& c) {
            return words_work(
                c,
                {.operations = 43, .global_atomics = c.values.additions / 32, .word_atomics = c.values.most_frequent},
                false);
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_global_8bit),
});

}  // namespace
}  // namespace tonescope::histogram
