#include "app/system/text_file.h"

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
    std::cerr << "tonescope: " + image_io::shown(std::string(message)) + "\n" << std::flush;
}

}  // namespace tonescope
