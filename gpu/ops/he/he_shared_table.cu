// Report B, version 3: the table in shared memory as well.
//
// What changed since version 1: before a block applies the table, its 256 threads copy it into shared memory, an entry
// a thread, because every pixel looks something up there at an address that nobody knows in advance. What it costs: a
// block reads 256 entries to look 256 pixels up, and waits at a barrier until they are there. The report found it
// better on its small images only; the cache serves a table of 256 bytes well without help.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

template <class Map, class Sink>
__global__ void he_apply_shared_table_kernel(PitchedSource<typename Map::In> source, Sink sink, int width, int height,
                                             const uint8_t* __restrict__ d_tables) {
    __shared__ uint8_t s_tables[Map::kPlanes * 256];
    const unsigned entry = threadIdx.y * blockDim.x + threadIdx.x;
    for (int plane = 0; plane < Map::kPlanes; ++plane) s_tables[plane * 256 + entry] = d_tables[plane * 256 + entry];
    __syncthreads();
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const typename Map::In pixel = source.load(x, y);
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane) values[plane] = s_tables[plane * 256 + Map::value(pixel, plane)];
    sink.store(x, y, Map::result(pixel, values));
}

template <class Map>
void apply_shared_table(CudaJob& job, const uint8_t* d_tables) {
    const auto stage = job.stage("apply", job.input_bytes() + job.output_bytes());
    with_sink<typename Map::Out>(job.output, [&](auto sink) {
        const PixelGrid grid(job.input_spec.width, job.input_spec.height);
        he_apply_shared_table_kernel<Map><<<grid.grid, grid.block, 0, job.stream>>>(
            source_of<typename Map::In>(job), sink, job.input_spec.width, job.input_spec.height, d_tables);
        TONESCOPE_LAUNCHED("he_apply_shared_table_kernel");
    });
}

void run_shared_table(CudaJob& job) {
    with_map(job, [&]<class Map>(Map) {
        const uint32_t* d_histograms = histograms_by_blocks<Map>(job);
        const uint8_t* d_tables = tables_by_host<Map>(job, d_histograms);
        apply_shared_table<Map>(job, d_tables);
    });
}

}  // namespace
}  // namespace tonescope::he
#endif

namespace tonescope::he {

const VariantRegistration shared_table_variant({
    .op = "he",
    .id = "shared-table",
    .name = "Shared table",
    .source = "B 3",
    .backend = BackendKind::cuda,
    .follows = "grid-stride",
    .idea = "Each block of the apply kernel copies the table into shared memory and looks its pixels up there.",
    .cost = "256 more reads and a barrier for every 256 pixels.",
    .flaw = "A block looks up too few pixels to earn back the copy, and the cache holds the table anyway.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_shared_table),
});

}  // namespace tonescope::he
