// Report C's conflict-free prefix sum as the report has it: elements are loaded and stored at padded places, and the
// sweeps go over plain ones. They add the free words in between too, which does no harm as long as these are zero, and
// end before the last seven elements, which stand beyond the 256th word. So the image is right unless it has values of
// 249 and more, and those become nearly black.
#include "gpu/ops/he/scans/he_scanned.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
/// One block of 128 threads, two bins a thread. The free words are set to zero: what an earlier block has left there
/// would be added otherwise.
__global__ void he_scan_unpadded_sweeps_kernel(const uint2* d_histogram, uint2* d_cdf) {
    using Scan = TreeScan<PaddedIndex, PlainIndex>;
    __shared__ uint32_t s_words[Scan::kSharedWords];
    for (unsigned i = threadIdx.x; i < Scan::kSharedWords; i += blockDim.x) s_words[i] = 0;
    __syncthreads();
    d_cdf[threadIdx.x] = Scan::inclusive_pair(d_histogram[threadIdx.x], s_words);
}

void run_scan_unpadded_sweeps(CudaJob& job) {
    run_with_scan(job, [&](const uint32_t* d_histogram, uint32_t* d_cdf) {
        he_scan_unpadded_sweeps_kernel<<<1, 128, 0, job.stream>>>(reinterpret_cast<const uint2*>(d_histogram),
                                                                  reinterpret_cast<uint2*>(d_cdf));
        TONESCOPE_LAUNCHED("he_scan_unpadded_sweeps_kernel");
    });
}
#endif

const VariantRegistration scan_unpadded_sweeps_variant({
    .op = "he",
    .id = "scan-unpadded-sweeps",
    .name = "Unpadded sweeps (wrong)",
    .source = "C unpadded sweeps",
    .follows = "scan-conflict-free",
    .builds_on = "scan-conflict-free",
    .params = kScanBlockTable,
    .wrong_by_design = true,
    .idea = "Padded places are used for loading and storing alone, as in report C; the sweeps use plain ones.",
    .cost = "The sweeps save the shift and the addition for each address, and have their bank conflicts back.",
    .flaw = "Wrong results: values from 249 on are in no sum, since their bins stand beyond the sweeps' last word.",
    .work = scanned_work,
    .run_cuda = TONESCOPE_CUDA_RUN(run_scan_unpadded_sweeps),
});

}  // namespace
}  // namespace tonescope::he
