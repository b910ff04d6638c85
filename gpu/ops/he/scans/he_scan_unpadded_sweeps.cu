// Report C's conflict-free prefix sum as the report has it: elements are loaded and stored at padded places, and the
// sweeps look for them at plain ones. From the 33rd bin on each is taken for one of its neighbors, the words left free
// count as bins, and the last seven bins are in no sum but their own.
#include "gpu/ops/he/scans/he_scanned.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
/// One block of 128 threads, two bins a thread. What the padding leaves free is set to zero, so that the error is the
/// same in every run.
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
    .wrong_by_design = true,
    .idea = "Padded places are used for loading and storing alone, as in report C; the sweeps use plain ones.",
    .cost = "The sweeps save the shift and the addition for each address, and have their bank conflicts back.",
    .flaw =
        "Wrong results: from the 33rd bin on, sums are those of other bins, and the last seven bins are not added up.",
    .work = scanned_work,
    .run_cuda = TONESCOPE_CUDA_RUN(run_scan_unpadded_sweeps),
});

}  // namespace
}  // namespace tonescope::he
