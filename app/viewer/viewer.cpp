#include "app/viewer/viewer.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/image_io/formats.h"
#include "app/options/command_line.h"
#include "app/system/clipboard.h"
#include "app/system/overloaded.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr double kPoll_s = 0.02;
constexpr int kFileThreads = 4;  // one that hangs on a dead disk holds up no other

bool has_file(const std::string& path) {
    std::error_code error;
    const bool exists = fs::exists(path, error);
    if (error) throw UserError(error.message());  // of the disk, say; that there is no file is none
    return exists;
}

void write_picture(const std::string& path, const ImageView& image, std::stop_token stop, FileProgress* progress) {
    if (path.empty())
        copy_image(image, ClipboardTransfer::folder(), stop, progress);
    else
        save_image(path, image, stop, progress);
}

/// "/photos/moon.jpg" and "-view.png" give "/photos/moon-view.png".
std::string beside(const OpenImage& image, const std::string& ending) {
    const fs::path path(image.path);
    return (path.parent_path() / (path.stem().string() + ending)).string();
}

}  // namespace

Viewer::Viewer(const Options& options, std::function<void()> wake)
    : options_(options),
      files_(kFileThreads, wake),
      background_(kFileThreads, wake),
      pipeline_(options_, files_, frame_times_, wake),
      choices_(resolve_run(options, pipeline_.backend()), pipeline_.backend(),
               [this](BackendKind backend) { return use_backend(backend); }),
      thumbnails_(wake),
      saves_(files_, look_ups_, notices_,
             {has_file, write_picture, [this](const std::string& path) { listing_.written(path); }}),
      presets_(background_, saves_, notices_,
               [this](const Preset& preset) {
                   perform(ui::SetPreset{preset.op, preset.params});
               }),
      images_(files_, look_ups_, notices_,
              {.show = [this](std::shared_ptr<const HostImage> image) { pipeline_.set_image(std::move(image)); },
               .read =
                   [this](const std::string& path) {
                       if (!path.starts_with(ClipboardTransfer::folder())) recent_.remember(path);
                   },
               .found_presets = [this](const std::vector<std::string>& paths) { presets_.import_files(paths); }},
              wake),
      inspection_(pipeline_, wake),
      histogram_counts_(pipeline_, wake),
      explanation_(wake),
      grid_({[this](size_t cell, auto picture) { pipeline_.show_cell(cell, std::move(picture)); },
             [this](size_t cell) { return pipeline_.cell(cell); }},
            wake),
      benchmark_(wake, options.compare && !options.inputs.empty()),
      bandwidth_(wake) {
    if (options.memory) choices_.set_memory(*options.memory);
    if (const char* home = std::getenv("HOME")) model_.browser.home = home;
    model_.browser.opened_formats = image_io::format_names(image_io::Use::open, "");
    for (const image_io::Format& format : image_io::formats())
        if (format.save != nullptr)
            model_.browser.saved_formats.push_back({std::string(format.name),
                                                    {format.extensions.begin(), format.extensions.end()},
                                                    format.keeps_alpha,
                                                    format.is_lossy});
    model_.presets.folder = presets_folder();
    listing_.browse(fs::current_path().string());
}

void Viewer::restore(const SavedState& state) {
    recent_.set(state.recent);
    model_.histogram.logarithmic = state.histogram_log;
    choices_.set_wanted_backend(state.backend);
    if (!state.choice || options_.run_given) return;
    choices_.restore(*state.choice);
    if (options_.memory) choices_.set_memory(*options_.memory);
    const bool is_free = options_.backend == BackendChoice::automatic && state.backend;
    if (is_free && (state.backend == BackendKind::cpu || pipeline_.cuda_available()))
        choices_.use_backend(*state.backend);
}

void Viewer::keep(SavedState& state) const {
    state.recent = recent_.paths();
    state.histogram_log = model_.histogram.logarithmic;
    state.choice = choices_.choice();
    state.backend = choices_.wanted_backend();
}

void Viewer::perform(const ui::Action& action) {
    changed_ = true;
    if (choices_.perform(action)) return;
    std::visit(
        Overloaded{
            [&](const ui::OpenPaths& a) { images_.open(a.paths); },
            [&](const ui::SelectImage& a) { images_.select(a.index); },
            [&](const ui::CloseImage& a) { images_.close(a.index); },
            [&](const ui::ReloadImage&) { images_.reload(); },
            [&](const ui::StepImage& a) { images_.step(a.by); },
            [&](const ui::SaveResult& a) { save_result(absolute_path(a.path)); },
            [&](const ui::SaveView& a) {
                const std::string path = absolute_path(a.path);
                if (saves_.can_save(path) && !model_.views.before.empty()) saves_.save_view(path);
            },
            [&](const ui::CopyResult&) {
                if (has_result("copy")) saves_.copy(pipeline_.download().share());
            },
            [&](const ui::PasteImage&) {
                clipboard_.paste(
                    [this, order = images_.next_order()](const std::string& path) { images_.open_file(path, order); });
            },
            [&](const ui::ForgetRecent&) { recent_.set({}); },
            [&](const ui::WantStartPage&) {
                for (const std::string& path : recent_.offered()) thumbnails_.want(path);
            },
            [&](const ui::SavePreset& a) {
                presets_.save({a.name, &choices_.op(), choices_.choice().params}, a.overwrite);
            },
            [&](const ui::ExportPreset& a) { presets_.export_file(a.name, absolute_path(a.path)); },
            [&](const ui::ImportPreset& a) { presets_.import_files({a.path}); },
            [&](const ui::DeletePreset& a) { presets_.remove(a.name); },
            [&](const ui::Tell& a) { notices_.add(ui::Severity::info, a.text); },
            [&](const ui::ReplaceFile&) { saves_.answer(true); },
            [&](const ui::CancelSave&) { saves_.answer(false); },
            [&](const ui::CancelWork&) { cancel_work(); },
            [&](const ui::ShowBenchmark& a) {
                if (a.shown)
                    benchmark_.show(benchmark_subject());
                else
                    benchmark_.hide();
            },
            [&](const ui::RunBenchmark&) { benchmark_.start(benchmark_subject()); },
            [&](const ui::StopBenchmark&) { benchmark_.stop(); },
            [&](const ui::ExportBenchmark& a) { benchmark_.export_results(absolute_path(a.path), saves_, notices_); },
            [&](const ui::DismissNotice& a) { notices_.dismiss(a.id); },
            [&](const ui::BrowseTo& a) { listing_.browse(a.folder, a.presets); },
            [&](const ui::WantThumbnails& a) {
                for (const std::string& path : a.paths) thumbnails_.want(path);
            },
            [&](const ui::Hover& a) {
                inspection_.hover(a.inside ? std::optional(Pixel{a.x, a.y}) : std::nullopt);
            },
            [&](const ui::Explain& a) {
                explanation_.ask(a.shown ? std::optional(ExplanationTask::Request{a.pixel, a.kept}) : std::nullopt);
            },
            [&](const ui::PinReference& a) {
                if (a.pinned)
                    inspection_.pin(describe_run(choices_.run_spec()));
                else
                    inspection_.unpin();
            },
            [&](const ui::SetHistogramLog& a) { model_.histogram.logarithmic = a.on; },
            [&](const ui::ResetTimings&) {
                pipeline_.reset_times();
                frame_times_.reset();
            },
            [&](const ui::Quit&) { saves_.quit(); },
            [](const ui::ToggleFullScreen&) {},  // which the window does
            []<ChoiceAction A>(const A&) {},
        },
        action);
}

BackendKind Viewer::use_backend(BackendKind backend) {
    try {
        pipeline_.use_backend(backend);
    } catch (const UserError& error) {
        notices_.add(ui::Severity::error, error.what());
    }
    return pipeline_.backend();
}

bool Viewer::has_result(const std::string& verb) {
    const OpenImage* current = images_.current();
    const bool shows_current = current != nullptr && current->image && current->image == pipeline_.image();
    if (shows_current && pipeline_.up_to_date()) return true;
    notices_.add(ui::Severity::warning, settled()
                                            ? "the run was stopped: change a setting to start it again, then " + verb
                                            : "the result is not finished yet: " + verb + " it again when it is");
    return false;
}

void Viewer::save_result(const std::string& path) {
    if (images_.current() != nullptr && saves_.can_save(path) && has_result("save"))
        saves_.save(path, pipeline_.download().share());
}

void Viewer::cancel_work() {
    if (images_.cancel_loading() || saves_.cancel()) return;
    if (!look_ups_.empty()) return look_ups_.cancel();
    pipeline_.cancel();
    grid_.cancel();
}

void Viewer::show_messages() {
    for (const Pipeline::Message& message : pipeline_.take_messages()) {
        notices_.add(ui::Severity::error, first_line(message.text));
        if (!message.device_failed || pipeline_.backend() == BackendKind::cpu) continue;
        choices_.use_backend(BackendKind::cpu);
        notices_.add(ui::Severity::warning, "The GPU failed: going on with the CPU");
    }
}

bool Viewer::update(const ui::View& view) {
    changed_ |= files_.drain();
    changed_ |= background_.drain();
    changed_ |= thumbnails_.update();
    if (thumbnails_.has_many()) drop_thumbnails();
    changed_ |= benchmark_.update();
    images_.update();
    const RunSpec spec = choices_.run_spec();
    pipeline_.set_spec(spec);
    changed_ |= grid_.update(view.grid, view.shows_numbers ? view.visible : Rect{}, pipeline_.image(), spec,
                             pipeline_.device());
    changed_ |= pipeline_.frame(view.visible, view.zoom);
    const HistogramCounts::Part part{view.histogram_region, view.fine_histogram};
    changed_ |= inspection_.update({.difference = view.shows_difference && view.visible.width > 0,
                                    .numbers = view.shows_numbers,
                                    .result = part.needs_result(),
                                    .visible = view.visible});
    changed_ |= histogram_counts_.update(part, inspection_.result());
    changed_ |= explanation_.update(pipeline_.image(), spec.op, spec.params);
    show_messages();
    saves_.update();
    if (benchmark_.is_due() && (pipeline_.up_to_date() || !images_.failures().empty()))
        benchmark_.show(benchmark_subject());
    if (images_.current() == nullptr) benchmark_.hide();
    const bool is_settled = settled();
    const bool still = is_settled && pipeline_.up_to_date() && !benchmark_.busy() && !looks_closer();
    if (still && images_.take_freed()) return_free_memory();
    changed_ |= bandwidth_.update(pipeline_.backend(), pipeline_.device(), still);
    const auto now = std::chrono::steady_clock::now();
    if (is_settled) busy_since_ = {};
    if (!is_settled && busy_since_ == std::chrono::steady_clock::time_point{}) busy_since_ = now;
    changed_ |= notices_.take_changed();
    return std::exchange(changed_, false);
}

double Viewer::next_check_s() const {
    // Although workers wake the window: a wake-up can get lost on its way through the X connection.
    return looks_closer() ? kPoll_s : bandwidth_.next_check_s();
}

void Viewer::prepare_minified() {
    for (PictureRole role : kPictureRoles) pipeline_.presenter().prepare_minified(role);
}

bool Viewer::settled() const {
    return !pipeline_.busy() && !grid_.busy() && files_.awaited_jobs() <= saves_.cancelled_jobs() && !saves_.busy();
}

bool Viewer::idle() const {
    return settled() && background_.open_jobs() == 0 && !thumbnails_.busy() && !benchmark_.busy() && !looks_closer();
}

void Viewer::drop_thumbnails() {
    std::set<std::string> shown;
    for (const OpenImage& image : images_.list().all()) shown.insert(image.path);
    for (std::string& path : recent_.offered()) shown.insert(std::move(path));
    for (std::string& path : listing_.paths()) shown.insert(std::move(path));
    thumbnails_.keep_only(shown);
}

void Viewer::return_free_memory() {
#ifdef __GLIBC__
    background_.start([](std::stop_token) { return malloc_trim(0); }, [](const Outcome<int>&) {});
#endif
}

WindowBenchmark::Subject Viewer::benchmark_subject() const {
    return {images_.current(), choices_.run_specs(), options_.backend, pipeline_.device()};
}

const ui::Model& Viewer::model() {
    choices_.fill(model_.run);
    pipeline_.fill(model_.run);
    pipeline_.fill(model_.views);
    inspection_.fill(model_.views);
    grid_.fill(model_.views.grid);
    model_.views.explanation = explanation_.explanation();
    images_.fill(model_.images, thumbnails_);
    images_.fill(model_.details);
    histogram_counts_.fill(model_.histogram);
    fill_timings(model_.timings, pipeline_, frame_times_, bandwidth_, images_.current(), choices_.run_spec());
    benchmark_.fill(model_.benchmark, benchmark_subject());
    listing_.fill(model_.browser, thumbnails_);
    recent_.fill(model_.start_page, thumbnails_);
    presets_.fill(model_.presets);
    model_.notices = notices_.all();
    fill_saving();
    fill_work();
    return model_;
}

void Viewer::fill_saving() {
    saves_.fill(model_.saving);
    model_.views.picturing = saves_.wants_view();
    const OpenImage* image = images_.current();
    const std::string ending = "-" + std::string(choices_.op().id) + ".png";
    model_.saving.suggested_result_path = image == nullptr ? "" : beside(*image, ending);
    model_.saving.suggested_view_path = image == nullptr ? "" : beside(*image, "-view.png");
    model_.run.command_line =
        image == nullptr ? ""
                         : reproducing_command(choices_.run_spec(), image->path,
                                               fs::path(model_.saving.suggested_result_path).filename().string());
}

void Viewer::fill_work() {
    const auto now = std::chrono::steady_clock::now();
    ui::WorkModel& work = model_.work;
    work.busy = busy_since_ != std::chrono::steady_clock::time_point{};
    work.seconds = work.busy ? std::chrono::duration<double>(now - busy_since_).count() : 0;
    const OpenImage* current = images_.current();
    if (current != nullptr && current->state == OpenImage::State::loading) {
        work.what = "Opening " + current->name();
        work.progress = current->progress->fraction();
    } else if (saves_.busy()) {
        work.what = Saves::kSaving;
        work.progress = saves_.progress();
    } else if (!look_ups_.empty()) {
        work.what = look_ups_.oldest();
        work.progress = -1;
    } else {
        work.what = choices_.op().name;
        work.progress = grid_.busy() ? grid_.progress() : pipeline_.progress();
    }
}

}  // namespace tonescope
