// The command line that gives a result again without the window.
#pragma once

#include <string>

#include "gpu/core/backend.h"

namespace tonescope {

/// Quoted for a POSIX shell where needed.
std::string shell_word(const std::string& text);

/// "tonescope --headless -i IN -o OUT --op ... --variant ... --set ...": every parameter that matters, and the memory
/// mode on the GPU. `spec.variant` may be null: then no variant is named.
std::string reproducing_command(const RunSpec& spec, const std::string& input, const std::string& output);

}  // namespace tonescope
