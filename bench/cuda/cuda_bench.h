#pragma once

#include <functional>
#include <map>
#include <memory>

#include "bench/cuda/timer.h"
#include "bench/gpu_bench.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/runtime/memory.h"

namespace tonescope::bench {

/// Buffers of equal size where kernels reach them. Runs use them in turn, so that a run finds nothing of the run before
/// in the L2 cache.
class Ring {
  public:
    /// `count` of them: mapped and managed memory where the mode says so, else memory of the device. Contents are lost.
    /// Throws DeviceError.
    void reshape(MemoryMode mode, size_t count, size_t bytes);
    uint8_t* at(size_t i) const { return d_base_ + i * stride_bytes_; }
    size_t count() const { return count_; }
    size_t stride_bytes() const { return stride_bytes_; }
    /// Sets every byte.
    void fill(uint8_t value, cudaStream_t stream) const;

  private:
    DeviceMemory device_;
    PinnedMemory pinned_;
    ManagedMemory managed_;
    uint8_t* d_base_ = nullptr;
    size_t count_ = 0, stride_bytes_ = 0;
};

/// Buffers of which all together hold three times the L2 cache, at least two.
size_t buffers_past_cache(size_t run_bytes, size_t l2_bytes);

/// Brings an image into every buffer of a ring, with this pitch.
void load_image(const Ring& ring, const ImageView& image, size_t pitch_bytes, cudaStream_t stream);

/// What is timed, and how its results are checked.
struct Work {
    Subject subject;
    size_t buffers = 1;  // past the L2 cache
    double bytes = 0;    // that a run moves at least
    Enqueue enqueue;
    const Ring* results = nullptr;  // filled with `poison` before the samples; null: nothing is checked
    uint8_t poison = 0;
    std::function<int64_t(size_t i)> differences = {};  // pixels or bins of buffer `i` that are not as expected
    const VariantInfo* variant = nullptr;
    bool bins = false;
};

struct Npp;  // bench/cuda/peers.cu
/// Null where the library is not installed.
std::shared_ptr<const Npp> load_npp(const DeviceProperties& device, cudaStream_t stream);

struct CudaBench final : GpuBench {
    explicit CudaBench(const Options& given);

    Json facts() const override;
    Rows begin(const HostImage& next_image) override;
    Rows time_variant(const RunSpec& spec, const RunResult& expected, const Subject& subject) override;
    Rows time_peers(const RunSpec& spec, const RunResult& expected) override;
    Rows time_histograms() override;
    Rows time_transfers() override;

    /// A row for every cache state that was asked for, and every way to launch (`any_launch`: also those that were
    /// not).
    Rows time(const Work& work, bool any_launch = false);
    /// The histogram of a gray deep image, with a bin for each value.
    Rows time_deep_histograms();
    /// Puts the image in every buffer of the input ring, unless it is there.
    void load_input(MemoryMode mode, size_t buffers);
    size_t input_bytes() const { return input_pitch_bytes * size_t(image->height()); }
    int64_t different_pixels(size_t i, size_t pitch_bytes, const HostImage& expected) const;
    std::vector<StageTimes> run_with_stages(const Row& row, const Enqueue& enqueue);

    Options options;
    DeviceProperties device;
    CudaTimer timer;
    StageRecorder stages;
    ScratchArena scratch;
    Ring input, output;  // pitched
    const HostImage* image = nullptr;
    size_t input_pitch_bytes = 0;
    MemoryMode loaded_mode = MemoryMode::pinned;
    size_t loaded_buffers = 0;                // 0: the input ring does not hold the image
    std::map<std::string, double> copy_gb_s;  // by cache state: the faster way to launch
    std::shared_ptr<const Npp> npp;
};

}  // namespace tonescope::bench
