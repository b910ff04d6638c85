#include "app/system/user_folders.h"

#include <cstdlib>

namespace tonescope {
namespace {

std::string folder(const char* variable, const char* below_home) {
    // Relative paths in these variables are invalid and to be ignored.
    if (const char* base = std::getenv(variable); base != nullptr && base[0] == '/')
        return std::string(base) + "/tonescope";
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
        return std::string(home) + below_home + "/tonescope";
    return {};
}

}  // namespace

std::string config_folder() {
    return folder("XDG_CONFIG_HOME", "/.config");
}
std::string state_folder() {
    return folder("XDG_STATE_HOME", "/.local/state");
}
std::string cache_folder() {
    return folder("XDG_CACHE_HOME", "/.cache");
}

}  // namespace tonescope
