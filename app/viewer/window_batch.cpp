#include "app/viewer/window_batch.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/batch/output_names.h"
#include "app/image_io/formats.h"
#include "app/system/folder.h"
#include "app/system/text_file.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

namespace fs = std::filesystem;
using BatchState = ui::BatchModel::State;

constexpr const char* kSteps[] = {"reading", "filtering", "writing"};  // as in BatchStep::Kind
constexpr size_t kMaxFailures = 1000;                                  // that are listed

bool exists(const std::string& path) {
    std::error_code error;
    return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

std::unique_ptr<Backend> backend_for(const WindowBatch::Run& run) {
    return run.spec.variant->backend == BackendKind::cpu ? make_cpu_backend() : make_cuda_backend(run.device);
}

/// The same parameters with another variant.
RunSpec with_variant(const RunSpec& spec, const VariantInfo& variant) {
    RunSpec other = default_run(*spec.op, &variant);
    other.params = spec.params;
    return other;
}

}  // namespace

WindowBatch::WindowBatch(ui::BatchModel& model, Tasks& tasks, Notices& notices, std::function<void()> wake)
    : model_(model), tasks_(tasks), notices_(notices), wake_(std::move(wake)) {}

WindowBatch::~WindowBatch() {
    stop_.request_stop();
}

/// Throws UserError.
WindowBatch::Plan WindowBatch::plan(const ui::BatchSetup& setup, const std::vector<std::string>& open) {
    const std::vector<std::string> inputs = setup.is_folder ? expand_paths({absolute_path(setup.folder)}) : open;
    if (inputs.empty()) throw UserError(setup.is_folder ? setup.folder + " has no images" : "no image is open");
    if (inputs.size() > 1 && setup.output.find(kStem) == std::string::npos)
        throw UserError("the name of the results needs {stem}, which becomes the name of each image");
    const std::string pattern = absolute_path(setup.output);
    if (!can_save_as(pattern)) throw UserError("the name of the results must end in " + image_io::saved_endings());
    std::vector<std::string> kept = inputs;
    kept.insert(kept.end(), open.begin(), open.end());
    OutputNames names(kept, "");
    Plan plan;
    for (const std::string& input : inputs) {
        std::string output = names.name(pattern, input, -1);
        if (exists(output)) plan.existing.insert(output);
        plan.items.push_back({input, std::move(output)});
    }
    return plan;
}

void WindowBatch::start(const ui::BatchSetup& setup, const std::vector<std::string>& open, const Run& run) {
    if (busy() || run.spec.op == nullptr) return;
    setup_ = setup;
    run_ = run;
    const ui::BatchModel before = std::exchange(model_, {});
    model_.suggested_folder = before.suggested_folder;
    model_.suggested_output = before.suggested_output;
    model_.state = BatchState::looking;
    model_.what = run.what;
    tasks_.look_up(
        "Looking for images", [setup, open](std::stop_token) { return plan(setup, open); },
        [this, batch = ++started_](Outcome<Plan> outcome) {
            if (batch != started_) return;
            model_.state = BatchState::idle;
            model_.problem = outcome.error;
            if (!outcome.value) return;
            plan_ = std::move(*outcome.value);
            model_.files = plan_.items.size();
            model_.existing = plan_.existing.size();
            if (model_.existing > 0) {
                model_.state = BatchState::asks;
            } else {
                begin(std::move(plan_.items), {});
            }
        });
}

void WindowBatch::answer(ui::AnswerBatch::Kind kind) {
    if (model_.state != BatchState::asks) return;
    model_.state = BatchState::idle;
    if (kind == ui::AnswerBatch::Kind::cancel) return;
    std::vector<BatchItem> items = std::move(plan_.items);
    if (kind == ui::AnswerBatch::Kind::leave_out)
        std::erase_if(items, [&](const BatchItem& item) { return plan_.existing.contains(item.output); });
    if (items.empty()) {
        model_.problem = "every result is there already";
        return;
    }
    begin(std::move(items),
          kind == ui::AnswerBatch::Kind::replace ? std::move(plan_.existing) : std::set<std::string>());
}

/// `replaced`: files that the user has given up.
void WindowBatch::begin(std::vector<BatchItem> items, std::set<std::string> replaced) {
    model_.files = items.size();
    model_.state = BatchState::running;
    looked_ = std::chrono::steady_clock::now();
    stop_ = {};
    board_ = std::make_shared<Board>();
    BatchForm form{.save_options = setup_.save_options};
    form.check_output = [replaced = std::move(replaced)](const std::string& output) {
        if (exists(output) && !replaced.contains(output)) throw UserError(output + ": it is there by now");
    };
    auto work = [board = board_, run = run_, wake = wake_, stop = stop_.get_token(), items = std::move(items),
                 form = std::move(form)]() mutable {
        // The window comes first: one core stays for it, and the rest is lent.
        setpriority(PRIO_PROCESS, id_t(gettid()), 10);
        std::string problem;
        try {
            make_folder_of(items[0].output);
            BatchRun what{.spec = run.spec};
            what.with_variant = [&](const VariantInfo& variant) { return with_variant(run.spec, variant); };
            what.may_use_cpu = true;
            BatchFilter filter(std::move(what), backend_for(run));
            auto last_wake = std::chrono::steady_clock::now();
            const int threads = std::max(1, default_cpu_threads() - 1);
            const auto batch = std::make_shared<Batch>(
                std::move(items), filter, std::move(form), BatchOptions{.jobs = threads, .threads = threads},
                [&](size_t, const BatchOutcome& outcome) {
                    const std::lock_guard lock(board->mutex);
                    ++board->done;
                    if (!outcome.ok) ++board->failed;
                    for (const std::string& error : outcome.errors)
                        if (board->failures.size() < kMaxFailures) board->failures.push_back(error);
                    const auto now = std::chrono::steady_clock::now();
                    if (now - std::exchange(last_wake, now) > std::chrono::duration<double>(kLook_s)) wake();
                });
            {
                const std::lock_guard lock(board->mutex);
                board->batch = batch;
                batch->pause(board->pauses);
            }
            batch->run(stop);
            {
                const std::lock_guard lock(board->mutex);
                board->batch.reset();
            }
            problem = filter.failure();
        } catch (const std::exception& error) {
            problem = first_line(error.what());
        }
        const std::lock_guard lock(board->mutex);
        board->problem = problem;
        board->is_over = true;
        wake();
    };
    try {
        thread_ = std::jthread(std::move(work));
    } catch (const std::system_error&) {
        model_.state = BatchState::idle;
        model_.problem = "no more threads can be started";
    }
}

void WindowBatch::pause(bool pauses) {
    if (model_.state != BatchState::running && model_.state != BatchState::paused) return;
    take_time();
    model_.state = pauses ? BatchState::paused : BatchState::running;
    const std::lock_guard lock(board_->mutex);
    board_->pauses = pauses;
    if (board_->batch) board_->batch->pause(pauses);
}

void WindowBatch::stop() {
    ++started_;  // files that are looked for do not count any more
    if (model_.state == BatchState::looking || model_.state == BatchState::asks) model_.state = BatchState::idle;
    if (!busy()) return;
    model_.was_stopped = true;
    stop_.request_stop();
}

void WindowBatch::take_time() {
    const auto now = std::chrono::steady_clock::now();
    if (model_.state == BatchState::running) model_.seconds += std::chrono::duration<double>(now - looked_).count();
    looked_ = now;
}

bool WindowBatch::update() {
    if (model_.state != BatchState::running && model_.state != BatchState::paused) return false;
    std::shared_ptr<Batch> batch;
    {
        const std::lock_guard lock(board_->mutex);
        if (!board_->is_over && std::chrono::steady_clock::now() - looked_ < std::chrono::duration<double>(kLook_s))
            return false;
        model_.done = board_->done;
        model_.failed = board_->failed;
        if (model_.failures.size() != board_->failures.size()) model_.failures = board_->failures;
        if (!board_->problem.empty()) notices_.error(board_->problem);
        batch = board_->batch;
        take_time();
        if (board_->is_over) model_.state = BatchState::done;
    }
    model_.under_way.clear();
    if (batch)
        for (const Batch::UnderWay& file : batch->under_way())
            model_.under_way.push_back(
                {fs::path(batch->input(file.item)).filename().string(), kSteps[size_t(file.kind)], file.fraction});
    return true;
}

}  // namespace tonescope
