#include "app/image_io/temporary_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <set>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope::image_io {
namespace {

sandbox::Descriptor open_retried(const std::string& path, int flags, mode_t mode = 0) {
    return sandbox::Descriptor(int(TEMP_FAILURE_RETRY(open(path.c_str(), flags, mode))));
}

/// Names of its own stay short: that of the target may have all 255 bytes that a name can have.
std::string new_temporary_name() {
    static std::atomic<unsigned> counter{0};
    return ".tonescope-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".tmp";
}

bool is_temporary_name(const char* name) {
    int end = 0;
    std::sscanf(name, ".tonescope-%*u-%*u.tmp%n", &end);
    return end > 0 && name[end] == '\0';
}

/// True for one caller a run.
bool is_first_look(const std::string& folder) {
    static std::mutex mutex;
    static std::set<std::string> seen;
    const std::lock_guard lock(mutex);
    return seen.insert(folder).second;
}

/// Removes the file where it is one of this user's that nobody holds.
void remove_if_left(int folder, const char* name) {
    const int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    struct stat info {};
    const bool is_ours = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid();
    if (is_ours && flock(fd, LOCK_EX | LOCK_NB) == 0) unlinkat(folder, name, 0);
    close(fd);
}

void sweep(const std::string& folder) {
    if (!is_first_look(folder)) return;
    DIR* const entries = opendir(folder.c_str());
    if (entries == nullptr) return;
    while (const dirent* entry = readdir(entries))
        if (is_temporary_name(entry->d_name)) remove_if_left(dirfd(entries), entry->d_name);
    closedir(entries);
}

/// False, and errno, where what was written may be lost. Some file systems know no such request, and a folder that may
/// not be listed cannot be synced.
bool sync_to_disk(int fd) {
    while (fsync(fd) != 0) {
        if (errno == EINTR) continue;
        return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP || errno == EBADF;
    }
    return true;
}

/// Owner and group where that is allowed, and the permissions. False, and errno, where they cannot be set.
bool take_rights(int fd, const struct stat& old) {
    struct stat own {};
    if (fstat(fd, &own) != 0) return false;
    mode_t mode = old.st_mode & 07777;
    const bool differs = own.st_uid != old.st_uid || own.st_gid != old.st_gid;
    if (differs && fchown(fd, old.st_uid, old.st_gid) != 0) {
        mode &= 01777;
        // The user's own group is allowed no more than everybody was.
        if (own.st_gid != old.st_gid && fchown(fd, uid_t(-1), old.st_gid) != 0)
            mode = (mode & ~070U) | (mode & 07) << 3;
    }
    return (own.st_mode & 07777) == mode || fchmod(fd, mode) == 0;
}

/// As rename(), but with EEXIST where there is something at `to`. Not every file system can do that in one step: then a
/// second name does, and where there is none either, as on FAT, a look beforehand, which another program may outrun.
int rename_to_free(const char* from, const char* to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return -1;
    if (link(from, to) == 0) return unlink(from);
    if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP) return -1;
    struct stat info {};
    if (lstat(to, &info) != 0) return rename(from, to);
    errno = EEXIST;
    return -1;
}

}  // namespace

TemporaryFile::TemporaryFile(std::string target) : target_(std::move(target)) {
    const std::string folder = target_.substr(0, target_.rfind('/') + 1);
    folder_ = open_retried(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!folder_ && errno == EACCES) folder_ = open_retried(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (!folder_ && (errno == ENOENT || errno == ENOTDIR)) throw UserError("its folder does not exist");
    if (!folder_) throw UserError(errno_text(errno));
    sweep(folder);
    struct stat info {};
    const bool replaces = lstat(target_.c_str(), &info) == 0;
    while (true) {
        name_.emplace(folder + new_temporary_name());
        file_ = open_retried(name_->path(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
        if (!file_) {
            const int error = errno;
            name_->keep();  // there is none, or it is another one's
            if (error == EEXIST) continue;
            throw UserError("its folder is not writable: " + errno_text(error));
        }
        // Another run may just be looking whether this file is anybody's, and then it is gone.
        TEMP_FAILURE_RETRY(flock(fd(), LOCK_EX));
        if (fstat(fd(), &info) != 0 || info.st_nlink > 0) return;
    }
}

void refuse_to_replace() {
    throw UserError("there is such a file by now");
}

void TemporaryFile::take_name(Sync sync, OldFile old) {
    struct stat info {};
    const bool replaces = old == OldFile::replaced && lstat(target_.c_str(), &info) == 0;
    if (replaces && !take_rights(fd(), info)) throw UserError(errno_text(errno));
    if (sync == Sync::yes && !sync_to_disk(fd())) throw UserError(errno_text(errno));
    const char* const from = name_->path().c_str();
    const char* const to = target_.c_str();
    if ((old == OldFile::kept ? rename_to_free(from, to) : rename(from, to)) != 0) {
        if (errno == EEXIST && old == OldFile::kept) refuse_to_replace();
        throw UserError(errno_text(errno));
    }
    name_->keep();
    if (sync == Sync::yes && !sync_to_disk(folder_.get()))
        throw UserError("it was written, but a power loss may undo that: " + errno_text(errno));
}

}  // namespace tonescope::image_io
