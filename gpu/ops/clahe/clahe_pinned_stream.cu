// CLAHE, report A, version 5: pinned memory and a stream.
//
// Since version 4 the kernels are the same; the way to them changes. Input and output lie in pinned host memory, which
// the system may not move: the GPU's copy engine reads and writes it directly, in place of a driver that copies page by
// page through a buffer of its own while the host waits. So copies become asynchronous, and the upload, both kernels
// and the download are enqueued in one stream without a wait between them. This variant fixes the memory mode `pinned`;
// the copies are the backend's (gpu/cuda/session/backend.cpp), the kernels are enqueued in its stream.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/clahe/clahe_teams.cuh"
#endif

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
void run_pinned(CudaJob& job) {
    run_teams<PaddedScan>(job, kBestTeams);
}
#endif

const VariantRegistration pinned_stream_variant({
    .op = "clahe",
    .id = "pinned",
    .name = "Pinned memory and a stream",
    .source = "A 5",
    .backend = BackendKind::cuda,
    .follows = "scan-padded",
    .memory = MemoryMode::pinned,
    .idea = "Input and output lie in pinned memory; copies and both kernels follow each other in one stream, without a "
            "wait between them.",
    .cost = "Pinned memory takes long to allocate, and the system cannot page it out.",
    .flaw = "The kernels divide several times for every pixel, to find what is the same in the whole image.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_pinned),
});

}  // namespace
}  // namespace tonescope::clahe
