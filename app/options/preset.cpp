#include "app/options/preset.h"

#include <algorithm>
#include <filesystem>

#include "app/options/options.h"
#include "app/system/folder.h"
#include "app/system/text_file.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxName_bytes = 200;

/// The value as the command line would name it.
std::string value_text(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

bool is_file_name(const std::string& name) {
    return !name.empty() && name.size() <= kMaxName_bytes && name[0] != '.' && std::ranges::none_of(name, [](char c) {
        return c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
}

}  // namespace

Json preset_json(const Preset& preset) {
    return {{"name", preset.name},
            {"operator", preset.op->id},
            {"parameters", params_json(preset.op->params, preset.params)}};
}

Preset preset_from_json(const Json& json, const std::string& source) {
    const auto refuse = [&](const std::string& why) { throw UserError(source + ": " + why); };
    Preset preset;
    const auto op = json.find("operator");
    if (op == json.end() || !op->is_string()) refuse("it is not a preset, because it names no operator");
    preset.op = find_operator(op->get<std::string>());
    if (preset.op == nullptr) refuse("unknown operator " + op->get<std::string>());
    if (const auto name = json.find("name"); name != json.end() && name->is_string()) preset.name = *name;
    preset.params = default_values(preset.op->params);
    const auto params = json.find("parameters");
    if (params == json.end()) return preset;
    if (!params->is_object()) refuse("\"parameters\" is not an object");
    for (const auto& [id, value] : params->items()) {
        const ParamInfo* info = find_param(preset.op->params, id);
        if (info == nullptr) refuse(std::string(preset.op->id) + " has no parameter " + id);
        try {
            preset.params.set(*info, parse_value(*info, value_text(value)));
        } catch (const UsageError& error) {
            refuse(error.what());
        }
    }
    return preset;
}

Preset load_preset(const std::string& path) {
    Preset preset = preset_from_json(read_json_file(path), path);
    if (!is_file_name(preset.name)) preset.name = fs::path(path).stem().string();
    preset.path = path;
    return preset;
}

std::string presets_folder() {
    const std::string folder = user_folder("XDG_CONFIG_HOME", "/.config");
    return folder.empty() ? folder : folder + "/presets";
}

std::string preset_path(const std::string& name) {
    if (!is_file_name(name))
        throw UserError("\"" + name +
                        "\" cannot be the name of a preset: use a name without a slash, and without a dot in front");
    const std::string folder = presets_folder();
    if (folder.empty()) throw UserError("presets need a home folder: HOME is not set");
    return folder + "/" + name + ".json";
}

std::vector<Preset> list_presets(std::vector<std::string>& problems) {
    std::vector<Preset> presets;
    const std::string folder = presets_folder();
    std::error_code error;
    for (const FolderEntry& entry : entries_of(folder, error)) {
        const fs::path path = fs::path(folder) / entry.name;
        if (path.extension() != ".json" || path.filename().string().starts_with(".")) continue;
        if (!is_file_name(path.stem().string())) {
            problems.push_back(path.string() + ": its name is too long for a preset, or it has unusual characters");
            continue;
        }
        try {
            // The file's name is what the preset is found by.
            presets.push_back(load_preset(path.string()));
            presets.back().name = path.stem().string();
        } catch (const UserError& problem) {
            problems.emplace_back(problem.what());
        }
    }
    std::ranges::sort(presets, [](const Preset& a, const Preset& b) { return natural_order(a.name, b.name) < 0; });
    return presets;
}

Preset find_preset(const std::string& name_or_file) {
    const bool is_file = name_or_file.find('/') != std::string::npos || name_or_file.ends_with(".json") ||
                         kind_of(name_or_file) == ui::kSessionFiles;
    try {
        const std::string path = is_file ? name_or_file : preset_path(name_or_file);
        std::error_code error;
        if (is_file || fs::exists(path, error) || error) return load_preset(path);
    } catch (const UserError& error) {
        throw UsageError(std::string("--preset ") + error.what());
    }
    std::vector<std::string> names, problems;
    for (const Preset& preset : list_presets(problems)) names.push_back(preset.name);
    throw UsageError("--preset " + name_or_file + ": " +
                     (names.empty() ? "there are no presets in " + presets_folder()
                                    : "unknown preset; there are " + spell_out(names)));
}

}  // namespace tonescope
