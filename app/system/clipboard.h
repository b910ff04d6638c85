// Images on the clipboard, through wl-copy and wl-paste (Wayland) or xclip (X11).
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "app/image_io/image_io.h"
#include "gpu/core/image.h"

namespace tonescope {

/// The program that owns the clipboard may hang, and those that ask it wait for it for ever. A large image may take
/// its owner some seconds, though.
inline constexpr std::chrono::milliseconds kClipboardPatience{10'000};

/// The folder of files that are being copied or were pasted.
std::string clipboard_folder();

/// Puts the image on the clipboard as PNG. Waits for the program, as long as `patience` at most: not for the UI thread.
/// Throws UserError: no such program, nothing written, no answer; Cancelled. `progress` may be null.
void copy_image(const ImageView& image, std::stop_token stop = {}, FileProgress* progress = nullptr,
                std::chrono::milliseconds patience = kClipboardPatience);

/// Writes the clipboard's image into clipboard_folder() and returns the file's path. Throws UserError: no such program,
/// no image on the clipboard, or nothing of it for as long as `patience`; Cancelled.
std::string paste_image(std::stop_token stop = {}, std::chrono::milliseconds patience = kClipboardPatience);

}  // namespace tonescope
