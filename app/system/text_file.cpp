#include "app/system/text_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/image_io/file.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr uintmax_t kMaxBytes = 4 << 20;
constexpr int kMaxDepth = 32;  // the JSON library recurses when it copies or writes

}  // namespace

void write_text_file(const std::string& path, std::string_view text) {
    try {
        image_io::write_whole_file(path, [&](image_io::FileWriter& file) { file.write(text.data(), text.size()); });
    } catch (const UserError& error) {
        throw UserError(path + ": cannot be written: " + error.what());
    }
}

void print_error(std::string_view message) {
    std::cerr << "tonescope: " + image_io::shown(std::string(message)) + "\n" << std::flush;
}

std::string to_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json read_json_file(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::status_known(status)) throw UserError(path + ": cannot be read: " + error.message());
    if (!fs::exists(status)) throw UserError(path + ": there is no such file");
    if (!fs::is_regular_file(status)) throw UserError(path + ": is not a file");
    if (fs::file_size(path, error) > kMaxBytes) throw UserError(path + ": is too large for such a file");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) throw UserError(path + ": cannot be read: " + std::generic_category().message(errno));
    bool is_deep = false;
    const auto watch_depth = [&](int depth, Json::parse_event_t, const Json&) {
        is_deep = is_deep || depth > kMaxDepth;
        return !is_deep;
    };
    Json json = Json::parse(text, watch_depth, false);
    if (is_deep || !json.is_object()) throw UserError(path + ": is not JSON as this program writes it");
    return json;
}

void write_json_file(const std::string& path, const Json& json) {
    std::error_code error;
    if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) fs::create_directories(folder, error);
    if (error) throw UserError(path + ": cannot be written: " + error.message());
    write_text_file(path, to_text(json));
}

}  // namespace tonescope
