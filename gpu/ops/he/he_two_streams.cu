// Report B, version 10: two streams, each with half of the image.
//
// What changed since version 8: the image goes in bands, in turns on two streams, and each stream has its copies and
// its kernels one behind the other. While a band travels to the GPU on one stream, the kernel on the other one counts
// the band before it; then the table, which needs all counts; and while pixels of one band are looked up, the result of
// the band before travels back. So nearly all of the kernels' time is hidden behind the copies'.
//
// What it costs: a launch for each band in place of one, and a point in the middle where the streams wait for each
// other. The report found it slower, with half of the image a stream: one band a stream has nothing to overlap with,
// and two kernels at a time only compete.
//
// The stages show what is left to wait for: "histogram" is what is not counted yet when the last band has arrived, and
// "apply" ends when the first band can leave.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/he/he_constant_memory.cuh"
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

/// Rows from `first_row` on.
template <class Pixel>
PitchedSource<Pixel> from_row(PitchedSource<Pixel> source, int first_row) {
    return {source.d_data + size_t(first_row) * source.pitch_bytes, source.pitch_bytes};
}
template <class Sink>
struct SinkFromRow {
    Sink sink;
    int first_row;
    __device__ void store(int x, int y, typename Sink::Pixel pixel) const { sink.store(x, first_row + y, pixel); }
};

template <class Map>
void run_in_bands(CudaJob& job) {
    const auto source = source_of<typename Map::In>(job);
    const int width = job.input_spec.width;
    uint32_t* d_histograms = cleared_histograms<Map>(job);
    job.bring_in("histogram", [&](const Band& band) {
        const PixelGrid grid(width, band.rows);
        he_histogram_shared_kernel<Map><<<grid.grid, grid.block, 0, band.stream>>>(from_row(source, band.first_row),
                                                                                   width, band.rows, d_histograms);
        TONESCOPE_LAUNCHED("he_histogram_shared_kernel");
    });
    const ExclusiveAccess::Scope exclusive(access_to_tables(), job.device.index, job.stream);
    {
        const auto stage = job.stage("table");
        const HostTables& h_tables = tables_on_host<Map>(job, d_histograms);
        TONESCOPE_CUDA(cudaMemcpyToSymbolAsync(c_tables, h_tables.tables, Map::kPlanes * 256, 0, cudaMemcpyHostToDevice,
                                               job.stream));
    }
    with_sink<typename Map::Out>(job.output, [&](auto sink) {
        job.take_out("apply", [&](const Band& band) {
            const PixelGrid grid(width, band.rows);
            he_apply_kernel<Map><<<grid.grid, grid.block, 0, band.stream>>>(from_row(source, band.first_row),
                                                                            SinkFromRow{sink, band.first_row}, width,
                                                                            band.rows, TablesInConstantMemory{});
            TONESCOPE_LAUNCHED("he_apply_kernel");
        });
    });
}

void run_two_streams(CudaJob& job) {
    with_map(job, [&]<class Map>(Map) { run_in_bands<Map>(job); });
}

}  // namespace
}  // namespace tonescope::he
#endif

namespace tonescope::he {

const VariantRegistration two_streams_variant({
    .op = "he",
    .id = "two-streams",
    .name = "Two streams",
    .source = "B 10",
    .backend = BackendKind::cuda,
    .follows = "texture-table",
    .memory = MemoryMode::overlapped,
    .idea = "The image goes in bands on two streams in turns: while one band is copied, kernels work on another.",
    .cost = "A launch for each band, and a point in the middle at which both streams wait for the table.",
    .flaw = "Only the kernels' time is hidden, and that is little beside the copies'; without copies it gains nothing.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_two_streams),
});

}  // namespace tonescope::he
