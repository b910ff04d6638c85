// Images on the clipboard, through wl-copy and wl-paste (Wayland) or xclip (X11).
#pragma once

#include <string>

#include "gpu/core/image.h"

namespace tonescope {

/// Puts the image on the clipboard as PNG. `folder` holds the file meanwhile; it is made where it is missing. Waits for
/// the program: not for the UI thread. Throws UserError: no such program, nothing written.
void copy_image(const ImageView& image, const std::string& folder);

/// Writes the clipboard's image into `folder` and returns the file's path. Throws UserError: no such program, no image
/// on the clipboard.
std::string paste_image(const std::string& folder);

}  // namespace tonescope
