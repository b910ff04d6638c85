// Report B, version 10: two streams, each with half of the image.
//
// What changed since version 8: the upper half is counted on one stream and the lower half on another, and so are the
// look-ups; copies in both directions run on two streams as well. While one half waits, the other may work. What it
// costs: the table needs the counts of both halves, so the streams wait for each other in the middle; and a kernel over
// a whole image fills the GPU already, so two half ones only compete. The report found it slower. The second stream
// and its events are made once and kept.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/cuda/device_turns.h"
#include "gpu/ops/he/he_host_table.cuh"
#include "gpu/ops/he/he_kernels.cuh"
#endif

namespace tonescope {
namespace {

#ifdef __CUDACC__

__constant__ uint8_t c_tables[3 * 256];

struct TablesInConstantMemory {
    __device__ int operator()(int plane, int value) const { return c_tables[plane * 256 + value]; }
};

DeviceTurns& turns() {
    static auto* const instance = new DeviceTurns;  // never freed: the driver may be gone before it
    return *instance;
}

/// The source and the sink from a row on.
template <class Source>
struct SourceFromRow {
    Source source;
    int first_row;
    __device__ auto load(int x, int y) const { return source.load(x, first_row + y); }
};
template <class Sink>
struct SinkFromRow {
    Sink sink;
    int first_row;
    __device__ void store(int x, int y, typename Sink::Pixel pixel) const { sink.store(x, first_row + y, pixel); }
};

struct SecondStream {
    Stream stream;
    Event fork, join;

    /// Calls launch(first row, rows, stream) for both halves. The job's stream goes on when both are done.
    template <class Launch>
    void halves(const CudaJob& job, Launch&& launch) const {
        const int upper = (job.input_spec.height + 1) / 2, lower = job.input_spec.height - upper;
        fork.record(job.stream);
        TONESCOPE_CUDA(cudaStreamWaitEvent(stream, fork, 0));
        launch(0, upper, job.stream);
        if (lower > 0) launch(upper, lower, stream);
        join.record(stream);
        TONESCOPE_CUDA(cudaStreamWaitEvent(job.stream, join, 0));
    }
};

template <class Map>
void run_with(CudaJob& job, const SecondStream& second) {
    const auto source = source_of<typename Map::In>(job);
    const int width = job.input_spec.width;
    uint32_t* d_histograms = nullptr;
    {
        const auto stage = job.stage("histogram", job.input_bytes());
        d_histograms = he_cleared_histograms<Map>(job);
        second.halves(job, [&](int first_row, int rows, cudaStream_t stream) {
            const PixelGrid grid(width, rows);
            he_histogram_shared_kernel<Map>
                <<<grid.grid, grid.block, 0, stream>>>(SourceFromRow{source, first_row}, width, rows, d_histograms);
            TONESCOPE_LAUNCHED("he_histogram_shared_kernel");
        });
    }
    const DeviceTurns::Turn turn(turns(), job.facts.device, job.stream);
    {
        const auto stage = job.stage("table");
        const HeTables& h_tables = he_tables_on_host<Map>(job, d_histograms);
        TONESCOPE_CUDA(cudaMemcpyToSymbolAsync(c_tables, h_tables.tables, Map::kPlanes * 256, 0, cudaMemcpyHostToDevice,
                                               job.stream));
    }
    const auto stage = job.stage("apply", job.input_bytes() + job.output_bytes());
    with_sink<typename Map::Out>(job.output, [&](auto sink) {
        second.halves(job, [&](int first_row, int rows, cudaStream_t stream) {
            const PixelGrid grid(width, rows);
            he_apply_kernel<Map><<<grid.grid, grid.block, 0, stream>>>(
                SourceFromRow{source, first_row}, SinkFromRow{sink, first_row}, width, rows, TablesInConstantMemory{});
            TONESCOPE_LAUNCHED("he_apply_kernel");
        });
    });
}

void run_he_two_streams(CudaJob& job) {
    const auto& second = job.scratch.keep<SecondStream>("he second stream");
    he_with_color_map(job, [&]<class Map>(Map) { run_with<Map>(job, second); });
}

#endif

const RungRegistration registration({
    .op = "he",
    .id = "two-streams",
    .name = "Two streams",
    .source = "B 10",
    .backend = BackendKind::cuda,
    .order = 110,
    .memory = MemoryMode::overlapped,
    .idea = "Two streams each count and look up half of the image, so that one may work while the other waits.",
    .cost = "Two launches for each kernel, and two points at which the streams wait for each other.",
    .flaw = "One kernel fills the GPU already, so the halves compete, and the table needs the counts of both.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_he_two_streams),
});

}  // namespace
}  // namespace tonescope
