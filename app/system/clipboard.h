// The clipboard: images through wl-copy and wl-paste (Wayland) or xclip (X11), and text for the fields of the window.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

#include "app/image_io/image_io.h"
#include "gpu/core/image.h"

struct GLFWwindow;

namespace tonescope {

/// The program that owns the clipboard may hang, and those that ask it wait for it for ever. A large image may take
/// its owner some seconds, though.
inline constexpr std::chrono::milliseconds kClipboardPatience{10'000};

/// The folder of files that are being copied, were pasted or are made for the window: in the user's cache, or where
/// there is none of which nobody else can get hold, a new one. Throws UserError where there is no room for either.
std::string clipboard_folder();
/// A new, empty .png file there, whose name begins with `stem`. Throws UserError.
std::string new_own_file(const std::string& stem);

/// Puts the image on the clipboard as PNG. Waits for the program, as long as `patience` at most: not for the UI thread.
/// Throws UserError: no such program, nothing written, no answer; Canceled. `progress` may be null.
void copy_image(const ImageView& image, std::stop_token stop = {}, FileProgress* progress = nullptr,
                std::chrono::milliseconds patience = kClipboardPatience);

/// Writes the clipboard's image into clipboard_folder() and returns the file's path. Throws UserError: no such program,
/// no image on the clipboard, or nothing of it for as long as `patience`; Canceled.
std::string paste_image(std::stop_token stop = {}, std::chrono::milliseconds patience = kClipboardPatience);

/// A clipboard through which Dear ImGui copies and pastes text for as long as it lives. Needs Dear ImGui's context and
/// its GLFW backend. GLFW waits for the program that owns an X clipboard for as long as that takes, which for one that
/// hangs is for ever; this clipboard gives up soon. On other systems than X11 it hands on to GLFW.
std::shared_ptr<void> make_text_clipboard(GLFWwindow* window);

}  // namespace tonescope
