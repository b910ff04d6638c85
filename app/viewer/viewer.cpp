#include "app/viewer/viewer.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/batch/mask.h"
#include "app/batch/output_names.h"
#include "app/benchmark/experiments/named_experiments.h"
#include "app/benchmark/formats.h"
#include "app/image_io/formats.h"
#include "app/options/report.h"
#include "app/system/clipboard.h"
#include "gpu/core/error.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/text.h"
#include "gpu/ops/no_data_param.h"
#include "ui/model/caption.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr double kPoll_s = 0.02;
constexpr std::chrono::seconds kPatienceWithState{2};
constexpr int kThreads = 4;  // one that hangs on a dead disk holds up no other

/// To the system: the allocator would keep what an image took for itself, in pieces that later images may not fit.
int return_free_memory(ImageMemory* memory) {
    if (memory != nullptr) memory->release();
    free_kept_pixels();
#ifdef __GLIBC__
    return malloc_trim(0);
#else
    return 0;
#endif
}

void write_picture(const std::string& path, const ImageView& image, const Saves::Form& form, std::stop_token stop,
                   FileProgress* progress) {
    if (path.empty()) {
        copy_image(image, stop, progress);
    } else if (is_deep(image.spec.format) && !image_io::find_saved_format(extension_of(path))->keeps_depth) {
        save_image(path, through_window(image, form.window).view(), stop, progress, form.options);
    } else {
        save_image(path, image, stop, progress, form.options);
    }
}

/// Sessions time the way to the screen and back under these names.
ui::FramePart part_of(std::string_view stage) {
    if (stage == "upload" || stage == "download") return ui::FramePart::upload;
    if (stage == "map" || stage == "unmap") return ui::FramePart::map;
    return stage == "present" ? ui::FramePart::draw : ui::FramePart::kernels;
}

}  // namespace

Viewer::Viewer(const Options& options, std::function<void()> wake)
    : options_(options),
      files_(kThreads, wake),
      background_(kThreads, wake),
      details_(kThreads, wake),
      pipeline_(options_, files_, frame_times_, wake),
      choices_(resolve_run(options, pipeline_.backend()), pipeline_.backend(),
               [this](BackendKind backend) { return use_backend(backend); }),
      thumbnails_(wake),
      saves_(files_, notices_,
             {.write = write_picture,
              .open_files = [this] { return images_.files(); },
              .replacing = [this](const auto& originals, Replacing how) { images_.replacing(originals, how); },
              .hold =
                  [this](const auto& originals) {
                      for (const std::string& path : originals) images_.read(path);
                  },
              .holds =
                  [this](const auto& originals) {
                      return std::ranges::all_of(originals,
                                                 [this](const auto& path) { return images_.pixels(path) != nullptr; });
                  },
              .written = [this](const std::string& path) { written(path); },
              .computes = [this] { return pipeline_.computes_downloads(); }}),
      presets_(background_, saves_, notices_,
               [this](const Preset& preset) {
                   perform(ui::SetPreset{preset.op, preset.params});
               }),
      images_(files_, background_, notices_, recent_,
              {.show =
                   [this](std::shared_ptr<const HostImage> image) {
                       const OpenImage* current = images_.current();
                       Pipeline::ImageName name{.opening = images_.openings()};
                       if (current != nullptr) {
                           name.path = current->path;
                           name.image = current->id;
                           if (current->details.pages > 1) name.page = current->page;
                       }
                       pipeline_.set_image(std::move(image), std::move(name));
                   },
               .found_presets = [this](const std::vector<std::string>& paths) { presets_.import_files(paths); },
               .found_sessions =
                   [this](const std::vector<std::string>& paths, const std::vector<std::string>& images) {
                       open_session(paths.front(), images);
                       for (size_t k = 1; k < paths.size(); ++k)
                           notices_.warning(paths[k] + " was not opened: the window has one session at a time");
                   },
               .memory = [this] { return pipeline_.make_image(); }},
              wake),
      suggestions_(wake),
      grid_(wake),
      benchmark_(model_.benchmark, wake, options.compare && !options.inputs.empty()),
      experiment_(model_.benchmark.experiment, wake),
      batch_(model_.batch, background_, notices_,
             {.open_images = [this] { return open_pages(); },
              .written =
                  [this](const std::vector<std::string>& paths) {
                      for (const std::string& path : paths) thumbnails_.written(path);
                      written(paths.back());
                  },
              .wake = wake}) {
    asked_window_ = options.window;
    if (asks_for_mask_) options_.part.mask_path = absolute_path(options.part.mask_path);
    if (!options.reference.empty())
        files_.look_up(
            "Looking for " + options.reference,
            [name = options.reference](std::stop_token) { return absolute_path(pattern_of(name)); },
            [this](const Outcome<std::string>& found) {
                asked_reference_ = found.value.value_or("");
                if (!found.error.empty()) images_.fail(found.error);
            });
    if (options.memory_modes) benchmark_.show_page("memory-modes");
    if (options.timeline) benchmark_.show_page("timeline");
    if (options.roofline) benchmark_.show_page("limits");
    find_experiments(options.experiments);  // or it throws
    if (options.memory) choices_.set_memory(*options.memory);
    if (!inspection_.problem().empty()) notices_.error(inspection_.problem());
    if (const char* home = std::getenv("HOME")) model_.browser.home = home;
    model_.browser.opened_formats = image_io::format_names(image_io::Use::open, "");
    for (const image_io::Format& format : image_io::formats())
        if (format.save != nullptr)
            model_.browser.saved_formats.push_back({std::string(format.name),
                                                    {format.extensions.begin(), format.extensions.end()},
                                                    {},
                                                    format.keeps_alpha,
                                                    format.is_lossy,
                                                    format.keeps_depth,
                                                    {format.gray_extensions.begin(), format.gray_extensions.end()},
                                                    {format.options.begin(), format.options.end()}});
    model_.presets.folder = presets_folder();
}

StateOnDisk Viewer::read_state(const std::string& path) {
    const std::string lost = "The window's state is neither read nor kept: ";
    StateOnDisk found{.problem = lost + "its disk does not answer", .may_write = false};
    background_.look_up(
        "Reading the window's state", [path](std::stop_token) { return read_saved_state(path); },
        [&](const Outcome<StateOnDisk>& outcome) {
            if (outcome.value)
                found = *outcome.value;
            else
                found.problem = lost + outcome.error;
        });
    background_.await_look_ups(kPatienceWithState);
    background_.cancel_look_ups();
    return found;
}

void Viewer::restore(const SavedState& state) {
    recent_.set(state.recent);
    recent_.set_pages(state.recent_pages);
    recent_.set_folders(state.recent_folders);
    choices_.set_wanted_backend(state.backend);
    if (state.choice && !options_.run_given) choose(*state.choice, state.backend);
}

void Viewer::choose(const Choice& choice, std::optional<BackendKind> backend) {
    Choice restored = choice;
    restored.part = choices_.part();
    choices_.restore(restored);
    if (options_.memory) choices_.set_memory(*options_.memory);
    const bool is_free = options_.backend == BackendChoice::automatic && backend;
    if (is_free && (backend == BackendKind::cpu || pipeline_.cuda_available())) choices_.use_backend(*backend);
}

void Viewer::open_session(const std::string& path, const std::vector<std::string>& images) {
    files_.look_up(
        "Opening " + fs::path(path).filename().string(),
        [path](std::stop_token stop) { return read_session(path, stop); },
        [this, path, images](const Outcome<Session>& outcome) {
            if (outcome.value) take_session(*outcome.value, path);
            if (!outcome.error.empty()) images_.fail(outcome.error);
            if (!images.empty()) images_.open(images);
        });
}

void Viewer::take_session(const Session& session, const std::string& path) {
    changed_ = true;
    session_path_ = path;
    recent_.remember(path);
    // What the command line says goes before what a session beside it says.
    const bool is_of_command_line =
        std::erase_if(options_.inputs, [&](const std::string& input) { return absolute_path(input) == path; }) > 0;
    std::vector<ListedImage> list;
    session_parts_.clear();
    session_parts_take_mask_ = is_of_command_line && !options_.part.mask_path.empty();
    for (const SessionImage& image : session.images) {
        list.push_back(image.file);
        comparison_.set_reference({image.file.path, image.file.page.value_or(-1)}, image.reference);
    }
    images_.open_list(list, session.current);
    for (size_t k = 0; k < list.size(); ++k) {
        std::optional<ResultPart> part = k == session.current ? session.part : session.images[k].part;
        if (!part) continue;
        if (is_of_command_line && options_.part.has_region()) {
            part->region = options_.part.region;
            part->feather_px = options_.part.feather_px;
        }
        session_parts_.emplace(images_.list().all()[k].id, *part);
    }
    session_look_ = {session.layout, session.view, list.empty() ? 0 : images_.list().all()[session.current].id};
    for (const std::string& problem : session.mask_problems)
        notices_.warning(problem + "; the image is filtered without the mask, whose name the session keeps");
    if (!session.problem.empty()) notices_.warning(session.problem + "; operator and parameters stay as they are");
    if (!session.choice || (is_of_command_line && options_.run_given)) return;
    const Choice before = choices_.choice();
    if (session.backend) choices_.set_wanted_backend(session.backend);
    choose(*session.choice, session.backend);
    choices_.changed_from(before);
    session_windows_.emplace(session_look_->image, session.choice->windows);
}

void Viewer::save_session(const std::string& path, const ui::Layout& layout, const ui::KeptView& view) {
    Session session{.images = {},
                    .choice = choices_.choice(),
                    .backend = choices_.wanted_backend(),
                    .part = choices_.part(),
                    .view = view,
                    .layout = layout};
    for (const OpenImage& image : images_.list().all()) {
        if (images_.is_pasted(image.path)) {
            notices_.warning("A pasted image is not part of the session: save it as a file and open that first");
            continue;
        }
        std::optional<ResultPart> part;
        if (const auto kept = session_parts_.find(image.id); kept != session_parts_.end()) part = kept->second;
        if (&image == images_.current()) {
            session.current = session.images.size();
            if (part) session.part = *std::exchange(part, std::nullopt);
        }
        const bool has_pages = image.details.pages > 1 || image.wanted_page > 0;
        std::optional<int> page = has_pages ? std::optional(image.wanted_page) : std::nullopt;
        std::optional<Reference> reference = comparison_.reference_of({image.path, page.value_or(-1)});
        // How many pages it has is not known before it is read.
        if (!reference && !image.image && !page && (reference = comparison_.reference_of({image.path, 0}))) page = 0;
        session.images.push_back({{image.path, page}, reference, part});
    }
    if (model_.views.basis == ui::Basis::pinned)
        notices_.info("The pinned result is not part of the session: save it as a file and compare with that");
    const std::string absolute = absolute_path(path);
    saves_.export_file(absolute, [session](const std::string& to, std::stop_token stop, FileProgress*) {
        write_json_file(to, session_json(session, to), std::move(stop));
    });
}

void Viewer::keep(SavedState& state) const {
    state.recent = recent_.paths();
    state.recent_pages = recent_.pages();
    state.recent_folders = recent_.used_folders();
    state.choice = choices_.choice();
    state.backend = choices_.wanted_backend();
}

void Viewer::perform(const ui::Action& action) {
    changed_ = true;
    if (choices_.perform(action, filtered_image(), [&](const std::string& note) { notices_.info(note); })) return;
    std::visit(Overloaded{
                   [&](const ui::OpenPaths& a) {
                       if (!a.folder.empty()) recent_.remember_folder(a.folder);
                       images_.open(a.paths);
                   },
                   [&](const ui::SelectImage& a) { images_.select(a.index); },
                   [&](const ui::CloseImage& a) { images_.close(a.index); },
                   [&](const ui::ReloadImage&) { images_.reload(); },
                   [&](const ui::StepImage& a) { images_.step(a.by); },
                   [&](const ui::ShowPage& a) { images_.show_page(a.page); },
                   [&](const ui::SaveResult& a) {
                       const std::string path = absolute_path(a.path);
                       save_options_ = a.options;
                       if (images_.current() != nullptr && saves_.can_save(path) && has_result("save"))
                           saves_.save(path, pipeline_.download().share(), a.options, choices_.windows().after);
                   },
                   [&](const ui::SaveView& a) {
                       const std::string path = absolute_path(a.path);
                       if (saves_.can_save(path) && !model_.views.before.empty()) saves_.save_view(path, a.options);
                   },
                   [&](const ui::CopyResult&) {
                       if (has_result("copy")) saves_.copy(pipeline_.download().share());
                   },
                   [&](const ui::PasteImage&) { images_.paste(); },
                   [&](const ui::ForgetRecent&) {
                       recent_.set({});
                       recent_.set_folders({});
                   },
                   [&](const ui::WantStartPage&) { thumbnails_.want(recent_.offered()); },
                   [&](const ui::SavePreset& a) {
                       presets_.save({a.name, &choices_.op(), choices_.choice().params}, a.overwrite);
                   },
                   [&](const ui::ExportPreset& a) { presets_.export_file(a.name, absolute_path(a.path)); },
                   [&](const ui::ImportPreset& a) {
                       recent_.remember_folder(fs::path(a.path).parent_path().string());
                       presets_.import_files({a.path});
                   },
                   [&](const ui::DeletePreset& a) { presets_.remove(a.name); },
                   [&](const ui::PreviewPreset& a) { preview_ = a; },
                   [&](const ui::Tell& a) { notices_.info(a.text); },
                   [&](const ui::ReplaceFile&) { saves_.answer(Saves::Answer::replace); },
                   [&](const ui::SaveBeside&) { saves_.answer(Saves::Answer::save_beside); },
                   [&](const ui::CancelSave&) { saves_.answer(Saves::Answer::cancel); },
                   [&](const ui::PickNoData& a) { pick_no_data(a.at); },
                   [&](const ui::OpenMask& a) { open_mask(absolute_path(a.path)); },
                   [&](const ui::CancelWork&) { cancel_work(); },
                   [&](const ui::ShowBenchmark& a) {
                       if (!a.shown)
                           benchmark_.hide();
                       else if (benchmark_.shows_experiment())
                           model_.benchmark.shown = true;
                       else
                           benchmark_.show(benchmark_job(benchmark_.by_memory_mode()));
                   },
                   [&](const ui::RunBenchmark&) { measure(); },
                   [&](const ui::StopBenchmark&) {
                       benchmark_.stop();
                       experiment_.stop();
                   },
                   [&](const ui::ShowBenchmarkPage& a) {
                       const bool others = benchmark_.show_page(a.id);
                       if (!benchmark_.shows_experiment() && (others || model_.benchmark.op == nullptr)) measure();
                   },
                   [&](const ui::SetExperiment& a) { experiment_.set(a.setup); },
                   [&](const ui::RunExperiment& a) { run_experiment(a.setup); },
                   [&](const ui::RunCase& a) { run_case(a.point, a.row); },
                   [&](const ui::ExportBenchmark& a) {
                       if (benchmark_.shows_experiment())
                           experiment_.export_results(absolute_path(a.path), saves_, notices_);
                       else
                           benchmark_.export_results(absolute_path(a.path), saves_, notices_);
                   },
                   [&](const ui::DismissNotice& a) { notices_.dismiss(a.id); },
                   [&](const ui::BrowseTo& a) { listing_.browse(a); },
                   [&](const ui::WantThumbnails& a) { thumbnails_.want(a.paths); },
                   [&](const ui::Hover& a) {
                       inspection_.hover(a.inside ? std::optional(Pixel{a.x, a.y}) : std::nullopt);
                   },
                   [&](const ui::Explain& a) {
                       const ExplanationTask::Request wanted{a.pixel, a.kept, a.op, a.params};
                       explanation_.ask(a.shown ? std::optional(wanted) : std::nullopt);
                   },
                   [&](const ui::PinResult&) { comparison_.pin(); },
                   [&](const ui::CompareWith& a) { comparison_.compare_with(absolute_path(a.path), a.as_result); },
                   [&](const ui::CompareWithImage&) { comparison_.compare_with_image(); },
                   [&](const ui::ResetTimings&) {
                       pipeline_.reset_times();
                       frame_times_.reset();
                   },
                   [&](const ui::StartBatch& a) { start_batch(a.setup); },
                   [&](const ui::AnswerBatch& a) { batch_.answer(a.kind); },
                   [&](const ui::PauseBatch& a) { batch_.pause(a.pauses); },
                   [&](const ui::StopBatch&) { batch_.stop(); },
                   [&](const ui::KeepBatch&) { batch_.keep(); },
                   [&](const ui::Quit&) { quit(); },
                   [](const ui::ToggleFullScreen&) {},  // which the window does, as the next one
                   [](const ui::SaveSession&) {},
                   []<ChoiceAction A>(const A&) {},
               },
               action);
}

/// Of a color the luma is left out.
void Viewer::pick_no_data(Pixel at) {
    const OperatorInfo& op = choices_.op();
    const ParamInfo *no_data = find_param(op.params, kNoDataId), *value = find_param(op.params, kNoDataValueId);
    const auto& image = pipeline_.image();
    if (no_data == nullptr || value == nullptr || image == nullptr) return;
    const ImageSpec& spec = image->spec();
    if (at.x < 0 || at.y < 0 || at.x >= spec.width || at.y >= spec.height) return;
    const auto sample = [&](int channel) { return sample_at(image->view().pixel(at.x, at.y), spec.format, channel); };
    ParamBlock params = choices_.choice().params;
    params.set(*no_data, no_data_given);
    params.set(*value, is_gray(spec.format) ? sample(0) : luma(sample(0), sample(1), sample(2)));
    perform(ui::SetPreset{&op, params});
}

void Viewer::open_mask(const std::string& path, std::optional<bool> inverse) {
    files_.look_up(
        "Opening " + fs::path(path).filename().string(), [path](std::stop_token stop) { return load_mask(path, stop); },
        [this, path, inverse](const Outcome<std::shared_ptr<const HostImage>>& outcome) {
            if (!outcome.error.empty()) return images_.fail(outcome.error);
            if (!outcome.value) return;
            ResultPart part = choices_.part();
            part.mask = *outcome.value;
            part.mask_path = path;
            part.mask_inverse = inverse.value_or(part.mask_inverse);
            const std::string wrong = image_spec().empty() ? "" : misfit(part, image_spec());
            if (!wrong.empty()) return notices_.error(wrong);
            perform(ui::SetPart{part});
        });
}

/// What --reference says: of the first image, or of each its own.
void Viewer::compare_as_asked() {
    if (asked_reference_.empty() || !pipeline_.image()) return;
    const Comparison::Place place = pipeline_.image_place();
    if (!referenced_.insert(place).second) return;
    comparison_.compare_with(filled_in(asked_reference_, kStem, fs::path(place.first).stem().string()), false);
    if (asked_reference_.find(kStem) == std::string::npos) asked_reference_.clear();
}

/// Another image may have other sides: what of the part does not fit is given up.
void Viewer::fit_part() {
    const OpenImage* const current = images_.current();
    if (current == nullptr || !current->image || current->image != pipeline_.image()) return;
    if (const auto kept = session_parts_.extract(current->id)) {
        choices_.set_part(kept.mapped());
        asks_for_mask_ |= session_parts_take_mask_;
    }
    if (std::exchange(asks_for_mask_, false)) open_mask(options_.part.mask_path, options_.part.mask_inverse);
    ResultPart part = choices_.part();
    while (true) {
        const std::string wrong = misfit(part, image_spec());
        if (wrong.empty()) return;
        const bool is_region = !misfit({.region = part.region}, image_spec()).empty();
        notices_.warning(wrong + (is_region ? ": the region is left out" : ": the mask is left out"));
        if (is_region)
            part = {.mask = part.mask, .mask_path = part.mask_path, .mask_inverse = part.mask_inverse};
        else
            part = {.region = part.region, .feather_px = part.feather_px};
        choices_.set_part(part);
        changed_ = true;
    }
}

void Viewer::take_dropped(const std::vector<std::string>& paths, ui::DropPlace place) {
    if (place == ui::DropPlace::elsewhere || paths.size() > 1 || kind_of(paths[0]) != ui::kImageFiles)
        return images_.open(paths);
    if (place == ui::DropPlace::mask) return open_mask(absolute_path(paths[0]));
    dropped_reference_ = absolute_path(paths[0]);
    comparison_.compare_with(dropped_reference_, false);
}

void Viewer::tell_of_dropped_reference() {
    const std::optional<Reference> reference = comparison_.reference_of(pipeline_.image_place());
    const bool is_wanted = reference && reference->path == dropped_reference_;
    if (is_wanted && pipeline_.compared() == pipeline_.image()) return;  // it is on its way
    if (is_wanted)
        notices_.info("Comparing with " + fs::path(dropped_reference_).filename().string() +
                      ", which was dropped onto the view of before (P: with the image again). What is dropped "
                      "anywhere else is opened");
    dropped_reference_.clear();
}

void Viewer::measure() {
    // Two measurements at a time would disturb each other.
    if (benchmark_.shows_experiment()) {
        benchmark_.stop();
        experiment_.start(benchmark_job(false));
    } else {
        experiment_.stop();
        benchmark_.start(benchmark_job(benchmark_.by_memory_mode()));
    }
}

void Viewer::run_experiment(const ui::ExperimentSetup& setup) {
    benchmark_.show_page("sweep");
    model_.benchmark.shown = true;
    experiment_.set(setup);
    measure();
}

void Viewer::run_case(size_t point, size_t row) {
    const RunSpec* const run = experiment_.run_of(point, row);
    if (run == nullptr) return;
    const RunSpec wanted = *run;
    if (wanted.variant->backend == BackendKind::cuda && !pipeline_.cuda_available()) {
        notices_.warning("the variant needs a GPU, which is not there");
        return;
    }
    perform(ui::SetPreset{wanted.op, wanted.params});
    perform(ui::SetBackend{wanted.variant->backend});
    perform(ui::SetVariant{wanted.variant});
    for (const ParamInfo& info : wanted.variant->params)
        perform(ui::SetParam{&info, true, wanted.variant_params.get(info)});
    if (wanted.variant->backend == BackendKind::cuda && !wanted.variant->memory) perform(ui::SetMemory{wanted.memory});
    const std::string file = experiment_.file_of(point);
    if (file.empty())
        images_.open_made("Making the image of the case", experiment_.image_maker(point));
    else
        images_.open({file});
    benchmark_.hide();
}

/// Where no variant on the GPU takes the image, one on the CPU does, until another image comes.
void Viewer::choose_for_image() {
    const ImageSpec image = filtered_image();
    choices_.set_image(image);
    if (image.empty()) return;
    const RunSpec spec = shown_spec();
    const auto takes = [&](BackendKind backend) {
        return preferred_variant(*spec.op, backend, spec.params, image) != nullptr;
    };
    if (left_gpu_ && takes(BackendKind::cuda)) {
        left_gpu_ = false;
        choices_.use_backend(BackendKind::cuda);
    } else if (pipeline_.backend() == BackendKind::cuda && spec.variant == nullptr && takes(BackendKind::cpu)) {
        left_gpu_ = true;
        choices_.use_backend(BackendKind::cpu);
        notices_.info("No variant of " + std::string(spec.op->name) +
                      " on the GPU takes this image: it runs on the CPU");
    }
}

/// An image is first seen through its file's own window, a deep one that has none from its least to its greatest
/// sample: the full range may be much larger.
void Viewer::show_own_window() {
    const OpenImage* const current = images_.current();
    if (current == nullptr || !current->image || current->image != pipeline_.image()) return;
    const auto kept = std::exchange(session_windows_, std::nullopt);
    if (kept && kept->first == current->id) {
        windowed_image_ = current->id;
        shows_own_window_ = current->details.window || is_deep(current->spec.format);
        choices_.set_windows(kept->second);
        changed_ = true;
    }
    if (windowed_image_ == current->id) return;
    std::optional<SampleWindow> own = current->details.window;
    if (!own && is_deep(current->spec.format)) {
        const std::optional<std::vector<uint64_t>> counts = histogram_counts_.samples_before();
        if (!counts) return;
        own.emplace().set(used_range(*counts), current->spec.max_sample);
    }
    windowed_image_ = current->id;
    const bool showed_own = std::exchange(shows_own_window_, own.has_value());
    if (!own && !showed_own) return;
    const SampleWindow window = own.value_or(SampleWindow());
    choices_.set_windows({window, window});
    changed_ = true;
}

/// What --window says, once there is what it is of.
void Viewer::show_asked_window() {
    const std::shared_ptr<const HostImage>& image = pipeline_.image();
    const std::optional<std::vector<uint64_t>> counts = histogram_counts_.samples_before();
    if (!image || (!asked_window_->range && !counts)) return;
    SampleWindow window;
    window.set(asked_window_->range ? *asked_window_->range : auto_range(*counts), image->spec().max_sample);
    choices_.set_windows({window, window});
    asked_window_.reset();
    changed_ = true;
}

BackendKind Viewer::use_backend(BackendKind backend) {
    try {
        pipeline_.use_backend(backend);
    } catch (const UserError& error) {
        notices_.error(error.what());
    }
    return pipeline_.backend();
}

bool Viewer::has_result(const std::string& verb) {
    const OpenImage* current = images_.current();
    const bool shows_current = current != nullptr && current->image && current->image == pipeline_.image();
    if (preview_.op != nullptr) {
        notices_.warning("the result on screen is a preview of the preset " + preview_.name + ": " + verb +
                         " it after a click on the preset, or leave the list first");
        return false;
    }
    if (shows_current && pipeline_.up_to_date()) return true;
    notices_.warning(settled() ? "the run was stopped: change a parameter to start it again, then " + verb
                               : "the result is not finished yet: " + verb + " it again when it is");
    return false;
}

void Viewer::cancel_work() {
    if (images_.cancel_loading() || saves_.cancel()) return;
    if (!files_.oldest_look_up().empty()) {
        if (files_.looks_up(Saves::kSaving)) notices_.info("Saving was canceled");
        return files_.cancel_look_ups();
    }
    pipeline_.cancel();
    grid_.cancel();
}

void Viewer::show_messages() {
    for (const Pipeline::Message& message : pipeline_.take_messages()) {
        notices_.error(first_line(message.text));
        if (!message.device_failed || pipeline_.backend() == BackendKind::cpu) continue;
        choices_.use_backend(BackendKind::cpu);
        notices_.warning("The GPU failed: continuing on the CPU");
    }
}

bool Viewer::update(const ui::View& view) {
    for (Tasks* tasks : {&files_, &background_, &details_}) changed_ |= tasks->drain();
    changed_ |= thumbnails_.update();
    if (thumbnails_.has_many()) drop_thumbnails();
    changed_ |= benchmark_.update();
    changed_ |= experiment_.update();
    changed_ |= batch_.update(view.shows_batch);
    images_.update();
    fit_part();
    choose_for_image();
    const RunSpec spec = shown_spec();
    pipeline_.set_spec(spec);
    const auto run_with = [this](const auto& values) { return choices_.run_spec(values, filtered_image()); };
    changed_ |=
        grid_.update(view.grid, view.shows_numbers ? view.visible : Rect{},
                     {pipeline_.image(), pipeline_.compared(), view.histogram_region, pipeline_.device()}, run_with);
    for (size_t k = 0; k < kMaxCells; ++k) pipeline_.show_cell(k, grid_.pyramid(k));
    compare_as_asked();
    changed_ |= comparison_.update(spec);
    if (!dropped_reference_.empty()) tell_of_dropped_reference();
    changed_ |= pipeline_.frame(view.visible, view.zoom, view.shows_stages);
    const HistogramCounts::Wanted counted{{view.histogram_region, view.fine_histogram, view.shows_histogram},
                                          view.clipping};
    const bool is_deep_image = pipeline_.image() && is_deep(pipeline_.image()->spec().format);
    changed_ |= inspection_.update({.difference = view.shows_difference && view.visible.width > 0,
                                    .figures = view.shows_figures && view.visible.width > 0,
                                    .region = view.histogram_region,
                                    .numbers = view.shows_numbers,
                                    .result = counted.needs_result(is_deep_image),
                                    .visible = view.visible});
    histogram_counts_.update(counted, inspection_.result());
    show_own_window();
    if (asked_window_) show_asked_window();
    explanation_.update(pipeline_.image(), spec.op, spec.params, spec.part);
    Suggestions::Subject suggested;
    if (view.shows_suggestions)
        suggested = {pipeline_.image(), spec.op, spec.params, spec.part.region, view.histogram_region};
    changed_ |= suggestions_.update(suggested, settled() && pipeline_.up_to_date() && !is_measuring());
    show_messages();
    pipeline_.serve_downloads(saves_.quits());
    saves_.update();
    if (benchmark_.is_due() && files_.oldest_look_up().empty() &&
        (pipeline_.up_to_date() || !images_.failures().empty()))
        benchmark_.show(benchmark_job(benchmark_.by_memory_mode()));
    if (!options_.experiments.empty() && files_.oldest_look_up().empty())
        run_experiment({.experiment = std::exchange(options_.experiments, {})[0]});
    if (images_.current() == nullptr && !benchmark_.shows_experiment()) benchmark_.hide();
    const bool is_settled = settled();
    const bool still = is_settled && pipeline_.up_to_date() && !is_measuring() && !looks_closer();
    if (still && images_.take_freed())
        background_.start(
            [memory = pipeline_.image_memory()](std::stop_token) { return return_free_memory(memory.get()); },
            [](const Outcome<int>&) {});
    bandwidth_.update(pipeline_.backend(), pipeline_.device(), still);
    if (is_settled)
        busy_since_.reset();
    else if (!busy_since_)
        busy_since_ = Clock::now();
    changed_ |= notices_.take_changed();
    return std::exchange(changed_, false);
}

void Viewer::go_on_saving() {
    images_.cancel_loading();
    files_.drain();
    pipeline_.serve_downloads(true);
    saves_.update();
}

double Viewer::next_check_s() const {
    // Although workers wake the window: a wake-up can get lost on its way through the X connection.
    if (looks_closer()) return kPoll_s;
    const double retry_s = std::chrono::duration<double>(Pipeline::kRetry).count();
    const double next_s = pipeline_.lacks_picture() ? retry_s : bandwidth_.next_check_s();
    return batch_.busy() ? std::min(next_s, WindowBatch::kLook_s) : next_s;
}

bool Viewer::settled() const {
    return !pipeline_.busy() && !grid_.busy() && files_.awaited_jobs() <= saves_.canceled_jobs() && !saves_.busy();
}

bool Viewer::idle() const {
    return settled() && background_.open_jobs() == 0 && !thumbnails_.busy() && !is_measuring() && !looks_closer() &&
           !batch_.busy();
}

void Viewer::written(const std::string& path) {
    if (path.empty()) return;
    listing_.written(path);
    thumbnails_.written(path);
    recent_.remember_folder(fs::path(path).parent_path().string());
    if (kind_of(path) != ui::kSessionFiles) return;
    session_path_ = path;
    recent_.remember(path);
}

void Viewer::drop_thumbnails() {
    std::set<std::string> shown;
    for (const OpenImage& image : images_.list().all()) shown.insert(image.path);
    for (std::string& path : recent_.offered()) shown.insert(std::move(path));
    for (std::string& path : listing_.paths()) shown.insert(std::move(path));
    thumbnails_.keep_only(shown);
}

BenchmarkJob Viewer::benchmark_job(bool by_memory_mode) const {
    std::vector<RunSpec> runs = choices_.run_specs();
    if (by_memory_mode) runs = runs_by_memory_mode(runs, choices_.run_spec().variant);
    BenchmarkJob job{.runs = std::move(runs),
                     .chosen = choices_.run_spec(),
                     .by_memory_mode = by_memory_mode,
                     .backend = options_.backend,
                     .device = pipeline_.device()};
    job.chosen.part = {};  // variants are measured on the whole image
    if (const OpenImage* image = images_.current(); image != nullptr) {
        job.input = image->path;
        job.notice = notice_of(image->details);
        job.image = image->image;
    }
    return job;
}

const ui::Model& Viewer::model() {
    choices_.fill(model_.run);
    model_.run.input = filtered_image();
    model_.run.previewed = preview_.name;
    suggestions_.fill(model_.run);
    pipeline_.fill(model_.run);
    grid_.fill(model_.views.grid, inspection_.hovered(), pipeline_.subject_of(pipeline_.before()));
    pipeline_.fill(model_.views);
    comparison_.fill(model_.views);
    inspection_.fill(model_.views);
    model_.views.windows = choices_.windows();
    model_.views.meaning.reset();
    if (const OpenImage* image = images_.current(); image != nullptr && image->details.scale)
        model_.views.meaning = {image->details.scale->slope, image->details.scale->intercept,
                                image->details.scale->unit};
    model_.views.explanation = explanation_.explanation();
    model_.views.explained = explanation_.explained();
    images_.fill(model_.images, thumbnails_);
    images_.fill(model_.details);
    histogram_counts_.fill(model_.histogram);
    fill_timings();
    benchmark_.fill(benchmark_job(benchmark_.by_memory_mode()));
    if (model_.benchmark.shown && benchmark_.shows_experiment()) {
        experiment_.fill(benchmark_job(false));
        model_.benchmark.suggested_path = model_.benchmark.experiment.suggested_path;
        model_.benchmark.export_formats = benchmark_formats();
    }
    listing_.add_thumbnails(thumbnails_);
    recent_.fill(model_.start_page, thumbnails_);
    model_.browser.recent_folders = recent_.folders();
    model_.presets.entries = presets_.all();
    model_.notices = notices_.all();
    fill_saving();
    fill_batch();
    fill_work();
    model_.views.shows_old_result = model_.views.after_is_stale && !model_.views.after.empty() &&
                                    (!model_.views.preview.empty() || !model_.work.busy || model_.work.is_long());
    model_.timings.is_old = model_.views.shows_old_result;
    return model_;
}

void Viewer::quit() {
    if (batch_.may_quit()) saves_.quit();
}

std::vector<std::string> Viewer::unfinished() const {
    std::vector<std::string> lines = saves_.unsaved();
    if (std::string left = batch_.left(); !left.empty()) lines.push_back(std::move(left));
    return lines;
}

std::vector<WindowBatch::Source> Viewer::open_pages() const {
    std::vector<WindowBatch::Source> pages;
    for (const OpenImage& image : images_.list().all()) pages.push_back({image.path, image.wanted_page});
    return pages;
}

void Viewer::start_batch(const ui::BatchSetup& setup) {
    RunSpec spec = choices_.run_spec();
    // The dialog says which masks there are.
    spec.part.mask.reset();
    spec.part.mask_path = setup.mask;
    spec.part.mask_inverse = setup.mask_inverse && !setup.mask.empty();
    batch_.start(setup, {spec, pipeline_.device(), ui::batch_text(spec, spec.part)});
}

void Viewer::fill_batch() {
    const OpenImage* image = images_.current();
    if (image == nullptr) return;
    const fs::path folder = fs::path(image->path).parent_path();
    model_.batch.suggested_folder = folder.string();
    model_.batch.suggested_output = (folder / "results" / "{stem}.png").string();
    const ResultPart& part = choices_.part();
    model_.batch.suggested_mask = part.mask == nullptr ? "" : pattern_from(part.mask_path, image->path);
    model_.batch.suggested_inverse = part.mask_inverse;
}

void Viewer::fill_timings() {
    ui::Timings& model = model_.timings;
    model = {};
    const OpenImage* image = images_.current();
    const RunSpec run = shown_spec();
    model.copy_gb_s = bandwidth_.gb_s(pipeline_.backend());
    if (image == nullptr || !pipeline_.image() || pipeline_.stages().empty()) return;
    model.stages = pipeline_.stages();
    model.kernels = pipeline_.resources();

    const FrameTimes::Summary& times = frame_times_.summary();
    model.frame.push_back(
        {"UI thread", "Mean of the last frames. compute: starting kernels, taking results over", times.mean.ms});
    model.frame.push_back({"Slowest", "The UI thread's slowest of the last frames", times.slowest.ms});
    ui::FrameRow work{.name = "GPU",
                      .help =
                          "Medians of the last runs and frames; hand-over of the textures between OpenGL and CUDA by "
                          "the CPU's clock"};
    const bool on_cpu = pipeline_.backend() == BackendKind::cpu;
    if (on_cpu) work = {.name = "CPU threads", .help = "Median of the last runs"};
    for (const ui::StageRow& stage : model.stages)
        if (&stage != &model.stages.back()) work.of(part_of(stage.stage)) += stage.median_ms;
    if (on_cpu) {
        model.frame.push_back(work);
        work = {.name = "GPU", .help = "Drawing the window, median of the last frames"};
    }
    work.of(ui::FramePart::draw) = times.gpu_draw_ms;
    model.frame.push_back(work);

    model.subject = {{"Image", image->name() + ", " + size_text(image->spec.width, image->spec.height)},
                     {"Operator", ui::caption_of({.run = RunSpec{run.op, nullptr, run.params}}).text()},
                     {"Variant", run.variant == nullptr ? "none" : std::string(run.variant->name)},
                     {"Device", pipeline_.device_name()}};
    if (!on_cpu) model.subject.emplace_back("Memory", kMemoryModeIds[size_t(run.memory)]);
}

void Viewer::fill_saving() {
    model_.saving = {{}, {}, {}, saves_.question()};
    model_.views.picturing = saves_.wants_view();
    model_.run.command_line.clear();
    const OpenImage* image = images_.current();
    if (image == nullptr) return;
    const std::string page = image->details.pages > 1 ? "-page-" + std::to_string(image->page + 1) : "";
    model_.saving.suggested_result_path = path_beside(image->path, page + "-" + std::string(choices_.op().id) + ".png");
    model_.saving.suggested_view_path = path_beside(image->path, page + "-view.png");
    model_.saving.suggested_session_path =
        session_path_.empty()
            ? (fs::path(image->path).parent_path() / ("session" + std::string(kSessionEnding))).string()
            : session_path_;
    const fs::path output = fs::path(model_.saving.suggested_result_path).filename();
    model_.run.command_line =
        reproducing_command(choices_.run_spec(), image->path, output.string(), save_options_, image->page);
}

void Viewer::fill_work() {
    ui::WorkModel work{.what = std::string(choices_.op().name)};
    work.busy = busy_since_.has_value();
    if (busy_since_) work.seconds = std::chrono::duration<double>(Clock::now() - *busy_since_).count();
    if (const OpenImage* image = images_.loading()) {
        work.what = "Opening " + image->name();
        work.progress = image->progress->fraction();
    } else if (saves_.busy()) {
        work.what = Saves::kSaving;
        work.progress = saves_.progress();
    } else if (const std::string look_up = files_.oldest_look_up(); !look_up.empty()) {
        work.what = look_up;
    } else {
        work.progress = grid_.busy() ? grid_.progress() : pipeline_.progress();
    }
    model_.work = work;
}

}  // namespace tonescope
