// Pictures to and from other programs, through the clipboard.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/viewer/files/look_ups.h"
#include "app/viewer/files/notices.h"

namespace tonescope {

class ClipboardTransfer {
  public:
    ClipboardTransfer(LookUps& look_ups, Notices& notices) : look_ups_(look_ups), notices_(notices) {}
    /// Files that were pasted go: nobody looks for them later.
    ~ClipboardTransfer();
    ClipboardTransfer(const ClipboardTransfer&) = delete;
    ClipboardTransfer& operator=(const ClipboardTransfer&) = delete;

    /// `open` is called with the file that holds the clipboard's image.
    void paste(std::function<void(const std::string& path)> open);
    /// Where files are while they are copied or pasted.
    static std::string folder();

  private:
    LookUps& look_ups_;
    Notices& notices_;
    std::vector<std::string> pasted_;
};

}  // namespace tonescope
