// Where a user's files of this program are, after the XDG base directory specification.
#pragma once

#include <string>

namespace tonescope {

/// $XDG_CONFIG_HOME/tonescope, ~/.config/tonescope. Empty where there is neither variable nor home.
std::string config_folder();
/// $XDG_STATE_HOME/tonescope, ~/.local/state/tonescope.
std::string state_folder();
/// $XDG_CACHE_HOME/tonescope, ~/.cache/tonescope.
std::string cache_folder();

}  // namespace tonescope
