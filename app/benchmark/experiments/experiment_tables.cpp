// Experiments as CSV, JSON and Markdown.
#include <algorithm>
#include <filesystem>
#include <set>

#include "app/benchmark/experiments/claims.h"
#include "app/benchmark/experiments/experiment_export.h"
#include "app/benchmark/table_cells.h"
#include "app/system/text_file.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

/// A Markdown table of one figure: a row a variant, a column a place on the main axis.
struct Figure {
    const char* title;
    std::string (*text_of)(const VariantBenchmark& benchmark, const BenchmarkRow& row);
};
constexpr Figure kFigures[] = {
    {"Total, ms", [](const VariantBenchmark&, const BenchmarkRow& row) { return time_text(row.total); }},
    {"Kernels, ms", [](const VariantBenchmark&, const BenchmarkRow& row) { return time_text(row.kernels); }},
    {"Throughput of the kernels, MPixel/s",
     [](const VariantBenchmark& benchmark, const BenchmarkRow& row) {
         return number_text(benchmark.mpixel_s(row.kernels.time.median_ms));
     }},
    {"Kernels against {basis}, times as fast",
     [](const VariantBenchmark&, const BenchmarkRow& row) { return with_interval(row.kernels.speed_up.basis); }},
    {"Without copies against the reference, times as fast",
     [](const VariantBenchmark&, const BenchmarkRow& row) { return with_interval(row.compute.speed_up.reference); }},
};

/// The points that differ from `first` in the main axis alone, in its order.
std::vector<const ExperimentPoint*> points_beside(const Experiment& experiment, const ExperimentPoint& first,
                                                  size_t axis) {
    std::vector<const ExperimentPoint*> points;
    for (const ExperimentPoint& point : experiment.points) {
        bool fits = true;
        for (size_t i = 0; i < point.place.size(); ++i) fits &= i == axis || point.place[i] == first.place[i];
        if (fits) points.push_back(&point);
    }
    return points;
}

std::string figure_markdown(const Experiment& experiment, const Figure& figure,
                            const std::vector<const ExperimentPoint*>& points, size_t axis) {
    Cells names = {"Variant"};
    std::string rule = "|---|";
    for (const ExperimentPoint* point : points) {
        names.push_back(experiment.axes.empty() ? point->title : experiment.axes[axis].labels[point->place[axis]]);
        rule += "---:|";
    }
    std::string text = markdown_line(names) + rule + "\n", lines;
    for (size_t row = 0; row < points.front()->benchmark.rows.size(); ++row) {
        Cells cells = {points.front()->benchmark.rows[row].name()};
        bool any = false;
        for (const ExperimentPoint* point : points) {
            const BenchmarkRow& measured = point->benchmark.rows[row];
            const bool ran = measured.ran() && point->error.empty();
            cells.push_back(ran ? figure.text_of(point->benchmark, measured) : "");
            any |= !cells.back().empty();
        }
        if (any) lines += markdown_line(cells);
    }
    if (lines.empty()) return {};
    std::string title = figure.title;
    if (const size_t at = title.find("{basis}"); at != std::string::npos)
        title.replace(at, 7, basis_title(points.front()->benchmark));
    return "\n### " + title + "\n\n" + text + lines;
}

/// "Notes" on rows that gave something wrong or could not run, each text once.
std::string notes_markdown(const Experiment& experiment) {
    std::vector<std::string> notes;
    const auto note = [&](const std::string& text) {
        if (std::ranges::find(notes, text) == notes.end()) notes.push_back(text);
    };
    for (const ExperimentPoint& point : experiment.points) {
        if (!point.error.empty()) note(point.title + ": " + point.error);
        for (const BenchmarkRow& row : point.benchmark.rows) {
            if (row.ran() && !row.identical())
                note(row.name() + ", " + point.title + ": " + row.result_text(experiment.op().makes_bins));
            else if (row.state == BenchmarkRow::State::not_run && point.error.empty())
                note(row.name() + (row.available ? ", " + point.title : "") + ": not run: " + row.reason);
        }
    }
    std::string text;
    for (const std::string& line : notes) text += "- " + line + "\n";
    return text.empty() ? "" : "\n## Notes\n\n" + text;
}

std::string claims_markdown(const Experiment& experiment) {
    std::string lines;
    for (const ClaimInCases& result : claims_in(experiment))
        lines += markdown_line({std::string(result.report().id), result.subject(), std::string(result.claim().says),
                                result.said_text(), result.here_text(), result.verdict_text()});
    if (lines.empty()) return {};
    return "\n## The report said, here\n\n" + markdown_line({"Report", "Step", "Claim", "There", "Here", "Verdict"}) +
           "|---|---|---|---:|---:|---|\n" + lines;
}

Json claim_json(const Experiment& experiment, const ClaimInCases& result) {
    const ReportClaim& claim = result.claim();
    const Json cases = json_list(result.cases, [&](const ClaimInCases::Case& one) {
        const auto& interval = one.finding.here.interval;
        return Json{{"case", experiment.points[one.point].title},
                    {"times", one.finding.here.value},
                    {"interval", interval ? Json{interval->low, interval->high} : Json()},
                    {"verdict", to_string(one.finding.verdict())}};
    });
    return {{"report", result.report().id},
            {"step", result.subject()},
            {"variant", claim.variant},
            {"against", claim.against},
            {"says", claim.says},
            {"report_said", result.said_text()},
            {"report_times", claim.times > 0 ? Json(claim.times) : Json()},
            {"verdict", result.verdict_text()},
            {"at", result.only_case.empty() ? Json() : Json(result.only_case)},
            {"cases", cases}};
}

}  // namespace

std::vector<CaseRows> case_rows(const Experiment& experiment) {
    std::vector<CaseRows> cases;
    for (const ExperimentPoint& point : experiment.points)
        cases.push_back({point.place, point.benchmark.size,
                         point.is_measured ? point.benchmark.rows : std::vector<BenchmarkRow>()});
    return cases;
}

std::string devices_text(const Experiment& experiment) {
    for (const ExperimentPoint& point : experiment.points)
        if (const VariantBenchmark& benchmark = point.benchmark; !benchmark.cpu_name.empty())
            return benchmark.cpu_name + (benchmark.cuda_name.empty() ? "" : "; " + benchmark.cuda_name);
    return "nothing was measured";
}

std::string images_text(const Experiment& experiment) {
    std::vector<std::string> names;
    for (const ImageSource& source : experiment.plan.sources)
        names.push_back(source.is_file ? std::filesystem::path(source.name).filename().string() : source.name);
    std::string text = spell_out(names);
    const bool has_contents = std::ranges::any_of(experiment.plan.sources, [](const auto& s) { return !s.is_file; });
    if (has_contents) text += experiment.plan.format == PixelFormat::gray8 ? " (gray)" : " (color)";
    return text;
}

std::string experiment_csv(const Experiment& experiment) {
    Cells names = {"input", "width", "height"};
    for (const Sweep& sweep : experiment.plan.sweeps) names.push_back(sweep.param);
    const size_t first_sweep = experiment.axes.size() - experiment.plan.sweeps.size();
    for (const std::string& name : benchmark_csv_names()) names.push_back(name);
    std::string text = csv_line(names);
    for (const ExperimentPoint& point : experiment.points) {
        const VariantBenchmark& benchmark = point.benchmark;
        Cells place = {benchmark.input, std::to_string(benchmark.size.width), std::to_string(benchmark.size.height)};
        for (size_t i = first_sweep; i < experiment.axes.size(); ++i)
            place.push_back(experiment.axes[i].labels[point.place[i]]);
        for (BenchmarkRow row : benchmark.rows) {
            if (!point.error.empty()) row.fail(point.error);
            Cells cells = place;
            for (const std::string& cell : benchmark_csv_cells(benchmark, row)) cells.push_back(cell);
            text += csv_line(cells);
        }
    }
    return text;
}

Json experiment_json(const Experiment& experiment) {
    const Json axes = json_list(experiment.axes, [](const CaseAxis& axis) {
        return Json{{"id", axis.id},
                    {"title", axis.title},
                    {"unit", axis.unit},
                    {"labels", axis.labels},
                    {"positions", axis.positions.empty() ? Json() : Json(axis.positions)}};
    });
    const Json points = json_list(experiment.points, [&](const ExperimentPoint& point) {
        Json place = Json::object();
        for (size_t i = 0; i < experiment.axes.size(); ++i)
            place[experiment.axes[i].id] = experiment.axes[i].labels[point.place[i]];
        return Json{{"title", point.title},
                    {"place", place},
                    {"error", point.error.empty() ? Json() : Json(point.error)},
                    {"measured", point.is_measured},
                    {"benchmark", benchmark_json(point.benchmark)}};
    });
    return {{"program", "tonescope"},
            {"version", TONESCOPE_VERSION},
            {"experiment", experiment.plan.id.empty() ? Json() : Json(experiment.plan.id)},
            {"title", experiment.title()},
            {"operator", experiment.op().id},
            {"axes", axes},
            {"points", points},
            {"claims", json_list(claims_in(experiment),
                                 [&](const ClaimInCases& result) { return claim_json(experiment, result); })}};
}

std::string experiment_markdown(const Experiment& experiment) {
    std::string text = "# " + experiment.title() + "\n\n" + std::string(experiment.op().name) + ", " +
                       images_text(experiment) + "\n\n" + devices_text(experiment) + "\n";
    text += claims_markdown(experiment);
    const size_t axis = main_axis(experiment.axes);
    std::set<const ExperimentPoint*> done;
    for (const ExperimentPoint& point : experiment.points) {
        if (done.contains(&point)) continue;
        const auto points = points_beside(experiment, point, axis);
        done.insert(points.begin(), points.end());
        const std::string beside = title_beside(experiment.axes, point.place, axis);
        if (!beside.empty()) text += "\n## " + beside + "\n";
        for (const Figure& figure : kFigures) text += figure_markdown(experiment, figure, points, axis);
    }
    text +=
        "\nMedians of interleaved runs after a warm-up, with their 95 % intervals; where the interval of a ratio holds "
        "1, no difference was measured.\n";
    return text + notes_markdown(experiment);
}

void write_experiment(const std::string& path, const Experiment& experiment, ui::AxisKind axes, std::stop_token stop) {
    const std::string extension = extension_of(path);
    if (extension == "png") {
        save_image(path, experiment_chart(experiment, axes).view(), std::move(stop));
        return;
    }
    write_text_file(path,
                    extension == "csv"    ? experiment_csv(experiment)
                    : extension == "json" ? to_text(experiment_json(experiment))
                    : extension == "svg"  ? experiment_svg(experiment, axes)
                                          : experiment_markdown(experiment),
                    std::move(stop));
}

}  // namespace tonescope
