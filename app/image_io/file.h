// Reading and writing the bytes of files. A UserError says what is wrong; the caller puts the file's name in front.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/image_io/image_io.h"
#include "app/sandbox/channel.h"

namespace tonescope::image_io {

/// A regular file, open for reading.
struct InputFile {
    sandbox::Descriptor descriptor;
    uint64_t size_bytes = 0;
};
/// Throws UserError: missing, a folder, empty, not readable.
InputFile open_input(const std::string& path);

class RowStream;

/// Reads a regular file from front to back. At the end, on a failing disk and once `stop` is set, read(), get() and
/// stream() give fewer bytes and never throw, so that decoders written in C may use them; check() then says why.
class FileReader {
  public:
    /// `progress`, which may be null, is told what FileProgress has to be set to. Where there is `rows`, loaders may
    /// hand it the rows of the image.
    FileReader(InputFile file, std::stop_token stop, std::function<void(double)> progress = nullptr,
               RowStream* rows = nullptr);
    /// Throws UserError as open_input() does.
    FileReader(const std::string& path, std::stop_token stop) : FileReader(open_input(path), std::move(stop)) {}
    ~FileReader();
    FileReader(const FileReader&) = delete;
    FileReader& operator=(const FileReader&) = delete;

    uint64_t size_bytes() const { return file_.size_bytes; }
    uint64_t left_bytes() const { return size_bytes() - std::min(size_bytes(), uint64_t(ftello(stream_))); }
    FILE* stream() const { return stream_; }
    /// Whether a read has met the end of the file.
    bool past_end() const { return std::feof(stream_) != 0; }
    /// Bytes from `offset` on, as many as there are; the position stays.
    size_t read_at(uint64_t offset, std::span<uint8_t> to) noexcept;
    size_t read(void* to, size_t bytes) noexcept { return std::fread(to, 1, bytes, stream_); }
    /// Reads as many bytes as there is room for. Throws like check(), and UserError where the file has fewer.
    void read_whole(std::span<uint8_t> to);
    /// The next byte or -1.
    int get() noexcept { return getc_unlocked(stream_); }
    void skip(uint64_t bytes) noexcept;

    /// Throws Canceled once stop was requested, UserError after a failed read.
    void check() const;
    bool stopped() const noexcept { return stop_.stop_requested(); }
    RowStream* rows() const { return rows_; }

  private:
    InputFile file_;
    int error_ = 0;
    off_t position_ = 0;  // of the stream's next read from the file
    std::vector<char> buffer_;
    FILE* stream_ = nullptr;
    std::stop_token stop_;
    std::function<void(double)> progress_;
    RowStream* const rows_;
};

/// Throws UserError where a file has fewer than the bytes that an image of this kind needs at least.
void check_bytes(const FileReader& file, uint64_t needed_bytes);
[[noreturn]] void refuse_damaged(const std::string& why);

/// Whether a file that was written survives a power loss: a file that is rewritten many times a second need not.
enum class Sync : bool { no, yes };

class TemporaryFile;

/// A file that an encoder writes: the one that the path names, or one beside it that disappears unless it is kept. The
/// stream remembers until finish() that a write failed.
class FileWriter {
  public:
    /// Throws UserError where the file cannot be written or there is one that is kept, Canceled where `stop` ends the
    /// wait for a pipe's reader.
    FileWriter(const std::string& path, std::stop_token stop, FileProgress* progress, Sync sync = Sync::yes,
               OldFile old = OldFile::replaced);
    ~FileWriter();
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;

    FILE* stream() const { return stream_; }
    bool write(const void* from, size_t bytes) noexcept {
        return bytes == 0 || std::fwrite(from, 1, bytes, stream_) == bytes;
    }
    /// Every encoder says so after each row. Throws Canceled once stop was requested.
    void row_done(int rows, int of) const;
    /// Writes out what is still buffered. Throws UserError after any failed write (disk full), Canceled where `stop`
    /// has ended one.
    void finish();
    /// Finishes and gives the file its name. Throws UserError, also where a file that is kept has come to that name
    /// meanwhile, and Canceled once stop was requested.
    void keep();

  private:
    void open_in_place(const std::string& path, bool is_pipe);
    size_t write_out(const char* from, size_t bytes) noexcept;
    void write_back();

    std::unique_ptr<TemporaryFile> temporary_;  // null where the file is written in place
    sandbox::Descriptor in_place_;
    int fd_ = -1;  // either of them
    int error_ = 0;
    std::vector<char> buffer_;
    FILE* stream_ = nullptr;
    std::stop_token stop_;
    FileProgress* progress_;
    Sync sync_;
    OldFile old_;
};

/// Has `write` write a file that appears whole or not at all, also after a power loss: it stands next to the file first
/// and is then renamed. A link stays a link, a file that is replaced keeps its permissions and, where that is allowed,
/// its owner, and one that must not be written stays as it is. A character device (/dev/stdout) and a pipe are written
/// to directly; a pipe waits for its reader. Throws UserError, Canceled once `stop` is set.
void write_whole_file(const std::string& path, const std::function<void(FileWriter&)>& write, std::stop_token stop = {},
                      FileProgress* progress = nullptr, Sync sync = Sync::yes, OldFile old = OldFile::replaced);

/// Absolute, and seen through symbolic links, also one whose target does not exist yet: where writing to `path` would
/// end. Throws UserError where the disk does not tell.
std::string final_path(const std::string& path);

/// Files that are known by any of their names: through links, mounts or another spelling.
class FileSet {
  public:
    /// A name that leads to no file that could be read is left out. Throws UserError.
    explicit FileSet(const std::vector<std::string>& paths);
    /// The name by which the file was added, or null. Throws UserError.
    const std::string* find(const std::string& path) const;

  private:
    std::map<std::string, std::string> by_name_;
    std::map<std::pair<dev_t, ino_t>, std::string> by_inode_;
};

}  // namespace tonescope::image_io
