// What the window's state and a session have in common as JSON.
#pragma once

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/system/text_file.h"
#include "app/viewer/choices.h"
#include "ui/model/window.h"

namespace tonescope {

/// Throws UserError for what a newer version of the program has written, and what the JSON library throws where
/// "version" is no version.
void check_version(const Json& json, int version);

/// A number that the type cannot hold becomes the nearest that it can. Throws what the JSON library throws where it is
/// no number.
template <class Number>
Number number_from(const Json& json) {
    using Limits = std::numeric_limits<Number>;
    return Number(std::clamp(json.get<double>(), double(Limits::lowest()), double(Limits::max())));
}

void take(const Json& json, auto& value) {
    json.get_to(value);
}
inline void take(const Json& json, int& value) {
    value = number_from<int>(json);
}
inline void take(const Json& json, float& value) {
    value = number_from<float>(json);
}
inline void take(const Json& json, SaveOptions& options) {
    for (const auto& [id, value] : json.items()) options[id] = number_from<int>(value);
}
/// For functions that hand each field and its place in an object to another one.
constexpr auto write_field = [](Json& place, const auto& field) { place = field; };
constexpr auto read_field = [](const Json& place, auto& field) {
    if (!place.is_null()) take(place, field);
};

void write_layout(Json& json, const ui::Layout& layout);
/// Values out of range become the nearest allowed ones; unknown names are ignored.
void read_layout(Json json, ui::Layout& layout);

/// "backend"; nothing where it names none.
std::optional<BackendKind> backend_from_json(const Json& json);

/// A preset (app/options/preset.h) without a name, with variant, memory mode and windows.
Json choice_json(const Choice& choice);
/// A variant that this build does not know is left out. Throws UserError that names `source` where the operator or one
/// of its parameters is not known, and what the JSON library throws for values of a wrong type.
Choice choice_from_json(const Json& json, const std::string& source);

}  // namespace tonescope
