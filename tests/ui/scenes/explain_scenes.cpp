#include "tests/ui/scenes/explain_scenes.h"

namespace tonescope::ui {
namespace {

Model explained(const Model& base, const HostImage& image, std::string_view op, Pixel pixel,
                std::initializer_list<std::pair<std::string_view, int32_t>> params = {},
                std::optional<Pixel> kept = {}) {
    Model model = base;
    model.run.op = find_operator(op);
    model.run.variant = preferred_variant(op, BackendKind::cpu);
    model.run.variant_params = default_values(model.run.variant->params);
    model.run.params = default_values(model.run.op->params);
    for (const auto& [id, value] : params) model.run.params.set(*find_param(model.run.op->params, id), value);
    model.views.explained = {model.run.op, nullptr, model.run.params};
    model.views.explanation = std::make_shared<const Explanation>(
        model.run.op->explain({.input = image.view(), .params = model.run.params, .pixel = pixel, .kept = kept}));
    return model;
}

void turn_on(Driver& driver, const Model& model) {
    driver.frames(model, 2);
    driver.click(model, "explain");
    driver.frames(model, 3);
}

}  // namespace

void add_explain_scenes(std::vector<Scene>& scenes, const Model& base, const HostImage& image) {
    const auto add = [&](const char* name, Model model, std::vector<std::string> labels) {
        labels.insert(labels.end(), {"explain", "explanation:pixel", "explanation:values"});
        scenes.push_back({name, std::move(model), std::move(labels), turn_on});
    };
    const Pixel pixel{image.width() * 2 / 5, image.height() * 3 / 5};
    const Pixel corner{image.width() - 3, image.height() - 3};
    const std::vector<std::string> tiles = {"explained:1", "explanation:plot", "explanation:row blended"};
    add("explained clahe", explained(base, image, "clahe", pixel, {{"tile_size", 160}}), tiles);
    add("explained clahe channels",
        explained(base, image, "clahe", pixel, {{"tile_size", 100}, {"color", 1}}, Pixel{20, 20}),
        {"explained:1", "Explained:Red", "explanation:plot"});
    scenes.push_back({"explained to an audience",
                      explained(base, image, "clahe", pixel),
                      {"presented:operator", "explanation:plot"},
                      [](Driver& driver, const Model& model) {
                          turn_on(driver, model);
                          driver.tap(model, ImGuiKey_F9);
                      }});
    add("explained clahe corner", explained(base, image, "clahe", corner, {{"tiles", 1}}), tiles);
    add("explained he", explained(base, image, "he", pixel), {"explanation:plot"});
    add("explained kuwahara", explained(base, image, "kuwahara", pixel, {{"radius", 6}}),
        {"explained:4", "explanation:close-up", "explanation:row top left"});
    Model histogram = explained(base, image, "histogram", pixel);
    scenes.push_back({"explained histogram", std::move(histogram), {"explanation:plot"}, turn_on});
}

}  // namespace tonescope::ui
