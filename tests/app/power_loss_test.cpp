// What is on the disk at any moment is the old file or the new one: in which order files are synced and renamed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "app/image_io/image_io.h"
#include "app/system/text_file.h"
#include "app/viewer/state_file.h"
#include "tests/app/temporary_folder.h"

namespace tonescope {
namespace {

std::mutex calls_mutex;
std::vector<std::string> calls;  // to the system

/// What a file or folder looks like when the program asks the system for something.
std::string call_on(const char* what, const struct stat& info) {
    const std::string text = std::string(what) + " inode " + std::to_string(info.st_ino);
    return S_ISDIR(info.st_mode) ? text : text + " of " + std::to_string(info.st_size) + " bytes";
}

void note(const char* what, const struct stat& info) {
    const std::lock_guard lock(calls_mutex);
    calls.push_back(call_on(what, info));
}

}  // namespace
}  // namespace tonescope

// These stand for the C library's in this program.
extern "C" int fsync(int file) {
    struct stat info {};
    if (fstat(file, &info) == 0) tonescope::note("sync", info);
    return int(syscall(SYS_fsync, file));
}
extern "C" int rename(const char* from, const char* to) noexcept {
    struct stat info {};
    if (stat(from, &info) == 0) tonescope::note("rename", info);
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

namespace tonescope {
namespace {

/// The file's own bytes first, then its name, then the folder that holds the name.
void expect_durable(const std::string& path, const std::function<void()>& write) {
    calls.clear();
    write();
    struct stat file {};
    struct stat folder {};
    ASSERT_EQ(stat(path.c_str(), &file), 0) << path;
    ASSERT_EQ(stat(std::filesystem::path(path).parent_path().c_str(), &folder), 0) << path;
    const std::vector<std::string> expected = {call_on("sync", file), call_on("rename", file), call_on("sync", folder)};
    EXPECT_EQ(calls, expected) << path;
}

TEST(PowerLoss, EveryFileIsSyncedBeforeItReplacesTheOldOneAndItsFolderAfter) {
    const TemporaryFolder folder;
    HostImage image({300, 400, PixelFormat::rgba8, true});
    for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = uint8_t(i * i >> 3);
    for (const char* name : {"a.png", "a.jpg", "a.bmp", "a.tga", "a.ppm"})
        for (int turn = 0; turn < 2; ++turn)
            expect_durable(folder.file(name), [&] { save_image(folder.file(name), image.view()); });
    expect_durable(folder.file("t.csv"), [&] { write_text_file(folder.file("t.csv"), std::string(500000, 'x')); });
    expect_durable(folder.file("sub/p.json"), [&] { write_json_file(folder.file("sub/p.json"), {{"a", 1}}); });
    expect_durable(folder.file("state.json"), [&] {
        StateWriter writer(folder.file("state.json"), {}, [] {});
        SavedState state;
        state.recent = {"/a.png"};
        writer.put(state);
    });
}

TEST(PowerLoss, WhatIsRewrittenWithEveryFrameIsNotSynced) {
    const TemporaryFolder folder;
    calls.clear();
    write_text_file(folder.file("ui.json"), "{}", {}, image_io::Sync::no);
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_TRUE(calls[0].starts_with("rename")) << calls[0];
}

}  // namespace
}  // namespace tonescope
