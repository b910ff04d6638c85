// Images that are opened, chosen, closed; the folder of the file browser.
#include <algorithm>
#include <filesystem>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/viewer/application.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

/// Decoded images that are not on screen may hold this much.
constexpr size_t kHeldImages_bytes = size_t{1} << 30;

}  // namespace

Application::FoundFiles Application::find_files(const std::vector<std::string>& paths) {
    FoundFiles found;
    for (const std::string& path : paths) {
        try {
            const std::vector<std::string> files = expand_paths({path});
            if (files.empty()) found.problems.push_back("no images in " + path);
            for (const std::string& file : files)
                (file.ends_with(".json") ? found.presets : found.images).push_back(file);
        } catch (const std::exception& error) {
            found.problems.emplace_back(error.what());
        }
    }
    return found;
}

void Application::open(const std::vector<std::string>& paths) {
    look_up(
        "Looking for images", [paths](std::stop_token) { return find_files(paths); },
        [this, serial = next_open_++](const Outcome<FoundFiles>& outcome) {
            if (outcome.value) open_found(*outcome.value, serial);
            if (!outcome.error.empty()) notify(ui::Severity::error, outcome.error);
        });
}

void Application::open_now(const std::vector<std::string>& paths) {
    open_found(find_files(paths), next_open_++);
}

void Application::open_found(const FoundFiles& found, uint64_t serial) {
    for (const std::string& problem : found.problems) notify(ui::Severity::error, problem);
    if (!found.presets.empty()) import_presets(found.presets);
    std::map<std::string, uint64_t> known;
    for (const OpenImage& image : document_.images()) known.emplace(image.path, image.id);
    std::optional<uint64_t> first;
    for (const std::string& path : found.images) {
        const auto [place, is_new] = known.try_emplace(path, 0);
        if (is_new) place->second = document_.add(path).id;
        if (!first) first = place->second;
    }
    const OpenImage* current = document_.current();
    const bool shows_newer = serial < shown_open_ && current != nullptr && current->state != OpenImage::State::failed;
    if (!first || shows_newer) return;
    shown_open_ = std::max(shown_open_, serial);
    select(document_.index_of(*first));
}

void Application::load(OpenImage& image) {
    image.loading.request_stop();
    image.state = OpenImage::State::loading;
    image.progress = std::make_shared<FileProgress>();
    const auto stamp = std::make_shared<std::optional<FileStamp>>();
    image.loading = files_.start(
        [path = image.path, stamp, progress = image.progress](std::stop_token stop) {
            *stamp = file_stamp(path);  // before it is read: what is written meanwhile is a change
            return std::make_shared<LoadedImage>(load_image(path, stop, progress.get()));
        },
        [this, id = image.id, stamp](Outcome<std::shared_ptr<LoadedImage>> outcome) {
            if (OpenImage* read = document_.find(id)) read->stamp = *stamp;
            loaded(id, std::move(outcome));
        });
    changed_ = true;
}

bool Application::shows_current() const {
    const OpenImage* current = document_.current();
    return current != nullptr && current->image != nullptr && current->image == pipeline_.image();
}

void Application::show(const OpenImage& image) {
    pipeline_.set_image(image.image);
    shown_id_ = image.id;
    stepped_from_.reset();
    failed_step_.clear();
}

/// The image on screen is the current one again.
void Application::go_back() {
    const OpenImage* current = document_.current();
    if (stepped_from_ && current->id == stepped_to_) {
        failed_step_ = current->path;
        document_.put_back(current->id, *std::exchange(stepped_from_, std::nullopt));
        return;
    }
    if (shown_id_ == current->id) return;
    if (const int shown = document_.index_of(shown_id_); shown >= 0)
        select(shown);
    else
        pipeline_.set_image(nullptr);
}

void Application::cancel_work() {
    OpenImage* current = document_.current() == nullptr ? nullptr : document_.find(document_.current()->id);
    if (current == nullptr || current->state != OpenImage::State::loading) {
        if (cancel_saves()) return;
        if (!lookups_.empty()) return cancel_lookups();
        pipeline_.cancel();
        grid_.cancel();
        return;
    }
    changed_ = true;
    if (current->image) {  // it was read before
        current->loading.request_stop();
        current->state = OpenImage::State::ready;
        current->stamp.reset();  // or its change would be read after all
    } else if (stepped_from_ && current->id == stepped_to_) {
        go_back();
        failed_step_.clear();
    } else {
        const uint64_t cancelled = current->id;
        go_back();
        close(document_.index_of(cancelled));
    }
}

void Application::cancel_lookups() {
    for (Lookup& lookup : lookups_) lookup.stop.request_stop();
    lookups_.clear();
    stepping_ = false;
    steps_ = 0;
    changed_ = true;
}

void Application::loaded(uint64_t id, Outcome<std::shared_ptr<LoadedImage>> outcome) {
    OpenImage* image = document_.find(id);
    changed_ = true;
    if (image == nullptr) return;
    if (!outcome.value) {
        const std::string error = outcome.error.substr(0, outcome.error.find('\n'));
        failures_.push_back(error);
        notify(ui::Severity::error, error);
        const bool reloaded = image->image != nullptr;
        image->state = reloaded ? OpenImage::State::ready : OpenImage::State::failed;
        image->error = error;
        if (!reloaded && image == document_.current()) go_back();
        return;
    }
    std::shared_ptr<LoadedImage> file = *outcome.value;
    image->state = OpenImage::State::ready;
    image->error.clear();
    image->details = file->details;
    image->spec = file->image.spec();
    image->image = std::shared_ptr<const HostImage>(file, &file->image);
    if (image == document_.current()) show(*image);
    remember(image->path);
    document_.trim(kHeldImages_bytes);
}

/// The image that was on screen stays there until the new one is decoded.
void Application::select(int index) {
    if (const OpenImage* left = document_.current(); left != nullptr && document_.current_index() != index) {
        OpenImage& image = *document_.find(left->id);
        if (image.state == OpenImage::State::loading) {
            image.loading.request_stop();
            image.state = image.image ? OpenImage::State::ready : OpenImage::State::waiting;
        }
    }
    document_.select(index);
    changed_ = true;
    if (index < 0) {
        pipeline_.set_image(nullptr);
        return;
    }
    OpenImage& image = *document_.find(document_.current()->id);
    if (image.state == OpenImage::State::loading) {
        // It comes by itself.
    } else if (image.image) {
        show(image);
    } else {
        load(image);
    }
    document_.trim(kHeldImages_bytes);
}

void Application::return_free_memory() {
#ifdef __GLIBC__
    background_.start([](std::stop_token) { return malloc_trim(0); }, [](const Outcome<int>&) {});
#endif
}

void Application::close(int index) {
    if (index < 0 || index >= int(document_.images().size())) return;
    has_freed_ = true;
    const OpenImage* before = document_.current();
    const uint64_t shown = before == nullptr ? 0 : before->id;
    document_.close(index);
    const OpenImage* now = document_.current();
    if (now == nullptr || now->id != shown) select(document_.current_index());
    changed_ = true;
}

void Application::step_image(int by) {
    const OpenImage* current = document_.current();
    if (current == nullptr) return;
    const int count = int(document_.images().size());
    if (count > 1) {
        select(((document_.current_index() + by) % count + count) % count);
        return;
    }
    steps_ += by;
    if (!stepping_) find_neighbour();
}

void Application::find_neighbour() {
    const int by = std::exchange(steps_, 0);
    const OpenImage* current = document_.current();
    if (by == 0 || current == nullptr || document_.images().size() > 1) return;
    stepping_ = true;
    const std::string from = failed_step_.empty() ? current->path : failed_step_;
    look_up(
        "Looking for the next image", [from, by](std::stop_token) { return neighbour_image(from, by); },
        [this, from, id = current->id](const Outcome<std::string>& outcome) {
            stepping_ = false;
            if (!outcome.error.empty()) notify(ui::Severity::error, outcome.error);
            const OpenImage* now = document_.current();
            // Where the image that the step began at has turned out broken meanwhile, the one before it is back.
            const bool is_due = now != nullptr && (now->id == id || failed_step_ == from);
            if (!outcome.value || !is_due || document_.images().size() > 1) {
                steps_ = 0;
                return;
            }
            show_neighbour(*outcome.value);
            find_neighbour();
        });
}

void Application::show_neighbour(const std::string& path) {
    const OpenImage& current = *document_.current();
    if (path.empty() || path == current.path) return;
    has_freed_ = true;
    if (shows_current()) stepped_from_ = current;
    OpenImage& next = document_.replace_current(path);
    stepped_to_ = next.id;
    failed_step_.clear();
    load(next);
}

void Application::browse(const std::string& folder, bool presets) {
    browses_presets_ = presets;
    model_.browser.folder = absolute_path(folder);
    model_.browser.loading = true;
    model_.browser.error.clear();
    changed_ = true;
    const uint64_t listing = ++newest_listing_;
    background_.start(
        [folder = model_.browser.folder, presets](std::stop_token) {
            return list_folder(folder, presets ? ".json" : "");
        },
        [this, folder = model_.browser.folder, listing](Outcome<std::vector<FolderEntry>> outcome) {
            if (listing != newest_listing_) return;
            changed_ = true;
            model_.browser.loading = false;
            model_.browser.error = outcome.error;
            model_.browser.entries.clear();
            if (!outcome.value) return;
            for (const FolderEntry& entry : *outcome.value) {
                const std::string path = (fs::path(folder) / entry.name).string();
                const auto known = thumbnails_.find(path);
                model_.browser.entries.push_back({entry.name, entry.is_folder, entry.size_bytes, entry.modified,
                                                  known == thumbnails_.end() ? Picture{} : known->second});
            }
        });
}

}  // namespace tonescope
