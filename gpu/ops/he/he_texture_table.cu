// Report B, version 9: version 8 with the table read through a texture, whose cache is made for reads that are close to
// each other but follow no order. The report found it slightly worse than version 8. On today's GPUs textures and
// ordinary loads share one cache. (The report used a texture reference, which CUDA no longer has; a texture object is
// its successor.)
#include "gpu/ops/he/he_report.cuh"

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

__global__ void he_apply_texture_kernel(const uint8_t* d_in, size_t in_pitch, uint8_t* d_out, size_t out_pitch,
                                        int width, int height, cudaTextureObject_t tables, int plane) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    d_out[size_t(y) * out_pitch + x] = tex1Dfetch<uint8_t>(tables, plane * 256 + d_in[size_t(y) * in_pitch + x]);
}

void run_texture_table(CudaJob& job) {
    const auto& table = job.scratch.keep<TableTexture>("he table texture");
    HostTables& tables = managed_tables(job, "texture-table");
    with_planes(job, [&](const Planes& planes) {
        count_by_blocks(job, planes, tables.counts);
        {
            const auto stage = job.stage("table");
            queue_tables(job, planes, tables);
            TONESCOPE_CUDA(cudaMemcpyAsync(table.memory.as<void>(), tables.tables, planes.all().size() * 256,
                                           cudaMemcpyDefault, job.stream));
        }
        apply_planes(job, planes, [&](const Plane& plane, const PixelGrid& grid, int k) {
            he_apply_texture_kernel<<<grid.grid, grid.block, 0, job.stream>>>(
                plane.d_in, plane.in_pitch, plane.d_out, plane.out_pitch, plane.width, plane.height, table.texture, k);
            TONESCOPE_LAUNCHED("he_apply_texture_kernel");
        });
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
    .memory = MemoryMode::managed,
    .params = kBlockTable,
    .idea = "The table is read through a texture, whose cache does not mind that neighbors read different entries.",
    .cost = "One texture read a value.",
    .flaw =
        "Ordinary loads are served as well: 24 to 25 \u00b5s at 4K, and 26 through the texture (counted on an H200).",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{"histogram", count_by_block(c)}, {"apply", {.bytes = 2, .operations = 37}}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_texture_table),
});

}  // namespace
}  // namespace tonescope::he
