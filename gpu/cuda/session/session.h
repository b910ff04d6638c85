// Live runs on the GPU: one compute stream; fast results go straight into the presenter's textures.
#pragma once

#include <array>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/runtime/device.h"
#include "gpu/cuda/runtime/launch_log.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stages.h"
#include "gpu/cuda/runtime/stream.h"
#include "gpu/cuda/session/live_round_trip.h"
#include "gpu/cuda/session/live_transfer.h"
#include "gpu/cuda/session/result_textures.h"

namespace tonescope {

/// A request that is on the device when a newer one comes is finished and gives its result: under a moving slider there
/// would be none otherwise. Only a request that has not begun is replaced.
///
/// What happens to a run in the memory mode `pinned`, whose image is uploaded once and stays:
/// - Variants whose last run was fast, with an interop presenter: kernels write the back texture, which is mapped;
/// unmap,
///   flip at once, and map the texture that was in front for the next run. Drawing waits on the GPU for the kernels.
/// - Other variants, with an interop presenter: kernels write device memory; when they are done, map, copy, unmap,
/// flip.
/// - Without interop: kernels write device memory; a worker downloads it, and LiveResult::image carries it.
/// In another mode, or where the variant may wait (VariantInfo::max_pixels), a round trip on a worker does it, and
/// LiveResult::image carries the result.
class CudaSession final : public LiveSession {
  public:
    CudaSession(std::function<void()> wake, ResultTextures* textures, int device);
    ~CudaSession() override;

    BackendKind kind() const override { return BackendKind::cuda; }
    std::string device_name() const override { return device_.name; }
    void set_image(std::shared_ptr<const HostImage> image, uint64_t image_serial) override;
    void submit(const LiveRequest& request) override { pending_ = request; }
    void cancel() override;
    std::optional<LiveResult> poll() override;
    bool busy() const override;
    double progress() const override { return -1; }
    void probe(int x, int y) override;
    std::optional<PixelProbe> probed() const override { return probed_; }
    std::future<std::shared_ptr<const HostImage>> download() override;

  private:
    enum class Phase { computing, presenting, downloading, round_trip };
    static constexpr int kNoBuffer = -1;

    /// What a worker hands back.
    struct Fetched {
        std::shared_ptr<const HostImage> image;
        double ms = 0;
    };
    /// The request that is on the device.
    struct Run {
        LiveRequest request;
        ImageSpec output_spec;
        Phase phase = Phase::computing;
        int buffer = kNoBuffer;  // of results_; none: the texture itself, or bins
        bool dropped = false;    // nobody wants its result any more
        bool into_texture = false;
        bool is_a_first = false;  // its times hold what happens once: kernels loaded, memory allocated
        double device_ms = 0;     // once it is computed
        std::future<Fetched> fetched = {};
    };
    /// The last final result, for probes and downloads.
    struct Front {
        RunSpec spec;
        ImageSpec output_spec;
        int buffer = kNoBuffer;  // of results_
        /// The result of a round trip. Where there is neither buffer nor image, the result stands in the texture only,
        /// which CUDA may not read back.
        std::shared_ptr<const HostImage> image = {};
    };
    /// Counters that the device fills and the host reads after run_end_.
    struct HostCounts {
        uint32_t display[4 * 256];
        uint32_t bin_counts[kFineBins];
        uint8_t bins[kFineBins];
        uint8_t pixel[4];
    };

    void start_pending();
    void start_on_device();
    void compute();
    bool repeat();
    void start_round_trip();
    bool shows_run() const;
    void drop_run();
    void launch(const RunSpec& spec, const DeviceOutput& output, StageRecorder& stages);
    std::span<const ResultTextures::Mapped> map_textures();
    void show_textures();
    void map_ahead();
    void run_into_texture();
    void fetch_display_counts(const DeviceOutput& output);
    void fetch_bin_counts();
    std::optional<LiveResult> advance();
    bool present_from_memory();
    void fetch_to_host();
    LiveResult finish();
    LiveResult finish_round_trip();
    LiveResult failure(const std::string& error, bool device_failed);
    void serve_probe();
    void serve_downloads();
    bool bring_front_to_memory();
    int free_buffer() const;
    HostCounts& host_counts() const { return *h_counts_.as<HostCounts>(); }

    std::function<void()> wake_;
    ResultTextures* textures_;  // null: results go out as host images
    DeviceProperties device_;
    Stream stream_;
    StageRecorder stages_{stream_}, again_stages_{stream_};
    LaunchLog launches_;
    double mapped_ahead_ms_ = 0;  // UI thread's time for the textures that wait for the next run
    Event run_begin_{Event::Kind::timed}, run_end_{Event::Kind::timed}, presented_;
    ScratchArena scratch_;
    const OperatorInfo* scratch_op_ = nullptr;
    std::array<ResultBuffer, 2> results_;
    DeviceMemory d_counts_{sizeof(HostCounts)};
    PinnedMemory h_counts_{sizeof(HostCounts)};

    std::shared_ptr<const HostImage> image_;
    ImageSpec image_spec_;
    uint64_t image_serial_ = 0, last_serial_ = 0;
    std::optional<LiveRequest> pending_;
    std::optional<Run> run_;
    std::optional<Front> front_;
    int runs_until_failure_;  // tests force a failing device by it; negative: never
    /// Whether a run like this took so little, on an image of this size, that drawing may wait for it.
    bool is_fast(const RunSpec& spec) const;
    struct KnownTime {
        ParamBlock params, variant_params;
        double ms = 0;
    };
    std::map<const VariantInfo*, KnownTime> known_times_;  // of a variant's last run on an image of this size

    struct Point {
        int x, y;
    };
    std::optional<Point> probe_wanted_, probe_in_flight_;
    Event probe_done_;
    std::optional<PixelProbe> probed_;
    std::vector<std::promise<std::shared_ptr<const HostImage>>> downloads_wanted_;

    LiveUpload upload_;
    LiveDownload download_;
    LiveRoundTrip round_trip_;
};

}  // namespace tonescope
