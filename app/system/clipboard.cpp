#include "app/system/clipboard.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

#include "app/image_io/file.h"
#include "app/image_io/image_io.h"
#include "app/image_io/temporary_name.h"
#include "app/system/folder.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

using Command = std::vector<std::string>;

constexpr auto kLongestPause = std::chrono::milliseconds(20);
constexpr int kTooLong = 124;

bool is_installed(const std::string& program) {
    const char* path = std::getenv("PATH");
    for (const std::string& folder : split(path == nullptr ? "" : path, ':'))
        if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

/// The first that fits the display and is installed.
Command choose(const Command& wayland, const Command& x11, const std::string& what) {
    if (std::getenv("WAYLAND_DISPLAY") != nullptr && is_installed(wayland[0])) return wayland;
    if (std::getenv("DISPLAY") != nullptr && is_installed(x11[0])) return x11;
    throw UserError("cannot " + what + " images: install wl-clipboard (Wayland) or xclip (X11)");
}

[[noreturn]] void refuse_silence() {
    throw UserError("the program that owns the clipboard does not answer: end it, or copy something else first");
}

/// Runs it with these files as standard input and output; returns the exit status, 127 where it did not start, 124
/// where nothing has come for as long as `patience`. Throws Canceled.
int run(Command command, const std::string& input, const std::string& output, const std::stop_token& stop,
        std::chrono::milliseconds patience) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, output.c_str(), O_WRONLY | O_NOFOLLOW, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    // A group of its own: what it has started ends with it.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t ignored_here;  // see prepare_to_end()
    sigemptyset(&ignored_here);
    for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&ignored_here, signal);
    posix_spawnattr_setsigdefault(&attributes, &ignored_here);
    std::vector<char*> arguments;
    for (std::string& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, arguments[0], &files, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) return 127;
    int status = 0;
    uintmax_t output_bytes = 0;
    auto last_came = std::chrono::steady_clock::now();
    for (auto pause = std::chrono::milliseconds(1);; pause = std::min(2 * pause, kLongestPause)) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
        if (ended < 0 && errno != EINTR) return 127;
        const auto now = std::chrono::steady_clock::now();
        std::error_code unknown;
        if (const uintmax_t bytes = fs::file_size(output, unknown); !unknown && bytes != output_bytes) {
            output_bytes = bytes;
            last_came = now;
        }
        if (stop.stop_requested() || now > last_came + patience) break;
        std::this_thread::sleep_for(pause);
    }
    ::kill(-child, SIGKILL);
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (stop.stop_requested()) throw Canceled{};
    return kTooLong;
}

/// Makes the folder, for this user alone. False where it is another user's, or any other user may write into it.
bool make_own_folder(const std::string& path) {
    ::mkdir(path.c_str(), 0700);
    struct stat name {};
    struct stat folder {};
    return ::lstat(path.c_str(), &name) == 0 && ::stat(path.c_str(), &folder) == 0 && name.st_uid == ::geteuid() &&
           folder.st_uid == ::geteuid() && S_ISDIR(folder.st_mode) && (folder.st_mode & S_IWOTH) == 0;
}

/// Under a name that nobody can foresee.
std::string make_temporary_folder() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    std::string folder = (error ? fs::path("/tmp") : parent) / "tonescope-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) throw UserError(folder + ": cannot be made: " + errno_text(errno));
    return folder;
}

}  // namespace

std::string clipboard_folder() {
    if (const std::string cache = user_folder("XDG_CACHE_HOME", "/.cache"); !cache.empty()) {
        std::error_code error;
        fs::create_directories(fs::path(cache).parent_path(), error);
        if (make_own_folder(cache) && make_own_folder(cache + "/clipboard")) return cache + "/clipboard";
    }
    static std::mutex mutex;
    static std::string folder;
    const std::lock_guard lock(mutex);
    if (folder.empty() || !make_own_folder(folder)) folder = make_temporary_folder();
    return folder;
}

std::string new_own_file(const std::string& stem) {
    const std::string begin = clipboard_folder() + "/" + stem + "-";
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    for (auto number = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();; ++number) {
        const std::string path = begin + std::to_string(number) + ".png";
        const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0 && errno == EEXIST) continue;
        if (fd < 0) throw UserError(path + ": cannot be written: " + errno_text(errno));
        ::close(fd);
        return path;
    }
}

void copy_image(const ImageView& image, std::stop_token stop, FileProgress* progress,
                std::chrono::milliseconds patience) {
    const Command command = choose({"wl-copy", "--type", "image/png"},
                                   {"xclip", "-selection", "clipboard", "-t", "image/png", "-i"}, "copy");
    const std::string file = new_own_file("copied");
    const image_io::TemporaryName removed(file);
    save_image(file, image, stop, progress);
    const int status = run(command, file, "/dev/null", stop, patience);
    if (status == kTooLong) refuse_silence();
    if (status != 0) throw UserError("the image was not copied: " + command[0] + " failed");
}

std::string paste_image(std::stop_token stop, std::chrono::milliseconds patience) {
    const Command command = choose({"wl-paste", "--no-newline", "--type", "image/png"},
                                   {"xclip", "-selection", "clipboard", "-t", "image/png", "-o"}, "paste");
    const std::string file = new_own_file("pasted");
    image_io::TemporaryName pasted(file);
    const int status = run(command, "/dev/null", file, stop, patience);
    if (status == kTooLong) refuse_silence();
    std::error_code error;
    const bool has_image = status == 0 && fs::file_size(file, error) > 0 && !error;
    if (has_image) {
        pasted.keep();
        return file;
    }
    throw UserError("there is no image on the clipboard");
}

}  // namespace tonescope
