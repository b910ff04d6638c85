// Report B, version 9: version 8 with the table read through a texture, whose cache is made for reads that are close to
// each other but follow no order. The report found it slightly worse than version 8. On today's GPUs textures and
// ordinary loads share one cache, so little is left between this and version 1. (The report used a texture reference,
// which CUDA no longer has; a texture object is its successor.)
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
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
    run_with_block_histograms(job, [&](const HostTables& h_tables, size_t bytes) {
        TONESCOPE_CUDA(
            cudaMemcpyAsync(table.memory.as<void>(), h_tables.tables, bytes, cudaMemcpyHostToDevice, job.stream));
        return TablesInTexture{table.texture};
    });
}
#endif

const VariantRegistration texture_table_variant({
    .op = "he",
    .id = "texture-table",
    .name = "Texture memory",
    .source = "B 9",
    .follows = "constant-table",
    .builds_on = "constant-table",
    .idea = "The table is read through a texture, whose cache does not mind that neighbors read different entries.",
    .cost = "One texture read a value, slower than a constant that the whole warp shares.",
    .flaw = "Ordinary loads go through the same cache today, so that the detour gains nothing.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_texture_table),
});

}  // namespace
}  // namespace tonescope::he
