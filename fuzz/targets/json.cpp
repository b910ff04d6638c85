// JSON that a person or another program may have changed: presets, sessions and the window's state.
#include <nlohmann/json.hpp>

#include "app/options/preset.h"
#include "app/viewer/session.h"
#include "app/viewer/state_file.h"
#include "fuzz/target.h"
#include "gpu/core/error.h"

namespace tonescope::fuzz {
namespace {

std::string text_of(std::span<const uint8_t> data) {
    return {data.begin(), data.end()};
}

void read_preset(std::span<const uint8_t> data) {
    const Json json = parse_json(text_of(data));
    if (json.is_null()) return;
    try {
        const Preset preset = preset_from_json(json, "preset");
        for (const ParamInfo& info : preset.op->params) {
            const int32_t value = preset.params.get(info);
            require(value >= info.min && value <= info.max, "a parameter is out of its range");
        }
        const Preset again = preset_from_json(parse_json(to_text(preset_json(preset))), "preset");
        require(again.op == preset.op && again.params == preset.params, "a preset is not what was written");
    } catch (const UserError&) {
    }
}

void read_state(std::span<const uint8_t> data) {
    const Json json = parse_json(text_of(data));
    if (json.is_null()) return;
    try {
        const SavedState state = state_from_json(json);
        const SavedState again = state_from_json(parse_json(to_text(state_json(state))));
        // What is no UTF-8 is replaced where it is written.
        require(to_text(state_json(again)) == to_text(state_json(state)), "a state is not what was written");
        SavedState changed = state;
        changed.settings.explains = !state.settings.explains;
        require(merge_states({}, {}, state).settings == state.settings, "nothing has changed, and yet it has");
        require(merge_states(state, changed, state).settings == changed.settings, "a change is lost");
    } catch (const UserError&) {
    } catch (const Json::exception&) {
    }
}

void read_session_text(std::span<const uint8_t> data) {
    const Json json = parse_json(text_of(data));
    if (json.is_null()) return;
    const std::string path = "/home/ada/work/a.tonescope";
    try {
        const Session session = session_from_json(json, path);
        require(session.images.empty() || session.current < session.images.size(), "no image is the current one");
        for (const SessionImage& image : session.images)
            require(image.file.path.starts_with('/') && image.file.page.value_or(0) >= 0, "an image is nowhere");
        const std::string text = to_text(session_json(session, path));
        const Session again = session_from_json(parse_json(text), path);
        // What is no UTF-8 is replaced where it is written.
        require(to_text(session_json(again, path)) == text, "a session is not what was written");
    } catch (const UserError&) {
    } catch (const Json::exception&) {
    }
}

Bytes bytes_of(const Json& json) {
    const std::string text = to_text(json);
    return {text.begin(), text.end()};
}

/// All keys, and all texts of values.
void collect_words(const Json& json, std::vector<std::string>& words) {
    if (json.is_string()) words.push_back(json.get<std::string>());
    if (!json.is_structured()) return;
    for (const auto& [key, value] : json.items()) {
        if (json.is_object()) words.push_back('"' + key + "\":");
        collect_words(value, words);
    }
}

const Registration json_targets([](std::vector<Target>& targets) {
    Target presets{.name = "json_preset", .run = read_preset};
    Target states{.name = "json_state", .run = read_state};
    Target sessions{.name = "json_session", .run = read_session_text};
    for (const OperatorInfo* const op : operators()) {
        const Json json = preset_json({"name", op, default_values(op->params)});
        presets.seeds.push_back(bytes_of(json));
        collect_words(json, presets.dictionary);
        for (const VariantInfo* const variant : variants_of(op->id)) states.dictionary.emplace_back(variant->id);
        SavedState state;
        state.window = Rect{10, 20, 900, 700};
        state.recent = {"/a.png"};
        state.recent_folders = {"/"};
        state.backend = BackendKind::cpu;
        state.settings.save_options["quality"] = 90;
        Choice choice;
        choice.op = op;
        choice.params = default_values(op->params);
        choice.variant = &reference_of(op->id);
        choice.variant_params = default_values(choice.variant->params);
        state.choice = choice;
        states.seeds.push_back(bytes_of(state_json(state)));
        collect_words(state_json(state), states.dictionary);
        Session session{.images = {{{"/home/ada/work/a.png", 2},
                                    Reference{"/home/ada/b.png", true},
                                    ResultPart{.region = {1, 2, 30, 40}, .feather_px = 5, .mask_path = "/m.png"}},
                                   {{"/c.png"}}},
                        .current = 1,
                        .choice = choice,
                        .backend = BackendKind::cpu,
                        .view = {false, 2.5, 100, 60, {10, 20, 30, 40}, true, Pixel{5, 6}, {}},
                        .layout = {}};
        session.choice->windows = {{SampleRange{-500, 12345}, false}, {std::nullopt, true}, false};
        session.view.modes["wipe"] = {{"x", 0.25}, {"swapped", true}};
        session.view.modes["grid"] = {{"columns", "clip_limit=1,2,4"}};
        sessions.seeds.push_back(bytes_of(session_json(session, "/home/ada/work/a.tonescope")));
        collect_words(session_json(session, "/home/ada/work/a.tonescope"), sessions.dictionary);
    }
    for (Target* const target : {&presets, &states, &sessions}) {
        auto& words = target->dictionary;
        words.insert(words.end(), {"null", "true", "false", "-1", "1e999", "\"\\ud800\""});
        std::ranges::sort(words);
        words.erase(std::ranges::unique(words).begin(), words.end());
        targets.push_back(std::move(*target));
    }
});

}  // namespace
}  // namespace tonescope::fuzz
