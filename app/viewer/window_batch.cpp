#include "app/viewer/window_batch.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

#include "app/batch/mask.h"
#include "app/batch/output_names.h"
#include "app/image_io/formats.h"
#include "app/options/options.h"
#include "app/system/device_answer.h"
#include "app/system/folder.h"
#include "app/system/text_file.h"
#include "gpu/core/error.h"
#include "gpu/core/parallel.h"

namespace tonescope {

/// What a batch's thread and the window tell each other; a new one for each batch.
struct WindowBatch::Board {
    static constexpr size_t kMaxListed = 1000;
    std::mutex mutex;
    std::vector<std::string> open;  // files that are never written onto
    size_t done = 0, failed = 0;
    std::vector<std::string> failures, written;  // as far as there is memory for them
    std::shared_ptr<Batch> batch;                // while it runs

    void take(const BatchOutcome& outcome) noexcept {
        const std::lock_guard lock(mutex);
        ++done;
        if (!outcome.ok) ++failed;
        try {
            for (const std::string& error : outcome.errors)
                if (failures.size() < kMaxListed) failures.push_back(error);
            for (const BatchPage& page : outcome.pages)
                if (page.state == BatchPage::State::done) written.push_back(page.output);
        } catch (const std::bad_alloc&) {  // the numbers say it
        }
    }

    bool is_over = false;
    std::string device_failure;  // the CPU has taken over
    std::string problem;         // that is no image's
};

namespace {

namespace fs = std::filesystem;
using BatchState = ui::BatchModel::State;

constexpr const char* kSteps[] = {"reading", "filtering", "writing"};  // as in BatchStep::Kind
constexpr int kBatchNiceness = 10;

bool is_there(const std::string& path) {
    std::error_code error;
    return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

/// The same parameters with another variant.
RunSpec with_variant(const RunSpec& spec, const VariantInfo& variant) {
    RunSpec other = default_run(*spec.op, &variant);
    other.params = spec.params;
    other.part = spec.part;
    return other;
}

std::string images_text(size_t count) {
    return std::to_string(count) + (count == 1 ? " image" : " images");
}

/// Workers of loops belong to the whole window: those who start on a batch's thread would keep its priority.
void start_loop_workers() {
    const int threads = default_cpu_threads();
    parallel_pieces(threads, threads, 1, [](Pieces& pieces) {
        for ([[maybe_unused]] const int64_t piece : pieces) {
        }
    });
}

/// The masks of images, which leave their list where they are in it.
std::vector<std::string> take_masks(std::vector<WindowBatch::Source>& sources, const ResultPart& part) {
    std::vector<std::string> masks, inputs;
    if (part.mask_path.empty()) return masks;
    for (const WindowBatch::Source& source : sources) inputs.push_back(source.path);
    const image_io::FileSet known(inputs);
    std::set<std::string> found;
    for (const std::string& input : inputs) {
        masks.push_back(mask_of(part, input));
        const std::string* mask = known.find(masks.back());
        if (mask != nullptr && *mask != input) found.insert(*mask);
    }
    std::erase_if(sources, [&](const WindowBatch::Source& source) { return found.contains(source.path); });
    return masks;
}

/// Throws UserError.
void make_folders(const std::vector<BatchItem>& items) {
    std::string made;
    for (const BatchItem& item : items)
        if (std::string folder = fs::path(item.output).parent_path().string(); folder != made) {
            make_folder_of(item.output);
            made = std::move(folder);
        }
}

}  // namespace

WindowBatch::WindowBatch(ui::BatchModel& model, Tasks& tasks, Notices& notices, Window window)
    : model_(model), tasks_(tasks), notices_(notices), window_(std::move(window)) {}

/// On a worker. Throws UserError.
std::vector<WindowBatch::Planned> WindowBatch::plan(const ui::BatchSetup& setup, const ResultPart& part,
                                                    const std::vector<Source>& open) {
    std::vector<Source> sources = open;
    if (setup.is_folder) {
        if (!is_folder(setup.folder)) throw UserError(setup.folder + " is no folder");
        sources.clear();
        for (std::string& path : expand_paths({setup.folder})) sources.push_back({std::move(path)});
    }
    const std::vector<std::string> masks = take_masks(sources, part);
    if (sources.empty()) throw UserError(setup.is_folder ? "no images are in " + setup.folder : "no image is open");
    const std::string pattern = pattern_of(absolute_path(setup.output));
    if (!can_save_as(pattern)) throw UserError("the name of the results must end in " + image_io::saved_endings());
    if (sources.size() > 1 && pattern.find(kStem) == std::string::npos)
        throw UserError("the name of the results must contain {stem}, which becomes the name of each image");
    std::vector<std::string> inputs, open_paths;
    for (const Source& source : sources) inputs.push_back(source.path);
    inputs.insert(inputs.end(), masks.begin(), masks.end());
    for (const Source& source : open) open_paths.push_back(source.path);
    OutputNames names(inputs, "");
    const image_io::FileSet never_written(open_paths);
    std::vector<Planned> planned;
    std::set<std::string> taken;
    for (const Source& source : sources) {
        const std::string output = names.name(pattern, source.path, source.page);
        if (never_written.find(output) != nullptr)
            throw UserError(output + " is an open image: close it, or choose another name");
        planned.push_back({{source.path, output, source.page}, is_there(output), {}});
        taken.insert(output);
    }
    for (Planned& one : planned) {
        if (!one.exists) continue;
        one.free_path = free_path_beside(one.item.output, taken);
        taken.insert(one.free_path);
    }
    return planned;
}

std::vector<std::string> WindowBatch::open_paths() const {
    std::vector<std::string> paths;
    for (Source& source : window_.open_images()) paths.push_back(std::move(source.path));
    return paths;
}

void WindowBatch::start(const ui::BatchSetup& setup, const Run& run) {
    if (busy() || run.spec.op == nullptr) return;
    setup_ = setup;
    run_ = run;
    if (run_.spec.variant == nullptr)
        run_.spec = with_variant(run.spec, *preferred_variant(run.spec.op->id, BackendKind::cpu));
    ui::BatchModel fresh;
    fresh.suggested_folder = model_.suggested_folder;
    fresh.suggested_output = model_.suggested_output;
    fresh.suggested_mask = model_.suggested_mask;
    fresh.suggested_inverse = model_.suggested_inverse;
    fresh.what = run.what;
    model_ = std::move(fresh);
    tasks_.look_up(
        "Looking for images",
        [setup, part = run_.spec.part, open = window_.open_images()](std::stop_token) {
            return plan(setup, part, open);
        },
        [this, batch = ++started_](Outcome<std::vector<Planned>> outcome) {
            if (batch != started_) return;
            model_.state = BatchState::idle;
            model_.problem = outcome.error;
            if (!outcome.value) return;
            plan_ = std::move(*outcome.value);
            model_.files = plan_.size();
            for (const Planned& one : plan_) {
                if (!one.exists) continue;
                ++model_.existing;
                if (model_.obstacles.size() < Board::kMaxListed)
                    model_.obstacles.push_back({one.item.output, fs::path(one.free_path).filename().string()});
            }
            if (model_.existing > 0)
                model_.state = BatchState::asks;
            else
                answer(ui::AnswerBatch::Kind::skip);
        });
    model_.state = BatchState::looking;
}

void WindowBatch::answer(ui::AnswerBatch::Kind kind) {
    using Kind = ui::AnswerBatch::Kind;
    if (plan_.empty()) return;
    model_.state = BatchState::idle;
    model_.obstacles.clear();
    std::vector<BatchItem> items;
    std::set<std::string> given_up;
    for (Planned& one : std::exchange(plan_, {})) {
        if (one.exists && (kind == Kind::skip || kind == Kind::cancel)) continue;
        if (one.exists && kind == Kind::rename) one.item.output = one.free_path;
        if (one.exists && kind == Kind::overwrite) given_up.insert(one.item.output);
        items.push_back(std::move(one.item));
    }
    if (kind == Kind::cancel) return;
    if (items.empty()) {
        model_.problem = "all results are there already";
        return;
    }
    begin(std::move(items), std::move(given_up));
}

/// `given_up`: files that may be written over.
void WindowBatch::begin(std::vector<BatchItem> items, std::set<std::string> given_up) {
    const size_t files = items.size();
    model_.folder = fs::path(items[0].output).parent_path().string();
    stop_ = {};
    board_ = std::make_shared<Board>();
    board_->open = open_paths();
    BatchForm form{.save_options = setup_.save_options};
    form.check_output = [board = board_, given_up = std::move(given_up)](const std::string& output) {
        std::vector<std::string> open;
        {
            const std::lock_guard lock(board->mutex);
            open = board->open;
        }
        if (image_io::FileSet(open).find(output) != nullptr)
            throw UserError(output + ": not written, since it has been opened meanwhile");
        return given_up.contains(output) ? OldFile::replaced : OldFile::kept;
    };
    auto work = [board = board_, run = run_, wake = window_.wake, stop = stop_.get_token(), items = std::move(items),
                 form = std::move(form)]() mutable {
        std::string problem, device_failure;
        try {
            start_loop_workers();
            setpriority(PRIO_PROCESS, id_t(gettid()), kBatchNiceness);  // of this thread and those that it starts
            read_mask(run.spec.part, stop);
            make_folders(items);
            BatchRun what{.spec = run.spec};
            what.with_variant = [&](const VariantInfo& variant) { return with_variant(run.spec, variant); };
            what.may_use_cpu = true;
            const bool on_cpu = run.spec.variant->backend == BackendKind::cpu;
            BatchFilter filter(std::move(what), on_cpu ? make_cpu_backend() : make_answering_backend(run.device));
            const auto take = [&](size_t, const BatchOutcome& outcome) { board->take(outcome); };
            const int threads = std::max(1, default_cpu_threads() - 1);  // a core stays for the window
            const auto batch = std::make_shared<Batch>(std::move(items), filter, std::move(form),
                                                       BatchOptions{.jobs = threads, .threads = threads}, take);
            {
                const std::lock_guard lock(board->mutex);
                board->batch = batch;
            }
            batch->run(stop);
            device_failure = filter.failure();
        } catch (const std::exception& error) {
            problem = first_line(error.what());
        }
        const std::lock_guard lock(board->mutex);
        board->batch.reset();
        board->device_failure = std::move(device_failure);
        board->problem = std::move(problem);
        board->is_over = true;
        wake();
    };
    try {
        thread_ = std::jthread(std::move(work));
    } catch (const std::system_error&) {
        model_.problem = "no thread can be started for it";
        return;
    }
    // From here on nothing takes memory: what fails before leaves no batch under way.
    model_.files = files;
    model_.state = BatchState::running;
    looked_ = Clock::now();
}

void WindowBatch::pause(bool pauses) {
    if (!model_.is_under_way() || model_.was_stopped) return;
    take_time();
    model_.state = pauses ? BatchState::paused : BatchState::running;
    tell_pause();
}

/// A batch that has not begun yet is told by the next update().
void WindowBatch::tell_pause() {
    std::shared_ptr<Batch> batch;
    {
        const std::lock_guard lock(board_->mutex);
        batch = board_->batch;
    }
    // Without the board's lock: the batch holds its own while it hands outcomes to the board.
    if (batch) batch->pause(model_.state == BatchState::paused);
}

void WindowBatch::stop() {
    ++started_;  // what is looked for does not count any more
    if (model_.state == BatchState::asks) answer(ui::AnswerBatch::Kind::cancel);
    if (model_.state == BatchState::looking) model_.state = BatchState::idle;
    if (!busy()) return;
    model_.was_stopped = true;
    stop_.request_stop();
}

bool WindowBatch::may_quit() {
    if (!model_.is_under_way() || model_.was_stopped) return true;
    if (std::exchange(model_.asks_to_quit, true)) {
        stop();
        return true;
    }
    notices_.info("A batch is under way: closing the window once more stops it");
    return false;
}

std::string WindowBatch::left() const {
    if (!model_.is_under_way()) return {};
    return "the batch was stopped when " + std::to_string(model_.done) + " of " + images_text(model_.files) +
           " were done";
}

void WindowBatch::take_time() {
    const Clock::time_point now = Clock::now();
    if (model_.state == BatchState::running) model_.seconds += std::chrono::duration<double>(now - looked_).count();
    looked_ = now;
}

bool WindowBatch::update(bool shows_files) {
    if (!model_.is_under_way()) return false;
    std::shared_ptr<Batch> batch;
    std::vector<ui::BatchModel::File> under_way;
    bool is_new = false, is_over = false;
    {
        const std::lock_guard lock(board_->mutex);
        is_over = board_->is_over;
        if (!is_over && Clock::now() - looked_ < std::chrono::duration<double>(kLook_s)) return false;
        board_->open = open_paths();
        batch = board_->batch;
        is_new = is_over || model_.done != board_->done;
        model_.done = board_->done;
        model_.failed = board_->failed;
        if (model_.failures.size() != board_->failures.size()) model_.failures = board_->failures;
    }
    take_time();
    tell_pause();
    if (batch && shows_files)
        for (const Batch::UnderWay& file : batch->under_way())
            under_way.push_back(
                {fs::path(batch->input(file.item)).filename().string(), kSteps[size_t(file.kind)], file.fraction});
    is_new |= model_.under_way != under_way;
    model_.under_way = std::move(under_way);
    if (is_over) tell_the_end();
    return is_new;
}

/// The batch's thread has no more to say.
void WindowBatch::tell_the_end() {
    const std::vector<std::string>& written = board_->written;
    model_.problem = board_->problem;
    model_.state = model_.done == 0 && !model_.problem.empty() ? BatchState::idle : BatchState::done;
    model_.asks_to_quit = false;
    if (!written.empty()) window_.written(written);
    if (!board_->device_failure.empty())
        notices_.warning("The GPU failed: the batch went on on the CPU: " + board_->device_failure);
    if (!model_.problem.empty()) return notices_.error("The batch has ended: " + model_.problem);
    const std::string text = "Batch: " + images_text(model_.done - model_.failed) + " done, in " + model_.folder;
    if (model_.failed > 0)
        notices_.warning(text + "; " + std::to_string(model_.failed) + " failed (Ctrl+B lists them)");
    else
        notices_.info(text + (model_.was_stopped ? "; it was stopped" : ""));
}

}  // namespace tonescope
