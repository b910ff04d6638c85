// What a close look needs beyond the pictures on screen: the result's pixels on the host, their numbers, and how much
// before and after differ. Runs on the UI thread and never waits.
#pragma once

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/viewer/live/newest_job.h"
#include "app/viewer/live/pipeline.h"
#include "gpu/core/error.h"
#include "gpu/core/figures/figures.h"
#include "gpu/cpu/display_histogram.h"
#include "gpu/present/view_renderer.h"
#include "ui/model/views.h"

namespace tonescope {

inline ui::Samples samples_of(const HostImage& image, int x, int y) {
    ui::Samples samples{};
    const int count = is_gray(image.spec().format) ? 1 : 4;
    for (int c = 0; c < count; ++c) samples[size_t(c)] = image.view().sample(x, y, c);
    return samples;
}

/// Not known outside the image.
inline ui::PixelValue value_at(const HostImage& image, Pixel pixel) {
    if (pixel.x < 0 || pixel.y < 0 || pixel.x >= image.width() || pixel.y >= image.height()) return {};
    ui::PixelValue value{image.spec().channels(), {}};
    value.value = samples_of(image, pixel.x, pixel.y);
    return value;
}

/// The values of the visible pixels.
inline ui::PixelBlock block_of(const HostImage& image, const Rect& visible) {
    ui::PixelBlock block;
    block.region.x = std::clamp(visible.x, 0, image.width());
    block.region.y = std::clamp(visible.y, 0, image.height());
    block.region.width = std::clamp(visible.width, 0, image.width() - block.region.x);
    block.region.height = std::clamp(visible.height, 0, image.height() - block.region.y);
    block.channels = image.spec().channels();
    block.max_sample = image.spec().max_sample;
    block.values.reserve(size_t(block.region.width) * size_t(block.region.height));
    for (int y = 0; y < block.region.height; ++y)
        for (int x = 0; x < block.region.width; ++x)
            block.values.push_back(samples_of(image, block.region.x + x, block.region.y + y));
    return block;
}

class Inspection {
  public:
    /// What is needed beyond the pictures.
    struct Wanted {
        bool difference = false;  // its figures
        bool figures = false;     // all of them
        Rect region;              // that they are of, pixels; empty: the whole image
        bool numbers = false;     // values of the visible pixels
        bool result = false;      // its pixels on the host
        Rect visible;             // pixels
    };

    /// Needs a current OpenGL context.
    Inspection(Pipeline& pipeline, Tasks& tasks) : pipeline_(pipeline), figures_(tasks, measure) {
        try {
            renderer_.emplace();
        } catch (const DeviceError& error) {
            problem_ = error.what();
        }
    }
    /// Why differences, clipped pixels and windows are not drawn; empty where they are.
    const std::string& problem() const { return problem_; }

    /// To be called between frames, after the pipeline's frame(). True when something that is shown has changed.
    bool update(const Wanted& wanted) {
        wanted_ = wanted;
        wanted_.result |= wants_figures() || wanted.numbers;
        const uint64_t serial = pipeline_.up_to_date() ? pipeline_.after().serial : 0;
        if (serial != seen_serial_) {
            seen_serial_ = serial;
            seen_at_ = Clock::now();
            figures_.stop();
            if (host_serial_ != serial) host_.reset();
        }
        if (pipeline_.compared() != compared_) {
            compared_ = pipeline_.compared();
            figures_.forget();
            changed_ = true;
        }
        if (serial != 0 && wanted_.result) fetch();
        if (wants_figures() && can_measure() && Clock::now() - seen_at_ >= kRest) figures_.want(request());
        return std::exchange(changed_, false);
    }
    /// The pixels of the result on screen; null while they are not known.
    std::shared_ptr<const HostImage> result() const { return host_serial_ == seen_serial_ ? host_ : nullptr; }
    /// The pixel under the cursor; its values follow in later frames.
    void hover(const std::optional<Pixel>& pixel) {
        hovered_ = pixel;
        pipeline_.probe(pixel);
    }
    /// To be called after the pipeline has filled the model.
    void fill(ui::ViewsModel& model) const {
        if (renderer_) {
            model.draw_difference = [this](const DifferenceView& view) { renderer_->draw(view); };
            model.draw_clipping = [this](const ClippingView& view) { renderer_->draw(view); };
            model.begin_window = [this](const WindowView& view) { renderer_->begin(view); };
        }
        model.figure_table = figures();
        model.figures = figures_.result();
        model.figures_are_old = model.figures && !figures_are_current();
        model.pixel.reset();
        if (hovered_) model.pixel = info_of(*hovered_);
        model.numbers_before = model.numbers_after = {};
        if (!wanted_.numbers) return;
        if (pipeline_.compared()) model.numbers_before = block_of(*pipeline_.compared(), wanted_.visible);
        if (const auto after = result()) model.numbers_after = block_of(*after, wanted_.visible);
    }
    const std::optional<Pixel>& hovered() const { return hovered_; }
    /// Something that is shown is still on its way.
    bool busy() const {
        if (seen_serial_ == 0) return false;
        if (download_.valid()) return true;
        if (wanted_.result && host_serial_ != seen_serial_) return true;
        return wants_figures() && can_measure() && !figures_are_current();
    }

  private:
    using Clock = std::chrono::steady_clock;
    /// The result rests this long before it is fetched from a GPU or measured: a dragged slider is not held up.
    static constexpr std::chrono::milliseconds kRest{200};

    /// What a download has brought; null where it failed: the session's next result says what is wrong with the device.
    static std::shared_ptr<const HostImage> pixels_of(std::future<std::shared_ptr<const HostImage>>& download) {
        try {
            return download.get();
        } catch (const std::exception&) {
            return nullptr;
        }
    }

    void fetch() {
        if (download_.valid()) {
            if (!is_ready(download_)) return;
            const std::shared_ptr<const HostImage> image = pixels_of(download_);
            host_serial_ = download_serial_;
            host_ = host_serial_ == seen_serial_ ? image : nullptr;
            changed_ = true;
        }
        const bool rested = pipeline_.backend() == BackendKind::cpu || Clock::now() - seen_at_ >= kRest;
        if (host_serial_ == seen_serial_ || !rested) return;
        download_serial_ = seen_serial_;
        download_ = pipeline_.download();
        if (pipeline_.backend() == BackendKind::cpu) fetch();
    }
    bool wants_figures() const { return wanted_.difference || wanted_.figures; }
    /// What is to be measured of the result that is known.
    struct Request {
        std::shared_ptr<const HostImage> before, after;
        Rect region;
        bool of_difference_alone = false;
        bool operator==(const Request&) const = default;
    };
    Request request() const { return {compared_, result(), wanted_.region, !wanted_.figures}; }
    bool figures_are_current() const { return figures_.is_up_to_date() && figures_.wanted() == request(); }
    static FigureValues measure(const Request& request, const std::stop_token& stop) {
        std::vector<const FigureInfo*> wanted;
        for (const FigureInfo& figure : figures())
            if (figure.of_difference || !request.of_difference_alone) wanted.push_back(&figure);
        const Rect part = region_inside(request.region, request.after->spec());
        const ImageView before = part_of(request.before->view(), part);
        return measure_figures(wanted, &before, part_of(request.after->view(), part), default_cpu_threads(), stop);
    }
    bool can_measure() const {
        const std::shared_ptr<const HostImage> after = result();
        return after && compared_ && after->width() == compared_->width() && after->height() == compared_->height();
    }
    ui::PixelInfo info_of(const Pixel& pixel) const {
        ui::PixelInfo info{.x = pixel.x, .y = pixel.y};
        if (pipeline_.compared()) info.before = value_at(*pipeline_.compared(), pixel);
        if (pipeline_.image()) info.image = value_at(*pipeline_.image(), pixel);
        const std::optional<PixelProbe> after = pipeline_.probed();
        if (after && after->x == pixel.x && after->y == pixel.y && !pipeline_.after().empty()) {
            info.after.channels = pipeline_.after().spec.channels();
            std::copy_n(after->value, 4, info.after.value.data());
        }
        return info;
    }

    Pipeline& pipeline_;
    mutable std::optional<ViewRenderer> renderer_;  // empty where OpenGL refuses its shaders
    std::string problem_;
    Wanted wanted_;
    std::optional<Pixel> hovered_;

    uint64_t seen_serial_ = 0;  // of the result on screen
    Clock::time_point seen_at_{};
    std::future<std::shared_ptr<const HostImage>> download_;
    uint64_t download_serial_ = 0, host_serial_ = 0;  // 0: none
    std::shared_ptr<const HostImage> host_;           // the result with host_serial_
    std::shared_ptr<const HostImage> compared_;       // what the result is compared with
    bool changed_ = false;
    NewestJob<Request, FigureValues> figures_;
};

}  // namespace tonescope
