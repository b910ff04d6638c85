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

/// What a download has brought; null where it failed: the session's next result says what is wrong with the device.
std::shared_ptr<const HostImage> pixels_of(std::future<std::shared_ptr<const HostImage>>& download) {
    try {
        return download.get();
    } catch (const std::exception&) {
        return nullptr;
    }
}

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

Inspection::Inspection(Pipeline& pipeline, Tasks& tasks)
    : pipeline_(pipeline), statistics_(tasks, [](const Pair& pair, const std::stop_token& stop) {
          return measure_difference(pair.before->view(), pair.after->view(), default_cpu_threads(), stop);
      }) {
    try {
        renderer_.emplace();
    } catch (const DeviceError& error) {
        std::fprintf(stderr, "tonescope: %s\n", error.what());
    }
}

bool Inspection::update(const Wanted& wanted) {
    wanted_ = wanted;
    wanted_.result |= wanted.difference || wanted.numbers;
    const uint64_t serial = pipeline_.up_to_date() ? pipeline_.after().serial : 0;
    if (serial != seen_serial_) {
        seen_serial_ = serial;
        seen_at_ = Clock::now();
        statistics_.forget();
        if (host_serial_ != serial) host_.reset();
    }
    if (pin_.valid()) finish_pin();
    if (pipeline_.compared() != compared_) {
        compared_ = pipeline_.compared();
        statistics_.forget();
        changed_ = true;
    }
    if (serial != 0 && wanted_.result) fetch();
    if (wanted_.difference && can_measure() && Clock::now() - seen_at_ >= kInspectionRest)
        statistics_.want({compared_, host_});
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
    if (!is_ready(pin_)) return;
    const std::shared_ptr<const HostImage> image = pixels_of(pin_);
    if (image && pin_image_ == pipeline_.image()) pipeline_.set_reference(image);
    pin_image_.reset();
    changed_ = true;
}

void Inspection::fetch() {
    if (download_.valid()) {
        if (!is_ready(download_)) return;
        const std::shared_ptr<const HostImage> image = pixels_of(download_);
        host_serial_ = download_serial_;
        host_ = host_serial_ == seen_serial_ ? image : nullptr;
        changed_ = true;
    }
    const bool rested = pipeline_.backend() == BackendKind::cpu || Clock::now() - seen_at_ >= kInspectionRest;
    if (host_serial_ == seen_serial_ || !rested) return;
    download_serial_ = seen_serial_;
    download_ = pipeline_.download();
    if (pipeline_.backend() == BackendKind::cpu) fetch();
}

bool Inspection::can_measure() const {
    const std::shared_ptr<const HostImage> after = result();
    return after && compared_ && after->width() == compared_->width() && after->height() == compared_->height();
}

void Inspection::fill(ui::ViewsModel& model) const {
    if (renderer_) {
        model.draw_difference = [this](const DifferenceView& view) { renderer_->draw(view); };
        model.draw_clipping = [this](const ClippingView& view) { renderer_->draw(view); };
    }
    model.original = pipeline_.before();
    const bool pinned = !pipeline_.reference().empty();
    if (pinned) model.before = pipeline_.reference();
    model.reference = pinned ? pin_label_ : std::string();
    model.difference = statistics_.result();
    model.pixel.reset();
    if (hovered_) model.pixel = info_of(*hovered_);
    model.numbers_before = model.numbers_after = {};
    if (!wanted_.numbers) return;
    if (pipeline_.compared()) model.numbers_before = block_of(*pipeline_.compared(), wanted_.visible);
    if (const auto after = result()) model.numbers_after = block_of(*after, wanted_.visible);
}

void Inspection::hover(const std::optional<Pixel>& pixel) {
    hovered_ = pixel;
    pipeline_.probe(pixel);
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
    return wanted_.difference && can_measure() && !statistics_.is_up_to_date();
}

}  // namespace tonescope
