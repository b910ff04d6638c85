// Images on the clipboard, through wl-copy and wl-paste (Wayland) or xclip (X11).
#pragma once

#include <stop_token>
#include <string>

#include "app/image_io.h"
#include "gpu/core/image.h"

namespace tonescope {

/// Puts the image on the clipboard as PNG. `folder` holds the file meanwhile; it is made where it is missing. Waits for
/// the program, 5 seconds at most: not for the UI thread. Throws UserError: no such program, nothing written, no
/// answer; Cancelled. `progress` may be null.
void copy_image(const ImageView& image, const std::string& folder, std::stop_token stop = {},
                FileProgress* progress = nullptr);

/// Writes the clipboard's image into `folder` and returns the file's path. Throws UserError: no such program, no image
/// on the clipboard, or none within 5 seconds; Cancelled.
std::string paste_image(const std::string& folder, std::stop_token stop = {});

}  // namespace tonescope
