// Report B, version 9: the table read through a texture.
//
// What changed since version 8: the look-ups go through the texture units, whose cache is made for reads that are close
// to each other but follow no order; different entries in a warp no longer go one after the other. What it costs: a
// texture read takes longer than one from the cache of constants. The report found it slightly worse than version 8. On
// today's GPUs textures and ordinary loads share one cache, so little is left between this and version 1. (The report
// used a texture reference, which CUDA no longer has; a texture object is its successor.)
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

/// Device memory for three tables, and a texture over it.
struct TableTexture {
    static constexpr size_t kBytes = 3 * 256;
    DeviceMemory memory{kBytes};
    cudaTextureObject_t texture = 0;

    TableTexture() {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = memory.as<void>();
        resource.res.linear.desc = cudaCreateChannelDesc<uint8_t>();
        resource.res.linear.sizeInBytes = kBytes;
        cudaTextureDesc reading{};
        reading.readMode = cudaReadModeElementType;
        TONESCOPE_CUDA(cudaCreateTextureObject(&texture, &resource, &reading, nullptr));
    }
    ~TableTexture() { TONESCOPE_CUDA_LOG(cudaDestroyTextureObject(texture)); }
    TableTexture(const TableTexture&) = delete;
    TableTexture& operator=(const TableTexture&) = delete;
};

struct TablesInTexture {
    cudaTextureObject_t texture;
    __device__ int operator()(int plane, int value) const { return tex1Dfetch<uint8_t>(texture, plane * 256 + value); }
};

void run_texture_table(CudaJob& job) {
    const auto& table = job.scratch.keep<TableTexture>("he table texture");
    with_map(job, [&]<class Map>(Map) {
        const uint32_t* d_histograms = histograms_by_blocks<Map>(job);
        {
            const auto stage = job.stage("table");
            const HostTables& h_tables = tables_on_host<Map>(job, d_histograms);
            TONESCOPE_CUDA(cudaMemcpyAsync(table.memory.as<void>(), h_tables.tables, Map::kPlanes * 256,
                                           cudaMemcpyHostToDevice, job.stream));
        }
        apply<Map>(job, TablesInTexture{table.texture});
    });
}

}  // namespace
}  // namespace tonescope::he
#endif

namespace tonescope::he {

const VariantRegistration texture_table_variant({
    .op = "he",
    .id = "texture-table",
    .name = "Texture memory",
    .source = "B 9",
    .backend = BackendKind::cuda,
    .follows = "constant-table",
    .idea = "The table is read through a texture, whose cache does not mind that neighbours read different entries.",
    .cost = "One texture read a value, slower than a constant that the whole warp shares.",
    .flaw = "Ordinary loads go through the same cache today, so that the detour gains nothing.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_texture_table),
});

}  // namespace tonescope::he
