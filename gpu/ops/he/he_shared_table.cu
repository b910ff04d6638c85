// Report B, version 3: version 1 with the table in shared memory as well, because every pixel looks something up there
// at an address that nobody knows in advance. The report found it better on its small images only; the cache serves a
// table of 256 bytes well without help.
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
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

void run_shared_table(CudaJob& job) {
    with_map(job, [&]<class Map>(Map) {
        const uint32_t* d_histograms = histograms_by_blocks<Map>(job);
        const uint8_t* d_tables = nullptr;
        {
            const auto stage = job.stage("table");
            d_tables = tables_by_copy(job)(tables_on_host<Map>(job, d_histograms), Map::kPlanes * 256).d_tables;
        }
        apply_by<Map>(job, [&](const PixelGrid& grid, auto source, auto sink) {
            he_apply_shared_table_kernel<Map><<<grid.grid, grid.block, 0, job.stream>>>(
                source, sink, job.input_spec.width, job.input_spec.height, d_tables);
            TONESCOPE_LAUNCHED("he_apply_shared_table_kernel");
        });
    });
}
#endif

const VariantRegistration shared_table_variant({
    .op = "he",
    .id = "shared-table",
    .name = "Shared table",
    .source = "B 3",
    .follows = "grid-stride",
    .builds_on = "shared",
    .idea = "Each block of the apply kernel copies the table into shared memory and looks its pixels up there.",
    .cost = "256 more reads and a barrier for every 256 pixels.",
    .flaw = "A block looks up too few pixels to earn back the copy, and the cache holds the table anyway.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_shared_table),
});

}  // namespace
}  // namespace tonescope::he
