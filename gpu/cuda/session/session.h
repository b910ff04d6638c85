// Live runs on the GPU: one compute stream; fast results go straight into the presenter's textures.
#pragma once

#include <array>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/cuda/runtime/worker.h"
#include "gpu/cuda/session/image_pool.h"
#include "gpu/cuda/session/live_transfer.h"
#include "gpu/cuda/session/result_textures.h"
#include "gpu/cuda/session/runner.h"

namespace tonescope {

/// A request that is on the device when a newer one comes is finished and gives its result: under a moving slider there
/// would be none otherwise. Only a request that has not begun is replaced.
///
/// What happens to a run in the memory mode `pinned`, whose image is uploaded once and stays:
/// - Variants whose last run was fast, with an interop presenter: kernels write the back texture, which is mapped;
///   unmap, flip at once, and map the texture that was in front for the next run. Drawing waits on the GPU for the
///   kernels.
/// - Other variants, with an interop presenter: kernels write device memory; when they are done, map, copy, unmap,
///   flip.
/// - Without interop: kernels write device memory; a worker downloads it, and LiveResult::image carries it.
/// In another mode, or where the variant may wait (VariantInfo::max_pixels), a round trip on a worker does it, and
/// LiveResult::image carries the result.
class CudaSession final : public LiveSession {
  public:
    CudaSession(const std::function<void()>& wake, ResultTextures* textures, int device);
    ~CudaSession() override;

    BackendKind kind() const override { return BackendKind::cuda; }
    std::string device_name() const override { return runner_.device.name; }
    std::shared_ptr<ImageMemory> image_memory() const override { return image_memory_; }
    void set_image(std::shared_ptr<const HostImage> image, uint64_t image_serial) override;
    void submit(const LiveRequest& request) override { pending_ = request; }
    void cancel() override;
    std::optional<LiveResult> poll() override;
    bool busy() const override {
        return run_ || pending_ || probe_in_flight_ || (probe_wanted_ && front_) || !downloads_wanted_.empty();
    }
    double progress() const override { return -1; }
    void probe(int x, int y) override;
    std::optional<PixelProbe> probed() const override { return probed_; }
    std::future<std::shared_ptr<const HostImage>> download() override;

  private:
    enum class Phase { computing, presenting, downloading, round_trip };

    /// The request that is on the device.
    struct Run {
        LiveRequest request;
        ImageSpec output_spec;
        Phase phase = Phase::computing;
        std::shared_ptr<ResultBuffer> buffer = {};  // null: the texture itself, bins, or a round trip
        bool into_texture = false;
        bool dropped = false;     // nobody wants its result any more
        bool is_a_first = false;  // Runner::was_a_first()
        double device_ms = 0;     // once it is computed
        std::future<std::shared_ptr<const HostImage>> downloaded = {};
        std::future<LiveResult> round_trip = {};
        std::stop_source stop = {};  // of the round trip
    };
    /// The last final result, for probes and downloads. Where there is neither buffer nor image, it stands in the
    /// texture only, which CUDA may not read back.
    struct Front {
        RunSpec spec;
        ImageSpec output_spec;
        std::shared_ptr<ResultBuffer> buffer = {};
        std::shared_ptr<const HostImage> image = {};
    };
    struct KnownTime {
        RunSpec spec;
        double ms = 0;
    };

    void start_upload();
    bool has_mask(const ResultPart& part);
    std::optional<LiveResult> move_on();
    void make_room();
    LiveResult failure(const std::string& error, bool device_failed);
    void drop_run();
    bool shows_run() const;
    bool has_ended() const;
    std::optional<LiveResult> advance();
    LiveResult finish();
    LiveResult finish_on_device();
    void start_pending();
    void begin(const ImageSpec& output_spec, Phase phase);
    void start_round_trip(const ImageSpec& output_spec);
    void start_on_device(const ImageSpec& output_spec);
    bool is_fast(const RunSpec& spec) const;
    std::shared_ptr<ResultBuffer> free_buffer() const;
    void compute();
    bool repeat();
    std::span<const ResultTextures::Mapped> map_textures();
    void show_textures();
    bool present_from_memory();
    bool bring_front_to_memory();
    void launch(const RunSpec& spec, const DeviceOutput& output);
    void serve_probe();
    void serve_downloads();

    ResultTextures* textures_;    // null: results go out as host images
    double mapped_ahead_ms_ = 0;  // UI thread's time for the textures that wait for the next run
    Runner runner_;
    std::shared_ptr<ImageMemory> image_memory_ = make_open_image_memory(runner_.device.index);
    Event run_begin_{Event::Kind::timed}, run_end_{Event::Kind::timed}, presented_;
    std::array<std::shared_ptr<ResultBuffer>, 2> results_{std::make_shared<ResultBuffer>(),
                                                          std::make_shared<ResultBuffer>()};

    std::shared_ptr<const HostImage> image_;
    ImageSpec image_spec_;
    uint64_t image_serial_ = 0, last_serial_ = 0;
    std::optional<LiveRequest> pending_;
    std::optional<Run> run_;
    std::optional<Front> front_;
    int runs_until_failure_;                               // tests force a failing device by it; negative: never
    std::map<const VariantInfo*, KnownTime> known_times_;  // of a variant's last run on an image of this size

    std::optional<Pixel> probe_wanted_, probe_in_flight_;
    PinnedMemory h_pixel_{sizeof(PixelProbe::value)};
    Event probe_done_;
    PixelFormat probe_format_ = PixelFormat::gray8;  // of the pixel in flight
    std::optional<PixelProbe> probed_;
    std::vector<LiveDownload::Promise> downloads_wanted_;

    std::unique_ptr<Backend> round_trip_;                            // the worker's, made by the first round trip
    bool has_round_trip_ = false;                                    // the worker has made it, or will
    std::future<void> freed_;                                        // the worker's last reset of it
    enum class Room { enough, lacking, made } room_ = Room::enough;  // made: nothing has come of the second try yet
    std::shared_ptr<const HostImage> mask_;  // that mask_upload_ brings or has brought; null: none
    std::function<void()> wake_;
    std::optional<LiveUpload> mask_upload_;  // from the first mask on
    LiveUpload upload_;
    LiveDownload download_;
    Worker round_trips_;
};

}  // namespace tonescope
