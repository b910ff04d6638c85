// Decoders that do wrong: what a file's extension says is done in place of decoding it.
#pragma once

#include <string>
#include <vector>

#include "app/image_io/decoding/decoding.h"

namespace tonescope::test {

struct Misdeed {
    std::string name;   // the file's extension
    std::string error;  // a part of the line that it ends with
    void (*act)();
};
const std::vector<Misdeed>& misdeeds();

/// Decodes files of other extensions.
LoadedImage decode_or_misbehave(image_io::FileReader& file, const std::string& extension, const LoadRequest& request);

}  // namespace tonescope::test
