// --headless: images in, results out.
#include <algorithm>
#include <iostream>
#include <utility>

#include "app/batch/batch.h"
#include "app/batch/output_names.h"
#include "app/cli/modes.h"
#include "app/options/report.h"
#include "app/system/device_answer.h"
#include "app/system/ending.h"
#include "app/system/text_file.h"

namespace tonescope {
namespace {

/// Whether CPU and device give the same: nothing was asked for that one of them does not have.
bool may_choose(const Options& options, const OperatorInfo& op) {
    return options.backend == BackendChoice::automatic && options.variant.empty() && !options.memory &&
           options.device < 0 && preferred_variant(op.id, BackendKind::cuda) != nullptr &&
           std::ranges::all_of(options.sets,
                               [&](const auto& set) { return find_param(op.params, set.first) != nullptr; });
}

class HeadlessRun {
  public:
    HeadlessRun(const Options& options, std::vector<std::string> outputs)
        : options_(options),
          outputs_(std::move(outputs)),
          page_outputs_(options.all_pages ? files_read(options) : std::vector<std::string>()) {
        if (options.op == kNoOperator) {
            filter_.emplace(BatchRun{}, nullptr);
            return;
        }
        // Each image makes the whole way once.
        const auto usual = [&options](RunSpec spec) {
            if (!options.memory && !spec.variant->memory) spec.memory = MemoryMode::overlapped;
            return spec;
        };
        const OperatorInfo* const op = find_operator(options.op);
        BatchRun run;
        if (options.variant.empty())
            run.with_variant = [&options, usual, op](const VariantInfo& variant) {
                return usual(spec_for_variant(options, *op, variant));
            };
        run.may_use_cpu = options.backend == BackendChoice::automatic;
        run.images = int64_t(outputs_.size());
        std::unique_ptr<Backend> backend;
        if (op != nullptr && may_choose(options, *op)) {
            run.start_device = [] { return make_answering_backend(); };
            backend = make_cpu_backend();
        } else {
            ChosenBackend chosen = choose_backend(options);
            cuda_reason_ = std::move(chosen.cuda_reason);
            backend = std::move(chosen.backend);
        }
        run.spec = usual(resolve_run(options, backend->kind()));
        filter_.emplace(std::move(run), std::move(backend));
    }

    void print_notes() const {
        const RunSpec spec = filter_->spec();
        if (spec.op == nullptr) return;
        for (const auto& [id, text] : std::span(options_.sets).subspan(options_.preset_values)) {
            const ParamInfo* info = find_param(spec.op->params, id);
            if (info == nullptr || is_active(spec.op->params, *info, spec.params)) continue;
            const ParamInfo& condition = *find_param(spec.op->params, info->active_if);
            std::cout << "note: " << id << " has no effect unless " << condition.id << "="
                      << format_value(condition, info->active_value) << "\n";
        }
    }

    /// Returns whether every image went through.
    bool run(const std::stop_token& stop) {
        std::vector<BatchItem> items;
        for (size_t i = 0; i < outputs_.size(); ++i) items.push_back({options_.inputs[i], outputs_[i], options_.page});
        const bool reports = !options_.report.empty();
        if (reports) outcomes_.resize(items.size());
        BatchForm form{.save_options = options_.save_options,
                       .window = options_.window,
                       .all_pages = options_.all_pages,
                       .wants_details = reports,
                       .judging = {options_.figures, options_.reference, options_.all_pages}};
        // Files of pages are known only now, others were checked before.
        if (options_.all_pages)
            form.check_output = [this](const std::string& output) {
                page_outputs_.take(output);
                return OldFile::replaced;
            };
        const BatchOptions how{.jobs = options_.jobs, .threads = 0, .resumes = options_.resume};
        Batch batch(std::move(items), *filter_, std::move(form), how, [&](size_t item, BatchOutcome outcome) {
            print(outcome);
            if (reports) outcomes_[item] = std::move(outcome);
        });
        const bool ok = batch.run(stop);
        // JSON is made when all are done: its library ends the program where it lacks memory.
        if (reports && !stop.stop_requested()) write_text_file(options_.report, to_text(report()), stop);
        return ok;
    }

  private:
    static void print(const BatchOutcome& outcome) {
        for (const std::string& error : outcome.errors) print_error(error);
        for (const BatchPage& page : outcome.pages)
            if (page.state != BatchPage::State::failed) std::cout << page.line << std::flush;
    }

    Json report() const {
        Json report = {{"program", "tonescope"}, {"version", TONESCOPE_VERSION}};
        report.update(describe_run(filter_->spec(), filter_->device()));
        const std::string reason = filter_->failure().empty() ? cuda_reason_ : filter_->failure();
        report["cuda_unavailable"] = reason.empty() ? Json() : Json(reason);
        report["images"] = Json::array();
        for (const BatchOutcome& outcome : outcomes_)
            for (const BatchPage& page : outcome.pages) report["images"].push_back(describe(page));
        return report;
    }

    const Options& options_;
    const std::vector<std::string> outputs_;
    std::optional<BatchFilter> filter_;
    std::string cuda_reason_;
    PageOutputs page_outputs_;
    std::vector<BatchOutcome> outcomes_;  // for the report
};

}  // namespace

int run_headless(const Options& options) {
    HeadlessRun run(options, plan_outputs(options));
    InterruptGuard interrupt;
    run.print_notes();
    bool ok = true;
    try {
        ok = run.run(interrupt.token());
    } catch (const Canceled&) {
    }
    interrupt.finish();
    return ok ? 0 : 1;
}

}  // namespace tonescope
