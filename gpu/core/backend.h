// Backends: one run at a time for the command line, tests and benchmark (Backend), and live runs for the window
// (LiveSession).
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "gpu/core/histogram.h"
#include "gpu/core/image.h"
#include "gpu/core/limits/roofs.h"
#include "gpu/core/part/result_part.h"
#include "gpu/core/registry.h"
#include "gpu/core/timing.h"
#include "gpu/core/trace.h"

namespace tonescope {

struct RunSpec {
    const OperatorInfo* op = nullptr;
    const VariantInfo* variant = nullptr;
    ParamBlock params = {};
    ParamBlock variant_params = {};
    /// CUDA variants that fix no mode. In a live session `pinned` is the image that stays on the device; with every
    /// other mode each run is a round trip from host memory and back.
    MemoryMode memory = MemoryMode::pinned;
    /// What of the image the operator filters. Operators that make bins count all of the region, whatever the mask.
    ResultPart part = {};
    /// The mode in which the variant runs: its own, where it fixes one.
    MemoryMode memory_mode() const { return variant->memory.value_or(memory); }
    bool operator==(const RunSpec&) const = default;
};

/// Throws UserError where the variant cannot run so on such an image (refusal()), or the part is none of it (misfit()).
void check_takes(const RunSpec& spec, const ImageSpec& image);
/// Default values, and the memory mode that the variant fixes. `variant` may be null.
RunSpec default_run(const OperatorInfo& op, const VariantInfo* variant);
/// Sets the parameter of the operator or the variant that is named so. False where neither has it. Throws UsageError
/// for a value that is not allowed.
bool set_param(RunSpec& spec, std::string_view id, std::string_view text);

struct RunResult {
    HostImage image;  // empty for operators that make bins
    std::optional<BinsResult> bins = {};
    StageTimes stages = {};                          // upload and download included on a device
    std::vector<KernelResources> resources = {};     // of the variant's kernels; empty on the CPU
    std::optional<DisplayHistogram> histogram = {};  // of the image, where the run was live
    RunTrace trace = {};                             // where it was traced
};

/// `live`: for a window. `traced`: with RunResult::trace, for which a GPU's kernels are kept apart: its times are the
/// spans', and the run as a whole takes longer than others. `resident`: the same, and pages of managed memory are on
/// the device when the kernels begin, which another run of these has brought there.
enum class RunKind : uint8_t { plain, live, traced, resident };

/// What a processor runs at.
struct ClockRate {
    double mhz = 0;
    double nominal_mhz = 0;  // what it is made for at most; 0 where nobody knows
};

class Backend {
  public:
    virtual ~Backend() = default;
    virtual BackendKind kind() const = 0;
    virtual std::string device_name() const = 0;  // "NVIDIA H200", "CPU, 2 threads"
    /// How many pieces of work run side by side: threads of the CPU; threads that fit on all multiprocessors of a GPU.
    virtual int64_t lanes() const = 0;
    /// An image in the memory of the host from which a run in this mode takes its input by itself, and to which it then
    /// gives its result; from and to other memory the host copies pixels first and last (stages "copy in" and "copy
    /// out"). Its pixels are undefined. Empty where any memory serves. Throws DeviceMemoryError where there is
    /// too little, MemoryError, UserError.
    virtual HostImage make_image(const ImageSpec& /*spec*/, MemoryMode /*mode*/) { return {}; }
    /// Runs the variant and waits. Throws DeviceError when the device fails and Canceled when `stop` was set.
    virtual RunResult run(const ImageView& input, const RunSpec& spec, std::stop_token stop = {},
                          RunKind kind = RunKind::plain) = 0;
    /// What it runs at now, measured in less than 1 ms. Throws DeviceError.
    virtual ClockRate clock() = 0;
    /// What it can do at most: measured once in the program, in less than a second, or less of it once `stop` is set.
    /// Throws DeviceError.
    virtual Roofs roofs(std::stop_token stop) = 0;
};

struct Canceled {};

/// One a core of the machine.
int default_cpu_threads();
std::string cpu_device_name(int threads);  // "CPU, 2 threads"

/// `threads` 0: default_cpu_threads(). `progress`, which may be null, is told how far the run under way is.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0, RunProgress* progress = nullptr);
/// `device` -1: the first one. Throws DeviceError that says why there is none (also in builds without CUDA).
std::unique_ptr<Backend> make_cuda_backend(int device = -1);

/// Bandwidth of the backend's memory, GB/s: bytes read and written by copies larger than the usual caches, best of
/// several. Takes a few tenths of a second on the calling thread. 0 where `stop` was set meanwhile. Throws MemoryError.
double measure_cpu_copy_gb_s(int threads, std::stop_token stop);
/// Throws DeviceError.
double measure_cuda_copy_gb_s(int device, std::stop_token stop);

/// Memory of the host from which a device takes images by itself, for those that are open. From any thread; images may
/// outlive it.
class ImageMemory {
  public:
    virtual ~ImageMemory() = default;
    /// An image with undefined pixels; empty where any memory serves as well, or this is not to be had.
    virtual HostImage make(const ImageSpec& spec) = 0;
    /// Gives back what images that are gone have left for the next ones.
    virtual void release() noexcept = 0;
};

/// What the window asks of a live session: the newest request replaces older ones.
struct LiveRequest {
    uint64_t serial = 0;  // rises with each request
    RunSpec spec = {};
    Rect visible = {};  // part of the image on screen; empty: unknown
    double scale = 1;   // screen pixels per image pixel there
    /// LiveResult::stages are wanted. Where they are not, a GPU need not separate the kernels of a run to time them: a
    /// kernel may start while the one before it ends.
    bool wants_stages = true;
};

/// What came of a request. Every finished request yields exactly one final result; replaced ones yield none.
struct LiveResult {
    uint64_t serial = 0;
    uint64_t image_serial = 0;
    bool preview = false;  // approximate, covers `region` only; the final result follows
    Rect region = {};      // preview: the part of the image that `image` stands for, at reduced size
    ImageSpec spec = {};   // of the full result
    std::shared_ptr<const HostImage> image = {};  // null where the session wrote straight into the presenter's textures
    std::optional<DisplayHistogram> histogram = {};  // of the full result
    std::optional<BinsResult> bins = {};
    StageTimes stages = {};                       // may be empty where they were not wanted
    std::vector<KernelResources> resources = {};  // of the variant's kernels; empty on the CPU
    double device_ms = 0;        // on a GPU: from the first kernel to the end of the panels' counts; 0 elsewhere
    std::string error = {};      // one line; the request failed, and what was shown before stays
    bool device_failed = false;  // ... and so did the device: go on with the CPU
};

/// What a run has made, for the session to complete.
LiveResult live_result(RunResult run);

struct PixelProbe {
    int x = 0, y = 0;
    uint16_t value[4] = {};  // gray: value[0]
};
/// Of what stands at `pixel`.
PixelProbe probe_of(int x, int y, const uint8_t* pixel, PixelFormat format);

/// Runs variants on one image for the window. All calls come from the UI thread and return at once.
class LiveSession {
  public:
    virtual ~LiveSession() = default;
    virtual BackendKind kind() const = 0;
    virtual std::string device_name() const = 0;
    /// For images that are about to be read; null: any memory serves.
    virtual std::shared_ptr<ImageMemory> image_memory() const { return nullptr; }
    /// Replaces the image; requests that are still open are dropped.
    virtual void set_image(std::shared_ptr<const HostImage> image, uint64_t image_serial) = 0;
    virtual void submit(const LiveRequest& request) = 0;
    /// Drops the open request.
    virtual void cancel() = 0;
    /// Called once a frame: moves on what is under way and hands over the next thing that is finished.
    virtual std::optional<LiveResult> poll() = 0;
    virtual bool busy() const = 0;
    /// 0 to 1 of the open request, negative where unknown.
    virtual double progress() const = 0;
    /// Asks for a pixel of the last final result; the answer comes from a later probed() call.
    virtual void probe(int x, int y) = 0;
    virtual std::optional<PixelProbe> probed() const = 0;
    /// The last final result at full size, for saving. Null when there is none; DeviceError in the future when the
    /// device fails.
    virtual std::future<std::shared_ptr<const HostImage>> download() = 0;
};

/// What builds without the CUDA toolkit say.
inline constexpr const char* kNoCudaReason = "this build has no CUDA backend (it was made without the CUDA toolkit)";

class ResultTextures;  // gpu/cuda/session/result_textures.h

/// `wake` may be called from any thread when poll() has something new.
std::unique_ptr<LiveSession> make_cpu_session(std::function<void()> wake, int threads = 0);
/// Throws DeviceError. `textures`: where results are written; null: they come as host images.
std::unique_ptr<LiveSession> make_cuda_session(std::function<void()> wake, ResultTextures* textures, int device = -1);

}  // namespace tonescope
