#include "app/system/text_file.h"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr uintmax_t kMaxBytes = 4 << 20;
constexpr int kMaxDepth = 32;  // the JSON library recurses when it copies or writes

}  // namespace

void write_text_file(const std::string& path, std::string_view text, std::stop_token stop, image_io::Sync sync,
                     OldFile old) {
    try {
        image_io::write_whole_file(
            path, [&](image_io::FileWriter& file) { file.write(text.data(), text.size()); }, std::move(stop), nullptr,
            sync, old);
    } catch (const UserError& error) {
        throw UserError(path + ": cannot be written: " + error.what());
    }
}

void print_line(std::string_view message) {
    std::cout << printable(message) + "\n" << std::flush;
}

std::string error_line(std::string_view message) {
    return "tonescope: " + printable(message) + "\n";
}

void print_error(std::string_view message) noexcept {
    try {
        std::cerr << error_line(message) << std::flush;
    } catch (const std::bad_alloc&) {
        std::fputs("tonescope: ", stderr);
        for (const char c : message) std::fputc(c >= ' ' && c <= '~' ? c : '?', stderr);
        std::fputc('\n', stderr);
    }
}

std::string to_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string read_text_file(const std::string& path) {
    try {
        image_io::FileReader file(path, {});
        if (file.size_bytes() > kMaxBytes) throw UserError("it is too large for such a file");
        std::string text(file.size_bytes(), '\0');
        file.read_whole({reinterpret_cast<uint8_t*>(text.data()), text.size()});
        return text;
    } catch (const UserError& error) {
        throw UserError(path + ": cannot be read: " + error.what());
    }
}

Json parse_json(const std::string& text) {
    bool is_deep = false;
    const auto watch_depth = [&](int depth, Json::parse_event_t, const Json&) {
        is_deep = is_deep || depth > kMaxDepth;
        return !is_deep;
    };
    Json json = Json::parse(text, watch_depth, false);
    return is_deep || !json.is_object() ? Json() : json;
}

Json read_json_file(const std::string& path) {
    Json json = parse_json(read_text_file(path));
    if (json.is_null()) throw UserError(path + ": is not JSON as this program writes it");
    return json;
}

void make_folder_of(const std::string& path) {
    std::error_code error;
    if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) fs::create_directories(folder, error);
    if (error) throw UserError(path + ": cannot be written: " + error.message());
}

void write_json_file(const std::string& path, const Json& json, std::stop_token stop) {
    make_folder_of(path);
    write_text_file(path, to_text(json), std::move(stop));
}

}  // namespace tonescope
