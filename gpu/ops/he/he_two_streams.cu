// Report B, version 10: version 8 on two streams, each with one half of the image: its copy to the GPU and its
// counting; then the table, which needs the counts of both; then looking up and the copy back. One half may be counted
// while the other still travels. The report found it slower: two kernels at a time compete. The image stands in pinned
// memory, without which no copy runs beside a kernel.
//
// The stages show what is left to wait for: "upload" ends when both halves have arrived, "histogram" is what is not
// counted by then, "apply" ends when all is looked up, and "download" is what has not left by then.
#include "gpu/ops/he/he_constant_memory.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
/// Kept from run to run.
struct TwoStreams {
    Stream streams[2];
    Event begun, reached[2];
};

/// Rows with a stream of their own.
struct Half {
    int first, rows;
    cudaStream_t stream;
};

class RunOnTwoStreams {
  public:
    explicit RunOnTwoStreams(CudaJob& job)
        : job_(job), planes_(job), two_(job.scratch.keep<TwoStreams>("he two streams")) {
        const int height = job.input_spec.height, upper = (height + 1) / 2;
        halves_[0] = {0, upper, two_.streams[0]};
        halves_[1] = {upper, height - upper, two_.streams[1]};
    }

    /// Both streams go on from what the job's stream has been given.
    void fork() {
        two_.begun.record(job_.stream);
        for (const Half& half : halves_) TONESCOPE_CUDA(cudaStreamWaitEvent(half.stream, two_.begun, 0));
    }
    /// A stage with queue(half) on both streams. The job's stream waits for its end, the two streams do not.
    template <class Queue>
    void stage(std::string_view name, uint64_t bytes, Queue&& queue) {
        const auto stage = job_.stage(name, bytes);
        for (int k = 0; k < 2; ++k) {
            if (halves_[k].rows > 0) queue(halves_[k]);
            two_.reached[k].record(halves_[k].stream);
            TONESCOPE_CUDA(cudaStreamWaitEvent(job_.stream, two_.reached[k], 0));
        }
    }

    void copy_in(const Half& half) const {
        TONESCOPE_CUDA(
            cudaMemcpy2DAsync(const_cast<uint8_t*>(job_.d_input) + size_t(half.first) * job_.input_pitch_bytes,
                              job_.input_pitch_bytes, job_.h_input.row(half.first), job_.h_input.pitch_bytes,
                              job_.input_spec.row_bytes(), size_t(half.rows), cudaMemcpyHostToDevice, half.stream));
    }
    void count(const Half& half, uint32_t* d_histograms) const {
        planes_.split_rows(half.first, half.rows, half.stream);
        for (const Plane& whole : planes_.all()) {
            const Plane plane = whole.rows(half.first, half.rows);
            const PixelGrid grid(plane.width, plane.height);
            he_histogram_shared_kernel<<<grid.grid, grid.block, 0, half.stream>>>(
                plane.d_in, plane.in_pitch, plane.width, plane.height, d_histograms);
            TONESCOPE_LAUNCHED("he_histogram_shared_kernel");
            d_histograms += 256;
        }
    }
    void look_up(const Half& half) const {
        for (size_t k = 0; k < planes_.all().size(); ++k) {
            const Plane plane = planes_.all()[k].rows(half.first, half.rows);
            const PixelGrid grid(plane.width, plane.height);
            he_apply_constant_kernel<<<grid.grid, grid.block, 0, half.stream>>>(
                plane.d_in, plane.in_pitch, plane.d_out, plane.out_pitch, plane.width, plane.height, int(k));
            TONESCOPE_LAUNCHED("he_apply_constant_kernel");
        }
        planes_.join_rows(half.first, half.rows, half.stream);
    }
    void copy_out(const Half& half) const {
        const DeviceOutput& output = job_.output;
        TONESCOPE_CUDA(cudaMemcpy2DAsync(job_.h_output.row(half.first), job_.h_output.pitch_bytes,
                                         output.d_data + size_t(half.first) * output.pitch_bytes, output.pitch_bytes,
                                         output.spec.row_bytes(), size_t(half.rows), cudaMemcpyDeviceToHost,
                                         half.stream));
    }

    void run() {
        const ExclusiveAccess::Scope exclusive(access_to_tables(), job_.device.index, job_.stream);
        const bool travels = job_.h_input.data != nullptr;  // else the pixels are on the GPU and stay there
        const size_t counters = planes_.all().size() * 256;
        auto* d_histograms = job_.scratch.get<uint32_t>("he histograms", 3 * 256);
        TONESCOPE_CUDA(cudaMemsetAsync(d_histograms, 0, counters * sizeof(uint32_t), job_.stream));
        fork();
        if (travels) stage("upload", job_.input_bytes(), [&](const Half& half) { copy_in(half); });
        stage("histogram", planes_.size_bytes(), [&](const Half& half) { count(half, d_histograms); });
        {
            const auto stage = job_.stage("table");
            tables_to_constant_memory(job_, planes_, tables_on_host(job_, planes_, d_histograms));
        }
        fork();
        stage("apply", 2 * planes_.size_bytes(), [&](const Half& half) { look_up(half); });
        if (travels) stage("download", job_.output_bytes(), [&](const Half& half) { copy_out(half); });
    }

  private:
    CudaJob& job_;
    const Planes planes_;
    TwoStreams& two_;
    Half halves_[2];
};

void run_two_streams(CudaJob& job) {
    RunOnTwoStreams(job).run();
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
    .idea = "Each half of the image has a stream: while one half is copied, kernels may work on the other.",
    .cost = "Twice the launches, and a point in the middle at which both streams wait for the table.",
    .flaw = "Little overlaps with two pieces: the first copy in and the last copy out have nothing beside them, and "
            "the kernels' time is small beside the copies'.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_two_streams),
});

}  // namespace
}  // namespace tonescope::he
