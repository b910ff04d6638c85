#include "app/batch/judgement.h"

#include <optional>
#include <utility>

#include "app/batch/output_names.h"
#include "app/image_io/image_io.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"
#include "gpu/cpu/display_histogram.h"

namespace tonescope {
namespace {

ImageView before_of(const LoadedImage& reference, const ImageView& result, const std::string& name) {
    const ImageSpec &a = result.spec, &b = reference.image.spec();
    if (a.width == b.width && a.height == b.height) return reference.image.view();
    throw UserError("the result is " + size_text(a.width, a.height) + " and the reference " + name + " " +
                    size_text(b.width, b.height) + ": only images of the same size can be compared");
}

}  // namespace

Judgement judge(const Judging& wanted, const std::string& input, int page, const ImageView* image,
                const ImageView& result, const Rect& region, int threads, const std::stop_token& stop) {
    Judgement judgement;
    const auto measure = [&](const ImageView* before) {
        const Rect rect = region_inside(region, result.spec);
        const std::optional<ImageView> part = before != nullptr ? std::optional(part_of(*before, rect)) : std::nullopt;
        judgement.figures =
            measure_figures(wanted.figures, part ? &*part : nullptr, part_of(result, rect), threads, stop);
    };
    if (wanted.reference.empty()) {
        measure(image);
    } else {
        judgement.reference = named_after(wanted.reference, input);
        try {
            const LoadedImage reference = load_image(judgement.reference, stop, nullptr,
                                                     {.page = wanted.all_pages ? page : 0, .keeps_depth = true});
            const ImageView before = before_of(reference, result, judgement.reference);
            measure(&before);
        } catch (const MemoryError& failed) {
            throw MemoryError(input + ": " + failed.what());
        } catch (const UserError& failed) {
            throw UserError(input + ": " + failed.what());
        }
    }
    if (stop.stop_requested()) throw Canceled{};
    return judgement;
}

std::string text_of(const Judgement& judgement) {
    std::string text;
    const FigureValues& values = judgement.figures;
    for (size_t k = 0; k < values.figures.size(); ++k)
        text += (k == 0 ? "" : ", ") + std::string(values.figures[k]->label) + " " +
                figure_text(*values.figures[k], values.after[k], true);
    if (text.empty()) return text;
    return "; " + (judgement.reference.empty() ? "" : "against " + judgement.reference + ": ") + text;
}

Json json_of(const Judgement& judgement) {
    Json json = figures_json(judgement.figures);
    json["reference"] = judgement.reference.empty() ? Json() : Json(judgement.reference);
    return json;
}

}  // namespace tonescope
