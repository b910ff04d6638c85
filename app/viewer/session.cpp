#include "app/viewer/session.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "app/batch/mask.h"
#include "app/options/report.h"
#include "app/system/folder.h"
#include "app/viewer/kept_json.h"
#include "gpu/core/error.h"
#include "ui/views/view_parts.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr int kSessionVersion = 1;
constexpr size_t kMaxImages = 10000;

std::string written_path(const fs::path& file, const fs::path& folder) {
    const auto left = std::mismatch(file.begin(), file.end(), folder.begin(), folder.end()).first;
    // Names above the first folder that both are in say nothing about where the session may be taken.
    const bool is_near = left != file.begin() && left != std::next(file.begin());
    return (is_near ? file.lexically_relative(folder) : file).string();
}

std::string found_path(const std::string& written, const fs::path& folder) {
    if (written.empty()) throw UserError("a path in it is empty");
    if (written.find('\0') != std::string::npos) throw UserError("a path in it has a character that paths cannot have");
    return (folder / written).lexically_normal().string();
}

Rect rect_from_json(const Json& json) {
    const auto px = [&](const char* key) { return std::clamp(number_from<int>(json.at(key)), 0, kMaxSide_px); };
    return {px("x"), px("y"), px("width"), px("height")};
}

Json part_json(const ResultPart& part, const fs::path& folder) {
    Json json = Json::object();
    if (part.has_region()) json.update({{"region", rect_json(part.region)}, {"feather", part.feather_px}});
    if (!part.mask_path.empty())
        json.update({{"mask", written_path(part.mask_path, folder)}, {"mask_inverse", part.mask_inverse}});
    return json;
}
/// Its mask is not read.
ResultPart part_from_json(const Json& json, const fs::path& folder) {
    ResultPart part;
    if (const auto region = json.find("region"); region != json.end()) part.region = rect_from_json(*region);
    if (part.has_region())
        part.feather_px = std::clamp(number_from<int>(json.value("feather", Json(0))), 0, kMaxFeather_px);
    else
        part.region = {};
    if (const auto mask = json.find("mask"); mask != json.end())
        part.mask_path = found_path(mask->get<std::string>(), folder);
    part.mask_inverse = json.value("mask_inverse", false) && !part.mask_path.empty();
    return part;
}

Json image_json(const SessionImage& image, const fs::path& folder) {
    Json json = {{"path", written_path(image.file.path, folder)}};
    if (image.file.page) json["page"] = *image.file.page + 1;
    if (image.reference)
        json["reference"] = {{"path", written_path(image.reference->path, folder)},
                             {"as_result", image.reference->as_result}};
    if (image.part) json["part"] = part_json(*image.part, folder);
    return json;
}

SessionImage image_from_json(const Json& json, const fs::path& folder) {
    SessionImage image{{.path = found_path(json.at("path").get<std::string>(), folder)}};
    if (const auto page = json.find("page"); page != json.end())
        image.file.page = std::max(number_from<int>(*page), 1) - 1;
    if (const auto reference = json.find("reference"); reference != json.end())
        image.reference = {found_path(reference->at("path").get<std::string>(), folder),
                           reference->value("as_result", false)};
    if (const auto part = json.find("part"); part != json.end()) image.part = part_from_json(*part, folder);
    return image;
}

Json view_json(const ui::KeptView& view) {
    Json json = {{"fit", view.fit},
                 {"zoom", view.zoom},
                 {"center", {view.center_x, view.center_y}},
                 {"clipping_marked", view.clipping_marked}};
    if (const Rect& rect = view.selection; rect.width > 0) json["selection"] = rect_json(rect);
    if (view.explained) json["explained"] = {view.explained->x, view.explained->y};
    Json modes = Json::object();
    for (const auto& [mode, options] : view.modes) {
        Json& of_mode = modes[mode] = Json::object();
        for (const auto& [name, value] : options)
            std::visit([&, &name = name](const auto& known) { of_mode[name] = known; }, value);
    }
    json["modes"] = modes;
    return json;
}

ui::KeptView view_from_json(const Json& json) {
    ui::KeptView view;
    view.fit = json.value("fit", true);
    view.zoom = std::clamp(json.value("zoom", 1.0), ui::kMinZoom, ui::kMaxZoom);
    if (const auto center = json.find("center"); center != json.end()) {
        view.center_x = std::clamp(center->at(0).get<double>(), 0.0, double(kMaxSide_px));
        view.center_y = std::clamp(center->at(1).get<double>(), 0.0, double(kMaxSide_px));
    }
    view.clipping_marked = json.value("clipping_marked", false);
    if (const auto place = json.find("selection"); place != json.end()) view.selection = rect_from_json(*place);
    if (const auto pixel = json.find("explained"); pixel != json.end())
        view.explained = Pixel{number_from<int>(pixel->at(0)), number_from<int>(pixel->at(1))};
    const Json modes = json.value("modes", Json::object());
    for (const auto& [mode, options] : modes.items())
        for (const auto& [name, value] : options.items()) {
            const auto keep = [&, &mode = mode, &name = name](const auto& known) { view.modes[mode][name] = known; };
            if (value.is_boolean()) keep(value.get<bool>());
            if (value.is_number()) keep(value.get<double>());
            if (value.is_string()) keep(value.get<std::string>());
        }
    return view;
}

}  // namespace

Json session_json(const Session& session, const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    Json json = {{"version", kSessionVersion},
                 {"images", json_list(session.images, [&](const auto& image) { return image_json(image, folder); })},
                 {"current", session.current + 1}};
    if (session.choice) json.update(choice_json(*session.choice));
    if (session.backend) json["backend"] = to_string(*session.backend);
    if (session.part != ResultPart{}) json["part"] = part_json(session.part, folder);
    json["view"] = view_json(session.view);
    Json layout = Json::object();
    write_layout(layout, session.layout);
    json["layout"] = layout;
    return json;
}

Session session_from_json(const Json& json, const std::string& path) {
    if (!json.contains("version") || !json.contains("images")) throw UserError("it is no session of Tonescope");
    check_version(json, kSessionVersion);
    if (json["images"].size() > kMaxImages)
        throw UserError("it has more than " + std::to_string(kMaxImages) + " images");
    const fs::path folder = fs::path(path).parent_path();
    Session session;
    const int current = number_from<int>(json.value("current", Json(1)));
    std::map<std::string, size_t> places;
    int number = 0;
    for (const Json& entry : json["images"]) {
        SessionImage image = image_from_json(entry, folder);
        const auto [place, is_new] = places.emplace(image.file.path, session.images.size());
        if (is_new) session.images.push_back(std::move(image));
        if (++number == current) session.current = place->second;
    }
    try {
        if (json.contains("operator")) session.choice = choice_from_json(json, path);
    } catch (const UserError& error) {
        session.problem = error.what();
    }
    session.backend = backend_from_json(json);
    session.part = part_from_json(json.value("part", Json::object()), folder);
    session.view = view_from_json(json.value("view", Json::object()));
    read_layout(json.value("layout", Json::object()), session.layout);
    return session;
}

Session read_session(const std::string& path, std::stop_token stop) {
    const Json json = read_json_file(path);
    try {
        Session session = session_from_json(json, path);
        const auto read_mask_of = [&](ResultPart& part) {
            try {
                read_mask(part, stop);
            } catch (const UserError& no_mask) {
                session.mask_problems.emplace_back(no_mask.what());
            }
        };
        for (SessionImage& image : session.images) {
            std::error_code error;
            image.file.is_missing = !fs::exists(image.file.path, error) && !error;
            if (image.part) read_mask_of(*image.part);
        }
        read_mask_of(session.part);
        return session;
    } catch (const UserError& error) {
        throw UserError(path + ": cannot be opened: " + error.what());
    } catch (const Json::exception&) {
        throw UserError(path + ": cannot be opened: it is damaged, or no session of Tonescope");
    }
}

}  // namespace tonescope
