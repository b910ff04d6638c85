#include "app/system/text_file.h"

#include <algorithm>
#include <iostream>

#include "app/image_io/file.h"
#include "gpu/core/error.h"

namespace tonescope {

void write_text_file(const std::string& path, std::string_view text) {
    try {
        image_io::write_whole_file(path, [&](image_io::FileWriter& file) { file.write(text.data(), text.size()); });
    } catch (const UserError& error) {
        throw UserError(path + ": cannot be written: " + error.what());
    }
}

void print_error(std::string_view message) {
    std::string line = "tonescope: " + std::string(message);
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    std::cerr << line + "\n" << std::flush;
}

}  // namespace tonescope
