// Report B, version 10: version 8 in bands of rows, in turns on two streams, each with its copies and its kernels one
// behind the other. While a band travels to the GPU on one stream, the kernel on the other one counts the band before
// it; then the table, which needs all counts; and while pixels of one band are looked up, the result of the band before
// travels back. The report found it slower, with half of the image a stream: one band a stream has nothing to overlap
// with, and two kernels at a time only compete. The stages show what is left to wait for: "histogram" is what is not
// counted yet when the last band has arrived, and "apply" ends when the first band can leave.
#include "gpu/ops/he/he_constant_memory.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
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
        tables_in_constant_memory(job, tables_on_host<Map>(job, d_histograms), Map::kPlanes * 256);
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
#endif

const VariantRegistration two_streams_variant({
    .op = "he",
    .id = "two-streams",
    .name = "Two streams",
    .source = "B 10",
    .follows = "texture-table",
    .builds_on = "constant-table",
    .memory = MemoryMode::overlapped,
    .idea = "The image goes in bands on two streams in turns: while one band is copied, kernels work on another.",
    .cost = "A launch for each band, and a point in the middle at which both streams wait for the table.",
    .flaw = "Only the kernels' time is hidden, and that is little beside the copies'; without copies it gains nothing.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_two_streams),
});

}  // namespace
}  // namespace tonescope::he
