// Where a user's files of this program are, after the XDG base directory specification.
#pragma once

#include <cstdlib>
#include <string>

namespace tonescope {

/// $VARIABLE/tonescope, else the folder `below_home` of the home. Empty where there is neither variable nor home.
inline std::string user_folder(const char* variable, const char* below_home) {
    // Relative paths in these variables are invalid and to be ignored.
    if (const char* base = std::getenv(variable); base != nullptr && base[0] == '/')
        return std::string(base) + "/tonescope";
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
        return std::string(home) + below_home + "/tonescope";
    return {};
}
inline std::string config_folder() {
    return user_folder("XDG_CONFIG_HOME", "/.config");
}
inline std::string state_folder() {
    return user_folder("XDG_STATE_HOME", "/.local/state");
}
inline std::string cache_folder() {
    return user_folder("XDG_CACHE_HOME", "/.cache");
}

}  // namespace tonescope
