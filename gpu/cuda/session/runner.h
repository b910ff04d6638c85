// Runs variants on a stream of its own, with the counts that go with every result.
#pragma once

#include <cstdint>
#include <stop_token>

#include "gpu/core/backend.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/runtime/device.h"
#include "gpu/cuda/runtime/launch_log.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/scratch.h"
#include "gpu/cuda/runtime/stages.h"
#include "gpu/cuda/runtime/stream.h"

namespace tonescope {

/// An image where kernels reach it.
struct DevicePixels {
    uint8_t* d_data = nullptr;
    size_t pitch_bytes = 0;
    ImageSpec spec = {};
};

/// What a variant that moves the pixels itself copies from and to: CudaJob::h_input and h_output.
struct HostPixels {
    ImageView h_input = {};
    MutableImageView h_output = {};
};

/// For one thread at a time. Keeps its memory from run to run. Functions queue work on `stream` and do not wait; they
/// throw DeviceError.
class Runner {
    const DeviceUse use_;  // first: it outlives everything of CUDA's

  public:
    /// Makes the device (-1: the first one) the calling thread's.
    explicit Runner(int device_index) : use_(device_index), device(select_device(device_index)) {}

    /// `mask`: that of the spec's part, where it has one. `host` and `stop` are the job's (CudaJob); a variant that
    /// moves the pixels itself takes no part.
    void launch(const RunSpec& spec, const DevicePixels& input, const DevicePixels& mask, const DeviceOutput& output,
                bool live, const HostPixels& host = {}, std::stop_token stop = {});
    /// Counts the image that a run makes, for histogram(); of gray images luma alone.
    void count_image(const DeviceOutput& image);
    /// Brings the bins that a run makes to the host, for bins().
    void fetch_bins();
    /// Counts the words of what the last run's operator saw, which is still there, for bins().
    void count_words();

    /// What was counted and fetched last, once the stream is done with it.
    DisplayHistogram histogram(const ImageSpec& image) const;
    BinsResult bins() const;
    /// Whether the times of the last run hold what happens once: kernels loaded, memory allocated.
    bool was_a_first() const { return launches_.has_new_kernels() || allocations() > allocations_before_; }
    std::vector<KernelResources> resources() { return launches_.resources(device); }
    /// For runs of several launches: an open scope of it makes them one.
    LaunchLog& launches() { return launches_; }
    /// Frees what variants and counts keep, once the device is done with it.
    void release() noexcept {
        cudaDeviceSynchronize();  // variants have streams of their own too; an error comes with a later call
        cudaGetLastError();
        scratch_.clear();
        counting_ = {};
        region_ = {};
        made_ = {};
    }

    const DeviceProperties device;  // before the stream: it makes the device the thread's
    const Stream stream;
    StageRecorder stages{stream};

  private:
    struct Counts {
        uint32_t display[4 * 256];  // red, green, blue, luma
        uint32_t words[kFineBins];
        uint8_t bins[kFineBins];
    };
    /// Calls queue(). Where that throws halfway, what variants and counts keep is freed: the kernels that were to leave
    /// counters zero (ZeroedWords) may not have been launched.
    template <class Queue>
    void all_or_nothing(Queue&& queue) {
        try {
            queue();
        } catch (...) {
            release();
            throw;
        }
    }
    /// Queues a variant, and what takes a part out of the image before it and puts it back behind it.
    void queue_run(const RunSpec& spec, const DevicePixels& mask, CudaJob& job);
    void cut_out(const Rect& rect, CudaJob& job);
    void queue_counts(const DeviceOutput& image);
    void queue_words(const DevicePixels& input);
    Counts& on_host() const { return *h_counts_.as<Counts>(); }
    Counts& on_device() const { return *d_counts_.as<Counts>(); }
    /// Copies a member of Counts to the host.
    template <class Member>
    void fetch(const Member& d_member, Member& h_member) const {
        TONESCOPE_CUDA(cudaMemcpyAsync(&h_member, &d_member, sizeof(Member), cudaMemcpyDeviceToHost, stream));
    }

    LaunchLog launches_;
    uint64_t allocations_before_ = 0;
    ScratchArena scratch_;
    const OperatorInfo* scratch_op_ = nullptr;
    DeviceImage region_, made_;  // what an operator sees of a part of the image, and what it makes of it
    DevicePixels seen_;          // what the last operator saw
    ZeroedWords counting_;
    DeviceMemory d_counts_{sizeof(Counts)};
    PinnedMemory h_counts_{sizeof(Counts)};
};

/// The histogram of a gray image, 8 bits, at most 2^29 pixels, into d_counts[256], by the kernel of the Runner's
/// counts: for the benchmark. `scratch` serves one stream. Does not wait. Throws DeviceError.
void count_gray(const uint8_t* d_data, size_t pitch_bytes, int width, int height, uint32_t* d_counts,
                ZeroedWords& scratch, const DeviceProperties& device, cudaStream_t stream);

}  // namespace tonescope
