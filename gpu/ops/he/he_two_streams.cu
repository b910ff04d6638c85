// Report B, version 10: version 8 on two streams, each with one half of the image: its copy to the GPU and its
// counting; then the table, which needs the counts of both; then looking up and the copy back. One half may be counted
// while the other still travels. The report found it slower. The image stands in pinned
// memory, without which no copy runs beside a kernel.
//
// The stages show what is left to wait for: "upload" ends when both halves have arrived, "histogram" is what is not
// counted by then, "apply" ends when all is looked up, and "download" is what has not left by then.
#include "gpu/ops/he/he_constant_memory.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
/// Rows with a stream of their own.
struct Half {
    int first = 0, rows = 0;
    Stream stream;
    Event reached;
};

/// Kept from run to run.
struct TwoStreams {
    Half halves[2];
    Event begun;
};

/// Both streams go on from what the job's stream has been given.
void fork_streams(const CudaJob& job, const TwoStreams& two) {
    two.begun.record(job.stream);
    for (const Half& half : two.halves) TONESCOPE_CUDA(cudaStreamWaitEvent(half.stream, two.begun, 0));
}

/// Calls queue(half) for both, and the job's stream waits for what they have been given; they do not wait for each
/// other.
template <class Queue>
void on_both_streams(const CudaJob& job, const TwoStreams& two, Queue&& queue) {
    for (const Half& half : two.halves) {
        if (half.rows > 0) queue(half);
        half.reached.record(half.stream);
        TONESCOPE_CUDA(cudaStreamWaitEvent(job.stream, half.reached, 0));
    }
}

void run_two_streams(CudaJob& job) {
    const ExclusiveAccess::Scope exclusive(access_to_tables(), job.device.index, job.stream);
    const Planes planes(job);
    const bool travels = job.h_input.data != nullptr;  // else the pixels are on the GPU and stay there
    const int height = job.input_spec.height, upper = (height + 1) / 2;
    auto& two = job.scratch.keep<TwoStreams>("he two streams");
    two.halves[0].rows = two.halves[1].first = upper;
    two.halves[1].rows = height - upper;

    auto* d_histograms = job.scratch.get<uint32_t>("he histograms", 3 * 256);
    TONESCOPE_CUDA(cudaMemsetAsync(d_histograms, 0, planes.all().size() * 256 * sizeof(uint32_t), job.stream));
    fork_streams(job, two);
    if (travels) {
        const auto stage = job.stage("upload");
        on_both_streams(job, two, [&](const Half& half) {
            // What d_input points to is the variant's to fill.
            auto* d_rows = const_cast<uint8_t*>(job.d_input) + size_t(half.first) * job.input_pitch_bytes;
            TONESCOPE_CUDA(cudaMemcpy2DAsync(d_rows, job.input_pitch_bytes, job.h_input.row(half.first),
                                             job.h_input.pitch_bytes, job.input_spec.row_bytes(), size_t(half.rows),
                                             cudaMemcpyHostToDevice, half.stream));
        });
    }
    {
        const auto stage = job.stage("histogram");
        on_both_streams(job, two, [&](const Half& half) {
            split_rows(job, planes, half.first, half.rows, half.stream);
            for (size_t k = 0; k < planes.all().size(); ++k) {
                const Plane plane = planes.all()[k].rows(half.first, half.rows);
                const PixelGrid grid = report_grid(job, plane);
                he_histogram_shared_kernel<<<grid.grid, grid.block, 0, half.stream>>>(
                    plane.d_in, plane.in_pitch, plane.width, plane.height, d_histograms + k * 256);
                TONESCOPE_LAUNCHED("he_histogram_shared_kernel");
            }
        });
    }
    {
        const auto stage = job.stage("table");
        tables_to_constant_memory(job, planes, tables_on_host(job, planes, d_histograms));
    }
    fork_streams(job, two);
    {
        const auto stage = job.stage("apply");
        on_both_streams(job, two, [&](const Half& half) {
            for (size_t k = 0; k < planes.all().size(); ++k) {
                const Plane plane = planes.all()[k].rows(half.first, half.rows);
                const PixelGrid grid = report_grid(job, plane);
                he_apply_constant_kernel<<<grid.grid, grid.block, 0, half.stream>>>(
                    plane.d_in, plane.in_pitch, plane.d_out, plane.out_pitch, plane.width, plane.height, int(k));
                TONESCOPE_LAUNCHED("he_apply_constant_kernel");
            }
            join_rows(job, planes, half.first, half.rows, half.stream);
        });
    }
    if (!travels) return;
    const auto stage = job.stage("download");
    on_both_streams(job, two, [&](const Half& half) {
        const DeviceOutput& output = job.output;
        TONESCOPE_CUDA(cudaMemcpy2DAsync(job.h_output.row(half.first), job.h_output.pitch_bytes,
                                         output.d_data + size_t(half.first) * output.pitch_bytes, output.pitch_bytes,
                                         output.spec.row_bytes(), size_t(half.rows), cudaMemcpyDeviceToHost,
                                         half.stream));
    });
}
#endif

const VariantRegistration two_streams_variant({
    .op = "he",
    .id = "two-streams",
    .name = "Two streams",
    .source = "B 10",
    .follows = "texture-table",
    .builds_on = "constant-table",
    .same_kernels_as = "constant-table",
    .memory = MemoryMode::overlapped,
    .params = kBlockTable,
    .idea = "Each half of the image has a stream: while one half is copied, kernels may work on the other.",
    .cost = "Twice the launches, and a point in the middle at which both streams wait for the table.",
    .flaw = "With two pieces, the first copy in and the last copy out have nothing beside them: 0.5 of the 0.9 ms that "
            "the copies of 24 MPixel take (measured on an H200).",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{"histogram", count_by_block(c)}, {"apply", look_up_constant(c)}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_two_streams),
});

}  // namespace
}  // namespace tonescope::he
