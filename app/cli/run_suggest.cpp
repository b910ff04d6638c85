// --suggest: the marks that the window puts on sliders, and the curves behind them.
#include <algorithm>
#include <iostream>

#include "app/cli/modes.h"
#include "app/image_io/image_io.h"
#include "app/options/report.h"
#include "app/system/ending.h"
#include "app/system/text_file.h"
#include "gpu/core/error.h"
#include "gpu/core/figures/suggestions.h"
#include "gpu/core/part/result_part.h"
#include "gpu/core/text.h"
#include "gpu/cpu/display_histogram.h"

namespace tonescope {
namespace {

std::vector<const ParamInfo*> params_of(const RunSpec& run) {
    std::vector<const ParamInfo*> params;
    for (const ParamInfo& info : run.op->params)
        if (find_suggested(run.op->id, info.id) != nullptr && is_active(run.op->params, info, run.params))
            params.push_back(&info);
    if (params.empty())
        throw UsageError("--suggest: no parameter of " + std::string(run.op->id) + " takes suggestions as it is set");
    return params;
}

Json suggestions_json(const ParamSuggestions& one) {
    const ParamInfo& info = *one.param;
    return {{"id", info.id},
            {"marks", json_list(one.marks,
                                [&](const SuggestionMark& mark) {
                                    return Json{{"value", value_json(info, mark.value)},
                                                {"figure", one.curves[mark.curve].figure->id},
                                                {"reason", mark.reason},
                                                {"flat", mark.is_flat}};
                                })},
            {"curves", json_list(one.curves, [&](const SuggestionCurve& curve) {
                 return Json{
                     {"figure", curve.figure->id},
                     {"flat", curve.is_flat()},
                     {"values", json_list(curve.values, [&](int32_t value) { return value_json(info, value); })},
                     {"figures",
                      json_list(curve.figures, [](const auto& figure) { return figure ? Json(*figure) : Json(); })}};
             })}};
}

std::string text_of(const ParamSuggestions& one) {
    const ParamInfo& info = *one.param;
    std::string text;
    for (const SuggestionMark& mark : one.marks)
        text += "  " + std::string(info.id) + "=" + format_value(info, mark.value) + "  " + mark.reason +
                (mark.is_flat ? " (the curve is flat)\n" : "\n");
    if (one.marks.empty()) text += "  " + std::string(info.id) + ": no suggestion\n";
    for (const SuggestionCurve& curve : one.curves) {
        text += "    " + std::string(curve.figure->label) + (curve.is_flat() ? ", flat:" : ":");
        for (size_t k = 0; k < curve.values.size(); ++k)
            text += (k == 0 ? " " : ", ") + format_value(info, curve.values[k]) + " " +
                    figure_text(*curve.figure, curve.figures[k], false);
        text += "\n";
    }
    return text;
}

}  // namespace

int run_suggest(const Options& options) {
    InterruptGuard interrupt;
    const RunSpec run = resolve_run(options, BackendKind::cpu);
    const std::vector<const ParamInfo*> params = params_of(run);
    bool ok = true;
    Json images = Json::array();
    try {
        for (const std::string& input : options.inputs) {
            try {
                const LoadedImage loaded =
                    load_image(input, interrupt.token(), nullptr, {.page = options.page, .keeps_depth = true});
                const ImageSpec& spec = loaded.image.spec();
                if (const std::string wrong = misfit(run.part, spec); !wrong.empty()) throw UserError(wrong);
                const Rect filtered = filtered_rect(run.part, spec);
                std::vector<ParamSuggestions> all;
                for (const ParamInfo* const info : params)
                    all.push_back(suggest(*run.op, *info, run.params, part_of(loaded.image.view(), filtered), {},
                                          default_cpu_threads(), interrupt.token()));
                Rect part = all.front().part;
                part.x += filtered.x;
                part.y += filtered.y;
                if (options.json) {
                    images.push_back({{"input", input},
                                      {"part", rect_json(part)},
                                      {"parameters", json_list(all, suggestions_json)}});
                    continue;
                }
                std::string text = input + ": " + std::string(run.op->id) + ", ";
                const auto is_of = [&](int width, int height) { return part.width == width && part.height == height; };
                if (!is_of(filtered.width, filtered.height))
                    text += size_text(part.width, part.height) + " pixels in the middle of ";
                if (run.part.has_region()) text += "the region " + region_text(filtered) + " of ";
                text += size_text(spec.width, spec.height);
                print_line(text);
                for (const ParamSuggestions& one : all) std::cout << text_of(one);
                std::cout << std::flush;
            } catch (const UserError& failed) {
                const std::string error = failed.what();
                print_error(error.starts_with(input) ? error : input + ": " + error);
                ok = false;
            }
        }
        if (options.json) std::cout << to_text({{"operator", run.op->id}, {"images", images}});
    } catch (const Canceled&) {
    }
    interrupt.finish();
    return ok ? 0 : 1;
}

}  // namespace tonescope
