// Curves over a parameter, measured.
#include "gpu/core/figures/suggestions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/figures/figure_series.h"
#include "gpu/cpu/display_histogram.h"

namespace tonescope {

ParamSuggestions suggest(const OperatorInfo& op, const ParamInfo& info, const ParamBlock& params,
                         const ImageView& image, const Rect& region, int threads, std::stop_token stop) {
    ParamSuggestions result{.param = &info, .part = suggestion_part(image.spec, region), .curves = {}, .marks = {}};
    const SuggestedParam* const suggested = find_suggested(op.id, info.id);
    if (suggested == nullptr) return result;
    const ImageView part = part_of(image, result.part);
    const FigureValues levels = measure_figures(std::array{find_figure("entropy")}, nullptr, part, threads, stop);
    if (levels.after[0] == 0) return result;  // CLAHE, for one, makes steps of its tiles there
    const std::vector<int32_t> values = suggestion_values(*suggested, info);
    std::vector<const FigureInfo*> wanted;
    for (const SuggestionRule& rule : suggested->rules)
        if (const FigureInfo* figure = find_figure(rule.figure); std::ranges::count(wanted, figure) == 0)
            wanted.push_back(figure);
    for (const FigureInfo* figure : wanted) result.curves.push_back({figure, values, {}});

    const std::unique_ptr<Backend> backend = make_cpu_backend(threads);
    const FigureSeries beside_part(part);
    for (const int32_t value : values) {
        RunSpec run{.op = &op, .params = params};
        run.params.set(info, value);
        if (suggested->for_part != nullptr) run.params = suggested->for_part(run.params, image.spec, result.part);
        run.variant = preferred_variant(op, BackendKind::cpu, run.params, part.spec);
        if (run.variant == nullptr) throw UserError(std::string(op.name) + " does not take this image on the CPU");
        run.variant_params = default_values(run.variant->params);
        const RunResult made = backend->run(part, run, stop);
        const FigureValues figures = beside_part.measure(wanted, made.image.view(), threads, stop);
        if (stop.stop_requested()) throw Canceled{};
        for (size_t k = 0; k < wanted.size(); ++k) {
            const std::optional<double>& figure = figures.after[k];
            result.curves[k].figures.push_back(figure && std::isfinite(*figure) ? figure : std::nullopt);
        }
    }
    for (const SuggestionRule& rule : suggested->rules) {
        const auto curve =
            std::ranges::find(result.curves, rule.figure, [](const SuggestionCurve& one) { return one.figure->id; });
        if (std::optional<SuggestionMark> mark = find_mark(rule, info, *curve)) {
            mark->curve = size_t(curve - result.curves.begin());
            result.marks.push_back(std::move(*mark));
        }
    }
    std::ranges::stable_sort(result.marks, {}, &SuggestionMark::value);
    return result;
}

}  // namespace tonescope
