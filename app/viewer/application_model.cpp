// What the panels are shown: the model, filled from document and pipeline before each frame.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "app/viewer/application.h"
#include "gpu/core/error.h"
#include "gpu/present/textures.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr int kThumbnail_px = 128;

std::string size_text(const ImageSpec& spec) {
    return std::to_string(spec.width) + " \u00d7 " + std::to_string(spec.height);
}

std::string channels_text(int channels) {
    const char* names[] = {"gray", "gray with alpha", "RGB", "RGBA"};
    return names[std::clamp(channels, 1, 4) - 1];
}

std::string bytes_text(uint64_t bytes) {
    char text[32];
    if (bytes < 10'000) {
        std::snprintf(text, sizeof text, "%llu bytes", static_cast<unsigned long long>(bytes));
    } else if (bytes < 10'000'000) {
        std::snprintf(text, sizeof text, "%.0f kB", double(bytes) / 1e3);
    } else {
        std::snprintf(text, sizeof text, "%.1f MB", double(bytes) / 1e6);
    }
    return text;
}

}  // namespace

void Application::want_thumbnail(const std::string& path) {
    if (!wanted_thumbnails_.insert(path).second) return;
    thumbnail_jobs_.start(
        [path](std::stop_token stop) {
            return make_pyramid(std::make_shared<const HostImage>(load_thumbnail(path, kThumbnail_px, stop)), 1);
        },
        [this, path](Outcome<std::shared_ptr<const Pyramid>> outcome) {
            if (!outcome.value) return;  // the file says what is wrong with it when it is opened
            const Picture& picture = thumbnails_[path] = make_picture(**outcome.value);
            changed_ = true;
            ++thumbnail_revision_;
            for (auto* files : {&model_.start_page.samples, &model_.start_page.recent})
                for (ui::FileEntry& file : *files)
                    if (file.path == path) file.thumbnail = picture;
            for (ui::BrowserEntry& entry : model_.browser.entries)
                if (!entry.is_folder && (fs::path(model_.browser.folder) / entry.name).string() == path)
                    entry.thumbnail = picture;
            drop_thumbnails();
        });
}

void Application::drop_thumbnails() {
    if (thumbnails_.size() < many_thumbnails_) return;
    std::set<std::string> shown;
    for (const auto* files : {&model_.start_page.samples, &model_.start_page.recent})
        for (const ui::FileEntry& file : *files) shown.insert(file.path);
    for (const OpenImage& image : document_.images()) shown.insert(image.path);
    for (const ui::BrowserEntry& entry : model_.browser.entries)
        shown.insert((fs::path(model_.browser.folder) / entry.name).string());
    for (auto kept = thumbnails_.begin(); kept != thumbnails_.end();) {
        if (shown.contains(kept->first)) {
            ++kept;
            continue;
        }
        delete_textures(kept->second.tiles);
        wanted_thumbnails_.erase(kept->first);
        kept = thumbnails_.erase(kept);
    }
    ++thumbnail_revision_;
    many_thumbnails_ = std::max(many_thumbnails_, 2 * thumbnails_.size());
}

std::vector<std::pair<std::string, std::string>> Application::describe(const OpenImage& image) const {
    const ImageDetails& file = image.details;
    std::vector<std::pair<std::string, std::string>> rows;
    rows.emplace_back("Size", size_text(image.spec) + " px");
    char megapixels[32];
    std::snprintf(megapixels, sizeof megapixels, "%.2f MPixel", double(image.spec.pixels()) * 1e-6);
    rows.emplace_back("Pixels", megapixels);
    rows.emplace_back("Channels", channels_text(file.file_channels));
    rows.emplace_back("Depth", std::to_string(file.bits_per_channel) + " bits a channel" +
                                   (file.reduced_to_8_bit ? ", used as 8" : ""));
    rows.emplace_back("Format", file.format);
    rows.emplace_back("File", image.name());
    rows.emplace_back("Folder", fs::path(image.path).parent_path().string());
    rows.emplace_back("File size", bytes_text(file.file_bytes));
    rows.insert(rows.end(), file.exif.begin(), file.exif.end());
    return rows;
}

std::string Application::suggested_save_path() const {
    const OpenImage* image = document_.current();
    if (image == nullptr) return {};
    const fs::path path(image->path);
    return (path.parent_path() / (path.stem().string() + "-" + std::string(document_.op()->id) + ".png")).string();
}

/// Many files may be open: the list is made anew only when there is something new in it.
void Application::fill_image_list() {
    const uint64_t revision = document_.revision() + thumbnail_revision_;
    if (std::exchange(listed_revision_, revision) == revision) return;
    model_.images.entries.clear();
    for (const OpenImage& image : document_.images()) {
        ui::ImageEntry& entry = model_.images.entries.emplace_back();
        entry.name = image.name();
        entry.path = image.path;
        entry.error = image.error;
        if (image.state == OpenImage::State::loading) {
            entry.state = ui::ImageEntry::State::loading;
        } else if (image.state == OpenImage::State::failed) {
            entry.state = ui::ImageEntry::State::failed;
        } else {
            entry.state = ui::ImageEntry::State::ready;
        }
        if (!image.spec.empty())
            entry.detail = size_text(image.spec) + ", " + channels_text(image.details.file_channels);
        if (const auto found = thumbnails_.find(image.path); found != thumbnails_.end())
            entry.thumbnail = found->second;
    }
}

void Application::fill_images() {
    fill_image_list();
    model_.images.current = document_.current_index();
    const OpenImage* current = document_.current();
    const bool ready = current != nullptr && current->image != nullptr;
    model_.details.rows = ready ? describe(*current) : std::vector<std::pair<std::string, std::string>>{};
    model_.details.depth_notice =
        ready && current->details.reduced_to_8_bit
            ? std::to_string(current->details.bits_per_channel) + "-bit samples are used as 8-bit"
            : "";
    model_.saving.suggested_result_path = suggested_save_path();
    model_.saving.suggested_view_path.clear();
    if (current != nullptr) {
        const fs::path path(current->path);
        model_.saving.suggested_view_path = (path.parent_path() / (path.stem().string() + "-view.png")).string();
    }
    model_.run.command_line = command_line();
    model_.views.picturing = wants_view();
    model_.saving.overwrite_path = questions_.empty() ? "" : questions_.front().path;
}

void Application::fill_results() {
    histogram_counts_.fill(model_);
    const OpenImage* current = document_.current();
    model_.work.busy = busy_since_ != std::chrono::steady_clock::time_point{};
    model_.work.seconds =
        model_.work.busy ? std::chrono::duration<double>(std::chrono::steady_clock::now() - busy_since_).count() : 0;
    model_.work.progress = -1;
    if (current != nullptr && current->state == OpenImage::State::loading) {
        model_.work.what = "Opening " + current->name();
        model_.work.progress = current->progress->fraction();
    } else if (saving_ > 0 || !saves_.empty()) {
        model_.work.what = kSaving;
        if (save_progress_ && saves_.empty()) model_.work.progress = save_progress_->fraction();
    } else if (!lookups_.empty()) {
        model_.work.what = lookups_.front().what;
    } else {
        model_.work.what = document_.op()->name;
        model_.work.progress = grid_.busy() ? grid_.progress() : pipeline_.progress();
    }
    if (!model_.views.pixel) return;
    ui::PixelInfo& pixel = *model_.views.pixel;
    pixel.channels_before = pixel.channels_after = 0;
    const std::shared_ptr<const HostImage> image = current == nullptr ? nullptr : pipeline_.compared();
    if (image && pixel.x < image->width() && pixel.y < image->height()) {
        pixel.channels_before = image->spec().channels();
        std::copy_n(image->view().pixel(pixel.x, pixel.y), bytes_per_pixel(image->spec().format), pixel.before.data());
    }
    const std::optional<PixelProbe> after = pipeline_.probed();
    if (after && after->x == pixel.x && after->y == pixel.y && !pipeline_.after().empty()) {
        pixel.channels_after = pipeline_.after().spec.channels();
        std::copy_n(after->value, 4, pixel.after.data());
    }
}

const ui::Model& Application::model() {
    const BackendKind backend = pipeline_.backend();
    const RunSpec spec = document_.run_spec(backend);
    model_.run.op = spec.op;
    model_.run.variant = spec.variant;
    model_.run.params = spec.params;
    model_.run.variant_params = spec.variant_params;
    model_.run.memory = spec.memory;
    model_.run.backend = backend;
    model_.run.can_undo = history_.can_undo();
    model_.run.can_redo = history_.can_redo();
    model_.run.cuda_available = pipeline_.cuda_available();
    model_.run.cuda_reason = pipeline_.cuda_reason();
    model_.run.device_name = pipeline_.device_name();
    model_.run.presenter = pipeline_.presenter().id();
    model_.run.presenter_reason = pipeline_.presenter().reason();
    model_.views.before = pipeline_.before();
    model_.views.after = pipeline_.after();
    model_.views.preview = pipeline_.preview();
    model_.views.preview_region = pipeline_.preview_region();
    model_.views.after_is_stale = !pipeline_.up_to_date();
    fill_images();
    fill_results();
    fill_timings();
    fill_comparison();
    fill_grid();
    inspection_.fill(model_);
    model_.views.explanation = explanation_.explanation();
    return model_;
}

}  // namespace tonescope
