// Where files end up, what becomes of what stood there, and what is left of runs that died.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <thread>

#include "app/image_io/file.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "tests/image_io/sample_files.h"

namespace tonescope::test {
namespace {

/// What the file system of these tests can do for a new file's name not to replace another one's.
enum class Renaming : uint8_t { at_once, by_second_name, after_a_look };
Renaming renaming = Renaming::at_once;

}  // namespace
}  // namespace tonescope::test

// These stand for the C library's in this program.
extern "C" int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
    if (tonescope::test::renaming == tonescope::test::Renaming::at_once)
        return int(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
    errno = EINVAL;
    return -1;
}
extern "C" int link(const char* from, const char* to) noexcept {
    if (tonescope::test::renaming != tonescope::test::Renaming::after_a_look)
        return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = EPERM;
    return -1;
}

namespace tonescope::test {
namespace {
namespace fs = std::filesystem;
using namespace image_io;

void write_text(const std::string& path, const std::string& text, std::stop_token stop = {}) {
    write_whole_file(
        path, [&](FileWriter& file) { file.write(text.data(), text.size()); }, std::move(stop));
}

std::string why_not_written(const std::string& path) {
    try {
        write_text(path, "new");
    } catch (const UserError& error) {
        return error.what();
    }
    return "it was written";
}

TEST(Writer, NamesMayBeAsLongAsTheDiskAllows) {
    const TemporaryFolder folder;
    for (const size_t length : {243U, 244U, 254U, 255U}) {
        const std::string path = folder.path(std::string(length, 'n'));
        for (const char* text : {"first", "second"}) {
            write_text(path, text);
            EXPECT_EQ(read_bytes(path), text_bytes(text)) << length;
        }
    }
    EXPECT_EQ(why_not_written(folder.path(std::string(256, 'n'))), "file name too long");
    EXPECT_EQ(folder.names().size(), 4U);
}

TEST(Writer, LinksStayAndTheirTargetsAreWritten) {
    const TemporaryFolder folder;
    fs::create_directory(folder.path("far"));
    fs::create_symlink("far/target", folder.path("second"));
    fs::create_symlink("second", folder.path("first"));
    for (const char* text : {"made", "replaced"}) {
        write_text(folder.path("first"), text);
        EXPECT_TRUE(fs::is_symlink(folder.path("first")));
        EXPECT_TRUE(fs::is_symlink(folder.path("second")));
        EXPECT_EQ(read_bytes(folder.path("far/target")), text_bytes(text));
    }
    fs::create_symlink("round", folder.path("round"));
    EXPECT_EQ(why_not_written(folder.path("round")), "too many levels of symbolic links");
}

TEST(Writer, AnotherHardLinkKeepsTheOldFile) {
    const TemporaryFolder folder;
    folder.write("a", text_bytes("old"));
    fs::create_hard_link(folder.path("a"), folder.path("b"));
    write_text(folder.path("a"), "new");
    EXPECT_EQ(read_bytes(folder.path("a")), text_bytes("new"));
    EXPECT_EQ(read_bytes(folder.path("b")), text_bytes("old"));
}

TEST(Writer, OwnerAndPermissionsStay) {
    const TemporaryFolder folder;
    const std::string path = folder.write("a", {1});
    struct stat before {};
    struct stat after {};
    // Only root can give a file away, and only root can see that it stays with its owner.
    const bool is_given = geteuid() == 0 && chown(path.c_str(), 12345, 23456) == 0;
    ASSERT_EQ(chmod(path.c_str(), 0666), 0);
    ASSERT_EQ(stat(path.c_str(), &before), 0);
    write_text(path, "new");
    ASSERT_EQ(stat(path.c_str(), &after), 0);
    EXPECT_EQ(after.st_mode, before.st_mode);
    EXPECT_EQ(after.st_uid, before.st_uid) << is_given;
    EXPECT_EQ(after.st_gid, before.st_gid) << is_given;
    EXPECT_NE(after.st_ino, before.st_ino);
}

TEST(Writer, WhatDeadRunsHaveLeftIsSwept) {
    const TemporaryFolder folder;
    const std::string held = folder.write(".tonescope-1-0.tmp", {1});
    folder.write(".tonescope-999999-12.tmp", {1});
    folder.write(".tonescope-notes.tmp", {1});
    folder.write(".tonescope-1-2.tmp.bak", {1});
    folder.write("photo.tmp", {1});
    fs::create_directory(folder.path(".tonescope-1-3.tmp"));
    fs::create_symlink("photo.tmp", folder.path(".tonescope-1-4.tmp"));
    const int owner = open(held.c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_EQ(flock(owner, LOCK_EX), 0);
    write_text(folder.path("a"), "new");
    close(owner);
    std::vector<std::string> expected = {".tonescope-1-0.tmp", ".tonescope-1-2.tmp.bak", ".tonescope-1-3.tmp",
                                         ".tonescope-1-4.tmp", ".tonescope-notes.tmp",   "a",
                                         "photo.tmp"};
    EXPECT_EQ(folder.names(), expected);
}

TEST(Writer, AFileBeingWrittenIsNobodysLeftover) {
    const TemporaryFolder folder;
    write_whole_file(folder.path("a"), [&](FileWriter& file) {
        file.write("a", 1);
        const std::vector<std::string> names = folder.names();
        ASSERT_EQ(names.size(), 1U);
        const int other = open(folder.path(names[0]).c_str(), O_WRONLY | O_CLOEXEC);
        EXPECT_NE(flock(other, LOCK_EX | LOCK_NB), 0) << "another run could remove it";
        close(other);
    });
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a"});
}

TEST(Writer, APipeWaitsForItsReader) {
    const TemporaryFolder folder;
    const std::string path = folder.path("pipe");
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    const std::string text(300000, 'x');  // more than a pipe holds
    std::string got;
    std::jthread reader([&] {
        const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        std::vector<char> piece(1 << 16);
        for (ssize_t n = 0; (n = read(fd, piece.data(), piece.size())) > 0;) got.append(piece.data(), size_t(n));
        close(fd);
    });
    write_text(path, text);
    reader.join();
    EXPECT_EQ(got, text);
    EXPECT_TRUE(fs::is_fifo(path));
}

TEST(Writer, AStopEndsTheWaitForAPipe) {
    const TemporaryFolder folder;
    const std::string path = folder.path("pipe");
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    const auto stopped_soon = [&](const std::string& what) {
        std::stop_source stop;
        std::jthread user([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            stop.request_stop();
        });
        EXPECT_THROW(write_text(path, std::string(300000, 'x'), stop.get_token()), Canceled) << what;
    };
    stopped_soon("nobody opens it");
    const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    stopped_soon("nobody reads");
    close(reader);
}

TEST(Writer, SocketsAreRefused) {
    const TemporaryFolder folder;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    folder.path("s").copy(address.sun_path, sizeof address.sun_path - 1);
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(why_not_written(folder.path("s")), "it is neither a file nor a pipe nor a character device");
    close(made);
}

TEST(Writer, AFileThatIsKeptIsNotReplacedHoweverLateItComes) {
    for (const Renaming how : {Renaming::at_once, Renaming::by_second_name, Renaming::after_a_look}) {
        SCOPED_TRACE(int(how));
        renaming = how;
        const TemporaryFolder folder;
        const auto write_beside = [&](const std::string& name, const std::function<void()>& meanwhile) -> std::string {
            try {
                write_whole_file(
                    folder.path(name),
                    [&](FileWriter& file) {
                        file.write("new", 3);
                        meanwhile();
                    },
                    {}, nullptr, Sync::yes, OldFile::kept);
            } catch (const UserError& error) {
                return error.what();
            }
            return "";
        };
        const std::string refused = "there is such a file by now";
        EXPECT_EQ(write_beside("free", [] {}), "");
        EXPECT_EQ(read_bytes(folder.path("free")), text_bytes("new"));
        EXPECT_EQ(write_beside("free", [] { ADD_FAILURE() << "it was known before"; }), refused);
        EXPECT_EQ(write_beside("late", [&] { folder.write("late", text_bytes("another program's")); }), refused);
        EXPECT_EQ(read_bytes(folder.path("late")), text_bytes("another program's"));
        EXPECT_EQ(write_beside("link", [&] { fs::create_symlink("nowhere", folder.path("link")); }), refused);
        EXPECT_TRUE(fs::is_symlink(folder.path("link")));
        EXPECT_EQ(folder.names(), (std::vector<std::string>{"free", "late", "link"})) << "nothing half-written stays";
    }
    renaming = Renaming::at_once;
}

}  // namespace
}  // namespace tonescope::test
