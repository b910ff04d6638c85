#include "app/viewer/window_experiment.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/benchmark/experiments/claims.h"
#include "app/benchmark/experiments/experiment_export.h"
#include "app/benchmark/experiments/named_experiments.h"
#include "app/benchmark/formats.h"
#include "app/image_io/temporary_name.h"
#include "app/system/clipboard.h"
#include "app/viewer/files/open_images.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

/// Drawing takes processor time from what is being measured.
constexpr auto kNewsStep = std::chrono::milliseconds(300);
constexpr int kSuggestedValues = 5;

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (const std::string& word : split(text, ',')) {
        const size_t first = word.find_first_not_of(' ');
        if (first != std::string::npos) words.push_back(word.substr(first, word.find_last_not_of(' ') + 1 - first));
    }
    return words;
}

/// Throws UsageError.
ExperimentPlan plan_of(const ui::ExperimentSetup& setup, const BenchmarkJob& now) {
    using Along = ui::ExperimentSetup::Along;
    if (!setup.experiment.empty()) return plan_of(find_experiment(setup.experiment), now.backend, now.device);
    ExperimentPlan plan{.runs = now.runs, .backend = now.backend, .device = now.device};
    if (now.image == nullptr) throw UsageError("open an image, or choose an experiment of a report");
    const ImageSpec size = now.image->spec();
    plan.sources = {{.name = now.input, .is_file = true, .image = now.image}};
    if (setup.along == Along::param) {
        plan.sweeps = {{setup.param, words_of(setup.values)}};
        if (plan.sweeps[0].values.empty()) throw UsageError("name the values that the parameter takes: 8,16,32");
    } else if (setup.along == Along::sizes) {
        for (const std::string& word : words_of(setup.values))
            for (const NamedSize& named : sizes_of(word, "size")) plan.sizes.push_back(named);
        if (plan.sizes.empty()) throw UsageError("name sizes: " + size_names());
    } else {
        plan.sources.clear();
        plan.sizes = {{"", size.width, size.height}};
        plan.format = size.format;
        for (const std::string& word : words_of(setup.values)) {
            if (find_content(word) == nullptr) throw UsageError("content " + word + ": expected " + content_names());
            plan.sources.push_back({.name = word});
        }
    }
    return plan;
}

/// Parameters of the operator, then of its variants, each id once.
std::vector<ui::ExperimentEntry> params_of(const std::vector<RunSpec>& runs) {
    std::vector<ui::ExperimentEntry> entries;
    const auto add = [&](const ParamInfo& info, int32_t value, const std::string& whose) {
        if (std::ranges::find(entries, info.id, &ui::ExperimentEntry::id) != entries.end()) return;
        ui::ExperimentEntry& entry = entries.emplace_back();
        entry = {.id = std::string(info.id), .title = std::string(info.label), .detail = whose};
        const int count = info.kind == ParamKind::choice ? int(info.values.size()) : kSuggestedValues;
        for (const int32_t one : grid_values(info, value, count))
            entry.values += (entry.values.empty() ? "" : ",") + format_value(info, one);
    };
    const OperatorInfo& op = *runs.front().op;
    for (const ParamInfo& info : op.params)
        if (is_active(op.params, info, runs.front().params)) add(info, runs.front().params.get(info), "all variants");
    for (const RunSpec& run : runs)
        for (const ParamInfo& info : run.variant->params) add(info, run.variant_params.get(info), "some variants");
    return entries;
}

ui::ClaimEntry entry_of(const ClaimInCases& result) {
    using Verdict = ClaimFinding::Verdict;
    const std::optional<Verdict> verdict = result.verdict();
    return {.step = "Report " + std::string(result.report().id) + ": " + result.subject(),
            .sentence = std::string(result.claim().says),
            .said = result.said_text(),
            .measured = result.here_text(),
            .verdict = result.verdict_text(),
            .kind = !verdict || verdict == Verdict::in_direction_only ? ui::ClaimEntry::Kind::in_part
                    : verdict == Verdict::holds                       ? ui::ClaimEntry::Kind::holds
                    : verdict == Verdict::does_not_hold               ? ui::ClaimEntry::Kind::does_not_hold
                                                                      : ui::ClaimEntry::Kind::open};
}

}  // namespace

WindowExperiment::WindowExperiment(ui::ExperimentModel& model, std::function<void()> wake)
    : model_(model), wake_(wake), worker_(1, wake) {
    for (const NamedExperiment& named : named_experiments())
        model_.entries.push_back({named.id, named.title, std::string(named.settings.shows)});
    for (const ContentInfo& content : contents())
        model_.contents += (model_.contents.empty() ? "" : ",") + std::string(content.id);
    model_.sizes = "reports";
}

void WindowExperiment::start(const BenchmarkJob& now) {
    Experiment planned;
    try {
        planned = unmeasured(plan_of(model_.setup, now));
    } catch (const UserError& error) {
        model_.problem = error.what();
        return;
    }
    stop_.request_stop();
    results_ = std::move(planned);
    model_.op = &results_.op();
    model_.title = results_.title();
    model_.basis_title = basis_title(results_.points.front().benchmark);
    model_.axes = results_.axes;
    model_.cases.assign(results_.points.size(), {});
    model_.case_titles.clear();
    for (size_t i = 0; i < results_.points.size(); ++i) {
        model_.case_titles.push_back(results_.points[i].title);
        show_point(i);
    }
    model_.claims.clear();
    model_.error.clear();
    model_.done = 0;
    model_.progress = 0;
    model_.stopped = false;
    model_.running = changed_ = true;
    const std::string end =
        (results_.plan.id.empty() ? std::string(model_.op->id) + "-sweep" : results_.plan.id) + ".csv";
    model_.suggested_path = now.input.empty() ? end : path_beside(now.input, "-" + end);
    board_ = std::make_shared<Board>();
    const auto work = [experiment = results_, board = board_, wake = wake_](std::stop_token stop) mutable {
        auto last_news = std::chrono::steady_clock::now();
        const auto is_time = [&] {
            const auto moment = std::chrono::steady_clock::now();
            return moment - last_news >= kNewsStep ? (last_news = moment, true) : false;
        };
        const auto tell = [&](const Experiment& all, size_t point) {
            {
                const std::lock_guard lock(board->mutex);
                board->news[point] = all.points[point];
            }
            wake();
        };
        const auto judge_all = [&] {
            std::vector<ui::ClaimEntry> claims;
            for (const ClaimInCases& result : claims_in(experiment)) claims.push_back(entry_of(result));
            const std::lock_guard lock(board->mutex);
            board->claims = std::move(claims);
        };
        try {
            measure(experiment, limits_of_case(), stop,
                    {.rows =
                         [&](const Experiment& all, size_t point) {
                             if (is_time()) tell(all, point);
                         },
                     .point =
                         [&](const Experiment& all, size_t point) {
                             board->done = point + 1;
                             tell(all, point);
                         },
                     .progress =
                         [&](double part) {
                             board->progress = part;
                             if (is_time()) wake();
                         }});
        } catch (const Canceled&) {
            for (size_t i = 0; i < experiment.points.size(); ++i)
                if (experiment.points[i].is_measured) tell(experiment, i);
            judge_all();
            throw;
        }
        judge_all();
        return true;
    };
    stop_ = worker_.start(work, [this](const Outcome<bool>& end_of_work) {
        take_news();
        model_.error = end_of_work.error;
        model_.running = false;
    });
}

void WindowExperiment::stop() {
    if (!running()) return;
    stop_.request_stop();
    model_.running = false;
    model_.stopped = changed_ = true;
}

void WindowExperiment::show_point(size_t index) {
    const ExperimentPoint& point = results_.points[index];
    model_.cases[index] = {point.place, point.benchmark.size,
                           point.is_measured ? point.benchmark.rows : std::vector<BenchmarkRow>()};
}

bool WindowExperiment::take_news() {
    std::map<size_t, ExperimentPoint> news;
    std::vector<ui::ClaimEntry> claims;
    {
        const std::lock_guard lock(board_->mutex);
        news = std::exchange(board_->news, {});
        claims = std::exchange(board_->claims, {});
    }
    for (auto& [index, point] : news) {
        if (!point.error.empty()) model_.error = point.error;
        results_.points[index] = std::move(point);
        show_point(index);
    }
    const bool has_claims = !claims.empty();
    if (has_claims) model_.claims = std::move(claims);
    return !news.empty() || has_claims;
}

bool WindowExperiment::update() {
    if (worker_.drain()) changed_ = true;
    changed_ |= take_news();
    if (running()) {
        const double part = board_->progress;
        changed_ |= part != model_.progress;
        model_.progress = part;
    }
    model_.done = int(board_->done);
    return std::exchange(changed_, false);
}

void WindowExperiment::export_results(const std::string& path, Saves& saves, Notices& notices) {
    if (!can_export(path, benchmark_formats())) {
        notices.error("cannot export " + path + ": the name must end in " + endings_of(benchmark_formats()));
    } else if (running()) {
        notices.warning("the experiment is not finished yet: export it again when it is");
    } else {
        saves.export_file(path, [results = results_](const std::string& to, std::stop_token stop, FileProgress*) {
            write_experiment(to, results, ui::AxisKind::automatic, std::move(stop));
        });
    }
}

void WindowExperiment::fill(const BenchmarkJob& now) {
    Seen seen{model_.setup, now.runs, now.image};
    if (seen == seen_) return;
    model_.params = params_of(now.runs);
    ui::ExperimentSetup& setup = model_.setup;
    const auto known = std::ranges::find(model_.params, setup.param, &ui::ExperimentEntry::id);
    if (setup.along == ui::ExperimentSetup::Along::param && known == model_.params.end() && !model_.params.empty()) {
        setup.param = model_.params[0].id;
        setup.values = model_.params[0].values;
    }
    model_.problem.clear();
    try {
        unmeasured(plan_of(setup, now));
    } catch (const UserError& error) {
        model_.problem = error.what();
    }
    seen.setup = setup;
    seen_ = std::move(seen);
}

std::string WindowExperiment::file_of(size_t point) const {
    return results_.points[point].is_file ? results_.points[point].benchmark.input : "";
}

std::function<std::string(std::stop_token)> WindowExperiment::image_maker(size_t point) const {
    return [plan = results_.plan, point](std::stop_token stop) {
        const auto [image, name] = make_case_image(plan, point, stop);
        const std::string path = new_own_file(name);
        image_io::TemporaryName made(path);
        save_image(path, image->view(), stop);
        made.keep();
        return path;
    };
}

const RunSpec* WindowExperiment::run_of(size_t point, size_t row) const {
    if (point >= results_.points.size() || row >= results_.points[point].runs.size()) return nullptr;
    return &results_.points[point].runs[row];
}

}  // namespace tonescope
