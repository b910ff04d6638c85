// A file that is not yet what it is going to be. Only the writer of files and tests include this.
#pragma once

#include <optional>
#include <string>

#include "app/image_io/file.h"
#include "app/image_io/temporary_name.h"

namespace tonescope::image_io {

[[noreturn]] void refuse_to_replace();

/// A new file in the folder of `target`, under a name of its own. It goes when this object does, or if the program ends
/// before, when the program next writes into that folder: its owner holds a lock on it, so that files without one are
/// known to be nobody's, also where several machines share a disk.
class TemporaryFile {
  public:
    /// `target`: absolute and no link. Throws UserError where there can be no such file. A run looks once in each
    /// folder for files that others have left.
    explicit TemporaryFile(std::string target);
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int fd() const { return file_.get(); }
    /// Puts the file in the target's place, with the permissions and the owner of what stood there. Throws UserError,
    /// and leaves everything as it is, where something stands there that is kept.
    void take_name(Sync sync, OldFile old);

  private:
    std::string target_;
    sandbox::Descriptor folder_, file_;
    std::optional<TemporaryName> name_;  // goes first, while the lock is held
};

}  // namespace tonescope::image_io
