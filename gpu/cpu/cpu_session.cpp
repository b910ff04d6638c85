// Live runs on the CPU: one worker thread, the newest request wins, a reduced preview comes before a slow result.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/cpu/display_histogram.h"
#include "gpu/cpu/put_back.h"

namespace tonescope {
namespace {

using Clock = std::chrono::steady_clock;

/// A full result that is expected to take longer than this gets a preview first.
constexpr double kPreviewAbove_ms = 40;
/// A preview computes about this many pixels.
constexpr double kPreviewPixels = 250'000;
/// Variants that have not run yet are taken to be slow on images from this size.
constexpr int64_t kUnknownIsSlowFrom_px = 500'000;

/// What is on screen may still be a part of the image before. The whole image where nothing is left of it.
Rect visible_part(const Rect& visible, const ImageSpec& spec) {
    const int left = std::clamp(visible.x, 0, spec.width), top = std::clamp(visible.y, 0, spec.height);
    const Rect part{left, top, std::clamp(visible.x + visible.width, left, spec.width) - left,
                    std::clamp(visible.y + visible.height, top, spec.height) - top};
    return part.width > 0 && part.height > 0 ? part : Rect{0, 0, spec.width, spec.height};
}

class CpuSession final : public LiveSession {
  public:
    CpuSession(std::function<void()> wake, int threads)
        : wake_(std::move(wake)), threads_(threads), worker_([this](std::stop_token stop) { work(stop); }) {}

    ~CpuSession() override { cancel(); }

    BackendKind kind() const override { return BackendKind::cpu; }
    std::string device_name() const override { return cpu_device_name(threads_); }

    void set_image(std::shared_ptr<const HostImage> image, uint64_t image_serial) override {
        std::lock_guard lock(mutex_);
        drop();
        results_.clear();
        probed_.reset();
        last_.reset();
        image_ = std::move(image);
        image_serial_ = image_serial;
    }

    void submit(const LiveRequest& request) override {
        {
            std::lock_guard lock(mutex_);
            run_stop_.request_stop();
            pending_ = request;
        }
        changed_.notify_all();
    }

    void cancel() override {
        std::lock_guard lock(mutex_);
        drop();
    }

    std::optional<LiveResult> poll() override {
        std::lock_guard lock(mutex_);
        if (results_.empty()) return {};
        LiveResult result = std::move(results_.front());
        results_.pop_front();
        return result;
    }

    bool busy() const override {
        std::lock_guard lock(mutex_);
        return running_ || pending_.has_value() || !results_.empty();
    }

    double progress() const override {
        std::lock_guard lock(mutex_);
        if (!running_) return -1;
        if (const double counted = run_progress_.fraction(); counted >= 0) return counted;
        if (expected_ms_ <= 0) return -1;
        return std::min(ms_since(run_begin_) / expected_ms_, 0.99);
    }

    void probe(int x, int y) override {
        std::lock_guard lock(mutex_);
        probed_.reset();
        if (!last_ || x < 0 || y < 0 || x >= last_->width() || y >= last_->height()) return;
        probed_ = probe_of(x, y, last_->view().pixel(x, y), last_->spec().format);
    }

    std::optional<PixelProbe> probed() const override {
        std::lock_guard lock(mutex_);
        return probed_;
    }

    std::future<std::shared_ptr<const HostImage>> download() override {
        std::promise<std::shared_ptr<const HostImage>> promise;
        std::lock_guard lock(mutex_);
        promise.set_value(last_);
        return promise.get_future();
    }

  private:
    /// What a run works on, taken under the lock.
    struct Work {
        LiveRequest request;
        std::shared_ptr<const HostImage> image;
        uint64_t image_serial = 0;
        std::stop_token run_stop, image_stop;
        double expected_ms = 0;  // 0: unknown

        /// The image that the operator sees.
        ImageSpec filtered() const { return filtered_spec(request.spec.part, image->spec()); }
    };

    /// What the time of a pixel depends on most: the variant and the choices among the operator's parameters.
    using Cost = std::pair<const VariantInfo*, std::vector<int32_t>>;
    static Cost cost_of(const RunSpec& spec) {
        Cost cost{spec.variant, {}};
        for (const ParamInfo& info : spec.op->params)
            if (info.kind == ParamKind::choice) cost.second.push_back(spec.params.get(info));
        return cost;
    }

    /// Drops the open request and ends the run under way, under the lock.
    void drop() {
        run_stop_.request_stop();
        image_stop_.request_stop();
        image_stop_ = {};
        pending_.reset();
    }

    void work(std::stop_token quit) {
        while (true) {
            Work job;
            {
                std::unique_lock lock(mutex_);
                running_ = false;
                if (!changed_.wait(lock, quit, [this] { return pending_.has_value() && image_; })) return;
                run_stop_ = {};
                job = {*pending_, image_, image_serial_, run_stop_.get_token(), image_stop_.get_token(), 0};
                pending_.reset();
                if (const auto known = ns_per_pixel_.find(cost_of(job.request.spec)); known != ns_per_pixel_.end())
                    job.expected_ms = known->second * double(job.filtered().pixels()) * 1e-6;
                running_ = true;
                run_progress_.start(0);  // the variant may count
                run_begin_ = Clock::now();
                expected_ms_ = job.expected_ms;
            }
            LiveResult result;
            try {
                preview(job);
                result = run(job);
            } catch (const Canceled&) {
                continue;  // a newer request has replaced this one
            } catch (const std::bad_alloc&) {
                result.error = "not enough memory for " + std::string(job.request.spec.op->name);
            } catch (const std::exception& error) {
                result.error = error.what();
            }
            deliver(job, std::move(result));
        }
    }

    void preview(const Work& job) {
        const RunSpec& run = job.request.spec;
        const OperatorInfo& op = *run.op;
        const ImageSpec& spec = job.image->spec();
        if (op.preview == nullptr) return;
        check_takes(run, spec);
        const bool slow =
            job.expected_ms > 0 ? job.expected_ms > kPreviewAbove_ms : job.filtered().pixels() >= kUnknownIsSlowFrom_px;
        if (!slow) return;
        const Rect visible = visible_part(job.request.visible, spec);
        const double area = double(visible.width) * visible.height;
        int step = std::max(1, int(std::ceil(std::sqrt(area / kPreviewPixels))));
        if (job.request.scale < 1) step = std::max(step, int(1 / job.request.scale));
        ImageSpec reduced = op.output_spec(spec, run.params);
        reduced.width = (visible.width + step - 1) / step;
        reduced.height = (visible.height + step - 1) / step;
        auto image = std::make_shared<HostImage>(reduced);
        preview(job, visible, step, *image);
        if (job.image_stop.stop_requested()) throw Canceled{};
        deliver(job, {.preview = true, .region = visible, .image = std::move(image)});
    }

    /// Into an image of every step-th pixel of the visible part, in both directions.
    void preview(const Work& job, const Rect& visible, int step, HostImage& image) {
        const RunSpec& run = job.request.spec;
        const ImageView input = job.image->view();
        const Rect rect = filtered_rect(run.part, input.spec);
        struct Run {
            int first, count;     // pixels of the preview in the rectangle that the operator sees
            int from, length_px;  // the same in the rectangle
        };
        const auto run_inside = [&](int begin, int end, int visible_begin, int visible_end) {
            const int pixels = (visible_end - visible_begin + step - 1) / step;
            const auto first_from = [&](int at) {
                return std::clamp((at - visible_begin + step - 1) / step, 0, pixels);
            };
            const int first = first_from(begin), from = visible_begin + first * step;
            return Run{first, first_from(end) - first, from - begin, std::min(end, visible_end) - from};
        };
        const Run x = run_inside(rect.x, rect.x + rect.width, visible.x, visible.x + visible.width);
        const Run y = run_inside(rect.y, rect.y + rect.height, visible.y, visible.y + visible.height);
        HostImage of_region;
        MutableImageView made = image.mutable_view();
        if (x.count > 0 && y.count > 0) {
            if (run.part.has_region()) {
                ImageSpec spec = image.spec();
                spec.width = x.count;
                spec.height = y.count;
                of_region = HostImage(spec);
                made = of_region.mutable_view();
            }
            run.op->preview({.input = part_of(input, rect),
                             .params = run.params,
                             .region = {x.from, y.from, x.length_px, y.length_px},
                             .step = step,
                             .output = made,
                             .threads = threads_,
                             .stop = job.image_stop});
        }
        if (run.part.is_whole() || job.image_stop.stop_requested()) return;
        put_back(input, run.part, made, {x.first, y.first, x.count, y.count}, image.mutable_view(), threads_,
                 job.image_stop, {visible.x, visible.y, step});
    }

    LiveResult run(const Work& job) {
        if (job.run_stop.stop_requested()) throw Canceled{};
        const Clock::time_point begin = Clock::now();
        LiveResult result =
            live_result(backend_->run(job.image->view(), job.request.spec, job.run_stop, RunKind::live));
        std::lock_guard lock(mutex_);
        ns_per_pixel_[cost_of(job.request.spec)] = ms_since(begin) * 1e6 / double(job.filtered().pixels());
        return result;
    }

    void deliver(const Work& job, LiveResult result) {
        result.serial = job.request.serial;
        result.image_serial = job.image_serial;
        result.spec = job.request.spec.op->output_spec(job.image->spec(), job.request.spec.params);
        {
            std::lock_guard lock(mutex_);
            if (job.image_serial != image_serial_) return;
            if (!result.preview) last_ = result.image;
            results_.push_back(std::move(result));
        }
        wake_();
    }

    std::function<void()> wake_;
    int threads_;
    RunProgress run_progress_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend(threads_, &run_progress_);

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::shared_ptr<const HostImage> image_, last_;
    uint64_t image_serial_ = 0;
    std::optional<LiveRequest> pending_;
    std::stop_source run_stop_, image_stop_;
    std::deque<LiveResult> results_;
    std::optional<PixelProbe> probed_;
    std::map<Cost, double> ns_per_pixel_;
    bool running_ = false;
    Clock::time_point run_begin_;
    double expected_ms_ = 0;

    std::jthread worker_;  // last: it uses everything above
};

}  // namespace

std::unique_ptr<LiveSession> make_cpu_session(std::function<void()> wake, int threads) {
    return std::make_unique<CpuSession>(std::move(wake), threads > 0 ? threads : default_cpu_threads());
}

}  // namespace tonescope
