// Named presets: an operator and its parameters, kept as one JSON file each, so that a file can be handed on.
// Every variant of an operator gives the same result, so that a preset names none.
#pragma once

#include <string>
#include <vector>

#include "app/options/report.h"
#include "ui/model/run.h"

namespace tonescope {

using Preset = ui::PresetEntry;

/// {"name", "operator", "parameters": {ID: value}}; parameters that it does not name have their defaults.
Json preset_json(const Preset& preset);
/// Throws UserError that names `source` (a file): no preset, an unknown operator or parameter, a value out of range.
Preset preset_from_json(const Json& json, const std::string& source);
/// A name without "name" in the file is the file's own. Throws UserError.
Preset load_preset(const std::string& path);

/// Presets of the user: NAME.json in this folder. Empty where there is no home.
std::string presets_folder();
/// Throws UserError for names that are no file names: empty, longer than 200 bytes, with '/', a control character or a
/// leading dot.
std::string preset_path(const std::string& name);

/// The presets of presets_folder(), by name; files that cannot be read are left out and named in `problems`.
std::vector<Preset> list_presets(std::vector<std::string>& problems);
/// What --preset says: a file where it holds a '/' or ends in ".json" or as a session, else a name. Throws UsageError.
Preset find_preset(const std::string& name_or_file);

}  // namespace tonescope
