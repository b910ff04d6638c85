#include "app/viewer/live/inspection.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/cpu/measure_difference.h"

namespace tonescope {
namespace {

/// The result rests this long before it is fetched from a GPU or measured: a dragged slider is not held up.
constexpr std::chrono::milliseconds kInspectionRest{200};

}  // namespace

ui::PixelBlock block_of(const HostImage& image, const Rect& visible) {
    ui::PixelBlock block;
    block.region.x = std::clamp(visible.x, 0, image.width());
    block.region.y = std::clamp(visible.y, 0, image.height());
    block.region.width = std::clamp(visible.width, 0, image.width() - block.region.x);
    block.region.height = std::clamp(visible.height, 0, image.height() - block.region.y);
    block.channels = image.spec().channels();
    const int bytes = bytes_per_pixel(image.spec().format);
    block.values.reserve(size_t(block.region.width) * size_t(block.region.height));
    for (int y = 0; y < block.region.height; ++y)
        for (int x = 0; x < block.region.width; ++x)
            std::copy_n(image.view().pixel(block.region.x + x, block.region.y + y), bytes,
                        block.values.emplace_back().data());
    return block;
}

std::string describe_run(const RunSpec& spec) {
    std::string text(spec.op->name);
    if (spec.params == default_values(spec.op->params)) return text + ", default values";
    for (const ParamInfo& info : spec.op->params) {
        const int32_t value = spec.params.get(info);
        if (value == info.default_value) continue;
        text.append(", ").append(info.label).append(" ").append(format_value(info, value));
        if (!info.unit.empty()) text.append(" ").append(info.unit);
    }
    return text;
}

Inspection::Inspection(Pipeline& pipeline, std::function<void()> wake) : pipeline_(pipeline), worker_(1, wake) {
    try {
        renderer_.emplace();
        clipping_.emplace();
    } catch (const DeviceError& error) {
        std::fprintf(stderr, "tonescope: %s\n", error.what());
    }
}

bool Inspection::update(const Wanted& wanted) {
    changed_ |= worker_.drain();
    wanted_ = wanted;
    wanted_.result |= wanted.difference || wanted.numbers;
    const uint64_t serial = pipeline_.up_to_date() ? pipeline_.after().serial : 0;
    if (serial != seen_serial_) {
        seen_serial_ = serial;
        seen_at_ = Clock::now();
        measuring_.request_stop();
        if (host_serial_ != serial) host_.reset();
    }
    if (pin_.valid()) finish_pin();
    if (pipeline_.compared() != compared_) {
        compared_ = pipeline_.compared();
        measuring_.request_stop();
        measured_serial_ = 0;
        changed_ = true;
    }
    if (serial != 0 && wanted_.result) fetch();
    if (wanted_.difference) measure();
    return std::exchange(changed_, false);
}

void Inspection::pin(std::string label) {
    if (!pipeline_.up_to_date() || pipeline_.after().spec.width != pipeline_.before().spec.width ||
        pipeline_.after().spec.height != pipeline_.before().spec.height)
        return;
    pin_label_ = std::move(label);
    pin_image_ = pipeline_.image();
    pin_ = pipeline_.download();
}

void Inspection::unpin() {
    pin_ = {};
    pipeline_.set_reference(nullptr);
}

void Inspection::finish_pin() {
    if (pin_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    try {
        const std::shared_ptr<const HostImage> image = pin_.get();
        if (image && pin_image_ == pipeline_.image()) pipeline_.set_reference(image);
    } catch (const std::exception&) {
        // The session's next result says what is wrong with the device.
    }
    pin_image_.reset();
    changed_ = true;
}

void Inspection::fetch() {
    if (download_.valid()) {
        if (download_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
        std::shared_ptr<const HostImage> image;
        try {
            image = download_.get();
        } catch (const std::exception&) {
            // The session's next result says what is wrong with the device.
        }
        host_serial_ = download_serial_;
        host_ = host_serial_ == seen_serial_ ? std::move(image) : nullptr;
        changed_ = true;
    }
    const bool rested = pipeline_.backend() == BackendKind::cpu || Clock::now() - seen_at_ >= kInspectionRest;
    if (host_serial_ == seen_serial_ || !rested) return;
    download_serial_ = seen_serial_;
    download_ = pipeline_.download();
    if (pipeline_.backend() == BackendKind::cpu) fetch();
}

void Inspection::measure() {
    const std::shared_ptr<const HostImage>& before = compared_;
    if (!host_ || host_serial_ != seen_serial_ || measured_serial_ == host_serial_ || !before) return;
    if (host_->width() != before->width() || host_->height() != before->height()) return;
    if (Clock::now() - seen_at_ < kInspectionRest) return;
    measured_serial_ = host_serial_;
    statistics_.reset();
    measuring_ = worker_.start(
        [before, after = host_](std::stop_token stop) {
            DifferenceStatistics result =
                measure_difference(before->view(), after->view(), default_cpu_threads(), stop);
            if (stop.stop_requested()) throw Cancelled{};
            return result;
        },
        [this](Outcome<DifferenceStatistics> outcome) { statistics_ = std::move(outcome.value); });
}

void Inspection::fill(ui::ViewsModel& model) const {
    if (renderer_) model.draw_difference = [this](const DifferenceView& view) { renderer_->draw(view); };
    if (clipping_) model.draw_clipping = [this](const ClippingView& view) { clipping_->draw(view); };
    model.original = pipeline_.before();
    const bool pinned = !pipeline_.reference().empty();
    if (pinned) model.before = pipeline_.reference();
    model.reference = pinned ? pin_label_ : std::string();
    model.difference = measured_serial_ == seen_serial_ ? statistics_ : std::nullopt;
    model.pixel.reset();
    if (hovered_) model.pixel = info_of(*hovered_);
    model.numbers_before = model.numbers_after = {};
    if (!wanted_.numbers) return;
    if (pipeline_.compared()) model.numbers_before = block_of(*pipeline_.compared(), wanted_.visible);
    if (const auto after = result()) model.numbers_after = block_of(*after, wanted_.visible);
}

void Inspection::hover(const std::optional<Pixel>& pixel) {
    hovered_ = pixel;
    if (pixel)
        pipeline_.probe(pixel->x, pixel->y);
    else
        pipeline_.forget_probe();
}

ui::PixelInfo Inspection::info_of(const Pixel& pixel) const {
    ui::PixelInfo info{.x = pixel.x, .y = pixel.y};
    const std::shared_ptr<const HostImage>& image = pipeline_.compared();
    if (image && pixel.x < image->width() && pixel.y < image->height()) {
        info.channels_before = image->spec().channels();
        std::copy_n(image->view().pixel(pixel.x, pixel.y), bytes_per_pixel(image->spec().format), info.before.data());
    }
    const std::optional<PixelProbe> after = pipeline_.probed();
    if (after && after->x == pixel.x && after->y == pixel.y && !pipeline_.after().empty()) {
        info.channels_after = pipeline_.after().spec.channels();
        std::copy_n(after->value, 4, info.after.data());
    }
    return info;
}

bool Inspection::busy() const {
    if (pin_.valid()) return true;
    if (seen_serial_ == 0) return false;
    if (download_.valid()) return true;
    if (wanted_.result && host_serial_ != seen_serial_) return true;
    return wanted_.difference && host_ && (measured_serial_ != host_serial_ || worker_.open_jobs() > 0);
}

}  // namespace tonescope
