#include "app/viewer/application.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/image_io/formats.h"
#include "app/system/overloaded.h"
#include "gpu/core/error.h"
#include "gpu/present/textures.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxNotices = 5, kMaxErrors = 20;
constexpr double kPoll_s = 0.02;
constexpr int kFileThreads = 4;  // one that hangs on a dead disk holds up no other

/// Errors of reading and writing files name the file already.
std::string one_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

}  // namespace

Application::Application(const Options& options, std::function<void()> wake)
    : options_(options),
      files_(kFileThreads, wake),
      background_(kFileThreads, wake),
      thumbnail_jobs_(1, wake),
      pipeline_(options_, files_, frame_times_, wake),
      inspection_(pipeline_, wake),
      histogram_counts_(pipeline_, wake),
      explanation_(wake),
      bandwidth_(wake),
      document_(resolve_run(options, pipeline_.backend())),
      comparison_(wake),
      compare_first_(options.compare && !options.inputs.empty()),
      grid_(wake),
      watch_(wake) {
    if (options.memory) document_.set_memory(*options.memory);
    if (const char* home = std::getenv("HOME")) model_.browser.home = home;
    model_.browser.opened_formats = image_io::format_names(image_io::Use::open, "");
    for (const image_io::Format& format : image_io::formats())
        if (format.save != nullptr)
            model_.browser.saved_formats.push_back({std::string(format.name),
                                                    {format.extensions.begin(), format.extensions.end()},
                                                    format.keeps_alpha,
                                                    format.is_lossy});
    model_.presets.folder = presets_folder();
    browse(fs::current_path().string());
    find_samples();
    find_presets();
}

Application::~Application() {
    // What is being saved is finished, what would only be looked at is not.
    thumbnail_jobs_.abandon();
    for (const OpenImage& image : document_.images()) std::stop_source(image.loading).request_stop();
    for (auto& [path, picture] : thumbnails_) delete_textures(picture.tiles);
    remove_pasted();
}

void Application::notify(ui::Severity severity, std::string text) {
    std::erase_if(model_.notices, [&](const ui::Notice& notice) { return notice.text == text; });
    model_.notices.push_back({next_notice_++, severity, std::move(text)});
    // Errors and warnings wait until somebody has read them.
    const auto older_end = model_.notices.end() - 1;
    const auto info = std::find_if(model_.notices.begin(), older_end,
                                   [](const ui::Notice& n) { return n.severity == ui::Severity::info; });
    if (model_.notices.size() > kMaxNotices && info != older_end)
        model_.notices.erase(info);
    else if (model_.notices.size() > kMaxErrors)
        model_.notices.erase(model_.notices.begin());
    changed_ = true;
}

void Application::perform(const ui::Action& action) {
    changed_ = true;
    if (change_choice(action)) return;
    std::visit(Overloaded{
                   [&](const ui::OpenPaths& a) { open(a.paths); },
                   [&](const ui::SelectImage& a) { select(a.index); },
                   [&](const ui::CloseImage& a) { close(a.index); },
                   [&](const ui::ReloadImage&) {
                       if (document_.current() != nullptr) load(*document_.find(document_.current()->id));
                   },
                   [&](const ui::StepImage& a) { step_image(a.by); },
                   [&](const ui::SaveResult& a) { save(absolute_path(a.path)); },
                   [&](const ui::SaveView& a) { save_view(absolute_path(a.path)); },
                   [&](const ui::CopyResult&) { copy_result(); },
                   [&](const ui::PasteImage&) { paste(); },
                   [&](const ui::ForgetRecent&) {
                       recent_.clear();
                       look_for_recent();
                   },
                   [&](const ui::WantStartPage&) {
                       for (const auto* files : {&model_.start_page.samples, &model_.start_page.recent})
                           for (const ui::FileEntry& file : *files)
                               if (!file.missing) want_thumbnail(file.path);
                   },
                   [&](const ui::SavePreset& a) { save_preset(a.name, a.overwrite); },
                   [&](const ui::ExportPreset& a) { export_preset(a.name, absolute_path(a.path)); },
                   [&](const ui::ImportPreset& a) { import_presets({a.path}); },
                   [&](const ui::DeletePreset& a) { delete_preset(a.name); },
                   [&](const ui::Tell& a) { notify(ui::Severity::info, a.text); },
                   [&](const ui::ReplaceFile&) { answer(true); },
                   [&](const ui::CancelSave&) { answer(false); },
                   [&](const ui::CancelWork&) { cancel_work(); },
                   [&](const ui::ShowComparison& a) { show_comparison(a.shown); },
                   [&](const ui::RunComparison&) { start_comparison(); },
                   [&](const ui::StopComparison&) { comparison_.stop(); },
                   [&](const ui::ExportComparison& a) { export_comparison(absolute_path(a.path)); },
                   [&](const ui::DismissNotice& a) {
                       std::erase_if(model_.notices, [&](const ui::Notice& notice) { return notice.id == a.id; });
                   },
                   [&](const ui::BrowseTo& a) { browse(a.folder, a.presets); },
                   [&](const ui::WantThumbnails& a) {
                       for (const std::string& path : a.paths) want_thumbnail(path);
                   },
                   [&](const ui::Hover& a) {
                       model_.views.pixel.reset();
                       pipeline_.forget_probe();
                       if (!a.inside) return;
                       model_.views.pixel.emplace().x = a.x;
                       model_.views.pixel->y = a.y;
                       pipeline_.probe(a.x, a.y);
                   },
                   [&](const ui::Explain& a) { explanation_.ask(a); },
                   [&](const ui::PinReference& a) {
                       if (a.pinned) {
                           inspection_.pin(describe_run(document_.run_spec(pipeline_.backend())));
                       } else {
                           inspection_.unpin();
                       }
                   },
                   [&](const ui::SetHistogramLog& a) { model_.histogram.logarithmic = a.on; },
                   [&](const ui::ResetTimings&) { reset_timings(); },
                   [&](const ui::ToggleFullScreen&) { toggle_full_screen_ = true; },
                   [&](const ui::Quit&) { quit(); },
                   []<ChoiceAction A>(const A&) {},
               },
               action);
}

void Application::show_messages() {
    for (const Pipeline::Message& message : pipeline_.take_messages()) {
        notify(ui::Severity::error, one_line(message.text));
        if (!message.device_failed || pipeline_.backend() == BackendKind::cpu) continue;
        pipeline_.use_backend(BackendKind::cpu);
        notify(ui::Severity::warning, "The GPU failed: going on with the CPU");
    }
}

bool Application::update(const ui::View& view) {
    changed_ |= files_.drain();
    changed_ |= background_.drain();
    changed_ |= thumbnail_jobs_.drain();
    changed_ |= comparison_.update();
    follow_file();
    const RunSpec spec = document_.run_spec(pipeline_.backend());
    pipeline_.set_spec(spec);
    update_grid(view);
    changed_ |= pipeline_.frame(view.visible, view.zoom);
    changed_ |= inspection_.update(view, HistogramCounts::needs_result(view));
    changed_ |= histogram_counts_.update(view, inspection_.result());
    changed_ |= explanation_.update(pipeline_.image(), spec.op, spec.params);
    show_messages();
    finish_saves();
    if (compare_first_ && (pipeline_.up_to_date() || !failures_.empty())) {
        compare_first_ = false;
        show_comparison(true);
    }
    const bool still = settled() && pipeline_.up_to_date() && !comparing() && !looking_closer();
    if (still && std::exchange(has_freed_, false)) return_free_memory();
    changed_ |= bandwidth_.update(pipeline_.backend(), pipeline_.device(), still);
    if (document_.current() == nullptr) model_.benchmark.shown = false;
    if (settled()) {
        busy_since_ = {};
    } else if (busy_since_ == std::chrono::steady_clock::time_point{}) {
        busy_since_ = std::chrono::steady_clock::now();
    }
    return std::exchange(changed_, false);
}

double Application::next_check_s() const {
    // Although workers wake the window: a wake-up can get lost on its way through the X connection.
    return looking_closer() ? kPoll_s : bandwidth_.next_check_s();
}

void Application::prepare_minified() {
    for (PictureRole role : kPictureRoles) pipeline_.presenter().prepare_minified(role);
}

bool Application::settled() const {
    return !pipeline_.busy() && !grid_.busy() && files_.awaited_jobs() <= cancelled_saves_ && saves_.empty() &&
           saving_ == 0;
}

}  // namespace tonescope
